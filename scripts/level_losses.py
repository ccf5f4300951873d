"""Losses of the ten levels per move, from which pages estimate the level of a player after one game.

    python -m scripts.level_losses                                # all tables
    python -m scripts.level_losses two --game loopit --games 100
    python -m scripts.level_losses --out ingenious_env/policies/level_losses.json

A level plays one seat, and each other seat has any level. The loss of a game is the mean share of the chance
of winning that a move gives up, in solitaire the mean number of spaces, as the network judges it
(`ingenious_env/policies/estimate.py`); a row has the median and the middle 95 % of the games. Finished rows
are saved; the same command continues after an interruption.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from ingenious_agents.commands.command_line import (
    Count,
    GameName,
    Seed,
    checking,
    command,
    entering,
    hint,
    read,
    writable,
)
from ingenious_agents.tables import Format, Table, written
from tqdm import tqdm

from ingenious_env.engine.definition import AnyRules, definition_of, definitions
from ingenious_env.policies.estimate import mean_loss
from ingenious_env.policies.judging import judge
from ingenious_env.policies.levels import STRENGTHS, Level
from ingenious_env.policies.value import Value, unit_of
from ingenious_env.policies.view import View, begin_games, flat_actions
from scripts import saved_rows
from scripts.presets import Presets, check_presets, chosen_presets

PROG = "python -m scripts.level_losses"
COLUMNS = ("table", "level", "games", "mean loss", "middle 95 %")


@dataclass(frozen=True)
class Row:
    """The losses of one level at one table.

    Attributes:
        game: its name.
        preset: of the game.
        level: from 1.
        games: that were played.
        seed: of the deals and of the other levels.
        measured: games with enough moves that count.
        median: of their mean losses.
        low: the end of the middle 95 %.
        high: the other end.
    """

    game: str
    preset: str
    level: int
    games: int
    seed: int
    measured: int
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    presets: Presets = ()
    """tables to measure"""
    game: Annotated[GameName | None, tyro.conf.arg(metavar="GAME"), hint("both")] = None
    """only tables of this game"""
    games: Count = 200
    """games of each level at each table"""
    seed: Seed = 77
    """of the deals"""
    out: Path = Path("runs/level_losses.json")
    """the file of finished rows"""
    format: Format = "markdown"
    """of the table"""

    def check(self) -> None:
        """ValueError if there is no such table."""
        check_presets(self.presets, tables_of(self.game), "table with levels")

    @property
    def wanted(self) -> list[tuple[str, str, int]]:
        """The tables and levels to measure."""
        return [
            (*each, level)
            for each in chosen_presets(self.presets, tables_of(self.game))
            for level in range(1, len(STRENGTHS) + 1)
        ]


def tables_of(game: str | None) -> list[tuple[str, str]]:
    """The names of the games and presets that have levels."""
    return [
        (name, preset)
        for name in STRENGTHS[0].policies
        if game in (None, name)
        for preset in definitions()[name].presets
    ]


def losses(rules: AnyRules, level: int, games: int, seed: int) -> list[float]:
    """The mean loss of a level in each game that has one."""
    found = []
    definition, judging = definition_of(rules), Value()
    chance = np.random.default_rng((seed, level))
    for number in tqdm(range(games), unit="game", desc=f"level {level}", leave=False):
        seat = number % rules.num_players
        players = [Level(int(each)) for each in chance.integers(1, len(STRENGTHS) + 1, rules.num_players)]
        players[seat] = Level(level)
        game = definition.game(rules, (seed, number * len(STRENGTHS) + level))
        for player in players:
            begin_games(player, View.of(game).keys)
        judged = []
        while not game.is_over:
            action = int(flat_actions(players[game.to_play], View.of(game))[0])
            if game.to_play == seat:
                judged.append(judge(judging, game, action))
            game.play(action)
        mean = mean_loss(judged)
        if mean is not None:
            found.append(mean)
    return found


def row_of(game: str, preset: str, level: int, games: int, seed: int) -> Row:
    """Measure one level at one table; ValueError if no game had enough positions that were not decided."""
    found = losses(definitions()[game].presets[preset].rules, level, games, seed)
    if not found:
        msg = f"all games of level {level} at {game} {preset} were decided too early: play more --games"
        raise ValueError(msg)
    median, low, high = (round(float(each), 4) for each in np.quantile(found, (0.5, 0.025, 0.975)))
    return Row(game, preset, level, games, seed, len(found), median, low, high)


def rows_in(path: Path) -> list[Row]:
    """The finished rows of a file, if there is one; ValueError if it is not a file of this script."""
    return saved_rows.rows_in(path, "rows", Row, PROG)


def _written(row: Row, loss: float) -> str:
    """A loss in its unit."""
    unit = unit_of(definitions()[row.game].presets[row.preset].rules)
    return f"{loss:.1%}".replace("%", " %") if unit == "win" else f"{loss:.2f} {unit}"


def table_of(rows: Sequence[Row]) -> Table:
    """The rows as a table."""
    texts = [
        (
            f"{row.game} {row.preset}",
            str(row.level),
            str(row.measured),
            _written(row, row.median),
            f"{_written(row, row.low)} to {_written(row, row.high)}",
        )
        for row in rows
    ]
    return Table("level_losses", COLUMNS, texts, [asdict(row) for row in rows])


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, measure what is missing, and print the table."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            out = writable(args.out)
        with entering(saved_rows.continued(out, rows_in)) as saved:
            rows, here = {(row.game, row.preset, row.level): row for row in saved}, saved_rows.made(out)
            for key in tqdm(args.wanted, unit="level"):
                if key not in rows or (rows[key].games, rows[key].seed) != (args.games, args.seed):
                    rows[key] = row_of(*key, args.games, args.seed)
                    saved_rows.save(out, here, (rows[each] for each in sorted(rows)))
        print(written([table_of([rows[key] for key in args.wanted])], args.format))


if __name__ == "__main__":
    main()
