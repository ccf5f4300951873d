"""Timing of cases in turns; `scripts/benchmark/__main__.py` has the cases."""

from __future__ import annotations

import json
import os
import signal
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from tqdm import tqdm

from ingenious_env.engine.files import write_text

Play = Callable[[int], int]
"""Repeats something at least a number of times, and returns the number of repetitions."""

_SAMPLE_SECONDS = 0.001


class Case(NamedTuple):
    """A function to time.

    Attributes:
        name: in the tables.
        unit: of its rate per second.
        make: returns the function.
        baseline: the case whose speed is 1, by name; "" for none.
    """

    name: str
    unit: str
    make: Callable[[], Play]
    baseline: str = ""


class Result(NamedTuple):
    """The result of a case: its rates, one per repetition, in units per second."""

    case: Case
    rates: list[float]

    @property
    def median(self) -> float:
        """The median rate."""
        return statistics.median(self.rates)

    def ratio(self, other: Result) -> float:
        """The median of the ratios of each turn, in which both are equally affected by the machine."""
        return statistics.median(mine / its for mine, its in zip(self.rates, other.rates, strict=True))


def repeat(action: Callable[[], object]) -> Play:
    """Repeated calls of a function."""

    def play(times: int) -> int:
        for _ in range(times):
            action()
        return times

    return play


def measure(name: str, cases: Sequence[Case], repetitions: int, seconds: float) -> list[Result]:
    """Time the cases of a table in turns; those whose package is not installed are left out."""
    ready: list[tuple[Case, Play, int]] = []
    for case in tqdm(cases, desc=f"{name}: preparing", leave=False):
        try:
            play = case.make()
        except ImportError as error:
            sys.stderr.write(f"{case.name}: left out, {error}\n")
            continue
        ready.append((case, play, enough(play, seconds)))
    results = [Result(case, []) for case, _, _ in ready]
    with tqdm(total=repetitions * len(ready), desc=name, leave=False) as bar:
        for _ in range(repetitions):
            for (_, play, count), result in zip(ready, results, strict=True):
                began = time.perf_counter()
                done = play(count)
                result.rates.append(done / (time.perf_counter() - began))
                bar.update()
    return results


def enough(play: Play, seconds: float) -> int:
    """The number of units that take about a given time, without the first call, which may compile."""
    count = play(1)
    while True:
        began = time.perf_counter()
        done = play(count)
        took = time.perf_counter() - began
        if took > seconds / 4:
            return max(1, round(done * seconds / took))
        count = 2 * done


def whose_time(play: Play, times: int, owners: Sequence[str]) -> Counter[str]:
    """Samples of the time by package, "others" for code that none of them has called.

    A sample counts for the innermost package of the call stack, including its calls of NumPy or Python.
    Sampled rather than traced: a tracer has a cost per call, and so would overestimate code with many calls.
    NotImplementedError on Windows, which has no timer for it.
    """
    if sys.platform == "win32":
        raise NotImplementedError
    shares: Counter[str] = Counter()

    def sample(_signal: int, frame: FrameType | None) -> None:
        while frame:
            for owner in owners:
                if f"{os.sep}{owner}{os.sep}" in frame.f_code.co_filename:
                    shares[owner] += 1
                    return
            frame = frame.f_back
        shares["others"] += 1

    before = signal.signal(signal.SIGPROF, sample)
    signal.setitimer(signal.ITIMER_PROF, _SAMPLE_SECONDS, _SAMPLE_SECONDS)
    try:
        play(times)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return shares


def show(name: str, results: Sequence[Result]) -> str:
    """A table in Markdown: the median rate, its spread, and the ratio to its baseline."""
    by_name = {result.case.name: result for result in results}
    lines = [f"### {name}", "", "| | a second | lowest to highest | ratio |", "| --- | --- | --- | --- |"]
    for result in results:
        case, rates = result
        ratio = f"{result.ratio(by_name[case.baseline]):.3g}" if case.baseline in by_name else ""
        lines.append(
            f"| {case.name} | {result.median:,.0f} {case.unit} |"
            f" {min(rates):,.0f} to {max(rates):,.0f} | {ratio} |"
        )
    return "\n".join([*lines, ""])


def write(path: Path, report: dict[str, Any]) -> None:
    """Write the report as JSON, atomically."""
    write_text(path, json.dumps(report, indent=1))
