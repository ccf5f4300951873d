"""Compiling as it happens: who wants to know is told of it, and standard error has a line.

Only what Numba compiles counts; reading what is kept on disk, however slow, is no compiling.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from types import FunctionType
from typing import Any
from weakref import WeakSet

from numba.core import event

NOTICE_EVERY = 5.0  # seconds between two lines; the first comes at once
Listener = Callable[[str], None]
"""Called with what is being compiled, and with "" when that is done, by the thread that compiles."""


def title_of(function: FunctionType | Callable[..., Any], folder: str) -> str:
    """The name of a kernel, and the game or the module that it belongs to."""
    parts = function.__module__.split(".")
    if "games" in parts:
        owner = parts[parts.index("games") + 1]
    else:
        owner = folder or parts[-2 if parts[-1] == "kernels" else -1]
    return f"{function.__name__} of {owner}"


MADE: WeakSet[Any] = WeakSet()
"""All kernels made so far, compiled or not."""


def write_notice(title: str) -> None:
    """A line of standard error, now and then."""
    now = time.monotonic()
    if not title or now - _TOLD.last < NOTICE_EVERY:
        return
    _TOLD.last = now
    left = _left()
    more = f", up to {left} more follow" if left else ""
    sys.stderr.write(
        f"ingenious_env: compiling for the first time with this version: {title}, number {_TOLD.done + 1}"
        f"{more}; `ingenious compile` compiles all at once.\n"
    )


def _left() -> int:
    """How many kernels that have been made are not compiled yet, apart from the one that is."""
    return max(0, sum(not kernel.is_compiled for kernel in MADE) - 1)


class _Told:
    """The state of compiling in this process."""

    def __init__(self) -> None:
        self.now = ""
        self.done = 0
        self.last = -inf
        self.listeners: list[Listener] = [write_notice]

    def tell(self, title: str) -> None:
        """Something is being compiled, or nothing any more."""
        self.now = title
        for listener in self.listeners:
            listener(title)


_TOLD = _Told()


def compiling() -> str:
    """What is being compiled now in this process; "" for nothing."""
    return _TOLD.now


@contextmanager
def listening(listener: Listener, *, notices: bool = True) -> Iterator[None]:
    """Tell a listener of what is compiled during the block; without notices, nobody else."""
    before = _TOLD.listeners
    _TOLD.listeners = [*(before if notices else ()), listener]
    try:
        yield
    finally:
        _TOLD.listeners = before


@contextmanager
def told(dispatcher: Any, title: str) -> Iterator[None]:
    """Tell of it if a dispatcher of Numba compiles in the block."""
    with event.install_listener("numba:compile", _Listener(dispatcher, title)):
        yield


class _Listener(event.Listener):
    """Tells of what one dispatcher compiles."""

    def __init__(self, dispatcher: Any, title: str) -> None:
        self._dispatcher, self._title = dispatcher, title

    def on_start(self, started: Any) -> None:
        """Compiling begins."""
        if started.data["dispatcher"] is self._dispatcher:
            _TOLD.tell(self._title)

    def on_end(self, ended: Any) -> None:
        """It has ended."""
        if ended.data["dispatcher"] is self._dispatcher:
            _TOLD.done += 1
            _TOLD.tell("")
