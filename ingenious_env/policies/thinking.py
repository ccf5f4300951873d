"""A stop flag for searches: a caller may ask a policy to decide from its results so far."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

_FLAG: ContextVar[Event | None] = ContextVar("stop flag", default=None)


def is_stopped() -> bool:
    """Return whether the current computation should end soon; a search checks it every few milliseconds."""
    flag = _FLAG.get()
    return flag is not None and flag.is_set()


@contextmanager
def stoppable(flag: Event) -> Iterator[None]:
    """Make computations of this thread in the block stoppable by a flag."""
    token = _FLAG.set(flag)
    try:
        yield
    finally:
        _FLAG.reset(token)
