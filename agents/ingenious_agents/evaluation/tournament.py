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
from itertools import combinations, permutations
from typing import Any, ClassVar, Self

import numpy as np

from ingenious_agents.evaluation.match import play_out
from ingenious_agents.registry import AGENTS, fingerprint, make, spell
from ingenious_env import GameBatch
from ingenious_env.engine.definition import AnyRules, definition_of, definitions
from ingenious_env.engine.seeding import check_seed
from ingenious_env.policies.view import check_plays


@dataclass(frozen=True)
class GameResult:
    """The result of one game of a tournament.

    Attributes:
        deal: its number.
        seating: the agent of each sheet, by number, T.
        scores: the final scores: T × C counters in Ingenious, T numbers in Loopit.
        ranks: the rank of each sheet, T.
        decisions: the number of decisions of each sheet's agent, T.
        seconds: the total time of its decisions, T.
    """

    deal: int
    seating: tuple[int, ...]
    scores: list[Any]
    ranks: list[int]
    decisions: list[int]
    seconds: list[float]


@dataclass(frozen=True)
class Tournament:
    """The plan of a tournament.

    Attributes:
        rules: the variant, with two score sheets or more.
        agents: names of the agents; a name that is given twice is two contestants.
        seed: of the deals.
        networks: by agent, the digest of its weights, "" without any; empty if not computed.

    Raises:
        ValueError: there are too few agents, or there is no such seed.
    """

    rules: AnyRules
    agents: tuple[str, ...]
    seed: int = 0
    networks: tuple[str, ...] = ()

    FORMAT: ClassVar[str] = "ingenious tournament 2"
    KINDS: ClassVar[Mapping[str, str]] = AGENTS

    def __post_init__(self) -> None:
        """Check the numbers."""
        self._check()
        check_seed(self.seed)

    @classmethod
    def of(cls, rules: AnyRules, names: Sequence[str], seed: int = 0) -> Self:
        """A tournament of agents by name, with digests of their weights; ValueError if one cannot play."""
        agents = [make(name, cls.KINDS) for name in names]
        for agent in agents:
            check_plays(agent, rules)
        networks = tuple(fingerprint(agent, rules) for agent in agents)
        spelt = tuple(spell(name, agent, cls.KINDS) for name, agent in zip(names, agents, strict=True))
        return cls(rules, spelt, seed, networks)

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

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """The groups that meet: T agents by number, in every combination."""
        return list(combinations(range(len(self.agents)), self.rules.num_sheets))

    def seatings(self, group: Sequence[int], deal: int) -> list[tuple[int, ...]]:
        """The agent on each sheet, in each of the T games that a group plays of a deal."""
        first, *rest = group
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
                seconds, decisions = play_out(batch, [agents[number] for number in seating])
                for at, row in enumerate(rows):
                    games[row].append(
                        GameResult(
                            deal=deals[row],
                            seating=seating,
                            scores=batch.scores[at].tolist(),
                            ranks=batch.ranks[at].tolist(),
                            decisions=decisions[at].tolist(),
                            seconds=[round(each, 6) for each in seconds[at].tolist()],
                        )
                    )
        return [game for of_deal in games for game in of_deal]

    def members(self, group: Sequence[int]) -> dict[int, Any]:
        """New agents of a group, by number."""
        return {number: make(self.agents[number], self.KINDS) for number in group}

    def header(self) -> dict[str, Any]:
        """The first line of a log."""
        return {
            "format": self.FORMAT,
            "game": definition_of(self.rules).name,
            "rules": definition_of(self.rules).rules_to_text(self.rules),
            "agents": list(self.agents),
            "seed": self.seed,
            "networks": list(self.networks),
        }

    @classmethod
    def from_header(cls, header: Any) -> Self:
        """The tournament of a log's first line; ValueError if it is not one."""
        if not isinstance(header, dict) or header.get("format") != cls.FORMAT:
            msg = f"this is no log of the format {cls.FORMAT!r}"
            raise ValueError(msg)
        name = header.get("game", "ingenious")  # logs from before the second game
        if name not in definitions():
            msg = f"the game must be one of {', '.join(definitions())}, not {name!r}"
            raise ValueError(msg)
        agents, networks = header["agents"], header["networks"]
        if not (isinstance(agents, list) and isinstance(networks, list)):
            msg = "agents and networks must be lists"
            raise ValueError(msg)
        if not all(isinstance(each, str) for each in (header["rules"], *agents, *networks)):
            msg = "rules, agents and networks must be texts"
            raise ValueError(msg)
        if len(networks) not in (0, len(agents)):
            msg = f"there must be a network for each of {len(agents)} agents, not {len(networks)}"
            raise ValueError(msg)
        rules = definitions()[name].text_to_rules(header["rules"])
        return cls(rules, tuple(agents), check_seed(header["seed"]), tuple(networks))
