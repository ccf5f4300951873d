"""Inputs of the value network on the next tile: where each tile would add most, and what is left then.

Histograms by colour cannot tell whether the best cells of two colours are one cell, neighbours, or far apart.
Here cells are bits of words, one set for each colour and number of points; a tile of colours a and b fits on
cells worth m to a and n to b if and only if

    beside[a, m] & reached[b, n]  is not empty:     the neighbours of a's cells, and b's cells
"""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

from numba import float32, float64, int64, uint64

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.bitsets import lowest_bit
from ingenious_env.compiled.intrinsics import count_bits
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.vectors import matrix_of, scratch
from ingenious_env.games.ingenious.geometry import MAX_CELLS
from ingenious_env.games.ingenious.kernels.turns import stop_of
from ingenious_env.games.ingenious.opponents.kernels.value_layout import LEVELS, NEXT_BY_COLOUR
from ingenious_env.games.ingenious.tiles import EMPTY, MAX_COLOURS, tile_types

SETS = LEVELS + 1  # of cells by colour: worth at least 0, 1, …, 8 points
MAX_WORDS = -(-MAX_CELLS // 64)
MAX_SPACES = 128
STEEP, GENTLE = exp(-0.5), exp(-0.2)  # ratios of the worth of a space to that of the one before
TIE = 1e-9  # gains that differ by less are equal but for rounding

_cells = scratch(uint64, MAX_CELLS * MAX_WORDS)
_sets = scratch(uint64, MAX_COLOURS * SETS * MAX_WORDS)
_set = scratch(uint64, MAX_WORDS)
_tiles = scratch(int64, len(tile_types(MAX_COLOURS)))
_counts = scratch(int64, MAX_COLOURS)
_spaces = scratch(float64, MAX_SPACES)


class NextWorkspace(NamedTuple):
    """Scratch memory for these inputs. Letters: N cells, C colours, W words of a set of cells.

    Attributes:
        around: uint64 [N, W], the neighbours of each cell.
        reached: uint64 [C * SETS, W], cells by colour and points, from which a pair is open.
        beside: uint64 [C * SETS, W], their neighbours.
        empty: uint64 [W], the empty cells.
        rest: uint64 [W], of these, cells of components that are not counted yet.
        grown: uint64 [W], the component that is counted.
        unseen: int64 [Y], hidden tiles by type.
        best: int64 [C], the highest number of points of a cell.
        second: int64 [C], that of another cell.
        steep: float64, the powers of `STEEP`.
        gentle: float64, the powers of `GENTLE`.
    """

    around: Any
    reached: Any
    beside: Any
    empty: Any
    rest: Any
    grown: Any
    unseen: Any
    best: Any
    second: Any
    steep: Any
    gentle: Any


@inlined
def num_words(game):
    """The number of words of a set of cells."""
    return (game.spec.num_cells + 63) // 64


@inlined
def next_workspace(game):
    """Scratch memory for the game's variant, on the stack of the kernel."""
    words = num_words(game)
    return NextWorkspace(
        matrix_of(_cells(), words),
        matrix_of(_sets(), words),
        matrix_of(_sets(), words),
        _set(),
        _set(),
        _set(),
        _tiles(),
        _counts(),
        _counts(),
        _spaces(),
        _spaces(),
    )


@inlined
def add_cell(cells, cell):
    """Add a cell to a set."""
    cells[cell >> 6] |= uint64(1) << uint64(cell & 63)


@inlined
def meet(game, cells, others):
    """Return whether two sets have a cell in common."""
    common = uint64(0)
    for word in range(num_words(game)):
        common |= cells[word] & others[word]
    return common != uint64(0)


# What all afterstates of a decision share.


@inlined
def prepare_next(game, tables):
    """Count the tiles hidden from the seat to move, and make tables.

    A placement takes a tile from the rack, so it leaves the hidden ones as they are.
    """
    words = num_words(game)
    for tile in range(game.spec.num_types):
        tables.unseen[tile] = game.unplaced[tile]
    for slot in range(game.spec.rack_size):
        tile = game.racks[game.to_play][slot]
        if tile != NO_TILE:
            tables.unseen[tile] -= 1
    for cell in range(game.spec.num_cells):
        for word in range(words):
            tables.around[cell][word] = uint64(0)
        for direction in range(6):
            neighbour = game.neighbours[cell][direction]
            if neighbour < game.spec.num_cells:
                add_cell(tables.around[cell], neighbour)
    tables.steep[0] = tables.gentle[0] = 1.0
    for spaces in range(1, MAX_SPACES):
        tables.steep[spaces] = tables.steep[spaces - 1] * STEEP
        tables.gentle[spaces] = tables.gentle[spaces - 1] * GENTLE


# Sets of cells after a placement.


@inlined
def find_sets(game, open_pairs, tables):
    """Fill the sets of cells, and the points of the best two cells of each colour."""
    words = num_words(game)
    for word in range(words):
        tables.empty[word] = uint64(0)
        for place in range(game.spec.num_colours * SETS):
            tables.reached[place][word] = tables.beside[place][word] = uint64(0)
    for colour in range(game.spec.num_colours):
        tables.best[colour] = tables.second[colour] = 0
    for cell in range(game.spec.num_cells):
        if game.board[cell] == EMPTY:
            add_cell(tables.empty, cell)
            if open_pairs[cell] > 0:
                add_to_sets(game, cell, tables)
    for colour in range(game.spec.num_colours):
        # A cell worth more is worth less, too: sets and their neighbours from the highest level down.
        for level in range(LEVELS - 1, -1, -1):
            here = colour * SETS + level
            for word in range(words):
                tables.reached[here][word] |= tables.reached[here + 1][word]
                tables.beside[here][word] |= tables.beside[here + 1][word]


@inlined
def add_to_sets(game, cell, tables):
    """Add a cell and its neighbours to the set of each colour for its points."""
    for colour in range(game.spec.num_colours):
        points = game.points[colour][cell]
        if points > tables.best[colour]:
            tables.second[colour], tables.best[colour] = tables.best[colour], points
        elif points > tables.second[colour]:
            tables.second[colour] = points
        place = colour * SETS + min(points, LEVELS)
        add_cell(tables.reached[place], cell)
        for word in range(num_words(game)):
            tables.beside[place][word] |= tables.around[cell][word]


# Writing the inputs.


@inlined
def write_next(game, sheet, open_pairs, by_colour, tables, inputs, together):
    """Write the inputs of an afterstate for the sheet of solitaire.

    For each colour, `inputs` at every `by_colour`th place:

        its mean gain by the next tile if each tile is laid where it adds most | the same for its double |
        points of the best cell | of the second | cells worth a point less than the best or more, and 2 at
        least, which another colour wants as much | all of these | points of the best neighbouring pair |
        neighbouring pairs worth 2 and more at both ends | the first, times the placements left

    then, at `together`, for all colours:

        the expected worth of the next tile, by a steep and by a gentle worth of spaces | placements left |
        components of empty cells of odd size, single cells, and all | the first two times the placements left
    """
    colours, own = game.spec.num_colours, game.scores[sheet]
    find_sets(game, open_pairs, tables)
    left = write_components(game, tables, together[2:])
    for colour in range(colours):
        out = inputs[colour * by_colour :]
        for k in range(NEXT_BY_COLOUR):
            out[k] = float32(0.0)
    total, lowest = 0, own[0]
    for tile in range(game.spec.num_types):
        total += tables.unseen[tile]
    for colour in range(colours):
        lowest = min(lowest, own[colour])
    steep = gentle = 0.0
    for tile in range(game.spec.num_types):
        number = tables.unseen[tile]
        if number > 0:
            share = float64(number) / float64(total)
            one, other = add_tile_gains(game, own, lowest, tile, share, by_colour, tables, inputs)
            steep += share * one
            gentle += share * other
    for colour in range(colours):
        out = inputs[colour * by_colour :]
        write_cells(game, colour, tables, out)
        out[8] = out[0] * float32(left) * float32(0.1)
    together[0], together[1] = float32(steep), float32(gentle)
    together[6] = float32(steep * left * 0.1)
    together[7] = float32(gentle * left * 0.1)


@inlined
def worth(own, lowest, colour, spaces, powers):
    """The worth of some spaces of a counter; the first one of the lowest counter is worth 1 − the power."""
    return powers[own[colour] - lowest] * (1.0 - powers[spaces])


@inlined
def add_tile_gains(game, own, lowest, tile, share, by_colour, tables, inputs):
    """Add what a tile brings where it adds most, times its share; returns its worth, steep and gentle.

    Of the corners of this stair, points m of one half against n of the other, one is the best:

        n │ ──┐
          │   └──┐       all cells below it can be had; equally good corners count by their mean, since the
          │      └──     exchange of two colours must not matter
          └────────── m
    """
    low, high = game.type_low[tile], game.type_high[tile]
    first, second = low * SETS, high * SETS
    room_low = min(stop_of(game, own[low]) - own[low], LEVELS)
    room_high = min(stop_of(game, own[high]) - own[high], LEVELS)
    is_double = low == high
    if is_double:
        room_low = room_high = LEVELS
    highest, best, best_gentle, ties, sum_low, sum_high = -1, -1.0, 0.0, 0.0, 0.0, 0.0
    for points in range(room_low, -1, -1):
        reach = highest
        while reach < room_high and meet(
            game, tables.beside[first + points], tables.reached[second + reach + 1]
        ):
            reach += 1
        if reach == highest:
            continue
        highest = reach
        if is_double:
            spaces = min(points + reach, stop_of(game, own[low]) - own[low])
            gain_low, gain_high = float64(spaces), 0.0
            steep = worth(own, lowest, low, spaces, tables.steep)
            gentle = worth(own, lowest, low, spaces, tables.gentle)
        else:
            gain_low, gain_high = float64(points), float64(reach)
            steep = worth(own, lowest, low, points, tables.steep) + worth(
                own, lowest, high, reach, tables.steep
            )
            gentle = worth(own, lowest, low, points, tables.gentle) + worth(
                own, lowest, high, reach, tables.gentle
            )
        best_gentle = max(best_gentle, gentle)
        if steep > best + TIE:
            best, ties, sum_low, sum_high = steep, 0.0, 0.0, 0.0
        if steep > best - TIE:
            ties += 1.0
            sum_low += gain_low
            sum_high += gain_high
    if ties == 0.0:
        return 0.0, 0.0
    inputs[low * by_colour] += float32(share * sum_low / ties)
    if is_double:
        inputs[low * by_colour + 1] = float32(sum_low / ties * 0.125)
    else:
        inputs[high * by_colour] += float32(share * sum_high / ties)
    return best, best_gentle


@inlined
def write_cells(game, colour, tables, out):
    """Write the inputs on the best cells of a colour, and on pairs of them."""
    sets, best = colour * SETS, min(tables.best[colour], LEVELS)
    least = max(2, best - 1)
    wanted = good = 0
    for level in range(least, best + 1):
        for word in range(num_words(game)):
            cells = tables.reached[sets + level][word]
            if level < LEVELS:
                cells &= ~tables.reached[sets + level + 1][word]
            others = uint64(0)
            for other in range(game.spec.num_colours):
                if other != colour:
                    others |= tables.reached[other * SETS + level][word]
            good += count_bits(cells)
            wanted += count_bits(cells & others)
    out[2] = float32(tables.best[colour]) * float32(1.0 / 6.0)
    out[3] = float32(tables.second[colour]) * float32(1.0 / 6.0)
    out[4] = float32(wanted) * float32(0.2)
    out[5] = float32(good) * float32(0.2)
    out[6] = float32(best_pair(game, sets, best, tables)) * float32(0.125)
    out[7] = float32(count_pairs(game, tables.reached[sets + 2], tables)) * float32(0.2)


@inlined
def best_pair(game, sets, best, tables):
    """The most points of two neighbouring cells for a colour."""
    most, reach = 0, 0
    for points in range(best, -1, -1):
        while reach < best and meet(game, tables.beside[sets + points], tables.reached[sets + reach + 1]):
            reach += 1
        if meet(game, tables.beside[sets + points], tables.reached[sets + reach]):
            most = max(most, points + reach)
    return most


@inlined
def count_pairs(game, cells, tables):
    """The number of neighbouring pairs in a set of cells."""
    ends = 0
    for word in range(num_words(game)):
        left = cells[word]
        while left != uint64(0):
            cell = 64 * word + lowest_bit(left)
            left &= left - uint64(1)
            for other in range(num_words(game)):
                ends += count_bits(tables.around[cell][other] & cells[other])
    return ends // 2


@inlined
def write_components(game, tables, out):
    """Write the inputs on components of empty cells; returns how many tiles still fit, at most."""
    words = num_words(game)
    left = odd = single = components = 0
    for word in range(words):
        tables.rest[word] = tables.empty[word]
    for word in range(words):
        while tables.rest[word] != uint64(0):
            size = take_component(game, 64 * word + lowest_bit(tables.rest[word]), tables)
            left += size >> 1
            odd += size & 1
            single += int64(size == 1)
            components += 1
    out[0] = float32(left) * float32(0.1)
    out[1] = float32(odd) * float32(0.2)
    out[2] = float32(single) * float32(0.2)
    out[3] = float32(components) * float32(0.2)
    return left


@inlined
def take_component(game, cell, tables):
    """Take the component of a cell from the `rest`; returns its size."""
    words, size = num_words(game), 0
    for word in range(words):
        tables.grown[word] = uint64(0)
    add_cell(tables.grown, cell)
    growing = True
    while growing:
        growing = False
        for word in range(words):
            fresh = tables.grown[word] & tables.rest[word]
            while fresh != uint64(0):
                here = 64 * word + lowest_bit(fresh)
                fresh &= fresh - uint64(1)
                tables.rest[here >> 6] &= ~(uint64(1) << uint64(here & 63))
                size += 1
                growing = True
                for other in range(words):
                    tables.grown[other] |= tables.around[here][other]
    return size
