"""Positions of two players whose racks are both seen, as rows of arrays: moves, results, and their bounds.

Letters: N cells, K pairs, C colours, Y tile types (with colour 0, which no tile has), D levels, G symmetries.
A level is a node on the way from the root; its arrays are rows of the `Levels`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ingenious_agents.search.kernels.exact import (
    COLOURS,
    LAST,
    PAIRS,
    TOP,
    TYPES,
    colours_of,
    place_tile,
    placements_left,
    upper_bound,
)
from ingenious_env.compiled.kernel import called, inlined

RACK = 6
"""The entry of the spec after those of one player: tiles on a full rack."""
KIND, SEAT, PLAYS, TURN, TOUCHED, DRAWS = 0, 1, 2, 3, 4, 5
CHILD, IS_FREE = 7, 8
NUMBERS = 9
PLACE, SWAP, OVER = 0, 1, 2
KEEP, SWAPPED = -1, -2
"""Actions that are not placements: those of the choice to swap."""
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
    """Return whether both cells of a pair are empty."""
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
    """Return whether a tile may be placed on a pair."""
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
    """Return whether no tile on the rack shows a lowest colour (RULES.md 6.1, 6.3)."""
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
