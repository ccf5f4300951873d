"""Tables as people read them, in Markdown or LaTeX, and their numbers, in CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from ingenious_env.engine.extras import needs

with needs("ingenious_agents.tables", "ingenious-env[play]"):
    from tabulate import tabulate

Format = Literal["markdown", "latex", "csv", "json"]
Number = str | int | float | None


@dataclass(frozen=True)
class Table:
    """A table, as texts and as numbers.

    Attributes:
        name: a word, its key in JSON.
        heads: of the columns of the texts.
        rows: of texts.
        records: numbers and names by name, with the ends of intervals each for itself; None where there is
            none, or where it is infinite.
    """

    name: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    records: Sequence[Mapping[str, Number]]


def written(tables: Sequence[Table], form: Format) -> str:
    """Tables in a format; in CSV the first one only."""
    if form == "json":
        named = {table.name: [_finite(record) for record in table.records] for table in tables}
        return json.dumps(named, indent=1, ensure_ascii=False)
    if form == "csv":
        return _csv([_finite(record) for record in tables[0].records])
    if form == "latex":
        return "\n\n".join(_latex_table(table) for table in tables)
    return "\n\n".join(markdown_table(table.rows, table.heads) for table in tables)


def _finite(record: Mapping[str, Number]) -> dict[str, Number]:
    return {
        name: None if isinstance(value, float) and not isfinite(value) else value
        for name, value in record.items()
    }


def _csv(records: Sequence[Mapping[str, Number]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(records[0]) if records else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue().rstrip("\n")


def numbered(name: str, values: Iterable[float]) -> dict[str, Number]:
    """Numbers by a name with a number from 1 on: `counter_1`, `counter_2`."""
    return {f"{name}_{number}": float(value) for number, value in enumerate(values, 1)}


def markdown_table(rows: Iterable[Sequence[str]], heads: Sequence[str]) -> str:
    """A table of texts as Markdown."""
    escaped = [[cell.replace("|", r"\|") for cell in row] for row in (heads, *rows)]
    return tabulate(escaped[1:], escaped[0], tablefmt="github", disable_numparse=True)


def _latex_table(table: Table) -> str:
    """A table of texts as LaTeX, for pdfLaTeX too, which does not know the sign ∞."""
    text: str = tabulate(list(table.rows), table.heads, tablefmt="latex_booktabs", disable_numparse=True)
    return text.replace("∞", r"$\infty$")
