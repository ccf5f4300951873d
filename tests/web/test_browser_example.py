"""The example of docs/adding_a_game.md in a real browser: nothing but the game's own files knows of it."""

import pytest

pytest.importorskip("starlette")

from browser_play import expected, finished, middle, sit_down, until_changed

from ingenious_env.engine.definition import definition_of
from scripts.examples.squares import Rules


def test_a_whole_game_by_mouse(client, browser, tmp_path):
    rules = Rules(3)
    record, moves = expected(rules, person="uniform", opponent="uniform")
    tab, path, key = sit_down(client, browser, rules, "uniform")
    page = tab.page
    for move in moves:
        tab.wait_for_turn()
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
    page.wait_for_selector("#say:has-text('wins'), #say:has-text('share')")
    assert page.title() == f"{page.inner_text('#say')} · Squares"
    assert page.inner_text("h1") == "b\nSquares"
    assert finished(client, path, key) == record
    scores = [int(text) for text in page.locator(".score").all_inner_texts()]
    assert scores == record.replay().scores.tolist()
    tab.close()


def test_the_dialog_of_a_new_game_and_the_list_of_keys(client, browser):
    tab, _, _ = sit_down(client, browser, Rules(), "uniform")
    page = tab.page
    assert page.get_attribute("#move", "placeholder") == definition_of(Rules()).example
    page.click("#help")
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
