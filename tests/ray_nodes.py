"""A Ray cluster of several simulated nodes on this machine, and the processes of its workers; Linux only."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from patience import PATIENCE
from ray.cluster_utils import Cluster


@contextmanager
def nodes(number: int) -> Iterator[Cluster]:
    """A cluster of a number of one-core nodes; the head has none."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    try:
        for _ in range(number):
            cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        yield cluster
    finally:
        cluster.shutdown()


def workers() -> list[int]:
    """The processes that run a task of a cluster of this process now."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(b"ray::_call") and _descends(int(path.parent.name)):
                found.append(int(path.parent.name))
        except OSError:
            continue  # it has ended
    return found


def _descends(pid: int) -> bool:
    while pid > 1 and pid != os.getpid():
        status = Path(f"/proc/{pid}/status").read_text()
        pid = int(status.partition("PPid:")[2].split()[0])
    return pid == os.getpid()


def kill_workers(number: int) -> int:
    """Kill workers one after the other, as soon as there are any; returns their number."""
    killed, until = 0, time.monotonic() + PATIENCE
    while killed < number and time.monotonic() < until:
        for pid in workers()[:1]:
            os.kill(pid, signal.SIGKILL)
            killed += 1
            time.sleep(0.5)
        time.sleep(0.01)
    return killed
