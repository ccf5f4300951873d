"""Rewards of a step by name, from the scores before and after it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.checks import check_choice
from ingenious_env.engine.ranking import rank_numbers
from ingenious_env.engine.rewards import SeatReward, outcome_by
from ingenious_env.games.loopit.material import MAX_SCORE
from ingenious_env.games.loopit.rules import Rules

Scores = NDArray[np.int32]
"""Int32 [B, T]."""
NAMES = ("outcome", "margin", "score")
HUNDRED = 100.0


def margin(_before: Scores, after: Scores, over: NDArray[np.bool_]) -> NDArray[np.float64]:
    """At the end, the own score less the best other one, in hundreds. Zero-sum for two."""
    others = np.repeat(after[:, None, :].astype(np.float64), after.shape[1], axis=1)
    others[:, np.arange(after.shape[1]), np.arange(after.shape[1])] = -np.inf
    return np.where(over[:, None], (after - others.max(axis=2)) / HUNDRED, 0.0)


def score(before: Scores, after: Scores, _over: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The points of this step."""
    return after.astype(np.float64) - before


def make_reward(rules: Rules, name: str = "outcome", *, collaborative: bool = False) -> SeatReward:
    """The reward of a name.

    Raises:
        ValueError: there is no such reward, or it compares the players so that not all can share it.
    """
    check_choice("reward", name, NAMES)
    if name == "outcome":
        reward, low, high = outcome_by(rank_numbers), -1.0, 1.0
    elif name == "margin":
        reward, low, high = margin, -MAX_SCORE / HUNDRED, MAX_SCORE / HUNDRED
    else:
        reward, low, high = score, 0.0, float(MAX_SCORE)
    return SeatReward(
        rules,
        name,
        reward,
        at_end=name != "score",
        low=low,
        high=high,
        zero_sum=name == "outcome" or (name == "margin" and rules.num_players == 2),
        collaborative=collaborative,
    )
