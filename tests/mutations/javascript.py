"""The functions of JavaScript in this project's layout, and their flat texts; see `locate.py`.

A definition begins on a line of its own and ends there, with the next line that is indented as far and begins
with a closing bracket, or before one that begins otherwise.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator

_HEAD = re.compile(
    r"( *)(?:export )?(?:async )?"
    r"(?:(?:class|function) (\w+)|(?:const|let) (\w+) =|(#?\w+)\(.*\) \{)"
)
_NO_METHODS = {"if", "for", "while", "switch", "catch"}
_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<space>\s+)|(?P<text>"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|.""",
    re.DOTALL,
)
_OPENING, _CLOSING = "([{", ")]}"


def definitions(source: str) -> Iterator[tuple[str, int, int]]:
    """Classes, functions, methods and constants by their dotted names, with first and last lines from 1."""
    lines = source.splitlines()
    around: list[tuple[int, int, str]] = []
    for number, line in enumerate(lines, 1):
        head = _HEAD.match(line)
        name = head and (head[2] or head[3] or head[4])
        if head is None or not name or name in _NO_METHODS:
            continue
        last = number if line.rstrip().endswith(";") else _end(lines, number, len(head[1]))
        around = [each for each in around if each[1] >= number]
        yield ".".join([*(each[2] for each in around), name]), number, last
        if last > number:
            around.append((number, last, name))


def _end(lines: list[str], first: int, indentation: int) -> int:
    for number in range(first, len(lines)):
        text = lines[number].lstrip()
        if text and len(lines[number]) - len(text) <= indentation:
            return number + 1 if text[0] in _CLOSING else number
    return len(lines)


def flatten(source: str, first: int, last: int) -> tuple[str, list[int], list[str]]:
    """The flat text of some lines, the place in the source of each character, and the texts of the lines."""
    starts = [0, *(match.end() for match in re.finditer("\n", source)), len(source)]
    text, offsets, begins = "", list[int](), starts[first - 1]
    pending = -1
    for match in _TOKEN.finditer(source, begins, starts[last]):
        if match["comment"] is not None or match["space"] is not None:
            pending = match.start() if pending < 0 else pending
            continue
        is_line = "\n" in source[pending : match.start()] if pending >= 0 else False
        if is_line and match[0] in _CLOSING and text.endswith(","):
            text, offsets = text[:-1], offsets[:-1]
        if pending >= 0 and text and not (is_line and (text[-1] in _OPENING or match[0] in _CLOSING)):
            text += " "
            offsets.append(pending)
        text += match[0]
        offsets += range(match.start(), match.end())
        pending = -1
    return text, offsets, [line.strip() for line in source.splitlines()[first - 1 : last]]


def complaint(source: str) -> str:
    """Node's error on a module; "" for none, or without Node."""
    node = shutil.which("node")
    if node is None:
        return ""
    command = [node, "--check", "--input-type=module"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return done.stderr.strip()
