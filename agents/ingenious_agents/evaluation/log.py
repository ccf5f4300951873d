"""Logs of tournaments and studies: a header, then one line of JSON per game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from ingenious_agents.evaluation.tournament import GameResult, Tournament
from ingenious_env.engine.definition import AnyRules, definition_of, variant_of
from ingenious_env.engine.files import read_text, write_text
from ingenious_env.engine.text import lines_of

MAX_QUOTE = 200  # characters of an error message, which may quote the file
MAX_WHOLE = 2**31 - 1
MAX_SECONDS = 1_000_000_000


def line_of(game: GameResult) -> str:
    """A game as a line of a log, without the end of the line."""
    return json.dumps(asdict(game), separators=(",", ":"))


def game_of(line: str, rules: AnyRules) -> GameResult:
    """The game of a line; ValueError if it is not a game of these rules."""
    values = json.loads(line)
    try:
        game = GameResult(**{**values, "seating": tuple(values["seating"])})
    except (TypeError, KeyError) as error:
        msg = f"this is no game: {line[:60]!r}"
        raise ValueError(msg) from error
    wrong = _wrong_with(game, rules)
    if wrong:
        variant = definition_of(rules).rules_to_text(rules)
        msg = f"this is no game of {variant}, {wrong}: {line[:60]!r}"
        raise ValueError(msg)
    return game


def _wrong_with(game: GameResult, rules: AnyRules) -> str:
    """The reason why a game is not one of these rules; "" if it is one."""
    sheets, definition = rules.num_sheets, definition_of(rules)
    by_sheet = {
        field.name: getattr(game, field.name)
        for field in fields(game)
        if field.name not in ("deal", "scores")
    }
    for name, values in by_sheet.items():
        if not isinstance(values, list | tuple) or len(values) != sheets:
            return f"{name} must have {sheets} entries"
    if not _whole([game.deal, *game.seating, *game.ranks, *game.decisions]):
        return "deal, seating, ranks and decisions must be whole numbers of at least 0"
    if not all(type(each) in (int, float) and 0 <= each <= MAX_SECONDS for each in game.seconds):
        return f"seconds must be numbers from 0 to {MAX_SECONDS}"
    shape, most = variant_of(rules).scores[1], definition.max_score(rules)
    counters = [each for sheet in game.scores for each in (sheet if isinstance(sheet, list) else [sheet])]
    if np.shape(game.scores) != shape or not _whole(counters, most):
        return f"scores must be whole numbers from 0 to {most}, {list(shape)}"
    if definition.rank(np.array(game.scores)).tolist() != game.ranks:
        return "its ranks do not follow from its scores"
    return ""


def _whole(values: Sequence[Any], most: int = MAX_WHOLE) -> bool:
    return all(type(value) is int and 0 <= value <= most for value in values)


class Log:
    """The file of a tournament: a header, then one line per game, in complete deals of a group.

    An incomplete last deal, as a killed process leaves it, is dropped on opening.
    """

    def __init__(self, path: Path, tournament: Tournament) -> None:
        self.path = path
        self.tournament = tournament
        self.games: dict[tuple[int, ...], list[GameResult]] = {group: [] for group in tournament.groups}

    @classmethod
    def open(cls, path: Path, tournament: Tournament) -> Log:
        """Open a log or create it; ValueError if the file has games of another tournament."""
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
        """Read the complete deals of a log; ValueError if the file is not one of this kind."""
        try:
            text = read_text(path)
            whole, _, _ = text.rpartition("\n")  # an incomplete last line is dropped
            first, *lines = lines_of(whole or text) or [""]
            log = cls(path, kind.from_header(json.loads(first)))
            for line in lines:
                game = game_of(line, log.tournament.rules)
                log.games[tuple(sorted(game.seating))].append(game)
        except OSError:
            raise
        except Exception as error:  # a damaged file may raise any
            msg = f"{path} is no log of a tournament: {str(error)[:MAX_QUOTE]}"
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
        """Rewrite the file sorted by groups, so that equal games give equal files."""
        lines = [json.dumps(self.tournament.header()), *map(line_of, self)]
        write_text(self.path, "\n".join(lines) + "\n")

    def __iter__(self) -> Iterator[GameResult]:
        """All games, group by group."""
        for games in self.games.values():
            yield from games

    def deals(self, group: tuple[int, ...]) -> int:
        """The number of deals that a group has played."""
        return len(self.games[group]) // len(group)

    def add(self, group: tuple[int, ...], games: Sequence[GameResult]) -> None:
        """Append games of a group's next deals."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(line_of(game) + "\n" for game in games))
        self.games[group] += games
