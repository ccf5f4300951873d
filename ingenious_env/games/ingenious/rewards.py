"""Rewards of a step by name, from the counters before and after it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.checks import check_choice
from ingenious_env.engine.rewards import SeatReward, outcome_by
from ingenious_env.games.ingenious.ranking import rank
from ingenious_env.games.ingenious.rules import Rules

Counters = NDArray[np.int8]
"""Int8 [B, T, C]."""


def margin(last: int, _before: Counters, after: Counters, over: NDArray[np.bool_]) -> NDArray[np.float64]:
    """At the end, the own lowest counter less the others' mean, as a share of the last space. Zero-sum."""
    lows = after.min(axis=2).astype(np.float64)
    sheets = lows.shape[1]
    others = (lows.sum(axis=1, keepdims=True) - lows) / max(1, sheets - 1)
    return np.where(over[:, None] & (sheets > 1), (lows - others) / last, 0.0)


def vector(before: Counters, after: Counters, _over: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The rise of each counter in this step, one objective per colour."""
    return after.astype(np.float64) - before


def score(before: Counters, after: Counters, over: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The rise of the counters in this step, summed over colours."""
    return np.asarray(vector(before, after, over).sum(axis=2))


def lowest(before: Counters, after: Counters, _over: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The rise of the lowest counter; over a solitaire game these sum to its result (RULES.md 7.4)."""
    return np.asarray(after.min(axis=2).astype(np.float64) - before.min(axis=2))


STEP_REWARDS: dict[str, Callable[[Counters, Counters, NDArray[np.bool_]], NDArray[np.float64]]] = {
    "score": score,
    "vector": vector,
    "lowest": lowest,
}
NAMES = ("outcome", "margin", *STEP_REWARDS)


def make_reward(rules: Rules, name: str = "outcome", *, collaborative: bool = False) -> SeatReward:
    """The reward of a name.

    Raises:
        ValueError: there is no such reward, or it compares the players so that not all can share it.
    """
    check_choice("reward", name, NAMES)
    if name in STEP_REWARDS:
        shape = (rules.num_colours,) if name == "vector" else ()
        colours = rules.num_colours if name == "score" else 1
        high = float(rules.last_space * colours)
        return SeatReward(
            rules, name, STEP_REWARDS[name], shape=shape, high=high, collaborative=collaborative
        )
    sheet_reward = outcome_by(rank) if name == "outcome" else partial(margin, rules.last_space)
    compares = rules.num_players > 1
    return SeatReward(
        rules, name, sheet_reward, at_end=True, low=-1.0, zero_sum=compares, collaborative=collaborative
    )
