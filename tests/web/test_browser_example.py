"""The example of docs/howto/add_a_game.md in a real browser: nothing but the game's own files knows of it."""

import pytest

pytest.importorskip("starlette")

from browser_play import expected, finished, middle, sit_down, until_changed

from ingenious_env import Rules as Ingenious
from ingenious_env.engine.definition import definition_of
from scripts.examples.squares import Rules


def scores_on(page):
    return [int(text) for text in page.locator(".score").all_inner_texts()]


def test_a_whole_game_by_mouse(client, browser, tmp_path):
    rules = Rules(3)
    record, moves = expected(rules, person="uniform", opponent="uniform")
    tab, path, key = sit_down(client, browser, rules, "uniform")
    page = tab.page
    for move in moves:
        tab.wait_for_turn()
        last = client.get(f"{path}?keys={key}")["last"]
        if last:
            gains = last.get("gains", [0])
            assert (gains[0] > 0) == (last["move"] not in ("stop", "again"))
            assert page.inner_text(".other .played").endswith(f"+{gains[0]}" if gains[0] else last["move"])
        before = page.inner_text("#replay")
        if move in ("stop", "again"):
            page.click(f"#choose-{move}")
        else:
            rack = client.get(f"{path}?keys={key}")["scene"]["rack"]
            page.click(f"#slot{rack.index([move[0]])}")
            spot = middle(tab, int(move[1:]))
            page.mouse.move(*spot)
            page.wait_for_selector(".ghost")
            page.mouse.click(*spot)
        until_changed(tab, before, None)
    page.wait_for_selector("#say:has-text(' win'), #say:has-text('share')")
    replay = page.context.new_page()
    (tmp_path / "game.html").write_text(record.to_html(), encoding="utf-8")
    replay.goto((tmp_path / "game.html").as_uri())
    replay.wait_for_selector(f"#replay:has-text('move {len(record.moves)}')")
    assert [
        int(text) for text in replay.locator(".score").all_inner_texts()
    ] == record.replay().scores.tolist()
    assert page.title() == f"{page.inner_text('#say')} · Squares"
    assert page.inner_text("h1") == "b\nSquares"
    assert finished(client, path, key) == record
    assert scores_on(page) == record.replay().scores.tolist()
    tab.close()


def test_the_dialog_of_a_new_game_and_the_list_of_keys(client, browser):
    tab, _, _ = sit_down(client, browser, Rules(), "uniform")
    page = tab.page
    assert page.get_attribute("#move", "placeholder") == definition_of(Rules()).example
    page.click("#help")
    page.wait_for_selector(".keys")
    rows = page.locator(".keys tr").all_inner_texts()
    assert {"S\tstop", "A\tagain"} < set(rows)
    page.click("#close")
    page.click("#new")
    page.select_option("#game", "squares")
    assert page.locator("#preset option").all_inner_texts() == ["small racks", "large racks"]
    page.select_option("#preset", "large")
    page.select_option("#seat1", "uniform")
    page.click("#start")
    page.wait_for_selector("#slot3")
    assert page.locator(".slot").count() == 4
    tab.close()


def test_a_game_that_no_agent_gives_hints_on(client, browser):
    """They are not offered, and end where a page comes from another game."""
    tab, path, key = sit_down(client, browser, Rules(), "uniform")
    page = tab.page
    assert page.locator("#hints").count() == 0
    page.keyboard.press("h")
    page.click("#help")
    page.wait_for_selector(".keys")
    rows = [row.split("\t")[0] for row in page.locator(".keys tr").all_inner_texts()]
    assert rows == ["1 to 6", "← →", "↑ ↓", "Enter", "Esc", "S", "A", "Z", "N", "← → Home End", "?"]
    page.click("#close")
    other, their_path, their_key = sit_down(client, browser, Ingenious(), "greedy")
    other.close()
    page.evaluate(f"location.hash = '{their_path.removeprefix('/api/tables/')}.{their_key}'")
    page.click("#hints")
    page.wait_for_selector("#hint0")
    page.evaluate(f"location.hash = '{path.removeprefix('/api/tables/')}.{key}'")
    page.wait_for_selector("h1:has-text('Squares')")
    tab.settle()
    assert page.locator("#hints, #hint0, #adviser").count() == 0
    page.click("#slot0")
    tab.close()
