"""The placement that scores most, compiled (LOOPIT.md 4.1)."""

from __future__ import annotations

from numba import uint64

from ingenious_env.compiled.actions import flat_placement
from ingenious_env.compiled.bitsets import lowest_bit
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.placing import LEGAL
from ingenious_env.compiled.rng import GOLDEN, mix, scale
from ingenious_env.games.loopit.kernels.legality import cells_of, rack_illegality


@inlined
def points_of(game, tile, cell):
    """The points for laying a tile on a cell where it fits."""
    ends, points = game.type_ends[tile], game.type_value[tile] * game.factors[cell]
    for direction in range(4):
        if (ends >> direction) & 1:
            points += game.values[game.neighbours[cell][direction]]
    return points


@inlined
def greedy_placement(game, random):
    """The flat placement with most points, of the tile held if one is; −1 if no tile can be laid.

    Ties are broken at random.
    """
    best, most, equals = -1, 0, 0
    rack, held = game.racks[game.to_play], game.held
    low, high = (held - 1, held) if held else (0, game.spec.rack_size)
    for slot in range(low, high):
        if rack_illegality(game, slot) != LEGAL:
            continue
        legal = cells_of(game, slot)
        for word in range(game.spec.num_words):
            cells = legal[word]
            while cells != uint64(0):
                cell = 64 * word + lowest_bit(cells)
                cells &= cells - uint64(1)
                points = points_of(game, rack[slot], cell)
                if points >= most:
                    equals = equals + 1 if points == most else 1
                    most = points
                    random = mix(random + GOLDEN)
                    if scale(random, equals) == 0:
                        best = flat_placement(game, slot, cell)
    return best
