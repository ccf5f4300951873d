"""The loss per move of agents, in positions whose moves have exact or estimated values.

    ingenious score value greedy:utility=concave     # endings of solitaire
    ingenious score mine.Snatcher --positions FILE --format latex

The loss of a move is the difference between the value of the best one and its own. The positions of the
package are exactly solved endings with 2, 3 and 4 placements left; `scripts.endings` made them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingenious_agents import make_agent
from ingenious_agents.commands.command_line import Agents, InputError, checking, command, read
from ingenious_agents.evaluation.positions import FOLDER, PositionError, read_positions, score, table
from ingenious_agents.tables import Format, written
from ingenious_env.policies.view import check_plays

PROG = "ingenious score"
ENDINGS = FOLDER / "solitaire-endings.jsonl"


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    agents: Agents = ()
    """agents, named as in agents/README.md"""
    positions: Path = ENDINGS
    """a set of positions"""
    format: Format = "markdown"
    """of the table"""

    def check(self) -> None:
        """ValueError if there is no agent."""
        if not self.agents:
            msg = "give an agent or more"
            raise ValueError(msg)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, let the agents play, and print."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            agents = {name: make_agent(name) for name in args.agents}
            positions = read_positions(args.positions)
            for agent in agents.values():
                check_plays(agent, positions[0].rules)
        try:
            scores = [each for name, agent in agents.items() for each in score(name, agent, positions)]
        except PositionError as error:
            raise InputError(str(error)) from error
        print(written([table(scores)], args.format))


if __name__ == "__main__":
    main()
