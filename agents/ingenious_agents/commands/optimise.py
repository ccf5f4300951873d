"""The best play of bags whose order is known, with an upper bound of the lowest counter.

    ingenious optimise 7 --seconds 10
    ingenious optimise 7 --seconds 60 --processes 2      # goes on from there
    ingenious optimise --deals 200 --seconds 10          # a study of the bags 0 to 199

Simulated annealing, in rounds that become longer. The folder --out takes all rounds, and the best line of
each bag as a record (bag-7.txt) that `ingenious draw` and the browser game replay; started again, the command
goes on from there. A bag ends when its line reaches the bound, which proves that it is best, or when its
rounds have taken --seconds of CPU time. Round n of a bag is the same whenever and wherever it is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ingenious_agents.commands.command_line import (
    Count,
    CountsOrZero,
    Positive,
    Seed,
    Sizes,
    checking,
    command,
    entering,
    hint,
    read,
)
from ingenious_agents.commands.logs import CORES
from ingenious_agents.evaluation.known_bags import KnownBags, Limit, bags_table, run, study_table
from ingenious_agents.executors import pool_of
from ingenious_agents.folders import locked_folder
from ingenious_agents.tables import Format, written

PROG = "ingenious optimise"


@dataclass(frozen=True)
class Args(Sizes):
    """Command-line options."""

    bags: Annotated[CountsOrZero, tyro.conf.Positional, tyro.conf.arg(metavar="BAG")] = ()
    """numbers of bags under the seed, from 0 on"""
    deals: Annotated[Count | None, tyro.conf.arg(metavar="N"), hint("the bags given")] = None
    """a study of the first N bags: means by CPU time"""
    seconds: Positive = 10.0
    """CPU seconds per bag, those of earlier calls included"""
    rounds: Annotated[Count | None, tyro.conf.arg(metavar="N"), hint("by --seconds")] = None
    """rounds per bag at most, those of earlier calls included"""
    seed: Seed = 0
    """seed of the bags"""
    processes: Count = CORES
    """processes that make rounds; 1 makes them in this one"""
    out: Path = Path("runs/optimise")
    """the folder"""
    format: Format = "markdown"
    """of the table"""

    def check(self) -> None:
        """ValueError if it is not clear which bags."""
        if (self.deals is None) == (not self.bags):
            msg = "give numbers of bags, or --deals N"
            raise ValueError(msg)
        self.sized(1)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, optimise, and report."""
    args = read(Args, arguments, PROG, __doc__)
    bags = range(args.deals) if args.deals else tuple(dict.fromkeys(args.bags))
    limit = Limit(args.seconds, args.rounds or float("inf"))
    with command(PROG):
        with entering(locked_folder(args.out, "--out")):
            with checking():
                study = KnownBags(args.out, args.sized(1), args.seed)
            so_far = f"{args.out} has all rounds so far; the same command continues from there"
            try:
                with pool_of(args.processes) as executor:
                    run(study, bags, limit, executor, args.processes)
            except KeyboardInterrupt:
                raise KeyboardInterrupt(f"interrupted: {so_far}") from None
            except OSError as error:
                raise OSError(f"{error}; {so_far}") from error
        table = bags_table(study, bags) if args.bags else study_table(study, bags, args.seconds)
        print(written([table], args.format))


if __name__ == "__main__":
    main()
