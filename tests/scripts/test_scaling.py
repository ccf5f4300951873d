"""The model of scaling, by hand, and its command end to end, briefly."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from commands import refused

pytest.importorskip("torch")

from ingenious_agents.executors import SerialExecutor

from scripts.benchmark import scaling
from scripts.benchmark.scaling import Costs

COSTS = Costs(
    game=0.01,
    update=0.5,
    batch=100,
    experience=1000.0,
    latency=0.0,
    task=0.0,
    copying=0.0,
    bandwidth=1e6,
    cores=0,
)
"""A batch takes a second to play on one worker, half a second to learn from, a tenth to receive."""


@pytest.mark.parametrize(
    ("workers", "without_lag", "with_lag", "bound"),
    [
        (1, 100 / 1.5, 100 / 1.0, "games"),
        (2, 100 / 1.0, 100 / 0.5, "games"),
        (4, 100 / 0.75, 100 / 0.5, "updates"),
        (100, 100 / 0.6, 100 / 0.5, "updates"),  # a batch arrives in a tenth of a second at best
    ],
)
def test_speeds_by_hand(workers, without_lag, with_lag, bound):
    assert COSTS.games_per_second(workers, lag=0) == pytest.approx(without_lag)
    assert COSTS.games_per_second(workers, lag=2) == pytest.approx(with_lag)
    assert COSTS.bound(workers, 2) == bound


def test_a_slow_network_bounds():
    slow = replace(COSTS, bandwidth=1e5)
    assert slow.games_per_second(10, lag=2) == pytest.approx(100)
    assert slow.bound(10, 2) == "network"


def test_what_the_learner_does_for_each_task_and_byte_counts():
    costs = replace(COSTS, latency=0.2, task=0.01, copying=1e-6)
    assert costs.learning == pytest.approx(0.6)
    assert costs.games_per_second(1, lag=0) == pytest.approx(100 / (1 + 0.2 + 0.61))
    assert costs.games_per_second(10, lag=2) == pytest.approx(100 / 0.64)  # in four shares


def test_on_one_machine_the_learner_and_the_workers_share_its_cores():
    here = replace(COSTS, cores=2)
    assert here.games_per_second(1, lag=2) == pytest.approx(100)
    assert here.games_per_second(2, lag=2) == pytest.approx(100 / 0.75)
    assert here.games_per_second(2, lag=0) == pytest.approx(100)


def test_the_median_leaves_the_first_time_out():
    clock = iter([0, 50, 100, 101, 200, 205, 300, 303])
    assert scaling.median_seconds(lambda: None, 3, lambda: next(clock)) == 3


def test_a_training_is_timed_without_its_first_batches(monkeypatch):
    clock = iter([10.0, 14.0])
    monkeypatch.setattr(scaling.time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(scaling.Learner, "learn", lambda self, _: setattr(self, "done", self.done + 2))
    monkeypatch.setattr(scaling, "played_batches", lambda *_: (None for _ in range(5)))
    args = scaling.Args(batch=2, batches=2)
    assert scaling.timed_training(args, args.rules, SerialExecutor(), 1, 0) == 1.0


@pytest.mark.parametrize("options", [[], ["--game", "loopit"]])
def test_the_command_measures_and_predicts(options, capsys):
    scaling.main([*options, "--batch", "8", "--repetitions", "1", "--candidates", "3"])
    output = capsys.readouterr().out
    assert re.search(r"\| a game of self-play on one core +\| [\d.]+ ms", output)
    assert re.search(r"A learner keeps up with [\d.]+ workers", output)
    rows = re.findall(
        r"^\| ([\d,]+) +\| ([\d,]+) +\| ([\d,]+) +\| (games|updates|network)", output, re.MULTILINE
    )
    assert [row[0] for row in rows] == ["1", "2", "4", "10", "100", "1,000"]
    speeds = [[float(number.replace(",", "")) for number in row[1:3]] for row in rows]
    assert all(without <= ahead for without, ahead in speeds)
    assert speeds == sorted(speeds)


def test_options_are_checked(capsys):
    assert "--bandwidth must be a number above 0" in refused(capsys, scaling, "--bandwidth", "0")
    said = refused(capsys, scaling, "--workers", "4", "--batches", "3")
    assert "without --ray these would be ignored: --workers, --batches" in said
