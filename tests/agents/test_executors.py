"""Executors: results, errors, and processes that die."""

from __future__ import annotations

import concurrent.futures.process
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest
from ingenious_agents import executors
from ingenious_agents.executors import ATTEMPTS, ProcessPool, SerialExecutor
from patience import PATIENCE, wait_until
from worker_tasks import die_at_first, fail, own_pid, square, wait_for

ROOT = Path(__file__).parents[2]


def test_results_and_errors():
    with SerialExecutor() as serial, ProcessPool(2) as pool:
        for executor in (serial, pool):
            assert [future.result() for future in [executor.submit(square, k) for k in range(5)]] == [
                0,
                1,
                4,
                9,
                16,
            ]
            assert list(executor.map(square, range(4))) == [0, 1, 4, 9]
            with pytest.raises(ValueError, match="no such thing"):
                executor.submit(fail, "no such thing").result()
        assert serial.submit(own_pid).result() == os.getpid()
        assert pool.submit(own_pid).result() != os.getpid()


def test_there_are_no_more_processes_than_the_system_can_wait_for(monkeypatch):
    """Python's pool refuses more than 61 on Windows."""
    monkeypatch.setattr(executors, "MOST_PROCESSES", 2)
    monkeypatch.setattr(concurrent.futures.process, "_MAX_WINDOWS_WORKERS", 2)
    monkeypatch.setattr(concurrent.futures.process.sys, "platform", "win32")
    with ProcessPool(64) as pool:
        monkeypatch.setattr(pool, "_run", lambda _: None)
        pool._start().shutdown()


def test_tasks_of_a_process_that_died_are_run_again(tmp_path):
    with ProcessPool(2) as pool:
        futures = [pool.submit(die_at_first, str(tmp_path), k, int(k in (3, 5))) for k in range(12)]
        assert [future.result(timeout=PATIENCE) for future in futures] == list(range(12))


def test_a_task_that_kills_each_process_is_given_up(tmp_path):
    with ProcessPool(1) as pool:
        future = pool.submit(die_at_first, str(tmp_path), 0, 1000)
        with pytest.raises(BrokenProcessPool):
            future.result(timeout=PATIENCE)
        assert len(list(tmp_path.iterdir())) == ATTEMPTS
        assert pool.submit(square, 3).result(timeout=PATIENCE) == 9


def test_what_does_not_run_yet_can_be_cancelled(tmp_path):
    stop = tmp_path / "stop"
    with ProcessPool(1) as pool:
        running = pool.submit(wait_for, str(stop))
        waiting = [pool.submit(square, k) for k in range(6)]
        wait_until(Path(f"{stop}.begun").exists)
        assert not running.cancel()
        assert waiting[-1].cancel()
        stop.touch()
        wait([running, *waiting])
        assert running.result() == str(stop)
        assert waiting[0].result() == 0
        assert waiting[-1].cancelled()


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):  # it ended before, or while, its file was read
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks processes up in /proc")
def test_processes_end_when_their_parent_is_killed():
    code = (
        "import sys, time\n"
        "from ingenious_agents.executors import ProcessPool\n"
        "from worker_tasks import own_pid\n"
        "if __name__ == '__main__':\n"
        "    pool = ProcessPool(2)\n"
        "    futures = [pool.submit(own_pid, 0.3) for _ in range(2)]\n"
        "    print(*{future.result() for future in futures}, flush=True)\n"
        "    pool.submit(own_pid, 600)\n"
        "    time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert pids
    assert all(map(is_alive, pids))
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    wait_until(lambda: not any(map(is_alive, pids)))


def leave_by_an_error(pool: ProcessPool, pids: list[int]) -> None:
    with pool:
        pids.append(pool.submit(own_pid).result())
        pool.submit(own_pid, 600)
        raise KeyError


def test_left_by_an_error_a_pool_ends_at_once():
    """Without waiting for a task that sleeps for as long as no test does."""
    pids, pool = [], ProcessPool(1)
    began = time.monotonic()
    with pytest.raises(KeyError):
        leave_by_an_error(pool, pids)
    assert time.monotonic() - began < PATIENCE
    wait_until(lambda: not any(map(is_alive, pids)))
    with pytest.raises(RuntimeError, match="is shut down"):
        pool.submit(square, 1)


class TwoPartError(Exception):
    """Cannot be unpickled, as its text is its only argument."""

    def __init__(self, what, where):
        super().__init__(f"{what} in {where}")


def raise_two_parts():
    raise TwoPartError("a cell", "no board")


def test_an_exception_that_cannot_be_read_elsewhere_is_told_in_words():
    """It does not break the pool."""
    with ProcessPool(1) as pool:
        with pytest.raises(RuntimeError, match=r"^TwoPartError: a cell in no board$"):
            pool.submit(raise_two_parts).result(timeout=PATIENCE)
        assert pool.submit(square, 3).result(timeout=PATIENCE) == 9


def test_a_task_that_cannot_be_run_again_fails(tmp_path, monkeypatch):
    """As there can be no new process."""
    with ProcessPool(1) as pool:
        task = pool.submit(die_at_first, str(tmp_path), 0, 1)
        monkeypatch.setattr(pool, "_start", lambda: fail("no process more"))
        with pytest.raises(ValueError, match="no process more"):
            task.result(timeout=PATIENCE)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal of a process there")
def test_processes_that_start_are_not_interrupted(capfd):
    """By Ctrl-C at a terminal, which all processes receive."""
    before = set(multiprocessing.active_children())
    with ProcessPool(2) as pool:
        tasks = [pool.submit(own_pid) for _ in range(2)]
        for process in set(multiprocessing.active_children()) - before:
            os.kill(process.pid, signal.SIGINT)
        assert all(task.result(timeout=PATIENCE) for task in tasks)
        assert [task.attempts for task in tasks] == [1, 1]
    assert capfd.readouterr().err == ""
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set()
