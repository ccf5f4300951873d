"""Tournaments: the plan (groups of agents, deals, seatings) and the play; `log.py` has the log.

A group is a combination of as many agents as there are score sheets: every pair for two. A group plays each
deal once in each rotation of the seats; the cyclic order changes from deal to deal. All groups play the same
deals: deal d is `Game(rules, (seed, d))`. An agent's moves depend on the game only, so the number of
processes and interruptions change no result, except for agents with a time limit.

Letters: A agents, T score sheets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.match import play_out
from ingenious_agents.registry import AGENTS, fingerprint, make, spell
from ingenious_env import GameBatch
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.seeding import check_seed
from ingenious_env.policies.luck import has_draw_luck
from ingenious_env.policies.view import check_plays


@dataclass(frozen=True)
class GameResult:
    """The result of one game of a tournament.

    Attributes:
        deal: its number.
        seating: the agent of each sheet, by number, T.
        scores: the final scores: T × C counters in Ingenious, T numbers in Loopit.
        ranks: the rank of each sheet, T.
        luck: the luck of each sheet's draws (see `DrawLuck`), T; None where it was not measured.
        decisions: the number of decisions of each sheet's agent, T.
        seconds: the total time of its decisions, without compilation, T.
        actions: of the game, flat, in the order of play.
    """

    deal: int
    seating: tuple[int, ...]
    scores: list[Any]
    ranks: list[int]
    luck: list[float] | None
    decisions: list[int]
    seconds: list[float]
    actions: list[int]


def labels_of(names: Sequence[str]) -> list[str]:
    """Different names of agents: one that is given again has a number, as in "value (2)"."""
    earlier = (names[:number].count(name) for number, name in enumerate(names))
    return [f"{name} ({times + 1})" if times else name for name, times in zip(names, earlier, strict=True)]


@dataclass(frozen=True)
class Tournament:
    """The plan of a tournament.

    Attributes:
        rules: the variant, with two score sheets or more.
        agents: names of the agents; a name that is given twice is two contestants.
        seed: of the deals.
        networks: by agent, the digest of its weights, "" without any; empty if not computed.
        luck: measure the luck of the draw, where a network for that is shipped.

    Raises:
        ValueError: there are too few agents, or there is no such seed.
    """

    rules: AnyRules
    agents: tuple[str, ...]
    seed: int = 0
    networks: tuple[str, ...] = ()
    luck: bool = False

    KINDS: ClassVar[Mapping[str, str]] = AGENTS

    def __post_init__(self) -> None:
        """Check the numbers."""
        self._check()
        check_seed(self.seed)

    @classmethod
    def of(cls, rules: AnyRules, names: Sequence[str], seed: int = 0, *, luck: bool = False) -> Self:
        """A tournament of agents by name, with digests of their weights; ValueError if one cannot play."""
        agents = [make(name, cls.KINDS) for name in names]
        for agent in agents:
            check_plays(agent, rules)
        networks = tuple(fingerprint(agent, rules) for agent in agents)
        spelt = tuple(spell(name, agent, cls.KINDS) for name, agent in zip(names, agents, strict=True))
        return cls(rules, spelt, seed, networks, luck)

    def check_networks(self) -> None:
        """ValueError if the weights of an agent have changed."""
        now = type(self).of(self.rules, self.agents, self.seed).networks
        pairs = zip(self.agents, self.networks, now, strict=False)  # empty if not computed
        changed = {name for name, was, its in pairs if was != its}
        if changed:
            msg = (
                f"the weights of {', '.join(sorted(changed))} are others now than when the games were played"
            )
            raise ValueError(msg)

    def _check(self) -> None:
        sheets = self.rules.num_sheets
        if sheets < 2:
            msg = "a tournament needs a variant with two score sheets or more; see ingenious solitaire"
            raise ValueError(msg)
        if len(self.agents) < sheets:
            msg = f"a tournament on {sheets} score sheets needs as many agents, not {len(self.agents)}"
            raise ValueError(msg)

    @cached_property
    def labels(self) -> list[str]:
        """Different names of the agents."""
        return labels_of(self.agents)

    @property
    def measures_luck(self) -> bool:
        """Whether the luck of the draw is measured: in solitaire always, where it explains most."""
        return (self.luck or self.rules.num_sheets == 1) and has_draw_luck(self.rules)

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """The groups that meet: T agents by number, in every combination."""
        return list(combinations(range(len(self.agents)), self.rules.num_sheets))

    def seatings(self, group: Sequence[int], deal: int) -> list[tuple[int, ...]]:
        """The agent on each sheet, in each of the T games that a group plays of a deal.

        It depends on the labels of these agents only, so that others can join later.
        """
        first, *rest = sorted(group, key=self.labels.__getitem__)
        orders = list(permutations(rest))
        order = (first, *orders[deal % len(orders)])
        return [(*order[-turn:], *order[:-turn]) if turn else order for turn in range(len(order))]

    def make_agents(self) -> list[Any]:
        """The agents by number; ValueError if one cannot be made, or its weights have changed."""
        self.check_networks()
        return list(self.members(range(len(self.agents))).values())

    def play(
        self, group: Sequence[int], deals: range, agents: Mapping[int, Any] | None = None
    ) -> list[GameResult]:
        """All games of a group on some deals, deal by deal.

        Args:
            group: the agents, by number.
            deals: by number.
            agents: those of the group, by number, which are copied; new ones by default.
        """
        agents = self.members(group) if agents is None else deepcopy(agents)
        seatings = [self.seatings(group, deal) for deal in deals]
        games: list[list[GameResult]] = [[] for _ in deals]
        for turn in range(len(group)):
            for seating in sorted({each[turn] for each in seatings}):
                rows = [row for row, each in enumerate(seatings) if each[turn] == seating]
                batch = GameBatch(self.rules, len(deals), 0)
                batch.seed(self.seed, deals.start)
                batch = batch.take(np.array(rows))
                seated = [agents[number] for number in seating]
                names = [self.agents[number] for number in seating]
                played = play_out(batch, seated, names=names, luck=self.measures_luck)
                for at, row in enumerate(rows):
                    games[row].append(
                        GameResult(
                            deal=deals[row],
                            seating=seating,
                            scores=batch.scores[at].tolist(),
                            ranks=batch.ranks[at].tolist(),
                            luck=None if played.luck is None else _rounded(played.luck[at]),
                            decisions=played.decisions[at].tolist(),
                            seconds=_rounded(played.seconds[at]),
                            actions=played.actions[at],
                        )
                    )
        return [game for of_deal in games for game in of_deal]

    def members(self, group: Sequence[int]) -> dict[int, Any]:
        """New agents of a group, by number."""
        return {number: make(self.agents[number], self.KINDS) for number in group}


def _rounded(numbers: NDArray[np.float64]) -> list[float]:
    return [round(each, 6) for each in numbers.tolist()]
