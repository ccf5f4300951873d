"""Rollouts: positions played on greedily to the end, over and over.

A search begins at its root, a position in which all that the searching seat cannot know was dealt anew
before it came here. Each simulation deals those tiles anew once more, plays each candidate on from there,
and adds its result.
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from ingenious_env.core.actions import first_choice
from ingenious_env.core.kernel import ALL_ROWS, ROWS, SPEC, inlined, kernel
from ingenious_env.core.rng import GOLDEN, mix
from ingenious_env.core.rows import row_of_array, scratch, vector_of
from ingenious_env.games.ingenious.kernels import games_of, play
from ingenious_env.games.ingenious.kernels.hidden import reshuffle
from ingenious_env.games.ingenious.kernels.legality import policy_random, workspace
from ingenious_env.games.ingenious.kernels.turns import KEEP, SWAP_RACK
from ingenious_env.games.ingenious.opponents.kernels.greedy import VALUES, greedy_placement, greedy_workspace
from ingenious_env.games.ingenious.opponents.kernels.placements import (
    FLAT,
    Candidates,
    copy_game,
    spare_game,
    top_placements,
)
from ingenious_env.games.ingenious.opponents.kernels.results import result_for, sheet_to_move, value_of_sheet
from ingenious_env.games.ingenious.state import OVER, SWAP

SUMS = "float64[:, ::1]"
"""By candidate the sum of results, of their squares, and their number, [K, 3]."""
NEVER = 1 << 30  # a turn that no game reaches

one_word = scratch(uint64, 1)


@inlined
def play_greedily(game, values, word, workspace, until):
    """Play a game up to a turn or to its end, every seat greedily, equals drawn for by a random word."""
    while game.phase != OVER and game.turn < until:
        action = first_choice(game, FLAT) + SWAP_RACK
        if game.phase != SWAP:
            word += GOLDEN
            action = greedy_placement(game, values, mix(word), workspace)
        play(game, FLAT, action)


@inlined
def write_results(game, values, slope, margin, results):
    """Write what a game is worth to each sheet, [T]: its result, or while it goes on the sheet's chances.

    The odds between two sheets are exp(slope · difference between the values of their counters).
    """
    sheets = game.spec.num_sheets
    if game.phase == OVER:
        for sheet in range(sheets):
            results[sheet] = result_for(game, sheet, margin)
        return
    highest, total = -np.inf, 0.0
    for sheet in range(sheets):
        results[sheet] = value_of_sheet(game, sheet, values)
        highest = max(highest, results[sheet])
    for sheet in range(sheets):
        results[sheet] = np.exp(slope * (results[sheet] - highest))  # 1 for the highest, so no overflow
        total += results[sheet]
    for sheet in range(sheets):
        results[sheet] /= total


@kernel(f"int64({ROWS}, {VALUES}, int32[:, ::1], float64[:, ::1], int64[::1])")
def list_candidates(spec, low, high, values, actions, gains, counts):
    """List each game's best actions by what they add to the value of the counters, the best first.

    Fills actions and gains, [B, K], and counts, [B], their number: at most K, none where a game is over. A
    choice to swap is two candidates that add nothing.
    """
    games, workspace, values = games_of(spec), greedy_workspace(), vector_of(values)
    for i in range(low, high):
        game = games[i]
        found = Candidates(row_of_array(actions, i), row_of_array(gains, i), actions.shape[1])
        if game.phase == OVER:
            counts[i] = 0
        elif game.phase == SWAP:
            first = first_choice(game, FLAT)
            found.actions[0], found.actions[1] = first + SWAP_RACK, first + KEEP
            found.gains[0] = found.gains[1] = 0.0
            counts[i] = 2
        else:
            counts[i] = top_placements(game, values, policy_random(game), workspace, found)
    return ALL_ROWS


# Simulations.


@inlined
def word_of_search(root, seed):
    """The random word of a search's deals, made of its seed and of the position and the key of the root."""
    return policy_random(root) ^ mix(seed + GOLDEN)


@inlined
def deal_hidden(root, deal, word, simulation, stream):
    """Copy the root and deal its hidden tiles anew for a simulation; returns a word for further choices."""
    copy_game(deal, root)
    stream[0] = mix(word + uint64(simulation) * GOLDEN)
    reshuffle(deal, root.to_play, stream, workspace())
    return mix(stream[0])


@inlined
def add_result(sums, result):
    """Add a result to the sum, the sum of squares and the number of results."""
    sums[0] += result
    sums[1] += result * result
    sums[2] += 1.0


@kernel(f"void({SPEC}, int32[::1], int64, int64, uint64, {VALUES}, float64, {SUMS})")
def try_candidates(spec, candidates, first, last, seed, values, margin, sums):
    """Simulations `first` to `last` − 1 of each candidate at the root, the only row, for the seat to move.

    Each simulation deals the hidden tiles once for all candidates, plays the candidate and then greedily on.
    """
    root = games_of(spec)[0]
    deal, game = spare_game(root), spare_game(root)
    workspace, values, stream = greedy_workspace(), vector_of(values), one_word()
    actions, sheet, word = vector_of(candidates), sheet_to_move(root), word_of_search(root, seed)
    for simulation in range(first, last):
        equals = deal_hidden(root, deal, word, simulation, stream)
        for k in range(len(candidates)):
            copy_game(game, deal)
            play(game, FLAT, actions[k])
            play_greedily(game, values, equals, workspace, NEVER)
            add_result(row_of_array(sums, k), result_for(game, sheet, margin))
