"""Rewards of each seat, made from a function of the score sheets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.ranking import outcome_of_ranks

SheetReward = Callable[[NDArray[Any], NDArray[Any], NDArray[np.bool_]], NDArray[np.float64]]
"""The reward of each sheet, [B, T, *shape], from the scores before and after a step, and `over`, bool [B]."""


class SeatReward:
    """The reward of each seat for a step; partners share a sheet, and so a reward.

    Args:
        rules: the variant.
        name: the value of the environments' option `reward`.
        sheet_reward: the reward of each sheet.
        shape: of one seat's reward, [] for a number.
        at_end: whether all get 0 until the game is over; such a reward compares the players.
        low, high: bounds of the reward of a sheet for one step.
        zero_sum: whether the rewards of all seats sum to 0.
        collaborative: all seats get the sum over all sheets.

    Attributes:
        name, shape, at_end, zero_sum: as given.
        low, high: bounds of the reward of a seat for one step.

    Raises:
        ValueError: the reward compares the players, so that not all can share it.
    """

    def __init__(
        self,
        rules: AnyRules,
        name: str,
        sheet_reward: SheetReward,
        *,
        shape: tuple[int, ...] = (),
        at_end: bool = False,
        low: float = 0.0,
        high: float = 1.0,
        zero_sum: bool = False,
        collaborative: bool = False,
    ) -> None:
        if collaborative and at_end:
            msg = f"a collaborative reward cannot be {name!r}, which compares the players"
            raise ValueError(msg)
        self.name = name
        self.shape = shape
        self.at_end = at_end
        self.zero_sum = zero_sum
        sheets = rules.num_sheets if collaborative else 1
        self.low, self.high = low * sheets, high * sheets
        self._collaborative = collaborative
        self._sheet_reward = sheet_reward
        self._sheet_of_seat = np.array([rules.sheet_of(seat) for seat in range(rules.num_players)])

    def __call__(
        self, before: NDArray[Any], after: NDArray[Any], over: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Float32 [B, P, *shape] from the scores, [B, T, …], and the games that ended, bool [B]."""
        if self.at_end and not over.any():
            return np.zeros((len(over), len(self._sheet_of_seat), *self.shape), np.float32)
        per_sheet = self._sheet_reward(before, after, over)
        if self._collaborative:
            per_sheet = np.broadcast_to(per_sheet.sum(axis=1, keepdims=True), per_sheet.shape)
        return per_sheet[:, self._sheet_of_seat].astype(np.float32)


def outcome_by(rank: Callable[[NDArray[Any]], NDArray[np.int64]]) -> SheetReward:
    """At the end, from +1 for the first to −1 for the last in even steps, ties shared. Zero-sum."""
    return partial(_outcome, rank)  # unlike a closure, it can be pickled


def _outcome(
    rank: Callable[[NDArray[Any]], NDArray[np.int64]],
    _before: NDArray[Any],
    after: NDArray[Any],
    over: NDArray[np.bool_],
) -> NDArray[np.float64]:
    rewards = np.zeros(after.shape[:2])
    rewards[over] = outcome_of_ranks(rank(after[over]))
    return rewards
