"""Small laptops: the board takes the height, and nothing that is needed lies below the fold."""

from __future__ import annotations

import pytest
from sampled import nightly_but

pytest.importorskip("starlette")

from browser import Tab
from spoken import speaking

from ingenious_env import Session
from ingenious_env.engine.definition import definition_of, definitions

HEIGHT = 640  # pixels
LAPTOP = {"viewport": {"width": 1280, "height": HEIGHT}}
SEED = 8
RULES = {
    (game, preset): definitions()[game].presets[preset].rules
    for game in ("ingenious", "loopit")
    for preset in definitions()[game].presets
}
OUTSIDE = """(names) => names.flatMap((name) => {
  const found = [...document.querySelectorAll(name)].map((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    const end = each.closest("aside")?.getBoundingClientRect().bottom ?? innerHeight;
    const isWithin = left >= 0 && left < right && right <= innerWidth;
    return isWithin && top >= 0 && top < bottom && bottom <= end ? [] : [[name, left, top, right, bottom]];
  });
  return found.length ? found.flat() : [[name, "missing"]];
})"""
"""The parts of a page that are missing, or not in the window without scrolling."""

each_preset = pytest.mark.parametrize("rules", RULES.values(), ids=[" ".join(key) for key in RULES])


def seats_of(rules):
    return ["human"] + ["greedy"] * (rules.num_players - 1)


def opened(client, browser, rules, text=None):
    """A page at a new table, or at one with a record."""
    definition = definition_of(rules)
    body = {"game": definition.name, "rules": definition.rules_to_text(rules), "seed": SEED}
    made = client.post("/api/tables", {"seats": seats_of(rules)} | ({"text": text} if text else body))
    tab = Tab(browser, client.port, **LAPTOP)
    tab.sit_down(made["id"], made["keys"]["0"])
    return tab


def over(rules, seed=SEED):
    """The record of a game whose first player is weak."""
    policies = [
        definition_of(rules).policy(name) for name in ("uniform", *["greedy"] * (rules.num_players - 1))
    ]
    session = Session(rules, seed, policies)
    for _ in session.run():
        pass
    return session.record.to_text()


def fits(tab, *parts):
    """Fail unless these parts and the board are in the window, which needs no scrolling."""
    assert tab.page.evaluate(OUTSIDE, ["#head", "#board", "#replay", *parts]) == []
    assert tab.page.locator("#board").bounding_box()["height"] >= 500
    assert tab.page.evaluate("document.documentElement.scrollHeight") <= HEIGHT


@each_preset
def test_a_turn(client, browser, rules):
    """With a tile in hand; with the best hints, before and after the first moves."""
    tab = opened(client, browser, rules)
    page = tab.page
    tab.wait_for_turn()
    page.keyboard.press("1")
    page.wait_for_selector(".slot.picked")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".ghost")
    turn = ["#others", "#say", "#hand", "#place", "#typed"]
    fits(tab, *turn, "#sheets section")
    page.keyboard.press("h")
    page.wait_for_selector("#hint0")
    page.click("#hint0")
    page.wait_for_selector(".ghost")
    fits(tab, *turn, "#hints", "#adviser", "#hint0", "#hint1", "#hint2")
    page.click("#place")
    page.wait_for_selector(".chances")
    tab.wait_for_turn()
    page.wait_for_selector("#hint2")
    fits(tab, *turn[:3], "#hint0", "#hint1", "#hint2")
    tab.close()


@pytest.mark.parametrize("language", nightly_but(["de"], ["en", "de"]))
@each_preset
def test_the_end(client, browser, rules, language):
    """The result, the report and what can be done next; then a mistake that is tried again."""
    with speaking(language):
        tab = opened(client, browser, rules, over(rules))
        tab.page.wait_for_selector("#judged")
        fits(tab, "#say", "#sheets section:not(.unseen)", "#judged", "#rematch", "#again", "#share", "#watch")
        fits(tab, "#mistake", "#retry")
        retry(tab)
        tab.close()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_bag_of_the_day(client, browser, language):
    """The results of agents, with all that is at the end of another game."""
    rules = RULES["ingenious", "solitaire"]
    with speaking(language):
        tab = opened(client, browser, rules, over(rules, 20261127))
        tab.page.wait_for_selector("#judged")
        tab.page.wait_for_selector("#compared table")
        fits(tab, "#say", "#judged", "#rematch", "#mistake", "#retry", "#compared section")
        tab.page.click("#mistake")
        tab.page.wait_for_selector("#remark")
        fits(tab, "#judged", "#mistake", "#retry")
        tab.close()


def retry(tab):
    page = tab.page
    turn = ["#others", "#hand", "#typed"]
    page.click("#retry")
    page.wait_for_selector("#retry-show")
    fits(tab, *turn, "#guide", "#retry-show", "#retry-back")
    page.click("#retry-show")
    page.wait_for_selector(".ghost")
    fits(tab, *turn, "#guide", "#retry-show", "#retry-back")
    asked = page.inner_text("#retried")
    page.click("#place")
    page.wait_for_function("asked => document.querySelector('#retried').innerText !== asked", arg=asked)
    fits(tab, *turn, "#guide", "#retry-back")
