"""Deliberate bugs, each located by the function that it stands in and by a pattern.

A pattern is a regular expression that is looked for in the flat text of a function: its source without
comments and docstrings, on one line, with one space wherever the source has white space or a line break. A
line break behind an opening bracket or before a closing one leaves no space, and a comma before such a
closing bracket is dropped. So neither comments nor the line breaks of a formatter matter. JavaScript is read
by its layout (see `javascript.py`).
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import javascript

_LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
_OPENING, _CLOSING = "([{", ")]}"
_GAME = re.compile("ingenious_env/games/([^/]+)/")
_NUM_CANDIDATES = 3
_MIN_LIKENESS = 0.3
_ADVICE = "name the file, the function and the pattern as they are, or remove the mutation with its code"


class LocateError(ValueError):
    """A mutation does not fit the source; the message has the nearest code."""


@dataclass(frozen=True)
class Mutation:
    """One deliberate bug.

    Attributes:
        name: its name.
        file: the file it is planted in, relative to the repository.
        function: where in the file: a function, a class, `Class.method`, or a name that is assigned to.
        pattern: a regular expression, found in the flat text of the function exactly once; see `occurrence`.
        replacement: of the match, with groups as in `re.sub`. A line break continues at the indentation of
            the statement.
        breaks: the property that it breaks.
        paragraph: of the rules of its game that is broken, or "".
        field: of its game's row that is wrong then, or "".
        section: of its game's observations that is wrong then, or "".
        occurrence: which match is meant, counted from 1, and how many there are.
        equivalent: why no test can notice, or "".
        tests: names of the test files that are run first, without `test_`; "" for those of its file.
    """

    name: str
    file: str
    function: str
    pattern: str
    replacement: str
    breaks: str
    paragraph: str = ""
    field: str = ""
    section: str = ""
    occurrence: tuple[int, int] = (1, 1)
    equivalent: str = ""
    tests: str = ""

    @property
    def game(self) -> str:
        """The game that the file belongs to; for code that games share, Ingenious."""
        match = _GAME.match(self.file)
        return match[1] if match else "ingenious"

    @property
    def document(self) -> str:
        """The name of the file with the rules of its game."""
        return "LOOPIT.md" if self.game == "loopit" else "RULES.md"


class Place(NamedTuple):
    """The range of the source that a mutation replaces, and its replacement."""

    start: int
    stop: int
    text: str


class FlatText(NamedTuple):
    """The flat text of some lines of a source.

    Attributes:
        text: the flat text.
        offsets: the place in the source of each character.
        statements: the flat texts of the logical lines.
    """

    text: str
    offsets: list[int]
    statements: list[str]


def plant(mutation: Mutation, root: Path) -> str:
    """The mutated source.

    Raises:
        LocateError: there is no such file or function, the pattern does not match once, or what comes out is
            no code or means the same.
    """
    path = root / mutation.file
    if not path.is_file():
        msg = f"{mutation.name}: there is no file {mutation.file}; {_ADVICE}"
        raise LocateError(msg)
    source = path.read_text(encoding="utf-8")
    try:
        place = locate(source, mutation)
    except LocateError as error:
        msg = f"{mutation.name}: {mutation.file}: {error}"
        raise LocateError(msg) from None
    mutated = source[: place.start] + place.text + source[place.stop :]
    try:
        same = _means_the_same(mutated, source, is_javascript=mutation.file.endswith(".js"))
    except SyntaxError as error:
        msg = f"{mutation.name}: {mutation.function}, mutated, cannot be read: {error}"
        raise LocateError(msg) from None
    if same:
        msg = f"{mutation.name}: {mutation.function}, mutated, means the same"
        raise LocateError(msg)
    return mutated


def _means_the_same(mutated: str, source: str, *, is_javascript: bool) -> bool:
    """SyntaxError if what was mutated cannot be read."""
    if not is_javascript:
        return ast.dump(ast.parse(mutated)) == ast.dump(ast.parse(source))
    if complaint := javascript.complaint(mutated):
        raise SyntaxError(complaint)
    texts = (javascript.flatten(each, 1, each.count("\n") + 1)[0] for each in (mutated, source))
    return next(texts) == next(texts)


def locate(source: str, mutation: Mutation) -> Place:
    """The place of a mutation in a source; LocateError, with the nearest code, if it is ambiguous."""
    if mutation.file.endswith(".js"):
        definitions = list(javascript.definitions(source))
        first, last = _lines_of(definitions, mutation.function)
        flat = FlatText(*javascript.flatten(source, first, last))
        texts = ((name, javascript.flatten(source, *lines)[0]) for name, *lines in definitions)
        return _placed(source, mutation, flat, texts, _indentation_of)
    tree = ast.parse(source)
    first, last = _lines_of(_definitions(tree, ""), mutation.function)
    flat = flatten(source, tree, first, last)
    texts = ((name, flatten(source, tree, *lines).text) for name, *lines in _definitions(tree, ""))
    return _placed(source, mutation, flat, texts, lambda _, line: _column_of(tree, line))


def _placed(
    source: str,
    mutation: Mutation,
    flat: FlatText,
    texts: Iterable[tuple[str, str]],
    column_of: Callable[[str, int], int],
) -> Place:
    """The match of a mutation's pattern.

    Args:
        source: of the file.
        mutation: what to place.
        flat: of the function that it names.
        texts: names and flat texts of all definitions, for what the error says.
        column_of: of the source and a line, its indentation.
    """
    pattern = re.sub(r"\s+", " ", mutation.pattern)
    matches = [match for match in re.finditer(pattern, flat.text) if match.group()]
    wanted, expected = mutation.occurrence
    if not matches:
        near = _nearest(re.sub(r"\\(.)", r"\1", pattern), flat.statements)
        fits = [name for name, text in texts if re.search(pattern, text)]
        elsewhere = f"; it fits {', '.join(fits)}" if fits else ""
        message = f"{mutation.pattern!r} is found nowhere in {mutation.function}; nearest: {near}"
        msg = f"{message}{elsewhere}; {_ADVICE}"
        raise LocateError(msg)
    if len(matches) != expected:
        statements = [each for each in flat.statements if re.search(pattern, each)]
        msg = (
            f"{mutation.pattern!r} is found {len(matches)} times in {mutation.function}, not {expected}: "
            f"{statements}; make it fit one, or say which: occurrence=(1, {len(matches)})"
        )
        raise LocateError(msg)
    match = matches[wanted - 1]
    start, stop = flat.offsets[match.start()], flat.offsets[match.end() - 1] + 1
    indentation = " " * column_of(source, source.count("\n", 0, start) + 1)
    return Place(start, stop, match.expand(mutation.replacement).replace("\n", f"\n{indentation}"))


def flatten(source: str, tree: ast.Module, first: int, last: int) -> FlatText:
    """The flat text of lines `first` to `last`, counted from 1."""
    starts = [0, *(match.end() for match in re.finditer("\n", source))]
    docstrings = set(_docstring_lines(tree))
    text, offsets, statements, begins = "", list[int](), list[str](), 0
    before, row_before, end = "", 0, 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        row = token.start[0]
        if not first <= row <= last or (token.type == tokenize.STRING and row in docstrings):
            continue
        if token.type == tokenize.NEWLINE:
            statements.append(text[begins:].strip())
            begins = len(text)
        if token.type in _LAYOUT:
            continue
        start = starts[row - 1] + token.start[1]
        stop = starts[token.end[0] - 1] + token.end[1]
        is_closing = token.string in _CLOSING
        if is_closing and before == "," and row > row_before:
            text, offsets = text[:-1], offsets[:-1]
        if text and start > end and before not in _OPENING and not is_closing:
            text += " "
            offsets.append(end)
        text += source[start:stop]
        offsets += range(start, stop)
        before, row_before, end = token.string, token.end[0], stop
    return FlatText(text, offsets, [each for each in statements if each])


def _lines_of(definitions: Iterable[tuple[str, int, int]], name: str) -> tuple[int, int]:
    """The first and the last line of a definition."""
    found: dict[str, list[tuple[int, int]]] = {}
    for each, first, last in definitions:
        found.setdefault(each, []).append((first, last))
    if name not in found:
        msg = f"there is no {name}; nearest: {_nearest(name, list(found))}; {_ADVICE}"
        raise LocateError(msg)
    if len(found[name]) > 1:
        msg = f"{name} is defined {len(found[name])} times"
        raise LocateError(msg)
    return found[name][0]


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, int, int]]:
    """Functions, classes and assigned names by their dotted names, with their first and last lines."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
            yield prefix + child.name, first, child.end_lineno or first
            yield from _definitions(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.Assign | ast.AnnAssign):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            names = [each for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for each in names:
                    yield prefix + each.id, child.lineno, child.end_lineno or child.lineno
        elif isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from _definitions(child, prefix)


def _docstring_lines(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield from range(value.lineno, (value.end_lineno or value.lineno) + 1)


def _column_of(tree: ast.Module, line: int) -> int:
    """The indentation of the innermost statement on a line."""
    around = [
        (each.lineno, each.col_offset)
        for each in ast.walk(tree)
        if isinstance(each, ast.stmt) and each.lineno <= line <= (each.end_lineno or each.lineno)
    ]
    return max(around)[1]


def _indentation_of(source: str, line: int) -> int:
    text = source.split("\n")[line - 1]
    return len(text) - len(text.lstrip())


def _nearest(text: str, others: list[str]) -> str:
    near = get_close_matches(text, dict.fromkeys(others), _NUM_CANDIDATES, _MIN_LIKENESS)
    return ", ".join(map(repr, near)) or "nothing like it"
