"""A page without a server answers requests as the server does: the same requests to both, equal answers."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from both_sides import plain, same

from ingenious_env import Record, Session
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.engine.definition import definitions
from ingenious_env.policies.greedy import Greedy

PRESETS = [(name, preset) for name in ("ingenious", "loopit") for preset in definitions()[name].presets]
AGENTS = ["uniform", "greedy", "lowest", "concave", "planner", "value"]


def rules_of(game, preset):
    return definitions()[game].presets[preset].rules


def seated(game, preset, seats, seed):
    text = definitions()[game].rules_to_text(rules_of(game, preset))
    return {"game": game, "rules": text, "seats": seats, "seed": seed}


def test_games_and_looks(both):
    (_, served), (_, found) = (side.ask("games") for side in both.sides)
    assert [each["game"] for each in found["games"]] == ["ingenious", "loopit"]
    served["games"] = served["games"][:2]  # tests run before in this process may have registered others
    same(plain(found), plain(served), "games")
    for game, preset in PRESETS:
        _, look = both.ask("look", body={"game": game, "rules": seated(game, preset, [], 0)["rules"]})
        assert look["agents"]


def test_each_agent_that_is_offered_plays(files):
    """On a page without a server an agent needs facts of how it chooses in that game."""
    for about in json.loads(files["data/games.json"]):
        offered = {name for name, presets in about["agents"].items() if presets}
        assert offered == {*about["policies"]}


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_a_game_of_people_and_agents(both, game, preset):
    """Moves, take backs, hints, judgements and the end, at every position the same."""
    rules, rng = rules_of(game, preset), random.Random(f"{game} {preset}")  # noqa: S311 - a test
    definition = definitions()[game]
    agents = [name for name in AGENTS if name in definition.policies]
    seats = ["human", *(rng.choice(agents) for _ in range(rules.num_players - 1))]
    if rules.num_players > 2:
        seats[1] = "human"  # who shares the page
    both.sit_down(seated(game, preset, seats, 11))
    state, asked = both.settled(), 0
    while not state["over"]:
        version, moves = state["version"], legal_texts(both)
        if asked % 6 == 0:
            agent = agents[asked // 6 % len(agents)]
            advice = both.at_table("advice", body={"version": version, "agent": agent})[1]
            assert advice["list"]
            both.at_table("judge", body={"version": version, "move": advice["list"][-1]["move"]})
        if asked % 3 == 1:
            illegal_moves_are_refused(both, version, rng)
        if asked % 9 == 4:
            both.at_table("back", body={"version": version})
            state = both.settled()
            version, moves = state["version"], legal_texts(both)
        if asked % 10 == 7:
            both.at_table(query={"at": rng.randrange(state["total"] + 1)})
            both.at_table("analysis", body={})
            assert both.at_table("record")[0] == both.at_table("replay")[0] == 409
            assert both.at_table("advice", body={"version": version, "agent": "greedy", "at": 0})[0] == 409
        asked += 1
        both.at_table("move", body={"version": version, "move": rng.choice(moves)})
        state = both.settled()
    for number in range(0, state["total"] + 1, 3):
        both.at_table(query={"at": number})
    for number in (*range(0, state["total"], 9), state["total"]):
        asked_for = {"version": state["version"], "agent": agents[number // 9 % len(agents)], "at": number}
        status, advice = both.at_table("advice", body=asked_for)
        assert status == (200 if number < state["total"] else 422)
        assert status == 422 or advice["played"]["move"]
    both.at_table("analysis", body={})
    assert len(both.at_table("replay")[1]["states"]) > state["total"]
    record = both.at_table("record")[1]
    assert Record.from_text(record).replay().is_over
    assert both.ask("read", body={"text": record})[1]["over"]
    both.sit_down({"text": record, "seats": ["human"] * rules.num_players})
    assert both.settled()["over"]


@pytest.mark.parametrize("seed", [20261127, 20261128, 7])
def test_what_agents_reach_in_a_deal(both, seed):
    """Once a solitaire game is over; before that, and with others at the table, it is refused."""
    both.sit_down(seated("ingenious", "solitaire", ["human"], seed))
    assert both.at_table("compared", body={})[0] == 409
    both.sit_down(seated("ingenious", "two", ["greedy", "greedy"], seed))
    both.settled()
    assert both.at_table("compared", body={})[0] == 409
    session = Session(rules_of("ingenious", "solitaire"), seed, [Greedy("concave")])
    for _ in session.run():
        pass
    both.sit_down({"text": session.record.to_text(), "seats": ["human"]})
    status, found = both.at_table("compared", body={})
    assert status == 200
    assert found["result"] == session.game.scores.min()
    assert [each["name"] for each in found["agents"]] == ["level 3", "greedy", "level 7", "value"]


def illegal_moves_are_refused(both, version, rng):
    """Some of each kind, with the same sentences."""
    game = both.sides[0].game(both.tables[0][0])
    definition, actions = game.definition, game.actions
    racks = int((game.state.racks[0, game.to_play] != NO_TILE).sum())
    illegal = np.flatnonzero(game.legal_mask() == 0)
    placements = illegal[illegal < racks * actions.num_placements].tolist()
    choices = illegal[illegal >= actions.first_choice].tolist()
    moves = [definition.move_to_text(game.move(action)) for action in rng.sample(placements, 8) + choices]
    for move in {*moves, *MALFORMED}:
        action = None if move in MALFORMED else game.action(definition.text_to_move(move))
        if action is None or action in illegal:  # of equal tiles another one may be the legal one
            assert both.at_table("move", body={"version": version, "move": move})[0] == 422


MALFORMED = (
    "r0,0",
    "r0,0 x1,0",
    "r0,0 b1,0 g2,0",
    "r9,9 b1,0",
    "r0,0 b3,0",
    "NE5@30,1",
    "N93@0,0",
    "@1,1",
)

NO_KEYS = {"keys": "0" * 32}


def test_what_is_refused(both):
    """With the same status; the sentences may differ."""
    start = seated("ingenious", "two", ["human", "greedy"], 3)
    for path, body in (
        ("tables", {**start, "game": "chess"}),
        ("tables", {**start, "rules": "players=2"}),
        ("tables", {**start, "seats": ["human"]}),
        ("tables", {**start, "seats": ["human", "nobody"]}),
        ("tables", {"text": "ingenious-record 2", "seats": ["human", "human"]}),
        ("look", {"game": "ingenious", "rules": "nothing"}),
        ("read", {"text": ""}),
        ("read", {"text": "ingenious-record 1\nrules players=2\nseed 1 0"}),
        ("read", {"text": f"ingenious-record 1\nrules {start['rules']}\nseed {2**64} 0"}),
        ("read", {"text": f"ingenious-record 1\nrules {start['rules']}\nseed 1 0\nr0,0"}),
        ("read", {"text": f"ingenious-record 1\nrules {start['rules']}\nseed 1 0\nswap"}),
    ):
        assert both.ask(path, body=body)[0] == 422, (path, body)
    assert both.ask("nothing")[0] == 404
    assert both.ask(f"tables/{'0' * 32}", {"keys": ""})[0] == 404
    both.sit_down(start)
    version = both.settled()["version"]
    (move, *_), turn = legal_texts(both), {"version": version}
    for status, what, body in (
        (403, "move", {**turn, **NO_KEYS, "move": move}),
        (403, "analysis", NO_KEYS),
        (409, "move", {"version": version - 1, "move": move}),
        (409, "advice", {"version": version + 1, "agent": "greedy"}),
        (409, "judge", {"version": version + 1, "move": move}),
        (409, "back", {"version": version + 1}),
        (422, "move", {**turn, "move": "nonsense"}),
        (422, "move", {**turn, "move": "swap"}),
        (422, "move", {**turn, "move": away(move)}),
        (422, "judge", {**turn, "move": away(move)}),
        (422, "advice", {**turn, "agent": "nobody"}),
        (422, "advice", {**turn, "agent": "greedy", "at": "x"}),
        (409, "advice", {**turn, "agent": "greedy", "at": 0}),
        (422, "back", turn),
    ):
        assert both.at_table(what, body=body)[0] == status, (what, body)
    assert both.at_table(query={"at": 1})[0] == both.at_table(query={"at": "x"})[0] == 422
    assert both.at_table(query={"at": "0"})[0] == 200
    assert both.at_table("record", query={"at": 0})[0] == 409
    assert both.at_table(query=NO_KEYS)[0] == 403


TYPED = (
    lambda text: text.replace("-", "\u2212"),
    lambda text: text.replace("-", "\u2013"),
    lambda text: "".join(f"> {line}" for line in text.splitlines(keepends=True)),
    lambda text: text.replace(" ", " \t "),
    lambda text: text.replace(" ", "\u00a0"),
    lambda text: text.replace(",", " , "),
    lambda text: text.replace("=", " = "),
)


@pytest.mark.parametrize("game", ["ingenious", "loopit"])
def test_moves_and_records_are_read_as_people_type_them(game, both):
    both.sit_down(seated(game, "two", ["human", "human"], 5))
    for type_ in (*TYPED, str.upper, str.lower):
        state = both.settled()
        move = legal_texts(both)[-1]
        status, after = both.at_table("move", body={"version": state["version"], "move": type_(move)})
        assert (status, after["version"] > state["version"]) == (200, True)
    definition = definitions()[game]
    played = definition.game(definition.presets["two"].rules, (5, 2))
    moves = [played.move(int(played.legal_actions()[-1]))]
    record = Record(played.rules, (5, 2), tuple(moves)).to_text()
    wanted = both.ask("read", body={"text": record})
    assert wanted[0] == 200
    for type_ in TYPED:
        assert both.ask("read", body={"text": type_(record)}) == wanted


def test_a_table_is_deleted(both):
    """By the page of all people at it, and not by another one."""
    both.sit_down(seated("ingenious", "three", ["human", "greedy", "human"], 3))
    both.settled()
    for side, (table, keys) in zip(both.sides, both.tables, strict=True):
        assert side.ask(f"tables/{table}/delete", body={"keys": keys.split(",")[0]})[0] == 403
    assert both.at_table("delete", body=NO_KEYS)[0] == 403
    assert both.at_table()[0] == 200
    assert both.at_table("delete", body={})[1] == {"deleted": True}
    assert both.at_table()[0] == both.at_table("delete", body={})[0] == 404


def away(move):
    """The same tile in the middle, where a first tile may not lie."""
    first, second = (half[0] for half in move.split(" "))
    return f"{first}0,0 {second}1,0"


def legal_texts(both):
    """The moves of the seat to move as text, by the server's table."""
    game = both.sides[0].game(both.tables[0][0])
    return [game.definition.move_to_text(game.move(int(action))) for action in game.legal_actions()]
