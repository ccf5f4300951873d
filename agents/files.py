"""Files that appear whole or not at all, and those of trained agents among them.

A trained agent is named arrays and a header, which load without executing anything.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WRONG = (
    AttributeError,
    ValueError,
    KeyError,
    TypeError,
    OSError,
    EOFError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
)


def digest(content: bytes) -> str:
    """Tells contents apart: 16 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()[:16]


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Where to write a file, which takes the place of the one at `path` once it is complete."""
    partial = path.with_name(f"{path.name}.part")
    try:
        yield partial
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Write a text; the file appears whole or not at all."""
    with written_whole(path) as partial:
        partial.write_text(text, encoding="utf-8")


def write_arrays(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays and a header of JSON; the file appears whole or not at all."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as partial, partial.open("wb") as file:
        np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)


@contextmanager
def arrays_of(
    path: str | Path, form: str, what: str, command: str
) -> Iterator[tuple[dict[str, Any], dict[str, NDArray[Any]]]]:
    """The header and the arrays of a file, for as long as something is made of them.

    Args:
        path: of the file.
        form: what the header must call its format.
        what: the file should hold, for the error.
        command: that would make one, for the error.

    Raises:
        ValueError: there is no such file, it is another one, or nothing can be made of it.
    """
    path = Path(path)
    if not path.is_file():
        msg = f"there is no {what} {path}; train one with: {command}"
        raise ValueError(msg)
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            header = json.loads(str(file["header"]))
            arrays = {name: file[name] for name in file.files if name != "header"}
        if header.get("format") != form:
            msg = f"its format is {header.get('format')!r}, not {form!r}"
            raise ValueError(msg)
        yield header, arrays
    except _WRONG as error:
        msg = f"{path} holds no {what}: {error}"
        raise ValueError(msg) from error
