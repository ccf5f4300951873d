"""Ratings: one number an agent, from games of two or more, and how sure it is.

The model is Plackett and Luce's, for two contestants that of Bradley and Terry: of those still in the
running, each takes the next place with a chance in proportion to its strength. Ratings are strengths on the
scale that chess players know, 400 for ten times the strength, and their mean is 0.

Letters: G games, T contestants of a game (its sheets), A agents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

SCALE = 400 / np.log(10)
PRIOR_GAMES = 1.0
"""Drawn games that each agent is given against one of rating 0, or who won all would be rated infinite."""
CLOSE_ENOUGH = 1e-9  # in logarithms of strengths
LONGEST_STEP = 2.0  # for Newton's method overshoots where the likelihood is flat
MOST_ROUNDS = 100


@dataclass(frozen=True)
class Ratings:
    """Ratings with 95 % intervals, float64 [A] each.

    Attributes:
        ratings: the ratings; their mean is 0.
        low: where the intervals begin.
        high: where they end.
    """

    ratings: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def rate(
    contestants: NDArray[np.int64],
    ranks: NDArray[np.int64],
    deals: NDArray[np.int64],
    num_agents: int,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> Ratings:
    """Rate agents, with intervals from resampling whole deals: games of the same deal are not independent.

    Args:
        contestants: int64 [G, T], the agent that had each sheet.
        ranks: int64 [G, T], where it came; 1 is best, ties share.
        deals: int64 [G], the same number for games of the same deal.
        num_agents: A.
        resamples: how many times all deals are drawn again, with repeats.
        seed: of these draws.
    """
    orders, games, shares = finishing_orders(contestants, ranks)
    _, deals = np.unique(deals, return_inverse=True)
    num_deals = int(deals.max()) + 1
    distinct, which = np.unique(orders, axis=0, return_inverse=True)
    which = which.reshape(-1)
    generator = np.random.default_rng(seed)

    def once(times_drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        weights = np.bincount(which, times_drawn[deals[games]] * shares, minlength=len(distinct))
        return strengths(distinct, weights, num_agents)

    middle = once(np.ones(num_deals))
    drawn = generator.multinomial(num_deals, np.full(num_deals, 1 / num_deals), size=resamples)
    again = np.array([once(times.astype(np.float64)) for times in drawn])
    low, high = np.percentile(again, [2.5, 97.5], axis=0)
    return Ratings(SCALE * middle, SCALE * low, SCALE * high)


def finishing_orders(
    contestants: NDArray[np.int64], ranks: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Agents from first to last, int64 [L, T], the game of each order, [L], and its share of the game, [L].

    A game without ties has one order. Contestants who tie could have come in any order among themselves: each
    is as likely.
    """
    orders, games, shares = [], [], []
    for game, (agents, places) in enumerate(zip(contestants.tolist(), ranks.tolist(), strict=True)):
        ways = list(_untied(agents, places))
        orders += ways
        games += [game] * len(ways)
        shares += [1 / len(ways)] * len(ways)
    return np.array(orders), np.array(games), np.array(shares)


def _untied(agents: list[int], places: list[int]) -> Iterator[list[int]]:
    tied = [
        [agent for agent, other in zip(agents, places, strict=True) if other == place]
        for place in sorted(set(places))
    ]
    for ways in product(*(permutations(group) for group in tied)):
        yield [agent for group in ways for agent in group]


def strengths(
    orders: NDArray[np.int64], weights: NDArray[np.float64], num_agents: int
) -> NDArray[np.float64]:
    """Logarithms of the likeliest strengths, float64 [A], of mean 0.

    Args:
        orders: int64 [L, T], agents from first to last.
        weights: float64 [L], how often each order counts.
        num_agents: A.

    Found by Newton's method; the likelihood has one maximum.
    """
    # for each place but the last, [L · (T − 1), A]: who is still in the running, and how often
    is_agent = np.eye(num_agents)[orders]
    running = np.cumsum(is_agent[:, ::-1], axis=1)[:, :0:-1].reshape(-1, num_agents)
    taken = np.einsum("l,lpa->a", weights, is_agent[:, :-1])
    times = np.repeat(weights, orders.shape[1] - 1)
    logs = np.zeros(num_agents)
    for _ in range(MOST_ROUNDS):
        strength = running * np.exp(logs)
        chances = strength / strength.sum(axis=1, keepdims=True)
        expected = times @ chances
        against_prior = 1 / (1 + np.exp(-logs))
        slope = taken - expected + PRIOR_GAMES * (0.5 - against_prior)
        bend = np.diag(expected + PRIOR_GAMES * against_prior * (1 - against_prior))
        bend -= chances.T @ (times[:, None] * chances)
        step = np.linalg.solve(bend, slope)
        logs += step * min(1.0, LONGEST_STEP / max(np.abs(step).max(), CLOSE_ENOUGH))
        if np.abs(step).max() < CLOSE_ENOUGH:
            break
    return np.asarray(logs - logs.mean())
