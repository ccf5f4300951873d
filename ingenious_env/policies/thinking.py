"""A stop flag for searches: whoever runs a policy may ask it to decide by what it has found so far."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

_FLAG: ContextVar[Event | None] = ContextVar("stop flag", default=None)


def is_stopped() -> bool:
    """Whether the computation that asks is to end soon; a search looks every few milliseconds."""
    flag = _FLAG.get()
    return flag is not None and flag.is_set()


@contextmanager
def stoppable(flag: Event) -> Iterator[None]:
    """Let what runs in this block, and in this thread, be stopped by a flag."""
    token = _FLAG.set(flag)
    try:
        yield
    finally:
        _FLAG.reset(token)
