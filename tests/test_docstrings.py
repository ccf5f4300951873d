"""Docstrings are whole: sentences, examples, brackets and drawings that no edit has cut or moved."""

from __future__ import annotations

import ast
import builtins
import re
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("ingenious_env", "agents", "scripts", "tests", ".ci")
SHORT = 80
"""A line of running prose that could take the next word and stay this short was broken by an edit."""
CODE = re.compile(r"(pip install |python -m |import \w|from [\w.]+ import |>>> |\$ )")
COLUMNS = re.compile(r"[^\s|].*\S {3,}\S")  # a line of an example with a remark behind it
DOWN, UP = "┐┌┬├┤┼", "┘└┴│├┤┼"  # signs of a drawing with an arm downward, and upward


class Docstring(NamedTuple):
    """A docstring, or the text below an attribute, and where it stands."""

    place: str
    text: str
    is_head: bool


def docstrings() -> Iterator[Docstring]:
    """All docstrings of the repository, without their indentation."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                body = getattr(node, "body", None)
                for number, statement in enumerate(body if isinstance(body, list) else []):
                    match statement:
                        case ast.Expr(value=ast.Constant(value=str(text))):
                            place = f"{path.relative_to(ROOT)}:{statement.lineno}"
                            own = (
                                " " * statement.col_offset
                            )  # `inspect.cleandoc` would also take an example's indent
                            lines = (line.removeprefix(own) for line in text.rstrip().split("\n"))
                            yield Docstring(place, "\n".join(lines), is_head=number == 0)


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """Each two lines that follow each other."""
    return pairwise(text.split("\n"))


def cut_short(text: str) -> list[str]:
    """Lines of running prose that end long before they have to."""
    return [
        line
        for line, following in pairs(text)
        if re.match(r"[^\s|*-]", line)
        and re.match(r"[a-z`(]", following)
        and "  " not in line
        and not line.endswith((":", "."))
        and len(line) + 1 + len(following.split()[0]) <= SHORT
    ]


def moved(text: str) -> list[str]:
    """Examples and columns that are not indented, and prose that is, in the middle of a paragraph."""
    examples = [line for line in text.split("\n") if CODE.match(line) or COLUMNS.match(line)]
    prose = [
        following
        for line, following in pairs(text)
        if re.match(r"[^\s|*-]", line)
        and re.match(r" +[a-z]", following)
        and re.search(r"[a-z,]$", line)
        and not re.match(r"(Args|Attributes|Raises|Returns|Yields):", line)
    ]
    return examples + prose


def doubled(text: str) -> list[str]:
    """Words that stand twice in running prose; what is indented may be a table or a command."""
    prose = re.sub(r"`[^`]*`", "", re.sub(r"(?m)^ +.*$", "", text))
    return [found[0] for found in re.finditer(r"\b([A-Za-z]{2,})[ \n]\1\b", prose)]


def open_brackets(text: str) -> list[str]:
    """Brackets and backquotes without a partner; a half-open interval has one of each kind."""
    plain = re.sub(r"\[[^][()]*\)", "", text)
    return [a + b for a, b in ("()", "[]", "{}") if plain.count(a) != plain.count(b)] + (
        ["`"] if text.count("`") % 2 else []
    )


def torn(text: str) -> list[str]:
    """Lines of a drawing whose arms meet nothing on the next line."""
    return [
        line
        for line, following in pairs(text)
        for column, sign in enumerate(line)
        if sign in DOWN and following[column : column + 1] not in set(UP)
    ]


def headless(text: str) -> list[str]:
    """A beginning in the middle of a sentence: a lower-case word, except a name with a colon behind it."""
    return re.findall(r"\A(?!\w+: )(?:[a-z]+|[,;.)])[^\n]*", text)


KINDS = {check.__name__: check for check in (cut_short, moved, doubled, open_brackets, torn, headless)}


@pytest.fixture(scope="module")
def found() -> list[Docstring]:
    """All docstrings, more than two thousand."""
    every = list(docstrings())
    assert len(every) > 2000
    return every


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_docstring_is_damaged(kind, found):
    damaged = {
        each.place: lines
        for each in found
        if each.is_head or kind != "headless"
        if (lines := KINDS[kind](each.text))
    }
    assert not damaged


DAMAGE = {
    "cut_short": "A sentence that an edit has broken, which of\ntwo equal\nparts nobody can say.",
    "moved": "The policy.\n\nfrom ingenious_env import Rules",
    "doubled": "The rules of the the game.",
    "open_brackets": "The cells (of a board, [N].",
    "headless": "and the players of a table.",
    "torn": "Layers:\n\n    one ──┐\n    …   ├── out\n    two ──┘",
}


@pytest.mark.parametrize("kind", sorted(DAMAGE))
def test_each_kind_of_damage_is_noticed(kind):
    assert KINDS[kind](DAMAGE[kind])


def examples(text: str) -> Iterator[str]:
    """The indented parts of a docstring that import something."""
    for found in re.finditer(r"(?m)(?:^ +.*\n|^\n)+(?:^ +.*(?:\n|$))", text + "\n"):
        part = textwrap.dedent(found[0]).strip("\n")
        if re.search(r"(?m)^(import \w|from [\w.]+ import )", part):
            yield part


def undefined(example: str) -> set[str]:
    """Names that an example uses and does not define."""
    names = [node for node in ast.walk(ast.parse(example)) if isinstance(node, ast.Name)]
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(ast.parse(example))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    defined = {node.id for node in names if isinstance(node.ctx, ast.Store)} | imported | set(dir(builtins))
    return {node.id for node in names} - defined


def test_examples_import_what_they_use(found):
    every = [(each.place, example) for each in found for example in examples(each.text)]
    assert len(every) >= 5
    assert {place: names for place, example in every if (names := undefined(example))} == {}


def test_no_condition_guards_nothing():
    """An `if` whose only statement is `pass`, such as `if TYPE_CHECKING: pass`."""
    empty = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.If | ast.Try)
        and any(
            len(body) == 1 and isinstance(body[0], ast.Pass)
            for body in (node.body, getattr(node, "orelse", []))
        )
    ]
    assert not empty
