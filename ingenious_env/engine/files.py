"""Atomic writing of files, and files of named arrays, which load without executing code."""

from __future__ import annotations

import codecs
import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save

PARTIAL = ".*.[0-9]*-*.part"
"""The pattern of the names of temporary files, which a killed writer leaves: .NAME.PROCESS-RANDOM.part"""
_MAX_QUOTE = 300  # characters of an error that may quote a file


def digest(content: bytes) -> str:
    """A short hash, 16 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()[:16]


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A temporary path to write to; on success its file replaces the one at `path` (see `replaceable`).

    Raises:
        OSError: `path` cannot be written.
    """
    with temporary(path) as (partial, target):
        yield partial
        partial.replace(target)


@contextmanager
def temporary(path: Path) -> Iterator[tuple[Path, Path]]:
    """A temporary path, removed at the end, and the one beside it that `path` leads to (see `replaceable`).

    Raises:
        OSError: errors of the temporary path, which name `path` instead.
    """
    target = replaceable(path)
    partial = target.with_name(f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        yield partial, target
    except OSError as error:
        if error.filename == str(partial):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        partial.unlink(missing_ok=True)


def replaceable(path: Path) -> Path:
    """The path, or where it is a link the one that it leads to; OSError if anything but a file is there."""
    target = path.resolve() if path.is_symlink() else path
    if target.exists() and not target.is_file():
        msg = f"{path} is not a regular file; name another path"
        raise OSError(msg)
    return target


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, or in UTF-16 with a byte order mark, with line ends as in Python.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is not a text.
    """
    content = path.read_bytes()
    encoding = "utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        msg = f"{path} is not a text"
        raise ValueError(msg) from None


def write_text(path: Path, text: str) -> None:
    """Write a text atomically."""
    with written_whole(path) as partial:
        partial.write_text(text, encoding="utf-8")


def write_arrays(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays and a header in the safetensors format, atomically.

    Equal headers and arrays result in equal bytes.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"header": json.dumps(header)}  # one entry, as safetensors writes several in random order
    with written_whole(path) as partial:
        partial.write_bytes(save(dict(arrays), metadata))


@contextmanager
def arrays_of(
    path: str | Path, forms: tuple[str, ...], what: str, command: str
) -> Iterator[tuple[dict[str, Any], dict[str, NDArray[Any]]]]:
    """The header and the arrays of a file; errors of the block that uses them are reported as the file's.

    Args:
        path: of the file.
        forms: the formats of which the header must name one.
        what: the expected content, for the error.
        command: that makes such a file, for the error.

    Raises:
        ValueError: there is no such file, it has another format, its numbers are not finite, or the
            block cannot use its contents.
    """
    path = Path(path)
    if not path.is_file():
        msg = f"there is no {what} {path}; train one with: {command}"
        raise ValueError(msg)
    try:
        with safe_open(path, framework="numpy") as file:
            header = json.loads((file.metadata() or {})["header"])
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
        if not isinstance(header, dict):
            msg = f"its header must be an object, not a {type(header).__name__}"
            raise ValueError(msg)
        if header.get("format") not in forms:
            msg = f"its format is {header.get('format')!r}, not {' or '.join(map(repr, forms))}"
            raise ValueError(msg)
        if not all(np.isfinite(array).all() for array in arrays.values()):
            msg = "not all of its numbers are finite"
            raise ValueError(msg)
        yield header, arrays
    except Exception as error:  # any error that a damaged file causes
        msg = f"{path} holds no {what}: {fault_of(error)}"
        raise ValueError(msg) from error


def fault_of(error: Exception) -> str:
    """The message of an error for a file that cannot be read, at most 300 characters."""
    if not isinstance(error, KeyError):
        return str(error)[:_MAX_QUOTE]
    key = error.args[0]
    is_sentence = " " in str(key)  # of `zipfile`
    return (str(key) if is_sentence else f"{key!r} is missing")[:_MAX_QUOTE]
