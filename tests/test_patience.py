"""No test depends on the machine's speed: tests wait by `patience.py`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from patience import wait_until

TESTS = Path(__file__).parent
SOURCES = sorted(path for path in TESTS.rglob("*.py") if path.name not in ("patience.py", "run_pages.py"))
CLOCKS = {"monotonic", "perf_counter", "time"}
WAITS = {"timeout", "set_default_timeout", "wait_for_timeout"}
LONGEST_PAUSE = 1000
"""Milliseconds; shorter ones let something happen or not, and no test fails if it is late."""


def is_number(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def is_clock(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in CLOCKS
        and not node.args
    )


def _is_long(node: ast.AST) -> bool:
    """Return whether it is a number of whole seconds, longer than a look at a socket."""
    return is_number(node) and node.value >= 1


def limits_in(source: str) -> list[int]:
    """The lines that give something a number of seconds of the wall clock to happen in."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            found += [
                each.value.lineno for each in node.keywords if each.arg == "timeout" and is_number(each.value)
            ]
            if name == "create_connection" and any(map(is_number, node.args[1:])):
                found.append(node.lineno)
            if name in {"settimeout", "wait"} and any(map(_is_long, ast.walk(node))):
                found.append(node.lineno)
            if (
                name in WAITS
                and any(map(is_number, node.args))
                and node.args[0].value > LONGEST_PAUSE * (name == "wait_for_timeout")
            ):
                found.append(node.lineno)
        if isinstance(node, ast.BinOp) and is_clock(node.left) and is_number(node.right):
            found.append(node.lineno)
        if isinstance(node, ast.Compare) and any(map(is_clock, ast.walk(node))):
            found += [node.lineno for each in node.comparators if is_number(each)]
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_test_has_a_limit_of_its_own(path):
    assert limits_in(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "process.communicate(timeout=60)",
        "until = time.monotonic() + 60",
        "asyncio.timeout(60)",
        "page.set_default_timeout(60_000)",
        "page.wait_for_timeout(60_000)",
        "future.result(timeout=0.5)",
        "socket.create_connection(address, 10)",
        "connection.settimeout(0.02 if drips else 60)",
        "event.wait(60)",
        "assert time.monotonic() - began < 600",
    ],
)
def test_limits_are_found(line):
    assert limits_in(line) == [1]


@pytest.mark.parametrize(
    "line",
    [
        "process.communicate(timeout=PATIENCE)",
        "until = time.monotonic() + PATIENCE",
        "page.wait_for_timeout(10)",
        "socket.create_connection(address, PATIENCE)",
        "connection.settimeout(0.05)",
        "event.wait(0.001)",
        "assert time.monotonic() - began < PATIENCE",
    ],
)
def test_what_is_no_limit_is_not_found(line):
    assert limits_in(line) == []


def test_waiting_ends_with_what_is_waited_for():
    asked = []
    wait_until(lambda: len(asked) == 3 or asked.append(0), every=0)
    assert len(asked) == 3
