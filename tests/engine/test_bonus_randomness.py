"""Random actions within one turn: each decision has its own random word."""

import numpy as np

from ingenious_env import GameBatch, Rules


def test_random_placements_of_one_turn_do_not_hang_together():
    """The relative position of one pick among the legal actions is independent of the next."""
    batch = GameBatch(Rules(2, board_side=6, num_colours=3, rack_size=5), 1, 4)
    while batch.state.turn[0] < 2:
        batch.play(batch.random_actions())
    crowd = GameBatch.from_rows(batch.rules, np.repeat(batch.state.memory, 20_000, axis=0))
    crowd.state.stream[:] = np.random.default_rng(1).integers(0, 2**63, len(crowd), dtype=np.uint64)
    crowd.state.plays_left[:] = 3
    rows, places = np.arange(len(crowd)), []
    for _ in range(3):
        order, actions = crowd.legal_mask().cumsum(axis=1, dtype=np.int64), crowd.random_actions()
        places.append(order[rows, actions] / order[:, -1])
        assert (crowd.state.turn == 2).all()
        crowd.play(actions)
    correlations = np.corrcoef(places)[np.triu_indices(3, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(len(crowd))
