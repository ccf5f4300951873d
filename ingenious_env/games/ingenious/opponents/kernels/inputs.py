"""The inputs of the value network: an afterstate, the position after a placement, as numbers near one.

Counts that all afterstates of a decision share are made once, by `prepare`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import float32, int64, uint8

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.intrinsics import clear, copy, count_bits
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.vectors import matrix_of, scratch
from ingenious_env.games.ingenious.geometry import MAX_CELLS
from ingenious_env.games.ingenious.kernels.turns import stop_of
from ingenious_env.games.ingenious.opponents.kernels.network import PADDING, count_levels, weigh_levels
from ingenious_env.games.ingenious.opponents.kernels.next_tile import next_workspace, prepare_next, write_next
from ingenious_env.games.ingenious.opponents.kernels.value_layout import (
    BY_COLOUR,
    LEVELS,
    NEAR,
    NEIGHBOURS,
    OF_ALL,
    OF_TILES,
    architecture,
    inputs_of_colour,
)
from ingenious_env.games.ingenious.rules import MAX_PLAYERS
from ingenious_env.games.ingenious.tiles import EMPTY, MAX_COLOURS

MAX_SHEETS = MAX_PLAYERS
MAX_INPUTS = architecture(MAX_SHEETS, MAX_COLOURS, 1).num_inputs
SPACE = 1.0 / 6.0  # of a counter, as an input
WEIGHED, COUNTED, PROSPECTS = 0, LEVELS, 2 * LEVELS  # places of counts of cells among a colour's inputs
TILES, STOP = 3 * LEVELS, 3 * LEVELS + OF_TILES

_inputs = scratch(float32, MAX_INPUTS)
_levels = scratch(int64, LEVELS)
_counts = scratch(int64, MAX_COLOURS)
_cells = scratch(uint8, MAX_CELLS + PADDING)
_colours_and_cells = scratch(uint8, MAX_COLOURS * MAX_CELLS + PADDING)


class Cells(NamedTuple):
    """Features of empty cells; cells that are not empty have no open pairs, and so never count.

    Attributes:
        open_pairs: uint8 [N], the number of empty neighbours of each.
        prospects: uint8 [C, N], the number of halves in the lines of the colour that are met first from the
            cell in each direction, at any distance. Those that begin at a neighbour are its points (RULES.md
            4.1).
    """

    open_pairs: Any
    prospects: Any


class Tiles(NamedTuple):
    """Tiles by colour, each int64 [C]; a tile of two colours counts for both.

    Attributes:
        kept: tiles on the rack of the seat to move.
        doubles: of these, doubles.
        unseen: tiles hidden from it.
    """

    kept: Any
    doubles: Any
    unseen: Any


class InputWorkspace(NamedTuple):
    """Scratch memory for inputs.

    Attributes:
        inputs: float32 [I], the output of `write_inputs`.
        levels: int64 [LEVELS], counts of one kind.
        tiles: of the seat to move.
        cells: before a placement.
        covered: after one.
        sees_next: 1 with inputs on the next tile, 0 without.
        next_tile: a `NextWorkspace`.
    """

    inputs: Any
    levels: Any
    tiles: Any
    cells: Any
    covered: Any
    sees_next: Any
    next_tile: Any


@inlined
def input_workspace(game, sees_next):
    """Scratch memory for inputs of the game's variant, on the stack of the kernel."""
    width = game.spec.num_cells
    return InputWorkspace(
        _inputs(),
        _levels(),
        Tiles(_counts(), _counts(), _counts()),
        Cells(_cells(), matrix_of(_colours_and_cells(), width)),
        Cells(_cells(), matrix_of(_colours_and_cells(), width)),
        sees_next,
        next_workspace(game),
    )


# Counts that all afterstates of a decision share.


@inlined
def prepare(game, workspace):
    """Count the cells and tiles that all afterstates of a decision share; returns the number on the rack."""
    tiles, count = workspace.tiles, 0
    find_cells(game, workspace.cells)
    for colour in range(game.spec.num_colours):
        tiles.kept[colour] = tiles.doubles[colour] = tiles.unseen[colour] = 0
    for tile in range(game.spec.num_types):
        count_tile(game, tile, 0, game.unplaced[tile], tiles)
    for seat in range(game.spec.num_players):
        own = int(seat == game.to_play)
        if own or game.spec.open_racks:
            for slot in range(game.spec.rack_size):
                tile = game.racks[seat][slot]
                if tile != NO_TILE:
                    count_tile(game, tile, own, -1, tiles)
                    count += own
    if workspace.sees_next:
        prepare_next(game, workspace.next_tile)
    return count


@inlined
def count_tile(game, tile, kept, unseen, tiles):
    """Add to the counts of a tile: of kept and of unseen tiles."""
    low, high = game.type_low[tile], game.type_high[tile]
    tiles.kept[low] += kept
    tiles.unseen[low] += unseen
    if low == high:
        tiles.doubles[low] += kept
    else:
        tiles.kept[high] += kept
        tiles.unseen[high] += unseen


@inlined
def find_cells(game, cells):
    """Look from each empty cell in all directions."""
    clear(cells.prospects[0], game.spec.num_colours * game.spec.num_cells + PADDING)
    clear(cells.open_pairs, game.spec.num_cells + PADDING)
    for cell in range(game.spec.num_cells):
        if game.board[cell] != EMPTY:
            continue
        for direction in range(6):
            ahead = game.neighbours[cell][direction]
            cells.open_pairs[cell] += int(game.board[ahead] == EMPTY)
            while game.board[ahead] == EMPTY:
                ahead = game.neighbours[ahead][direction]
            symbol = game.board[ahead]
            if symbol > EMPTY:  # and not off the board
                cells.prospects[symbol - 1][cell] += halves_in_line(game, ahead, direction)


@inlined
def halves_in_line(game, cell, direction):
    """The number of halves of the colour on a cell that lie in a line from it on."""
    symbol, halves = game.board[cell], 0
    while game.board[cell] == symbol:
        halves += 1
        cell = game.neighbours[cell][direction]
    return halves


# Changes by a placement.


@inlined
def cover(game, after, cell_1, cell_2, workspace):
    """Write the features of the cells with a tile on two of them.

    `game` is the position before the placement, `after` the one after it.
    """
    old, new = workspace.cells, workspace.covered
    copy(new.prospects[0], old.prospects[0], game.spec.num_colours * game.spec.num_cells)
    copy(new.open_pairs, old.open_pairs, game.spec.num_cells + PADDING)
    new.open_pairs[cell_1] = new.open_pairs[cell_2] = 0
    for cell in (cell_1, cell_2):
        for direction in range(6):
            neighbour = game.neighbours[cell][direction]
            new.open_pairs[neighbour] -= int(new.open_pairs[neighbour] > 0)
    update_prospects(game, cell_1, after.board[cell_1], new.prospects)
    update_prospects(after, cell_2, after.board[cell_2], new.prospects)


@inlined
def update_prospects(game, laid, symbol, prospects):
    """Update prospects with a new half, which hides cells behind it.

        . . [new] . x x      the cells on the left met two halves, and now meet only the new one,
        . . [new] x x .      or all three if these are of one colour; then the cell on the right does, too

    Whether the half already lies on the board of `game` makes no difference.
    """
    for direction in range(6):
        back = direction + 3 if direction < 3 else direction - 3
        behind, distance = game.neighbours[laid][back], 1
        while game.board[behind] == EMPTY:
            behind = game.neighbours[behind][back]
            distance += 1
        colour_behind, halves, joined = game.board[behind], 0, 0
        if colour_behind > EMPTY:
            halves = halves_in_line(game, behind, back)
            if colour_behind == symbol and distance == 1:
                joined = halves
        cell, in_line = game.neighbours[laid][direction], False
        while game.board[cell] == symbol:
            cell, in_line = game.neighbours[cell][direction], True
        while game.board[cell] == EMPTY:
            prospects[symbol - 1][cell] += 1 + joined
            if halves > 0 and not in_line:
                prospects[colour_behind - 1][cell] -= halves
            cell = game.neighbours[cell][direction]


# Writing the inputs.


@inlined
def write_inputs(game, sheet, owed, num_kept, cells, workspace):
    """Write an afterstate for a sheet.

    For each colour:

        own counter | those of the other sheets in turn order | the own one's lead over its sheet's lowest,
        and mean | open pairs with an end worth at least 1, …, 8 points, twice if both are | cells of open
        pairs worth as much | open pairs with an end of such prospects | tiles kept with the colour, doubles
        of it, whether there is none | unseen tiles with it | whether the own counter is 1, …, 5 spaces
        before its stop, whether it is at the top of a sheet, its distance from the stop | cells of open
        pairs, again, up to the points that this leaves room for

    then the counters of each sheet in ascending order, the own first, and last open pairs, unseen tiles,
    tiles kept, placements owed, turns taken, whether it is the first round, and empty cells with at least
    1, …, 6 empty neighbours. Inputs on the next tile follow on those of each colour, and on those of all (see
    `write_next`).
    """
    colours, sheets, sees_next = game.spec.num_colours, game.spec.num_sheets, workspace.sees_next
    by_colour = inputs_of_colour(sheets, sees_next)
    inputs, own = workspace.inputs, game.scores[sheet]
    total, lowest, unseen = 0, own[0], 0
    for colour in range(colours):
        total += own[colour]
        lowest = min(lowest, own[colour])
    mean = float32(total) / float32(colours)
    for colour in range(colours):
        out = inputs[colour * by_colour :]
        write_counters(game, sheet, colour, out, inputs[colours * by_colour :])
        out[sheets] = float32(own[colour] - lowest) * float32(SPACE)
        out[sheets + 1] = (float32(own[colour]) - mean) * float32(SPACE)
        write_colour(game, colour, own[colour], cells, workspace, out[sheets + 2 :])
        unseen += workspace.tiles.unseen[colour]
    rest = inputs[colours * by_colour + sheets * colours :]
    write_rest(game, unseen, num_kept, owed, cells, workspace.levels, rest)
    if sees_next:
        first = inputs[sheets + BY_COLOUR :]
        write_next(game, sheet, cells.open_pairs, by_colour, workspace.next_tile, first, rest[OF_ALL:])


@inlined
def write_counters(game, sheet, colour, out, sorted_out):
    """Write all sheets' counters of a colour, the own first; insert each into its sheet's sorted ones."""
    sheets = game.spec.num_sheets
    for other in range(sheets):
        owner = sheet + other - (sheets if sheet + other >= sheets else 0)
        counter = float32(game.scores[owner][colour]) * float32(SPACE)
        out[other] = counter
        ascending, at = sorted_out[other * game.spec.num_colours :], colour
        while at > 0 and ascending[at - 1] > counter:
            ascending[at] = ascending[at - 1]
            at -= 1
        ascending[at] = counter


@inlined
def write_colour(game, colour, counter, cells, workspace, out):
    """Write the inputs of a colour from cells, tiles and the counter's stop."""
    levels, tiles, width = workspace.levels, workspace.tiles, game.spec.num_cells
    weigh_levels(game.points[colour], cells.open_pairs, width, levels)
    write_levels(out[WEIGHED:], levels, LEVELS, 0.0625)
    count_levels(game.points[colour], cells.open_pairs, width, levels)
    write_levels(out[COUNTED:], levels, LEVELS, 0.25)
    weigh_levels(cells.prospects[colour], cells.open_pairs, width, levels)
    write_levels(out[PROSPECTS:], levels, LEVELS, 0.0625)
    out[TILES] = float32(tiles.kept[colour]) * float32(0.5)
    out[TILES + 1] = float32(tiles.doubles[colour])
    out[TILES + 2] = float32(1.0 if tiles.kept[colour] == 0 else 0.0)
    out[TILES + 3] = float32(tiles.unseen[colour]) * float32(0.05)
    write_stop(game, counter, out[COUNTED:], out[STOP:])


@inlined
def write_levels(out, levels, number, unit):
    """Write counts by level as multiples of a unit, so that they are near one."""
    for level in range(number):
        out[level] = float32(levels[level]) * float32(unit)


@inlined
def write_stop(game, counter, counted, out):
    """Write how far a counter is from its last space, as points beyond are lost (RULES.md 4.3, 4.4).

    `counted` are the cells by the points that they score; those that lose none are repeated.
    """
    left = stop_of(game, counter) - counter
    for spaces in range(1, NEAR + 1):
        out[spaces - 1] = float32(1.0 if left == spaces else 0.0)
    out[NEAR] = float32(1.0 if counter >= game.spec.counter_top else 0.0)
    out[NEAR + 1] = float32(left) * float32(SPACE)
    for level in range(LEVELS):
        out[NEAR + 2 + level] = counted[level] if level < left else float32(0.0)


@inlined
def write_rest(game, unseen, num_kept, owed, cells, levels, out):
    """Write the inputs for all colours together, except the sorted counters."""
    open_pairs = 0
    for word in range(game.spec.num_words):
        open_pairs += count_bits(game.open_pairs[word])
    out[0] = float32(open_pairs) * float32(4.0 / game.spec.num_pairs)
    out[1] = float32(unseen) * float32(1.0 / game.spec.num_tiles)
    out[2] = float32(num_kept) * float32(0.25)
    out[3] = float32(owed)
    out[4] = float32(game.turn) * float32(4.0 / game.spec.num_cells)
    out[5] = float32(1.0 if game.turn < game.spec.num_players else 0.0)
    count_levels(cells.open_pairs, cells.open_pairs, game.spec.num_cells, levels)
    write_levels(out[6:], levels, NEIGHBOURS, 0.1)
