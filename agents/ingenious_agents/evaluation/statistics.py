"""Means of results with 95 % intervals: shares of wins, clustered by deals, and luck-adjusted results.

Letters: G games.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.tables import Number

Z95 = 1.959963984540054  # half-width of a 95 % interval in standard deviations
T95_TERMS = (
    (Z95**3 + Z95) / 4,
    (5 * Z95**5 + 16 * Z95**3 + 3 * Z95) / 96,
    (3 * Z95**7 + 19 * Z95**5 + 17 * Z95**3 - 15 * Z95) / 384,
)
"""Coefficients of powers of the inverse degrees of freedom in Student's quantile, by Cornish and Fisher."""
ROUNDING = 1e-15  # above the rounding error of a variance of 0, far below the effect of one deal
FOLDS = 10
MIN_DEALS = 20
"""Deals from which on luck is subtracted; its effect cannot be estimated from fewer."""


def t95(freedom: int) -> float:
    """The 97.5 % quantile of Student's t, within 4 % for 2 degrees of freedom and 1 % for 3 or more."""
    return Z95 + sum(term / float(freedom) ** power for power, term in enumerate(T95_TERMS, 1))


def wilson(share: float, trials: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of successes; within [0, 1], and containing the share."""
    shrink = 1 + Z95**2 / trials
    middle = (share + Z95**2 / (2 * trials)) / shrink
    half = Z95 * sqrt(share * (1 - share) / trials + Z95**2 / (4 * trials**2)) / shrink
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))  # against rounding


@dataclass(frozen=True)
class Share:
    """A share of wins with its 95 % interval and its number of games."""

    mean: float
    low: float
    high: float
    games: int

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        """Mean and interval in percent."""
        return f"{self.mean:.1%} [{self.low:.1%}, {self.high:.1%}]"

    def numbers(self, name: str) -> dict[str, Number]:
        """Mean and interval by names that begin with this one."""
        return {name: self.mean, f"{name}_low": self.low, f"{name}_high": self.high}


def share_by_deals(
    results: NDArray[np.float64], deals: NDArray[np.int64], groups: NDArray[np.int64] | None = None
) -> Share:
    """The mean of results clustered by deal, with its interval.

    The interval is Wilson's for the effective number of independent games: the number that gives the variance
    estimated from the spread between deals, or the number of games if all deals have the same result.

    Args:
        results: float64 [G], whose expectation is from 0 to 1.
        deals: int64 [G], the deal of each game.
        groups: int64 [G], the group of each game; groups have equal weights, regardless of their
            numbers of games. One group by default.
    """
    _, of_deal = np.unique(deals, return_inverse=True)
    of_group, weights = evenly(np.zeros_like(deals) if groups is None else groups)
    means = np.bincount(of_group, results) / np.bincount(of_group)
    mean, num_deals = min(1.0, max(0.0, float(means.mean()))), int(of_deal.max()) + 1
    off_mean = np.bincount(of_deal, weights * (results - means[of_group]))
    variance = float((off_mean**2).sum()) * num_deals / max(1, num_deals - 1)
    trials = 1 / float((weights**2).sum())
    if variance > ROUNDING:
        trials = min(mean * (1 - mean) / variance, 4.0 * trials)
    low, high = wilson(mean, max(1.0, trials))
    return Share(mean, low, high, len(results))


def evenly(groups: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Groups numbered from 0, [G], and weights of games, [G], equal in sum for each group and 1 in total."""
    _, of_group, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    return of_group, 1 / (len(sizes) * sizes)[of_group]


def came_before(mine: NDArray[np.int64], its: NDArray[np.int64]) -> NDArray[np.float64]:
    """1 where the first of two contestants ranks before the other, ½ where they tie; float64 [G]."""
    return np.asarray((np.sign(its - mine) + 1) / 2)


def luck_adjusted(
    results: NDArray[Any], luck: NDArray[np.float64], deals: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Results less the part that luck explains, float64 [G]; their expectation is the same.

    The part is proportional to luck, whose expectation is 0. The factor for a game is the slope of the
    regression line of other deals' results on their luck: deals are divided into `FOLDS` parts, and those of
    one part do not determine their own factor, which would be a bias. With fewer than `MIN_DEALS` deals
    nothing is subtracted.

    Args:
        results: [G].
        luck: float64 [G].
        deals: int64 [G], the deal of each game.
    """
    found = results.astype(np.float64)
    _, of_deal = np.unique(deals, return_inverse=True)
    if of_deal.max(initial=-1) + 1 < MIN_DEALS:
        return found
    for fold in range(FOLDS):
        inside = of_deal % FOLDS == fold
        others = luck[~inside] - luck[~inside].mean()
        spread = float((others**2).sum())
        if spread > ROUNDING:
            found[inside] -= float((others * results[~inside]).sum()) / spread * luck[inside]
    return found
