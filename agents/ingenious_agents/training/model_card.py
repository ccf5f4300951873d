"""Model cards: training and evaluation of a network, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ingenious_agents.provenance import machine
from ingenious_agents.tables import markdown_table
from ingenious_env.engine.files import read_text, write_text


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
        title: of the card.
        facts: rows of the table of the training; commit and machine are added.
        ratings: the results of its matches, by opponent.
        curve: a row per point.
        columns: names of the numbers of a point.
    """
    here = machine()
    where = f"{here['cores']} cores of an {here['processor']}, Python {here['python']}"
    facts = {**facts, "commit": str(here["commit"]), "machine": where}
    points = [[f"{round(number, 4):g}" for number in point] for point in curve]
    parts = (
        f"# {title}",
        markdown_table(facts.items(), ("", "")),
        "## Evaluation",
        markdown_table(ratings.items(), ("against", "result")),
        "## Learning curve",
        markdown_table(points, columns),
    )
    write_text(path, "\n\n".join(parts) + "\n")


def read_card(path: Path) -> str:
    """The text of a card; "" if there is none, ValueError if it is not a text."""
    return read_text(path) if path.exists() else ""


def write_section(path: Path, title: str, text: str) -> None:
    """Write a section of a card, in place of the one of that title, or else at the end.

    Args:
        path: of the card; a new one if there is none.
        title: of the section.
        text: below the title.
    """
    card = read_card(path)
    sections = re.split(r"^(?=## )", card, flags=re.MULTILINE)
    kept = [section.rstrip() for section in sections if not section.startswith(f"## {title}\n")]
    write_text(path, "\n\n".join([*filter(None, kept), f"## {title}", text]) + "\n")
