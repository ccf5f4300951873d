"""Ranks and outcomes against values worked out by hand."""

import numpy as np
import pytest

from ingenious_env.engine.ranking import outcome_of_ranks, rank_numbers


@pytest.mark.parametrize(
    ("numbers", "ranks", "outcomes"),
    [
        ([5], [1], [0]),
        ([5, 7], [2, 1], [-1, 1]),
        ([7, 7], [1, 1], [0, 0]),
        ([3, 9, 6], [3, 1, 2], [-1, 1, 0]),
        ([9, 9, 6], [1, 1, 3], [0.5, 0.5, -1]),
        ([9, 6, 6], [1, 2, 2], [1, -0.5, -0.5]),
        ([1, 4, 2, 4], [4, 1, 3, 1], [-1, 2 / 3, -1 / 3, 2 / 3]),
    ],
)
def test_ranks_and_outcomes(numbers, ranks, outcomes):
    assert rank_numbers(np.array(numbers)).tolist() == ranks
    assert outcome_of_ranks(np.array(ranks)) == pytest.approx(outcomes)


def test_many_games_at_once():
    numbers = np.random.default_rng(0).integers(0, 4, (5, 6, 3))
    ranks = rank_numbers(numbers)
    assert ranks.shape == (5, 6, 3)
    assert all(np.array_equal(ranks[i, j], rank_numbers(numbers[i, j])) for i in range(5) for j in range(6))
    outcomes = outcome_of_ranks(ranks)
    assert outcomes.sum() == pytest.approx(0)
    assert np.array_equal(outcomes[2, 3], outcome_of_ranks(ranks[2, 3]))
