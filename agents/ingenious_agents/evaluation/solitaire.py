"""Solitaire studies: all contestants play the same bags, one of them knows the bag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.statistics import Z95, luck_adjusted
from ingenious_agents.evaluation.tournament import GameResult, Tournament
from ingenious_agents.registry import AGENTS
from ingenious_agents.search.perfect_information import Clairvoyant
from ingenious_agents.tables import Table, numbered, written
from ingenious_env import Rules
from ingenious_env.compiled.compiling import clock


@dataclass(frozen=True)
class Study(Tournament):
    """A tournament with one seat: bag d is that of `Game(rules, (seed, d))`.

    Contestants are agents, and others that know hidden tiles: `clairvoyant:width=64`, a beam search that
    knows each bag, and `oracle:tiles=1`, a value network that knows the next tile. The luck of their draws is
    not measured, as its mean is not 0.

    Raises:
        ValueError: the variant has more than one player, or there is no contestant.
    """

    KINDS: ClassVar[Mapping[str, str]] = {
        **AGENTS,
        "clairvoyant": "ingenious_agents.search.perfect_information:Clairvoyant",
        "oracle": "ingenious_agents.value.oracle:Oracle",
    }

    def _check(self) -> None:
        if self.rules.num_players != 1:
            msg = f"a solitaire study needs a variant for one player, not {self.rules.num_players}"
            raise ValueError(msg)
        if not self.agents:
            msg = "a solitaire study needs a contestant"
            raise ValueError(msg)

    def play(
        self, group: Sequence[int], deals: range, agents: Mapping[int, Any] | None = None
    ) -> list[GameResult]:
        """The games of a contestant on some bags."""
        (number,) = group
        contestant = (self.members(group) if agents is None else agents)[number]
        if not isinstance(contestant, Clairvoyant):
            played = super().play(group, deals, agents)
            knows = getattr(contestant, "knows_hidden", False)
            return [replace(game, luck=None) for game in played] if knows else played
        games, rules = [], cast("Rules", self.rules)  # no other game is played by one
        for deal in deals:
            began = clock()
            line = contestant.line(rules, self.seed, deal)
            seconds = round(clock() - began, 6)
            actions = list(map(int, line.actions))
            games.append(
                GameResult(
                    deal=deal,
                    seating=(number,),
                    scores=[line.scores.tolist()],
                    ranks=[1],
                    luck=None,  # it knows the bag
                    decisions=[len(actions)],
                    seconds=[seconds],
                    actions=actions,
                )
            )
        return games


@dataclass(frozen=True)
class StudyResult:
    """The results of a contestant.

    Attributes:
        name: the label of the contestant.
        counters: int8 [bags, C], the counters at the end in ascending order.
        luck: float64 [bags], the luck of its draws (see `DrawLuck`); None where it was not measured.
        of_clairvoyant: float64, its mean lowest counter as a share of that of the best `clairvoyant`, on the
            bags that both have played; NaN without one.
        seconds: the mean time per move.
    """

    name: str
    counters: NDArray[np.int8]
    luck: NDArray[np.float64] | None
    of_clairvoyant: float
    seconds: float

    @property
    def lowest(self) -> float:
        """The mean lowest counter."""
        return float(self.counters[:, 0].mean())

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % interval of that mean."""
        return half_width(self.counters[:, 0])

    @property
    def adjusted(self) -> NDArray[np.float64] | None:
        """Float64 [bags], the luck-adjusted lowest counters; None where it was not measured."""
        if self.luck is None:
            return None
        return luck_adjusted(self.counters[:, 0], self.luck, np.arange(len(self.luck)))

    def lead(self, other: StudyResult) -> tuple[float, float]:
        """The mean lead of its lowest counter over another's, on the bags that both have played.

        Luck-adjusted, if luck was measured for both. The mean of the differences and half the width of its
        95 % interval, which is far narrower than the intervals of the two means, as the bags are the same.
        """
        both = min(len(self.counters), len(other.counters))
        mine, its = self.adjusted, other.adjusted
        if mine is None or its is None:
            mine, its = self.counters[:, 0].astype(float), other.counters[:, 0].astype(float)
        ahead = mine[:both] - its[:both]
        return float(ahead.mean()), half_width(ahead)


def half_width(numbers: NDArray[Any]) -> float:
    """Half the width of the 95 % interval of a mean over bags."""
    if len(numbers) < 2:
        return float("inf")
    return float(Z95 * numbers.std(ddof=1) / np.sqrt(len(numbers)))


def figures_of(study: Tournament, games: Mapping[tuple[int, ...], Sequence[GameResult]]) -> list[StudyResult]:
    """The figures of all contestants with games, the best first."""
    found = []
    counters = {
        group[0]: np.sort(np.array([game.scores[0] for game in played], np.int8), axis=1)
        for group, played in games.items()
        if played
    }
    knowing = [each for each in counters if study.agents[each].partition(":")[0] == "clairvoyant"]
    for contestant, mine in counters.items():
        played = games[contestant,]
        shares = []
        for best in knowing:
            both = min(len(mine), len(counters[best]))
            shares.append(mine[:both, 0].mean() / counters[best][:both, 0].mean())
        seconds = sum(game.seconds[0] for game in played) / max(1, sum(game.decisions[0] for game in played))
        luck = [game.luck for game in played]
        found.append(
            StudyResult(
                name=study.labels[contestant],
                counters=mine,
                luck=None if None in luck else np.array(luck)[:, 0],
                of_clairvoyant=min(shares, default=float("nan")),
                seconds=seconds,
            )
        )
    return sorted(found, key=lambda each: -each.lowest)


COLUMNS = (
    "contestant",
    "lowest",
    "luck-adjusted",
    "ahead of the next",
    "range",
    "counters, lowest first",
    "of clairvoyant",
    "deals",
    "seconds per move",
)


def tables(found: Sequence[StudyResult]) -> list[Table]:
    """The figures as a table of contestants."""
    rows, records = [], []
    for place, each in enumerate(found):
        lowest, adjusted = each.counters[:, 0], each.adjusted
        lead = each.lead(found[place + 1]) if place + 1 < len(found) else None
        counters = each.counters.mean(axis=0).tolist()
        rows.append(
            (
                each.name,
                f"{each.lowest:.2f} ± {each.half_width:.2f}",
                "" if adjusted is None else f"{adjusted.mean():.2f} ± {half_width(adjusted):.2f}",
                "" if lead is None else f"{lead[0]:z.2f} ± {lead[1]:.2f}",
                f"{lowest.min()}–{lowest.max()}",
                " ".join(f"{counter:.1f}" for counter in counters),
                "" if np.isnan(each.of_clairvoyant) else f"{each.of_clairvoyant:.0%}",
                str(len(lowest)),
                f"{each.seconds:.2g}",
            )
        )
        records.append(
            {
                "contestant": each.name,
                "lowest": each.lowest,
                "lowest_half_width": each.half_width,
                "luck_adjusted": None if adjusted is None else float(adjusted.mean()),
                "luck_adjusted_half_width": None if adjusted is None else half_width(adjusted),
                "ahead_of_next": None if lead is None else lead[0],
                "ahead_of_next_half_width": None if lead is None else lead[1],
                "least": int(lowest.min()),
                "most": int(lowest.max()),
                **numbered("counter", counters),
                "of_clairvoyant": each.of_clairvoyant,
                "deals": len(lowest),
                "seconds_per_move": each.seconds,
            }
        )
    return [Table("contestants", COLUMNS, rows, records)]


def markdown(found: Sequence[StudyResult]) -> str:
    """The figures in Markdown."""
    return written(tables(found), "markdown")
