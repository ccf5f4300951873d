"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ingenious_env.engine.extras import needs

with needs("ingenious_agents.tables", "ingenious-env[play]"):
    from tabulate import tabulate


def markdown_table(rows: Iterable[Sequence[str]], heads: Sequence[str]) -> str:
    """A table of texts as Markdown."""
    return tabulate(list(rows), heads, tablefmt="github", disable_numparse=True)
