"""Waiting for what must come: so long that only a hang fails, on however busy a machine and cold a cache."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds that a test waits before it takes something for hung."""


def wait_until(is_so: Callable[[], object], every: float = 0.01) -> None:
    """Return as soon as something is so.

    Args:
        is_so: asked again and again; an error of its own ends the wait.
        every: seconds between two questions.
    """
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until, "this takes so long that it must hang"
        time.sleep(every)
