"""Golden playthroughs of Loopit: whole games as text, written by the reference and replayed by the engine.

    python tests/golden/loopit_golden.py   # write them anew, after a change that is meant

A line a move: the turn, the seat, the move, all scores after it, what is next, and how many tiles were laid
in the turn.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # as a script
sys.path.insert(0, str(Path(__file__).parents[1] / "oracle"))

import numpy as np
from loopit_differential import compare, reference_of
from loopit_reference import Move, ReferenceLoopit

from ingenious_env.games.loopit import LOOPIT, Game, Lay, Rules

FOLDER = Path(__file__).parent
PRESETS = {
    "loopit_two": Rules(2),
    "loopit_three": Rules(3),
    "loopit_four": Rules(4),
    "loopit_two_fixed": Rules(2, fixed_rounds=True),
}
SEEDS = {"loopit_two": 20, "loopit_three": 49, "loopit_four": 42, "loopit_two_fixed": 46}


def line_of(turn: int, seat: int, move: str, scores: Sequence[int], phase: str, laid: int) -> str:
    return f"{turn:3} {seat} {move:<14} {','.join(map(str, scores))} {phase} {laid}\n"


def choose(reference: ReferenceLoopit, rng: np.random.Generator) -> Move:
    """Most often the lay of most points, else a random move, all by the reference."""
    moves = sorted(reference.moves())
    lays = [move for move in moves if move[0] == "lay"]
    if lays and rng.random() < 0.8:
        return max(lays, key=lambda lay: reference.points(*lay[1:]))
    return moves[rng.integers(len(moves))]


def phase_of(reference: ReferenceLoopit) -> str:
    if reference.is_over:
        return "over"
    return "throw" if ("keep",) in reference.moves() else "lay"


def playthrough(rules: Rules, seed: int) -> str:
    """The game of this seed by the reference; only deals and texts are the engine's, which must agree."""
    game, rng = Game(rules, seed), np.random.default_rng(seed)
    reference = reference_of(rules, game)
    lines = [game.to_text()]
    while not reference.is_over:
        turn, seat = reference.turn, reference.to_play
        move = choose(reference, rng)
        game.play(compare(game, reference)[move])
        shaken = game.racks[seat] + game.bag_order if move == ("throw back",) else None
        reference.play(move, shaken)
        text = LOOPIT.move_to_text(Lay(*move[1:]) if move[0] == "lay" else move[0])
        lines.append(line_of(turn, seat, text, reference.scores, phase_of(reference), reference.laid))
    compare(game, reference)
    return "".join([*lines, f"ranks {reference.ranks}\n", "\n", game.to_text()])


def replay(rules: Rules, seed: int, text: str) -> str:
    """The text again, by the engine only, with the recorded moves."""
    game = Game(rules, seed)
    lines = [game.to_text()]
    for line in text.splitlines()[lines[0].count("\n") :]:
        if game.is_over:
            break
        turn, seat, move = game.turn, game.to_play, line[6:20].strip()
        game.play(game.action(LOOPIT.text_to_move(move)))
        lines.append(line_of(turn, seat, move, game.scores, game.phase, game.laid))
    return "".join([*lines, f"ranks {game.ranks.tolist()}\n", "\n", game.to_text()])


if __name__ == "__main__":
    for name, rules in PRESETS.items():
        (FOLDER / f"{name}.txt").write_text(playthrough(rules, SEEDS[name]))
