"""Expectiminimax with memory of two players' positions, both of whose racks are seen, as a loop with a stack.

A node is a position in which a seat has to place a tile or to choose whether to swap, or in which tiles are
to be drawn. Its value is the first seat's expected share of the win: the highest or the lowest value of all
actions, or the mean over the next tile. What cannot change the result is removed before a decision is looked
up in the table, so that many positions become one:

- A cell that no tile can cover any more becomes a wall, and so does a symbol that no half can see any more.
- With one placement left, the other seat's rack, and with two, the bag: nobody draws a tile that is placed.
- A position is decided where one seat's counters, as they are, beat all that the other can still reach.

Letters: N cells, K pairs, C colours, Y tile types (with colour 0, which no tile has), D levels, S places of
the table, G symmetries.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import uint64

from ingenious_agents.search.kernels.exact import (
    CELLS,
    COLOURS,
    DEPTH,
    DONE,
    FULL,
    MAX_COUNT,
    MAX_COUNTER,
    NODES,
    PAIRS,
    RUNNING,
    STATES,
    STATUS,
    TYPES,
    colours_of,
    found_at,
    hide_dead_cells,
    hide_unseen_symbols,
    placements_left,
    type_of,
)
from ingenious_agents.search.kernels.exact_two_moves import (
    CHILD,
    DRAWS,
    FIRST_ROUND,
    IS_FREE,
    KEEP,
    KIND,
    MAX_PLAYS,
    MAX_TOUCHED,
    OPEN,
    OVER,
    PLACE,
    PLAYS,
    SEAT,
    SWAP,
    SWAPPED,
    TOUCHED,
    TURN,
    Board,
    Levels,
    act,
    clear_row,
    copy_level,
    decided,
    is_allowed,
    is_unrestricted,
    result_of,
    tiles_of,
)
from ingenious_env.compiled.kernel import called, inlined, kernel


class Memory(NamedTuple):
    """The table: keys, uint64 [S, 2], zeros where it is free; values, float64 [S]; and `progress`."""

    keys: Any
    values: Any
    progress: Any


# Nodes.


@called
def hashed(board, levels, depth, which, image):
    """One of the two hashes of a decision, as a symmetry of the board maps it."""
    spec, hashes, total = board.spec, board.hashes, uint64(0)
    colours, types = spec[COLOURS], spec[TYPES]
    cell_image, colour_image = board.cell_images[image], board.colour_images[image]
    cells, numbers = levels.boards[depth], levels.numbers[depth]
    for cell in range(spec[CELLS]):
        symbol = cells[cell]
        shown = colour_image[symbol] if symbol <= colours else symbol
        total ^= hashes[which, cell_image[cell] * 8 + shown]
    base = spec[CELLS] * 8
    for seat in range(2):
        for colour in range(1, colours + 1):
            place = base + colour_image[colour] * MAX_COUNTER + levels.counters[depth, seat, colour]
            total ^= hashes[which, place]
        base += (colours + 1) * MAX_COUNTER
    for kind in range(types):
        low, high = colours_of(kind, colours)
        one, other = colour_image[low], colour_image[high]
        place = base + type_of(min(one, other), max(one, other), colours) * MAX_COUNT
        total ^= hashes[which, place + levels.racks[depth, 0, kind]]
        total ^= hashes[which, place + types * MAX_COUNT + levels.racks[depth, 1, kind]]
        total ^= hashes[which, place + 2 * types * MAX_COUNT + levels.bags[depth, kind]]
    base += 3 * types * MAX_COUNT
    total ^= hashes[which, base + 2 * numbers[KIND] + numbers[SEAT]]
    total ^= hashes[which, base + 4 + min(numbers[PLAYS], MAX_PLAYS - 1)]
    base += 4 + MAX_PLAYS
    if numbers[TURN] < FIRST_ROUND:
        touched = board.symbol_images[image, numbers[TOUCHED]]
        total ^= hashes[which, base + MAX_TOUCHED * numbers[TURN] + touched]
    return total


@called
def keyed(board, levels, depth):
    """The key of a decision in the table: in the first round that of the least symmetric image."""
    images = len(board.cell_images) if levels.numbers[depth, TURN] < FIRST_ROUND else 1
    one, two = uint64(0), uint64(0)
    for image in range(images):
        first = hashed(board, levels, depth, 0, image) | uint64(1)
        second = hashed(board, levels, depth, 1, image)
        if image == 0 or first < one or (first == one and second < two):
            one, two = first, second
    return one, two


@inlined
def drawing_seat(numbers):
    """The seat that has to draw a tile in a node; −1 in a decision."""
    if numbers[DRAWS]:
        return 0
    return 1 if numbers[DRAWS + 1] else -1


@called
def begin_node(board, levels, depth, memory):
    """Begin the node of a level. Returns whether its value is known, and the value."""
    spec, numbers = board.spec, levels.numbers[depth]
    seat = numbers[SEAT]
    numbers[CHILD] = -1
    if numbers[KIND] == OVER:
        return True, result_of(board, levels.counters[depth])
    if drawing_seat(numbers) >= 0:
        levels.values[depth] = 0.0
        return False, OPEN
    cells = levels.boards[depth]
    hide_dead_cells(spec, board.neighbours, cells)
    left = placements_left(spec, board.neighbours, cells, board.spare[0], board.spare[1])
    value = decided(board, levels, depth, left)
    if value != OPEN:
        return True, value
    hide_unseen_symbols(spec, board.neighbours, cells)
    if numbers[KIND] == PLACE:
        if left <= 2:
            clear_row(levels.bags[depth])
        if left <= 1:
            clear_row(levels.racks[depth, 1 - seat])
    one, two = keyed(board, levels, depth)
    at = found_at(memory.keys, one, two)
    if memory.keys[at, 0] != 0:
        return True, memory.values[at]
    levels.keys[depth, 0], levels.keys[depth, 1] = one, two
    levels.values[depth] = OPEN
    numbers[IS_FREE] = is_unrestricted(board, levels, depth)
    return False, OPEN


@called
def next_draw(board, levels, depth, seat):
    """Prepare the next tile that a seat may draw; False if all have been tried."""
    numbers, bag = levels.numbers[depth], levels.bags[depth]
    kind = numbers[CHILD] + 1
    while kind < board.spec[TYPES] and bag[kind] == 0:
        kind += 1
    numbers[CHILD] = kind
    if kind == board.spec[TYPES]:
        return False
    copy_level(levels, depth, depth + 1)
    levels.bags[depth + 1, kind] -= 1
    levels.racks[depth + 1, seat, kind] += 1
    levels.numbers[depth + 1, DRAWS + seat] -= 1
    if levels.numbers[depth + 1, DRAWS + seat] == 0:
        for each in range(board.spec[TYPES]):
            levels.bags[depth + 1, each] += levels.asides[depth + 1, each]
            levels.asides[depth + 1, each] = 0
    return True


@called
def next_action(board, levels, depth):
    """Prepare the next action of a decision; False if all have been tried, or no other can be better."""
    spec, numbers = board.spec, levels.numbers[depth]
    seat = numbers[SEAT]
    if levels.values[depth] == 1 - seat:
        return False
    numbers[CHILD] += 1
    if numbers[KIND] == SWAP:
        if numbers[CHILD] == 2:
            return False
        act(board, levels, depth, SWAPPED if numbers[CHILD] else KEEP, 0)
        return True
    placements = 2 * spec[PAIRS]
    while numbers[CHILD] < spec[TYPES] * placements:
        kind, placement = numbers[CHILD] // placements, numbers[CHILD] % placements
        low, high = colours_of(kind, spec[COLOURS])
        if levels.racks[depth, seat, kind] == 0:
            numbers[CHILD] += placements - placement
        elif (low == high and placement % 2) or not is_allowed(board, levels, depth, placement // 2):
            numbers[CHILD] += 1
        else:
            act(board, levels, depth, kind, placement)
            return True
    return False


@inlined
def next_child(board, levels, depth):
    """Prepare the next child of a level's node on the level above; False if there is no other."""
    seat = drawing_seat(levels.numbers[depth])
    if seat >= 0:
        return next_draw(board, levels, depth, seat)
    return next_action(board, levels, depth)


@inlined
def add_value(levels, depth, value):
    """Add the value of the child that is tried to its node."""
    numbers = levels.numbers[depth]
    if drawing_seat(numbers) >= 0:
        levels.values[depth] += levels.bags[depth, numbers[CHILD]] * value
    elif levels.values[depth] == OPEN or (value > levels.values[depth]) != (numbers[SEAT] == 1):
        levels.values[depth] = value


@kernel(
    "void(int64[::1], int16[:, ::1], int16[:, ::1], uint8[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1],"
    " uint64[:, ::1], int64[:, ::1], uint8[:, ::1], int64[:, :, ::1], int64[:, :, ::1], int64[:, ::1],"
    " int64[:, ::1], int64[:, ::1], float64[::1], uint64[:, ::1], uint64[:, ::1], float64[::1], int64[::1],"
    " int64[::1], int64)"
)
def solve(
    spec,
    neighbours,
    pairs,
    touches,
    cell_images,
    colour_images,
    symbol_images,
    hashes,
    spare,
    boards,
    counters,
    racks,
    bags,
    asides,
    numbers,
    values,
    keys,
    table_keys,
    table_values,
    progress,
    action,
    budget,
):
    """Go on with the root, on level 1, until it is solved, or a number of nodes has been tried.

    When it is solved, its value, the first seat's share of the win, is that of level 0.

    Args:
        spec: of a `Board`.
        neighbours: of it.
        pairs: of it.
        touches: of it.
        cell_images: of it.
        colour_images: of it.
        symbol_images: of it.
        hashes: of it.
        spare: of it.
        boards: of `Levels`.
        counters: of them.
        racks: of them.
        bags: of them.
        asides: of them.
        numbers: of them.
        values: of them.
        keys: of them.
        table_keys: of a `Memory`, its keys.
        table_values: of it, its values.
        progress: of it, and as for `solve` of one player.
        action: that leads from the position of level 0 to the root, as for `act`; empty if they are the same.
            It is used at the beginning only, where the depth of the progress is −1.
        budget: of nodes.
    """
    board = Board(spec, neighbours, pairs, touches, cell_images, colour_images, symbol_images, hashes, spare)
    levels = Levels(boards, counters, racks, bags, asides, numbers, values, keys)
    memory = Memory(table_keys, table_values, progress)
    depth, until = progress[DEPTH], progress[NODES] + budget
    progress[STATUS] = RUNNING
    if depth < 0:
        depth = 1
        if len(action):
            act(board, levels, 0, action[0], action[1])
        else:
            copy_level(levels, 0, 1)
    while True:
        if progress[NODES] >= until:
            progress[DEPTH] = depth
            return
        progress[NODES] += 1
        is_known, value = begin_node(board, levels, depth, memory)
        if is_known:
            depth -= 1
            add_value(levels, depth, value)
        is_prepared = False
        while depth > 0 and not is_prepared:
            is_prepared = next_child(board, levels, depth)
            if not is_prepared:
                value = levels.values[depth]
                if drawing_seat(levels.numbers[depth]) >= 0:
                    value /= tiles_of(spec, levels.bags[depth])
                elif not keep(memory, levels.keys[depth], value):
                    progress[DEPTH], progress[STATUS] = -1, FULL
                    return
                depth -= 1
                add_value(levels, depth, value)
        if depth == 0:
            levels.values[0] = value
            progress[DEPTH], progress[STATUS] = -1, DONE
            return
        depth += 1


@inlined
def keep(memory, key, value):
    """Write the value of a node into the table; False if that is full."""
    if memory.progress[STATES] * 10 >= len(memory.keys) * 9:
        return False
    at = found_at(memory.keys, key[0], key[1])
    memory.keys[at, 0], memory.keys[at, 1], memory.values[at] = key[0], key[1], value
    memory.progress[STATES] += 1
    return True
