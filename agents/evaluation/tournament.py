"""Tournaments: which agents meet on which deals in which seats, how it is played, and the log of it.

Of the agents every group that can sit at a table meets: every pair for two score sheets. A group plays a deal
once in each rotation round the table; from deal to deal the cyclic order changes. All groups play the same
deals, deal d being `Game(rules, (seed, d))`. What an agent does in a game follows from the game alone, so
that neither the number of processes nor an interruption changes a result; only agents that are given seconds
play as well as the machine lets them.

Letters: A agents, T score sheets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from agents.evaluation.match import play_out
from agents.registry import AGENTS, fingerprint, make, make_agent, spell
from ingenious_env import GameBatch
from ingenious_env.core.definition import AnyRules, definition_of, definitions, variant_of
from ingenious_env.core.files import write_text
from ingenious_env.core.seeding import check_seed
from ingenious_env.core.view import check_plays


@dataclass(frozen=True)
class Tournament:
    """What is to be played.

    Attributes:
        rules: the variant, with two score sheets or more.
        agents: the agents by name; one that is named twice is two contestants.
        seed: of the deals.
        networks: by agent, what tells its weights from others, "" for one without; none if nobody looked.

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
        """A tournament of agents as they are now, their names spelt alike; ValueError if one cannot play."""
        agents = [make(name, cls.KINDS) for name in names]
        for agent in agents:
            check_plays(agent, rules)
        networks = tuple(fingerprint(agent, rules) for agent in agents)
        spelt = tuple(spell(name, agent, cls.KINDS) for name, agent in zip(names, agents, strict=True))
        return cls(rules, spelt, seed, networks)

    def check_networks(self) -> None:
        """ValueError if an agent's weights are others now."""
        now = type(self).of(self.rules, self.agents, self.seed).networks
        pairs = zip(self.agents, self.networks, now, strict=False)  # none if nobody looked
        changed = {name for name, was, its in pairs if was != its}
        if changed:
            msg = (
                f"the weights of {', '.join(sorted(changed))} are others now than when the games were played"
            )
            raise ValueError(msg)

    def _check(self) -> None:
        sheets = self.rules.num_sheets
        if sheets < 2:
            msg = "a tournament needs a variant with two score sheets or more; see scripts.solitaire"
            raise ValueError(msg)
        if len(self.agents) < sheets:
            msg = f"a tournament on {sheets} score sheets needs as many agents, not {len(self.agents)}"
            raise ValueError(msg)

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """Who meets: T agents by number, in every combination."""
        return list(combinations(range(len(self.agents)), self.rules.num_sheets))

    def seatings(self, group: Sequence[int], deal: int) -> list[tuple[int, ...]]:
        """The agent on each sheet, in each of the T games that a group plays of a deal."""
        first, *rest = group
        orders = list(permutations(rest))
        order = (first, *orders[deal % len(orders)])
        return [(*order[-turn:], *order[:-turn]) if turn else order for turn in range(len(order))]

    def play(self, group: Sequence[int], deals: range) -> list[Game]:
        """All games of a group on some deals, deal by deal."""
        agents = {number: make_agent(self.agents[number]) for number in group}
        seatings = [self.seatings(group, deal) for deal in deals]
        games: list[list[Game]] = [[] for _ in deals]
        for turn in range(len(group)):
            for seating in sorted({each[turn] for each in seatings}):
                rows = [row for row, each in enumerate(seatings) if each[turn] == seating]
                batch = GameBatch(self.rules, len(deals), 0)
                batch.seed(self.seed, deals.start)
                batch = batch.take(np.array(rows))
                seconds, decisions = play_out(batch, [agents[number] for number in seating])
                for at, row in enumerate(rows):
                    games[row].append(
                        Game(
                            deal=deals[row],
                            seating=seating,
                            scores=batch.scores[at].tolist(),
                            ranks=batch.ranks[at].tolist(),
                            decisions=decisions[at].tolist(),
                            seconds=[round(each, 6) for each in seconds[at].tolist()],
                        )
                    )
        return [game for of_deal in games for game in of_deal]

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
        """The tournament that a log is of; ValueError if it is none."""
        if not isinstance(header, dict) or header.get("format") != cls.FORMAT:
            msg = f"this is no log of the format {cls.FORMAT!r}"
            raise ValueError(msg)
        name = header.get("game", "ingenious")  # logs from before there was another
        if name not in definitions():
            msg = f"the game must be one of {', '.join(definitions())}, not {name!r}"
            raise ValueError(msg)
        rules = definitions()[name].text_to_rules(header["rules"])
        agents = tuple(map(str, header["agents"]))
        return cls(rules, agents, int(header["seed"]), tuple(map(str, header["networks"])))


@dataclass(frozen=True)
class Game:
    """One game of a tournament.

    Attributes:
        deal: its number.
        seating: the agent of each sheet, by number, T.
        scores: of each sheet at the end: T × C counters in Ingenious, T numbers in Loopit.
        ranks: the rank of each sheet, T.
        decisions: how often each sheet's agent was asked, T.
        seconds: how long it took over that in all, T.
    """

    deal: int
    seating: tuple[int, ...]
    scores: list[Any]
    ranks: list[int]
    decisions: list[int]
    seconds: list[float]

    def line(self) -> str:
        """The game as a line of a log."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_line(cls, line: str) -> Game:
        """The game of a line; ValueError if it is none."""
        try:
            values = json.loads(line)
            return cls(**{**values, "seating": tuple(values["seating"])})
        except (TypeError, KeyError) as error:
            msg = f"this is no game: {line[:60]!r}"
            raise ValueError(msg) from error

    def check(self, rules: AnyRules) -> None:
        """ValueError if it cannot be a game of these rules."""
        sheets = rules.num_sheets
        sizes = [len(self.seating), len(self.ranks), len(self.decisions), len(self.seconds)]
        if (
            sizes != [sheets] * len(sizes)
            or np.shape(self.scores) != variant_of(rules).scores[1]
            or not all(1 <= rank <= sheets for rank in self.ranks)
            or 1 not in self.ranks
        ):
            variant = definition_of(rules).rules_to_text(rules)
            msg = f"this is no game of {variant}: {self.line()[:60]!r}"
            raise ValueError(msg)


class Log:
    """The file of a tournament: a header, then a line a game, in whole deals of a group.

    A last deal that was cut off while it was written is dropped when the file is opened again.
    """

    def __init__(self, path: Path, tournament: Tournament) -> None:
        self.path = path
        self.tournament = tournament
        self.games: dict[tuple[int, ...], list[Game]] = {group: [] for group in tournament.groups}

    @classmethod
    def open(cls, path: Path, tournament: Tournament) -> Log:
        """Go on with a log, or begin one; ValueError if the file has games of another tournament."""
        log = (
            cls.load(path, type(tournament))
            if path.exists() and path.stat().st_size
            else cls(path, tournament)
        )
        if log.tournament != tournament:
            if any(log.games.values()):
                other = f"another tournament, {json.dumps(log.tournament.header())}"
                if replace(log.tournament, networks=tournament.networks) == tournament:
                    other = "this tournament with other weights of its agents"
                msg = f"{path} is the log of {other}; give another --out, or remove it"
                raise ValueError(msg)
            log = cls(path, tournament)
        path.parent.mkdir(parents=True, exist_ok=True)
        log.save()
        return log

    @classmethod
    def load(cls, path: Path, kind: type[Tournament] = Tournament) -> Log:
        """Read a log of a kind of tournament, whole deals alone; ValueError if the file is none."""
        try:
            first, *lines = path.read_text(encoding="utf-8").split("\n")
            log = cls(path, kind.from_header(json.loads(first)))
            for line in lines[:-1]:  # what stands behind the last end of a line was cut off
                game = Game.from_line(line)
                game.check(log.tournament.rules)
                log.games[tuple(sorted(game.seating))].append(game)
        except (ValueError, KeyError, TypeError) as error:
            msg = f"{path} is no log of a tournament: {error!r}"
            raise ValueError(msg) from error
        for group, played in log.games.items():
            del played[len(played) // len(group) * len(group) :]
            deals = range(log.deals(group))
            expected = [(deal, seating) for deal in deals for seating in log.tournament.seatings(group, deal)]
            if [(game.deal, game.seating) for game in played] != expected:
                msg = f"{path}: the deals of the agents {group} are not 0, 1, 2 and so on, in every seating"
                raise ValueError(msg)
        return log

    def save(self) -> None:
        """Write the file anew, group by group: the same games are the same file, whoever played them."""
        lines = [json.dumps(self.tournament.header()), *(game.line() for game in self)]
        write_text(self.path, "\n".join(lines) + "\n")

    def __iter__(self) -> Iterator[Game]:
        """All games, group by group."""
        for games in self.games.values():
            yield from games

    def deals(self, group: tuple[int, ...]) -> int:
        """How many deals a group has played."""
        return len(self.games[group]) // len(group)

    def add(self, group: tuple[int, ...], games: Sequence[Game]) -> None:
        """Append games of a group's next deals."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(game.line() + "\n" for game in games))
        self.games[group] += games
