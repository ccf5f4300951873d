"""Endings, exactly solved: the positions with which `ingenious score` measures agents.

    python -m scripts.endings                    # of solitaire; writes them into the package
    python -m scripts.endings --players 2        # of two players
    python -m scripts.endings --count 20 --out runs/endings.jsonl

Positions are from games of several agents, each at the first move at which at most so many more placements
fit, and no two are from one game: of solitaire 2, 3 and 4, of two players 2. With two players only those are
taken in which no rack was swapped and the choice makes a difference; their values are those for a player who
sees his own rack only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from ingenious_agents import make_agent
from ingenious_agents.commands.command_line import Count, Seed, checking, command, hint, read, writable
from ingenious_agents.evaluation.positions import ENDINGS, Position, path_of, write_positions
from ingenious_agents.search.exact import Solver, placements_left
from ingenious_agents.search.exact_two import TwoPlayerSolver
from ingenious_agents.search.solved import Solution
from tqdm import tqdm

from ingenious_env import Game, Policy, Rules, View

PROG = "python -m scripts.endings"
PLACEMENTS_LEFT = {1: (2, 3, 4), 2: (2,)}
"""By the number of players."""
PRESETS = {1: "solitaire", 2: "two"}
PAIRS_LEFT = 9
"""Per placement left, more than the pairs of empty cells: a region of n cells has less than 3 n, and room for
n // 2 tiles, at least a third of n."""
PLAYERS = ("value", "greedy:utility=concave", "greedy:epsilon=0.2", "tree:rollouts=30")


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    players: Count = 1
    """the number of players, 1 or 2"""
    count: Count = 250
    """positions with each number of placements left; of two players those that matter are rare"""
    seed: Seed = 35
    """of the games"""
    memory: Count = 512
    """megabytes for solved positions"""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("in the package")] = None
    """the file"""

    def check(self) -> None:
        """ValueError if there are no endings of these players."""
        if self.players not in PLACEMENTS_LEFT:
            msg = f"players must be 1 or 2, not {self.players}"
            raise ValueError(msg)

    @property
    def rules(self) -> Rules:
        """The variant."""
        return Rules(self.players)


def ending(rules: Rules, player: Policy, seed: tuple[int, int], left: int) -> tuple[Game, list[int]] | None:
    """The first position of a game with so few placements left, and its actions; None without one."""
    game, actions = Game(rules, seed), list[int]()
    while not game.is_over:
        pairs = sum(int(word).bit_count() for word in game.state.open_pairs[0])
        is_late = pairs <= PAIRS_LEFT * left and game.phase == "place"
        if is_late and placements_left(game) <= left:
            return (game, actions) if len(game.legal_actions()) > 1 else None
        action = int(player.act(View.of(game))[0])
        game.play(action)
        actions.append(action)
    return None


def solved_by(args: Args) -> Callable[[Game], Solution | None]:
    """What solves a position; None where it has no value, or all actions have the same."""
    if args.players == 1:
        return Solver(args.rules, args.memory << 20).solve
    solver = TwoPlayerSolver(args.rules, args.memory << 20)

    def solve(game: Game) -> Solution | None:
        if game.state.swaps[0]:
            return None
        found = solver.solve_unseen(game)
        return found if found.values.min() < found.value else None

    return solve


def positions(args: Args) -> Iterator[Position]:
    """Solved positions, group by group."""
    players, solve, number = [make_agent(name) for name in PLAYERS], solved_by(args), 0
    for left in PLACEMENTS_LEFT[args.players]:
        found = 0
        while found < args.count:
            seed = (args.seed, number)
            position = ending(args.rules, players[number % len(players)], seed, left)
            number += 1
            solution = None if position is None else solve(position[0])
            if position is None or solution is None:
                continue
            values = dict(zip(solution.actions.tolist(), solution.values.tolist(), strict=True))
            found += 1
            yield Position(args.rules, seed, tuple(position[1]), f"{left} placements left", values)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, solve and write."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            out = writable(args.out or path_of("ingenious", PRESETS[args.players], ENDINGS))
        total = args.count * len(PLACEMENTS_LEFT[args.players])
        write_positions(out, list(tqdm(positions(args), total=total, unit="position")))


if __name__ == "__main__":
    main()
