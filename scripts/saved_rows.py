"""Finished rows of a script that continues after an interruption, in a file of JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from ingenious_env.engine.files import read_text

Row = TypeVar("Row")


def rows_in(path: Path, key: str, kind: type[Row], prog: str) -> list[Row]:
    """The finished rows of a file, if there is one.

    Args:
        path: of the file.
        key: under which the file has its rows.
        kind: the dataclass of a row.
        prog: the script that writes the file.

    Raises:
        ValueError: it is no file of this script.
    """
    if not path.exists():
        return []
    try:
        return [kind(**each) for each in json.loads(read_text(path))[key]]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        msg = f"{path} is not a file of {prog}"
        raise ValueError(msg) from error
