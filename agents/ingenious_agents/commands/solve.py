"""The exact value of a small solitaire, of a tiny variant for two players, or of a position.

    ingenious solve --players 1 --side 3 --colours 2
    ingenious solve --players 1 --side 3 --colours 3 --memory 512 --out runs/solved.safetensors
    ingenious solve --players 2 --side 3 --colours 2 --rack 2 --counter-top 2
    ingenious solve --position game.txt            # a position or a record, as the browser game saves it
    ingenious solve --position game.txt --unseen   # of two players, for one who does not see the other rack

Of solitaire the value is the expectation of the lowest counter. Of two players it is the first one's
expected share of the win (of a position, that of the one to move), where both see both racks and nobody knows
the order of the bag.

Every tile that can be drawn and every placement is tried, and positions are remembered. Small variants, and
endings of the standard games with three or four placements left, take seconds to minutes; larger ones are out
of reach. With --out the solved positions are saved, also when the command is interrupted, and taken up when
it is started again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from tqdm import tqdm

from ingenious_agents.commands.command_line import (
    MAX_COUNT,
    SIZES,
    Count,
    InputError,
    Number,
    Sizes,
    check_ignored,
    check_needed,
    checking,
    command,
    entering,
    hint,
    read,
    writable,
)
from ingenious_agents.folders import locked
from ingenious_agents.search.exact import Solver
from ingenious_agents.search.exact_two import TwoPlayerSolver
from ingenious_agents.search.solved import BudgetError, Solution, SolvedPositions
from ingenious_agents.tables import Format, Table, written
from ingenious_env import Game, Record, Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.files import read_text
from ingenious_env.engine.records import read_game

PROG = "ingenious solve"
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Args(Sizes):
    """Command-line options."""

    players: Count = 1
    """the number of players: 1 or 2"""
    position: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("the deal")] = None
    """solve the position in a file, or the end of a record, whose rules are then those of the game"""
    moves: Annotated[Number, hint("all")] = None
    """of a record, its position after N moves; 0 is the deal"""
    unseen: bool = False
    """for two players with at most two placements left: the player to move sees only their own rack"""
    memory: Count = 256
    """megabytes for solved positions"""
    nodes: Count = MAX_COUNT
    """nodes to try at most"""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("none")] = None
    """keep solved positions in this file, and go on from it"""
    format: Format = "markdown"
    """of the table of moves of a position"""

    def check(self) -> None:
        """ValueError if options contradict each other."""
        if self.position is None:
            check_needed(self, "--position FILE", ("moves", "unseen", "format"))
            self.sized(self.players)
        else:
            check_ignored(self, "--position", ("players", *SIZES))
        if self.unseen:
            check_ignored(self, "--unseen", ("nodes",))


def position_of(args: Args, path: Path) -> Any:
    """The position in a file, or of its record after `--moves`; ValueError if there is none."""
    text = read_text(path)
    found = read_game(text) if args.moves is None else Record.from_text(text)
    if isinstance(found, Record) and args.moves is not None and args.moves > len(found.moves):
        msg = f"--moves must be at most {len(found.moves)}, the moves of the record, not {args.moves}"
        raise ValueError(msg)
    return found.replay(args.moves) if isinstance(found, Record) else found


def solver_of(rules: Any, memory: int) -> Solver | TwoPlayerSolver:
    """The solver of a variant; ValueError if there is none, or not so much memory (in megabytes)."""
    if not isinstance(rules, Rules):
        msg = f"the exact solvers are for ingenious, not for {definition_of(rules).name}"
        raise ValueError(msg)
    if rules.num_players > 2:
        msg = f"the exact solvers are for one or two players, not for {rules.num_players}"
        raise ValueError(msg)
    kind = Solver if rules.num_players == 1 else TwoPlayerSolver
    try:
        return kind(rules, memory * MEGABYTE)
    except MemoryError as error:
        msg = f"this machine does not give {memory} megabytes: give less --memory"
        raise ValueError(msg) from error


def take_up(solver: SolvedPositions, path: Path) -> None:
    """Load solved positions; ValueError if they are of another variant, or too many."""
    try:
        solver.load(path)
    except BudgetError as error:
        msg = f"{error}: give more --memory"
        raise ValueError(msg) from error


def table_of(game: Game, found: Solution) -> Table:
    """The values of the actions of a position, and what each loses."""
    rows, records = [], []
    for action, value in zip(found.actions.tolist(), found.values.tolist(), strict=True):
        move = game.definition.move_to_text(game.move(action))
        rows.append((move, f"{value:.4f}", f"{found.value - value:z.4f}"))
        records.append({"move": move, "action": action, "value": value})
    return Table("placements", ("move", "value", "loss"), rows, records)


def solve(args: Args, solver: Solver | TwoPlayerSolver, game: Game | None) -> None:
    """Solve and print."""
    began = time.perf_counter()
    try:
        with tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}{postfix}", leave=False) as bar:

            def show(share: float) -> None:
                bar.set_postfix_str(f"{solver.states} positions", refresh=False)
                bar.update(max(0.0, share - bar.n))

            if game is None:
                answer = f"{solver.value(nodes=args.nodes, on_progress=show):.6f}"
            elif args.unseen and isinstance(solver, TwoPlayerSolver):
                answer = written([table_of(game, solver.solve_unseen(game))], args.format)
            else:
                found = solver.solve(game, nodes=args.nodes, on_progress=show)
                answer = written([table_of(game, found)], args.format)
        print(answer)
    except BudgetError as error:
        more = f"--memory than {args.memory}" if solver.is_full else f"--nodes than {args.nodes}"
        msg = f"{error}: give more {more}"
        raise InputError(msg) from error
    except KeyboardInterrupt:
        if args.out is None:
            raise
        msg = (
            f"interrupted: {args.out} has all solved positions so far; the same command continues from there"
        )
        raise KeyboardInterrupt(msg) from None
    finally:
        if args.out is not None:
            solver.save(args.out)
    seconds = time.perf_counter() - began
    print(f"{solver.states} positions, {solver.nodes} nodes, {seconds:.1f} s", file=sys.stderr)


def check_unseen(solver: Solver | TwoPlayerSolver, game: Game | None) -> None:
    """ValueError if a position has no value for a player who does not see the other rack."""
    if game is None:
        return
    if not isinstance(solver, TwoPlayerSolver):
        msg = "--unseen is for positions of two players"
        raise ValueError(msg)
    solver.check_unseen(game)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, solve and print."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            game = None if args.position is None else position_of(args, args.position)
            rules = args.sized(args.players) if game is None else game.rules
            solver = solver_of(rules, args.memory)
            if game is not None:
                solver.check(game)
            if args.unseen:
                check_unseen(solver, game)
            path = None if args.out is None else writable(args.out)
        if path is None:
            solve(args, solver, game)
            return
        with entering(locked(path, "--out")):
            with checking():
                if path.exists():
                    take_up(solver, path)
            solve(args, solver, game)


if __name__ == "__main__":
    main()
