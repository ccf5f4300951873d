"""Ranks of score sheets: the lowest counters are compared first, then the next lowest (RULES.md 7.3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.ranking import rank_numbers
from ingenious_env.games.ingenious.tiles import MAX_COLOURS

_PLACES = 128 ** np.arange(MAX_COLOURS)[::-1]
"""Int64: a counter is below 128, so that the ascending counters of a sheet are the digits of a number."""


def worth(scores: NDArray[np.int8]) -> NDArray[np.int64]:
    """Int64 [..., T] from counters [..., T, C]: higher for the better of two sheets, the same for equals."""
    return np.asarray(np.sort(scores, axis=-1) @ _PLACES[-scores.shape[-1] :])


def rank(scores: NDArray[np.int8]) -> NDArray[np.int64]:
    """Ranks of sheets, int64 [..., T], from counters [..., T, C]: 1 is best, ties share."""
    return rank_numbers(worth(scores))
