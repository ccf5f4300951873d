"""A picture of a game that agents play, as SVG.

    python -m scripts.draw --seed 4 --moves 25 > .assets/board.svg
    python -m scripts.draw --game loopit --moves 40 > loopit.svg
    python -m scripts.draw --record runs/solitaire-0-7-0-value.txt --moves 10 > move10.svg

Prints the board after so many moves, as the first player sees it, the last tile outlined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from agents import make_agent
from ingenious_env import Record, Session
from ingenious_env.core.definition import definition_of
from scripts.command_line import CountOrZero, Seed, Variant, hint, read, refusals

SCRIPT = "draw"


AGENTS = {"ingenious": "greedy:utility=concave", "loopit": "planner"}
"""By game, the agent that plays by default."""


@dataclass(frozen=True)
class Choice(Variant):
    """What the defaults of the other options follow from."""

    def defaults(self) -> Mapping[str, Any]:
        """What follows from the variant."""
        return {**super().defaults(), "agent": AGENTS[self.game]}


@dataclass(frozen=True)
class Args(Choice):
    """What can be set on the command line."""

    agent: str = AGENTS["ingenious"]
    """the agent that plays all seats; in Loopit planner"""
    seed: Seed = 0
    """seed of the game"""
    moves: CountOrZero = 1000
    """moves that are played, unless the game ends before"""
    record: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("the agent plays")] = None
    """a record whose moves are played instead"""
    theme: Literal["dark", "light"] = "dark"
    """colours of the picture"""


def draw(session: Session, moves: int, theme: str) -> str:
    """The board once the players of a session have made so many moves, or the game has ended."""
    for _ in islice(session.run(), moves):
        pass
    return definition_of(session.rules).draw_svg(session.game, viewer=0, theme=theme)


def draw_record(record: Record, moves: int, theme: str) -> str:
    """The board after so many moves of a record."""
    return definition_of(record.rules).draw_svg(record.replay(moves), viewer=0, theme=theme)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and print the picture."""
    args = read(Args, arguments, SCRIPT, __doc__, Choice)
    with refusals(SCRIPT):
        if args.record is not None:
            print(draw_record(Record.load(args.record), args.moves, args.theme), end="")
            return
        players = [make_agent(args.agent)] * args.rules.num_players
        print(draw(Session(args.rules, args.seed, players), args.moves, args.theme), end="")


if __name__ == "__main__":
    main()
