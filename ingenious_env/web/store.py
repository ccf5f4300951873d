"""The tables of a server, saved in files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from weakref import WeakValueDictionary

from ingenious_env.engine.files import write_text
from ingenious_env.web.folder import reason
from ingenious_env.web.tables import ID, Agent, Table
from ingenious_env.web.texts import TEXTS


class SaveError(OSError):
    """A table that could not be saved."""


class Store:
    """The tables of a server, each in its own file, so that a restart loses none.

    A table has one object at a time: as long as it is in use, `get` returns it. Only one store may write to a
    folder at a time (see `open_folder`).

    Args:
        folder: of the files; None saves none.
        agents: that play.
        capacity: number of unused tables kept in memory; the least recently used ones are read again from
            their files.
    """

    def __init__(self, folder: Path | None, agents: Mapping[str, Agent], capacity: int = 64) -> None:
        self._folder, self._agents, self._capacity = folder, agents, capacity
        self._known: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: dict[str, Table] = {}
        """The tables kept in memory, the last used last."""
        self._removed: set[str] = set()
        """The ids of removed tables, of which an object may still be in use."""
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def add(self, table: Table) -> None:
        """Write the file of a new table, and keep the table; SaveError if the file cannot be written."""
        self.save(table)
        self.keep(table)

    def save(self, table: Table) -> None:
        """Write a table's file; SaveError if it cannot be written; the file is unchanged then."""
        if table.id in self._removed:
            raise SaveError(TEXTS["was deleted"])
        if self._folder is None:
            return
        try:
            write_text(self._folder / f"{table.id}.json", table.to_json())
        except OSError as error:
            msg = TEXTS["not saved"].format(reason=reason(error))
            raise SaveError(msg) from None

    def remove(self, table: Table) -> None:
        """Delete a table and its file; SaveError if the file cannot be deleted; nothing has changed then."""
        if self._folder is not None:
            try:
                (self._folder / f"{table.id}.json").unlink(missing_ok=True)
            except OSError as error:
                msg = TEXTS["not deleted"].format(reason=reason(error))
                raise SaveError(msg) from None
        self._removed.add(table.id)
        self._recent.pop(table.id, None)
        self._known.pop(table.id, None)

    def kept(self, name: str) -> Table | None:
        """The table of an id if it is in memory, where it is kept then."""
        table = self._known.get(name)
        if table is not None:
            self.keep(table)
        return table

    def read(self, name: str) -> Table | None:
        """A new object of the table of an id, from its file; None if there is none.

        Raises:
            ValueError: the file is damaged, or names agents that this server does not have.
            OSError: the file cannot be read.
        """
        if self._folder is None or not ID.fullmatch(name):
            return None
        try:
            content = (self._folder / f"{name}.json").read_bytes()
        except FileNotFoundError:
            return None
        try:
            table = Table.from_json(content.decode(), self._agents)
            if table.id != name:
                msg = f"its id is {table.id}"
                raise ValueError(msg)
        except ValueError as error:
            msg = f"the file of this game, {name}.json, cannot be used and is left as it is: {error}"
            raise ValueError(msg) from None
        return table

    def keep(self, table: Table) -> None:
        """Keep a table in memory, in place of the least recently used one."""
        self._known[table.id] = table
        self._recent.pop(table.id, None)
        self._recent[table.id] = table
        if self._folder is not None and len(self._recent) > self._capacity:
            del self._recent[next(iter(self._recent))]

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another table, as none are saved."""
        return self._folder is None and len(self._recent) >= self._capacity
