"""An executor one of whose tasks fails while all others are in progress."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor


class FailsAt(ThreadPoolExecutor):
    """Of as many tasks as workers, the one with a number, from 0, fails; the others end after it."""

    def __init__(self, number: int, workers: int) -> None:
        super().__init__(workers)
        self.number, self.submitted = number, 0
        self.all_run, self.has_failed = threading.Barrier(workers), threading.Event()

    def submit(self, function, /, *args, **kwargs):
        number, self.submitted = self.submitted, self.submitted + 1
        future: Future = super().submit(self._run, number, function, args, kwargs)
        if number == self.number:
            future.add_done_callback(lambda _: self.has_failed.set())
        return future

    def _run(self, number, function, args, kwargs):
        self.all_run.wait()  # none is cancelled
        if number == self.number:
            msg = "the agent's process has ended"
            raise ChildProcessError(msg)
        self.has_failed.wait()
        return function(*args, **kwargs)
