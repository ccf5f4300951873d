"""Expectiminimax with memory of two players' positions, both of whose racks are seen, as a loop with a stack.

A node is a position in which a seat has to place a tile or to choose whether to swap, or in which tiles are
to be drawn. Its value is the first seat's expected share of the win: the highest or the lowest value of all
actions, or the mean over the next tile. What cannot change the result is removed before a decision is looked
up in the table, so that many positions become one:

- A cell that no tile can cover any more becomes a wall, and so does a symbol that no half can see any more.
- With one placement left, the other seat's rack, and with two, the bag: nobody draws a tile that is placed.
- A position is decided where one seat's counters, as they are, beat all that the other can still reach.

Letters: N cells, K pairs, C colours, Y tile types (with colour 0, which no tile has), D levels, S places of
the table, G symmetries. A level is a node on the way from the root; its arrays are rows of the `Levels`.
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
    LAST,
    MAX_COUNT,
    MAX_COUNTER,
    NODES,
    PAIRS,
    RUNNING,
    STATES,
    STATUS,
    TOP,
    TYPES,
    colours_of,
    found_at,
    hide_dead_cells,
    hide_unseen_symbols,
    place_tile,
    placements_left,
    type_of,
    upper_bound,
)
from ingenious_env.compiled.kernel import called, inlined, kernel

RACK = 6
"""The entry of the spec after those of one player: tiles on a full rack."""
KIND, SEAT, PLAYS, TURN, TOUCHED, DRAWS = 0, 1, 2, 3, 4, 5
CHILD, IS_FREE = 7, 8
NUMBERS = 9
PLACE, SWAP, OVER = 0, 1, 2
KEEP, SWAPPED = -1, -2
"""Actions that are no placements: those of the choice to swap."""
FIRST_ROUND = 2
"""Turns whose first tile must touch a start symbol (RULES.md 3.2); later ones are all the same."""
MAX_PLAYS, MAX_TOUCHED = 32, 64
OPEN = -1.0
"""In place of a value that is not known."""


class Levels(NamedTuple):
    """The levels, [D, …].

    Attributes:
        boards: uint8 [D, N + 1], 0 empty, colours from 1, `WALL`.
        counters: int64 [D, 2, C + 1], by seat and colour; entry 0 is unused.
        racks: int64 [D, 2, Y], tiles of each type.
        bags: int64 [D, Y].
        asides: int64 [D, Y], a rack that was given up, until another one is drawn.
        numbers: int64 [D, 9]: the kind of node, the seat to move, the placements owed, the turn (0, 1, or
            `FIRST_ROUND`), start symbols touched, the tiles that each seat has to draw before, the child that
            is tried, and whether a tile may lie anywhere.
        values: float64 [D], the best value so far, or the sum of those of the tiles before.
        keys: uint64 [D, 2], the hash of the node.
    """

    boards: Any
    counters: Any
    racks: Any
    bags: Any
    asides: Any
    numbers: Any
    values: Any
    keys: Any


class Board(NamedTuple):
    """The variant.

    Attributes:
        spec: `CELLS` to `RACK`.
        neighbours: int16 [N + 1, 6].
        pairs: int16 [K, 2].
        touches: uint8 [K].
        cell_images: int64 [G, N + 1], cells by symmetries of the board with its symbols.
        colour_images: int64 [G, C + 1], colours by the same.
        symbol_images: int64 [G, 64], sets of symbols by the same.
        hashes: uint64 [2, …], random.
        spare: int64 [4, N + Y + 1], workspace.
    """

    spec: Any
    neighbours: Any
    pairs: Any
    touches: Any
    cell_images: Any
    colour_images: Any
    symbol_images: Any
    hashes: Any
    spare: Any


class Memory(NamedTuple):
    """The table: keys, uint64 [S, 2], zeros where it is free; values, float64 [S]; and `progress`."""

    keys: Any
    values: Any
    progress: Any


# Results and bounds.


@called
def sort_counters(colours, counters, place):
    """Write counters, [C + 1], in ascending order."""
    for colour in range(1, colours + 1):
        at = colour - 1
        while at > 0 and place[at - 1] > counters[colour]:
            place[at] = place[at - 1]
            at -= 1
        place[at] = counters[colour]


@called
def compared(colours, one, other, sorted_one, sorted_other):
    """1 if the first counters are better (RULES.md 7.3), −1 if worse, 0 if equal."""
    sort_counters(colours, one, sorted_one)
    sort_counters(colours, other, sorted_other)
    for at in range(colours):
        if sorted_one[at] != sorted_other[at]:
            return 1 if sorted_one[at] > sorted_other[at] else -1
    return 0


@called
def result_of(board, counters):
    """The first seat's share of the win by the counters, [2, C + 1]."""
    spare = board.spare
    order = compared(board.spec[COLOURS], counters[0], counters[1], spare[0], spare[1])
    return 0.5 + 0.5 * order


@called
def decided(board, levels, depth, left):
    """The first seat's share of the win if it is certain, else `OPEN`."""
    spec, spare = board.spec, board.spare
    colours, cells = spec[COLOURS], levels.boards[depth]
    counters, racks = levels.counters[depth], levels.racks[depth]
    tiles, reach, most = spare[0], spare[1], spare[2]
    for kind in range(spec[TYPES]):
        tiles[kind] = levels.bags[depth, kind] + racks[0, kind] + racks[1, kind]
    for seat in range(2):
        for colour in range(1, colours + 1):
            most[colour] = upper_bound(
                spec, board.neighbours, cells, counters[seat], tiles, colour, left, reach
            )
        if compared(colours, counters[1 - seat], most, reach, spare[3]) > 0:
            return float(seat)
    return OPEN


# Moves.


@inlined
def tiles_of(spec, hand):
    """The number of tiles, by type [Y]."""
    total = 0
    for kind in range(spec[TYPES]):
        total += hand[kind]
    return total


@called
def is_open(board, levels, depth, pair):
    """Whether both cells of a pair are empty."""
    cells = levels.boards[depth]
    return cells[board.pairs[pair, 0]] == 0 and cells[board.pairs[pair, 1]] == 0


@called
def is_first_open(board, levels, depth, pair):
    """Whether a pair is open, and touches a start symbol, none of them touched before (RULES.md 3.2)."""
    near = int(board.touches[pair])
    is_near = near != 0 and (near & levels.numbers[depth, TOUCHED]) == 0
    return is_near and is_open(board, levels, depth, pair)


@called
def is_allowed(board, levels, depth, pair):
    """Whether a tile may be placed on a pair."""
    if levels.numbers[depth, IS_FREE]:
        return is_open(board, levels, depth, pair)
    return is_first_open(board, levels, depth, pair)


@called
def is_unrestricted(board, levels, depth):
    """Whether a tile may lie anywhere: after the first round, or where no pair is allowed (RULES.md 3.2)."""
    if levels.numbers[depth, TURN] >= FIRST_ROUND:
        return True
    for pair in range(board.spec[PAIRS]):
        if is_first_open(board, levels, depth, pair):
            return False
    return True


@called
def copy_row(source, target):
    """Copy a row; loops compile in a fraction of the time that slices take."""
    for place in range(len(source)):
        target[place] = source[place]


@called
def clear_row(row):
    """Fill a row with zeros."""
    for place in range(len(row)):
        row[place] = 0


@called
def copy_level(levels, depth, other):
    """Write the node of a level into another level."""
    copy_row(levels.boards[depth], levels.boards[other])
    for seat in range(2):
        copy_row(levels.counters[depth, seat], levels.counters[other, seat])
        copy_row(levels.racks[depth, seat], levels.racks[other, seat])
    copy_row(levels.bags[depth], levels.bags[other])
    copy_row(levels.asides[depth], levels.asides[other])
    copy_row(levels.numbers[depth], levels.numbers[other])


@called
def finals_reached(spec, before, after):
    """The number of final spaces that counters, [C + 1], have reached (RULES.md 5.1)."""
    reached = 0
    for colour in range(1, spec[COLOURS] + 1):
        stop = spec[TOP] if before[colour] < spec[TOP] else spec[LAST]
        reached += int(before[colour] < stop and after[colour] == stop)
    return reached


@called
def may_swap(spec, rack, bag, counters):
    """Whether no tile on the rack shows a lowest colour (RULES.md 6.1, 6.3)."""
    if tiles_of(spec, bag) < spec[RACK] or tiles_of(spec, rack) == 0:
        return False
    lowest = counters[1]
    for colour in range(2, spec[COLOURS] + 1):
        lowest = min(lowest, counters[colour])
    for kind in range(spec[TYPES]):
        low, high = colours_of(kind, spec[COLOURS])
        if rack[kind] and (counters[low] == lowest or counters[high] == lowest):
            return False
    return True


@called
def end_turn(board, levels, depth, left):
    """Pass the turn; the tiles to draw become those of the node, if they can ever be placed."""
    spec, numbers = board.spec, levels.numbers[depth]
    seat = numbers[SEAT]
    if left >= 2:
        lacking = spec[RACK] - tiles_of(spec, levels.racks[depth, seat])
        numbers[DRAWS + seat] = min(lacking, tiles_of(spec, levels.bags[depth]))
    numbers[KIND], numbers[SEAT], numbers[PLAYS] = PLACE, 1 - seat, 1
    numbers[TURN] = min(numbers[TURN] + 1, FIRST_ROUND)


@called
def act(board, levels, depth, kind, placement):
    """Write the node after an action of a level's node into the next level.

    Args:
        board: the variant.
        levels: whose level `depth` is a decision.
        depth: of the node.
        kind: the type of the tile to place, or `KEEP` or `SWAPPED`.
        placement: 2 · pair, plus 1 if the higher colour lies on the pair's first cell.
    """
    spec = board.spec
    copy_level(levels, depth, depth + 1)
    cells, numbers = levels.boards[depth + 1], levels.numbers[depth + 1]
    seat = numbers[SEAT]
    rack, counters = levels.racks[depth + 1, seat], levels.counters[depth + 1, seat]
    if kind < 0:
        if kind == SWAPPED:
            copy_row(rack, levels.asides[depth + 1])
            clear_row(rack)
        end_turn(board, levels, depth + 1, 2)
        return
    low, high = colours_of(kind, spec[COLOURS])
    rack[kind] -= 1
    place_tile(spec, board.neighbours, board.pairs, cells, counters, low, high, placement)
    reached = finals_reached(spec, levels.counters[depth, seat], counters)
    if numbers[TURN] < FIRST_ROUND:
        numbers[TOUCHED] |= int(board.touches[placement // 2])
        reached = 0
    left = placements_left(spec, board.neighbours, cells, board.spare[0], board.spare[1])
    all_last = True
    for colour in range(1, spec[COLOURS] + 1):
        all_last &= counters[colour] == spec[LAST]
    if left == 0 or all_last:
        numbers[KIND] = OVER
        return
    numbers[PLAYS] += reached - 1
    if tiles_of(spec, rack) == 0:
        numbers[PLAYS] = 0
    if numbers[PLAYS] == 0:
        if left >= 2 and may_swap(spec, rack, levels.bags[depth + 1], counters):
            numbers[KIND] = SWAP
        else:
            end_turn(board, levels, depth + 1, left)


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
