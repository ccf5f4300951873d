"""The inputs of the value network: the end of a turn, before the draw, as numbers near one.

`value_layout.py` draws them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import float32, int64, uint64

from ingenious_env.compiled.bag import NO_TILE, rack_count, seat_after
from ingenious_env.compiled.bitsets import lowest_bit
from ingenious_env.compiled.intrinsics import count_bits
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.vectors import scratch
from ingenious_env.games.loopit.material import MAX_FACTOR, MAX_PATTERNS, MAX_SIDE
from ingenious_env.games.loopit.opponents.kernels.outlook import (
    MAX_BEST,
    MOST_POINTS,
    count_unseen,
    expect_rack,
    find_chances,
    find_points,
    outlook_workspace,
)
from ingenious_env.games.loopit.opponents.kernels.value_layout import (
    LEVELS,
    MAX_INPUTS,
    OF_FACTOR,
    OF_GAME,
    OF_PATTERN,
    OF_REPLY,
)
from ingenious_env.games.loopit.rules import MAX_RACK

HUNDRED = float32(1.0 / 100.0)
TWENTY = float32(1.0 / 20.0)
TEN = float32(1.0 / 10.0)
EIGHT = float32(1.0 / 8.0)

_inputs = scratch(float32, MAX_INPUTS)
_patterns = scratch(int64, MAX_PATTERNS)
_fitting = scratch(int64, MAX_SIDE * MAX_SIDE)
_best = scratch(int64, MAX_RACK)


class InputWorkspace(NamedTuple):
    """Scratch memory for inputs.

    Attributes:
        inputs: float32 [I], the output of `write_inputs`.
        outlook: of the board.
        patterns: int64 [K], unseen tiles of each pattern.
        fitting: int64 [N], unseen tiles that may be laid on a cell.
        best: int64 [R], the slots of the tiles kept, from the one that could score most.
    """

    inputs: Any
    outlook: Any
    patterns: Any
    fitting: Any
    best: Any


@inlined
def input_workspace():
    """Scratch memory for inputs, on the stack of the kernel."""
    return InputWorkspace(_inputs(), outlook_workspace(), _patterns(), _fitting(), _best())


@inlined
def write_inputs(game, kept, workspace):
    """Write the inputs of the end of a turn for the seat to move, which keeps `kept` of its tiles.

    It keeps its whole rack or, having thrown it back, nothing.
    """
    out, outlook, players = workspace.inputs, workspace.outlook, game.spec.num_players
    own = game.to_play
    num_unseen = count_unseen(game, outlook)
    if kept == 0:
        num_unseen += unsee_rack(game, outlook)
    find_points(game, outlook)
    following = seat_after(game, own, 1)
    find_chances(outlook, num_unseen, min(rack_count(game, following), num_unseen))
    expect_rack(outlook, num_unseen, MAX_BEST, np.inf)
    each = float32(1.0) / float32(max(1, num_unseen))
    for place in range(1, players):
        other = seat_after(game, own, place)
        out[place - 1] = float32(game.scores[own] - game.scores[other]) * HUNDRED
        out[players - 2 + place] = float32(rack_count(game, other)) / float32(game.spec.rack_size)
    out = out[2 * (players - 1) :]
    out[0] = float32(kept) / float32(game.spec.rack_size)
    out[1] = float32(game.spec.num_tiles - game.drawn) / float32(game.spec.num_tiles)
    out[2] = float32(num_unseen) / float32(game.spec.num_tiles)
    out[3] = float32(0.0)
    if game.spec.last_turn:
        out[3] = float32(game.spec.last_turn - game.turn - 1) / float32(game.spec.last_turn)
    out = out[OF_GAME:]
    for place in range(OF_REPLY):
        out[place] = float32(outlook.expected[place]) * TWENTY
    out = out[OF_REPLY:]
    write_levels(outlook, each, out)
    write_kept(game, kept, workspace, out[len(LEVELS) :])
    out = out[len(LEVELS) + 2 * game.spec.rack_size :]
    write_cells(game, each, workspace, out)
    out = out[OF_FACTOR * MAX_FACTOR :]
    for pattern in range(game.spec.num_patterns):
        cells = 0
        for word in range(game.spec.num_words):
            cells += count_bits(game.fits[pattern][word])
        out[OF_PATTERN * pattern] = float32(workspace.patterns[pattern]) * EIGHT
        out[OF_PATTERN * pattern + 1] = float32(cells) * TWENTY
    total = 0
    for tile in range(game.spec.num_types):
        total += outlook.unseen[tile] * game.type_value[tile]
    out[OF_PATTERN * game.spec.num_patterns] = float32(total) * each * EIGHT


@inlined
def unsee_rack(game, outlook):
    """Count the tiles of the own rack as unseen; returns their number."""
    rack, count = game.racks[game.to_play], 0
    for slot in range(game.spec.rack_size):
        if rack[slot] == NO_TILE:
            break
        outlook.unseen[rack[slot]] += 1
        count += 1
    return count


@inlined
def write_levels(outlook, each, out):
    """Write the shares of the unseen tiles whose best square scores at least as many points as each level."""
    points, tiles = MOST_POINTS, 0
    for k in range(len(LEVELS) - 1, -1, -1):
        while points >= LEVELS[k]:
            tiles += outlook.tiles[points]
            points -= 1
        out[k] = float32(tiles) * each


@inlined
def write_kept(game, kept, workspace, out):
    """Write points and values of the tiles kept, from the one that could score most."""
    rack, points, best = game.racks[game.to_play], workspace.outlook.points, workspace.best
    slots = game.spec.rack_size
    for slot in range(kept):
        at = slot
        while at > 0 and points[rack[best[at - 1]]] < points[rack[slot]]:
            best[at] = best[at - 1]
            at -= 1
        best[at] = slot
    for place in range(slots):
        out[place] = out[slots + place] = float32(0.0)
        if place < kept:
            tile = rack[best[place]]
            out[place] = float32(points[tile]) * TWENTY
            out[slots + place] = float32(game.type_value[tile]) * EIGHT


@inlined
def write_cells(game, each, workspace, out):
    """Write for each factor: empty cells, cells that fit unseen tiles, how many, and neighbours of those."""
    outlook, patterns, fitting = workspace.outlook, workspace.patterns, workspace.fitting
    for pattern in range(game.spec.num_patterns):
        patterns[pattern] = 0
    for tile in range(game.spec.num_types):
        patterns[game.type_pattern[tile]] += outlook.unseen[tile]
    for cell in range(game.spec.num_cells):
        fitting[cell] = 0
    for pattern in range(game.spec.num_patterns):
        if patterns[pattern]:
            for word in range(game.spec.num_words):
                cells = game.fits[pattern][word]
                while cells != uint64(0):
                    fitting[64 * word + lowest_bit(cells)] += patterns[pattern]
                    cells &= cells - uint64(1)
    for k in range(OF_FACTOR * MAX_FACTOR):
        out[k] = float32(0.0)
    for cell in range(game.spec.num_cells):
        if game.board[cell]:
            continue
        of_factor = out[OF_FACTOR * (game.factors[cell] - 1) :]
        of_factor[0] += TWENTY
        if fitting[cell]:
            of_factor[1] += TEN
            of_factor[2] += float32(fitting[cell]) * each
        elif is_adjacent(game, cell, fitting):
            of_factor[3] += TEN


@inlined
def is_adjacent(game, cell, fitting):
    """Return whether a tile may be laid on a neighbour of a cell."""
    found = False
    for direction in range(4):
        neighbour = game.neighbours[cell][direction]
        found = found or (neighbour < game.spec.num_cells and fitting[neighbour] > 0)
    return found
