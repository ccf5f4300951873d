"""Where an argument may be left out, 0 is a distinct value: seats, seeds, indices, numbers of moves."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest
from loopit_helpers import STANDARD

import ingenious_env  # noqa: F401 - registers the environments
from ingenious_env import GameBatch, Rules, Session, View, ingenious_v0, loopit_v0
from ingenious_env.engine.definition import definition_of

RULES = {"ingenious": Rules(3), "loopit": STANDARD["three, fixed"]}
games = pytest.mark.parametrize("name", RULES)


def another_to_move(name, seed=4):
    """A game in which seat 1 is to move."""
    rules = RULES[name]
    game = definition_of(rules).game(rules, seed)
    while game.to_play != 1:
        game.play(game.random_action())
    return game


@games
def test_seat_0(name):
    game = another_to_move(name)
    rules, definition = game.rules, game.definition
    seats = np.arange(rules.num_players)
    batch = GameBatch.from_rows(rules, np.repeat(game.state.memory, rules.num_players, axis=0))
    for seat, vector in enumerate(batch.observe(viewers=seats)):
        assert np.array_equal(game.observe(seat), vector)
        assert np.array_equal(
            GameBatch.from_rows(rules, game.state.memory).observe(viewers=[seat])[0], vector
        )
    assert not np.array_equal(game.observe(0), game.observe())
    assert np.array_equal(game.observe(), game.observe(1))
    for draw in (definition.draw_text, definition.draw_svg):
        drawn = [draw(game, viewer=viewer) for viewer in (0, 1, None)]
        assert len(set(drawn)) == 3
    assert game.unseen(0) != game.unseen(1)
    for seat in seats.tolist():
        twin, rows = game.clone(), batch.clone()
        twin.reshuffle_hidden(seat, 5)
        assert twin.racks[seat] == game.racks[seat]
        assert all(twin.racks[other] != game.racks[other] for other in seats.tolist() if other != seat)
        rows.reshuffle_hidden(np.full(len(batch), seat), 5)
        assert twin == rows[0]
        assert np.array_equal(twin.observe(seat), game.observe(seat))
    twin, default = game.clone(), game.clone()
    twin.reshuffle_hidden(1, 5)
    default.reshuffle_hidden(seed=5)
    assert twin == default


@games
def test_seed_0_and_index_0(name):
    rules = RULES[name]
    make = definition_of(rules).game
    assert make(rules, 0) == make(rules, (0, 0)) == GameBatch(rules, 2, 0)[0]
    assert make(rules, 0) != make(rules, (0, 1))
    game = make(rules, 7)
    game.seed(0)
    assert game == make(rules, 0)
    batch = GameBatch(rules, 2, 7)
    batch.seed(0)
    assert batch == GameBatch(rules, 2, 0)
    assert np.array_equal(batch.random_playouts(2, seed=0), GameBatch(rules, 1, 9).random_playouts(2, seed=0))
    twins = [make(rules, 7), make(rules, 7)]
    for twin in twins:
        twin.reshuffle_hidden(seed=0)
    assert twins[0] == twins[1]
    assert View.of(game).complete(0) == View.of(game).complete() != View.of(game).complete(1)
    session = Session(rules, 0)
    assert session.game == make(rules, 0)
    assert session.record.seed == (0, 0)
    env = (loopit_v0 if name == "loopit" else ingenious_v0).env(rules=rules)
    for _ in range(2):
        env.reset(seed=0)
        assert env.unwrapped.game == make(rules, 0)
    env_id = "ingenious/Loopit-v0" if name == "loopit" else "ingenious/Versus-v0"
    for seat in range(rules.num_players):
        one = gym.make(env_id, rules=rules, seat=seat, disable_env_checker=True).unwrapped
        many = gym.make_vec(env_id, 3, rules=rules, seat=seat, vectorization_mode="vector_entry_point")
        for index in (0, 2):
            one.reset(seed=0, options={"index": index})
            many.reset(seed=0)
            assert one.seat == seat
            assert many.unwrapped.seats.tolist() == [seat] * 3
            assert one.game == many.unwrapped.episodes.batch[index]
        if seat == 0:
            one.reset(seed=0)
            assert one.game == make(rules, 0)


@games
def test_no_moves(name):
    rules = RULES[name]
    session = Session(rules, 3, [definition_of(rules).policy("uniform")] * 3)
    for _ in range(5):
        session.advance()
    assert session.at(0) == session.record.replay(0) == definition_of(rules).game(rules, 3)
    assert session.at(0) != session.game == session.record.replay(None) == session.record.replay()
    with pytest.raises(ValueError, match="number must be from 1"):
        session.take_back(0)
    assert len(session.turns) == 5


@games
def test_rows_from_the_end(name):
    """As in a list: from −B to B − 1."""
    batch = GameBatch(RULES[name], 3, 1)
    assert [batch[index] for index in (-3, -2, -1)] == [batch[index] for index in range(3)]
    for index in (-4, 3):
        with pytest.raises(IndexError, match="the batch has games 0 to 2"):
            batch[index]


@games
def test_a_view_of_one_game_is_a_copy(name):
    game = another_to_move(name)
    view = View.of(game)
    seen, mask, seats = view.observe(), view.legal_mask(), view.seats
    game.play(game.random_action())
    game.reshuffle_hidden(seed=1)
    for then, now in ((seen, view.observe()), (mask, view.legal_mask()), (seats, view.seats)):
        assert np.array_equal(then, now)
