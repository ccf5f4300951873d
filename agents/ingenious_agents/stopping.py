"""Stopping long computations between two steps."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def end_as_interrupt() -> Iterator[None]:
    """Make termination signals raise KeyboardInterrupt, as Ctrl-C does, so that the block can clean up.

    Outside the main thread, the only one that receives signals, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def stop_request(notice: str = "") -> Iterator[threading.Event]:
    """An event set by the first Ctrl-C or termination signal; a second one interrupts at once.

    Outside the main thread, the only one that receives signals, it is never set.

    Args:
        notice: a line to write to standard error at the first.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def ask(_signal: int, _frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        if notice:
            os.write(2, f"\n{notice}\n".encode())  # a buffered stream must not be written to from here

    before = {each: signal.signal(each, ask) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
