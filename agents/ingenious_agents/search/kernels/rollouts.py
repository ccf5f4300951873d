"""Rollouts: repeated greedy play from positions to the end, in any game that has a guide.

A search begins at its root, a position in which all that the searching seat cannot know was dealt anew
before. Each simulation deals those tiles anew again, plays each candidate and continues from there, and adds
its result. The kernels are templates, of which `game_kernels.py` makes those of a game.
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from ingenious_env.compiled import compiled_rules as rules
from ingenious_env.compiled.actions import FLAT
from ingenious_env.compiled.compiled_guide import (
    greedy_action,
    guide_workspace,
    result_for,
    rules_workspace,
    sheet_to_move,
    utility_of,
)
from ingenious_env.compiled.compiled_rules import play, reshuffle, word_for_decision
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.phases import OVER, PLACE
from ingenious_env.compiled.rng import GOLDEN, mix
from ingenious_env.compiled.rows import copy_row, spare_row
from ingenious_env.compiled.vectors import row_of_array, scratch, vector_of

VALUES = "float64[::1]"
SUMS = "float64[:, ::1]"
"""By candidate the sum of results, of their squares, and their number, [K, 3]."""
NEVER = 1 << 30  # a turn that no game reaches

one_word = scratch(uint64, 1)


@inlined
def play_greedily(game, values, word, workspace, until):
    """Play a game up to a turn or to its end, every seat greedily, ties broken by a random word."""
    while game.phase != OVER and game.turn < until:
        if game.phase == PLACE:
            word += GOLDEN
        play(game, FLAT, greedy_action(game, values, mix(word), workspace))


@inlined
def write_results(game, values, slope, margin, results):
    """Write the value of a game for each sheet, [T]: its result, or before the end the sheet's chances.

    The odds between two sheets are exp(slope · difference between their utilities).
    """
    sheets = game.spec.num_sheets
    if game.phase == OVER:
        for sheet in range(sheets):
            results[sheet] = result_for(game, sheet, margin)
        return
    highest, total = -np.inf, 0.0
    for sheet in range(sheets):
        results[sheet] = utility_of(game, sheet, values)
        highest = max(highest, results[sheet])
    for sheet in range(sheets):
        results[sheet] = np.exp(slope * (results[sheet] - highest))  # 1 for the highest, so no overflow
        total += results[sheet]
    for sheet in range(sheets):
        results[sheet] /= total


# Simulations.


@inlined
def word_of_search(root, seed):
    """The random word of a search's deals, from its seed and the position and the key of the root."""
    return word_for_decision(root, root.policy_key) ^ mix(seed + GOLDEN)


@inlined
def deal_hidden(root, deal, word, simulation, stream):
    """Copy the root and deal its hidden tiles anew for a simulation; returns a word for further choices."""
    copy_row(deal, root)
    stream[0] = mix(word + uint64(simulation) * GOLDEN)
    reshuffle(deal, root.to_play, stream, rules_workspace(root))
    return mix(stream[0])


@inlined
def add_result(sums, result):
    """Add a result to the sum, the sum of squares and the number of results."""
    sums[0] += result
    sums[1] += result * result
    sums[2] += 1.0


def try_candidates(spec, candidates, first, last, seed, values, margin, sums):
    """Simulations `first` to `last` − 1 of each candidate at the root, the only row, for the seat to move.

    Each simulation deals the hidden tiles once for all candidates, plays the candidate and then greedily.
    """
    root = rules.games_of(spec)[0]
    deal, game = spare_row(root), spare_row(root)
    workspace, values, stream = guide_workspace(root), vector_of(values), one_word()
    actions, sheet, word = vector_of(candidates), sheet_to_move(root), word_of_search(root, seed)
    for simulation in range(first, last):
        equals = deal_hidden(root, deal, word, simulation, stream)
        for k in range(len(candidates)):
            copy_row(game, deal)
            play(game, FLAT, actions[k])
            play_greedily(game, values, equals, workspace, NEVER)
            add_result(row_of_array(sums, k), result_for(game, sheet, margin))
