"""Mutations are found by function and pattern, with any formatting; missing ones are named."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from locate import LocateError, Mutation, flatten, plant

SOURCE = '''"""A module."""

LIMIT, NAMES = 5, ("a", "b")


class Counter:
    """Counts."""

    step: int = 1

    @property
    def total(self):
        """Sum: left + right."""
        return self.left + self.right  # left + right

    def add(self, count):
        # what comes in pairs
        for _ in range(count):
            self.left += 1
            self.right += 1


def outer(values):
    def inner(value):
        return value + 1

    return [inner(value) for value in values]
'''


def mutation(function: str, pattern: str, replacement: str, **more) -> Mutation:
    return Mutation("name", "code.py", function, pattern, replacement, "it", **more)


def planted(tmp_path: Path, bug: Mutation, source: str = SOURCE) -> str:
    (tmp_path / "code.py").write_text(source)
    return plant(bug, tmp_path)


@pytest.mark.parametrize(
    ("function", "pattern", "replacement", "old", "new"),
    [
        ("Counter.total", r"left \+ self", "left - self", "self.left + self", "self.left - self"),
        ("Counter.step", "1", "2", "int = 1", "int = 2"),
        ("LIMIT", "5", "6", "5,", "6,"),
        ("NAMES", '"a", "b"', '"b", "a"', '"a", "b"', '"b", "a"'),
        ("outer.inner", r"value \+ 1", "value", "value + 1", "value"),
        ("Counter.add", r"self\.(\w+) \+= 1 self\.(\w+)", r"self.\2 += 1\nself.\1", "", ""),
        ("Counter.add", r"(self\.left) \+= 1", r"\1 += 1\n\1 += 1", "", ""),
    ],
)
def test_a_pattern_is_replaced_in_its_function(tmp_path, function, pattern, replacement, old, new):
    bug = mutation(function, pattern, replacement.replace("\\n", "\n"))
    found = planted(tmp_path, bug)
    ast.parse(found)
    assert found != SOURCE
    if old:
        assert found == SOURCE.replace(old, new)


def test_replaced_lines_go_on_at_the_indentation_of_the_statement(tmp_path):
    found = planted(tmp_path, mutation("Counter.add", r"self\.left \+= 1", "if count:\n    pass"))
    assert "            if count:\n                pass\n            self.right += 1\n" in found


def test_docstrings_and_comments_are_not_looked_at(tmp_path):
    """There, "left + right" stands in both."""
    with pytest.raises(LocateError, match=r"found nowhere in Counter\.total"):
        planted(tmp_path, mutation("Counter.total", r"left \+ right", "0"))


FORMS = [
    """\
def f(a, b):
    return g(a, [b, 1]) + (a if b else 0)
""",
    """\
def f(
    a,
    b,
):
    return g(
        a,  # one
        [b, 1],
    ) + (
        a if b else 0
    )
""",
    """\
def f(a,
      b):
    # why
    return g(a,
             [b,
              1]) + (a
                     if b else 0)
""",
]


@pytest.mark.parametrize("source", FORMS)
def test_line_breaks_do_not_matter(tmp_path, source):
    tree = ast.parse(source)
    expected = "def f(a, b): return g(a, [b, 1]) + (a if b else 0)"
    assert flatten(source, tree, 1, source.count("\n")).text == expected
    pattern = r"""g\(a, \[b,
        1\]\) \+ \(a if"""
    found = planted(tmp_path, mutation("f", pattern, "h(b) + (a if"), source)
    assert ast.unparse(ast.parse(found)) == "def f(a, b):\n    return h(b) + (a if b else 0)"


def test_one_of_several(tmp_path):
    for occurrence, expected in (((1, 2), "self.left -= 1"), ((2, 2), "self.right -= 1")):
        assert expected in planted(tmp_path, mutation("Counter.add", r"\+= 1", "-= 1", occurrence=occurrence))


@pytest.mark.parametrize(
    ("bug", "complaint"),
    [
        (mutation("Counter.adds", "1", "2"), "there is no Counter.adds; nearest: 'Counter.add'"),
        (mutation("zzzzzz", "1", "2"), "there is no zzzzzz; nearest: nothing like it"),
        (mutation("Counter.add", r"self\.left -= 1", ""), "nearest: 'self.left [+]= 1', 'self.right [+]= 1'"),
        (
            mutation("Counter.add", r"\+= 1", ""),
            r"found 2 times in Counter.add, not 1: \['self.left .*occurrence=\(1, 2\)",
        ),
        (mutation("Counter.add", r"\+= 1", "", occurrence=(1, 3)), "found 2 times in Counter.add, not 3"),
        (
            mutation("Counter.total", r"value \+ 1", ""),
            "it fits outer, outer.inner; name the file, the function and",
        ),
        (mutation("outer", "inner", "(", occurrence=(1, 2)), "outer, mutated, cannot be read"),
        (mutation("Counter.total", r"self\.left", "(self.left)"), "Counter.total, mutated, means the same"),
    ],
)
def test_what_does_not_fit_is_said(tmp_path, bug, complaint):
    with pytest.raises(LocateError, match=f"^name: .*{complaint}"):
        planted(tmp_path, bug)


def test_a_name_that_is_defined_twice(tmp_path):
    with pytest.raises(LocateError, match="f is defined 2 times"):
        planted(tmp_path, mutation("f", "1", "2"), "def f():\n    return 1\n\n\ndef f():\n    return 1\n")


def test_a_file_that_is_gone(tmp_path):
    with pytest.raises(LocateError, match=r"name: there is no file code\.py"):
        plant(mutation("f", "1", "2"), tmp_path)


JAVASCRIPT = """// A module.

export const limit = 5;

/** Counts. "a" */
export class Counter {
  add(count) { // what comes in pairs
    for (const each of count) {
      this.left += each; // "left"
      this.right += each;
    }
  }

  get(name) {
    return call(
      "// no comment",
      name,
    );
  }
}

const outer = (values) =>
  values.map((value) => value + 1);
"""


@pytest.mark.parametrize(
    ("function", "pattern", "replacement", "old", "new"),
    [
        ("limit", "5", "6", "5;", "6;"),
        ("Counter.add", r"this\.left \+= each; this", "this.left -= each;\\nthis", "", ""),
        ("Counter.get", r"call\(\"// no comment\", name\)", "name", "", ""),
        ("outer", r"value \+ 1", "value", "value + 1", "value"),
    ],
)
def test_a_pattern_in_javascript(tmp_path, function, pattern, replacement, old, new):
    bug = replace(mutation(function, pattern, replacement), file="code.js")
    (tmp_path / "code.js").write_text(JAVASCRIPT)
    found = plant(bug, tmp_path)
    assert found != JAVASCRIPT
    if old:
        assert found == JAVASCRIPT.replace(old, new)


@pytest.mark.parametrize(
    ("function", "pattern", "complaint"),
    [
        ("Counter.none", "x", "there is no Counter.none; nearest: 'Counter"),
        ("Counter.add", "this", "found 2 times"),
        ("Counter.add", "in pairs", "found nowhere"),
        ("limit", "5", "means the same"),
    ],
)
def test_javascript_that_a_mutation_does_not_fit(tmp_path, function, pattern, complaint):
    (tmp_path / "code.js").write_text(JAVASCRIPT)
    with pytest.raises(LocateError, match=complaint):
        plant(replace(mutation(function, pattern, "5"), file="code.js"), tmp_path)
