"""Changes that cannot be saved, in a real browser: the page shows a message, and the next try works."""

import errno
import os

import pytest

pytest.importorskip("starlette")

from browser import Tab
from browser_play import expected, sit_down, type_moves

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.web import store as storing

FULL = "the game could not be saved (No space left on device)"


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk(client, browser, monkeypatch):
    """A move, a take back and a new game are not lost silently."""
    rules = Rules()
    _, moves = expected(rules)
    tab, path, key = sit_down(client, browser, rules)
    tab.wait_for_turn()
    with monkeypatch.context() as patch:
        patch.setattr(storing, "write_text", full)
        tab.page.fill("#move", definition_of(rules).move_to_text(moves[0]))
        tab.page.press("#move", "Enter")
        tab.page.wait_for_selector(f"#say.problem:has-text('{FULL}, so nothing has changed; try again')")
        assert tab.page.locator("#replay:has-text('move 0')").count() == 1
    type_moves(tab, client, path, key, rules, moves[:1])
    tab.wait_for_turn()
    assert tab.page.locator("#say.problem").count() == 0
    with monkeypatch.context() as patch:
        patch.setattr(storing, "write_text", full)
        tab.page.click("#take-back")
        tab.page.wait_for_selector(f"#say.problem:has-text('{FULL}')")
        first = Tab(browser, client.port)
        first.open()
        first.page.click("#start")
        first.page.wait_for_selector(f"dialog[open] .problem:has-text('{FULL}')")
    tab.page.click("#take-back")
    tab.page.wait_for_selector(".who:has-text('with takebacks')")
    first.page.click("#start")
    first.page.wait_for_selector("#board svg")
    tab.close(507)
    first.close(507)
