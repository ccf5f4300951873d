"""Plackett–Luce ratings from games of two or more contestants, with confidence intervals.

For two contestants the model is Bradley and Terry's. The next place goes to each of the remaining contestants
with a probability proportional to its strength. Ratings are on the Elo scale, 400 points for ten times the
strength, with mean 0.

Letters: G games, T contestants of a game (its sheets), A agents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.statistics import Z95, t95

SCALE = 400 / np.log(10)
PRIOR_GAMES = 1.0
"""Pseudo-count of draws against an agent of rating 0; without it an agent that wins all games is infinite."""
CLOSE_ENOUGH = 1e-9  # tolerance, in logarithms of strengths
LONGEST_STEP = 2.0  # Newton's method overshoots where the likelihood is flat
MAX_ROUNDS = 100
MAX_UNSEEN = 2.5
"""97.5 % quantile, by Jeffreys' prior, of the expected number of wins where none was observed."""


@dataclass(frozen=True)
class Ratings:
    """Ratings with 95 % intervals, float64 [A] each.

    Attributes:
        ratings: the ratings; their mean is 0.
        low: lower ends; −∞ where the games do not bound an agent from below.
        high: upper ends; +∞ where they do not bound it from above.
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
    """Ratings, with intervals by a Bayesian bootstrap over deals, as games of a deal are not independent.

    The prior's draws have random weights, too. (An ordinary bootstrap gives intervals that are too narrow
    where wins are few.) Its intervals are widened by Student's t as that of a mean of as many deals would be.
    An agent that never ranks before another of the connected rest has an interval that
    is open below; its upper end is the rating with `MAX_UNSEEN` wins added; and likewise above. With a single
    deal all intervals are open.

    Args:
        contestants: int64 [G, T], the agent on each sheet.
        ranks: int64 [G, T], 1 is best, ties share a rank.
        deals: int64 [G], the same number for games of the same deal.
        num_agents: A.
        resamples: the number of bootstrap samples.
        seed: of the weights.
    """
    orders, games, shares = finishing_orders(contestants, ranks)
    _, deals = np.unique(deals, return_inverse=True)
    num_deals = int(deals.max()) + 1
    distinct, which = np.unique(orders, axis=0, return_inverse=True)
    which = which.reshape(-1)
    generator = np.random.default_rng(seed)

    weights = np.bincount(which, shares, minlength=len(distinct)).astype(np.float64)
    middle = strengths(distinct, weights, num_agents)
    one_way, main = one_way_chains(contestants, ranks, num_agents)
    bottomless, topless = one_way[main].any(axis=0), one_way[:, main].any(axis=1)

    seen, first = np.unique(contestants, return_index=True)
    as_seen = seen[np.argsort(first)]  # draws do not depend on the numbering of agents

    def once() -> NDArray[np.float64]:
        weight = generator.exponential(size=num_deals)
        prior = np.full((2, num_agents), PRIOR_GAMES / 2)
        prior[:, as_seen] = generator.gamma(PRIOR_GAMES / 2, size=(2, len(as_seen)))
        prior[:, bottomless | topless] = PRIOR_GAMES / 2  # only the prior bounds these
        by_order = np.bincount(which, weight[deals[games]] * shares, minlength=len(distinct))
        return strengths(distinct, by_order.astype(np.float64), num_agents, prior)

    low, high = np.percentile([once() for _ in range(resamples)], [2.5, 97.5], axis=0)
    if num_deals > 1:
        wider = t95(num_deals - 1) / Z95 * np.sqrt(num_deals / (num_deals - 1))
        low, high = middle - wider * (middle - low), middle + wider * (high - middle)
    for agent in np.flatnonzero(bottomless).tolist():
        higher = strengths(*_with_unseen(distinct, weights, agent, -1, one_way[:, agent]), num_agents)
        high[agent] = max(high[agent], higher[agent])
    for agent in np.flatnonzero(topless).tolist():
        lower = strengths(*_with_unseen(distinct, weights, agent, 1, one_way[agent]), num_agents)
        low[agent] = min(low[agent], lower[agent])
    low[bottomless | (num_deals == 1)] = -np.inf
    high[topless | (num_deals == 1)] = np.inf
    return Ratings(SCALE * middle, SCALE * low, SCALE * high)


def one_way_chains(
    contestants: NDArray[np.int64], ranks: NDArray[np.int64], num_agents: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The pairs of agents whose distance the games do not bound.

    In a chain of games each agent ranks before the next one or ties with it. Where a chain leads from one
    agent to another and none leads back, the likelihood grows with their distance.

    Returns:
        Bool [A, A], whether a chain leads from the first agent to the second and none back; and bool [A],
        whether an agent belongs to a largest set with chains in both directions.
    """
    leads = np.eye(num_agents, dtype=bool)
    for one, other in permutations(range(contestants.shape[1]), 2):
        games = ranks[:, one] <= ranks[:, other]
        leads[contestants[games, one], contestants[games, other]] = True
    for agent in range(num_agents):
        leads |= leads[:, agent, None] & leads[agent]
    size = (leads & leads.T).sum(axis=1)
    return leads & ~leads.T, size == size.max()


def _with_unseen(
    orders: NDArray[np.int64],
    weights: NDArray[np.float64],
    agent: int,
    step: int,
    others: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Orders and weights, with added ones in which the agent has changed places with a neighbour.

    Args:
        orders: int64 [L, T], agents from first to last.
        weights: float64 [L], the number of observations of each.
        agent: whose interval is open.
        step: −1 for the neighbour before it, 1 for the one after it.
        others: bool [A], the possible neighbours.
    """
    rows, places = np.nonzero(orders == agent)
    near = places + step
    is_there = (near >= 0) & (near < orders.shape[1])
    is_there[is_there] = others[orders[rows[is_there], near[is_there]]]
    rows, places, near = rows[is_there], places[is_there], near[is_there]
    changed, at = orders[rows], np.arange(len(rows))
    changed[at, places], changed[at, near] = changed[at, near], agent
    unseen = MAX_UNSEEN * weights[rows] / weights[rows].sum()
    return np.concatenate([orders, changed]), np.concatenate([weights, unseen])


def finishing_orders(
    contestants: NDArray[np.int64], ranks: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Agents from first to last, int64 [L, T], the game of each order, [L], and its share of the game, [L].

    A game without ties has one order; tied contestants are in all their orders, with equal shares.
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
    orders: NDArray[np.int64],
    weights: NDArray[np.float64],
    num_agents: int,
    prior: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Maximum-a-posteriori strengths as logarithms, float64 [A], with mean 0.

    Args:
        orders: int64 [L, T], agents from first to last.
        weights: float64 [L], the weight of each order.
        num_agents: A.
        prior: float64 [2, A], pseudo-counts of wins and losses against an agent of rating 0; half of
            `PRIOR_GAMES` each by default.

    Found by Newton's method; the likelihood has one maximum.
    """
    # for each place but the last, [L · (T − 1), A]: the remaining contestants, and their weights
    is_agent = np.eye(num_agents)[orders]
    running = np.cumsum(is_agent[:, ::-1], axis=1)[:, :0:-1].reshape(-1, num_agents)
    taken = np.einsum("l,lpa->a", weights, is_agent[:, :-1])
    times = np.repeat(weights, orders.shape[1] - 1)
    won, lost = np.full((2, num_agents), PRIOR_GAMES / 2) if prior is None else prior
    logs = np.zeros(num_agents)
    for _ in range(MAX_ROUNDS):
        strength = running * np.exp(logs)
        chances = strength / strength.sum(axis=1, keepdims=True)
        expected = times @ chances
        against_prior = 1 / (1 + np.exp(-logs))
        slope = taken - expected + won - (won + lost) * against_prior
        bend = np.diag(expected + (won + lost) * against_prior * (1 - against_prior))
        bend -= chances.T @ (times[:, None] * chances)
        step = np.linalg.solve(bend, slope)
        logs += step * min(1.0, LONGEST_STEP / max(np.abs(step).max(), CLOSE_ENOUGH))
        if np.abs(step).max() < CLOSE_ENOUGH:
            break
    return np.asarray(logs - logs.mean())
