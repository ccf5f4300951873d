"""Tasks for the processes of executors; apart, so that these can import them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def square(number: int) -> int:
    return number * number


def fail(text: str) -> None:
    raise ValueError(text)


def own_pid(seconds: float = 0.0) -> int:
    time.sleep(seconds)
    return os.getpid()


def die_at_first(folder: str, number: int, times: int) -> int:
    """The number; before a given number of requests, the process is killed instead."""
    asked = len(list(Path(folder).glob(f"{number}-*")))
    (Path(folder) / f"{number}-{asked}").touch()
    if asked < times:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def wait_for(path: str) -> str:
    """Wait until there is such a file."""
    Path(path + ".begun").touch()
    while not Path(path).exists():
        time.sleep(0.01)
    return path
