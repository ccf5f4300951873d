"""A ladder and the quick training, whole: the same files anywhere, with any process killed.

Minutes each; `.ci/nightly tests` runs them, and says how long each took.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("ray")
pytest.importorskip("torch")

from ray_nodes import kill_workers, nodes

ROOT = Path(__file__).parents[2]
TIMES = 10

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for the processes of workers in /proc"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray", "ignore::ResourceWarning"),
]


def ladder_command(path, *options):
    """The command of a ladder, with a log and more options."""
    return [sys.executable, "-m", "ingenious_env", *LADDER.split(), "--out", str(path), *options]


LADDER = (
    "tournament uniform greedy greedy:utility=lowest greedy:utility=concave flat-mc:rollouts=200 "
    "tree:rollouts=200 --deals 60"
)


def run(command):
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def lines(path):
    """The content of a log, without the seconds of its games."""
    return [
        {name: value for name, value in json.loads(line).items() if name != "seconds"}
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def number_of_lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.fixture(scope="module")
def ladder(tmp_path_factory):
    """The lines of the log that one process writes."""
    path = tmp_path_factory.mktemp("ladder") / "log.jsonl"
    run(ladder_command(path, "--processes", "1"))
    assert number_of_lines(path) == 15 * 60 * 2
    return lines(path)


def test_two_processes_write_the_same_log(ladder, tmp_path):
    run(ladder_command(tmp_path / "log.jsonl", "--processes", "2"))
    assert lines(tmp_path / "log.jsonl") == ladder


@pytest.mark.parametrize("number", [2, 4])
def test_a_cluster_writes_the_same_log(ladder, tmp_path, number):
    with nodes(number) as cluster:
        run(ladder_command(tmp_path / "log.jsonl", "--ray", cluster.address))
    assert lines(tmp_path / "log.jsonl") == ladder


def killings(whole):
    """The numbers of lines, evenly spread over the log, after which something is killed."""
    yield from (1 + (whole - 1) * time_killed // (TIMES + 1) for time_killed in range(1, TIMES + 1))


def wait_for_lines(path, number, process):
    while number_of_lines(path) < number:
        assert process.poll() is None
        time.sleep(0.02)


@pytest.mark.parametrize("victim", ["worker", "node"])
def test_workers_and_nodes_that_die_cost_nothing_else(ladder, tmp_path, victim):
    """Killed ten times in the course of the log; another node replaces one that is removed."""
    path = tmp_path / "log.jsonl"
    with nodes(2) as cluster:
        extra = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        process = subprocess.Popen(
            ladder_command(path, "--ray", cluster.address), cwd=ROOT, stderr=subprocess.DEVNULL
        )
        for number in killings(len(ladder)):
            wait_for_lines(path, number, process)
            if victim == "worker":
                assert kill_workers(1) == 1
            else:
                cluster.remove_node(extra, allow_graceful=False)
                extra = cluster.add_node(num_cpus=1)
        assert process.wait() == 0
    assert lines(path) == ladder


@pytest.mark.parametrize("where", [("--processes", "2"), ("--ray",)])
def test_a_driver_that_is_killed_goes_on_from_its_log(ladder, tmp_path, where):
    path = tmp_path / "log.jsonl"
    for number in killings(len(ladder)):
        process = subprocess.Popen(
            ladder_command(path, *where), cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True
        )
        wait_for_lines(path, number, process)
        process.kill()
        assert process.wait() == -signal.SIGKILL
    run(ladder_command(path, *where))
    assert lines(path) == ladder


def train(folder, *options):
    """The bytes of the agent that the quick training of `train_value` makes."""
    run([sys.executable, "-m", "scripts.train_value", "--folder", str(folder), *options])
    return (folder / "agent.safetensors").read_bytes()


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    return train(tmp_path_factory.mktemp("threads"), "--threads", str(os.cpu_count()))


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_cluster_trains_the_same_network(agent, tmp_path, workers):
    with nodes(workers) as cluster:
        assert train(tmp_path, "--ray", cluster.address, "--workers", str(workers)) == agent


def games_done(process):
    """The numbers of games done and of all games, each time that a training shows its progress."""
    text = b""
    while chunk := process.stderr.read1(4096):
        text = text[-100:] + chunk
        found = re.findall(rb"(\d+)/(\d+) \[", text)
        if found:
            yield int(found[-1][0]), int(found[-1][1])


def test_workers_that_die_change_no_network(agent, tmp_path):
    """Killed ten times, each time after progress, as a task may die only so often."""
    with nodes(2) as cluster:
        options = ["--folder", str(tmp_path), "--ray", cluster.address, "--workers", "2"]
        command = [sys.executable, "-m", "scripts.train_value", *options]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        killed = 0
        try:
            for done, games in games_done(process):
                if killed < TIMES and done * (TIMES + 1) >= games * (killed + 1):
                    killed += kill_workers(1)
            assert process.wait() == 0
        finally:
            process.kill()
            process.communicate()
    assert killed == TIMES
    assert (tmp_path / "agent.safetensors").read_bytes() == agent
