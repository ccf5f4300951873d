"""Tournaments and self-play on a Ray cluster of several nodes: as in one process, despite failures."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ray")
pytest.importorskip("torch")

from commands import refused
from ingenious_agents import cluster as cluster_module
from ingenious_agents.cluster import ClusterLostError, OtherVersionError, RayExecutor, package_version
from ingenious_agents.commands import tournament as script
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.scheduler import Schedule, run
from ingenious_agents.evaluation.tournament import Tournament
from ingenious_agents.executors import SerialExecutor
from ingenious_agents.training.checkpoint import checkpoint_in
from ingenious_agents.value.training import Learner, Settings, played_batches
from patience import PATIENCE, wait_until
from ray_nodes import kill_workers, nodes
from worker_tasks import die_at_first, fail, own_pid, square, wait_for

import ingenious_env
from ingenious_env import Rules
from scripts import train_value

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks for the processes of workers in /proc"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray", "ignore::ResourceWarning"),
]
ROOT = Path(__file__).parents[2]
SMALL = Rules(2, board_side=4, num_colours=4, rack_size=3)
SETTINGS = Settings(games=120, batch=20, minibatch=100, candidates=4, td_lambda=1.0)


@pytest.fixture(scope="module")
def cluster():
    with nodes(2) as cluster:
        yield cluster


@pytest.fixture
def executor(cluster):
    with RayExecutor(cluster.address) as executor:
        yield executor


def log_of(path, tournament, executor, deals, size=2):
    log = Log.open(path, tournament)
    run(Schedule(log, deals, None), executor, size, progress=False)
    log.save()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def test_results_and_errors(executor):
    assert executor.workers == 2
    futures = [executor.submit(square, number) for number in range(8)]
    assert not futures[0].cancel()
    assert [future.result(timeout=PATIENCE) for future in futures] == [number**2 for number in range(8)]
    assert executor.submit(own_pid).result(timeout=PATIENCE) != os.getpid()
    with pytest.raises(ValueError, match=r"^no such thing$"):
        executor.submit(fail, "no such thing").result(timeout=PATIENCE)


def test_a_task_that_cannot_be_sent_fails_alone(cluster, tmp_path):
    """Tasks before and after it run, whether or not a worker was free when it was submitted."""
    with RayExecutor(cluster.address, workers=1) as executor:
        for _ in range(3):
            with pytest.raises(TypeError, match="pickle"):
                executor.submit(square, threading.Lock()).result(timeout=PATIENCE)
        before = executor.submit(wait_for, str(tmp_path / "stop"))
        unsent, after = executor.submit(square, threading.Lock()), executor.submit(square, 3)
        (tmp_path / "stop").touch()
        assert before.result(timeout=PATIENCE) == str(tmp_path / "stop")
        with pytest.raises(TypeError, match="pickle"):
            unsent.result(timeout=PATIENCE)
        assert after.result(timeout=PATIENCE) == 9


def test_a_task_that_ray_does_not_take_fails_alone(executor, monkeypatch):
    """The worker is free for others."""
    remote = executor._remote

    class Refusing:
        def remote(self, *_):
            fail("not taken")

    monkeypatch.setattr(executor, "_remote", Refusing())
    for _ in range(3):
        with pytest.raises(ValueError, match="not taken"):
            executor.submit(square, 2).result(timeout=PATIENCE)
    monkeypatch.setattr(executor, "_remote", remote)
    assert executor.submit(square, 3).result(timeout=PATIENCE) == 9


def test_no_more_tasks_run_than_there_are_workers(cluster, tmp_path):
    stop = tmp_path / "stop"
    with RayExecutor(cluster.address, workers=1) as executor:
        first, *others = [
            executor.submit(wait_for, str(tmp_path / name)) for name in ("stop", "more", "last")
        ]
        wait_until(Path(f"{stop}.begun").exists)
        time.sleep(0.5)  # a worker too many would begin now; a later one is only missed
        assert not (tmp_path / "more.begun").exists()
        assert others[0].cancel()
        (tmp_path / "last").touch()
        stop.touch()
        assert first.result(timeout=PATIENCE) == str(stop)
        assert others[1].result(timeout=PATIENCE) == str(tmp_path / "last")
        assert not (tmp_path / "more.begun").exists()


def test_tasks_of_a_worker_that_died_are_run_again(executor, tmp_path):
    futures = [executor.submit(die_at_first, str(tmp_path), k, int(k == 2)) for k in range(4)]
    assert [future.result(timeout=PATIENCE) for future in futures] == list(range(4))


def test_a_tournament_is_the_same_though_workers_and_a_node_die(cluster, executor, tmp_path):
    tournament = Tournament.of(Rules(), ["greedy", "tree:rollouts=30", "value"], seed=4)
    expected = log_of(tmp_path / "here.jsonl", tournament, SerialExecutor(), 12)
    assert log_of(tmp_path / "there.jsonl", tournament, executor, 12) == expected
    extra = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    killer = threading.Thread(target=kill_workers, args=(2,))
    remover = threading.Timer(1.0, cluster.remove_node, [extra], {"allow_graceful": False})
    killer.start()
    remover.start()
    assert log_of(tmp_path / "dying.jsonl", tournament, executor, 12) == expected
    killer.join()
    remover.join()


@pytest.mark.parametrize(
    ("shares", "lag", "deaths"),
    [
        *(pytest.param(*each, marks=pytest.mark.nightly) for each in [(1, 0, 0), (2, 0, 0), (4, 0, 2)]),
        (4, 2, 1),
    ],
)
def test_a_network_is_the_same_however_it_is_trained(executor, shares, lag, deaths):
    settings = Settings(**{**vars(SETTINGS), "lag": lag})
    networks = []
    for where, size in ((SerialExecutor(), 1), (executor, shares)):
        learner = Learner(Rules.solitaire(), settings)
        killer = threading.Thread(target=kill_workers, args=(deaths if where is executor else 0,))
        killer.start()
        for games in played_batches(learner, where, size):
            learner.learn(games)
        killer.join()
        networks.append(learner.value_network().weights)
    assert np.array_equal(*networks)


def test_an_agent_of_ones_own_travels_with_its_code(cluster, tmp_path, monkeypatch):
    """The nodes have no such file."""
    path = tmp_path / "own_agent.py"
    path.write_text(
        "import numpy as np\n"
        "class Last:\n"
        "    def act(self, view):\n"
        "        mask = view.legal_mask()\n"
        "        return mask.shape[1] - 1 - np.argmax(mask[:, ::-1], axis=1)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    tournament = Tournament.of(SMALL, ["greedy", "own_agent.Last"])
    agents = tournament.make_agents()
    path.unlink()
    with RayExecutor(cluster.address, agents) as executor:
        found = log_of(tmp_path / "there.jsonl", tournament, executor, 3)
    assert found == log_of(tmp_path / "here.jsonl", tournament, SerialExecutor(), 3)


def test_the_command_plays_on_a_cluster(cluster, tmp_path, capsys):
    out = tmp_path / "log.jsonl"
    script.main(["greedy", "uniform", "--deals", "4", "--out", str(out), "--ray", cluster.address])
    assert len(list(Log.load(out))) == 8
    assert "| greedy " in capsys.readouterr().out


def test_a_cluster_that_is_not_there(tmp_path, capsys):
    out = str(tmp_path / "log.jsonl")
    said = refused(capsys, script, "greedy", "uniform", "--out", out, "--ray", "127.0.0.1:1")
    assert "no Ray cluster at 127.0.0.1:1" in said


@pytest.mark.parametrize("mode", [None, "disabled", "token"])
def test_a_cluster_that_may_demand_a_token(mode, monkeypatch):
    """The error names the environment variable unless it is already set."""

    def refuse(**_options):
        raise ConnectionError("Failed to connect")

    monkeypatch.setattr("ingenious_agents.cluster.ray.init", refuse)
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    if mode is not None:
        monkeypatch.setenv("RAY_AUTH_MODE", mode)
    with pytest.raises(ValueError, match="no Ray cluster at auto: Failed to connect") as caught:
        RayExecutor("auto")
    assert ("set RAY_AUTH_MODE=token" in str(caught.value)) == (mode != "token")


def test_without_an_address_a_cluster_of_this_machine_is_started(tmp_path):
    """In a separate process, which only prints its report."""
    command = [sys.executable, "-m", "ingenious_env", "tournament", "greedy", "uniform", "--deals", "4"]
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "log.jsonl"), "--ray"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "| greedy " in done.stdout
    assert "ray" not in done.stderr.lower()


@pytest.mark.nightly
def test_an_interruption_loses_nothing(tmp_path):
    """Of the whole group of processes, as a terminal sends it."""
    path = tmp_path / "log.jsonl"
    command = [
        sys.executable,
        "-m",
        "ingenious_agents.commands.tournament",
        "greedy",
        "flat-mc:rollouts=60",
        "--deals",
        "100000",
    ]
    process = subprocess.Popen(
        [*command, "--out", str(path), "--ray"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not path.exists() or path.read_text().count("\n") < 9:
        time.sleep(0.05)
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "the same command continues from there" in errors
    log = Log.load(path)
    deals = log.deals((0, 1))
    assert 0 < deals < 100_000
    assert [game.scores for game in log] == [
        game.scores for game in log.tournament.play((0, 1), range(deals))
    ]


@pytest.mark.nightly
def test_the_trained_network_is_the_same_file(cluster, tmp_path):
    options = ["--players", "1", "--games", "60", "--batch", "20", "--deals", "3", "--evaluations", "1"]
    files = []
    for name, where in {
        "threads": ["--threads", "2"],
        "one": ["--ray", cluster.address, "--workers", "1"],
        "four": ["--ray", cluster.address, "--workers", "4"],
    }.items():
        train_value.main([*options, *where, "--folder", str(tmp_path / name)])
        files.append((tmp_path / name / "agent.safetensors").read_bytes())
    assert files[0] == files[1] == files[2]


@pytest.mark.nightly
def test_a_head_that_dies_ends_commands_in_a_sentence(tmp_path):
    """Promptly, with the work saved: a tournament and a training; each continues from there."""
    log, folder = tmp_path / "log.jsonl", tmp_path / "value"
    playing = [
        "ingenious_env",
        "tournament",
        "greedy",
        "flat-mc:rollouts=60",
        "--deals",
        "400",
        "--out",
        str(log),
    ]
    training = ["scripts.train_value", "--games", "100000", "--batch", "20", "--folder", str(folder)]
    training += ["--evaluations", "1"]

    def start(arguments):
        command = [sys.executable, "-m", *arguments, "--ray", address]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, cwd=ROOT, **pipes)

    with nodes(2) as cluster:
        address = cluster.address
        processes = [start([*playing]), start([*training, "--workers", "1"])]
        try:
            while not log.exists() or log.read_text().count("\n") < 5:
                time.sleep(0.05)
                assert [process.poll() for process in processes] == [None, None]
            cluster.head_node.kill_gcs_server(check_alive=False)
            said = [process.communicate(timeout=PATIENCE)[1] for process in processes]
        finally:
            for process in processes:
                process.kill()
                process.communicate()
    for process, errors in zip(processes, said, strict=True):
        last = errors.splitlines()[-1].rpartition("\r")[2]
        assert process.returncode == 1, errors
        assert f"the Ray cluster at {address} does not answer any more" in last
        assert "continues" in last
        assert "Traceback" not in errors
    assert Log.load(log).deals((0, 1)) >= 2
    options = [*training[1:], "--threads", "1", "--resume"]
    args = train_value.parse(options)
    with checkpoint_in(folder, args, train_value.MAY_CHANGE) as state:
        assert re.search(rf"\b{state['done']:,} games are learned and saved", said[1])


@pytest.mark.parametrize("wrong", ["version", "import"])
def test_a_node_with_another_version_is_refused(cluster, monkeypatch, wrong):
    """Or one where a task finds no such module."""
    with RayExecutor(cluster.address) as executor:
        if wrong == "version":
            monkeypatch.setattr(executor, "_version", "0.0.1 (another)")
            match = r"^node \S+ has ingenious-env \S+ \(\w+\), and this machine 0\.0\.1 \(another\); install "
        else:
            match = r"^No module named 'not_there' on a node; install ingenious-env "
        with pytest.raises(OtherVersionError, match=match):
            executor.submit(import_module, "not_there").result(timeout=PATIENCE)


def test_a_task_that_is_submitted_as_the_head_is_lost_fails_once(monkeypatch):
    """The head is found lost just after the task was accepted."""
    executor = RayExecutor.__new__(RayExecutor)
    lost = ClusterLostError("lost")

    class Lock:
        def __enter__(self):
            pass

        def __exit__(self, *_):
            executor._lost, failed = lost, list(executor._open)
            executor._open.clear()
            for future in failed:
                future.set_exception(lost)

    executor._lock, executor._lost, executor._open, executor._waiting = Lock(), None, set(), deque()
    monkeypatch.setattr(executor, "_start", lambda: None)
    for _ in range(2):  # the second one is refused
        with pytest.raises(ClusterLostError):
            executor.submit(square, 2).result(timeout=PATIENCE)


def test_versions_differ_with_the_sources(tmp_path, monkeypatch):
    package_version.cache_clear()
    before = package_version()
    assert re.fullmatch(rf"{re.escape(ingenious_env.__version__)} \([0-9a-f]{{8}}\)", before)
    (tmp_path / "one.py").write_bytes(b"a = 1\n")
    found = []
    monkeypatch.setattr(cluster_module, "__file__", str(tmp_path / "cluster.py"))
    package_version.cache_clear()
    assert package_version() != before
    monkeypatch.setattr(ingenious_env, "__file__", str(tmp_path / "__init__.py"))
    for content in (b"a = 1\n", b"a = 1\r\n", b"a = 2\n"):
        (tmp_path / "one.py").write_bytes(content)
        package_version.cache_clear()
        found.append(package_version())
    package_version.cache_clear()
    assert found[0] == found[1] != found[2]
    assert before not in found
