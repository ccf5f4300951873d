"""Rewards against figures worked out by hand; the environments' tests see them in games."""

from __future__ import annotations

import numpy as np
import pytest

from ingenious_env import Rules
from ingenious_env.games.ingenious.rewards import make_reward

# Sorted: first 10 12 14, then twice 9 12 14, then 9 12 13, which only differ in the last counter.
BEFORE = np.array([[[10, 12, 13], [9, 2, 14], [14, 9, 12], [1, 9, 12]]], np.int8)
AFTER = np.array([[[10, 12, 14], [9, 12, 14], [14, 9, 12], [13, 9, 12]]], np.int8)
ZERO_SUM = ("outcome", "margin")
OVER, GOES_ON = np.ones(1, np.bool_), np.zeros(1, np.bool_)


def given(name: str, over: np.ndarray = OVER) -> list:
    return make_reward(Rules(4, num_colours=3), name)(BEFORE, AFTER, over)[0].tolist()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("outcome", [1, 0, 0, -1]),
        ("margin", [1 / 18, -1 / 54, -1 / 54, -1 / 54]),
        ("score", [1, 10, 0, 12]),
        ("lowest", [0, 7, 0, 8]),
        ("vector", [[0, 0, 1], [0, 10, 0], [0, 0, 0], [12, 0, 0]]),
    ],
)
def test_what_each_sheet_gets(name, expected):
    assert given(name) == pytest.approx(expected) if name != "vector" else given(name) == expected
    if name in ZERO_SUM:
        assert sum(given(name)) == pytest.approx(0)
        assert not any(given(name, GOES_ON))
    else:
        assert given(name, GOES_ON) == given(name)


def test_lowest_is_not_the_lowest_rise():
    before, after = np.array([[[0, 5, 5]]], np.int8), np.array([[[4, 5, 5]]], np.int8)
    assert make_reward(Rules(1, num_colours=3), "lowest")(before, after, GOES_ON).tolist() == [[4]]


def test_a_long_rise_is_paid_in_full():
    before, after = np.zeros((1, 2, 6), np.int8), np.full((1, 2, 6), 127, np.int8)
    assert make_reward(Rules(counter_top=127), "score")(before, after, GOES_ON).tolist() == [[762, 762]]


def test_two_equal_sheets_share():
    level = np.full((1, 2, 6), 7, np.int8)
    for name in ZERO_SUM:
        assert not make_reward(Rules(), name)(level, level, OVER).any()


def test_partners_get_the_same():
    before = np.zeros((1, 2, 6), np.int8)
    after = before.copy()
    after[0, 1, 2] = 3
    reward = make_reward(Rules.partnership(), "score")(before, after, GOES_ON)
    assert reward.dtype == np.float32
    assert reward.tolist() == [[0, 3, 0, 3]]
    everyone = make_reward(Rules.partnership(), "vector", collaborative=True)(before, after, GOES_ON)
    assert everyone.shape == (1, 4, 6)
    assert (everyone[0] == [0, 0, 3, 0, 0, 0]).all()
