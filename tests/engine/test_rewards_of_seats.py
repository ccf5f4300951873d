"""Rewards of seats from those of sheets."""

import numpy as np
import pytest

from ingenious_env import Rules
from ingenious_env.engine.rewards import SeatReward


def gains(before, after, _over):
    return after - before


@pytest.mark.parametrize(("rules", "sheets"), [(Rules(3), 3), (Rules.partnership(), 2)])
def test_shared_rewards_are_sums_over_sheets_and_so_are_their_bounds(rules, sheets):
    own = SeatReward(rules, "gains", gains, low=-2.0, high=3.0)
    shared = SeatReward(rules, "gains", gains, low=-2.0, high=3.0, collaborative=True)
    assert (own.low, own.high) == (-2, 3)
    assert (shared.low, shared.high) == (-2 * sheets, 3 * sheets)
    before, after = np.zeros((1, sheets)), np.arange(1.0, sheets + 1)[None]
    over = np.zeros(1, bool)
    seats = rules.num_players
    assert own(before, after, over).tolist() == [[1.0 + rules.sheet_of(seat) for seat in range(seats)]]
    assert shared(before, after, over).tolist() == [[after.sum()] * seats]
