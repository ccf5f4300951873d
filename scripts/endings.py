"""Endings of solitaire, exactly solved: the positions with which `ingenious score` measures agents.

    python -m scripts.endings                    # writes them into the package
    python -m scripts.endings --count 20 --out runs/endings.jsonl

Positions are from games of several agents, each at the first move at which at most 2, 3 or 4 more placements
fit, and no two are from one game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ingenious_agents import make_agent
from ingenious_agents.commands.command_line import Count, Seed, checking, command, read, writable
from ingenious_agents.evaluation.positions import ENDINGS, Position, write_positions
from ingenious_agents.search.exact import Solver, placements_left
from tqdm import tqdm

from ingenious_env import Game, Policy, Rules, View

PROG = "python -m scripts.endings"
PLACEMENTS_LEFT = (2, 3, 4)
PLAYERS = ("value", "greedy:utility=concave", "greedy:epsilon=0.2", "tree:rollouts=30")


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    count: Count = 250
    """positions with each number of placements left"""
    seed: Seed = 35
    """of the games"""
    memory: Count = 512
    """megabytes for solved positions"""
    out: Path = ENDINGS
    """the file"""

    def check(self) -> None:
        """Nothing contradicts."""


def ending(player: Policy, seed: tuple[int, int], left: int) -> tuple[Game, list[int]] | None:
    """The first position of a game with so few placements left, and its actions; None without one."""
    game, actions = Game(Rules.solitaire(), seed), list[int]()
    while not game.is_over:
        if placements_left(game) <= left:
            return (game, actions) if len(game.legal_actions()) > 1 else None
        action = int(player.act(View.of(game))[0])
        game.play(action)
        actions.append(action)
    return None


def positions(args: Args) -> Iterator[Position]:
    """Solved positions, group by group."""
    players = [make_agent(name) for name in PLAYERS]
    solver, number = Solver(Rules.solitaire(), args.memory << 20), 0
    for left in PLACEMENTS_LEFT:
        found = 0
        while found < args.count:
            seed = (args.seed, number)
            position = ending(players[number % len(players)], seed, left)
            number += 1
            if position is None:
                continue
            game, actions = position
            solution = solver.solve(game)
            values = dict(zip(solution.actions.tolist(), solution.values.tolist(), strict=True))
            found += 1
            yield Position(game.rules, seed, tuple(actions), f"{left} placements left", values)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, solve and write."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            out = writable(args.out)
        total = args.count * len(PLACEMENTS_LEFT)
        write_positions(out, list(tqdm(positions(args), total=total, unit="position")))


if __name__ == "__main__":
    main()
