"""Whole games in a real browser: by mouse, by touch, by keyboard and typed, all with the same record."""

from itertools import product

import pytest
from sampled import nightly_but

pytest.importorskip("starlette")

from browser_play import HANDS, expected, finished, middle, play_all, sit_down, slot_of, until_changed

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules

VARIANTS = {"two": Rules(), "solitaire": Rules.solitaire(), "partnership": Rules.partnership()}
EACH_ONCE = [("mouse", "two"), ("touch", "partnership"), ("keyboard", "solitaire"), ("typing", "two")]
GAMES = nightly_but(EACH_ONCE, product(HANDS, VARIANTS))


@pytest.mark.parametrize(("hand", "name"), GAMES)
def test_a_whole_game(client, browser, hand, name):
    rules = VARIANTS[name]
    record, moves = expected(rules)
    tab, path, key = sit_down(client, browser, rules, **HANDS[hand][1])
    play_all(tab, client, path, key, rules, hand, moves)
    assert finished(client, path, key) == record
    tab.close()


@pytest.mark.parametrize("hand", ["mouse", pytest.param("typing", marks=pytest.mark.nightly)])
def test_a_whole_game_of_loopit(client, browser, hand):
    rules = LoopitRules(2)
    record, moves = expected(rules, person="planner")
    tab, path, key = sit_down(client, browser, rules)
    for move in moves:
        tab.wait_for_turn()
        if hand == "typing":
            tab.page.fill("#move", definition_of(rules).move_to_text(move))
            before = tab.page.inner_text("#replay")
            tab.page.press("#move", "Enter")
        elif isinstance(move, str):
            before = tab.page.inner_text("#replay")
            tab.page.click(f"#choose-{move.replace(' ', '-')}")
        else:
            before = tab.page.inner_text("#replay")
            tab.page.click(f"#slot{slot_of(tab, client, path, key, move.tile)}")
            spot = middle(tab, rules.material.cell(move.square))
            tab.page.mouse.move(*spot)
            tab.page.wait_for_selector(".ghost")
            tab.page.mouse.click(*spot)
        until_changed(tab, before, None)
    tab.page.wait_for_selector("#say:has-text(' win'), #say:has-text('share')")
    assert finished(client, path, key) == record
    tab.close()
