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
MAX_ROUNDS = 100
MAX_UNSEEN = 2.5
"""Wins that may have been about to come to who won none of many games: by Jeffreys' prior, half a win, no
more with 97.5 %."""


@dataclass(frozen=True)
class Ratings:
    """Ratings with 95 % intervals, float64 [A] each.

    Attributes:
        ratings: the ratings; their mean is 0.
        low: where the intervals begin; −∞ where the games do not say how far down an agent is.
        high: where they end; +∞ where they do not say how far up.
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
    """Rate agents, with intervals from weighing whole deals anew: games of a deal are not independent.

    Weights are drawn as in the Bayesian bootstrap, the prior's games among them: where wins are few, deals
    drawn with repeats would be too sure. Neither tells how far below the others somebody is who never came
    before one of them: that interval is open, and ends where a few wins that were not seen would put it. One
    deal does not say how deals differ, and leaves all intervals open.

    Args:
        contestants: int64 [G, T], the agent that had each sheet.
        ranks: int64 [G, T], where it came; 1 is best, ties share.
        deals: int64 [G], the same number for games of the same deal.
        num_agents: A.
        resamples: how many times all deals are weighed anew.
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
    as_seen = seen[np.argsort(first)]  # whoever is called what has the same draws

    def once() -> NDArray[np.float64]:
        worth = generator.exponential(size=num_deals)
        prior = np.full((2, num_agents), PRIOR_GAMES / 2)
        prior[:, as_seen] = generator.gamma(PRIOR_GAMES / 2, size=(2, len(as_seen)))
        prior[:, bottomless | topless] = PRIOR_GAMES / 2  # nothing else holds these
        by_order = np.bincount(which, worth[deals[games]] * shares, minlength=len(distinct))
        return strengths(distinct, by_order.astype(np.float64), num_agents, prior)

    low, high = np.percentile([once() for _ in range(resamples)], [2.5, 97.5], axis=0)
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
    """From whom to whom games lead that say nothing of how far apart the two are.

    A chain of games, in each of which somebody came before the next or level with it, leads from the first
    agent to the last. Where none leads back, the last may be any distance below.

    Returns:
        Bool [A, A], whether a chain leads from the first agent to the second and none back; and bool [A],
        whether an agent is one of the most among whom chains lead both ways.
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
    """Orders and weights, and a few more in which the agent changed places with the next of some others.

    Args:
        orders: int64 [L, T], agents from first to last.
        weights: float64 [L], how often each was seen.
        agent: who did not do so in any of them.
        step: −1 for the next one before it, 1 for the next one behind.
        others: bool [A], with whom.
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
    orders: NDArray[np.int64],
    weights: NDArray[np.float64],
    num_agents: int,
    prior: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Logarithms of the likeliest strengths, float64 [A], of mean 0.

    Args:
        orders: int64 [L, T], agents from first to last.
        weights: float64 [L], how often each order counts.
        num_agents: A.
        prior: float64 [2, A], how often each agent has won, and lost, against one of rating 0 before; half of
            `PRIOR_GAMES` each by default.

    Found by Newton's method; the likelihood has one maximum.
    """
    # for each place but the last, [L · (T − 1), A]: who is still in the running, and how often
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
