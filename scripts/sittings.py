"""What scripts share that play in sittings: the options of their logs, and playing on."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from agents.schedule import Schedule, run
from agents.tournament import Log, Tournament


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
    """Play what a log lacks; an interruption ends the script and says how to go on."""
    log = Log.open(path, tournament)
    try:
        run(Schedule(log, deals, until_ci), processes)
    except KeyboardInterrupt:
        sys.exit(f"interrupted: {path} has all games so far; the same command goes on from there")
    log.save()
    return log
