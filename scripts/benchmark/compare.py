"""Time this checkout and another one alternately in one run: the speed of this one as a ratio.

    git worktree add ../before v0.1.0
    python -m scripts.benchmark.compare ../before                       # all cases, some minutes
    python -m scripts.benchmark.compare ../before --cases aec "two players, mask"

Each checkout is timed in its own processes, and the two alternate case by case, so that a temporary slowdown
of the machine affects both. As two processes of the same code differ by a percent or two, several pairs of
them are timed; shown is the median of the pairs' ratios, with the lowest and the highest.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from ingenious_agents.commands.command_line import Count, InputError, Positive, command, read
from ingenious_agents.tables import markdown_table

from scripts.benchmark import compare_cases
from scripts.benchmark.compare_cases import CASES

PROG = "python -m scripts.benchmark.compare"
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    tree: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="TREE")]
    """the other checkout"""
    cases: Annotated[tuple[str, ...], tyro.conf.arg(metavar="CASE")] = tuple(CASES)
    """some of the cases"""
    pairs: Count = 5
    """pairs of processes"""
    turns: Count = 7
    """turns of a case in a pair"""
    seconds: Positive = 0.2
    """seconds of a turn"""

    def check(self) -> None:
        """ValueError if there is no such checkout or case."""
        if not (self.tree / "ingenious_env").is_dir():
            msg = f"{self.tree} is not a checkout: it has no folder ingenious_env"
            raise ValueError(msg)
        unknown = [name for name in self.cases if name not in CASES]
        if unknown:
            msg = f"there is no case {', '.join(map(repr, unknown))}, but {', '.join(map(repr, CASES))}"
            raise ValueError(msg)


class Worker:
    """The process that times a checkout.

    Args:
        tree: its folder.
    """

    def __init__(self, tree: Path) -> None:
        command = [sys.executable, "-P", compare_cases.__file__]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree), str(tree / "agents")])}
        self._process = subprocess.Popen(  # noqa: S603 - a file of this package
            command, cwd=tree, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def rate(self, case: str, seconds: float) -> float:
        """Steps or games per second of a case; InputError if the process has ended."""
        assert self._process.stdin is not None  # noqa: S101 - requested above
        assert self._process.stdout is not None  # noqa: S101 - as above
        print(json.dumps([case, seconds]), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            msg = f"the case {case!r} failed; its error is above"
            raise InputError(msg)
        return float(json.loads(line))

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


def compare(
    other: Path, names: Sequence[str], pairs: int, turns: int, seconds: float
) -> dict[str, list[float]]:
    """The ratios of each case, one per pair of processes: this checkout's speed over the other's."""
    ratios: dict[str, list[float]] = {name: [] for name in names}
    for pair in range(pairs):
        workers = [Worker(ROOT), Worker(other)]
        try:
            for name in names:
                of_turns = []
                for turn in range(turns + 1):
                    first = (pair + turn) % 2
                    rates = {k: workers[k].rate(name, seconds) for k in (first, 1 - first)}
                    of_turns.append(rates[0] / rates[1])
                ratios[name].append(statistics.median(of_turns[1:]))  # the first one warms up
        finally:
            for worker in workers:
                worker.close()
    return ratios


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, time and print."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        found = compare(args.tree.resolve(), args.cases, args.pairs, args.turns, args.seconds)
    rows = [
        (name, *(f"{number:.3f}" for number in (statistics.median(ratios), min(ratios), max(ratios))))
        for name, ratios in found.items()
    ]
    print(markdown_table(rows, ("case", "this over the other", "lowest", "highest")))


if __name__ == "__main__":
    main()
