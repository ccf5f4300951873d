"""`RayExecutor`: tasks on a Ray cluster, as `concurrent.futures.Executor` has them; needs the extra `ray`.

Nodes need Python and the wheel with its extra `ray`. The package `agents` travels in Ray's `runtime_env`, and
agents with their weights travel with the tasks; an agent of any other module travels with its code.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import ray
from ray import cloudpickle
from ray.exceptions import RayError, RayTaskError

from agents.executors import ATTEMPTS

PATIENCE = 10.0  # seconds
INSTALLED = ("agents", "ingenious_env")
"""Top-level packages that nodes have, or that `runtime_env` brings."""


class _Task(NamedTuple):
    """A task that waits for its turn."""

    future: Future[Any]
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class RayExecutor(Executor):
    """Runs tasks on a Ray cluster; a task whose worker or node dies is run again, at most `ATTEMPTS` times.

    Args:
        address: of a running cluster, as `ray.init` takes it; None starts one on this machine, which ends
            with the executor.
        agents: that tasks will have among their arguments.
        workers: how many tasks run side by side; as many as the cluster has cores by default.

    Raises:
        ValueError: the cluster cannot be reached.
    """

    def __init__(
        self, address: str | None = None, agents: Iterable[Any] = (), workers: int | None = None
    ) -> None:
        if address is not None:
            _check_answers(address)
        try:
            ray.init(
                address=address,
                runtime_env={"py_modules": [str(Path(__file__).parent)], "excludes": ["__pycache__"]},
                include_dashboard=None if address else False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except (ConnectionError, RayError, ValueError, RuntimeError) as error:
            msg = f"no Ray cluster at {address or 'this machine'}: {str(error).splitlines()[0]}"
            if address is not None and os.environ.get("RAY_AUTH_MODE") != "token":
                msg += "; if it demands a token, set RAY_AUTH_MODE=token"
            raise ValueError(msg) from error
        self._own_modules = _own_modules(agents)
        for module in self._own_modules:
            cloudpickle.register_pickle_by_value(module)
        self.workers = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._lock, self._running, self._waiting = threading.Lock(), 0, deque[_Task]()
        self._remote = ray.remote(num_cpus=1, max_retries=ATTEMPTS - 1)(_call)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a task as soon as fewer than `workers` are running."""
        future: Future[Any] = Future()
        self._waiting.append(_Task(future, function, args, kwargs))
        self._start()
        return future

    def _start(self) -> None:
        """Start tasks that wait, up to the number of workers."""
        while True:
            with self._lock:
                if not self._waiting or self._running >= self.workers:
                    return
                task = self._waiting.popleft()
                if not task.future.set_running_or_notify_cancel():
                    continue  # it was cancelled
                self._running += 1
            found = self._remote.remote(task.function, task.args, task.kwargs).future()
            found.add_done_callback(partial(self._conclude, task.future))

    def _conclude(self, future: Future[Any], found: Future[Any]) -> None:
        with self._lock:
            self._running -= 1
        self._start()
        error = found.exception()
        if error is None:
            future.set_result(found.result())
        else:
            future.set_exception(error.cause if isinstance(error, RayTaskError) else error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """Leave the cluster, and end it if it was started by this executor; tasks that still run are lost."""
        del wait, cancel_futures
        ray.shutdown()
        for module in self._own_modules:
            cloudpickle.unregister_pickle_by_value(module)
        self._own_modules = []


def _check_answers(address: str) -> None:
    """ValueError if nothing listens at an address, which Ray would try to reach for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdigit()):
        return  # another form, such as "auto"
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        msg = f"no Ray cluster at {address}: {error}"
        raise ValueError(msg) from error


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)


def _own_modules(agents: Iterable[Any]) -> list[ModuleType]:
    """The modules of agents that nodes do not have, each once."""
    names = {type(agent).__module__ for agent in agents}
    return [sys.modules[name] for name in sorted(names) if name.partition(".")[0] not in INSTALLED]
