"""Candidates among placements, by what they add to the value of the counters."""

from __future__ import annotations

from numba import float64, int32, int64, uint64

from ingenious_env.compiled.actions import flat_placement
from ingenious_env.compiled.compiled_guide import Candidates, insert_candidate
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.vectors import scratch
from ingenious_env.games.ingenious.geometry import MAX_PAIRS
from ingenious_env.games.ingenious.kernels.legality import legal_pairs
from ingenious_env.games.ingenious.kernels.turns import own_sheet
from ingenious_env.games.ingenious.opponents.kernels.greedy import (
    SLOT,
    both_ways,
    list_pairs,
    list_tiles,
    write_worth,
)
from ingenious_env.games.ingenious.rules import MAX_RACK

MAX_PLACEMENTS = MAX_RACK * 2 * MAX_PAIRS
_actions = scratch(int32, MAX_PLACEMENTS)
_gains = scratch(float64, MAX_PLACEMENTS)


@inlined
def candidates_workspace(size):
    """Memory for candidates, on the stack of the kernel."""
    return Candidates(_actions(), _gains(), size)


@inlined
def top_placements(game, values, random, workspace, candidates):
    """Find the placements that add most to the value of the counters; returns their number.

    Equals come in random order. `workspace` is that of the greedy policy, `values` one number for each
    space of a counter.
    """
    pairs, tiles = workspace.pairs, workspace.tiles
    sheet = own_sheet(game)
    num_tiles = list_tiles(game, tiles)
    for colour in range(game.spec.num_colours):
        write_worth(game, sheet, colour, values, workspace.worth)
    legal_pairs(game, workspace.legal)
    num_pairs, found = list_pairs(game, workspace.legal, pairs), 0
    start = int64(random % uint64(num_pairs))
    for k in range(num_pairs):
        pair = pairs[k + start if k + start < num_pairs else k + start - num_pairs]
        for j in range(num_tiles):
            forward, backward = both_ways(game, sheet, values, workspace.worth, tiles[j], pair)
            for turned in range(2):
                gain = backward if turned else forward
                if gain < 0.0 or (found == candidates.size and gain <= candidates.gains[found - 1]):
                    continue
                action = flat_placement(game, tiles[j][SLOT], turned * game.spec.num_pairs + pair)
                found = min(found + 1, candidates.size)
                insert_candidate(candidates, found - 1, action, gain)
    return found
