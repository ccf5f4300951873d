"""Moves of others come one after the other, unless somebody wants them at once."""

import time

import pytest
from patience import PATIENCE

pytest.importorskip("starlette")

from browser_play import by_typing, expected, press_choice, sit_down

from ingenious_env import Rules
from ingenious_env.games.loopit import Rules as LoopitRules

VARIANTS = {"ingenious": Rules(4), "loopit": LoopitRules(3)}
PACE = 700  # milliseconds


def settled(tab, client, path, key, version):
    """The state after a version, once it is the person's turn."""
    for _ in range(int(PATIENCE * 50)):
        client.let_agents_move(tab.page)
        state = client.get(f"{path}?keys={key}")
        if state["version"] > version and state["to_play"] == 0 and not state["thinking"]:
            return state
        time.sleep(0.02)
    raise AssertionError(state)


def shown(tab):
    """The number of the move that is shown."""
    return int(tab.page.inner_text("#replay").split()[1])


def shows(tab, at):
    """Fail unless the page comes to a move, and does not go on while its clock stands still."""
    for _ in range(int(PATIENCE * 100)):
        if shown(tab) >= at:
            break
        tab.page.wait_for_timeout(10)
    tab.settle()
    assert shown(tab) == at


def after_own_turn(client, browser, rules):
    """A page whose clock stands still, after the person's first turn, and the number of moves in it."""
    tab, path, key = sit_down(client, browser, rules, reduced_motion="no-preference")
    tab.page.clock.install(time=0)
    tab.page.clock.pause_at(1000)
    own = 0
    for move in expected(rules, person="greedy")[1]:
        version = client.get(f"{path}?keys={key}")["version"]
        if isinstance(move, str):
            press_choice(tab, "typing", move)
        else:
            by_typing(tab, client, path, key, rules, move)
        own += not isinstance(move, str)  # choices that others do not notice have no number
        state = settled(tab, client, path, key, version)
        shows(tab, own)  # a move that is entered before the page has the answer to the last one is not sent
        if state["total"] > own:
            return tab, path, key, own
    raise AssertionError


@pytest.mark.parametrize("name", VARIANTS)
def test_moves_of_others_come_one_after_the_other(client, browser, name):
    """Each with its gain next to the name of its player; the hand comes after the last."""
    rules = VARIANTS[name]
    tab, path, key, own = after_own_turn(client, browser, rules)
    total = client.get(f"{path}?keys={key}")["total"]
    assert total - own > 2
    for at in range(own + 1, total + 1):
        assert shown(tab) == at - 1
        assert tab.page.is_disabled("#slot0")
        tab.page.clock.run_for(PACE)
        shows(tab, at)
        last = client.get(f"{path}?keys={key}&at={at}")["last"]
        played = tab.page.locator(".played").nth(last["seat"] - 1)  # the person's own line is not there
        gain = last["gains"] if name == "loopit" else sum(last["gains"])
        assert played.inner_text().endswith(f"+{gain}")
    tab.page.wait_for_selector("#slot0:not([disabled])")
    tab.page.clock.run_for(10 * PACE)
    shows(tab, total)
    tab.close()


@pytest.mark.parametrize("wish", ["Home", "End", "z"])
def test_somebody_does_not_want_to_wait(client, browser, wish):
    """Another position, the latest, or a take back; nothing follows then."""
    tab, path, key, own = after_own_turn(client, browser, VARIANTS["ingenious"])
    total = client.get(f"{path}?keys={key}")["total"]
    left = {"Home": 0, "End": total, "z": own - 1}[wish]
    tab.page.keyboard.press(wish)
    tab.page.wait_for_selector(f"#replay:has-text('move {left}')")
    assert tab.page.is_disabled("#slot0") == (wish == "Home")
    for _ in range(total):
        tab.page.clock.run_for(PACE)
        shows(tab, left)
    tab.close(422)  # the position that was shown is taken back


def test_the_setting_is_kept(client, browser):
    tab, path, key = sit_down(client, browser, VARIANTS["ingenious"], reduced_motion="no-preference")
    tab.page.click("#help")
    tab.page.click("#set-pace")
    tab.page.click("#close")
    tab.page.reload()
    tab.page.wait_for_selector("#slot0:not([disabled])")
    tab.page.clock.install(time=0)
    tab.page.clock.pause_at(1000)
    version = client.get(f"{path}?keys={key}")["version"]
    by_typing(tab, client, path, key, VARIANTS["ingenious"], expected(VARIANTS["ingenious"])[1][0])
    total = settled(tab, client, path, key, version)["total"]
    tab.page.wait_for_selector(f"#replay:has-text('move {total}')")
    tab.page.wait_for_selector("#slot0:not([disabled])")
    tab.close()
