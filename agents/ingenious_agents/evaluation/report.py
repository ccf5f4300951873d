"""The report of a tournament: shares of wins with intervals, ratings, counters, seats and thinking times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.match import win_shares
from ingenious_agents.evaluation.ratings import Ratings, rate
from ingenious_agents.evaluation.statistics import Share, came_before, evenly, luck_adjusted, share_by_deals
from ingenious_agents.evaluation.tournament import GameResult, Tournament
from ingenious_agents.tables import Number, Table, numbered, written
from ingenious_env.policies.luck import relative_luck

Games = Mapping[tuple[int, ...], Sequence[GameResult]]


@dataclass(frozen=True)
class Report:
    """The figures of a tournament.

    Attributes:
        tournament: the plan.
        shares: each agent's share of the wins, A.
        adjusted: the same, luck-adjusted, A; None where the luck of a game was not measured.
        ahead: by pair (i, j), i < j, the share of games in which i ranks before j, ties counted half.
        ahead_adjusted: the same, luck-adjusted; empty where the luck of a game was not measured.
        ratings: Plackett–Luce ratings, A.
        counters: float64 [A, C], the mean counters in ascending order, or float64 [A, 1], the mean score.
        sheets: the share of the wins of each place in turn order, T.
        sheets_adjusted: the same, luck-adjusted, T; None where the luck of a game was not measured.
        seconds: float64 [A], the mean time per decision.
    """

    tournament: Tournament
    shares: list[Share]
    adjusted: list[Share] | None
    ahead: dict[tuple[int, int], Share]
    ahead_adjusted: dict[tuple[int, int], Share]
    ratings: Ratings
    counters: NDArray[np.float64]
    sheets: list[Share]
    sheets_adjusted: list[Share] | None
    seconds: NDArray[np.float64]


def check_played(tournament: Tournament, games: Games) -> None:
    """ValueError if an agent has no game."""
    seated = {agent for of_group in games.values() for game in of_group for agent in game.seating}
    missing = [name for agent, name in enumerate(tournament.labels) if agent not in seated]
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

    luck = luck_of(played)

    def of(agent: int) -> NDArray[np.bool_]:
        return np.asarray(seating == agent)

    def adjusted(results: NDArray[np.float64], of_game: NDArray[np.float64], rows: Any) -> Share:
        """A luck-adjusted share; the effect of luck differs between groups."""
        fitted = results.copy()
        for group in np.unique(groups[rows]):
            inside = groups[rows] == group
            fitted[inside] = luck_adjusted(results[inside], of_game[inside], deals[rows][inside])
        return share_by_deals(fitted, deals[rows], groups[rows])

    def ahead(one: int, other: int) -> tuple[Share, Share | None] | None:
        both = of(one).any(axis=1) & of(other).any(axis=1)
        if not both.any():
            return None
        mine, its = (ranks[both][of(each)[both]] for each in (one, other))
        results = came_before(mine, its)
        plain = share_by_deals(results, deals[both], groups[both])
        if luck is None:
            return plain, None
        lead = luck[both][of(one)[both]] - luck[both][of(other)[both]]
        return plain, adjusted(results, lead, both)

    def wins_of(agent: int) -> Share:
        there = of(agent).any(axis=1)
        return share_by_deals(wins[of(agent)], deals[there], groups[there])

    def counters_of(agent: int) -> NDArray[np.float64]:
        _, weights = evenly(groups[of(agent).any(axis=1)])
        return np.asarray(weights @ scores[of(agent)])

    pairs = {pair: found for pair in combinations(agents, 2) if (found := ahead(*pair))}
    sheets = range(seating.shape[1])
    return Report(
        tournament=tournament,
        shares=[wins_of(agent) for agent in agents],
        adjusted=None
        if luck is None
        else [adjusted(wins[of(each)], luck[of(each)], of(each).any(axis=1)) for each in agents],
        ahead={pair: plain for pair, (plain, _) in pairs.items()},
        ahead_adjusted={pair: less for pair, (_, less) in pairs.items() if less},
        ratings=rate(seating, ranks, deals, len(agents)),
        counters=np.array([counters_of(agent) for agent in agents]),
        sheets=[share_by_deals(wins[:, sheet], deals, groups) for sheet in sheets],
        sheets_adjusted=None
        if luck is None
        else [adjusted(wins[:, sheet], luck[:, sheet], slice(None)) for sheet in sheets],
        seconds=np.array([seconds[of(agent)].sum() / max(1, decisions[of(agent)].sum()) for agent in agents]),
    )


def luck_of(games: Sequence[GameResult]) -> NDArray[np.float64] | None:
    """Float64 [G, T], the luck of each sheet less the mean of the others'; None if a game's is not known."""
    luck = [game.luck for game in games]
    return None if None in luck else relative_luck(np.array(luck))


def settled(games: Sequence[GameResult], group: Sequence[int], half_width: float) -> bool:
    """Return whether no interval of a pair in a group, luck-adjusted if known, has a greater half-width."""
    deals, rows = np.array([game.deal for game in games]), np.arange(len(games))
    ranks, luck = np.array([game.ranks for game in games]), luck_of(games)
    sheets = {agent: np.array([game.seating.index(agent) for game in games]) for agent in group}
    for one, other in combinations(group, 2):
        mine, its = sheets[one], sheets[other]
        results = came_before(ranks[rows, mine], ranks[rows, its])
        if luck is not None:
            results = luck_adjusted(results, luck[rows, mine] - luck[rows, its], deals)
        if share_by_deals(results, deals).half_width > half_width:
            return False
    return True


def tables(figures: Report) -> list[Table]:
    """The report as tables of agents, the best first, of pairs, and of seats in turn order."""
    order = np.argsort(-figures.ratings.ratings, kind="stable").tolist()
    return [_agents(figures, order), _pairs(figures, order), _seats(figures)]


def markdown(figures: Report) -> str:
    """The report in Markdown."""
    return written(tables(figures), "markdown")


def _agents(figures: Report, order: Sequence[int]) -> Table:
    names, ratings, adjusted = figures.tournament.labels, figures.ratings, figures.adjusted
    scores = "counters, lowest first" if figures.counters.shape[1] > 1 else "score"
    less = [] if adjusted is None else ["luck-adjusted wins"]
    rows, records = [], []
    for agent in order:
        middle, low, high = (float(each[agent]) for each in (ratings.ratings, ratings.low, ratings.high))
        share, counters = figures.shares[agent], figures.counters[agent].tolist()
        seconds = float(figures.seconds[agent])
        rows.append(
            (
                names[agent],
                f"{middle:+z.0f} [{low:+z.0f}, {high:+z.0f}]".replace("inf", "∞"),
                str(share),
                *([] if adjusted is None else [str(adjusted[agent])]),
                str(share.games),
                " ".join(f"{counter:.1f}" for counter in counters),
                f"{seconds:.2g}",
            )
        )
        records.append(
            {
                "agent": names[agent],
                "rating": middle,
                "rating_low": low,
                "rating_high": high,
                **share.numbers("wins"),
                **({} if adjusted is None else adjusted[agent].numbers("wins_luck_adjusted")),
                "games": share.games,
                **(numbered("counter", counters) if len(counters) > 1 else {"score": counters[0]}),
                "seconds_per_move": seconds,
            }
        )
    return Table(
        "agents", ("agent", "rating", "wins", *less, "games", scores, "seconds per move"), rows, records
    )


def _pairs(figures: Report, order: Sequence[int]) -> Table:
    names = figures.tournament.labels
    shown = figures.ahead_adjusted or figures.ahead
    title = "comes before, luck-adjusted" if figures.ahead_adjusted else "comes before"
    rows = [(names[one], *(str(_ahead(shown, one, other) or "") for other in order)) for one in order]
    records: list[dict[str, Number]] = []
    for one in order:
        for other in order:
            plain = _ahead(figures.ahead, one, other)
            if plain is not None:
                less = _ahead(figures.ahead_adjusted, one, other)
                records.append(
                    {
                        "agent": names[one],
                        "other": names[other],
                        **plain.numbers("ahead"),
                        **({} if less is None else less.numbers("ahead_luck_adjusted")),
                        "games": plain.games,
                    }
                )
    return Table("pairs", (title, *(names[agent] for agent in order)), rows, records)


def _seats(figures: Report) -> Table:
    adjusted = figures.sheets_adjusted
    rows, records = [], []
    for sheet, share in enumerate(figures.sheets):
        less = None if adjusted is None else adjusted[sheet]
        rows.append((str(sheet + 1), str(share), *([] if less is None else [str(less)])))
        records.append(
            {
                "seat": sheet + 1,
                **share.numbers("wins"),
                **({} if less is None else less.numbers("wins_luck_adjusted")),
            }
        )
    heads = ("seat, in turn order", "wins", *([] if adjusted is None else ["luck-adjusted wins"]))
    return Table("seats", heads, rows, records)


def _ahead(pairs: Mapping[tuple[int, int], Share], one: int, other: int) -> Share | None:
    if (one, other) in pairs:
        return pairs[one, other]
    share = pairs.get((other, one))
    return share and Share(1 - share.mean, 1 - share.high, 1 - share.low, share.games)
