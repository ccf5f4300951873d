"""The loss per move of agents, in positions whose moves have estimated or exact values.

    ingenious score value planner --game loopit
    ingenious score value mine.Snatcher --players 3
    ingenious score value greedy:utility=concave --players 1     # solved endings of solitaire
    ingenious score value --endings                              # those of two players
    ingenious score mine.Snatcher --positions FILE --format latex

The loss of a move is the value of the best one less its own. For two and more players the package has
positions in which strong agents differ, with moves that were valued by rollouts; any other move is rolled out
in the same way. For one player, and with --endings for two, it has exactly solved endings. The second table
has the losses in two halves of the set, which have no game in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import tyro

from ingenious_agents import make_agent
from ingenious_agents.commands.command_line import (
    Agents,
    InputError,
    Variant,
    check_ignored,
    checking,
    command,
    hint,
    read,
)
from ingenious_agents.evaluation.losses import Values, score, tables
from ingenious_agents.evaluation.positions import (
    DISAGREEMENTS,
    ENDINGS,
    PositionError,
    read_positions,
    set_of,
)
from ingenious_agents.tables import Format, written
from ingenious_env.policies.view import check_plays

PROG = "ingenious score"


@dataclass(frozen=True)
class Args(Variant):
    """Command-line options."""

    agents: Agents = ()
    """agents, named as in docs/reference/agents.md"""
    endings: bool = False
    """solved endings, as by default for one player"""
    positions: Annotated[
        Path | None, tyro.conf.arg(metavar="FILE"), hint("those of the package for the variant")
    ] = None
    """a set of positions, whatever its variant"""
    format: Format = "markdown"
    """of the tables; csv has the first only"""

    def check(self) -> None:
        """ValueError if options contradict each other, or there is no agent."""
        super().check()
        if not self.agents:
            msg = "give an agent or more"
            raise ValueError(msg)
        if self.endings and self.positions is not None:
            msg = "--endings and --positions exclude each other"
            raise ValueError(msg)
        if self.positions is not None:
            check_ignored(self, "--positions", [field.name for field in fields(Variant)])


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, let the agents play, and print."""
    args = read(Args, arguments, PROG, __doc__, Variant)
    with command(PROG):
        with checking():
            agents = {name: make_agent(name) for name in args.agents}
            kinds = (ENDINGS,) if args.endings else (DISAGREEMENTS, ENDINGS)
            values = Values(read_positions(args.positions or set_of(args.rules, kinds)))
            for agent in agents.values():
                check_plays(agent, values.games.rules)
        try:
            scores = [each for name, agent in agents.items() for each in score(name, agent, values)]
        except PositionError as error:
            raise InputError(str(error)) from error
        print(written(tables(scores), args.format))


if __name__ == "__main__":
    main()
