"""What scripts share that play in sittings: the options of their logs, and playing on."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from filelock import FileLock, Timeout

from agents.evaluation.scheduler import Schedule, run
from agents.evaluation.tournament import Log, Tournament


def add_options(parser: argparse.ArgumentParser, deals: str, default: int, out: str, noun: str) -> None:
    """The options for how much is played, where it is logged, and `--show`.

    Args:
        parser: of the script.
        deals: what the script calls a deal, as an option.
        default: how many of them.
        out: the default log.
        noun: for whom they are.
    """
    parser.add_argument(f"--{deals}", type=int, default=default, help=f"for each {noun} ({default})")
    parser.add_argument("--seed", type=int, default=0, help=f"of the {deals} (0)")
    parser.add_argument("--processes", type=int, default=1, help="1")
    parser.add_argument("--out", type=Path, default=Path(out), help="the log")
    parser.add_argument("--show", type=Path, metavar="LOG", help="report on a log instead of playing")


def check_options(parser: argparse.ArgumentParser, options: argparse.Namespace, deals: str) -> None:
    """Stop with an error where a number is not positive."""
    for name in (deals, "processes"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} must be at least 1, not {getattr(options, name)}")


def play_on(path: Path, tournament: Tournament, deals: int, until_ci: float | None, processes: int) -> Log:
    """Play what a log lacks; an interruption ends the script and says how to go on.

    Raises:
        ValueError: the log is of something else, or another process is writing it.
        OSError: it cannot be written.
        ImportError: the pictures could not be drawn in the end.
    """
    import_module("matplotlib.figure")
    try:
        with FileLock(f"{path}.lock", timeout=0):
            log = Log.open(path, tournament)
            schedule = Schedule(log, deals, until_ci)
            run(schedule, processes)
            log.save()
    except Timeout:
        msg = f"{path} is being written by another process; let it end, or give another --out"
        raise ValueError(msg) from None
    except KeyboardInterrupt:
        sys.exit(f"interrupted: {path} has all games so far; the same command goes on from there")
    for group in schedule.unsettled():
        names = ", ".join(tournament.agents[agent] for agent in group)
        print(f"not as narrow as plus and minus {until_ci} after {deals} deals: {names}", file=sys.stderr)
    return log
