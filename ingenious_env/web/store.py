"""The tables of a server, kept in files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ingenious_env.core.files import write_text
from ingenious_env.web.tables import Agent, Table

_ID = re.compile(r"[0-9a-f]{32}")


class Store:
    """The tables of a server, each in a file of its own, so that a restart loses none.

    Args:
        folder: of the files; None keeps none.
        agents: that play.
        capacity: how many tables are kept in memory; those that were longest unused are read again from their
            files.
    """

    def __init__(self, folder: Path | None, agents: Mapping[str, Agent], capacity: int = 64) -> None:
        self._folder, self._agents, self._capacity = folder, agents, capacity
        self._tables: dict[str, Table] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def add(self, table: Table) -> None:
        """Keep a table, and write its file."""
        self._tables[table.id] = table
        self.save(table)
        self._forget()

    def save(self, table: Table) -> None:
        """Write a table's file."""
        if self._folder is not None:
            write_text(self._folder / f"{table.id}.json", table.to_json())

    def get(self, name: str) -> Table | None:
        """The table of an id; None if there is none."""
        if name in self._tables:
            self._tables[name] = self._tables.pop(name)  # the last used is the last
            return self._tables[name]
        if self._folder is None or not _ID.fullmatch(name):
            return None
        path = self._folder / f"{name}.json"
        try:
            table = Table.from_json(path.read_text(encoding="utf-8"), self._agents)
        except (OSError, ValueError):
            return None
        self._tables[name] = table
        self._forget()
        return table

    def _forget(self) -> None:
        if self._folder is None:
            return
        unused = [name for name, table in self._tables.items() if not table.in_use]
        for name in unused[: max(0, len(self._tables) - self._capacity)]:
            del self._tables[name]

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another table, where no files are kept."""
        return self._folder is None and len(self._tables) >= self._capacity
