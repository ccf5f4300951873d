"""Utilities of the scores, for greedy players and search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ingenious_env.games.loopit.rules import Rules


def points(_rules: Rules) -> NDArray[np.float64]:
    """Float64 [0]: a score needs no parameters."""
    return np.zeros(0)


UTILITIES = {"points": points}
SLOPES = (3.2, 3.9, 3.4)
"""By the number of players from 2 on: the log-odds of a win for a lead of a hundred points.

Fitted to greedy play by maximum likelihood, over the middle of the game.
"""
