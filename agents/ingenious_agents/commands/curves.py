"""The learning curves of several training runs in one plot.

    ingenious curves runs/one runs/two                  # writes runs/curves.svg
    ingenious curves runs/value runs/ppo --by seconds --column greedy:utility=concave --out both.pdf

Each folder is one of a training (`--folder` of scripts.train_value and scripts.train_ppo), and has its curve
in `curve.csv`. The plot has a line per training: its results with their 95 % intervals, by games or steps, or
by seconds of training. Results are named by the opponent, `nobody` in solitaire; the first is shown, or that
which --column names.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import numpy as np
import tyro
from numpy.typing import NDArray

from ingenious_agents.commands.command_line import InputError, checking, command, hint, read, writable
from ingenious_agents.evaluation.plots import check_plots, draw_curves
from ingenious_agents.training.evaluation import NOBODY
from ingenious_env.engine.files import read_text

PROG = "ingenious curves"
FORMATS = (".svg", ".pdf")
FIRST = 2
"""The column of the first result, behind the amount played and the seconds."""


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    folders: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="FOLDER")] = ()
    """folders of training runs"""
    by: Literal["amount", "seconds"] = "amount"
    """the horizontal axis: the games or steps played, or the seconds of training"""
    column: Annotated[str | None, tyro.conf.arg(metavar="NAME"), hint("the first result")] = None
    """the result, by its name in the first line of the curve"""
    out: Path = Path("runs/curves.svg")
    """the file of the plot, .svg or .pdf"""

    def check(self) -> None:
        """ValueError if there is no training, or the plot has another format."""
        if not self.folders:
            msg = "give a folder or more"
            raise ValueError(msg)
        if self.out.suffix not in FORMATS:
            msg = f"--out must end with {' or '.join(FORMATS)}, not {self.out.name!r}"
            raise ValueError(msg)


class Curve(NamedTuple):
    """A learning curve.

    Attributes:
        names: of the columns: the amount played, seconds, and for each result its name, its low and its high
            end.
        points: float64 [points, columns].
    """

    names: tuple[str, ...]
    points: NDArray[np.float64]


def curve_in(folder: Path) -> Curve:
    """The curve of a training; ValueError if the file is not a learning curve, OSError if it is missing."""
    path = folder / "curve.csv"
    names, *rows = list(csv.reader(read_text(path).splitlines())) or [[]]
    try:
        points = np.array(rows, np.float64).reshape(len(rows), len(names))
    except ValueError:
        points = np.empty((0, 0))
    if len(names) <= FIRST or (len(names) - FIRST) % 3 or points.shape[1:] != (len(names),):
        msg = f"{path} is not the learning curve of a training"
        raise ValueError(msg)
    return Curve(tuple(names), points)


def line_of(curve: Curve, folder: Path, by: str, column: str) -> NDArray[np.float64]:
    """The line of a curve, float64 [points, 4]: the place, the result, and the ends of its interval.

    Raises:
        InputError: the curve has no such result.
    """
    results = curve.names[FIRST::3]
    if column not in results:
        msg = f"--column must be one of {', '.join(results)} for {folder}, not {column}"
        raise InputError(msg)
    first = curve.names.index(column)
    return curve.points[:, [1 if by == "seconds" else 0, first, first + 1, first + 2]]


def title_of(column: str) -> str:
    """The quantity in a column, in words; `train_value` called it "result" before."""
    if column == "result":
        return column
    return "mean lowest counter" if column == NOBODY else f"share of wins against {column}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, draw the plot and print its path."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            check_plots()
            curves = {folder: curve_in(folder) for folder in args.folders}
            amounts = {curve.names[0] for curve in curves.values()}
            if args.by == "amount" and len(amounts) > 1:
                msg = f"the curves count {' and '.join(sorted(amounts))}: give --by seconds"
                raise ValueError(msg)
            shown = {args.column or curve.names[FIRST] for curve in curves.values()}
            if len(shown) > 1:
                msg = f"the curves show results against {' and '.join(sorted(shown))}: name one by --column"
                raise ValueError(msg)
            out = writable(args.out)
        [column] = shown
        lines = {str(folder): line_of(curve, folder, args.by, column) for folder, curve in curves.items()}
        across = "seconds of training" if args.by == "seconds" else amounts.pop()
        draw_curves(out, lines, across, title_of(column))
        print(out)


if __name__ == "__main__":
    main()
