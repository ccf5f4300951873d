"""Hints: legal moves with their places, the best first, from the seat's information only."""

import json
from threading import Event

import numpy as np
import pytest

pytest.importorskip("starlette")

from web_server import playing

from ingenious_env import Game, Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.web.advice import LISTED, advised

GAMES = {
    "two": lambda: Game(Rules(), 4),
    "four": lambda: Game(Rules(4), 4),
    "solitaire": lambda: Game(Rules.solitaire(), 4),
    "loopit": lambda: Loopit(LoopitRules(3), 4),
}


def position(name, moves):
    game = GAMES[name]()
    while moves or game.phase not in ("place", "lay"):
        game.play(game.random_action())
        moves = max(0, moves - 1)
    return game


def hints(game, name="value"):
    return advised(game.definition.policy(name), game, Event())


@pytest.mark.parametrize("name", GAMES)
def test_hints_are_legal_and_the_best_comes_first(name):
    for moves in (0, 3, 12):
        game = position(name, moves)
        found = hints(game)
        assert found["unit"] == ("spaces" if name == "solitaire" else "win")
        assert len(found["list"]) == min(LISTED, len(game.legal_actions()))
        values = [entry["value"] for entry in found["list"]]
        assert values == sorted(values, reverse=True)
        for entry in found["list"]:
            move = game.definition.text_to_move(entry["move"])
            action = game.action(move)
            assert game.legal_mask()[action]
            if isinstance(move, str):
                assert "slot" not in entry
                continue
            after = game.clone()
            after.play(action)
            assert entry["places"] == [list(place) for place in after.trail.tiles[-1]]
            assert list(game.racks[game.to_play][entry["slot"]]) == tile_of(move)
            assert entry["error"] is None


def tile_of(move):
    if isinstance(move[0][0], tuple):
        return sorted(colour for _, colour in move)
    return list(move.tile)


def test_dots_tell_the_rank_of_the_best_move_at_each_place():
    """In Ingenious, where all legal moves are judged: against each move tried separately."""
    game = position("two", 9)
    found = hints(game)
    best = {}
    for rank, entry in enumerate(found["list"]):
        for place in entry["places"]:
            best.setdefault((entry["slot"], *place), rank)
    dots = {tuple(dot[:-1]): dot[-1] for dot in found["dots"]}
    assert best.items() <= dots.items()
    reached = set()
    for action in game.legal_actions():
        slot = game.actions.split_placement(int(action))[0]
        placement = game.actions.placement_of(int(action))
        reached |= {(slot, *place) for place in game.definition.places(game.rules, placement)}
    assert set(dots) == reached
    assert sorted(dots.values())[0] == 0


@pytest.mark.parametrize("name", ["two", "four", "loopit"])
def test_hints_know_what_the_seat_knows(name):
    changed = 0
    for moves in (0, 5, 11, 17):
        game = position(name, moves)
        other = game.clone()
        other.reshuffle_hidden(game.to_play, seed=moves)
        changed += game.racks != other.racks
        assert json.dumps(hints(game)) == json.dumps(hints(other))
    assert changed == 4


def test_an_agent_that_gives_no_advice_tells_what_it_would_play():
    class First:
        def act(self, view):
            return view.legal_mask().argmax(axis=1)

    game = position("two", 4)
    found = advised(First(), game, Event())
    (entry,) = found["list"]
    assert found["unit"] == "choice"
    assert found["dots"] == []
    assert entry["move"] == game.definition.move_to_text(game.move(int(game.legal_actions()[0])))
    assert np.isfinite(entry["value"])


def test_the_route(tmp_path):
    with playing(tmp_path) as client:
        body = {"game": "ingenious", "rules": definition_of(Rules()).rules_to_text(Rules()), "seed": 4}
        made = client.post("/api/tables", {**body, "seats": ["human", "human"]})
        path, (first, second) = f"/api/tables/{made['id']}", made["keys"].values()
        asked = {"keys": first, "version": 0, "agent": "value"}
        found = client.post(f"{path}/advice", asked)
        expected = hints(Game(Rules(), 4))
        assert {name: found[name] for name in expected} == json.loads(json.dumps(expected))
        assert client.get(f"{path}?keys={first}")["hints"]
        for wrong in ({**asked, "version": 1}, {**asked, "keys": second}):
            assert client.ask("POST", f"{path}/advice", wrong)[0] == 409
        for name in ("os.system", "human", ""):
            status, content = client.ask("POST", f"{path}/advice", {**asked, "agent": name})
            assert status == 422
            assert "agent must be one of uniform" in content["error"]
        status, content = client.ask("POST", f"{path}/advice", {**asked, "agent": "planner"})
        assert status == 422
        assert "policy must be one of" in content["error"]
        assert client.ask("POST", f"{path}/advice", {**asked, "keys": "x"})[0] == 403
    with playing(tmp_path) as client:
        assert client.get(f"{path}?keys={first}")["hints"]
