"""Ranks and the worth of sheets against the reference's, wherever counters may stand (RULES.md 7.3)."""

from __future__ import annotations

import numpy as np
import pytest
import reference

from ingenious_env.games.ingenious.ranking import rank, worth


@pytest.mark.parametrize("num_colours", [2, 3, 6])
@pytest.mark.parametrize("last_space", [2, 18, 127])
def test_ranks_are_the_reference_s(num_colours, last_space):
    generator = np.random.default_rng(0)
    scores = generator.integers(0, last_space + 1, (500, 4, num_colours)).astype(np.int8)
    scores[::5, 1] = scores[::5, 0][:, ::-1]  # the same counters, of other colours
    scores[1::5, :, 0] = 0  # to be decided by the next lowest
    assert rank(scores).tolist() == [reference.rank(sheets.tolist()) for sheets in scores]


def test_a_lower_counter_outweighs_all_higher_ones():
    scores = np.array([[1, 1, 1, 1, 1, 1], [127, 0, 127, 127, 127, 127]], np.int8)
    assert rank(scores).tolist() == [1, 2]
    assert worth(scores)[0] > worth(scores)[1]


def test_sheets_of_the_same_counters_are_worth_the_same():
    scores = np.array([[3, 1, 2], [2, 3, 1], [1, 1, 3]], np.int8)
    assert worth(scores)[0] == worth(scores)[1] > worth(scores)[2]
    assert rank(scores).tolist() == [1, 1, 3]
