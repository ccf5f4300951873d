"""A page without a server follows games at real tables as a server does: equal answers to equal requests."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl

import numpy as np
import pytest
from asking import Asking
from both_sides import Both, Page, files_of_page, plain, same
from page_server import serving_files
from real_desk import Desk
from real_tables import any_action, texts_of, turns_with_full_racks
from sampled import nightly_but
from spoken import speaking

from ingenious_env.engine.definition import definitions
from ingenious_env.games.ingenious.notation import COLOUR_LETTERS

PRESETS = [(name, preset) for name in ("ingenious", "loopit") for preset in definitions()[name].presets]
SOME = nightly_but([("ingenious", "partnership"), ("loopit", "three")], PRESETS)
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(1, 7))]
TABLE = "/api/tables"
SAID = (409, 422)
"""The statuses of answers that say the same."""

FOLLOWS = {
    "ingenious": ["board", "unplaced", "placed", "open_pairs", "points"],
    "loopit": ["board", "unplaced", "placed", "fits", "needs", "ends", "values", "left"],
}
"""Fields that follow from the tiles on the board."""
FIELDS = """async ([id, names]) => {
  const { heldRoom } = await import("/web/local/held.js");
  const { now } = (await heldRoom(id)).table.session;
  return JSON.stringify(names.map((name) => now.field(name)));
}"""


class BothClient(Asking):
    """Asks both sides in the place of a server, at a table each.

    Args:
        both: the sides.
    """

    def __init__(self, both):
        self.both = both
        self.entered = {}
        """The last move that was entered, and its tiles."""

    def ask(self, method, path, body=None):
        """The status and the content of the answer, which both give."""
        del method
        if path == TABLE:
            answers = [side.ask("tables", body=body) for side in self.both.sides]
            made = [(found["id"], ",".join(found["keys"].values())) for _, found in answers if "id" in found]
            if not made:
                return self._agreed(path, answers)
            assert [status for status, _ in answers] == [200, 200], answers
            self.both.tables = made
            return 200, {"id": "table", "keys": {"0": "keys"}}
        path, _, query = path.removeprefix("/api/").partition("?")
        answers = []
        for side, (table, keys) in zip(self.both.sides, self.both.tables, strict=True):
            where = path.replace("tables/table", f"tables/{table}", 1)
            if body is None:
                answers.append(side.ask(where, dict(parse_qsl(query)) | {"keys": keys}))
            else:
                answers.append(side.ask(where, body=body | ({"keys": keys} if "keys" in body else {})))
        status, found = self._agreed(path, answers)
        if path.endswith("/move") and status == 200:
            self.entered = {name: body[name] for name in ("move", "tiles") if name in body}
        return status, found

    def _agreed(self, what, answers):
        (status, expected), (other, found) = answers
        assert other == status, (what, answers)
        if status in SAID and "error" in expected:
            assert found == expected, what
        else:
            same(plain(found), plain(expected), what)
        return status, expected


class Watched(Desk):
    """A page at a real table that asks more than it needs, before each move."""

    asked = 0

    def tell(self, before, after, move):
        """Enter what the seat sees of a move, after other requests at it."""
        self.asked += 1
        self.ask_more(before, move)
        super().tell(before, after, move)

    def ask_more(self, before, move):
        """Hints, refusals, earlier positions, entries that are taken back, and a reload."""
        client, total, definition = self.client, self.state["total"], before.definition
        agents = [name for name in definition.policies if name != "uniform"]
        agent = agents[self.asked % len(agents)]
        status, _ = client.ask("POST", f"{self.path}/advice", self.body(agent=agent))
        assert status == (200 if self.state["to_play"] == self.seat else 422)
        self.state = self.look()
        if self.asked % 5 == 1:
            client.ask("GET", f"{self.path}?keys=&at={self.asked * 7 % (total + 1)}")
            client.ask("POST", f"{self.path}/advice", self.body(agent="greedy", at=0))
        if self.asked % 7 == 2:
            for wrong in self.wrong(before, move):
                status, _ = client.ask("POST", f"{self.path}/move", self.body(**wrong))
                assert status == 422, wrong
                client.ask("POST", f"{self.path}/draws", self.body(move=wrong["move"]))
        if self.state["real"]["shows"]:
            status, _ = client.ask("POST", f"{self.path}/move", self.body(**self.forbidden(before)))
            assert status == 422
        if self.asked % 9 == 4 and total:
            self.take_back()
        if self.asked % 11 == 5:
            client.both.sides[1].tab.reload()
            self.state = self.look()

    def take_back(self):
        """Take the last entry back, and enter it again."""
        scores = self.state["scene"]["scores"]
        self.state = self.client.post(f"{self.path}/back", self.body())
        self.state = self.client.post(f"{self.path}/move", self.body(**self.client.entered))
        assert self.state["scene"]["scores"] == scores

    def forbidden(self, before):
        """A swap that shows a tile with a lowest colour."""
        choice, seat, number = self.state["real"]["shows"]
        lowest = COLOUR_LETTERS[int(np.argmin(before.scores[before.rules.sheet_of(seat)]))]
        unseen = [tile for tile, _, _ in self.state["real"]["unseen"]]
        return {"move": choice, "tiles": sorted(unseen, key=lambda tile: lowest not in tile)[:number]}

    def wrong(self, before, move):
        """Bodies of moves that are refused."""
        text, rules = before.definition.move_to_text(move), before.rules
        unseen = [tile for tile, _, _ in self.state["real"]["unseen"]]
        laid = [each.partition("@")[0] for each in (text,) if "@" in each]
        yield from (
            {"move": "nonsense"},
            {"move": "r" * 61},
            {"move": text, "tiles": ["zz"]},
            {"move": text, "tiles": ["it's"]},
            {"move": text, "tiles": unseen[:3] + texts_of(rules, before.racks[self.seat]) + laid},
            {"move": "r99,0 b0,0"},
            {"move": "NE99@1,1"},
        )
        for name in before.definition.choices:
            if name not in self.state["scene"].get("choices", ["keep"]):
                yield {"move": name, "tiles": unseen[:1] * 9}
        status, drawn = self.client.ask("POST", f"{self.path}/draws", self.body(move=text))
        if status == 200 and drawn["number"]:
            yield {"move": text, "tiles": unseen[: drawn["number"] - 1]}


@pytest.fixture(scope="module", name="german")
def _german(browser, both):
    with speaking("de"):
        files = files_of_page()
    with serving_files(files) as port:
        tab = browser.new_page()
        tab.goto(f"http://127.0.0.1:{port}/web/static/icon.svg")
        yield Both(both.sides[0], Page(tab))
        tab.close()


@pytest.mark.parametrize(("name", "preset"), SOME)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_whole_game_is_followed(both, name, preset, seed):
    rules = definitions()[name].presets[preset].rules
    game, rng = definitions()[name].game(rules, seed), np.random.default_rng(seed)
    desk = Watched(BothClient(both), game, seed % rules.num_players)
    while not game.is_over:
        before = game.clone()
        move = game.move(any_action(game, rng))
        game.play(game.action(move))
        desk.tell(before, game, move)
    assert desk.state["over"]
    for at in range(desk.state["total"] + 1):
        desk.client.ask("GET", f"{desk.path}?keys=&at={at}")
        desk.client.ask("POST", f"{desk.path}/advice", desk.body(agent="greedy", at=at))
    for what in ("draws", "judge"):
        desk.client.ask("POST", f"{desk.path}/{what}", desk.body(move="keep"))
    assert desk.client.ask("POST", f"{desk.path}/analysis", {"keys": ""})[0] == 422
    assert desk.client.ask("POST", f"{desk.path}/compared", {"keys": ""})[0] == 409
    assert desk.client.ask("GET", f"{desk.path}/record?keys=")[0] == 409
    assert desk.client.post(f"{desk.path}/delete", {"keys": ""}) == {"deleted": True}


def begun(game, placed, seat):
    """The request that begins a real table in the middle of a game."""
    definition, rules = game.definition, game.rules
    return {
        "seat": seat,
        "rack": texts_of(rules, game.racks[seat])[::-1],
        "placed": [definition.move_to_text(move) for move in reversed(placed)],
        "scores": np.asarray(game.scores).tolist(),
        "to_play": game.to_play,
    }


def table_of(name, preset, real):
    definition = definitions()[name]
    return {"game": name, "rules": definition.rules_to_text(definition.presets[preset].rules), "real": real}


@pytest.mark.parametrize(("name", "preset"), SOME)
def test_a_game_that_has_begun(both, name, preset):
    """The same states, hints and moves, whether the own seat or another is to move; and after a reload."""
    rules, client, seen = definitions()[name].presets[preset].rules, BothClient(both), set()
    for seed in range(3):
        for number, (game, placed) in enumerate(turns_with_full_racks(rules, seed)):
            seat = (game.to_play + number) % rules.num_players
            if number % 4 > 1:
                continue
            client.post(TABLE, table_of(name, preset, begun(game, placed, seat)))
            state = client.get(f"{TABLE}/table?keys=")
            client.ask("POST", f"{TABLE}/table/advice", {**now(state), "agent": "value"})
            move = game.definition.move_to_text(game.move(int(game.legal_actions()[-1])))
            drawn = client.post(f"{TABLE}/table/draws", {**now(state), "move": move})
            tiles = [tile for tile, _, count in drawn["tiles"] for _ in range(count)][: drawn["number"]]
            client.post(f"{TABLE}/table/move", {**now(state), "move": move, "tiles": tiles})
            both.sides[1].tab.reload()
            client.get(f"{TABLE}/table?keys=")
            seen.add(seat == game.to_play)
    assert len(seen) == min(2, rules.num_players)


@pytest.mark.parametrize("name", ["ingenious", "loopit"])
def test_what_follows_from_a_board(both, name):
    """Is the same when a game has begun as in the true game."""
    page, rules = both.sides[1], definitions()[name].presets["two"].rules
    for game, placed in turns_with_full_racks(rules, 5):
        status, made = page.ask("tables", body=table_of(name, "two", begun(game, placed, game.to_play)))
        assert status == 200
        found = json.loads(page.tab.evaluate(FIELDS, [made["id"], FOLLOWS[name]]))
        for field, values in zip(FOLLOWS[name], found, strict=True):
            expected = getattr(game.state, field)[0].ravel().astype(float)
            assert list(map(float, values)) == expected.tolist(), field


def now(state):
    return {"keys": "", "version": state["version"]}


def overlapping(name, move):
    """Tiles on one of the cells of a tile, each with the cell next to it in one direction."""
    for half in move.split(" ") if name == "ingenious" else ():
        q, r = map(int, half[1:].split(","))
        for x, y in ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)):
            yield f"r{q},{r} r{q + x},{r + y}"


def crowded(name, rack):
    """So many tiles on the board of Loopit for two that three are left for the other seat."""
    definition, free = definitions()[name], [f"{k // 9},{k % 9}" for k in range(81 * (name == "loopit"))]
    tiles = texts_of(rules := definition.presets["two"].rules, definition.tiles(rules))
    others = [tile for tile in tiles if tile not in rack][:-3]
    return [f"{tile}@{square}" for tile, square in zip(others, free, strict=False)]


def wrong_beginnings(name, right):
    """Invalid requests to begin a real table."""
    rack, placed, scores = right["rack"], right["placed"], right["scores"]
    deal = {"seat": 0, "rack": rack, "start": None if name == "ingenious" else placed[0].partition("@")[0]}
    edge, other = ("r9,9 r9,8", "r1,-5 r9,-5") if name == "ingenious" else ("NE1@99,1", "NE99@1,1")
    return [
        *({}, {**deal, "seat": True}, {**deal, "seat": 9}, {**deal, "rack": [1]}, {**deal, "rack": rack[:1]}),
        *({**deal, "rack": ["zz", *rack[1:]]}, {**deal, "start": 3}, {**deal, "start": "it's"}),
        *({**deal, "start": rack[0]}, {**deal, "rack": [rack[0]] * len(rack)}),
        *({**right, **wrong} for wrong in ({"placed": "x"}, {"placed": [3]}, {"placed": ["keep"]})),
        *({**right, "placed": [*placed, move]} for move in (edge, other, "nonsense", placed[0], "NE1@1,1")),
        *({**right, "placed": [*placed, move]} for move in overlapping(name, placed[0])),
        *({**right, "placed": some} for some in ([], placed[:1], placed[1:], placed[-1:], placed[::2])),
        *({**right, "placed": some} for some in (placed * 9, crowded(name, rack))),
        *({**right, "to_play": seat} for seat in (None, True, 7, -1, 1 - right["to_play"])),
        *({**right, "scores": each} for each in (None, [], scores[:1], 3, [True] * 2, [[0.5] * 6] * 2, "x")),
        *({**right, "scores": np.full_like(scores, each).tolist()} for each in (-1, 18, 19, 2**31)),
        *({**right, "rack": some} for some in (rack[1:], [*rack, rack[0]])),
    ]


@pytest.mark.parametrize("name", ["ingenious", "loopit"])
def test_what_begins_no_game_is_refused_with_the_same_words(both, german, name):
    """In both languages; only what no dialog asks for is English in both."""
    found = refused_by(both, name)
    with speaking("de"):
        shared = found & refused_by(german, name)
    assert {each.partition(" must be from ")[0] for each in shared} <= {"seat", "to_play"}


def refused_by(both, name):
    rules, client = definitions()[name].presets["two"].rules, BothClient(both)
    games = list(turns_with_full_racks(rules, 3))
    answers = []
    for game, placed in (games[0], games[1], games[len(games) // 2], games[-1]):
        for wrong in wrong_beginnings(name, begun(game, placed, game.to_play)):
            answers.append(client.ask("POST", TABLE, table_of(name, "two", wrong)))
    sentences = {found["error"] for status, found in answers if status == 422}
    assert len(sentences) > 20
    return sentences


@pytest.mark.parametrize("name", ["ingenious", "loopit"])
def test_the_tiles_of_a_deal(both, name):
    for preset in definitions()[name].presets:
        body = table_of(name, preset, None)
        del body["real"]
        assert both.ask("deal", body=body)[1]["tiles"]
