"""The outlook of a board for unseen tiles: the points of the best square for each, compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import float64, int64, uint64

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.bitsets import lowest_bit
from ingenious_env.compiled.intrinsics import clear
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.vectors import as_bytes, scratch
from ingenious_env.games.loopit.kernels.turns import fits_somewhere
from ingenious_env.games.loopit.material import MAX_SIDE, MAX_TYPES

MOST_POINTS = 127
"""An upper limit of the points of a tile's best square; more are clipped."""
MAX_BEST = 3
"""Number of the next player's tiles that count."""

_points = scratch(int64, MAX_TYPES)
_unseen = scratch(int64, MAX_TYPES)
_tiles = scratch(int64, MOST_POINTS + 1)
_joined = scratch(int64, MAX_SIDE * MAX_SIDE)
_expected = scratch(float64, MAX_BEST)


class Outlook(NamedTuple):
    """Scratch memory for an outlook.

    Attributes:
        points: int64 [Y], of the best square for each tile type; 0 if it fits nowhere.
        unseen: int64 [Y], tiles of each type on no board and not on the mover's rack.
        tiles: int64 [points], the unseen tiles by their points.
        joined: int64 [N], the sum of the values that a tile on an empty cell is joined to.
        expected: float64 [3], the expected points of the best, second and third tile of a rack.
    """

    points: Any
    unseen: Any
    tiles: Any
    joined: Any
    expected: Any


@inlined
def outlook_workspace():
    """Scratch memory, on the stack of the kernel."""
    return Outlook(_points(), _unseen(), _tiles(), _joined(), _expected())


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
    """Write what any tile that fits on a cell is joined to, as the ends of its neighbours determine."""
    for cell in range(game.spec.num_cells):
        wanted, joined = game.needs[cell] & 15, 0
        if wanted:
            for direction in range(4):
                if (wanted >> direction) & 1:
                    joined += game.values[game.neighbours[cell][direction]]
        outlook.joined[cell] = joined


@inlined
def find_points(game, outlook):
    """Write the points of the best square for each tile type (LOOPIT.md 4.1); count unseen tiles by them."""
    find_joined(game, outlook)
    clear(as_bytes(outlook.tiles), 8 * (MOST_POINTS + 1))
    for tile in range(game.spec.num_types):
        best, pattern, value = 0, game.type_pattern[tile], game.type_value[tile]
        if game.unplaced[tile] and fits_somewhere(game, pattern):
            for word in range(game.spec.num_words):
                cells = game.fits[pattern][word]
                while cells != uint64(0):
                    cell = 64 * word + lowest_bit(cells)
                    cells &= cells - uint64(1)
                    best = max(best, value * game.factors[cell] + outlook.joined[cell])
        best = min(best, MOST_POINTS)
        outlook.points[tile] = best
        outlook.tiles[best] += outlook.unseen[tile]


@inlined
def expect_rack(outlook, num_unseen, num_drawn):
    """Write the expected points of the best tiles of a rack of `num_drawn` unseen tiles.

    From the best tile on, this tracks the probabilities that 0, 1 and 2 of those visited are on the rack.
    """
    none, one, two, remaining = 1.0, 0.0, 0.0, num_unseen
    for place in range(MAX_BEST):
        outlook.expected[place] = 0.0
    points = MOST_POINTS
    while points > 0 and remaining > 0:
        for _ in range(outlook.tiles[points]):
            first = none * num_drawn / remaining  # this tile is the best one of the rack
            second = one * max(0, num_drawn - 1) / remaining
            third = two * max(0, num_drawn - 2) / remaining
            outlook.expected[0] += points * first
            outlook.expected[1] += points * second
            outlook.expected[2] += points * third
            none -= first
            one += first - second
            two += second - third
            remaining -= 1
        points -= 1
