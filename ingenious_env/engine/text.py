"""Building blocks of text notations: games write their positions with them, and read them strictly.

A position is a line with its version, and then one fact per line: a keyword, a space, and values. `-` stands
for nothing. All readers raise ValueError, which names what is allowed. Editors, mail programs and other
systems change blanks, dashes and the beginnings of lines; `typed_lines` and `line_of` undo this.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

NONE = "-"
BYTE_ORDER_MARK = "\ufeff"
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_T = TypeVar("_T")


def lines_of(text: str) -> list[str]:
    """The lines of a text that are not blank.

    Surrounding blanks, the byte order mark and the line ends of any system are removed.
    """
    lines = re.split(r"\r\n?|\n", text.removeprefix(BYTE_ORDER_MARK))
    return [line for line in map(str.strip, lines) if line]


def logged_lines(text: str, start: str) -> list[str]:
    """The lines of a log of JSON, but for a last one that was cut off, as a killed process leaves it.

    Args:
        text: of the log.
        start: of each line.
    """
    whole, _, last = text.rpartition("\n")
    return lines_of(whole if start.startswith(last[: len(start)]) and not _is_json(last) else text)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def typed_lines(text: str) -> list[str]:
    """The lines of a text in a notation, as they are written, though a person typed or pasted them.

    Any dash stands for a minus; blanks of any kind and number are one, and none next to a comma, `=`
    or `@`; `> `, with which mail programs quote, is removed.
    """
    lines = (re.sub(r"\s+", " ", _DASHES.sub("-", line)) for line in lines_of(text))
    return [re.sub(r" ?([,=@]) ?", r"\1", line.removeprefix("> ")) for line in lines]


def line_of(text: str) -> str:
    """The line of a text that has one (see `typed_lines`), else the text; TypeError if it is not a text."""
    if not isinstance(text, str):
        msg = f"a text is a str, not {type(text).__name__}"
        raise TypeError(msg)
    lines = typed_lines(text)
    return lines[0] if len(lines) == 1 else text


def write_lines(version: str, lines: Mapping[str, str]) -> str:
    """A position as text."""
    return "\n".join([version, *(f"{keyword} {values}" for keyword, values in lines.items())]) + "\n"


def read_lines(text: str, version: str, keywords: Sequence[str]) -> dict[str, str]:
    """The values of a position's lines by keyword; TypeError if it is not a text."""
    if not isinstance(text, str):
        msg = f"a position is a str, not {type(text).__name__}"
        raise TypeError(msg)
    lines = typed_lines(text) or [""]
    if lines[0] != version:
        msg = f"a position begins with the line {version!r}, not {lines[0][:40]!r}"
        raise ValueError(msg)
    if len(lines) != 1 + len(keywords):
        msg = f"a position has {1 + len(keywords)} lines, not {len(lines)}"
        raise ValueError(msg)
    found = {}
    for keyword, line in zip(keywords, lines[1:], strict=True):
        if not line.startswith(f"{keyword} "):
            msg = f"expected a line {keyword!r}, not {line[:40]!r}"
            raise ValueError(msg)
        found[keyword] = line.removeprefix(f"{keyword} ")
    return found


def write_row(values: Iterable[object]) -> str:
    """Values joined by commas."""
    return ",".join(map(str, values)) or NONE


def read_rows(name: str, text: str, count: int) -> list[list[str]]:
    """A given number of rows of values."""
    rows = [[] if row == NONE else row.split(",") for row in text.split(" ")]
    if len(rows) != count:
        msg = f"the line {name!r} needs {count} parts, not {len(rows)}"
        raise ValueError(msg)
    return rows


def read_number_rows(name: str, text: str, shape: tuple[int, int], high: int) -> NDArray[np.int64]:
    """Rows of numbers from 0 to high, int64 of that shape."""
    rows = [[read_number(name, part, high) for part in row] for row in read_rows(name, text, shape[0])]
    if any(len(row) != shape[1] for row in rows):
        msg = f"each part of the line {name!r} needs {shape[1]} numbers, not {text!r}"
        raise ValueError(msg)
    return np.array(rows)


def read_value(name: str, text: str, pattern: str, form: str, convert: Callable[[str], _T]) -> _T:
    """A value that matches a pattern; the error names the form."""
    if re.fullmatch(pattern, text, re.ASCII) is None:
        msg = f"{name} must be {form}, not {text[:40]!r}"
        raise ValueError(msg)
    return convert(text)


def read_number(name: str, text: str, high: int = 999) -> int:
    """A number from 0 to high."""
    number = read_value(name, text, rf"\d{{1,{len(str(high))}}}", f"a number up to {high}", int)
    if number > high:
        msg = f"{name} must be a number up to {high}, not {number}"
        raise ValueError(msg)
    return number


def read_word(name: str, text: str) -> int:
    """A 64-bit word as 16 hexadecimal digits."""
    return read_value(name, text, r"[0-9a-f]{16}", "16 hexadecimal digits", lambda digits: int(digits, 16))


def read_choice(name: str, text: str, words: tuple[str, ...]) -> int:
    """The index of a word."""
    return read_value(name, text, "|".join(words), " or ".join(words), words.index)


def read_named_values(line: str, text: str, names: tuple[str, ...]) -> dict[str, str]:
    """Values written as name=value, in the order of their names."""
    pairs = [part.partition("=") for part in text.split(" ")]
    if tuple(name for name, _, _ in pairs) != names:
        msg = f"the line {line!r} needs the values {', '.join(names)}, in this order, not {text[:80]!r}"
        raise ValueError(msg)
    return {name: value for name, _, value in pairs}
