"""Reproducible random numbers of policies: hashes of the keys of games and of actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.rng import GOLDEN, mix

HALF = 0.5 / 2.0**53


def words(keys: NDArray[np.uint64], actions: NDArray[np.integer[Any]]) -> NDArray[np.uint64]:
    """Uint64, of the shape of both broadcast: a hash of each key and action."""
    with np.errstate(over="ignore"):
        found: NDArray[np.uint64] = mix.py_func(keys + (actions.astype(np.uint64) + np.uint64(1)) * GOLDEN)
    return found


def fractions(words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Float64 in [0, 1), of the same shape."""
    return np.asarray((words >> np.uint64(11)) / 2.0**53)


def noise(
    keys: NDArray[np.uint64], others: NDArray[np.integer[Any]], actions: NDArray[np.integer[Any]]
) -> NDArray[np.float64]:
    """Float64 [B, K]: noise of Gumbel's distribution, with which the highest sum is a draw by a softmax.

    Args:
        keys: uint64 [B], of the games.
        others: integers [B], a random action of each, which differs from turn to turn.
        actions: integers [B, K].
    """
    values = fractions(words(words(keys, others)[:, None], actions)) + HALF  # above 0
    return np.asarray(-np.log(-np.log(values)))
