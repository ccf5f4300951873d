"""The benchmark's machinery; its measurements are not tested."""

from __future__ import annotations

import json
import sys

import pytest
from commands import refused

from scripts.benchmark import __main__ as benchmark
from scripts.benchmark import timing
from scripts.benchmark.timing import Case, Result, enough, measure, show


def case(name: str, log: list[str], baseline: str = "") -> Case:
    """Something that takes no time, and is written down."""

    def play(count: int) -> int:
        log.append(name)
        return sum(1 for _ in range(count))

    return Case(name, "things", lambda: play, baseline)


def missing() -> None:
    """A peer that is not installed."""
    msg = "No module named 'peer'"
    raise ImportError(msg)


def test_cases_take_turns_and_missing_peers_are_left_out(capsys):
    log: list[str] = []
    cases = [case("a", log), Case("peer", "things", missing), case("b", log, "a")]
    results = measure("table", cases, 3, 0.001)
    assert log[-6:] == ["a", "b"] * 3
    assert [result.case.name for result in results] == ["a", "b"]
    assert all(len(result.rates) == 3 for result in results)
    assert "peer: left out, No module named 'peer'" in capsys.readouterr().err


def test_a_sample_takes_about_as_long_as_asked(monkeypatch):
    """By a clock of the test's own, with a second of compiling and 2 ms per unit."""
    clock, taken = [0.0], []
    monkeypatch.setattr(timing.time, "perf_counter", lambda: clock[0])

    def play(count: int) -> int:
        clock[0] += 0.002 * count + (0 if taken else 1)
        taken.append(count)
        return count

    assert enough(play, 1.0) == 500
    assert taken[:3] == [1, 1, 2]
    assert taken[-1] <= 250


def test_ratios_are_medians_of_ratios():
    cases = [Case("a", "steps", missing), Case("b", "steps", missing, "a")]
    table = show("table", [Result(cases[0], [1.0, 10.0, 12.0]), Result(cases[1], [30.0, 5.0, 35.0])])
    assert "| a | 10 steps | 1 to 12 |  |" in table
    assert "| b | 30 steps | 5 to 35 | 2.92 |" in table  # of 30, 0.5 and 35 / 12


def test_tables_and_json(tmp_path, capsys):
    path = tmp_path / "figures.json"
    quick = ["--repetitions", "1", "--seconds", "0.001", "--json", str(path)]
    benchmark.main(["--tables", "single", "games", "--threads", "1", *quick])
    printed = capsys.readouterr().out
    report = json.loads(path.read_text())
    for name, count in (("single", 4), ("games", 8)):
        assert f"### {name}" in printed
        assert len(report["tables"][name]) == count
        assert all(row["rates"][0] > 0 for row in report["tables"][name])
    assert report["versions"]["numpy"]
    assert report["bytes a game"]["two players"] <= 1536
    assert [each.name for each in tmp_path.iterdir()] == ["figures.json"]


@pytest.mark.parametrize("table", ["engine", "variants", "games", "vector", "single", "aec", "network"])
def test_every_case_of_our_own_runs(table):
    options = benchmark.parse(["--batches", "3", "--threads", "1", "2"])
    ours = [
        each
        for each in benchmark.TABLES[table](options)
        if "MOMA" not in each.name and "Zoo" not in each.name
    ]
    for each in ours:
        assert each.make()(1) >= 1
    names = [each.name for each in ours]
    assert len(set(names)) == len(names) > 1
    assert all(each.baseline in {"", *names} for each in ours)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tables", "speed"], "--tables"),
        (["--batches", "0"], "--batches must be a whole number from 1 to"),
        (["--seconds", "0"], "--seconds must be a number above 0, not '0'"),
        (["--json", "/nowhere/at/all.json"], "there is no folder /nowhere/at"),
    ],
)
def test_options_are_checked(arguments, message, capsys):
    assert message in refused(capsys, benchmark, *arguments)


def test_no_profile_where_the_system_has_no_timer(monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", "win32")
    assert "--profile needs Linux or macOS" in refused(capsys, benchmark, "--profile")
