"""Progress of compilation, for listeners, by default a notice on standard error; and a clock without it.

To listeners only compilation by Numba counts, not loading cached code from disk, however slow; the clock
leaves out both.
"""

from __future__ import annotations

import sys
import threading
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
"""Called by the compiling thread with the title of what is compiled, and with "" when that is done."""


def title_of(function: FunctionType | Callable[..., Any], folder: str) -> str:
    """The name of a kernel and of its game or module."""
    parts = function.__module__.split(".")
    if "games" in parts:
        owner = parts[parts.index("games") + 1]
    else:
        owner = folder or parts[-2 if parts[-1] == "kernels" else -1]
    return f"{function.__name__} of {owner}"


MADE: WeakSet[Any] = WeakSet()
"""All kernels made so far, compiled or not."""


def write_notice(title: str) -> None:
    """Write a line to standard error, at most every `NOTICE_EVERY` seconds."""
    now = time.monotonic()
    if not title or now - _PROGRESS.last < NOTICE_EVERY:
        return
    _PROGRESS.last = now
    left = _left()
    more = f", up to {left} more follow" if left else ""
    sys.stderr.write(
        f"ingenious_env: compiling for the first time with this version: {title}, number {_PROGRESS.done + 1}"
        f"{more}; `ingenious compile` compiles all at once.\n"
    )


def _left() -> int:
    """Number of kernels not compiled yet, without the one being compiled."""
    return max(0, sum(not kernel.is_compiled for kernel in MADE) - 1)


class _Progress:
    """The state of compilation in this process."""

    def __init__(self) -> None:
        self.now = ""
        self.done = 0
        self.last = -inf
        self.listeners: list[Listener] = [write_notice]

    def announce(self, title: str) -> None:
        """Pass a title to the listeners; "" when compilation ends."""
        self.now = title
        for listener in self.listeners:
            listener(title)


_PROGRESS = _Progress()


def compiling() -> str:
    """The title of what is being compiled in this process; "" for nothing."""
    return _PROGRESS.now


class _Stopped(threading.local):
    """The time in seconds that `clock` leaves out, for each thread."""

    seconds = 0.0


_STOPPED = _Stopped()


def clock() -> float:
    """`time.perf_counter()` without the time in which this thread compiled, loaded or awaited kernels."""
    return time.perf_counter() - _STOPPED.seconds


@contextmanager
def stopping_the_clock() -> Iterator[None]:
    """Leave the block out of this thread's `clock`; what a nested block has left out is not counted twice."""
    began = clock()
    try:
        yield
    finally:
        _STOPPED.seconds += clock() - began


@contextmanager
def listening(listener: Listener, *, notices: bool = True) -> Iterator[None]:
    """Add a listener during the block; without notices, it replaces the others."""
    before = _PROGRESS.listeners
    _PROGRESS.listeners = [*(before if notices else ()), listener]
    try:
        yield
    finally:
        _PROGRESS.listeners = before


@contextmanager
def announcing(dispatcher: Any, title: str) -> Iterator[None]:
    """Announce the title while a Numba dispatcher compiles in the block."""
    with event.install_listener("numba:compile", _Listener(dispatcher, title)):
        yield


class _Listener(event.Listener):
    """Announces compilation by one dispatcher."""

    def __init__(self, dispatcher: Any, title: str) -> None:
        self._dispatcher, self._title = dispatcher, title

    def on_start(self, started: Any) -> None:
        """Announce the title."""
        if started.data["dispatcher"] is self._dispatcher:
            _PROGRESS.announce(self._title)

    def on_end(self, ended: Any) -> None:
        """Announce the end."""
        if ended.data["dispatcher"] is self._dispatcher:
            _PROGRESS.done += 1
            _PROGRESS.announce("")
