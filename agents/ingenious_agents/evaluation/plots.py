"""Plots of tournaments, solitaire studies and training runs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ingenious_agents import make_agent
from ingenious_agents.evaluation.report import Report
from ingenious_agents.evaluation.solitaire import StudyResult
from ingenious_agents.evaluation.statistics import Share
from ingenious_env import Session
from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.engine.extras import needs
from ingenious_env.engine.files import write_text, written_whole
from ingenious_env.policies.view import Policy
from ingenious_env.render.svg import without_controls

LAST_GAME = 1_000_005  # a seed that no training or evaluation uses
LOOK: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "dejavusans",
    "pdf.fonttype": 42,  # as some publishers do not take Type 3 fonts
    "svg.fonttype": "path",
    "svg.hashsalt": "ingenious",
}
NO_DATE: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
"""So equal figures give equal files."""
DARK = 0.3  # distance of a share from ½ from which its cell is dark


PlotFormat = Literal["svg", "pdf"]


def draw_report(figures: Report, stem: Path, form: PlotFormat = "svg") -> list[Path]:
    """Write `<stem>-ratings.svg`, `-wins`, `-counters` and `-seats`; returns their paths.

    There is no plot of counters where a sheet has one score.

    Args:
        figures: to plot.
        stem: the beginning of the paths.
        form: of the files.
    """
    order = np.argsort(-figures.ratings.ratings, kind="stable").tolist()
    names = [_label(figures.tournament.labels[agent]) for agent in order]
    drawers = {"ratings": _ratings, "wins": _wins, "counters": _counters, "seats": _seats}
    if figures.counters.shape[1] == 1:  # which the table shows
        del drawers["counters"]
    return [
        _draw(stem, name, form, len(names), partial(draw, figures=figures, order=order, names=names))
        for name, draw in drawers.items()
    ]


def draw_study(found: Sequence[StudyResult], stem: Path, form: PlotFormat = "svg") -> list[Path]:
    """Write `<stem>-lowest.svg` and `<stem>-counters.svg` of a solitaire study; returns their paths."""
    return [
        _draw(stem, "lowest", form, len(found), lambda axes: _lowest(axes, found)),
        _draw(stem, "counters", form, len(found), lambda axes: _mean_counters(axes, found)),
    ]


def draw_curve(path: Path, curve: Sequence[Sequence[float]], what: str, names: Sequence[str] = ("",)) -> None:
    """Plot a training's results over time.

    Args:
        path: of the SVG file.
        curve: one row per point: the amount played, seconds, and for each name a result and the ends of its
            interval.
        what: label of the results.
        names: labels of the lines.
    """
    points = np.reshape(curve, (-1, 2 + 3 * len(names)))  # there may be none

    columns = {name: 2 + 3 * number for number, name in enumerate(names)}
    lines = {name: points[:, [1, first, first + 1, first + 2]] for name, first in columns.items()}
    draw_curves(path, lines, "seconds of training", what)


def draw_curves(path: Path, lines: Mapping[str, NDArray[np.float64]], across: str, what: str) -> None:
    """Plot results of one or several training runs.

    Args:
        path: of the SVG or PDF file.
        lines: by label, float64 [points, 4]: the place on the horizontal axis, the result, and the ends of
            its interval.
        across: label of the horizontal axis.
        what: label of the results.
    """

    def draw(axes: Any) -> None:
        for name, points in lines.items():
            place, result, low, high = points.T
            axes.fill_between(place, low, high, alpha=0.3)
            axes.plot(place, result, marker=".", label=_label(name))
        axes.set_xlabel(across)
        axes.set_ylabel(_label(what))
        if len(lines) > 1:
            axes.legend()

    _write(path, 4, draw)


def draw_last_board(path: Path, rules: AnyRules, agent: Policy, opponent: str) -> None:
    """Play one game against an opponent, or solitaire, and draw its last board."""
    other = make_agent(opponent)
    own_seats = [rules.sheet_of(seat) == 0 for seat in range(rules.num_players)]
    session = Session(rules, LAST_GAME, [agent if own else other for own in own_seats])
    for _ in session.run():
        pass
    names = ["trained" if own else opponent for own in own_seats]
    write_text(path, definition_of(rules).draw_svg(session.game, viewer=None, names=names))


def _label(name: str) -> str:
    """A name as a label, with dollars escaped and replacement characters for what cannot be drawn."""
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name)
    return shown.replace("$", r"\$")


def check_plots() -> None:
    """ImportError, which names the extra to install, if no plots can be drawn."""
    with needs("a plot", "ingenious-env[play]"):
        import_module("matplotlib.figure")


def _draw(stem: Path, name: str, form: PlotFormat, lines: int, draw: Callable[[Any], None]) -> Path:
    """Write one plot; returns its path."""
    path = stem.with_name(f"{stem.name}-{name}.{form}")
    _write(path, lines, draw)
    return path


def _write(path: Path, lines: int, draw: Callable[[Any], None]) -> None:
    """Write a plot atomically, as SVG or PDF by the path: vectors, with the glyphs of one font."""
    check_plots()
    from matplotlib import rc_context  # noqa: PLC0415 - most commands need no plots
    from matplotlib.figure import Figure  # noqa: PLC0415

    drawn = BytesIO()
    with warnings.catch_warnings(), rc_context(LOOK):
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # of a name in another script
        figure = Figure(figsize=(7, 2 + 0.5 * lines), layout="constrained")
        draw(figure.subplots())
        figure.savefig(drawn, format=path.suffix[1:], metadata=NO_DATE[path.suffix])
    with written_whole(path) as partial_file:
        if path.suffix == ".svg":
            partial_file.write_text(without_controls(drawn.getvalue().decode()), encoding="utf-8")
        else:
            partial_file.write_bytes(drawn.getvalue())


def _lowest(axes: Any, found: Sequence[StudyResult]) -> None:
    for each in found:
        lowest = np.sort(each.counters[:, 0])
        axes.step(lowest, np.arange(len(lowest), 0, -1) / len(lowest), where="pre", label=_label(each.name))
    axes.set_xlabel("lowest counter")
    axes.set_ylabel("share of bags with at least this")
    axes.legend()


def _mean_counters(axes: Any, found: Sequence[StudyResult]) -> None:
    for each in found:
        counters = each.counters.mean(axis=0)
        axes.plot(range(1, len(counters) + 1), counters, marker="o", label=_label(each.name))
    axes.set_xlabel("counter, from the lowest to the highest")
    axes.set_ylabel("mean at the end")
    axes.legend()


def _ratings(axes: Any, figures: Report, order: list[int], names: list[str]) -> None:
    ratings = figures.ratings
    middle = ratings.ratings[order]
    spread = np.maximum(0, [middle - ratings.low[order], ratings.high[order] - middle])
    is_open = np.isinf(spread)
    spread[is_open] = 0
    axes.errorbar(middle, range(len(order)), xerr=spread, fmt="o", capsize=4)
    axes.margins(x=0.15)  # room for the arrows
    for sign, ends in zip((-1, 1), is_open, strict=True):
        for row in np.flatnonzero(ends):
            axes.annotate(
                "",
                (middle[row], row),
                (40 * sign, 0),
                textcoords="offset points",
                arrowprops={"arrowstyle": "<-"},
            )
    axes.set_yticks(range(len(order)), names)
    axes.invert_yaxis()
    axes.set_xlabel("rating (400 for ten times the strength), 95 % interval")


def _wins(axes: Any, figures: Report, order: list[int], names: list[str]) -> None:
    table = np.full((len(order), len(order)), np.nan)
    for (one, other), share in figures.ahead.items():
        row, column = order.index(one), order.index(other)
        table[row, column], table[column, row] = share.mean, 1 - share.mean
    axes.imshow(table, vmin=0, vmax=1, cmap="RdBu", aspect="auto")
    for row, column in np.argwhere(~np.isnan(table)):
        share = table[row, column]
        colour = "white" if abs(share - 0.5) > DARK else "black"
        axes.text(column, row, f"{share:.0%}", ha="center", va="center", color=colour)
    axes.set_xticks(range(len(order)), names, rotation=20, ha="right")
    axes.set_yticks(range(len(order)), names)
    axes.set_title("share of games in which the row ranks before the column")


def _counters(axes: Any, figures: Report, order: list[int], names: list[str]) -> None:
    for agent, name in zip(order, names, strict=True):
        counters = figures.counters[agent]
        axes.plot(range(1, len(counters) + 1), counters, marker="o", label=name)
    axes.set_xticks(range(1, figures.counters.shape[1] + 1))
    axes.set_xlabel("counter, from the lowest to the highest")
    axes.set_ylabel("mean at the end")
    axes.legend()


def _seats(axes: Any, figures: Report, order: list[int], names: list[str]) -> None:
    del order, names  # seats have their own order
    shares: list[Share] = figures.sheets
    means = np.array([share.mean for share in shares])
    spread = [means - [share.low for share in shares], [share.high for share in shares] - means]
    axes.bar(range(1, len(shares) + 1), means, yerr=spread, capsize=6)
    axes.axhline(1 / len(shares), linestyle="--", color="grey")
    axes.set_xticks(range(1, len(shares) + 1))
    axes.set_xlabel("seat, in turn order")
    axes.set_ylabel("share of the wins")
