"""What a page without a server holds in a game against agents: no tile that its player cannot know."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("starlette")

from browser import Tab
from hidden_tiles import OPEN, REDEAL, open_files
from local_page import KEPT, LocalBrowser, LocalClient
from page_server import serving_files

from ingenious_env import Rules, Session, View
from ingenious_env.engine.definition import definition_of, variant_of
from ingenious_env.games.loopit import Rules as LoopitRules

MANY = 4
"""Tiles that no list has by chance in the order of a hidden rack or of the bag."""
TURNS = 8
STATE = """async () => {
  const { app } = await import("/web/static/store.js");
  const passed = new Set();
  const plain = (value) => {
    if (value instanceof Node || typeof value === "function") return null;
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)) return plain([...value]);
    if (passed.has(value)) return null;
    passed.add(value);
    if (Array.isArray(value)) return value.map(plain);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
  };
  return [JSON.stringify(plain(app)), document.documentElement.outerHTML];
}"""
SHOW = """async (at) => (await import("/web/static/store.js")).show(at)"""
REDEALT = f"""async ([id, viewer, number]) => {{{REDEAL}
  const {{ heldRoom }} = await import("/web/local/held.js");
  redeal((await heldRoom(id)).table.session, {{ viewer, number }});
}}"""


@pytest.fixture(scope="module", name="port")
def _port(files):
    with serving_files(files) as port:
        yield port


@pytest.fixture(scope="module", name="open_port")
def _open_port():
    with serving_files(open_files()) as port:
        yield port


class Player:
    """A person at a page, against agents.

    Args:
        chromium: the browser.
        port: of the file server.
        rules: of the game.
    """

    def __init__(self, chromium, port, rules):
        self.rules, self.definition = rules, definition_of(rules)
        browser = LocalBrowser(chromium)
        seats = ["human", *["greedy"] * (rules.num_players - 1)]
        text = self.definition.rules_to_text(rules)
        body = {"game": self.definition.name, "rules": text, "seats": seats, "seed": 5}
        made = LocalClient(browser, port).post("/api/tables", body)
        self.tab, self.id = Tab(browser, port), made["id"]
        self.tab.sit_down(self.id, made["keys"]["0"])

    def game(self):
        """The position, as the browser keeps it."""
        kept = json.loads(self.tab.page.evaluate(KEPT))[self.id]
        session = Session(self.rules, tuple(int(part) for part in kept["seed"]))
        for action in kept["actions"]:
            session.play(action)
        return session.game

    def play(self, game):
        before = self.tab.page.inner_text("#replay")
        move = game.move(int(self.definition.policy("greedy").act(View.of(game))[0]))
        self.tab.page.fill("#move", self.definition.move_to_text(move))
        self.tab.page.press("#move", "Enter")
        self.tab.page.wait_for_function(
            "before => document.querySelector('#replay').innerText !== before", arg=before
        )
        self.tab.wait_for_turn()

    def holds(self, tiles):
        """Whether a list in the state or in the text of the page has these tiles, in this order or sorted."""
        types = [list(tile) for tile in variant_of(self.rules).tile_types]
        state = "".join(self.tab.page.evaluate(STATE))
        orders = [[list(tile) for tile in each] for each in (tiles, tiles[::-1], sorted(tiles))]
        orders += [[types.index(tile) for tile in each] for each in orders]
        return any(json.dumps(each, separators=(",", ":"))[1:-1] in state for each in orders)

    def check(self, game, *, are_racks_open):
        """The own rack is found, those of others as they are seen, and never the order of the bag."""
        own, *others = game.racks
        assert self.holds(own)
        assert [self.holds(rack) for rack in others if len(rack) >= MANY] == [are_racks_open] * len(others)
        assert not self.holds(game.bag_order[:MANY])

    def drawn(self):
        """The state and the text of the page, with the position drawn anew."""
        self.tab.page.evaluate(SHOW, 0)
        self.tab.page.evaluate(SHOW, 10**6)
        self.tab.wait_for_turn()
        self.tab.page.wait_for_selector(".banner", state="detached")  # which goes away by itself
        return self.tab.page.evaluate(STATE)


def play(player, *, are_racks_open):
    """Some turns, also with hints, and with other hidden tiles, which change nothing."""
    page = player.tab.page
    for turn in range(TURNS):
        player.tab.wait_for_turn()
        game = player.game()
        player.check(game, are_racks_open=are_racks_open)
        if turn == 2:
            page.click("#hints")
            page.wait_for_selector("#hint0")
            player.check(game, are_racks_open=are_racks_open)
            page.click("#hints")
            page.wait_for_selector("#hint0", state="detached")
        if turn % 3 == 1:
            before = player.drawn()
            page.evaluate(REDEALT, [player.id, 0, turn])
            assert player.drawn() == before
            page.evaluate(REDEALT, [player.id, None, 0])
        player.play(game)
    player.tab.close()


@pytest.mark.parametrize("rules", [Rules(), LoopitRules(3)], ids=["ingenious", "loopit"])
def test_a_page_holds_no_hidden_tile(chromium, port, rules):
    play(Player(chromium, port, rules), are_racks_open=False)


def test_a_page_of_open_racks_holds_these_and_not_the_bag(chromium, open_port):
    play(Player(chromium, open_port, OPEN), are_racks_open=True)
