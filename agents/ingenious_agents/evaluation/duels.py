"""Duels: an agent against one other agent, at every table.

At a table for two they play each other. At larger tables copies of the second agent have all other score
sheets, and the result is the share of these copies that the first one comes before; by the Plackett–Luce
model its expectation is that of a duel of two. In solitaire both play the same bag, and the better result
wins. Each deal is played in every rotation of the seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.report import luck_of
from ingenious_agents.evaluation.scale import Duels
from ingenious_agents.evaluation.statistics import came_before, luck_adjusted
from ingenious_agents.evaluation.tournament import Tournament
from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.policies.luck import relative_luck

Pair = tuple[int, int]


def copies_of(rules: AnyRules) -> int:
    """The number of sheets that the second agent of a duel has."""
    return max(1, rules.num_sheets - 1)


@dataclass(frozen=True)
class DuelPlan(Tournament):
    """A plan of duels; its agents are the contestants, each as often as it may have sheets at a table.

    Attributes:
        pairs: the duels, by contestant: that of agent n is n // `copies_of`.
    """

    pairs: tuple[Pair, ...] = ()

    @classmethod
    def between(
        cls, rules: AnyRules, names: Sequence[str], pairs: Sequence[Pair], seed: int, *, luck: bool = False
    ) -> Self:
        """A plan by the contestants' names; ValueError if one cannot play."""
        plan = cls.of(rules, [name for name in names for _ in range(copies_of(rules))], seed, luck=luck)
        return replace(plan, pairs=tuple(pairs))

    def _check(self) -> None:
        """Check nothing: there are duels at every table."""

    @property
    def contestants(self) -> tuple[str, ...]:
        """Their names."""
        return self.agents[:: copies_of(self.rules)]

    def groups_of(self, pair: Pair) -> list[tuple[int, ...]]:
        """The groups that play a duel: one, or in solitaire one for each of the two."""
        one, other = pair
        if self.rules.num_sheets == 1:
            return [(one,), (other,)]
        copies = copies_of(self.rules)
        return [tuple(sorted((one * copies, *range(other * copies, (other + 1) * copies))))]

    def deals_by_group(self, deals: Mapping[Pair, int]) -> dict[tuple[int, ...], int]:
        """The deals that each group needs, from those of each duel; in solitaire duels share groups."""
        wanted = dict.fromkeys(self.groups, 0)
        for pair, count in deals.items():
            for group in self.groups_of(pair):
                wanted[group] = max(wanted[group], count)
        return wanted

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """The groups of all duels."""
        return list(dict.fromkeys(group for pair in self.pairs for group in self.groups_of(pair)))


def plan_in(log: Log) -> DuelPlan:
    """The plan of a log of duels; TypeError if it is the log of something else."""
    plan = log.tournament
    if not isinstance(plan, DuelPlan):
        msg = f"a log of duels is needed, not of a {type(plan).__name__}"
        raise TypeError(msg)
    return plan


def results_of(log: Log, pair: Pair, deals: int, *, adjusted: bool) -> Duels:
    """The results of a duel on the first deals.

    Args:
        log: of a `DuelPlan`.
        pair: of the plan.
        deals: their number, which the log must have.
        adjusted: the luck-adjusted results, where luck was measured.
    """
    plan = plan_in(log)
    sheets = plan.rules.num_sheets
    games = [log.games[group][: deals * sheets] for group in plan.groups_of(pair)]
    of_deal = np.array([game.deal for game in games[0]], np.int64)
    luck = [luck_of(of_group) for of_group in games]
    known = [each for each in luck if each is not None]
    if sheets == 1:
        scores = [[game.scores[0] for game in of_agent] for of_agent in games]
        ranks = definition_of(plan.rules).rank(np.array(scores).swapaxes(0, 1))
        mine = np.zeros(len(of_deal), np.int64)
        lucks = relative_luck(np.concatenate(known, axis=1)) if known else np.zeros((0, 0))
    else:
        first = pair[0] * copies_of(plan.rules)
        ranks = np.array([game.ranks for game in games[0]])
        mine = np.array([game.seating.index(first) for game in games[0]])
        lucks = known[0] if known else np.zeros((0, 0))
    rows = np.arange(len(of_deal))
    before = came_before(ranks[rows, mine][:, None], ranks).sum(axis=1) - 1 / 2  # a tie with itself
    results = before / (ranks.shape[1] - 1)
    if adjusted and len(known) == len(luck):
        results = luck_adjusted(results, lucks[rows, mine], of_deal)
    return Duels(np.tile(np.array(pair, np.int64), (len(of_deal), 1)), results, of_deal)


def joined(duels: Sequence[Duels]) -> Duels:
    """Several results as one."""
    return Duels(
        np.concatenate([each.agents for each in duels]),
        np.concatenate([each.results for each in duels]),
        np.concatenate([each.deals for each in duels]),
    )
