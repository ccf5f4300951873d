"""Rollouts by a value network: it plays all seats, and evaluates the last position."""

from __future__ import annotations

from ingenious_agents.search.kernels.rollouts import SUMS, add_result, deal_hidden, one_word, word_of_search
from ingenious_env.compiled.actions import FLAT
from ingenious_env.compiled.kernel import SPEC, kernel
from ingenious_env.compiled.rng import GOLDEN, mix
from ingenious_env.compiled.rows import copy_row, spare_row
from ingenious_env.compiled.vectors import row_of_array, vector_of
from ingenious_env.games.ingenious.kernels import games_of, play
from ingenious_env.games.ingenious.opponents.kernels.greedy import VALUES
from ingenious_env.games.ingenious.opponents.kernels.results import outcome, sheet_to_move
from ingenious_env.games.ingenious.opponents.kernels.value import (
    WEIGHTS,
    best_action,
    value_player,
)
from ingenious_env.games.ingenious.state import OVER


@kernel(f"void({SPEC}, int32[::1], int64, int64, uint64, {WEIGHTS}, {VALUES}, int64, int64, {SUMS})")
def try_by_network(spec, candidates, first, last, seed, weights, prior, num_candidates, decisions, sums):
    """Simulations `first` to `last` − 1 of each candidate at the root, the only row, for the seat to move.

    As `try_candidates`, but with play by the network, evaluating a number of candidates of each position. A
    simulation ends where the searching sheet would decide for the `decisions`th time, with the value of its
    best candidate there; for 0 decisions it continues to the end of the game.
    """
    root = games_of(spec)[0]
    deal, game = spare_row(root), spare_row(root)
    player, stream = value_player(root, weights, prior, num_candidates), one_word()
    actions, sheet, word = vector_of(candidates), sheet_to_move(root), word_of_search(root, seed)
    for simulation in range(first, last):
        equals = deal_hidden(root, deal, word, simulation, stream)
        for k in range(len(candidates)):
            copy_row(game, deal)
            play(game, FLAT, actions[k])
            random, left, value = equals, decisions, 0.0
            while game.phase != OVER:
                random = mix(random + GOLDEN)
                action, value = best_action(game, random, player)
                if sheet_to_move(game) == sheet:
                    left -= 1
                    if left == 0:
                        break
                play(game, FLAT, action)
            if game.phase == OVER:
                value = outcome(game, sheet)
            add_result(row_of_array(sums, k), value)
