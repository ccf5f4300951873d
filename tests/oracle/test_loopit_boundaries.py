"""Engine equals reference at boundaries that play seldom reaches; each is met in each variant it is about."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from loopit_boundaries import BOUNDARY_RULES, ELSEWHERE, MET, Step, engine_game, random_position
from loopit_differential import compare
from loopit_helpers import position

import ingenious_env.games.loopit
from ingenious_env import GameBatch

LEAST, MOST, MOVES = 60, 4000, 3
"""The least number of positions to visit, then more until each boundary is met; moves from each."""

RULES = Path(ingenious_env.games.loopit.__file__).with_name("LOOPIT.md").read_text(encoding="utf-8")


def test_every_paragraph_is_here_or_elsewhere():
    paragraphs = set(re.findall(r"^(\d\.\d) ", RULES, re.MULTILINE))
    named = {name.partition(" ")[0] for name in MET}
    assert named | ELSEWHERE == paragraphs
    assert not named & ELSEWHERE


@pytest.mark.parametrize("name", BOUNDARY_RULES)
def test_positions_at_boundaries(name):
    rules, rng = BOUNDARY_RULES[name], np.random.default_rng(7)
    met: Counter[str] = Counter()
    wanted = {each for each, (about, _) in MET.items() if about(rules)}
    for number in range(MOST):
        if number >= LEAST and met.keys() >= wanted:
            break
        reference = random_position(rules, rng)
        game = engine_game(rules, reference)
        actions = compare(game, reference)
        for _ in range(MOVES):
            if not actions:
                break
            before, moves = reference.copy(), sorted(actions, key=str)
            named = [move for move in moves if move[0] != "lay"]
            choices = named if named and rng.random() < 0.4 else moves
            move = choices[rng.integers(len(choices))]
            game.play(actions[move])
            if move == ("throw back",):
                reference.play(move, game.racks[before.to_play] + game.bag_order)
            else:
                reference.make(move)
            actions = compare(game, reference)
            step = Step(rules, before, move, reference.copy())
            met.update(each for each in wanted if MET[each][1](step))
    assert met.keys() == wanted, f"not met: {sorted(wanted - met.keys())}"


@pytest.mark.parametrize("bag", ["W1", "W1 W2", "W1 W2 W3 W4"])
@pytest.mark.parametrize("rack", ["N3", "N3 N4", "N3 N4 N5 S6 S7"])
def test_3_3_all_of_a_rack_goes_back_into_a_small_bag(rack, bag):
    """Every tile of rack and bag is as likely to be in the bag afterwards, however few these are."""
    board = {(2, 1): "ES1", (3, 1): "N1", (2, 2): "EW1", (2, 3): "EW1"}  # where only W can continue
    size = len(rack.split())
    other = " ".join(f"S{value}" for value in range(1, size + 1))
    game = position(board, [rack, other], bag, phase="throw", rack=size)
    batch = GameBatch.from_rows(game.rules, np.repeat(game.state.memory, 4000, axis=0))
    batch.state.stream[:] = np.random.default_rng(1).integers(1 << 63, size=4000, dtype=np.uint64)
    batch.play(np.full(4000, batch.actions.choice("throw back")))
    there = len(bag.split())
    found: Counter[int] = Counter()
    for row in range(len(batch)):
        found.update(batch.state.bag[row, batch.state.drawn[row] :].tolist())
    assert found.total() == 4000 * there
    expected = 4000 * there / (size + there)
    assert len(found) == size + there
    assert all(abs(count - expected) < 5 * np.sqrt(expected) for count in found.values())
