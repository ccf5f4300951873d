"""Hints, judgements and settings in a real browser."""

import json

import pytest

pytest.importorskip("starlette")

from browser_play import (
    SEED,
    by_mouse,
    by_typing,
    expected,
    press_choice,
    sit_down,
    type_moves,
    until_changed,
)

from ingenious_env import Rules, Session
from ingenious_env.core.definition import definition_of
from ingenious_env.core.judging import judge
from ingenious_env.games.loopit import Rules as LoopitRules


@pytest.mark.parametrize("rules", [Rules(), LoopitRules(2)], ids=["ingenious", "loopit"])
def test_hints_on_the_board_and_in_a_list(client, browser, rules):
    """A hint that is clicked lifts its tile and shows it where it goes; then it is placed."""
    tab, path, key = sit_down(client, browser, rules)
    tab.wait_for_turn()
    seen = client.get(f"{path}?keys={key}")
    tab.page.keyboard.press("h")
    tab.page.wait_for_selector("#hint0")
    assert tab.page.locator(".candidate").count() > 0
    if rules == Rules():
        cells = {cell for pair in seen["scene"]["open"] for cell in rules.geometry.pairs[pair].tolist()}
        assert tab.page.locator(".dot").count() == len(cells)
    wanted = client.post(f"{path}/advice", {"keys": key, "version": 0, "agent": "value"})["list"][0]["move"]
    tab.page.click("#hint0")
    tab.page.wait_for_selector(".ghost")
    before = tab.page.inner_text("#replay")
    tab.page.click("#place")
    until_changed(tab, before, None)
    tab.wait_for_turn()
    first = client.get(f"{path}?keys={key}&at=1")
    assert first["last"]["move"].split() in (wanted.split(), wanted.split()[::-1])
    tab.page.wait_for_selector("#hint0")
    tab.page.keyboard.press("h")
    assert tab.page.locator("#hint0").count() == 0
    assert tab.page.locator(".candidate").count() == 0
    tab.page.wait_for_selector(".who:has-text('with hints')")
    tab.close()


def test_hints_are_those_of_the_table_that_is_shown(client, browser):
    """A page goes from a table of Loopit to one of Ingenious, both of which nobody has played at yet."""
    tab, _, _ = sit_down(client, browser, LoopitRules(2))
    tab.page.keyboard.press("h")
    tab.page.wait_for_selector("#hint0")
    body = {
        "game": "ingenious",
        "rules": definition_of(Rules()).rules_to_text(Rules()),
        "seats": ["human"] * 2,
    }
    made = client.post("/api/tables", body)
    keys = json.dumps({made["id"]: made["keys"]["0"]})
    tab.page.evaluate(f"localStorage.setItem('ingenious-tables', '{keys}'); location.hash = '{made['id']}'")
    tab.page.wait_for_selector("h1:has-text('Ingenious')")
    tab.page.wait_for_selector("#hint0")
    tab.page.keyboard.press("1")
    tab.page.wait_for_selector(".picked")
    tab.close()


def test_the_curve_and_its_marks(client, browser):
    """With hints while the game goes on, of all moves at its end; marks and `N` lead to weak moves."""
    rules = Rules()
    _, moves = expected(rules, person="greedy")
    tab, path, key = sit_down(client, browser, rules)
    assert tab.page.locator(".chances").count() == 0
    tab.page.keyboard.press("h")
    for number, move in enumerate(moves):
        tab.wait_for_turn()
        before = tab.page.inner_text("#replay")
        if isinstance(move, str):
            press_choice(tab, "mouse", move)
        else:
            by_typing(tab, client, path, key, rules, move)
        if number < len(moves) - 1:
            until_changed(tab, before, move)
        if number == 3:
            tab.wait_for_turn()
            found = client.post(f"{path}/analysis", {"keys": key})
            tab.page.wait_for_selector(".chances")
            assert tab.page.locator("g.judged").count() == sum(bool(turn["mark"]) for turn in found["turns"])
            best = tab.page.inner_text("#hint0 .worth")
            tab.page.wait_for_selector(f"#curve footer b:has-text('{best}')")
    tab.page.wait_for_selector("#judged")
    found = client.post(f"{path}/analysis", {"keys": key})
    marked = [turn for turn in found["turns"] if turn["mark"]]
    assert marked
    own = [turn for turn in marked if turn["seat"] == 0]
    assert tab.page.locator("g.judged").count() == len(own)
    cells = tab.page.locator("#judged tr").nth(1).locator("td").all_text_contents()
    counts = [sum(turn["mark"] == mark for turn in own) for mark in ("?!", "?", "??")]
    assert cells[1:] == [str(count) for count in counts]
    tab.page.keyboard.press("Home")
    for turn in marked:
        tab.page.keyboard.press("n")
        tab.page.wait_for_selector(f"#replay:has-text('move {turn['at'] + 1}')")
        assert turn["best"] in tab.page.inner_text("#remark")
    tab.page.keyboard.press("n")
    tab.page.wait_for_selector(f"#replay:has-text('move {marked[0]['at'] + 1}')")
    share = 1 if found["results"][0] == 1 else 0
    tab.page.keyboard.press("End")
    tab.page.wait_for_selector(f"#curve footer b:has-text('{100 * share} %')")
    tab.close()


def test_settings(client, browser):
    """A click that only puts down, a question before a bad mistake, keys switched off; all are kept."""
    rules = Rules()
    _, moves = expected(rules)
    tab, path, key = sit_down(client, browser, rules)
    type_moves(tab, client, path, key, rules, moves[:5])
    tab.wait_for_turn()
    tab.page.click("#help")
    for name in ("confirm", "warn", "sound", "letters"):
        tab.page.click(f"#set-{name}")
    tab.page.click("#close")
    tab.page.reload()
    tab.wait_for_turn()
    tab.page.keyboard.press("h")
    assert tab.page.locator("#hint0").count() == 0
    by_mouse(tab, client, path, key, rules, moves[5])
    tab.page.wait_for_selector("#place:not([disabled])")
    assert client.get(f"{path}?keys={key}")["total"] == 10
    mistake = mistake_in(client, path, key, rules)
    tab.page.keyboard.press("Escape")
    by_typing(tab, client, path, key, rules, mistake)
    tab.page.wait_for_selector("dialog:has-text('This move loses')")
    tab.page.click("#show-best")
    tab.page.wait_for_selector("#say:has-text('is better.')")
    by_typing(tab, client, path, key, rules, mistake)
    before = tab.page.inner_text("#replay")
    tab.page.click("#anyway")
    until_changed(tab, before, mistake)
    played = client.get(f"{path}?keys={key}&at=11")["last"]["move"]
    assert sorted(played.split()) == sorted(definition_of(rules).move_to_text(mistake).split())
    tab.close()


def mistake_in(client, path, key, rules):
    """A legal move that is marked ??, by the game's own state here."""
    state = client.get(f"{path}?keys={key}")
    session = Session(rules, SEED, [None, definition_of(rules).policy("greedy")])
    for number in range(state["total"]):
        if session.is_waiting:
            text = client.get(f"{path}?keys={key}&at={number + 1}")["last"]["move"]
            session.play(session.game.action(definition_of(rules).text_to_move(text)))
        else:
            session.advance()
    game = session.game
    for action in game.legal_actions().tolist():
        if judge(definition_of(rules).policy("value"), game, action).mark == "??":
            return game.move(action)
    raise AssertionError


def test_a_hint_that_waits_for_compiling_says_so(client, browser):
    """And is said to be thought about once that is done."""
    tab, _, _ = sit_down(client, browser, Rules())
    tab.wait_for_turn()
    tab.page.route("**/advice", lambda _: None)  # an answer that does not come
    tab.page.keyboard.press("h")
    tab.page.wait_for_selector("#analysis:has-text('thinking…')")
    for now, said in (("true", "compiling for the first time…"), ("false", "thinking…")):
        tab.page.evaluate(
            "async (now) => { const { app } = await import('/static/main.js');"
            " app.source.dispatchEvent(new MessageEvent('compiling', { data: `{\"now\": ${now}}` })); }",
            now,
        )
        tab.page.wait_for_selector(f"#analysis:has-text('{said}')")
    tab.close()
