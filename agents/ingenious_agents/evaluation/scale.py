"""A scale with a fixed point: ratings from duels, where some agents' ratings are given.

Model (Bradley and Terry): against an agent whose rating is lower by d, the expected result of a duel is
1 / (1 + 10^(−d / 400)); a win counts 1, a tie ½. The rating of `ANCHOR` is `ANCHOR_RATING` by definition.

The ratings sought are those with which the sum of each agent's results equals the sum of their expectations:
the maximum of the likelihood, and still an estimate without bias where luck is subtracted from results, which
can then lie outside of 0 to 1. Their errors are estimated from the spread between deals, as results of the
same deal are not independent (the "sandwich" estimate of generalised estimating equations).

Letters: G duels, A agents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.ratings import SCALE
from ingenious_agents.evaluation.statistics import Z95

ANCHOR = "greedy"
ANCHOR_RATING = 1000.0
MAX_ROUNDS = 100
CLOSE_ENOUGH = 1e-10  # tolerance, in logarithms of odds
LONGEST_STEP = 2.0  # Newton's method overshoots where the likelihood is flat
UNBOUNDED = 20.0  # logarithm of odds that no number of games bounds
HALF_GAME = 0.5
LEAST_VARIANCE = 0.25
"""Relative to that of independent duels. Where all deals have the same result, their spread says nothing."""


@dataclass(frozen=True)
class Duels:
    """Results of duels.

    Attributes:
        agents: int64 [G, 2], the two agents.
        results: float64 [G], of the first of the two: 1 for a win, ½ for a tie; or the same, luck-adjusted.
        deals: int64 [G], the deal of each.
    """

    agents: NDArray[np.int64]
    results: NDArray[np.float64]
    deals: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of duels."""
        return len(self.results)


@dataclass(frozen=True)
class Place:
    """A place on the scale, with the half-width of its 95 % interval.

    Attributes:
        rating: the rating.
        half_width: infinite where the duels do not bound the rating, which is then that of half a game less.
    """

    rating: float
    half_width: float

    def __str__(self) -> str:
        """Rating and half-width, rounded to whole points."""
        if not np.isfinite(self.half_width):
            return f"{self.rating:z.0f} ± ∞"
        return f"{self.rating:z.0f} ± {self.half_width:.0f}"


def expected(lead: NDArray[np.float64]) -> NDArray[np.float64]:
    """The expected result of a duel, by the lead in rating."""
    return np.asarray(1 / (1 + np.exp(-lead / SCALE)))


def fit(duels: Duels, given: NDArray[np.float64]) -> list[Place]:
    """The ratings of all agents.

    Args:
        duels: of agents numbered from 0 to A − 1.
        given: float64 [A], the fixed ratings, NaN for those to be estimated.

    Raises:
        ValueError: the duels do not bound a rating.
    """
    one, other = duels.agents.T
    free = np.isnan(given)
    logs = np.where(free, np.nanmean(given), given) / SCALE
    is_first, is_second = (np.eye(len(given))[each][:, free] for each in (one, other))
    sign = is_first - is_second  # [G, free agents]
    for _ in range(MAX_ROUNDS):
        chances = expected(SCALE * (logs[one] - logs[other]))
        bend = sign.T @ (sign * (chances * (1 - chances))[:, None])
        step = np.linalg.lstsq(bend, sign.T @ (duels.results - chances), rcond=None)[0]
        longest = np.abs(step).max(initial=0)
        logs[free] += step * min(1.0, LONGEST_STEP / max(longest, CLOSE_ENOUGH))
        if np.abs(logs - np.nanmean(given) / SCALE).max() > UNBOUNDED:
            break
        if longest < CLOSE_ENOUGH:
            return _places(logs, free, sign, duels, given)
    msg = "the duels do not bound a rating: an agent has won or lost all of its own"
    raise ValueError(msg)


def _places(
    logs: NDArray[np.float64],
    free: NDArray[np.bool_],
    sign: NDArray[np.float64],
    duels: Duels,
    given: NDArray[np.float64],
) -> list[Place]:
    """The places of ratings that solve the equations."""
    one, other = duels.agents.T
    chances = expected(SCALE * (logs[one] - logs[other]))
    bend = np.linalg.inv(sign.T @ (sign * (chances * (1 - chances))[:, None]))
    _, of_deal = np.unique(duels.deals, return_inverse=True)
    num_deals = int(of_deal.max()) + 1
    by_deal = np.zeros((num_deals, sign.shape[1]))
    np.add.at(by_deal, of_deal, sign * (duels.results - chances)[:, None])
    spread = bend @ (by_deal.T @ by_deal) @ bend * num_deals / max(1, num_deals - 1)
    variance = np.maximum(np.diag(spread), LEAST_VARIANCE * np.diag(bend))
    ratings, half_widths = given.copy(), np.zeros(len(given))
    ratings[free] = SCALE * logs[free]
    half_widths[free] = SCALE * Z95 * np.sqrt(variance)
    return [Place(*each) for each in zip(ratings.tolist(), half_widths.tolist(), strict=True)]


def place(results: NDArray[np.float64], opponents: NDArray[np.float64], deals: NDArray[np.int64]) -> Place:
    """The place of one agent by its results against agents of given ratings.

    Args:
        results: float64 [G], as in `Duels`.
        opponents: float64 [G], the rating of the opponent.
        deals: int64 [G].
    """
    total, most = float(results.sum()), len(results) - HALF_GAME
    ratings, of_opponent = np.unique(opponents, return_inverse=True)
    agents = np.stack([np.full(len(results), len(ratings)), of_opponent], axis=1)
    given = np.append(ratings, np.nan)
    if HALF_GAME <= total <= most:
        return fit(Duels(agents, results, deals), given)[-1]
    bounded = np.full(len(results), np.clip(total, HALF_GAME, most) / len(results))
    return Place(fit(Duels(agents, bounded, deals), given)[-1].rating, float("inf"))
