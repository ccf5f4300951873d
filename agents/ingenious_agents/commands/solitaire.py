"""The solitaire study: agents on the same bags, compared with a perfect-information bound.

    ingenious solitaire uniform greedy greedy:utility=concave --deals 2000
    ingenious solitaire flat-mc clairvoyant:width=64 --deals 100 --processes 2 --out runs/mc.jsonl
    ingenious solitaire --show runs/mc.jsonl                  # the table and the plots again
    ingenious solitaire greedy value:path=runs/small/agent.safetensors --side 3 --colours 2
    ingenious solitaire value-search clairvoyant:width=1024 --optimise 7

The result of a game is its lowest counter. `clairvoyant` is a beam search that knows the order of the bag;
the others are also reported as a share of its result. The log has a line per game; started again with the
same contestants and seed, a study continues where its log ends.

With --optimise N all contestants play bag N only; each one's game is saved as a record to replay and as a
picture of its last board, named after the log, the seed, the bag and the contestant. Parameters set the
effort: a wider beam, more rollouts, seconds per move.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ingenious_agents.commands.command_line import (
    Agents,
    Count,
    InputError,
    Number,
    Sizes,
    checking,
    command,
    hint,
    read,
    writable,
)
from ingenious_agents.commands.logs import LogOptions, play_on, tell
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.plots import draw_study
from ingenious_agents.evaluation.solitaire import Study, figures_of, tables
from ingenious_env.engine.files import write_text
from ingenious_env.games.ingenious.render import svg

PROG = "ingenious solitaire"


@dataclass(frozen=True)
class Args(LogOptions, Sizes):
    """Command-line options."""

    agents: Agents = ()
    """agents, named as in agents/README.md, or clairvoyant"""
    deals: Count = 2000
    """deals for each agent: the bags"""
    out: Path = Path("runs/solitaire.jsonl")
    """the log"""
    optimise: Annotated[Number, hint("all deals")] = None
    """play only bag N, and save the games"""

    def check(self) -> None:
        """ValueError if options contradict each other."""
        if self.optimise is not None and self.show is not None:
            msg = "--optimise plays and --show does not: give one of them"
            raise ValueError(msg)
        if self.show is not None and self.sizes:
            msg = "the log of --show has its sizes: give none"
            raise ValueError(msg)
        self.sized(1)


def optimise(study: Study, bag: int, out: Path) -> None:
    """Play one bag with every contestant; print their results, and save their games."""
    with checking():
        stem = writable(out).with_suffix("")
    for number, name in enumerate(study.agents):
        session = study.session(number, bag)
        player = re.sub(r"[^\w.=-]+", "-", name)[:80]
        record = stem.with_name(f"{stem.name}-{study.seed}-{bag}-{number}-{player}.txt")
        session.record.save(record)
        write_text(record.with_suffix(".svg"), svg.render(session.game))
        counters = sorted(session.game.scores[0].tolist())
        print(f"{name}: lowest counter {counters[0]} ({' '.join(map(str, counters))}), {record}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, and report."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        if args.show is None:
            with checking():
                study = Study.of(args.sized(1), args.agents, args.seed)
            if args.optimise is not None:
                optimise(study, args.optimise, args.out)
                return
            log = play_on(args, study)
        else:
            with checking():
                log = Log.load(args.show, Study)
        found = figures_of(log.tournament, log.games)
        if not found:
            msg = f"{log.path} has no games yet"
            raise InputError(msg)
        tell(tables(found), args.format, draw_study(found, log.path.with_suffix(""), args.plots))


if __name__ == "__main__":
    main()
