"""`RayExecutor`: a `concurrent.futures.Executor` on a Ray cluster; needs the extra `ray`.

Nodes need Python and the wheel with its extra `ray`. Agents are sent with the tasks, including their weights;
an agent of a module outside the wheel is sent with its code. A node with another version of the wheel than
this machine's is refused, as its games might differ. When the head of the cluster stops answering, all tasks
fail at once; Ray itself would wait for a minute.
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
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import ingenious_env
from ingenious_agents.executors import ATTEMPTS
from ingenious_env.engine.extras import needs
from ingenious_env.engine.files import digest

with needs("ingenious_agents.cluster", "ingenious-env[ray]"):
    import ray
    from ray import cloudpickle
    from ray.exceptions import RayError, RayTaskError

PATIENCE = 10.0  # seconds
WATCH_EVERY = 0.3  # seconds between two checks of the head; Ray ends this process soon after it
MISSES = 3
"""Consecutive unanswered checks after which the head is lost."""
COLLECT_EVERY = 0.05  # seconds after which the next tasks are waited for, too
INSTALLED = ("ingenious_agents", "ingenious_env")
"""Packages of the wheel."""


class ClusterLostError(ConnectionError):
    """The head of the cluster does not answer any more."""


class OtherVersionError(OSError):
    """A node has another version of the package, or lacks one that a task imports."""


class _Task(NamedTuple):
    """A task that waits for its turn."""

    future: Future[Any]
    packed: bytes


class RayExecutor(Executor):
    """Runs tasks on a Ray cluster; a task whose worker or node dies is run again, at most `ATTEMPTS` times.

    Args:
        address: of a running cluster, as for `ray.init`; None starts one on this machine, which ends
            with the executor.
        agents: used as arguments of tasks.
        workers: number of tasks that run concurrently; by default the cluster's number of cores.

    Raises:
        ValueError: the cluster cannot be reached.
        OtherVersionError: by a task, on a node with another version of the package.
        ClusterLostError: by all tasks, once the head of the cluster does not answer any more.
    """

    def __init__(
        self, address: str | None = None, agents: Iterable[Any] = (), workers: int | None = None
    ) -> None:
        if address is not None:
            _check_answers(address)
        try:
            ray.init(
                address=address,
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
        self._open: set[Future[Any]] = set()
        self._results: dict[Any, Future[Any]] = {}
        self._has_results = threading.Event()
        self._lost: ClusterLostError | None = None
        self._ended = threading.Event()
        self._version = package_version()
        self._remote = ray.remote(num_cpus=1, max_retries=ATTEMPTS - 1)(_call)
        head = str(ray.get_runtime_context().gcs_address)
        if address is not None and address.startswith("ray://"):
            head = address.removeprefix("ray://")
        threading.Thread(target=self._watch, args=(head,), daemon=True).start()
        self._collector = threading.Thread(target=self._collect, daemon=True)
        self._collector.start()

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a task as soon as fewer than `workers` are running."""
        future: Future[Any] = Future()
        try:
            packed = cloudpickle.dumps((function, args, kwargs))
        except Exception as error:  # of any argument
            future.set_exception(error)
            return future
        with self._lock:
            lost = self._lost
            if lost is None:  # from now on `_watch` fails the future
                self._open.add(future)
                self._waiting.append(_Task(future, packed))
        if lost is not None:
            future.set_exception(lost)
        self._start()
        return future

    def _start(self) -> None:
        """Start tasks that wait, up to the number of workers."""
        while True:
            with self._lock:
                if not self._waiting or self._running >= self.workers or self._lost is not None:
                    return
                task = self._waiting.popleft()
                if not task.future.set_running_or_notify_cancel():
                    self._open.discard(task.future)
                    continue  # it was cancelled
                self._running += 1
            try:
                reference = self._remote.remote(self._version, task.packed)
            except Exception as error:
                with self._lock:
                    self._running -= 1
                    is_open = task.future in self._open
                    self._open.discard(task.future)
                if is_open:
                    task.future.set_exception(error)
                continue
            with self._lock:
                self._results[reference] = task.future
            self._has_results.set()

    def _collect(self) -> None:
        """Hand on results until the cluster is lost or left.

        Ray's own futures are not used: if the head dies while a large result is in transfer, they abort the
        process by a failed assertion, before anything can be saved or reported.
        """
        while not self._ended.is_set() and self._lost is None:
            with self._lock:
                references = list(self._results)
            if not references:
                self._has_results.wait(COLLECT_EVERY)
                self._has_results.clear()
                continue
            try:
                ready, _ = ray.wait(references, num_returns=1, timeout=COLLECT_EVERY)
            except (RayError, OSError):
                self._ended.wait(COLLECT_EVERY)  # the head is lost; `_watch` reports it
                continue
            for reference in ready:
                self._conclude(reference)

    def _conclude(self, reference: Any) -> None:
        """Hand on the result or the error of a task that has ended."""
        result = error = None
        try:
            result = ray.get(reference)
        except Exception as raised:
            error = raised
        with self._lock:
            self._running -= 1
            future = self._results.pop(reference)
            if future not in self._open:
                return  # it has failed, with the cluster
            self._open.remove(future)
        if error is None:
            future.set_result(result)
        else:
            error = error.cause if isinstance(error, RayTaskError) else error
            if isinstance(error, ImportError):
                wanted = f"install ingenious-env {self._version} there, and all that the agents import"
                error = OtherVersionError(f"{error} on a node; {wanted}")
            future.set_exception(error)
        self._start()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """Leave the cluster, and end it if it was started by this executor; tasks that still run are lost."""
        del wait, cancel_futures
        self._ended.set()
        if threading.current_thread() is not self._collector:
            self._collector.join(PATIENCE)
        ray.shutdown()
        for module in self._own_modules:
            cloudpickle.unregister_pickle_by_value(module)
        self._own_modules = []

    def _watch(self, head: str) -> None:
        """Check the head periodically, and fail all tasks once it is lost."""
        host, _, port = head.rpartition(":")
        misses = 0
        while misses < MISSES:
            if self._ended.wait(WATCH_EVERY):
                return
            try:
                socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
                misses = 0
            except OSError as error:
                misses += 1
                why = error
        with self._lock:
            self._lost = ClusterLostError(f"the Ray cluster at {head} does not answer any more ({why})")
            failed, self._open = self._open, set()
            self._waiting.clear()
        for future in failed:
            if not future.cancelled():
                future.set_exception(self._lost)


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


@cache
def package_version() -> str:
    """The version of the wheel in this process, with a digest, as sources of one version may differ."""
    folders = [Path(__file__).parent, Path(ingenious_env.__file__).parent]
    paths = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    sources = b"".join(path.read_bytes().replace(b"\r\n", b"\n") for path in paths)
    return f"{ingenious_env.__version__} ({digest(sources)[:8]})"


def _call(version: str, packed: bytes) -> Any:
    """Run a task, if this node has that version; as unpacking may need the same version."""
    mine = package_version()
    if mine != version:
        node = ray.util.get_node_ip_address()
        msg = f"node {node} has ingenious-env {mine}, and this machine {version}; install the same on both"
        raise OtherVersionError(msg)
    function, args, kwargs = cloudpickle.loads(packed)
    return function(*args, **kwargs)


def _own_modules(agents: Iterable[Any]) -> list[ModuleType]:
    """The modules of agents that nodes do not have, each once."""
    names = {type(agent).__module__ for agent in agents}
    return [sys.modules[name] for name in sorted(names) if name.partition(".")[0] not in INSTALLED]
