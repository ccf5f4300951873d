"""Shared parts of agents that look ahead: games to try actions in, and candidates among placements."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import float64, int32, int64, uint64

from ingenious_env.core.actions import flat_placement
from ingenious_env.core.intrinsics import copy
from ingenious_env.core.kernel import inlined
from ingenious_env.core.rows import WORD_BYTES, row_in, scratch
from ingenious_env.games.ingenious.geometry import MAX_CELLS, MAX_PAIRS
from ingenious_env.games.ingenious.kernels.legality import legal_pairs
from ingenious_env.games.ingenious.kernels.turns import own_sheet
from ingenious_env.games.ingenious.opponents.kernels.greedy import (
    SLOT,
    both_ways,
    list_pairs,
    list_tiles,
    write_worth,
)
from ingenious_env.games.ingenious.rules import MAX_PLAYERS, MAX_RACK
from ingenious_env.games.ingenious.state import LAYOUT
from ingenious_env.games.ingenious.tiles import MAX_COLOURS, MAX_TILES, tile_types

FLAT = False  # actions are not staged
MAX_PLACEMENTS = MAX_RACK * 2 * MAX_PAIRS
_LARGEST = {
    "num_players": MAX_PLAYERS,
    "num_sheets": MAX_PLAYERS,
    "num_colours": MAX_COLOURS,
    "num_cells": MAX_CELLS,
    "board_size": MAX_CELLS + 1,
    "num_words": MAX_PAIRS // 64 + 1,
    "num_types": len(tile_types(MAX_COLOURS)),
    "num_tiles": MAX_TILES,
    "rack_size": MAX_RACK,
}

_row = scratch(uint64, LAYOUT.dtype(_LARGEST).itemsize // WORD_BYTES)
_actions = scratch(int32, MAX_PLACEMENTS)
_gains = scratch(float64, MAX_PLACEMENTS)


@inlined
def spare_memory():
    """Memory for one game of any variant, on the stack of the kernel."""
    return _row()


@inlined
def spare_game(game):
    """A game of the same variant to work in, on the stack of the kernel, not set."""
    return row_in(game, _row())


@inlined
def copy_game(to, source):
    """Copy a game and its future."""
    copy(to.bytes, source.bytes, source.spec.row_bytes)


class Candidates(NamedTuple):
    """Placements to consider, the one with the highest gain first.

    Attributes:
        actions: int32 [K], flat.
        gains: float64 [K], what they add to the value of the counters.
        size: K, how many there is room for.
    """

    actions: Any
    gains: Any
    size: Any


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


@inlined
def insert_candidate(candidates, last, action, gain):
    """Insert a candidate where its gain belongs; what stood at place `last` is dropped."""
    actions, gains, at = candidates.actions, candidates.gains, last
    while at > 0 and gains[at - 1] < gain:
        gains[at], actions[at] = gains[at - 1], actions[at - 1]
        at -= 1
    gains[at], actions[at] = gain, action
