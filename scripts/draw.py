"""A picture of a game between two agents, as SVG.

    python -m scripts.draw --seed 4 --moves 25 > .assets/board.svg

Prints the board after so many moves of a two-player game, as the first player sees it, the last tile marked.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from agents import make_agent
from ingenious_env import Game, Place, Rules
from ingenious_env.core.view import View, flat_actions
from ingenious_env.games.ingenious.render import svg


def draw(agent: str, seed: int, moves: int) -> str:
    """The board after so many moves of the agent against itself, or at the end if that comes first."""
    player, game = make_agent(agent), Game(Rules(), seed)
    last: tuple[tuple[int, int], ...] = ()
    for _ in range(moves):
        if game.is_over:
            break
        action = int(flat_actions(player, View.of(game))[0])
        move = game.move(action)
        last = tuple(cell for cell, _ in move) if isinstance(move, Place) else ()
        game.play(action)
    return svg.render(game, viewer=0, highlight=last)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and print the picture."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog="python -m scripts.draw",
    )
    parser.add_argument("--agent", default="greedy:utility=concave", help="who plays itself")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--moves", type=int, default=1000)
    options = parser.parse_args(arguments)
    try:
        print(draw(options.agent, options.seed, options.moves))
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
