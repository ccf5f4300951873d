"""Timing two checkouts turn about: the cases run, ratios are those of rates, errors come before the work."""

from __future__ import annotations

import re
import shutil

import pytest
from commands import refused

from scripts.benchmark import compare, compare_cases


def test_a_checkout_is_compared_with_itself(capsys):
    """A row for each case; how near to 1 the ratios are depends on what else the machine does."""
    cases = ["two players, bare", "clone and play"]
    compare.main([str(compare.ROOT), "--cases", *cases, "--pairs", "1", "--turns", "3", "--seconds", "0.05"])
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split(" | ")[0].rstrip() for row in rows] == [f"| {case}" for case in cases]
    for row in rows:
        median, lowest, highest = map(float, re.findall(r"\d+\.\d+", row))
        assert 0 < lowest <= median <= highest


@pytest.mark.parametrize("name", [name for name in compare.CASES if "match" not in name])
def test_every_case_counts_what_it_does(name):
    action = compare_cases.CASES[name]()
    assert action() > 0
    assert compare_cases.rate(action, 0.01) > 1


def test_rates_are_counts_over_time(monkeypatch):
    clock = iter(range(0, 100, 2))
    monkeypatch.setattr(compare_cases.time, "perf_counter", lambda: next(clock))
    assert compare_cases.rate(lambda: 6, 3) == 6 / 4  # begun at 0, still at it at 2, done at 4


def test_ratios_are_of_this_checkout_over_the_other(monkeypatch, tmp_path):
    asked = []

    class Made:
        def __init__(self, tree):
            self.is_this = tree == compare.ROOT

        def rate(self, case, seconds):
            asked.append((case, self.is_this))
            return {"a": 30.0, "b": 5.0}[case] if self.is_this else 10.0

        def close(self):
            pass

    monkeypatch.setattr(compare, "Worker", Made)
    assert compare.compare(tmp_path, ["a", "b"], 2, 3, 0.1) == {"a": [3.0, 3.0], "b": [0.5, 0.5]}
    assert asked[:4] == [("a", True), ("a", False), ("a", False), ("a", True)]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere"], "nowhere is not a checkout"),
        ([".", "--cases", "speed"], "there is no case 'speed', but 'two players, mask and observation'"),
        ([".", "--pairs", "0"], "--pairs must be a whole number from 1 to"),
        ([".", "--seconds", "nan"], "--seconds must be a number above 0, not 'nan'"),
    ],
)
def test_what_cannot_be_compared(arguments, complaint, capsys, monkeypatch):
    monkeypatch.chdir(compare.ROOT)
    assert complaint in refused(capsys, compare, *arguments)


def test_a_checkout_that_fails_is_told_of(tmp_path, capsys):
    shutil.copytree(compare.ROOT / "ingenious_env" / "envs", tmp_path / "ingenious_env")
    arguments = (str(tmp_path), "--cases", "aec", "--pairs", "1", "--turns", "1")
    assert "the case 'aec' failed; its error is above" in refused(capsys, compare, *arguments)
