"""A game either has a record that leads exactly to it, or an error, after any operations."""

from __future__ import annotations

import copy
import pickle

import gymnasium as gym
import numpy as np
import pytest
from loopit_helpers import STANDARD

from ingenious_env import Game, GameBatch, Rules, Session, View, ingenious_v0, loopit_v0
from ingenious_env.engine.definition import definition_of, variant_of
from scripts.examples import squares

RULES = {
    "ingenious": Rules(3),
    "open racks": Rules(2, open_racks=True),
    "loopit": STANDARD["three, fixed"],
    "squares": squares.Rules(3),
}


def played(name, actions="flat", moves=9):
    rules = RULES[name]
    game = definition_of(rules).game(rules, (4, 7), actions=actions)
    while len(game.history) < moves and not game.is_over:
        game.play(game.random_action())
    return game


def has_record(game):
    """Return whether it has one, which is then checked to be true."""
    try:
        record = game.record
    except ValueError as error:
        complaint = str(error)
        return complaint.partition(":")[0] != "this game has no record"
    end, flat = record.replay(), GameBatch.from_rows(game.rules, game.state.memory)
    flat.state.held[:] = 0
    assert end == flat[0]
    assert type(record).from_text(record.to_text()) == record
    return True


def reshuffle(game):
    game.reshuffle_hidden(seed=3)


def reshuffle_for_another(game):
    game.reshuffle_hidden(viewer=(game.to_play + 1) % game.rules.num_players, seed=3)


def order_the_bag(game):
    types = list(game.definition.tiles(game.rules))
    game.next_draws([types[number] for number in game._undrawn[-3:]])


def exchange_racks(game):
    seat = (game.to_play + 1) % game.rules.num_players
    other = (seat + 1) % game.rules.num_players
    racks = [None] * game.rules.num_players
    racks[seat], racks[other] = game.racks[other], game.racks[seat]
    game.deal(racks)


def another_deal(game):
    game._batch.deal()


def a_move_behind_its_back(game):
    game._batch.play(game._batch.random_actions())


def a_game_from_elsewhere(game):
    game._batch.put([0], GameBatch(game.rules, 1, 99, staged=game.actions.staged))


CHANGES = [
    reshuffle,
    reshuffle_for_another,
    order_the_bag,
    exchange_racks,
    another_deal,
    a_move_behind_its_back,
    a_game_from_elsewhere,
]


@pytest.mark.parametrize("actions", ["flat", "staged"])
@pytest.mark.parametrize("name", RULES)
def test_what_was_played_has_one(name, actions):
    for moves in range(12):
        game = played(name, actions, moves)
        assert has_record(game)
        with pytest.raises(ValueError, match="illegal"):
            game.play(-7)
        assert has_record(game)
    twins = [game.clone(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    for twin in twins:
        assert has_record(twin)
    game.seed(5)
    assert has_record(game)
    assert game.record.moves == ()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", RULES)
def test_what_was_changed_has_none(name, change):
    for moves in (0, 5):
        game = played(name, moves=moves)
        twin, shallow = game.clone(), copy.copy(game)
        change(game)
        assert not has_record(game)
        assert not has_record(shallow)
        assert not has_record(game.clone())
        assert not has_record(pickle.loads(pickle.dumps(game)))
        assert has_record(twin)
        if not game.is_over:
            game.play(game.random_action())
        assert not has_record(game)
        game.seed(1)
        assert has_record(game)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        (name, field)
        for name, rules in RULES.items()
        for field in variant_of(rules).row_dtype.names
        if field not in {"held", "padding"}
    ],
)
def test_an_edit_of_any_field_is_noticed(name, field):
    game = played(name)
    before = game.clone()
    values = getattr(game.state, field)
    if not values.size:
        return
    index = (0,) * values.ndim
    values[index] ^= values.dtype.type(1)
    assert game != before
    assert not has_record(game)
    values[index] ^= values.dtype.type(1)
    assert has_record(game)


@pytest.mark.parametrize("name", RULES)
def test_what_was_made_of_a_position_has_none(name):
    game = played(name)
    makers = {
        "batch": GameBatch(RULES[name], 2, 4)[1],
        "row": type(game).from_row(game.rules, game.state.memory[0]),
        "very row": type(game).from_row(game.rules, game.state.memory[0], copy=False),
        "view": View.of(game).complete(3)[0],
        "session from a position": Session.from_game(game).game,
    }
    if name != "squares":
        makers["text"] = type(game).from_text(game.to_text())
    for made in makers.values():
        assert not has_record(made)
    with pytest.raises(ValueError, match="no record"):
        Session.from_game(game).record  # noqa: B018
    assert has_record(game)


def test_games_of_environments():
    """They are played past their objects, so that these know no moves."""
    for module in (ingenious_v0, loopit_v0):
        env = module.env(actions="staged")
        env.reset(seed=3)
        game = env.unwrapped.game
        assert has_record(game)
        kept = game.clone()
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        assert not has_record(game)
        assert has_record(kept)
        env.reset()  # the next deal of its stream, which no seed has
        assert not has_record(game)
        env.reset(seed=(3, 1))
        assert has_record(game)
    env = gym.make("ingenious/Versus-v0").unwrapped
    env.reset(seed=3)
    assert not has_record(env.game)


def test_sessions_that_go_back():
    session = Session(Rules(), 3, [definition_of(Rules()).policy("uniform")] * 2)
    for _ in session.run():
        if len(session.turns) == 20:
            session.take_back(7)
            assert has_record(session.game)
            assert session.record.replay() == session.game
            break
    turn = session.advance()
    assert session.record.moves[-1] == turn.move
    assert session.record.replay() == session.game == session.at(14)
    assert has_record(session.at(3))
    assert isinstance(session.game, Game)
