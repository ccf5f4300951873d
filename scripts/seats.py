"""What a seat is worth, and how much of a result is luck: games of agents against themselves.

    python -m scripts.seats                                       # all presets of both games
    python -m scripts.seats planner --games 2000 --game loopit

A row for each preset and agent: the result of each score sheet in turn order, less the luck of the draw, and
the variance of results over the variance that is left once luck is subtracted. All sheets are played by the
same agent, so that results differ by seat and luck only. Finished rows are saved; the same command continues
after an interruption.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from ingenious_agents import make_agent
from ingenious_agents.commands.command_line import (
    Agents,
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
from ingenious_agents.evaluation.match import BATCH, play_out, win_shares
from ingenious_agents.evaluation.solitaire import half_width
from ingenious_agents.evaluation.statistics import MIN_DEALS, luck_adjusted
from ingenious_agents.tables import Format, Table, written
from numpy.typing import NDArray
from tqdm import tqdm

from ingenious_env import GameBatch
from ingenious_env.engine.definition import AnyRules, definitions
from ingenious_env.policies import has_draw_luck
from ingenious_env.policies.luck import relative_luck
from ingenious_env.policies.view import check_plays
from scripts import saved_rows

PROG = "python -m scripts.seats"
COLUMNS = (
    "preset",
    "agent",
    "games",
    "luck-adjusted result of each seat in turn order",
    "variance over what is left",
)


@dataclass(frozen=True)
class Row:
    """The results of an agent against itself.

    Attributes:
        preset: of the game.
        agent: its name.
        games: their number.
        seed: of the deals.
        plain: the mean result of each sheet in turn order: the share of the win, in solitaire the lowest
            counter.
        adjusted: the same, luck-adjusted.
        half_widths: half the widths of the 95 % intervals of these.
        saved: the variance of results over the variance of luck-adjusted results, of all sheets together.
    """

    preset: str
    agent: str
    games: int
    seed: int
    plain: list[float]
    adjusted: list[float]
    half_widths: list[float]
    saved: float

    def texts(self) -> tuple[str, ...]:
        """The row as texts."""
        scale, sign = (1, "") if len(self.plain) == 1 else (100, " %")
        seats = ", ".join(
            f"{scale * mean:.1f} ± {scale * half:.1f}{sign}"
            for mean, half in zip(self.adjusted, self.half_widths, strict=True)
        )
        return self.preset, self.agent, str(self.games), seats, f"{self.saved:.2f}"


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    agents: Agents = ("greedy", "value")
    """agents, named as in docs/reference/agents.md"""
    game: Annotated[GameName | None, tyro.conf.arg(metavar="GAME"), hint("both")] = None
    """only presets of this game"""
    games: Count = 1000
    """games of each preset and agent"""
    seed: Seed = 37
    """of the deals"""
    out: Path = Path("runs/seats.json")
    """the file of finished rows"""
    format: Format = "markdown"
    """of the table"""

    def check(self) -> None:
        """ValueError if too few games are played to subtract luck."""
        if self.games < MIN_DEALS:
            msg = f"--games must be at least {MIN_DEALS}, not {self.games}: luck is not subtracted from fewer"
            raise ValueError(msg)


def results_of(rules: AnyRules, agent: Any, games: int, seed: int) -> tuple[NDArray[np.float64], ...]:
    """The results and the luck of each sheet, float64 [games, T] each, of an agent against itself."""
    results, luck = [], []
    for first in range(0, games, BATCH):
        batch = GameBatch(rules, min(BATCH, games - first), 0)
        batch.seed(seed, first)
        played = play_out(batch, [agent] * rules.num_sheets, luck=True)
        alone = rules.num_sheets == 1
        results.append(batch.scores.min(axis=2).astype(float) if alone else win_shares(batch.ranks))
        luck.append(relative_luck(np.asarray(played.luck)))
    return np.concatenate(results), np.concatenate(luck)


def row_of(preset: str, rules: AnyRules, name: str, games: int, seed: int) -> Row:
    """The row of a preset and an agent."""
    results, luck = results_of(rules, make_agent(name), games, seed)
    deals = np.arange(games)
    adjusted = np.stack(
        [luck_adjusted(mine, drawn, deals) for mine, drawn in zip(results.T, luck.T, strict=True)], axis=1
    )
    return Row(
        preset=preset,
        agent=name,
        games=games,
        seed=seed,
        plain=results.mean(axis=0).tolist(),
        adjusted=adjusted.mean(axis=0).tolist(),
        half_widths=[half_width(mine) for mine in adjusted.T],
        saved=float(results.var(axis=0).sum() / adjusted.var(axis=0).sum()),
    )


def rows_in(path: Path) -> list[Row]:
    """The finished rows of a file, if there is one; ValueError if it is not a file of this script."""
    return saved_rows.rows_in(path, "rows", Row, PROG)


def presets_of(game: str | None) -> dict[str, AnyRules]:
    """The presets in which luck can be measured, by game and name."""
    return {
        f"{name} {preset}": each.rules
        for name, definition in definitions().items()
        if game in (None, name)
        for preset, each in definition.presets.items()
        if has_draw_luck(each.rules)
    }


def table_of(rows: Sequence[Row]) -> Table:
    """The rows as a table."""
    return Table("seats", COLUMNS, [row.texts() for row in rows], [asdict(row) for row in rows])


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play what is missing, and print all rows."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        presets = presets_of(args.game)
        wanted = []
        with checking():
            out = writable(args.out)
            for preset, rules in presets.items():
                for name in args.agents:
                    check_plays(make_agent(name), rules)
                    wanted.append((preset, name))
        with entering(saved_rows.continued(out, rows_in)) as saved:
            rows, here = {(row.preset, row.agent): row for row in saved}, saved_rows.made(out)
            for preset, name in tqdm(wanted, unit="row"):
                found = rows.get((preset, name))
                if found is None or (found.games, found.seed) != (args.games, args.seed):
                    rows[preset, name] = row_of(preset, presets[preset], name, args.games, args.seed)
                    saved_rows.save(out, here, rows.values())
        print(written([table_of([rows[each] for each in wanted])], args.format))


if __name__ == "__main__":
    main()
