"""The exact value of a small solitaire, or of a position: the expectation of its lowest counter.

    ingenious solve --players 1 --side 3 --colours 2
    ingenious solve --players 1 --side 3 --colours 3 --memory 512 --out runs/solved.safetensors
    ingenious solve --position game.txt            # a position or a record, as the browser game saves it

Every tile that can be drawn and every placement is tried, and positions are remembered. Side 3 with two or
three colours, and endings of the standard game with four placements left, take seconds to minutes; larger
variants are out of reach. With --out the solved positions are saved, also when the command is interrupted,
and taken up when it is started again.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from tqdm import tqdm

from ingenious_agents.commands.command_line import (
    Count,
    InputError,
    checking,
    command,
    entering,
    hint,
    read,
    writable,
)
from ingenious_agents.folders import kept
from ingenious_agents.search.exact import BudgetError, Solver
from ingenious_agents.tables import Format, Table, written
from ingenious_env import Game, Record, Rules
from ingenious_env.engine.files import read_text

PROG = "ingenious solve"
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    players: Count = 1
    """the number of players: 1"""
    side: Annotated[Count | None, tyro.conf.arg(metavar="N"), hint("6")] = None
    """cells along an edge of the board"""
    colours: Count = 6
    """the number of colours"""
    counter_top: Count = 18
    """the last space of a sheet"""
    position: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("the deal")] = None
    """solve the position in a file, or the end of a record, whose rules are then those of the game"""
    moves: Annotated[Count | None, tyro.conf.arg(metavar="N"), hint("all")] = None
    """of a record, its position after N moves"""
    memory: Count = 256
    """megabytes for solved positions"""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("none")] = None
    """keep solved positions in this file, and go on from it"""
    format: Format = "markdown"
    """of the table of placements of a position"""

    def check(self) -> None:
        """ValueError if options contradict each other."""
        if self.moves is not None and self.position is None:
            msg = "moves needs --position FILE"
            raise ValueError(msg)


def position_of(args: Args, path: Path) -> Game:
    """The position that a file has; ValueError if it has neither a position nor a record."""
    text = read_text(path)
    try:
        game: Game = Record.from_text(text).replay(args.moves)
    except ValueError:
        if args.moves is not None:
            raise
        return Game.from_text(text)
    return game


def take_up(solver: Solver, path: Path) -> None:
    """Load solved positions; ValueError if they are of another variant, or too many."""
    try:
        solver.load(path)
    except BudgetError as error:
        msg = f"{error}: give more --memory"
        raise ValueError(msg) from error


def solve(args: Args, solver: Solver, game: Game | None) -> None:
    """Solve and print."""
    began = time.perf_counter()
    try:
        if game is None:
            with tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}{postfix}", leave=False) as bar:

                def tell(share: float) -> None:
                    bar.set_postfix_str(f"{solver.states} positions", refresh=False)
                    bar.update(max(0.0, share - bar.n))

                print(f"{solver.value(tell=tell):.6f}")
        else:
            found = solver.solve(game)
            rows = [
                (str(game.move(int(action))), f"{value:.4f}", f"{found.value - value:.4f}")
                for action, value in zip(found.actions, found.values, strict=True)
            ]
            records = [
                {"action": int(action), "value": float(value)}
                for action, value in zip(found.actions, found.values, strict=True)
            ]
            print(written([Table("placements", ("placement", "value", "loss"), rows, records)], args.format))
    except BudgetError as error:
        msg = f"{error}: give more --memory than {args.memory}"
        raise InputError(msg) from error
    finally:
        if args.out is not None:
            solver.save(args.out)
    seconds = time.perf_counter() - began
    print(f"{solver.states} positions, {solver.nodes} nodes, {seconds:.1f} s")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, solve and print."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            game = None if args.position is None else position_of(args, args.position)
            rules = (
                Rules(
                    args.players,
                    board_side=args.side,
                    num_colours=args.colours,
                    counter_top=args.counter_top,
                )
                if game is None
                else game.rules
            )
            solver = Solver(rules, args.memory * MEGABYTE)
            path = None if args.out is None else writable(args.out)
        if path is None:
            solve(args, solver, game)
            return
        with entering(kept(path, "--out")):
            with checking():
                if path.exists():
                    take_up(solver, path)
            solve(args, solver, game)


if __name__ == "__main__":
    main()
