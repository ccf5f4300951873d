"""Accessibility of a page without a server: where it differs, and as with a server."""

import sys
from pathlib import Path

import pytest
from sampled import nightly_but

pytest.importorskip("starlette")
pytest.importorskip("axe_playwright_python")

from auditing import Auditor, whole
from local_page import LocalBrowser, LocalClient
from page_server import serving_files

sys.path.append(str(Path(__file__).parents[1] / "web"))

from test_browser_access import (  # noqa: F401 - collected here, too
    test_a_turn,
    test_choices,
    test_the_choice_of_a_game,
    test_the_end,
    test_the_end_with_the_bag_of_the_day,
    test_what_teaches,
)
from test_browser_access_parts import test_verdicts_of_mistakes  # noqa: F401

from ingenious_env import Rules
from ingenious_env.games.loopit import Rules as LoopitRules

RULES = {"ingenious": Rules(), "loopit": LoopitRules(2)}


@pytest.fixture(scope="module", name="port")
def _port(files):
    with serving_files(files) as port:
        yield port


@pytest.fixture(name="auditor")
def _auditor(chromium, port):
    browser = LocalBrowser(chromium)
    auditor = Auditor(browser, LocalClient(browser, port))
    yield auditor
    auditor.tab.close()


@pytest.mark.parametrize("game", nightly_but(["ingenious"], RULES))
def test_states_of_a_page_without_a_server(auditor, game):
    """The dialog and its list of games, a turn, hints, what is shared, a tab that may not move, the end."""
    page = auditor.page
    auditor.sit(auditor.new(RULES[game], ["human", "greedy"]))
    auditor.tab.wait_for_turn()
    auditor.look("turn")
    auditor.press("h")
    page.wait_for_selector("#hint0")
    auditor.look("hints")
    auditor.look_on_a_phone("hints on a phone")
    page.click("#share")
    page.wait_for_selector("#film")
    auditor.look("what is shared")
    auditor.press("Escape")
    page.click("#new")
    page.wait_for_selector("#start")
    auditor.look("first")
    page.click("#openings")
    page.wait_for_selector("#opened")
    auditor.look("own games")
    first = auditor.page
    auditor.page = auditor.tab.context.new_page()
    auditor.page.goto(first.url)
    auditor.page.wait_for_selector("#say:has-text('open in another tab')")
    auditor.look("another tab")
    auditor.page.close()
    auditor.page = first
    auditor.at(whole(RULES[game]))
    page.wait_for_selector("#judged")
    auditor.look("end")
    assert auditor.states == 8
