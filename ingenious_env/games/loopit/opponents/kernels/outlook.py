"""The outlook of a board for unseen tiles: the points of the best square for each, compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import float64, int64, uint64

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.bitsets import lowest_bit
from ingenious_env.compiled.intrinsics import clear
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.vectors import as_bytes, scratch
from ingenious_env.games.loopit.material import MAX_FACTOR, MAX_PATTERNS, MAX_SIDE, MAX_TILES, MAX_TYPES

MOST_POINTS = 127
"""An upper limit of the points of a tile's best square; more are clipped."""
MAX_BEST = 3
"""Number of the next player's tiles that count."""
NOWHERE = -1
"""Less than any sum: the pattern fits on no cell of the factor."""

_points = scratch(int64, MAX_TYPES)
_unseen = scratch(int64, MAX_TYPES)
_tiles = scratch(int64, MOST_POINTS + 1)
_joined = scratch(int64, MAX_SIDE * MAX_SIDE)
_highest = scratch(int64, MAX_FACTOR)
_spots = scratch(int64, MAX_PATTERNS * MAX_FACTOR)
_counts = scratch(int64, MAX_PATTERNS)
_chances = scratch(float64, MAX_TILES)
_expected = scratch(float64, MAX_BEST)


class Outlook(NamedTuple):
    """Scratch memory for an outlook.

    Attributes:
        points: int64 [Y], of the best square for each tile type; 0 if it fits nowhere.
        unseen: int64 [Y], tiles of each type on no board and not on the mover's rack.
        tiles: int64 [points], the unseen tiles by their points.
        joined: int64 [N], the sum of the values that a tile on an empty cell is joined to.
        highest: int64 [factors], the highest of these sums by factor − 1 of the cells for one pattern.
        factors, sums: int64 [K · factors], of the best cells of each pattern.
        counts: int64 [K], the number of these.
        first, second, third: float64, the chances of unseen tiles, from the best on.
        expected: float64 [3], the expected points of the best, second and third tile of a rack.
    """

    points: Any
    unseen: Any
    tiles: Any
    joined: Any
    highest: Any
    factors: Any
    sums: Any
    counts: Any
    first: Any
    second: Any
    third: Any
    expected: Any


@inlined
def outlook_workspace():
    """Scratch memory, on the stack of the kernel."""
    cells = _joined(), _highest(), _spots(), _spots(), _counts()
    chances = _chances(), _chances(), _chances()
    return Outlook(_points(), _unseen(), _tiles(), *cells, *chances, _expected())


@inlined
def count_unseen(game, outlook):
    """Write the tiles of each type hidden from the seat to move; returns their number."""
    total, rack = 0, game.racks[game.to_play]
    for tile in range(game.spec.num_types):
        outlook.unseen[tile] = game.unplaced[tile]
        total += game.unplaced[tile]
    for slot in range(game.spec.rack_size):
        if rack[slot] == NO_TILE:
            break
        outlook.unseen[rack[slot]] -= 1
        total -= 1
    return total


@inlined
def find_joined(game, outlook):
    """Write the sum of the neighbours joined to a tile, for each cell on which some tile fits."""
    for word in range(game.spec.num_words):
        cells = uint64(0)
        for pattern in range(game.spec.num_patterns):
            cells |= game.fits[pattern][word]
        while cells != uint64(0):
            cell = 64 * word + lowest_bit(cells)
            cells &= cells - uint64(1)
            wanted, joined = game.needs[cell] & 15, 0
            for direction in range(4):
                if (wanted >> direction) & 1:
                    joined += game.values[game.neighbours[cell][direction]]
            outlook.joined[cell] = joined


@inlined
def find_spots(game, outlook):
    """Write the factor and the sum of each pattern's cells that no other cell exceeds in both."""
    for pattern in range(game.spec.num_patterns):
        for k in range(MAX_FACTOR):
            outlook.highest[k] = NOWHERE
        for word in range(game.spec.num_words):
            cells = game.fits[pattern][word]
            while cells != uint64(0):
                cell = 64 * word + lowest_bit(cells)
                cells &= cells - uint64(1)
                k = game.factors[cell] - 1
                outlook.highest[k] = max(outlook.highest[k], outlook.joined[cell])
        count, highest = 0, NOWHERE
        for k in range(MAX_FACTOR - 1, -1, -1):
            if outlook.highest[k] > highest:
                highest = outlook.highest[k]
                outlook.factors[MAX_FACTOR * pattern + count] = k + 1
                outlook.sums[MAX_FACTOR * pattern + count] = highest
                count += 1
        outlook.counts[pattern] = count


@inlined
def find_points(game, outlook):
    """Write the points of the best square for each tile type (LOOPIT.md 4.1); count unseen tiles by them.

    Tiles of a pattern fit on the same cells, and differ by their values only.
    """
    find_joined(game, outlook)
    find_spots(game, outlook)
    clear(as_bytes(outlook.tiles), 8 * (MOST_POINTS + 1))
    for tile in range(game.spec.num_types):
        best = 0
        if game.unplaced[tile]:
            value, pattern = game.type_value[tile], game.type_pattern[tile]
            first = MAX_FACTOR * pattern
            for k in range(first, first + outlook.counts[pattern]):
                best = max(best, value * outlook.factors[k] + outlook.sums[k])
        best = min(best, MOST_POINTS)
        outlook.points[tile] = best
        outlook.tiles[best] += outlook.unseen[tile]


@inlined
def find_chances(outlook, num_unseen, num_drawn):
    """Write the chances that an unseen tile is the best, second or third one of a rack of `num_drawn`.

    From the best tile on, this tracks the probabilities that 0, 1 and 2 of those visited are on the rack.
    """
    none, one, two, remaining = 1.0, 0.0, 0.0, num_unseen
    for k in range(num_unseen):
        first = none * num_drawn / remaining  # this tile is the best one of the rack
        second = one * max(0, num_drawn - 1) / remaining
        third = two * max(0, num_drawn - 2) / remaining
        outlook.first[k], outlook.second[k], outlook.third[k] = first, second, third
        none -= first
        one += first - second
        two += second - third
        remaining -= 1


@inlined
def expect_rack(outlook, num_unseen, num_best, limit):
    """Write the expected points of the best tiles of a rack, by their chances; returns their sum.

    The sum, of the `num_best` best tiles, only grows from tile to tile: past a limit it is left unfinished.
    """
    best, next_best, third_best, total = 0.0, 0.0, 0.0, 0.0
    points, k = MOST_POINTS, 0
    while points > 0 and k < num_unseen and total <= limit:
        number = outlook.tiles[points]
        if number:
            worth = float(points)
            for _ in range(number):
                best += worth * outlook.first[k]
                next_best += worth * outlook.second[k]
                third_best += worth * outlook.third[k]
                k += 1
            total = best
            if num_best > 1:
                total += next_best
            if num_best > 2:
                total += third_best
        points -= 1
    outlook.expected[0], outlook.expected[1], outlook.expected[2] = best, next_best, third_best
    return total
