"""Cards: how a trained network came to be and what it is worth, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from agents.training.provenance import machine
from ingenious_env.core.files import write_text


def write_card(
    path: Path,
    title: str,
    facts: Mapping[str, str],
    ratings: Mapping[str, str],
    *,
    curve: Sequence[Sequence[float]],
    columns: Sequence[str],
) -> None:
    """Write a card.

    Args:
        path: of the card.
        title: what was trained.
        facts: how, by what is said of it; commit and machine are added.
        ratings: the results of its matches, by what they were played against.
        curve: a row a point.
        columns: what the numbers of a point are.
    """
    here = machine()
    where = f"{here['cores']} cores of an {here['processor']}, Python {here['python']}"
    lines = [f"# {title}", ""]
    lines += table(("", ""), {**facts, "commit": str(here["commit"]), "machine": where}.items())
    lines += ["", "## Evaluation", ""]
    lines += table(("against", "result"), ratings.items())
    lines += ["", "## Learning curve", ""]
    lines += table(columns, [[f"{round(number, 4):g}" for number in point] for point in curve])
    write_text(path, "\n".join([*lines, ""]))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table in Markdown."""
    return [f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *rows)]
