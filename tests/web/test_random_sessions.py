"""Sessions of clicks and keys at random: nothing goes wrong on the page, and no game is lost."""

import json

import numpy as np
import pytest
from sampled import nightly_but

pytest.importorskip("starlette")

from browser import Tab
from patience import wait_until
from web_server import playing

from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of, definitions
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.web.store import Store
from ingenious_env.web.tables import built_in_agents
from ingenious_env.web.visible import visible
from scripts.examples.squares import Rules as SquaresRules

SCREENS = (
    {},
    {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    {"viewport": {"width": 800, "height": 600}, "color_scheme": "dark"},
)
TABLES = (
    (Rules(), ("human", "greedy")),
    (Rules(2, rack_size=2, board_side=5), ("human", "human")),
    (Rules.solitaire(), ("human",)),
    (Rules(3), ("greedy", "human", "value")),
    (Rules(6), ("human",) + ("uniform",) * 5),
    (Rules.partnership(), ("human", "greedy", "human", "greedy")),
    (LoopitRules(2), ("human", "greedy")),
    (LoopitRules(4, fixed_rounds=True), ("human", "planner", "human", "uniform")),
    (SquaresRules(3), ("human", "human")),
)
KEYS = (
    *("123456" * 3),
    *("rfhznxkst?" * 2),
    *["Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] * 3,
    *["Escape", "Home", "End", "Shift+ArrowUp", "Shift+ArrowDown", "Tab", "Shift+Tab", " "],
)
TYPED = ("", "r0,0", "r0,-4 b1,-4", "keep", "NE5@6,7", "<b>hello</b>", "r99,99 b98,99", "x" * 70)

NEXT_BUTTON = """([part]) => {
  const place = document.querySelector("dialog[open]") || document;
  const wanted = "button:not([disabled]), a.button, summary, input, select, textarea";
  const found = [...place.querySelectorAll(wanted)]
    .filter((each) => each.checkVisibility() && each.type !== "file");
  const box = found.length && found[Math.floor(part * found.length)].getBoundingClientRect();
  return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
}"""


@pytest.mark.parametrize("number", nightly_but([0, 5, 7, 8], range(len(TABLES))))
def test_a_session(browser, tmp_path, number):
    session(browser, tmp_path, number, actions=25)


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(200))
def test_many_sessions(browser, tmp_path, number):
    session(browser, tmp_path, number, actions=60)


def session(browser, folder, number, actions):
    """Random actions at a table; after a restart of the server, all tables are unchanged."""
    rng = np.random.default_rng(number)
    rules, seats = TABLES[number % len(TABLES)]
    game = definition_of(rules)
    body = {"game": game.name, "rules": game.rules_to_text(rules), "seats": seats, "seed": number}
    with playing(folder) as client:
        made = client.post("/api/tables", body)
        tab = Tab(browser, client.port, **SCREENS[int(rng.integers(len(SCREENS)))])
        tab.sit_down(made["id"], ",".join(made["keys"].values()))
        for _ in range(actions):
            act(tab, rng)
        settled(tab)
        keys = json.loads(tab.page.evaluate("localStorage.getItem('ingenious-tables')"))
        assert made["id"] in keys
        state = lambda name: client.get(f"/api/tables/{name}?keys={keys[name]}")  # noqa: E731
        wait_until(lambda: not any(state(name)["thinking"] for name in keys))
        states = {name: state(name) for name in keys}
        shows_one_of(tab, {table["total"] for table in states.values()})
        tab.close(409, 422)  # a move that comes too late, or is illegal
    agents = {agent.name: agent for agent in built_in_agents(definitions())}
    for name, before in states.items():
        table = Store(folder, agents).read(name)
        assert table is not None
        now = json.loads(json.dumps(visible(table, before["seat"])))
        for part in ("rules", "seats", "version", "at", "scene"):
            assert now[part] == before[part]


def act(tab, rng):
    """A random action of a person."""
    page = tab.page
    match int(rng.integers(16)):
        case 0 | 1 | 2 | 3:
            for _ in range(int(rng.integers(1, 4))):
                page.keyboard.press(str(rng.choice(KEYS)))
        case 4 | 5:
            spot = page.evaluate(NEXT_BUTTON, [float(rng.random())])
            if spot is not None:
                page.mouse.click(*spot)
        case 6 | 7 | 8:
            size = page.viewport_size
            spot = rng.random() * size["width"], rng.random() * size["height"]
            page.mouse.move(*spot)
            page.mouse.wheel(0, float(rng.choice([-120, 120])))
            page.mouse.click(*spot)
        case 9:
            if page.locator("#move").count() and not page.locator("dialog[open]").count():
                page.evaluate(
                    "(text) => { const move = document.querySelector('#move');"
                    " if (move) { move.value = text; move.form.requestSubmit(); } }",
                    str(rng.choice(TYPED)),
                )
        case 10 if rng.random() < 0.2:
            page.reload()
            page.wait_for_selector("#board svg, dialog[open]")
        case _:
            place_a_tile(page, rng)


def place_a_tile(page, rng):
    """By keys, as far as the position allows; or make the choice that is offered."""
    page.evaluate("document.activeElement.blur()")
    turns = int(rng.integers(4))
    for key in (
        "Escape",
        "End",
        str(rng.integers(1, 5)),
        *["ArrowRight"] * turns,
        "Enter",
        str(rng.choice([*"kst"])),
    ):
        page.keyboard.press(key)
        page.wait_for_timeout(5)


def settled(tab):
    """Until nothing more happens on the page, and it shows the latest position."""
    page = tab.page
    page.wait_for_timeout(300)
    if page.locator("dialog[open]").count():
        page.evaluate("document.querySelector('dialog[open]').close()")
    if not page.locator("#slider").is_visible():
        return
    page.locator("body").click(position={"x": 2, "y": 2})
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    page.wait_for_timeout(200)
    # A guided first move stands in the place of the message on narrow screens.
    page.wait_for_selector("#say:not(:has-text('is thinking'))", state="attached")
    tab.settle()


def shows_one_of(tab, totals):
    """Until the page shows a table, if any, after one of these numbers of moves."""
    if tab.page.locator("#slider").is_visible():
        wanted = " || ".join(f"slider.max === '{total}'" for total in totals)
        tab.page.wait_for_function(
            f"() => {{ const slider = document.querySelector('#slider'); return {wanted}; }}"
        )
