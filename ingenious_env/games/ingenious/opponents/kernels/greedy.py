"""The compiled greedy policy: the placement that adds most to the value of the own counters."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import float64, int16, uint64

from ingenious_env.compiled.actions import flat_placement
from ingenious_env.compiled.intrinsics import count_bits
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.rng import GOLDEN, mix, scale
from ingenious_env.compiled.vectors import matrix_of, scratch
from ingenious_env.games.ingenious.geometry import MAX_CELLS, MAX_PAIRS
from ingenious_env.games.ingenious.kernels.legality import legal_pairs, slot_weight
from ingenious_env.games.ingenious.kernels.turns import own_sheet, stop_of
from ingenious_env.games.ingenious.rules import MAX_POINTS, MAX_RACK
from ingenious_env.games.ingenious.tiles import EMPTY, MAX_COLOURS

VALUES = "float64[::1]"
STRIDE = MAX_POINTS + 2  # from one colour's points to the next

_words = scratch(uint64, MAX_PAIRS // 64 + 1)
_pairs = scratch(int16, MAX_PAIRS + 1)  # one more than there can be, as scratch
_tiles = scratch(int16, 3 * MAX_RACK)
_worth = scratch(float64, MAX_COLOURS * STRIDE)
_cell_values = scratch(float64, MAX_CELLS)
_pair_values = scratch(float64, MAX_PAIRS)

SLOT, LOW, HIGH = 0, 1, 2


class GreedyWorkspace(NamedTuple):
    """Scratch memory of the greedy policy.

    Attributes:
        legal: uint64 [W], bit k: a tile may be placed on pair k.
        pairs: int16 [K], the pairs under consideration.
        tiles: int16 [R, 3], the tiles that may be placed: slot, low colour, high colour.
        worth: float64 [C, points], what points add to the value of a colour's counter.
        cell_bounds: float64 [N], the most that half a tile of the rack can add there.
        pair_bounds: float64 [K], the same for a tile.
    """

    legal: Any
    pairs: Any
    tiles: Any
    worth: Any
    cell_bounds: Any
    pair_bounds: Any


@inlined
def greedy_workspace():
    """Scratch memory of the greedy policy, on the stack of the kernel."""
    return GreedyWorkspace(
        _words(),
        _pairs(),
        matrix_of(_tiles(), 3),
        matrix_of(_worth(), STRIDE),
        _cell_values(),
        _pair_values(),
    )


@inlined
def list_pairs(game, legal, pairs):
    """Write the legal pairs one after the other; returns their number."""
    count = 0
    for word in range(game.spec.num_words):
        bits = legal[word]
        while bits:
            pairs[count] = 64 * word + count_bits(~bits & (bits - uint64(1)))
            bits &= bits - uint64(1)
            count += 1
    return count


@inlined
def list_tiles(game, tiles):
    """Write the tiles of the rack, or the one held, that may be placed; returns their number."""
    held, count = game.held, 0
    low, high = (held - 1, held) if held else (0, game.spec.rack_size)
    rack = game.racks[game.to_play]
    for slot in range(low, high):
        if slot_weight(game, slot) > 0:
            tile = tiles[count]
            tile[SLOT], tile[LOW], tile[HIGH] = slot, game.type_low[rack[slot]], game.type_high[rack[slot]]
            count += 1
    return count


@inlined
def write_worth(game, sheet, colour, values, worth):
    """Write what points add to the value of a colour's counter; none beyond its last space (RULES.md 4.3)."""
    old = sheet[colour]
    room = stop_of(game, old) - old
    of_colour, count = worth[colour], game.spec.max_points + 1
    for points in range(min(room, count)):
        of_colour[points] = values[old + points] - values[old]
    for points in range(room, count):
        of_colour[points] = values[old + room] - values[old]


@inlined
def write_cell_bounds(game, sheet, num_tiles, values, workspace):
    """Write the most that half a tile of any of the tiles adds to the value of the counters, cell by cell."""
    tiles, bounds, empty = workspace.tiles, workspace.cell_bounds, workspace.pairs  # not yet in use
    colours = 0
    for k in range(num_tiles):
        colours |= 1 << tiles[k][LOW] | 1 << tiles[k][HIGH]
    num_empty = 0
    for cell in range(game.spec.num_cells):
        bounds[cell] = 0.0
        empty[num_empty] = cell
        num_empty += int(game.board[cell] == EMPTY)
    for colour in range(game.spec.num_colours):
        if (colours >> colour) & 1:
            write_worth(game, sheet, colour, values, workspace.worth)
            points, worth = game.points[colour], workspace.worth[colour]
            for k in range(num_empty):
                cell = empty[k]
                bounds[cell] = max(bounds[cell], worth[points[cell]])


@inlined
def greedy_placement(game, values, random, workspace):
    """The flat placement that adds most to the value of the counters; ties are broken at random.

    `values` has one for each space of a counter, concave and rising; `random` is a word. First each pair gets
    an upper bound, from the most that its two cells can add; then only the pairs whose bound reaches the gain
    of the pair with the highest bound are evaluated.
    """
    pairs, tiles, bound_of = workspace.pairs, workspace.tiles, workspace.pair_bounds
    sheet = own_sheet(game)
    num_tiles = list_tiles(game, tiles)
    write_cell_bounds(game, sheet, num_tiles, values, workspace)
    legal_pairs(game, workspace.legal)
    num_pairs = list_pairs(game, workspace.legal, pairs)
    first, highest = 0, -1.0
    for k in range(num_pairs):
        cells = game.pair_cells[pairs[k]]
        bound = workspace.cell_bounds[cells[0]] + workspace.cell_bounds[cells[1]]
        bound_of[k] = bound
        first = k if bound > highest else first
        highest = max(bound, highest)
    value = best_on_pair(game, sheet, values, workspace, num_tiles, pairs[first])
    left = 0
    for k in range(num_pairs):
        pairs[left] = pairs[k]
        left += int(bound_of[k] >= value)
    best, best_value, equals = -1, -1.0, 0
    for k in range(left):
        pair = pairs[k]
        for j in range(num_tiles):
            forward, backward = both_ways(game, sheet, values, workspace.worth, tiles[j], pair)
            if max(forward, backward) < best_value:
                continue
            for turned in range(2):
                value = backward if turned else forward
                if value >= best_value:
                    equals = equals + 1 if value == best_value else 1
                    best_value = value
                    random = mix(random + GOLDEN)
                    if scale(random, equals) == 0:
                        best = flat_placement(game, tiles[j][SLOT], turned * game.spec.num_pairs + pair)
    return best


@inlined
def both_ways(game, sheet, values, worth, tile, pair):
    """The value that a tile adds on a pair in both orientations; a double only has the first."""
    low, high = tile[LOW], tile[HIGH]
    cell_1, cell_2 = game.pair_cells[pair][0], game.pair_cells[pair][1]
    of_low, of_high = game.points[low], game.points[high]
    if low == high:
        return gain_in_value(game, sheet, low, values, of_low[cell_1] + of_low[cell_2]), -2.0
    low_worth, high_worth = worth[low], worth[high]
    forward = low_worth[of_low[cell_1]] + high_worth[of_high[cell_2]]
    backward = high_worth[of_high[cell_1]] + low_worth[of_low[cell_2]]
    return forward, backward


@inlined
def gain_in_value(game, sheet, colour, values, points):
    """The value that points add to a counter (RULES.md 4.3, 4.4)."""
    old = sheet[colour]
    return values[min(old + points, stop_of(game, old))] - values[old]


@inlined
def best_on_pair(game, sheet, values, workspace, num_tiles, pair):
    """The most that any of the tiles adds on a pair."""
    value = -1.0
    for j in range(num_tiles):
        forward, backward = both_ways(game, sheet, values, workspace.worth, workspace.tiles[j], pair)
        value = max(value, forward, backward)
    return value
