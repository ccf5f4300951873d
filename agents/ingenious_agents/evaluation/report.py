"""The report of a tournament: shares of wins with intervals, ratings, counters, seats and thinking times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.match import wilson, win_shares
from ingenious_agents.evaluation.ratings import Ratings, rate
from ingenious_agents.evaluation.tournament import GameResult, Tournament
from ingenious_agents.tables import markdown_table

Games = Mapping[tuple[int, ...], Sequence[GameResult]]
ROUNDING = 1e-15  # above the rounding error of a variance of 0, far below the effect of one deal


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


def share_by_deals(
    results: NDArray[np.float64], deals: NDArray[np.int64], groups: NDArray[np.int64] | None = None
) -> Share:
    """The mean of results clustered by deal, with its interval.

    The interval is Wilson's for the effective number of independent games: the number that gives the variance
    estimated from the spread between deals, or the number of games if all deals have the same result.

    Args:
        results: float64 [G], from 0 to 1.
        deals: int64 [G], the deal of each game.
        groups: int64 [G], the group of each game; groups have equal weights, regardless of their
            numbers of games. One group by default.
    """
    _, of_deal = np.unique(deals, return_inverse=True)
    of_group, weights = _evenly(np.zeros_like(deals) if groups is None else groups)
    means = np.bincount(of_group, results) / np.bincount(of_group)
    mean, num_deals = float(means.mean()), int(of_deal.max()) + 1
    off_mean = np.bincount(of_deal, weights * (results - means[of_group]))
    variance = float((off_mean**2).sum()) * num_deals / max(1, num_deals - 1)
    trials = 1 / float((weights**2).sum())
    if variance > ROUNDING:
        trials = min(mean * (1 - mean) / variance, 4.0 * trials)
    low, high = wilson(mean, max(1.0, trials))
    return Share(mean, low, high, len(results))


def _evenly(groups: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Groups numbered from 0, [G], and weights of games, [G], equal in sum for each group and 1 in total."""
    _, of_group, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    return of_group, 1 / (len(sizes) * sizes)[of_group]


def came_before(mine: NDArray[np.int64], its: NDArray[np.int64]) -> NDArray[np.float64]:
    """1 where the first of two contestants ranks before the other, ½ where they tie; float64 [G]."""
    return np.asarray((np.sign(its - mine) + 1) / 2)


@dataclass(frozen=True)
class Report:
    """The figures of a tournament.

    Attributes:
        tournament: the plan.
        shares: each agent's share of the wins, A.
        ahead: by pair (i, j), i < j, the share of games in which i ranks before j, ties counted half.
        ratings: Plackett–Luce ratings, A.
        counters: float64 [A, C], the mean counters in ascending order, or float64 [A, 1], the mean score.
        sheets: the share of the wins of each place in turn order, T.
        seconds: float64 [A], the mean time per decision.
    """

    tournament: Tournament
    shares: list[Share]
    ahead: dict[tuple[int, int], Share]
    ratings: Ratings
    counters: NDArray[np.float64]
    sheets: list[Share]
    seconds: NDArray[np.float64]


def check_played(tournament: Tournament, games: Games) -> None:
    """ValueError if an agent has no game."""
    seated = {agent for of_group in games.values() for game in of_group for agent in game.seating}
    missing = [name for agent, name in enumerate(tournament.agents) if agent not in seated]
    if missing:
        msg = f"no games yet of {', '.join(missing)}"
        raise ValueError(msg)


def report(tournament: Tournament, games: Games) -> Report:
    """The report on games; ValueError if an agent has none."""
    check_played(tournament, games)
    played = [game for of_group in games.values() for game in of_group]
    seating = np.array([game.seating for game in played], int).reshape(-1, tournament.rules.num_sheets)
    agents = range(len(tournament.agents))
    ranks = np.array([game.ranks for game in played])
    deals = np.array([game.deal for game in played])
    groups = np.repeat(np.arange(len(games)), [len(of_group) for of_group in games.values()])
    wins = win_shares(ranks)
    scores = np.sort(np.array([game.scores for game in played]).reshape(*seating.shape, -1), axis=2)
    seconds = np.array([game.seconds for game in played])
    decisions = np.array([game.decisions for game in played])

    def of(agent: int) -> NDArray[np.bool_]:
        return np.asarray(seating == agent)

    def ahead(one: int, other: int) -> Share | None:
        both = of(one).any(axis=1) & of(other).any(axis=1)
        if not both.any():
            return None
        mine, its = (ranks[both][of(each)[both]] for each in (one, other))
        return share_by_deals(came_before(mine, its), deals[both], groups[both])

    def wins_of(agent: int) -> Share:
        there = of(agent).any(axis=1)
        return share_by_deals(wins[of(agent)], deals[there], groups[there])

    def counters_of(agent: int) -> NDArray[np.float64]:
        _, weights = _evenly(groups[of(agent).any(axis=1)])
        return np.asarray(weights @ scores[of(agent)])

    pairs = {pair: ahead(*pair) for pair in combinations(agents, 2)}
    return Report(
        tournament=tournament,
        shares=[wins_of(agent) for agent in agents],
        ahead={pair: share for pair, share in pairs.items() if share},
        ratings=rate(seating, ranks, deals, len(agents)),
        counters=np.array([counters_of(agent) for agent in agents]),
        sheets=[share_by_deals(wins[:, sheet], deals, groups) for sheet in range(seating.shape[1])],
        seconds=np.array([seconds[of(agent)].sum() / max(1, decisions[of(agent)].sum()) for agent in agents]),
    )


def settled(games: Sequence[GameResult], group: Sequence[int], half_width: float) -> bool:
    """Whether the intervals of all pairs of a group have at most this half-width."""
    ranks = {agent: np.array([game.ranks[game.seating.index(agent)] for game in games]) for agent in group}
    deals = np.array([game.deal for game in games])
    return all(
        share_by_deals(came_before(ranks[one], ranks[other]), deals).half_width <= half_width
        for one, other in combinations(group, 2)
    )


def markdown(figures: Report) -> str:
    """The report as Markdown tables, the best agent first."""
    names, ratings = figures.tournament.agents, figures.ratings
    order = np.argsort(-ratings.ratings, kind="stable").tolist()
    scores = "counters, lowest first" if figures.counters.shape[1] > 1 else "score"
    rows = []
    for agent in order:
        ends = f"{ratings.low[agent]:+.0f}, {ratings.high[agent]:+.0f}".replace("inf", "∞")
        rows.append(
            (
                names[agent],
                f"{ratings.ratings[agent]:+.0f} [{ends}]",
                _percent(figures.shares[agent]),
                str(figures.shares[agent].games),
                " ".join(f"{counter:.1f}" for counter in figures.counters[agent]),
                f"{figures.seconds[agent]:.2g}",
            )
        )
    pairs = [(names[one], *(_percent(_ahead(figures, one, other)) for other in order)) for one in order]
    places = [f"seat {sheet + 1}: {_percent(share)}" for sheet, share in enumerate(figures.sheets)]
    parts = (
        markdown_table(rows, ("agent", "rating", "wins", "games", scores, "seconds per move")),
        markdown_table(pairs, ("comes before", *(names[agent] for agent in order))),
        f"Wins by seat, in turn order: {', '.join(places)}.\n",
    )
    return "\n\n".join(parts)


def _ahead(figures: Report, one: int, other: int) -> Share | None:
    if (one, other) in figures.ahead:
        return figures.ahead[one, other]
    share = figures.ahead.get((other, one))
    return share and Share(1 - share.mean, 1 - share.high, 1 - share.low, share.games)


def _percent(share: Share | None) -> str:
    return f"{share.mean:.1%} [{share.low:.1%}, {share.high:.1%}]" if share else ""
