"""What agents are, where one is chosen: in the dialog of a new game, and for hints."""

import pytest

pytest.importorskip("starlette")

from browser import Tab
from browser_play import sit_down
from ingenious_agents.registry import AGENTS

from ingenious_env import Rules
from ingenious_env.engine.definition import definitions
from ingenious_env.policies.levels import STRENGTHS

NOTES = """async (names) => {
    const { noteOf } = await import("/web/static/agents.js");
    return names.map(noteOf);
}"""
GREEDY = "greedy: Takes the most points at once."


@pytest.fixture(scope="module", name="page")
def _page(client, browser):
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{client.port}/")
    yield page
    page.close()


def test_each_kind_of_agent_has_a_sentence(page):
    """Levels have theirs from the server."""
    policies = {name for game in ("ingenious", "loopit") for name in definitions()[game].policies}
    kinds = sorted((policies | set(AGENTS)) - {"level"})
    found = dict(zip(kinds, page.evaluate(NOTES, kinds), strict=True))
    assert [kind for kind, note in found.items() if not note.endswith(".")] == []
    assert len(set(found.values())) == len(kinds)


def test_an_agent_with_parameters_has_the_sentence_of_its_kind(page):
    """Unless they may change what it plays for; there is none of a class."""
    names = ["tree:rollouts=50", "tree", "greedy:utility=lowest", "mine.Snatcher"]
    with_parameters, kind, *others = page.evaluate(NOTES, names)
    assert with_parameters == kind != ""
    assert others == ["", ""]


def test_the_dialog_says_what_the_chosen_agents_are(client, browser):
    """A level alone is described beside the levels."""
    tab = Tab(browser, client.port)
    tab.open()
    page = tab.page
    page.wait_for_selector("#start")
    page.select_option("#preset", "three")
    page.click("#others-shown")
    assert page.locator(".note").count() == 0
    page.select_option("#seat2", "greedy")
    page.wait_for_selector(".note")
    level = f"level 3: {STRENGTHS[2].text}"
    assert page.locator(".note").all_inner_texts() == [level, GREEDY]
    page.select_option("#seat1", "greedy")
    assert page.locator(".note").all_inner_texts() == [GREEDY]
    page.click("#level3")
    assert page.locator(".note").count() == 0
    page.select_option("#preset", "solitaire")
    page.select_option("#seat0", "greedy")
    assert page.locator(".note").all_inner_texts() == [GREEDY]
    page.select_option("#seat0", "level 3")
    assert page.locator(".note").all_inner_texts() == [level]
    tab.close()


def test_hints_say_what_their_agent_is(client, browser):
    tab, _, _ = sit_down(client, browser, Rules())
    tab.wait_for_turn()
    tab.page.click("#hints")
    tab.page.wait_for_selector("#adviser-note:has-text('A network that')")
    tab.page.select_option("#adviser", "greedy")
    tab.page.wait_for_selector("#adviser-note:has-text('Takes the most points at once.')")
    tab.close()
