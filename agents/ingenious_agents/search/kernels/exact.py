"""Expectimax with memory of solitaire positions, as a loop with a stack that can be left and entered again.

A node is a position before a draw. Its value is the mean over the tiles in the bag of the highest value
among the placements of each. What cannot change the result is removed before a node is looked up in the
table, so that many positions become one:

- A colour is *settled* where its counter is at least what the lowest of the others can still reach: it cannot
  be the lowest counter alone. Its halves become walls, and tiles that differ in settled colours only are one.
- A cell that no tile can cover any more becomes a wall, and so does a symbol that no half can see any more.

Letters: N cells, K pairs, C colours, Y tile types with settled colours (as colour 0), D levels, S places of
the table. A level is a node on the way from the root; its arrays are rows of the `Stack`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from ingenious_env.compiled.kernel import called, inlined, kernel

WALL = 7
"""A symbol that scores nothing; also off the board."""
SETTLED = -1
"""The counter of a settled colour."""
RUNNING, DONE, FULL = 0, 1, 2
DEPTH, NODES, STATES, STATUS = 0, 1, 2, 3
CELLS, PAIRS, COLOURS, TOP, LAST, TYPES = 0, 1, 2, 3, 4, 5
MAX_COUNTER, MAX_COUNT = 130, 256
PROMISE = 1 << 16  # a bound times this, and the gain of a placement below it, order placements


class Stack(NamedTuple):
    """The levels, [D, …].

    Attributes:
        boards: uint8 [D, N + 1], 0 empty, colours from 1, `WALL`.
        counters: int64 [D, C + 1], by colour, `SETTLED` or a counter; entry 0 is unused.
        bags: int64 [D, Y], tiles of each type.
        orders: int64 [D, 2 K], the placements of the tile that is tried, the most promising first.
        bounds: int64 [D, 2 K], what each can lead to at most.
        numbers: int64 [D, 4], the type that is tried, the placement, the number of placements, the tiles in
            the bag.
        values: float64 [D, 2], the best value for the type that is tried, and the sum over the types before.
        keys: uint64 [D, 2], the hash of the node.
    """

    boards: NDArray[np.uint8]
    counters: NDArray[np.int64]
    bags: NDArray[np.int64]
    orders: NDArray[np.int64]
    bounds: NDArray[np.int64]
    numbers: NDArray[np.int64]
    values: NDArray[np.float64]
    keys: NDArray[np.uint64]


TYPE, PLACEMENT, PLACEMENTS, TILES = 0, 1, 2, 3
BEST, SUM = 0, 1


@inlined
def type_of(low, high, colours):
    """The number of a tile type of two colours from 0 on, the lower first."""
    return low * (2 * colours + 3 - low) // 2 + high - low


@inlined
def run(board, neighbours, cell, direction, colour):
    """The number of consecutive symbols of a colour from a cell in a direction."""
    length, at = 0, neighbours[cell, direction]
    while board[at] == colour:
        length += 1
        at = neighbours[at, direction]
    return length


@inlined
def direction_to(neighbours, cell, other):
    """The direction from a cell to an adjacent one."""
    found = 0
    for direction in range(6):
        if neighbours[cell, direction] == other:
            found = direction
    return found


@called
def points(board, neighbours, cell, colour, away):
    """What half a tile scores on a cell whose other half lies in the direction `away` (RULES.md 4.1)."""
    if colour == 0:
        return 0
    total = 0
    for direction in range(6):
        if direction != away:
            total += run(board, neighbours, cell, direction, colour)
    return total


@inlined
def advanced(counter, gain, top, last):
    """A counter after a gain (RULES.md 4.3, 4.4)."""
    return min(counter + gain, top if counter < top else last)


@called
def upper_bound(spec, neighbours, board, counters, bag, colour, left, reach):
    """What a colour's counter can reach at most, with this number of placements left.

    Each half scores at most what it would if all empty cells in sight had its colour; the best cells are
    taken for as many halves as tiles and cells allow.
    """
    cells, colours = spec[CELLS], spec[COLOURS]
    doubles = min(bag[type_of(colour, colour, colours)], left)
    singles = 0
    for other in range(colours + 1):
        if other != colour:
            singles += bag[type_of(min(colour, other), max(colour, other), colours)]
    halves = 2 * doubles + min(singles, left - doubles)
    for place in range(halves):
        reach[place] = 0
    for cell in range(cells):
        if board[cell] != 0:
            continue
        total, least = 0, 1 << 30
        for direction in range(6):
            length, at = 0, neighbours[cell, direction]
            while board[at] == colour or board[at] == 0:
                length += 1
                at = neighbours[at, direction]
            total += length
            if board[neighbours[cell, direction]] == 0:  # where the other half may lie
                least = min(least, length)
        total -= least
        place = halves - 1  # insert it among the highest, which are in descending order
        if halves and total > reach[place]:
            while place > 0 and reach[place - 1] < total:
                reach[place] = reach[place - 1]
                place -= 1
            reach[place] = total
    bound = counters[colour]
    for place in range(halves):
        bound += reach[place]
    return min(bound, spec[LAST])


@called
def placements_left(spec, neighbours, board, seen, queue):
    """The number of tiles that fit at most: half of the cells of each connected region of empty cells."""
    cells, total = spec[CELLS], 0
    for cell in range(cells):
        seen[cell] = board[cell] != 0
    for start in range(cells):
        if seen[start]:
            continue
        seen[start], queue[0], head, tail = 1, start, 0, 1
        while head < tail:
            cell = queue[head]
            head += 1
            for direction in range(6):
                other = neighbours[cell, direction]
                if other < cells and not seen[other]:
                    seen[other] = 1
                    queue[tail] = other
                    tail += 1
        total += tail // 2
    return total


@called
def hide_dead_cells(spec, neighbours, board):
    """Make walls of empty cells that no tile can cover."""
    for cell in range(spec[CELLS]):
        if board[cell] == 0:
            covered = True
            for direction in range(6):
                covered &= board[neighbours[cell, direction]] != 0
            if covered:
                board[cell] = WALL


@called
def hide_unseen_symbols(spec, neighbours, board):
    """Make walls of symbols that no half can see any more."""
    for cell in range(spec[CELLS]):
        symbol = board[cell]
        if symbol in (0, WALL):
            continue
        sees = False
        for direction in range(6):
            at = neighbours[cell, direction]
            while board[at] == symbol:
                at = neighbours[at, direction]
            sees |= board[at] == 0
        if not sees:
            board[cell] = WALL


@called
def reduce_node(spec, neighbours, board, counters, bag, reach, seen, queue):
    """Settle colours and build walls.

    Returns the lowest counter, what it can reach at most, and the number of placements left at most.
    """
    colours = spec[COLOURS]
    hide_dead_cells(spec, neighbours, board)
    left = placements_left(spec, neighbours, board, seen, queue)
    tiles = 0
    for kind in range(spec[TYPES]):
        tiles += bag[kind]
    left = min(left, tiles)
    lowest, highest, bounding = 1 << 30, 1 << 30, 0
    for colour in range(1, colours + 1):
        if counters[colour] != SETTLED:
            bound = upper_bound(spec, neighbours, board, counters, bag, colour, left, reach)
            lowest = min(lowest, counters[colour])
            if bound < highest:
                highest, bounding = bound, colour
    for colour in range(1, colours + 1):
        if colour != bounding and counters[colour] >= highest:
            settle(spec, board, counters, bag, colour)
    hide_unseen_symbols(spec, neighbours, board)
    return lowest, highest, left


@called
def settle(spec, board, counters, bag, colour):
    """Make a colour's symbols walls, and its halves those of colour 0."""
    colours = spec[COLOURS]
    counters[colour] = SETTLED
    for cell in range(spec[CELLS]):
        if board[cell] == colour:
            board[cell] = WALL
    for other in range(colours + 1):
        kind = type_of(min(colour, other), max(colour, other), colours)
        count, bag[kind] = bag[kind], 0
        merged = 0 if other == colour else other
        bag[type_of(0, merged, colours)] += count


@called
def place_tile(spec, neighbours, pairs, board, counters, low, high, placement):
    """Lay a tile and score it; placement p lays the lower colour on the cell p mod 2 of pair p // 2."""
    one, other = pairs[placement // 2, 0], pairs[placement // 2, 1]
    if placement % 2:
        one, other = other, one
    away = direction_to(neighbours, one, other)
    gain_low = points(board, neighbours, one, low, away)
    gain_high = points(board, neighbours, other, high, (away + 3) % 6)
    board[one] = low if low else WALL
    board[other] = high if high else WALL
    if low == high:
        if low:
            counters[low] = advanced(counters[low], gain_low + gain_high, spec[TOP], spec[LAST])
        return
    if low:
        counters[low] = advanced(counters[low], gain_low, spec[TOP], spec[LAST])
    if high:
        counters[high] = advanced(counters[high], gain_high, spec[TOP], spec[LAST])


@inlined
def hashed(spec, hashes, which, board, counters, bag):
    """One of the two hashes of a node."""
    cells, colours, total = spec[CELLS], spec[COLOURS], uint64(0)
    for cell in range(cells):
        total ^= hashes[which, cell * 8 + board[cell]]
    base = cells * 8
    for colour in range(1, colours + 1):
        total ^= hashes[which, base + colour * MAX_COUNTER + counters[colour] + 1]
    base += (colours + 1) * MAX_COUNTER
    for kind in range(spec[TYPES]):
        total ^= hashes[which, base + kind * MAX_COUNT + bag[kind]]
    return total


@inlined
def found_at(table_keys, key_one, key_two):
    """The place of a node in the table, or the free one where it belongs."""
    mask = uint64(len(table_keys) - 1)
    at = key_one & mask
    while table_keys[at, 0] != 0 and (table_keys[at, 0] != key_one or table_keys[at, 1] != key_two):
        at = (at + uint64(1)) & mask
    return at


@called
def order_placements(spec, neighbours, pairs, allowed, stack, depth, low, high, reach, seen, queue):
    """Write the placements of a tile, the most promising first, into a level; returns their number."""
    board, counters, bag = stack.boards[depth], stack.counters[depth], stack.bags[depth]
    trial, trial_counters = stack.boards[depth + 1], stack.counters[depth + 1]
    orders, bounds, count = stack.orders[depth], stack.bounds[depth], 0
    for placement in range(2 * spec[PAIRS]):
        pair = placement // 2
        if not allowed[pair] or board[pairs[pair, 0]] != 0 or board[pairs[pair, 1]] != 0:
            continue
        if low == high and placement % 2:
            continue
        trial[:] = board
        trial_counters[:] = counters
        place_tile(spec, neighbours, pairs, trial, trial_counters, low, high, placement)
        left = placements_left(spec, neighbours, trial, seen, queue)
        bound, gain = spec[LAST], 0
        for colour in range(1, spec[COLOURS] + 1):
            if counters[colour] != SETTLED:
                most = upper_bound(spec, neighbours, trial, trial_counters, bag, colour, left, reach)
                bound = min(bound, most)
                gain += (trial_counters[colour] - counters[colour]) * (spec[LAST] - counters[colour])
        promise = bound * PROMISE + min(gain, PROMISE - 1)
        at = count
        while at > 0 and bounds[at - 1] < promise:
            bounds[at], orders[at] = bounds[at - 1], orders[at - 1]
            at -= 1
        bounds[at], orders[at] = promise, placement
        count += 1
    return count


@called
def begin_node(spec, neighbours, stack, depth, hashes, table_keys, table_values, is_free, spare):
    """Begin the node of a level.

    Returns whether its value is known, and the value: from the table (unless the placements of the node are
    restricted: `is_free`), or because the lowest counter cannot move any more.
    """
    board, counters, bag = stack.boards[depth], stack.counters[depth], stack.bags[depth]
    lowest, highest, left = reduce_node(spec, neighbours, board, counters, bag, spare[0], spare[1], spare[2])
    if left == 0 or lowest >= highest:
        return True, float(lowest)
    one = hashed(spec, hashes, 0, board, counters, bag) | uint64(1)
    two = hashed(spec, hashes, 1, board, counters, bag)
    at = found_at(table_keys, one, two)
    if is_free and table_keys[at, 0] != 0:
        return True, table_values[at]
    stack.keys[depth, 0], stack.keys[depth, 1] = one, two
    tiles = 0
    for kind in range(spec[TYPES]):
        tiles += bag[kind]
    numbers, values = stack.numbers[depth], stack.values[depth]
    numbers[TYPE], numbers[PLACEMENT], numbers[PLACEMENTS], numbers[TILES] = -1, 0, 0, tiles
    values[BEST], values[SUM] = 0.0, 0.0
    return False, 0.0


@inlined
def colours_of(kind, colours):
    """The colours of a tile type, the lower first."""
    low, high = 0, kind
    while high > colours - low:
        high -= colours - low + 1
        low += 1
    return low, high + low


@called
def next_placement(spec, neighbours, pairs, allowed, stack, depth, spare):
    """Prepare the next placement of a level's node on the level above; False if all have been tried.

    A placement that can lead to no more than the best one before it is left out, and so are those after it.
    """
    bag, numbers, values = stack.bags[depth], stack.numbers[depth], stack.values[depth]
    kind, colours = numbers[TYPE], spec[COLOURS]
    while True:
        at = numbers[PLACEMENT]
        if kind >= 0 and at < numbers[PLACEMENTS] and stack.bounds[depth, at] // PROMISE > values[BEST]:
            break
        if kind >= 0:
            values[SUM] += bag[kind] * values[BEST]
        kind += 1
        while kind < spec[TYPES] and bag[kind] == 0:
            kind += 1
        numbers[TYPE] = kind
        if kind == spec[TYPES]:
            return False
        low, high = colours_of(kind, colours)
        numbers[PLACEMENTS] = order_placements(
            spec, neighbours, pairs, allowed, stack, depth, low, high, spare[0], spare[1], spare[2]
        )
        numbers[PLACEMENT], values[BEST] = 0, -1.0
    low, high = colours_of(kind, colours)
    numbers[PLACEMENT] += 1
    board, counters = stack.boards[depth + 1], stack.counters[depth + 1]
    board[:] = stack.boards[depth]
    counters[:] = stack.counters[depth]
    stack.bags[depth + 1][:] = bag
    stack.bags[depth + 1, kind] -= 1
    place_tile(spec, neighbours, pairs, board, counters, low, high, stack.orders[depth, at])
    return True


@kernel(
    "void(int64[::1], int16[:, ::1], int16[:, ::1], uint8[::1], uint8[:, ::1], int64[:, ::1], int64[:, ::1],"
    " int64[:, ::1], int64[:, ::1], int64[:, ::1], float64[:, ::1], uint64[:, ::1], uint64[:, ::1],"
    " uint64[:, ::1], float64[::1], int64[::1], int64[:, ::1], int64)"
)
def solve(
    spec,
    neighbours,
    pairs,
    allowed,
    boards,
    counters,
    bags,
    orders,
    bounds,
    numbers,
    values,
    keys,
    hashes,
    table_keys,
    table_values,
    progress,
    spare,
    budget,
):
    """Go on with the node on the lowest level until it is solved, or a number of nodes has been tried.

    When it is solved, its value is the best one of the last level, which no node reaches.

    Args:
        spec: `CELLS` to `TYPES`.
        neighbours: int16 [N + 1, 6].
        pairs: int16 [K, 2].
        allowed: uint8 [K], for the placements of the lowest level (RULES.md 3.2).
        boards: of a `Stack`.
        counters: of it.
        bags: of it.
        orders: of it.
        bounds: of it.
        numbers: of it.
        values: of it.
        keys: of it.
        hashes: uint64 [2, …], random.
        table_keys: uint64 [S, 2], zeros where the table is free.
        table_values: float64 [S].
        progress: `DEPTH`, −1 at the beginning, `NODES`, `STATES` and `STATUS`, which is also the result.
        spare: int64 [3, N + 1], workspace.
        budget: of nodes.
    """
    stack = Stack(boards, counters, bags, orders, bounds, numbers, values, keys)
    everywhere = np.ones(spec[PAIRS], np.uint8)
    is_free, until = allowed.all(), progress[NODES] + budget
    depth, value = progress[DEPTH], 0.0
    is_prepared = depth < 0  # the node of the next level
    progress[STATUS] = RUNNING
    while True:
        if is_prepared:
            if progress[NODES] >= until:
                progress[DEPTH] = depth
                if depth >= 0:
                    stack.numbers[depth, PLACEMENT] -= 1  # it is prepared again
                return
            progress[NODES] += 1
            is_known, value = begin_node(
                spec,
                neighbours,
                stack,
                depth + 1,
                hashes,
                table_keys,
                table_values,
                is_free or depth >= 0,
                spare,
            )
            if not is_known:
                depth += 1
            elif depth >= 0:
                stack.values[depth, BEST] = max(stack.values[depth, BEST], value)
        is_prepared = False
        while depth >= 0 and not is_prepared:
            where = everywhere if is_free or depth > 0 else allowed
            is_prepared = next_placement(spec, neighbours, pairs, where, stack, depth, spare)
            if not is_prepared:
                value = stack.values[depth, SUM] / stack.numbers[depth, TILES]
                if is_free or depth > 0:
                    if progress[STATES] * 10 >= len(table_keys) * 9:
                        progress[STATUS] = FULL
                        return
                    at = found_at(table_keys, stack.keys[depth, 0], stack.keys[depth, 1])
                    table_keys[at, 0], table_keys[at, 1] = stack.keys[depth, 0], stack.keys[depth, 1]
                    table_values[at] = value
                    progress[STATES] += 1
                depth -= 1
                if depth >= 0:
                    stack.values[depth, BEST] = max(stack.values[depth, BEST], value)
        if depth < 0:
            stack.values[len(stack.values) - 1, BEST] = value
            progress[DEPTH], progress[STATUS] = -1, DONE
            return
