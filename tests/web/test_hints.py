"""Hints: legal moves with their places, the best first, from the seat's information only."""

import json
from dataclasses import replace
from threading import Event

import numpy as np
import pytest

pytest.importorskip("starlette")

from web_server import playing

from ingenious_env import Game, Rules, Session
from ingenious_env.engine.choices import is_private
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


def hints(game, name="value", played=None):
    return advised(game.definition.policy(name), game, Event(), played)


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


@pytest.mark.parametrize("name", GAMES)
def test_the_move_that_was_played_has_its_rank_and_its_value(name):
    """Each legal action: in the list as its entry there, and after it."""
    game = position(name, 3)
    found = hints(game)
    ranks = []
    for action in game.legal_actions().tolist():
        *_, (last, played) = hints(game, played=action).items()
        assert last == "played"
        assert played["move"] == game.definition.move_to_text(game.move(action))
        ranks.append(played.pop("rank"))
        if ranks[-1] < len(found["list"]):
            assert played == found["list"][ranks[-1]]
        else:
            assert played["value"] <= found["list"][-1]["value"]
            assert played["places"]
    assert sorted(ranks) == list(range(len(ranks)))
    assert len(ranks) > LISTED or name in ("solitaire", "loopit")


def test_a_played_move_that_the_agent_does_not_list_has_no_value():
    game = position("two", 4)
    first, other = game.legal_actions().tolist()[:2]

    class First:
        def act(self, view):
            return np.array([first])

    found = advised(First(), game, Event(), other)["played"]
    assert (found["rank"], found["value"], found["error"]) == (None, None, None)
    assert found["move"] == game.definition.move_to_text(game.move(other))
    assert found["places"]


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


# Reviews.


def over(rules, seed=4):
    """A game of weak players."""
    session = Session(rules, seed, [definition_of(rules).policy("uniform")] * rules.num_players)
    for _ in session.run():
        pass
    return session


def opened(client, text, seats):
    """The path of a table with a text, and the keys of its people."""
    made = client.post("/api/tables", {"text": text, "seats": seats})
    return f"/api/tables/{made['id']}", ",".join(made["keys"].values())


REVIEWED = {"two": Rules(), "solitaire": Rules.solitaire(), "loopit": LoopitRules(2)}


@pytest.mark.parametrize("name", REVIEWED)
@pytest.mark.parametrize("seat", ["human", "uniform"])
def test_hints_at_each_position_of_a_game_that_is_over(client, name, seat):
    """Those of the seat to move there, with the move that was played; the table stays without hints."""
    session = over(REVIEWED[name])
    path, keys = opened(client, session.record.to_text(), [seat] * session.rules.num_players)
    state = client.get(f"{path}?keys={keys}")
    asked = {"keys": keys, "version": state["version"], "agent": "value"}
    for at in range(0, state["total"], 5):
        number = turns_before(session, at)
        turn = session.turns[number]
        found = client.post(f"{path}/advice", {**asked, "at": at})
        assert found["at"] == at
        assert found["played"]["move"] == session.game.definition.move_to_text(turn.move)
        expected = json.loads(json.dumps(hints(session.at(number), played=turn.action)))
        assert {key: found[key] for key in expected} == expected
    assert not client.get(f"{path}?keys={keys}")["hints"]
    for at, words in (
        (state["total"], "the game is over"),
        (state["total"] + 1, "so at is"),
        (-1, "so at is"),
    ):
        status, content = client.ask("POST", f"{path}/advice", {**asked, "at": at})
        assert (status, words in content["error"]) == (422, True)
    assert client.ask("POST", f"{path}/advice", asked)[0] == 409
    if seat == "human":
        status, content = client.ask(
            "POST", f"{path}/advice", {**asked, "version": state["version"] + 1, "at": 1}
        )
        assert (status, content["version"]) == (409, state["version"])
        assert client.ask("POST", f"{path}/advice", {**asked, "keys": "x", "at": 1})[0] == 403


def turns_before(session, at):
    """The number of turns before the next move that others see, after a number of these."""
    choices = session.game.definition.choices
    public = [n for n, turn in enumerate(session.turns) if not is_private(choices, turn.move)]
    return public[at]


@pytest.mark.parametrize("rules", [Rules(), Rules.solitaire(), LoopitRules(3)], ids=str)
def test_no_hints_at_earlier_positions_before_the_end(client, rules):
    """Neither of another seat's turn, nor of the own one."""
    session = over(rules)
    text = replace(session.record, moves=session.record.moves[:7]).to_text()
    path, keys = opened(client, text, ["human"] * rules.num_players)
    state = client.get(f"{path}?keys={keys}")
    asked = {"keys": keys, "version": state["version"], "agent": "value"}
    for at in range(state["total"] + 1):
        status, content = client.ask("POST", f"{path}/advice", {**asked, "at": at})
        assert (status, content) == (
            409,
            {"error": "there are hints for earlier moves once the game is over"},
        )
    assert not client.get(f"{path}?keys={keys}")["hints"]
    assert client.post(f"{path}/advice", asked)["list"]


@pytest.mark.parametrize("name", ["two", "four", "loopit"])
def test_hints_of_a_review_know_what_the_seat_knew(client, name):
    """Two games that the seat to move could not tell apart then."""
    game = position(name, 9)
    other = game.clone()
    other.reshuffle_hidden(game.to_play, seed=3)
    assert game.racks != other.racks
    found = []
    for each in (game, other):
        path, _ = opened(client, each.to_text(), ["uniform"] * game.rules.num_players)
        asked = {"keys": "", "version": 0, "agent": "value", "at": 0}
        answer = client.post(f"{path}/advice", asked)
        found.append({key: answer[key] for key in ("list", "dots", "unit")})
    assert found[0]["list"]
    assert found[0] == found[1]


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
