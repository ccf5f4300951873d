"""Parts that scripts with a log share: their options, and playing the games that the log lacks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated

import tyro

from ingenious_agents.commands.command_line import (
    LOCAL,
    Cluster,
    Count,
    Seed,
    checking,
    entering,
    hint,
    writable,
)
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.plots import PlotFormat, check_plots
from ingenious_agents.evaluation.scheduler import Schedule, run
from ingenious_agents.evaluation.tournament import Tournament
from ingenious_agents.executors import pool_of
from ingenious_agents.folders import locked
from ingenious_agents.tables import Format, Table, written
from ingenious_env.engine.printing import flushed

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Workers:
    """The processes, or the cluster, on which games are played."""

    processes: Count = CORES
    """processes that play; 1 plays in this one"""
    ray: Annotated[Cluster, hint("processes of this machine")] = None
    """play on a Ray cluster, at ADDRESS, or without it on this machine's cores"""


@dataclass(frozen=True)
class LogOptions(Workers):
    """The games, their workers, and their log."""

    deals: Count = 500
    """deals for each group of agents, or in solitaire for each agent"""
    seed: Seed = 0
    """seed of the deals"""
    out: Path = Path()
    """the log"""
    show: Annotated[Path | None, tyro.conf.arg(metavar="LOG"), hint("play")] = None
    """report on a log instead of playing; without plots if it is no file, as /dev/stdin"""
    format: Format = "markdown"
    """of the report; csv has the first of its tables"""
    plots: PlotFormat = "svg"
    """format of the plots; if they cannot be written, the status is 1 though the report is printed"""


@contextmanager
def workers_of(options: Workers, tournament: Tournament) -> Iterator[tuple[Executor | None, int]]:
    """The executor that the options name and its number of workers; None plays in this thread."""
    if options.ray is not None:
        with checking():
            cluster = import_module("ingenious_agents.cluster")  # Ray is in its own extra
            address = None if options.ray == LOCAL else options.ray
            joined = cluster.RayExecutor(address, agents=tournament.make_agents())
        with joined as executor:
            yield executor, executor.workers
    else:
        with pool_of(options.processes) as pool:
            yield pool, options.processes


@contextmanager
def opened(path: Path, tournament: Tournament, option: str = "--out") -> Iterator[Log]:
    """A log to which the block adds games, locked; saved in its order at the end of the block.

    Args:
        path: of the file.
        tournament: the plan.
        option: of the command, that names the path; "" if there is none.

    Raises:
        InputError: the log is of something else, or is being written by another process.
        KeyboardInterrupt, OSError: those of the block, with a sentence on how to continue.
    """
    so_far = f"{path} has all games so far; the same command continues from there"
    with entering(locked(path, option)):
        with checking():
            log = Log.open(path, tournament)
        try:
            yield log
            log.save()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"interrupted: {so_far}") from None
        except OSError as error:
            raise OSError(f"{error}; {so_far}") from error


def play_on(options: LogOptions, tournament: Tournament, until_ci: float | None = None) -> Log:
    """Play the games that a log lacks; an interruption ends the script and reports how to continue.

    Raises:
        InputError: the log is of something else, cannot be written or is being written by another process,
            or the pictures could not be drawn in the end.
        KeyboardInterrupt, OSError: the games so far are in the log.
    """
    with checking():
        check_plots()
        path = writable(options.out)
    with opened(path, tournament) as log:
        schedule = Schedule(log, options.deals, until_ci)
        if not schedule.is_done:
            with workers_of(options, tournament) as (executor, workers):
                run(schedule, executor, workers)
    for group in schedule.unsettled():
        names = ", ".join(tournament.labels[agent] for agent in group)
        message = f"the interval is still wider than ±{until_ci} after {options.deals} deals: {names}"
        print(message, file=sys.stderr)
    return log


def print_report(
    tables: Sequence[Table], form: Format, log: Log, draw: Callable[[Path], Sequence[Path]]
) -> None:
    """Print a report, then draw its plots, and print on standard error where they are.

    Args:
        tables: of the report.
        form: of the tables.
        log: next to which the plots are, unless it has no place, as standard input and other pipes.
        draw: writes the plots, from the beginning of their paths, and returns the paths.

    Raises:
        InputError: the library of plots is not installed.
        OSError: the plots cannot be written; the report is printed.
    """
    if not is_kept(log.path):
        print(written(tables, form))
        return
    with checking():
        check_plots()
    try:
        with flushed():
            print(written(tables, form))
    finally:  # also if a reader such as `head` has closed the pipe
        _print_plots(log, draw)


def _print_plots(log: Log, draw: Callable[[Path], Sequence[Path]]) -> None:
    try:
        plots = draw(log.stem)
    except OSError as error:
        raise OSError(f"the plots cannot be written: {error}") from error
    print("plots:", *plots, file=sys.stderr)


def is_kept(path: Path) -> bool:
    """Return whether a path is that of a file, not of a pipe or of what a process has open."""
    folder = path.absolute().parent
    return path.is_file() and str(folder) not in ("/dev", "/dev/fd") and folder.parts[1:2] != ("proc",)
