"""Fields that count something, compared with a separate count of the moves in whole games."""

import numpy as np
import pytest
from helpers import PRESETS, VARIANTS, mixed_actions

from ingenious_env import GameBatch
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.engine.state import NO_ACTION

GAMES = 32


@pytest.mark.parametrize("name", VARIANTS)
def test_counts_follow_from_the_moves(name):
    rules = VARIANTS[name]
    batch, rng, rows = GameBatch(rules, GAMES, 5), np.random.default_rng(5), np.arange(GAMES)
    state, counts = batch.state, np.array(rules.tile_counts)
    keys, streams = state.policy_key.copy(), state.stream.copy()
    placed, swaps = np.zeros((GAMES, len(counts)), np.int64), np.zeros(GAMES, np.int64)
    while not batch.is_over.all():
        actions = mixed_actions(batch, rng)
        placing = (actions != NO_ACTION) & (actions < batch.actions.keep)
        swapping = (actions == batch.actions.swap) & (rng.random(GAMES) < 0.7)
        actions[(actions == batch.actions.swap) & ~swapping] = batch.actions.keep
        slots = np.where(placing, actions // batch.actions.num_placements, 0)
        tiles = state.racks[rows, batch.to_play, slots]
        np.add.at(placed, (rows[placing], tiles[placing]), 1)
        swaps += swapping
        batch.play(actions)

        on_racks = (state.racks != NO_TILE).sum(axis=(1, 2))
        assert np.array_equal(state.swaps, swaps)
        assert np.array_equal(state.placed, placed.sum(axis=1))
        assert np.array_equal(state.unplaced, counts - placed)
        assert np.array_equal(state.drawn, placed.sum(axis=1) + on_racks)
        assert not state.bag[np.arange(rules.num_tiles) < state.drawn[:, None]].any()
        assert np.array_equal(state.policy_key, keys)
        assert np.array_equal(state.stream != streams, swapping)
        streams = state.stream.copy()
    assert not rules.has_swaps or name not in PRESETS or (swaps > 1).any()
    assert len(set(keys.tolist())) == GAMES
