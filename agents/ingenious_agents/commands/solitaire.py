"""The solitaire study: agents on the same bags, compared with a perfect-information bound.

    ingenious solitaire uniform greedy greedy:utility=concave --deals 2000
    ingenious solitaire flat-mc clairvoyant:width=64 --deals 100 --processes 2 --out runs/mc.jsonl
    ingenious solitaire --show runs/mc.jsonl                  # the table and the plots again
    ingenious solitaire greedy value:path=runs/small/agent.safetensors --side 3 --colours 2

The result of a game is its lowest counter. `clairvoyant` is a beam search that knows the order of the bag;
the others are also reported as a share of its result. The log has a line per game; started again with the
same contestants and seed, a study continues where its log ends.

`ingenious optimise BAG` looks for the best play of a single bag.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingenious_agents.commands.command_line import (
    Agents,
    Count,
    InputError,
    Sizes,
    check_used,
    checking,
    command,
    read,
)
from ingenious_agents.commands.logs import LogOptions, play_on, print_report
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.plots import draw_study
from ingenious_agents.evaluation.solitaire import Study, figures_of, tables

PROG = "ingenious solitaire"


@dataclass(frozen=True)
class Args(LogOptions, Sizes):
    """Command-line options."""

    agents: Agents = ()
    """agents, named as in docs/reference/agents.md, or clairvoyant"""
    deals: Count = 2000
    """deals for each agent: the bags"""
    out: Path = Path("runs/solitaire.jsonl")
    """the log"""

    def check(self) -> None:
        """ValueError if options contradict each other."""
        if self.show is not None:
            check_used(self, "--show", ("show", "format", "plots", "processes"))
        self.sized(1)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, and report."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        if args.show is None:
            with checking():
                study = Study.of(args.sized(1), args.agents, args.seed)
            log = play_on(args, study)
        else:
            with checking():
                log = Log.load(args.show, Study)
        found = figures_of(log.tournament, log.games)
        if not found:
            msg = f"{log.path} has no games yet"
            raise InputError(msg)
        print_report(tables(found), args.format, log, lambda stem: draw_study(found, stem, args.plots))


if __name__ == "__main__":
    main()
