"""Rewards by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ingenious_env.games.loopit import Rules
from ingenious_env.games.loopit.rewards import make_reward

BEFORE = np.array([[90, 140, 120, 30]], np.int32)
AFTER = np.array([[100, 140, 140, 30]], np.int32)
OVER, GOES_ON = np.ones(1, np.bool_), np.zeros(1, np.bool_)


def given(name: str, over: np.ndarray = OVER, before: np.ndarray = BEFORE, **options) -> list:
    return make_reward(Rules(before.shape[1]), name, **options)(before, AFTER[:, : before.shape[1]], over)[
        0
    ].tolist()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # ranks 3, 1, 1, 4: players ranked lower less players ranked higher, over three
        ("outcome", [-1 / 3, 2 / 3, 2 / 3, -1]),
        ("margin", [-0.4, 0, 0, -1.1]),
        ("score", [10, 0, 20, 0]),
    ],
)
def test_what_each_player_gets(name, expected):
    assert given(name) == pytest.approx(expected)
    if name == "score":
        assert given(name, GOES_ON) == given(name)
    else:
        assert not any(given(name, GOES_ON))


def test_two_players():
    assert given("outcome", before=BEFORE[:, :2]) == [-1, 1]
    assert given("margin", before=BEFORE[:, :2]) == pytest.approx([-0.4, 0.4])


def test_collaborative():
    assert given("score", collaborative=True) == [30, 30, 30, 30]
    for name in ("outcome", "margin"):
        with pytest.raises(ValueError, match="cannot be"):
            given(name, collaborative=True)


def test_ranges():
    for name, low, high in (("outcome", -1, 1), ("margin", -127.99, 127.99), ("score", 0, 12_799)):
        reward = make_reward(Rules(), name)
        assert (reward.low, reward.high) == pytest.approx((low, high))
    with pytest.raises(ValueError, match="reward must be one of outcome, margin, score"):
        make_reward(Rules(), "gold")
