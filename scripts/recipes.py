"""The strength of what the quick budget of `scripts.train_value` learns, over several seeds.

    python -m scripts.recipes                                    # all presets of both games, three seeds each
    python -m scripts.recipes two solitaire --game ingenious --seeds 5

Each network is trained anew by the command's defaults, and meets the opponent of the learning curve on all
other score sheets; in solitaire it plays alone. Networks stay in `--folder`. Finished rows are saved; the
same command continues after an interruption, within a training, too.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Annotated

import tyro
from ingenious_agents.commands.command_line import (
    Count,
    GameName,
    checking,
    command,
    entering,
    hint,
    needs_extra,
    read,
    writable,
)
from ingenious_agents.tables import Format, Number, Table, written
from ingenious_agents.training.evaluation import NOBODY, evaluate, met_by
from ingenious_agents.value.agent import ValueAgent
from tqdm import tqdm

from ingenious_env.engine.definition import AnyRules, definitions
from ingenious_env.engine.files import read_text

with needs_extra("python -m scripts.recipes", "torch"):
    from ingenious_agents.training.checkpoint import AGENT, CURVE

    from scripts import saved_rows, train_value
    from scripts.presets import Presets, check_presets, chosen_presets

PROG = "python -m scripts.recipes"
COLUMNS = ("preset", "games", "least seconds", "against", "mean result", "standard deviation", "seeds")


@dataclass(frozen=True)
class Row:
    """The result of one training.

    Attributes:
        game: its name.
        preset: of the game.
        seed: of the training.
        games: of the training.
        seconds: that it took.
        opponent: on all other sheets.
        deals: played from each seat.
        result: the share of wins, in solitaire the mean lowest counter less the luck of the draw.
        low: the end of the result's 95 % interval.
        high: the other end.
        weights: the fingerprint of the network.
    """

    game: str
    preset: str
    seed: int
    games: int
    seconds: float
    opponent: str
    deals: int
    result: float
    low: float
    high: float
    weights: str


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    presets: Presets = ()
    """presets to train"""
    game: Annotated[GameName | None, tyro.conf.arg(metavar="GAME"), hint("both")] = None
    """only presets of this game"""
    seeds: Count = 3
    """training runs of each preset, by the seeds 0, 1, …"""
    deals: Count = 500
    """deals of each evaluation, each played once from each seat"""
    folder: Path = Path("runs/recipes")
    """folder of the training runs"""
    out: Path = Path("runs/recipes.json")
    """the file of finished rows"""
    format: Format = "markdown"
    """of the table"""

    def check(self) -> None:
        """ValueError if there is no such preset."""
        check_presets(self.presets, games_and_presets(self.game), "preset")

    @property
    def chosen(self) -> list[tuple[str, str]]:
        """The games and presets to train."""
        return chosen_presets(self.presets, games_and_presets(self.game))


def games_and_presets(game: str | None) -> list[tuple[str, str]]:
    """The names of all presets of a game, or of all games."""
    return [
        (name, preset)
        for name, definition in definitions().items()
        if game in (None, name)
        for preset in definition.presets
    ]


def row_of(game: str, preset: str, seed: int, deals: int, folder: Path) -> Row:
    """Train and evaluate one network; goes on with the checkpoint of the folder, if there is one."""
    rules: AnyRules = definitions()[game].presets[preset].rules
    table = ["--partnership"] if preset == "partnership" else ["--players", str(rules.num_players)]
    where = folder / f"{game}-{preset}-{seed}"
    resumed = ["--resume"] if (where / "checkpoint.pt").exists() else []
    brief = ["--evaluations", "1", "--deals", "2"]
    train_value.main(["--game", game, *table, "--seed", str(seed), "--folder", str(where), *brief, *resumed])
    curve = list(csv.DictReader(read_text(where / CURVE).splitlines()))
    if not curve:
        raise KeyboardInterrupt  # the training was stopped, and has been told so
    agent = ValueAgent(str(where / AGENT))
    (opponent, *_) = met_by(rules, train_value.OPPONENTS[game])
    result, low, high = evaluate(agent, rules, deals, opponent, progress=True).best
    return Row(
        game=game,
        preset=preset,
        seed=seed,
        games=int(float(curve[-1]["games"])),
        seconds=float(curve[-1]["seconds"]),
        opponent=opponent,
        deals=deals,
        result=result,
        low=low,
        high=high,
        weights=agent.fingerprint(rules),
    )


def rows_in(path: Path) -> list[Row]:
    """The finished rows of a file, if there is one; ValueError if it is not a file of this script."""
    return saved_rows.rows_in(path, "rows", Row, PROG)


def table_of(rows: Sequence[Row]) -> Table:
    """The mean result of each preset, as a table.

    With the seconds of the fastest training: other work on the machine only lengthens them.
    """
    texts: list[Sequence[str]] = []
    records: list[Mapping[str, Number]] = []
    for game, preset in dict.fromkeys((row.game, row.preset) for row in rows):
        mine = [row for row in rows if (row.game, row.preset) == (game, preset)]
        results, opponent = [row.result for row in mine], mine[0].opponent
        mean, deviation = fmean(results), stdev(results) if len(mine) > 1 else None
        shown = (f"{each:.2f}" if opponent == NOBODY else f"{each:.1%}" for each in (mean, deviation or 0))
        texts.append(
            (
                f"{game} {preset}",
                f"{mine[0].games:,}",
                f"{min(row.seconds for row in mine):.0f}",
                opponent,
                *(each.replace("%", " %") for each in shown),
                str(len(mine)),
            )
        )
        records.append(
            {"game": game, "preset": preset, "mean": mean, "deviation": deviation, "seeds": len(mine)}
        )
    return Table("recipes", COLUMNS, texts, records)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, train what is missing, and print the table."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            out = writable(args.out)
        wanted = [(*each, seed) for seed in range(args.seeds) for each in args.chosen]
        with entering(saved_rows.continued(out, rows_in)) as saved:
            rows, here = {(row.game, row.preset, row.seed): row for row in saved}, saved_rows.made(out)
            for each in tqdm(wanted, unit="training"):
                if each not in rows or rows[each].deals != args.deals:
                    rows[each] = row_of(*each, args.deals, args.folder)
                    saved_rows.save(out, here, (rows[key] for key in sorted(rows)))
        by_preset = sorted(wanted, key=lambda each: args.chosen.index(each[:2]))
        print(written([table_of([rows[each] for each in by_preset])], args.format))


if __name__ == "__main__":
    main()
