"""Finished rows of a script that continues after an interruption, in a file of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from ingenious_agents.folders import locked
from ingenious_agents.provenance import machine

from ingenious_env.engine.files import read_text, write_text

Row = TypeVar("Row")
Rows = TypeVar("Rows")


@contextmanager
def continued(path: Path, read: Callable[[Path], Rows]) -> Iterator[Rows]:
    """Lock a file while a script continues it, and read it.

    Args:
        path: of the file, whose folder exists.
        read: its finished rows.

    Raises:
        ValueError: another process is writing it, or it is not a file of this script.
        OSError: nothing can be written there.
    """
    with locked(path, "--out"):
        yield read(path)


SAME = ("commit", "processor", "python", "versions")
"""The entries of `machine` by which rows count as made in the same way."""


def made(path: Path) -> dict[str, Any]:
    """The machine and the versions of this run, and under `earlier` those of other rows that a file keeps.

    Call it once, before the first row of this run is saved.

    Args:
        path: of the file, which this run continues if it is there.
    """
    here = machine()
    before = json.loads(read_text(path)).get("machine") if path.exists() else None
    if not before:
        return here
    runs = [*before.pop("earlier", []), before]
    earlier = [each for each in runs if any(each.get(key) != here[key] for key in SAME)]
    return {**here, "earlier": earlier} if earlier else here


def save(path: Path, here: Mapping[str, Any], rows: Iterable[Any]) -> None:
    """Write the finished rows, dataclasses, to a file, and under `machine` what `made` returned."""
    text = {"machine": here, "rows": [asdict(each) for each in rows]}
    write_text(path, json.dumps(text, indent=1) + "\n")


def rows_in(path: Path, key: str, kind: type[Row], prog: str) -> list[Row]:
    """The finished rows of a file, if there is one.

    Args:
        path: of the file.
        key: under which the file has its rows.
        kind: the dataclass of a row.
        prog: the script that writes the file.

    Raises:
        ValueError: it is not a file of this script.
    """
    if not path.exists():
        return []
    try:
        return [kind(**each) for each in json.loads(read_text(path))[key]]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        msg = f"{path} is not a file of {prog}"
        raise ValueError(msg) from error
