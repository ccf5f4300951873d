"""Golden playthroughs: a whole game of each preset as text, so that a change of behaviour shows as a diff.

    python tests/golden/golden.py          # write them anew, after a change that is meant

A line a move: the turn, the seat, the move, all counters after it, and what is next.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # as a script
sys.path.insert(0, str(Path(__file__).parents[1] / "oracle"))

import numpy as np
from helpers import PRESETS, mixed_actions

from ingenious_env import Game, GameBatch, Rules
from ingenious_env.games.ingenious.notation import move_to_text

FOLDER = Path(__file__).parent
SEEDS = {"solitaire": 1, "two": 29, "three": 3, "four": 4, "partnership": 5}


def playthrough(rules: Rules, seed: int) -> str:
    """The game of this seed, played by a fixed mixture of greedy and random moves."""
    game, rng = Game(rules, seed), np.random.default_rng(seed)
    lines = [game.to_text()]
    while not game.is_over:
        turn, seat = game.turn, game.to_play
        action = int(mixed_actions(GameBatch.from_rows(rules, game.state.memory), rng, 0.8)[0])
        move = move_to_text(game.move(action))
        game.play(action)
        scores = " ".join(",".join(map(str, sheet)) for sheet in game.scores.tolist())
        lines.append(f"{turn:3} {seat} {move:<14} {scores} {game.phase} {game.plays_left}\n")
    lines += [f"ranks {game.ranks.tolist()}\n", "\n", game.to_text()]
    return "".join(lines)


if __name__ == "__main__":
    for name, rules in PRESETS.items():
        (FOLDER / f"{name}.txt").write_text(playthrough(rules, SEEDS[name]))
