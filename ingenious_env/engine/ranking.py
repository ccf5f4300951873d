"""Ranks of score sheets, and the outcome of a game by rank."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def rank_numbers(numbers: NDArray[Any]) -> NDArray[np.int64]:
    """Ranks, int64 [..., T], by one number per sheet, [..., T]: 1 is the highest, ties share."""
    return np.asarray(1 + (numbers[..., None, :] > numbers[..., :, None]).sum(axis=-1))


def outcome_of_ranks(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Float64 [..., T]: +1 for the first rank to −1 for the last in even steps, ties shared."""
    behind = np.sign(ranks[..., None, :] - ranks[..., :, None]).sum(axis=-1)
    return np.asarray(behind / max(1, ranks.shape[-1] - 1))
