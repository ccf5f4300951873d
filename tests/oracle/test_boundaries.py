"""Engine equals reference at boundaries that play does not reach; each is met in each variant it is about."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from boundaries import BOUNDARY_RULES, ELSEWHERE, MET, Step
from boundary_positions import engine_game, random_position, reference_at
from differential import compare, follow
from helpers import mixed_actions

import ingenious_env.games.ingenious
from ingenious_env import GameBatch, Place

LEAST, MOST, MOVES = 60, 4000, 3
"""The least number of positions to visit, then more until each boundary is met; moves from each."""

RULES = Path(ingenious_env.games.ingenious.__file__).with_name("RULES.md").read_text(encoding="utf-8")


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
        batch = GameBatch.from_rows(rules, engine_game(rules, reference).state.memory)
        for _ in range(MOVES):
            compare(batch, 0, batch.legal_mask()[0], reference)
            if not batch.legal_mask().any():  # over, or a rack that no bag could fill, which no game has
                break
            action, before, game = int(mixed_actions(batch, rng, 0.6)[0]), reference.copy(), batch[0]
            batch.play([action])
            follow(batch, 0, game, action, reference)
            move = game.move(action)
            step = Step(rules, before, move if isinstance(move, str) else frozenset(move), reference.copy())
            met.update(each for each in wanted if MET[each][1](step))
        compare(batch, 0, batch.legal_mask()[0], reference)
    assert met.keys() == wanted, f"not met: {sorted(wanted - met.keys())}"


def test_6_2_a_swap_of_all_there_is_shakes_the_bag():
    """A bag of just a rack: its tiles are the new rack, and the old ones come in any order."""
    rules = BOUNDARY_RULES["two"]
    old, new = [(5, 5), (5, 5), (5, 6), (6, 6), (6, 6)], [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4)]
    reference = reference_at(rules, {}, [[*old, (1, 1)], [(1, 2)] * 6], new, [[0, 0, 0, 0, 9, 9]] * 2, 4)
    game = engine_game(rules, reference)
    game.play(game.action(Place(((0, 0), 1), ((1, 0), 1))))
    assert game.phase == "swap"
    batch = GameBatch.from_rows(rules, np.repeat(game.state.memory, 3000, axis=0))
    batch.state.stream[:] = np.random.default_rng(1).integers(1 << 63, size=3000, dtype=np.uint64)
    batch.play(np.full(3000, batch.actions.swap))
    seen: Counter[tuple] = Counter()
    for row in range(3000):
        after = batch[row]
        left = after.bag_order
        assert after.racks[0] == new
        assert Counter(left) == Counter(old)
        seen.update(enumerate(left))
    for place, tile in seen:
        expected = 600 * old.count(tile)
        assert abs(seen[place, tile] - expected) < 5 * np.sqrt(expected)
