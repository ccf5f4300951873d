"""Batches: the same games in any number, on any number of threads; copies, resets, playouts, arrays."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest
from loopit_helpers import (
    CORNER,
    FIVE,
    VARIANTS,
    batch_at,
    chi_square,
    every_variant,
    material,
    mixed_actions,
)

from ingenious_env import GameBatch, IllegalActionError, View
from ingenious_env.compiled.threads import Pace
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.games.loopit import LOOPIT, Game, Rules

both_actions = pytest.mark.parametrize("staged", [False, True], ids=["flat", "staged"])


@pytest.fixture(name="shared_calls")
def _shared_calls(monkeypatch):
    """Share all calls, regardless of times; returns the shared calls."""
    calls: list[int] = []
    took_shared = Pace.took_shared

    def noted(pace: Pace, took: int, now: int) -> None:
        calls.append(took)
        took_shared(pace, took, now)

    monkeypatch.setattr(Pace, "shares", lambda _pace, _now: True)
    monkeypatch.setattr(Pace, "took_shared", noted)
    return calls


@every_variant
def test_a_game_is_a_row_of_a_batch(name):
    rules = VARIANTS[name]
    batch = GameBatch(rules, 5, 7)
    games = [Game(rules, (7, index)) for index in range(5)]
    assert games[0] == Game(rules, 7)
    for _ in range(25):
        assert [batch[index] for index in range(5)] == games
        actions = batch.random_actions()
        for game, action in zip(games, actions.tolist(), strict=True):
            if not game.is_over:
                assert game.random_action() == action
                game.play(action)
        batch.play(actions)
    assert batch.is_over.tolist() == [game.is_over for game in games]
    assert batch.scores.tolist() == [game.scores for game in games]
    for game, ranks in zip(games, batch.ranks.tolist(), strict=True):
        assert ranks == (game.ranks.tolist() if game.is_over else [0] * rules.num_players)


@both_actions
@pytest.mark.parametrize("name", ["three, fixed", "19 x 19"])
def test_every_kernel_does_on_two_threads_what_it_does_on_one(shared_calls, name, staged):
    rules, rows = VARIANTS[name], 21
    one, two = (GameBatch(rules, rows, 3, staged=staged, num_threads=threads) for threads in (1, 2))
    assert two == one
    viewers = np.arange(rows) % rules.num_players
    for step in range(40):
        actions = one.random_actions()
        assert np.array_equal(two.random_actions(), actions)
        assert np.array_equal(two.random_actions(by_key=True), one.random_actions(by_key=True))
        assert np.array_equal(two.legal_mask(), one.legal_mask())
        assert np.array_equal(two.observe(viewers=viewers), one.observe(viewers=viewers))
        greedy = [LOOPIT.policy("greedy").act(View(batch)) for batch in (one, two)]
        assert np.array_equal(*greedy)
        for batch in (one, two):
            batch.play(actions, auto_reset=True)
            if step % 20 == 19:
                batch.reshuffle_hidden(viewers, seed=step)
                batch.deal(np.arange(rows) % 5 == 0)
        assert two == one
    assert np.array_equal(two.random_playouts(31), one.random_playouts(31))
    assert len(shared_calls) > 40 * 6


@both_actions
def test_playing_writes_mask_and_observation_in_the_same_pass(staged):
    batch = GameBatch(Rules(3), 6, 0, staged=staged)
    mask = np.full((6, batch.num_actions), 7, np.int8)
    obs = np.full((6, batch.observation_size), 7, np.int8)
    for _ in range(150):
        done = batch.play(batch.random_actions(), auto_reset=True, mask=mask, obs=obs)
        assert done.dtype == np.bool_
        assert np.array_equal(mask, batch.legal_mask())
        assert np.array_equal(obs, batch.observe())
        out = np.full_like(mask, 7)
        assert batch.legal_mask(out) is out
        assert np.array_equal(out, mask)
        seen = np.full_like(obs, 7)
        assert batch.observe(seen, viewers=batch.to_play) is seen
        assert np.array_equal(seen, obs)


@pytest.mark.parametrize("name", ["mask", "obs"])
def test_arrays_to_be_filled_are_checked(name):
    batch = GameBatch(Rules(), 3, 0)
    width = {"mask": batch.num_actions, "obs": batch.observation_size}[name]
    before, actions = batch.clone(), batch.random_actions()
    for bad in (
        np.zeros((3, width), np.uint8),
        np.zeros((2, width), np.int8),
        np.zeros((3, width + 1), np.int8),
    ):
        with pytest.raises(ValueError, match=f"{name} must be"):
            batch.play(actions, **{name: bad})
        assert batch == before


def test_finished_games_wait_or_are_dealt_anew():
    rules = VARIANTS["corner"]
    batch = GameBatch(rules, 16, 1)
    finished, rng = 0, np.random.default_rng(0)
    for _ in range(40):
        actions = mixed_actions(batch, rng)
        waiting = batch.clone()
        done = batch.play(actions, auto_reset=True)
        assert np.array_equal(waiting.play(actions), done)
        assert np.array_equal(waiting.is_over, done)
        assert not batch.is_over[batch.state.placed > 1].any()
        assert np.array_equal(batch.final_scores[done], waiting.scores[done])
        waiting.deal(done)
        assert waiting == batch
        finished += int(done.sum())
    assert finished > 16
    still = GameBatch(rules, 4, 1)
    while not still.is_over.all():
        still.play(still.random_actions())
    before = still.clone()
    assert (still.random_actions() == NO_ACTION).all()
    still.play(np.full(4, NO_ACTION))
    assert still == before


@both_actions
@pytest.mark.parametrize("name", ["three, fixed", "4 x 7"])
def test_copies_have_the_same_future_and_are_independent(name, staged):
    batch = batch_at(VARIANTS[name], 6, 7, staged=staged)
    memory = batch.state.memory.copy()
    copies = [
        batch.clone(),
        pickle.loads(pickle.dumps(batch)),
        batch.take(np.arange(6)),
        batch.take(np.arange(6), np.zeros_like(memory)),
    ]
    game = pickle.loads(pickle.dumps(batch[2]))
    assert game == batch[2] == batch[2].clone()
    for copy in copies:
        assert copy == batch
        for _ in range(12):
            copy.play(copy.random_actions())
    assert np.array_equal(batch.state.memory, memory)
    for _ in range(12):
        batch.play(batch.random_actions())
    assert all(copy == batch for copy in copies)
    some = batch.take(np.array([4, 0, 4]))
    assert [some[row] for row in range(3)] == [batch[4], batch[0], batch[4]]


def test_random_playouts_are_the_same_games_played_at_random():
    for name in ("two", "three, fixed", "few patterns"):
        batch = GameBatch(VARIANTS[name], 40, 5)
        found = batch.random_playouts(40)
        assert np.array_equal(GameBatch(VARIANTS[name], 1, 5).random_playouts(40), found)
        while not batch.is_over.all():
            batch.play(batch.random_actions())
        assert np.array_equal(found, batch.scores)


def test_one_illegal_action_stops_the_whole_batch():
    for threads in (1, 2):
        batch = GameBatch(Rules(), 20, 0, num_threads=threads)
        before, actions = batch.clone(), batch.random_actions()
        actions[[13, 17]] = batch.actions.choice("keep")
        with pytest.raises(IllegalActionError, match="action 847 is illegal in game 13: a rack can only be"):
            batch.play(actions)
        assert batch == before


def test_every_order_of_the_bag_is_equally_likely():
    """Of six distinct tiles: who gets which, which is the start tile, and what comes next."""
    own = material("N1 E2 S3 W4 NS5 EW6", "111 111 111", (1, 1))
    batch = GameBatch(Rules(2, material=own, rack_size=1), 20_000, 2)
    state = batch.state
    start = state.board[:, 4].astype(int) - 1
    found = Counter(
        zip(state.racks[:, 0, 0].tolist(), state.racks[:, 1, 0].tolist(), start.tolist(), strict=True)
    )
    everyone = range(6)
    expected = Counter((a, b, c) for a in everyone for b in everyone for c in everyone if len({a, b, c}) == 3)
    assert chi_square(found, expected) < 6
    later = Counter(state.bag[:, -1].tolist())
    assert chi_square(later, Counter(range(6))) < 6


def test_the_next_game_of_a_row_is_another_one():
    batch = GameBatch(Rules(material=CORNER, rack_size=2), 8, 0)
    before, keys = batch.state.memory.copy(), batch.state.policy_key.copy()
    batch.deal()
    assert (batch.state.memory != before).any(axis=1).all()
    assert (batch.state.policy_key != keys).all()
    assert GameBatch(Rules(material=FIVE, rack_size=2), 8, 0) != batch


def test_a_game_shows_how_it_stands():
    game = Game(Rules(3, fixed_rounds=True), 0)
    assert repr(game) == "<Game: Loopit, 3 players, fixed rounds, turn 0, seat 0 to lay, [0, 0, 0]>"
    assert "free rounds" in repr(Game(seed=0))
