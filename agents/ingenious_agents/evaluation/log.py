"""Logs of tournaments and studies: a line of JSON per game, each complete without the others.

    {"format": "ingenious games 3", "game": "ingenious", "rules": …, "seed": 0, "deal": 12,
     "agents": ["value", "greedy"], "networks": ["5e0c…", ""], "scores": …, "ranks": [1, 2],
     "luck": [0.1, -0.2], "decisions": [18, 17], "seconds": [0.004, 0.0001], "actions": [131, …]}

Lists are by sheet, in turn order; actions are those of all sheets, flat, in the order of play. So other
programs can read a log line by line, and a game can be replayed without its agents. `Log` reads whole deals
of each group of agents from 0 on, in their order: groups can be left out, and logs of the same variant and
seed can be joined if no group is in both.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from ingenious_agents.evaluation.tournament import GameResult, Tournament
from ingenious_env.engine.definition import AnyRules, definition_of, definitions, variant_of
from ingenious_env.engine.files import read_text, write_text
from ingenious_env.engine.seeding import check_seed
from ingenious_env.engine.text import logged_lines

FORMAT = "ingenious games 3"
RESULTS = [field.name for field in fields(GameResult) if field.name not in ("deal", "seating")]
KEYS = ["format", "game", "rules", "seed", "deal", "agents", "networks", *RESULTS]
START = f'{{"format":"{FORMAT}",'
MAX_QUOTE = 200  # characters of an error message, which may quote the file
MAX_NAME = 500  # characters of the name of an agent
MAX_WHOLE = 2**31 - 1
MAX_SECONDS = 1_000_000_000
MAX_LUCK = 1_000_000
MAX_BYTES = 2**30  # of a compressed log, which could have any size otherwise
COMPRESSED = ".gz"
AGAIN = re.compile(r" \(\d+\)$")
"""The suffix of the label of an agent that is named again."""


def line_of(tournament: Tournament, game: GameResult) -> str:
    """A game as a line of a log, without the end of the line."""
    definition, labels = definition_of(tournament.rules), tournament.labels
    networks = tournament.networks or ("",) * len(labels)
    values = {
        "format": FORMAT,
        "game": definition.name,
        "rules": definition.rules_to_text(tournament.rules),
        "seed": tournament.seed,
        "deal": game.deal,
        "agents": [labels[agent] for agent in game.seating],
        "networks": [networks[agent] for agent in game.seating],
        **{name: getattr(game, name) for name in RESULTS},
    }
    return json.dumps(values, separators=(",", ":"))


@dataclass(frozen=True)
class Line:
    """A line of a log, as read.

    Attributes:
        rules: the variant.
        seed: of the deals.
        labels: of the agents by sheet.
        networks: the digests of their weights.
        values: of its `GameResult`, but for the seating.
    """

    rules: AnyRules
    seed: int
    labels: tuple[str, ...]
    networks: tuple[str, ...]
    values: dict[str, Any]

    def result(self, numbers: Mapping[str, int]) -> GameResult:
        """The game, from the numbers of the agents by their labels."""
        return GameResult(seating=tuple(numbers[label] for label in self.labels), **self.values)


def read_line(text: str) -> Line:
    """A line of a log; ValueError if it is not one."""
    values = json.loads(text)
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        found = values.get("format") if isinstance(values, dict) else None
        msg = f"a line must be an object of the format {FORMAT!r}, not {found!r}: {text[:60]!r}"
        raise ValueError(msg)
    wrong = [name for name in KEYS if name not in values] or [name for name in values if name not in KEYS]
    if wrong:
        msg = f"this is not a game, by {wrong[0]}: {text[:60]!r}"
        raise ValueError(msg)
    if values["game"] not in definitions():
        msg = f"the game must be one of {', '.join(definitions())}, not {values['game']!r}"
        raise ValueError(msg)
    for name in ("agents", "networks"):
        if not isinstance(values[name], list) or not all(isinstance(each, str) for each in values[name]):
            msg = f"{name} must be texts, not {values[name]!r}"
            raise ValueError(msg)
        if any(len(each) > MAX_NAME for each in values[name]):
            msg = f"{name} must have at most {MAX_NAME} characters each"
            raise ValueError(msg)
    rules = _rules(values["game"], values["rules"])
    line = Line(
        rules,
        check_seed(values["seed"]),
        tuple(values["agents"]),
        tuple(values["networks"]),
        {name: values[name] for name in ("deal", *RESULTS)},
    )
    if not len(set(line.labels)) == len(line.labels) == len(line.networks) == rules.num_sheets:
        msg = f"there must be an agent for each of {rules.num_sheets} sheets, and its network: {text[:60]!r}"
        raise ValueError(msg)
    wrong_with = _wrong_with(line.result(dict.fromkeys(line.labels, 0)), rules)
    if wrong_with:
        msg = f"this is not a game of {values['rules']}, {wrong_with}: {text[:60]!r}"
        raise ValueError(msg)
    return line


@lru_cache(maxsize=8)
def _rules(game: str, text: str) -> Any:
    """The variant of a line, which is that of most lines of a log."""
    return definitions()[game].text_to_rules(text)


def _wrong_with(game: GameResult, rules: AnyRules) -> str:
    """The reason why a game is not one of these rules; "" if it is one."""
    sheets, definition = rules.num_sheets, definition_of(rules)
    by_sheet = {
        field.name: getattr(game, field.name)
        for field in fields(game)
        if field.name not in ("deal", "scores", "actions")
    }
    if game.luck is None:
        del by_sheet["luck"]
    for name, values in by_sheet.items():
        if not isinstance(values, list | tuple) or len(values) != sheets:
            return f"{name} must have {sheets} entries"
    if not _whole([game.deal, *game.seating, *game.ranks, *game.decisions]):
        return "deal, seating, ranks and decisions must be whole numbers of at least 0"
    if not all(type(each) in (int, float) and 0 <= each <= MAX_SECONDS for each in game.seconds):
        return f"seconds must be numbers from 0 to {MAX_SECONDS}"
    luck = game.luck or ()
    if not all(type(each) in (int, float) and isfinite(each) and abs(each) <= MAX_LUCK for each in luck):
        return "luck must be finite numbers, or null"
    num_actions = variant_of(rules).flat_actions.size
    if not isinstance(game.actions, list) or not _whole(game.actions, num_actions - 1):
        return f"actions must be whole numbers from 0 to {num_actions - 1}"
    if len(game.actions) != sum(game.decisions):
        return "it has not as many actions as decisions"
    shape, most = variant_of(rules).scores[1], definition.max_score(rules)
    counters = [each for sheet in game.scores for each in (sheet if isinstance(sheet, list) else [sheet])]
    if np.shape(game.scores) != shape or not _whole(counters, most):
        return f"scores must be whole numbers from 0 to {most}, {list(shape)}"
    if definition.rank(np.array(game.scores)).tolist() != game.ranks:
        return "its ranks do not follow from its scores"
    return ""


def _whole(values: Sequence[Any], most: int = MAX_WHOLE) -> bool:
    return all(type(value) is int and 0 <= value <= most for value in values)


def log_bytes(path: Path) -> bytes:
    """The content of a log, which may be compressed; with the line ends of Unix on any system.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is not compressed as its name says, or is too large.
    """
    if path.suffix != COMPRESSED:
        return path.read_bytes().replace(b"\r\n", b"\n")
    try:
        with gzip.GzipFile(path) as file:
            content = file.read(MAX_BYTES + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        msg = f"{path} is not a gzip file: {error}"
        raise ValueError(msg) from error
    if len(content) > MAX_BYTES:
        msg = f"{path} has more than {MAX_BYTES} bytes"
        raise ValueError(msg)
    return content.replace(b"\r\n", b"\n")


class Log:
    """The file of a tournament: its games in complete deals of a group, and perhaps those of other agents.

    An incomplete last deal, as a killed process leaves it, is dropped on opening.

    Attributes:
        path: of the file.
        tournament: the plan.
        games: by group.
        others: lines of groups that are not in the plan, which stay in the file.
    """

    def __init__(self, path: Path, tournament: Tournament) -> None:
        self.path = path
        self.tournament = tournament
        self.games: dict[tuple[int, ...], list[GameResult]] = {group: [] for group in tournament.groups}
        self.others: list[str] = []

    @property
    def stem(self) -> Path:
        """The path without the ends of names of logs, from which plots are named."""
        return self.path.with_name(self.path.name.removesuffix(COMPRESSED).removesuffix(".jsonl"))

    @classmethod
    def open(cls, path: Path, tournament: Tournament) -> Log:
        """Open a log or create it.

        Raises:
            ValueError: the file has games of another variant or seed, of an agent with other weights, or with
                the other choice of luck, its name is that of a compressed one, or the name of an agent is too
                long to be read again.
        """
        for label in tournament.labels:
            if len(label) > MAX_NAME:
                msg = f"the name of an agent in a log has at most {MAX_NAME} characters, not {len(label)}: "
                raise ValueError(f"{msg}{label[:60]!r}…")
        if path.suffix == COMPRESSED:
            msg = (
                f"{path} cannot be played into: give a name without {COMPRESSED}; "
                "gzip compresses a finished log"
            )
            raise ValueError(msg)
        log = cls(path, tournament)
        if path.exists():
            lines = cls._lines(path)
            log._take(lines)
            if any((line.values["luck"] is not None) != tournament.measures_luck for _, line in lines):
                msg = f"{path} has games played with the other choice of --luck; give another --out"
                raise ValueError(msg)
        path.parent.mkdir(parents=True, exist_ok=True)
        log.save()
        return log

    @classmethod
    def read(cls, path: Path, tournament: Tournament) -> Log:
        """Read a log, which may be compressed, without changing its file; ValueError as for `open`."""
        log = cls(path, tournament)
        log._take(cls._lines(path))
        return log

    @classmethod
    def load(cls, path: Path, kind: type[Tournament] = Tournament) -> Log:
        """Read the complete deals of a log; ValueError if the file is not one of this kind, or is empty."""
        lines = cls._lines(path)
        if not lines:
            msg = f"{path} has no games yet"
            raise ValueError(msg)
        networks: dict[str, str] = {}
        for _, line in lines:
            networks |= dict(zip(line.labels, line.networks, strict=True))
        names = tuple(name if (name := AGAIN.sub("", label)) in networks else label for label in networks)
        kinds = {(line.rules, line.seed) for _, line in lines}
        if len(kinds) > 1:
            msg = f"{path} is not a log of a tournament: its games are of {len(kinds)} variants or seeds"
            raise ValueError(msg)
        ((rules, seed),) = kinds
        try:
            log = cls(path, kind(rules, names, seed, tuple(networks.values())))
        except ValueError as error:
            msg = f"{path} is not a log of a tournament: {error}"
            raise ValueError(msg) from error
        log._take(lines)
        return log

    @staticmethod
    def _lines(path: Path) -> list[tuple[str, Line]]:
        """The lines of a file, with their texts; ValueError if it is not a log."""
        try:
            text = log_bytes(path).decode() if path.suffix == COMPRESSED else read_text(path)
            return [(line, read_line(line)) for line in logged_lines(text, START)]
        except OSError:
            raise
        except Exception as error:  # a damaged file may raise any
            msg = f"{path} is not a log of a tournament: {str(error)[:MAX_QUOTE]}"
            raise ValueError(msg) from error

    def _take(self, lines: Sequence[tuple[str, Line]]) -> None:
        """Take the games of the plan, in complete deals, and keep the lines of others."""
        plan = self.tournament
        numbers = {label: number for number, label in enumerate(plan.labels)}
        for text, line in lines:
            if (line.rules, line.seed) != (plan.rules, plan.seed):
                variant = definition_of(line.rules).rules_to_text(line.rules)
                msg = (
                    f"{self.path} is the log of another tournament, {variant}, seed {line.seed}; "
                    "give another --out, or remove it"
                )
                raise ValueError(msg)
            group = tuple(sorted(numbers.get(label, -1) for label in line.labels))
            if group not in self.games:
                self.others.append(text)
                continue
            game = line.result(numbers)
            for agent, network in zip(game.seating, line.networks, strict=True):
                if plan.networks and plan.networks[agent] != network:
                    msg = (
                        f"{self.path} has games of {plan.labels[agent]} with other weights; "
                        "give another --out, or remove it"
                    )
                    raise ValueError(msg)
            self.games[group].append(game)
        for group, played in self.games.items():
            del played[len(played) // len(group) * len(group) :]
            deals = range(self.deals(group))
            expected = [(deal, seating) for deal in deals for seating in plan.seatings(group, deal)]
            if [(game.deal, game.seating) for game in played] != expected:
                names = ", ".join(plan.labels[agent] for agent in group)
                msg = f"{self.path}: the deals of {names} are not 0, 1, 2 and so on, in every seating"
                raise ValueError(msg)

    def save(self) -> None:
        """Rewrite the file sorted by groups, so that equal games give equal files."""
        lines = [*(line_of(self.tournament, game) for game in self), *self.others]
        write_text(self.path, "".join(f"{line}\n" for line in lines))

    def __iter__(self) -> Iterator[GameResult]:
        """All games of the plan, group by group."""
        for games in self.games.values():
            yield from games

    def deals(self, group: tuple[int, ...]) -> int:
        """The number of deals that a group has played."""
        return len(self.games[group]) // len(group)

    def add(self, group: tuple[int, ...], games: Sequence[GameResult]) -> None:
        """Append games of a group's next deals."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(line_of(self.tournament, game) + "\n" for game in games))
        self.games[group] += games
