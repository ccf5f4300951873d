"""Utilities of the counters, for greedy players and search."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.definition import MOST_VARIANTS
from ingenious_env.games.ingenious.rules import Rules


@lru_cache(MOST_VARIANTS)
def points(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: its number."""
    return np.arange(rules.last_space + 1, dtype=np.float64)


@lru_cache(MOST_VARIANTS)
def concave(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: each adds less than the one before."""
    concavity = CONCAVITY[min(rules.num_players, len(CONCAVITY)) - 1]
    return np.asarray(-np.exp(-concavity * points(rules)))


@lru_cache(MOST_VARIANTS)
def lowest(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: a step outweighs all steps above it.

    Of two score sheets the one with more value is ahead, lowest counters first (RULES.md 7.3): a counter that
    stands one space lower outweighs all others. Exact within 18 spaces, where floats keep every step.
    """
    return np.asarray(-((rules.num_colours + 1.0) ** (rules.last_space - points(rules))))


CONCAVITY = (0.5, 0.12, 0.03, 0.015)
"""By the number of players, tuned against the other utilities; with more players a game is shorter."""
UTILITIES = {"points": points, "lowest": lowest, "concave": concave}
"""Rising concave values, which the compiled search for the best placement requires."""

SLOPES = (3.2, 4.5, 8.0)
"""By the number of sheets from 2 on: the log-odds of a win for a lead of 1 in concave value.

Fitted to greedy play by logistic regression, over the middle of the game.
"""
