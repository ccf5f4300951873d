"""What a value network is told of a position after a placement, and how that is kept up to date.

All that placements of one decision share is counted once (`prepare`); for each of them only what it changes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import float32, int64

from agents.kernels.layout import BY_COLOUR, LEVELS, NEAR, NEIGHBOURS, OF_HAND, OF_STOP
from agents.kernels.network import (
    count_levels,
    scratch_cells,
    scratch_colours,
    scratch_first,
    scratch_inputs,
    scratch_levels,
    scratch_prospects,
    scratch_second,
    scratch_third,
    weigh_levels,
)
from ingenious_env.kernels.compiling import inlined
from ingenious_env.kernels.intrinsics import clear, copy, count_bits
from ingenious_env.kernels.turns import stop_of
from ingenious_env.tiles import EMPTY

A_FEW = 6.0  # spaces; counters as such multiples are numbers near one


class Room(NamedTuple):
    """What a network needs to work in; inputs by colour and for all, units, and what inputs are counted from.

    Attributes:
        joined: the sums over all colours, and the inputs for all of them together.
        levels: of one colour.
        colours: tiles kept | doubles kept | unseen tiles, by colour.
        places: see `Places`.
        covered: the same after a placement.
    """

    inputs: Any
    first: Any
    second: Any
    joined: Any
    third: Any
    levels: Any
    colours: Any
    places: Any
    covered: Any


class Places(NamedTuple):
    """What empty cells are good for; both are 0, or nothing that counts, where a cell is not empty.

    Attributes:
        open_pairs: at each cell, in how many ways a tile can lie on it and another: how many of the cells
            beside it are empty.
        prospects: by colour and cell, halves in the lines of the colour that are met first from the cell on
            in each direction, at any distance. Those that begin beside it are its points (Rules 4.1).
    """

    open_pairs: Any
    prospects: Any


@inlined
def value_room():
    """What a network needs to work in."""
    return Room(
        scratch_inputs(),
        scratch_first(),
        scratch_second(),
        scratch_inputs(),
        scratch_third(),
        scratch_levels(),
        scratch_colours(),
        Places(scratch_cells(), scratch_prospects()),
        Places(scratch_cells(), scratch_prospects()),
    )


@inlined
def prepare(m, t, s, g, room):
    """What all afterstates of a decision share; returns how many tiles are on the rack.

    Counts what the empty cells are good for, and by colour the tiles on the rack and its doubles, and the
    tiles that the seat to move does not see.
    """
    colours = room.colours
    find_places(m, t, s, g, room.places)
    for k in range(3 * s.num_colours):
        colours[k] = 0
    for tile in range(s.num_types):
        count_tile(t, s, tile, 0, int64(m[g + s.unplaced + tile]), colours)
    mover, count = int64(m[g + s.to_play]), 0
    for seat in range(s.num_players):
        if seat != mover and not s.open_racks:
            continue
        for slot in range(s.rack_size):
            tile = int64(m[g + s.racks + seat * s.rack_size + slot])
            if tile < s.num_types:
                count_tile(t, s, tile, seat == mover, -1, colours)
                count += seat == mover
    return count


@inlined
def count_tile(t, s, tile, kept, unseen, colours):
    """Add to the counts by colour: tiles kept | doubles kept | tiles not seen."""
    low, high = int64(t[s.type_low + tile]), int64(t[s.type_high + tile])
    colours[low] += kept
    colours[2 * s.num_colours + low] += unseen
    if low == high:
        colours[s.num_colours + low] += kept
    else:
        colours[high] += kept
        colours[2 * s.num_colours + high] += unseen


@inlined
def find_places(m, t, s, g, places):
    """Look from each empty cell in all directions."""
    board, size = g + s.board, s.num_colours * s.num_cells
    clear(places.prospects, 0, size + 31)
    clear(places.open_pairs, 0, s.num_cells + 31)
    for cell in range(s.num_cells):
        if m[board + cell] != EMPTY:
            continue
        for direction in range(6):
            ahead = int64(t[s.neighbours + 6 * cell + direction])
            places.open_pairs[cell] += m[board + ahead] == EMPTY
            while m[board + ahead] == EMPTY:
                ahead = int64(t[s.neighbours + 6 * ahead + direction])
            symbol = int64(m[board + ahead])
            if symbol <= s.num_colours:  # and not off the board
                halves = halves_in_line(m, t, s, board, ahead, direction)
                places.prospects[(symbol - 1) * s.num_cells + cell] += halves


@inlined
def halves_in_line(m, t, s, board, cell, direction):
    """How many halves of the colour on a cell lie in a line from it on."""
    symbol, halves = m[board + cell], 0
    while m[board + cell] == symbol:
        halves += 1
        cell = int64(t[s.neighbours + 6 * cell + direction])
    return halves


@inlined
def cover(m, t, s, g, after, cell_1, cell_2, room):
    """What the empty cells are good for when a tile was laid on two of them.

    `g` is the row of the game before, `after` the one with the tile on the board.
    """
    old, new = room.places, room.covered
    copy(new.prospects, 0, old.prospects, 0, s.num_colours * s.num_cells)
    copy(new.open_pairs, 0, old.open_pairs, 0, s.num_cells + 31)
    new.open_pairs[cell_1] = new.open_pairs[cell_2] = 0
    for laid in (cell_1, cell_2):
        for direction in range(6):
            cell = int64(t[s.neighbours + 6 * laid + direction])
            new.open_pairs[cell] -= new.open_pairs[cell] > 0
    come_into_view(m, t, s, g + s.board, cell_1, int64(m[after + s.board + cell_1]), new.prospects)
    come_into_view(m, t, s, after + s.board, cell_2, int64(m[after + s.board + cell_2]), new.prospects)


@inlined
def come_into_view(m, t, s, board, laid, symbol, prospects):
    """Bring prospects up to date with a new half, which cells meet instead of what is behind it.

    . . [new] . x x      the cells on the left met two halves, and now meet the new one alone,
    . . [new] x x .      or all three if these are of one colour; then the cell on the right does, too
    """
    mine = (symbol - 1) * s.num_cells
    for direction in range(6):
        back = direction + 3 if direction < 3 else direction - 3
        behind, distance = int64(t[s.neighbours + 6 * laid + back]), 1
        while m[board + behind] == EMPTY:
            behind = int64(t[s.neighbours + 6 * behind + back])
            distance += 1
        theirs, halves, joined = int64(m[board + behind]), 0, 0
        if theirs <= s.num_colours:
            halves = halves_in_line(m, t, s, board, behind, back)
            if theirs == symbol and distance == 1:
                joined = halves
        cell, in_line = int64(t[s.neighbours + 6 * laid + direction]), False
        while m[board + cell] == symbol:
            cell, in_line = int64(t[s.neighbours + 6 * cell + direction]), True
        while m[board + cell] == EMPTY:
            prospects[mine + cell] += 1 + joined
            if halves > 0 and not in_line:
                prospects[(theirs - 1) * s.num_cells + cell] -= halves
            cell = int64(t[s.neighbours + 6 * cell + direction])


@inlined
def write_levels(inputs, at, levels, number, each):
    """Write how many places there are at each level, as multiples of a number that is not rare."""
    for level in range(number):
        inputs[at + level] = float32(levels[level]) * float32(each)


@inlined
def write_stop(s, inputs, at, counter, levels):
    """Write how far a counter is from where it stops, as what is beyond is lost (Rules 4.3, 4.4).

    `levels` is where the cells are written by the points that they bring it; those that lose none come again.
    """
    left = stop_of(s, counter) - counter
    for spaces in range(1, NEAR + 1):
        inputs[at + spaces - 1] = float32(1.0 if left == spaces else 0.0)
    inputs[at + NEAR] = float32(1.0 if counter >= s.counter_top else 0.0)
    inputs[at + NEAR + 1] = float32(left) * float32(1.0 / A_FEW)
    for level in range(LEVELS):
        inputs[at + OF_STOP + level] = inputs[levels + level] if level < left else float32(0.0)


@inlined
def write_inputs(m, w, s, g, sheet, owed, num_kept, places, room):
    """Write an afterstate for a sheet.

    For each colour:

        own counter | other sheets' in turn order | how far the own is beyond its sheet's lowest, and mean |
        open pairs with an end worth at least 1, …, 8 points, twice if both are | cells of open pairs worth as
        much | open pairs with an end of such prospects | tiles kept with the colour, doubles of it, whether
        there is none | unseen tiles with it | whether the own counter is 1, …, 5 spaces before its stop,
        whether it is at the top of a sheet, how far before its stop | cells of open pairs, again, as far as
        what they are worth does not carry it beyond

    then the counters of each sheet in ascending order, the own first, and last open pairs, unseen tiles,
    tiles kept, placements owed, turns taken, whether it is round one, and empty cells with at least 1, …, 6
    empty cells beside them.
    """
    inputs, levels, colours = room.inputs, room.levels, room.colours
    space, by_colour = float32(1.0 / A_FEW), s.num_sheets + BY_COLOUR
    mine, open_pairs = g + s.scores + sheet * s.num_colours, places.open_pairs
    ascending, unseen, total, lowest = s.num_colours * by_colour, 0, 0, int64(m[mine])
    for colour in range(s.num_colours):
        total += int64(m[mine + colour])
        lowest = min(lowest, int64(m[mine + colour]))
    mean = float32(total) / float32(s.num_colours)
    for colour in range(s.num_colours):
        count, cells_of_it = colour * by_colour, colour * s.num_cells
        for other in range(s.num_sheets):
            owner = sheet + other - (s.num_sheets if sheet + other >= s.num_sheets else 0)
            counter = float32(m[g + s.scores + owner * s.num_colours + colour]) * space
            inputs[count + other] = counter
            at = ascending + other * s.num_colours + colour
            while at > ascending + other * s.num_colours and inputs[at - 1] > counter:
                inputs[at] = inputs[at - 1]
                at -= 1
            inputs[at] = counter
        count += s.num_sheets
        inputs[count] = float32(m[mine + colour] - lowest) * space
        inputs[count + 1] = (float32(m[mine + colour]) - mean) * space
        count += 2
        weigh_levels(m, g + s.points + cells_of_it, open_pairs, s.num_cells, levels)
        write_levels(inputs, count, levels, LEVELS, 0.0625)
        count_levels(m, g + s.points + cells_of_it, open_pairs, s.num_cells, levels)
        write_levels(inputs, count + LEVELS, levels, LEVELS, 0.25)
        weigh_levels(places.prospects, cells_of_it, open_pairs, s.num_cells, levels)
        write_levels(inputs, count + 2 * LEVELS, levels, LEVELS, 0.0625)
        count += 3 * LEVELS
        inputs[count] = float32(colours[colour]) * float32(0.5)
        inputs[count + 1] = float32(colours[s.num_colours + colour])
        inputs[count + 2] = float32(1.0 if colours[colour] == 0 else 0.0)
        inputs[count + 3] = float32(colours[2 * s.num_colours + colour]) * float32(0.05)
        unseen += colours[2 * s.num_colours + colour]
        write_stop(s, inputs, count + OF_HAND, int64(m[mine + colour]), count - 2 * LEVELS)
    number, count = 0, ascending + s.num_sheets * s.num_colours
    for word in range(s.num_words):
        number += count_bits(w[(g >> 3) + s.open_pairs + word])
    inputs[count] = float32(number) * float32(4.0 / s.num_pairs)
    inputs[count + 1] = float32(unseen) * float32(1.0 / s.num_tiles)
    inputs[count + 2] = float32(num_kept) * float32(0.25)
    inputs[count + 3] = float32(owed)
    inputs[count + 4] = float32(m[g + s.turn]) * float32(4.0 / s.num_cells)
    inputs[count + 5] = float32(1.0 if m[g + s.turn] < s.num_players else 0.0)
    count_levels(open_pairs, int64(0), open_pairs, s.num_cells, levels)
    write_levels(inputs, count + 6, levels, NEIGHBOURS, 0.1)
