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
ROUNDING = 1e-15  # more than it makes of a variance of shares that is 0, far less than one deal that differs


@dataclass(frozen=True)
class Share:
    """A share of wins with its 95 % interval, and how many games it is from."""

    mean: float
    low: float
    high: float
    games: int

    @property
    def half_width(self) -> float:
        """Half the interval's length."""
        return (self.high - self.low) / 2


def share_by_deals(
    results: NDArray[np.float64], deals: NDArray[np.int64], groups: NDArray[np.int64] | None = None
) -> Share:
    """The mean of results, float64 [G] from 0 to 1, that hang together within deals, int64 [G].

    Of several groups, int64 [G], each counts alike, however many games it has played. Wilson's interval for
    as many independent games as would leave the mean as uncertain as the spread between deals says it is; for
    as many as there are if all deals went alike.
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
    """The groups, [G], numbered from 0, and what games weigh, [G], if groups weigh alike, and 1 in all."""
    _, of_group, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    return of_group, 1 / (len(sizes) * sizes)[of_group]


def came_before(mine: NDArray[np.int64], its: NDArray[np.int64]) -> NDArray[np.float64]:
    """From the ranks of two contestants, [G]: 1 where the first came before the other, ½ where they tied."""
    return np.asarray((np.sign(its - mine) + 1) / 2)


@dataclass(frozen=True)
class Report:
    """The figures of a tournament.

    Attributes:
        tournament: what was played.
        shares: each agent's share of the wins, A.
        ahead: by pair (i, j), i < j, how often i came before j, ties half.
        ratings: Plackett–Luce ratings, A.
        counters: float64 [A, C], the mean counters in ascending order, or float64 [A, 1], the mean score.
        sheets: by place round the table, its share of the wins, T.
        seconds: float64 [A], the mean time for a decision.
    """

    tournament: Tournament
    shares: list[Share]
    ahead: dict[tuple[int, int], Share]
    ratings: Ratings
    counters: NDArray[np.float64]
    sheets: list[Share]
    seconds: NDArray[np.float64]


def check_played(tournament: Tournament, games: Games) -> None:
    """ValueError if some agent has not played."""
    seated = {agent for of_group in games.values() for game in of_group for agent in game.seating}
    missing = [name for agent, name in enumerate(tournament.agents) if agent not in seated]
    if missing:
        msg = f"no games yet of {', '.join(missing)}"
        raise ValueError(msg)


def report(tournament: Tournament, games: Games) -> Report:
    """The figures; ValueError if some agent has not played."""
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
    """Whether every pair of a group's agents is known to stand within so much of what was found."""
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
        markdown_table(rows, ("agent", "rating", "wins", "games", scores, "seconds a move")),
        markdown_table(pairs, ("comes before", *(names[agent] for agent in order))),
        f"Wins by place round the table: {', '.join(places)}.\n",
    )
    return "\n\n".join(parts)


def _ahead(figures: Report, one: int, other: int) -> Share | None:
    if (one, other) in figures.ahead:
        return figures.ahead[one, other]
    share = figures.ahead.get((other, one))
    return share and Share(1 - share.mean, 1 - share.high, 1 - share.low, share.games)


def _percent(share: Share | None) -> str:
    return f"{share.mean:.1%} [{share.low:.1%}, {share.high:.1%}]" if share else ""
