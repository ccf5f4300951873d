"""The greedy opponent: most points, equals drawn for, found anew square by square."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from loopit_helpers import VARIANTS, chi_square, every_variant, legal_lays, played, points, position

from ingenious_env import GameBatch, View
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.games.loopit import LOOPIT, Game, Rules

GREEDY = LOOPIT.policy("greedy")


def choices(game: Game, samples: int = 1, *, staged: bool = False) -> Counter:
    """Its actions in a position, over many keys."""
    crowd = GameBatch.from_rows(game.rules, np.repeat(game.state.memory, samples, axis=0), staged=staged)
    if samples > 1:
        crowd.state.policy_key[:] = np.random.default_rng(1).integers(0, 2**64, samples, np.uint64)
    return Counter(GREEDY.act(View(crowd)).tolist())


def best_lays(game: Game) -> set:
    gains = {lay: points(game, lay) for lay in legal_lays(game, game.to_play)}
    return {lay for lay, gain in gains.items() if gain == max(gains.values())}


@every_variant
def test_it_takes_the_most_points(name):
    rules = VARIANTS[name]
    for game, _ in played(rules, 2, greed=0.7):
        (action,) = choices(game)
        if game.is_over:
            assert action == NO_ACTION
        elif game.phase == "throw":
            assert game.move(action) == "throw back"
        else:
            best = best_lays(game)
            assert game.move(action) in best
            (slot,) = choices(game, staged=True)
            assert slot in {game.racks[game.to_play].index(lay.tile) for lay in best}


@pytest.mark.parametrize("name", ["two", "4 x 7", "5 x 5"])
def test_out_of_equals_each_is_as_likely(name):
    ties = 0
    for seed in range(10):
        for game, _ in played(VARIANTS[name], seed):
            best = best_lays(game) if game.phase == "lay" and ties < 8 else set()
            if len(best) > 1:
                expected = Counter(game.action(lay) for lay in best)
                assert chi_square(choices(game, 4000), expected) < 6
                ties += 1
    assert ties > 4


def test_by_hand():
    """Joined to a 9, the low tile scores more than the high one elsewhere."""
    board = {(2, 2): "ES1", (2, 3): "NW9"}
    game = position(board, ["S1 N5 N6", "N1 N1 N1"], "E1", factors="11111 11111 11111 11111 11111", rack=3)
    # S1 above the 9: 1 + 9; N6 below the 1: 6 + 1, and nine times its value where the factor is 9
    (action,) = choices(game)
    assert game.move(action) == (("S", 1), (1, 3))
    game = position(board, ["S1 N5 N6", "N1 N1 N1"], "E1", factors="11111 11111 11111 11911 11111", rack=3)
    (action,) = choices(game)
    assert game.move(action) == (("N", 6), (3, 2))


def test_with_a_tile_in_hand_it_lays_that_one():
    """As in Ingenious; a policy may be asked at any point of a staged game."""
    for seed in range(20):
        game = Game(Rules(), seed, actions="staged")
        for slot in game.legal_actions().tolist():
            twin = game.clone()
            twin.play(slot)
            gains = {lay: points(game, lay) for lay in legal_lays(game, 0) if lay.tile == game.racks[0][slot]}
            (action,) = GREEDY.act(View(GameBatch.from_rows(twin.rules, twin.state.memory, staged=True)))
            assert gains[twin.move(int(action))] == max(gains.values())


def test_it_beats_random_play():
    batch = GameBatch(Rules(), 64, 3)
    while not batch.is_over.all():
        mine = np.where(batch.to_play == 0, GREEDY.act(View(batch)), batch.random_actions())
        batch.play(mine)
    assert (batch.scores[:, 0] > batch.scores[:, 1]).mean() > 0.9


def test_8_what_greedy_play_brings():
    """LOOPIT.md 8: about 35 points a turn with two players, 32 with more; nearly all tiles are laid."""
    for players, expected in ((2, 35), (3, 32), (4, 32)):
        batch = GameBatch(Rules(players), 64, 1)
        while not batch.is_over.all():
            batch.play(GREEDY.act(View(batch)))
        per_turn = batch.scores.sum() / batch.state.turn.sum()
        assert abs(per_turn - expected) < 2.5
        assert (batch.state.placed == 81).mean() > 0.5
