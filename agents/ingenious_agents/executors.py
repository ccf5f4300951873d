"""Executors for tournaments, studies and self-play, with the interface of `concurrent.futures.Executor`.

A task is a function of a module and arguments that can be pickled; its result depends only on these,
so that it can be run again where a worker has died. `cluster.py` has the executor of a Ray
cluster.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any

MOST_PROCESSES = 61 if sys.platform == "win32" else 2**31 - 1
"""Of a `ProcessPoolExecutor`, by the number of handles that a thread of Windows can wait for."""
ATTEMPTS = 5
"""The maximum number of runs of a task whose worker dies."""


class SerialExecutor(Executor):
    """Runs each task in the thread that submits it, before `submit` returns."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A completed future."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class ProcessPool(Executor):
    """A pool of processes that replaces those that die, and runs their tasks again.

    The processes ignore Ctrl-C, which their parent acts on, and end when the parent is killed.

    Args:
        processes: their number, at most `MOST_PROCESSES`.
    """

    def __init__(self, processes: int) -> None:
        self._processes = min(processes, MOST_PROCESSES)
        self._lock = threading.RLock()
        self._before = set(multiprocessing.active_children())
        self._pool: ProcessPoolExecutor | None = None
        self._is_shut = False

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a task; its future fails with BrokenProcessPool if its process has died `ATTEMPTS` times."""
        task = _Task(function, args, kwargs)
        self._run(task)
        return task

    def _run(self, task: _Task) -> None:
        task.attempts += 1
        with self._lock:
            if self._is_shut:
                msg = "the pool of processes is shut down"
                raise RuntimeError(msg)
            with _interrupts_blocked():
                try:
                    pool = self._pool or self._start()
                    task.inner = pool.submit(_call, task.function, task.args, task.kwargs)
                except BrokenProcessPool:  # one has died since, and its tasks are not marked yet
                    pool = self._start()
                    task.inner = pool.submit(_call, task.function, task.args, task.kwargs)
        task.inner.add_done_callback(lambda inner: self._conclude(task, inner, pool))

    def _start(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # a forked process must not use the engine's threads
        self._pool = ProcessPoolExecutor(self._processes, context, initializer=_begin_worker)
        return self._pool

    def _conclude(self, task: _Task, inner: Future[Any], pool: ProcessPoolExecutor) -> None:
        if inner.cancelled():
            return
        error = inner.exception()
        if isinstance(error, BrokenProcessPool) and task.attempts < ATTEMPTS and not self._is_shut:
            with self._lock:
                if self._pool is pool:
                    self._pool = None
            try:
                self._run(task)
            except Exception as raised:  # in a callback, where nobody would see it
                task.set_exception(raised)
        elif error is not None:
            task.set_exception(error)
        else:
            task.set_result(inner.result())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """End the processes once their tasks are done."""
        with self._lock:
            self._is_shut, pool = True, self._pool
        if pool is not None:
            pool.shutdown(wait, cancel_futures=cancel_futures)

    def kill(self) -> None:
        """End the processes at once."""
        self.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - self._before:
            child.terminate()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the processes; at once, if the block was left by an error."""
        if kind is None:
            self.shutdown()
        else:
            self.kill()


class _Task(Future[Any]):
    """The future of a task, regardless of the process that runs it."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        super().__init__()
        self.function, self.args, self.kwargs = function, args, kwargs
        self.attempts = 0
        self.inner: Future[Any] | None = None

    def cancel(self) -> bool:
        """Cancel the task unless it is running; returns whether it was cancelled."""
        if self.inner is not None and not self.inner.cancel():
            return False
        is_cancelled = super().cancel()
        if is_cancelled:
            self.set_running_or_notify_cancel()  # which notifies waiting threads
        return is_cancelled


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a task in a worker; an exception that cannot be read elsewhere is sent as a RuntimeError."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
        except Exception:
            raise RuntimeError(f"{type(error).__name__}: {error}") from None
        raise


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Processes that are started in the block are not interrupted until `_begin_worker`."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # which unblocks the signal when it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def pool_of(processes: int) -> Iterator[ProcessPool | None]:
    """A pool of processes; None, which stands for this process, where one is asked for."""
    if processes == 1:
        yield None
        return
    with ProcessPool(processes) as pool:
        yield pool
