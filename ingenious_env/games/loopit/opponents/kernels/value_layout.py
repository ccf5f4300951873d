"""The architecture of the value network of Loopit: inputs ── FIRST ── SECOND ── output.

With P players and R slots of a rack, the inputs describe the position at the end of a turn, before the draw:

    P − 1 leads over the others | their P − 1 racks | own tiles kept, bag, unseen tiles, turns left
    | the expected points of the next player's best, second and third tile, each as the only one
    | unseen tiles by the points of their best square: shares that reach each of LEVELS
    | the R tiles kept, from the one that could score most: points of its best square
    | the R tiles kept, in the same order: value, 0 for none
    | for each factor: empty cells, cells that some tile fits, the shares of tiles that do, their neighbours
    | for each pattern of line ends: unseen tiles of it, cells that it fits
    | mean value of the unseen tiles
"""

from __future__ import annotations

from numba.extending import register_jitable

from ingenious_env.engine.architecture import Architecture
from ingenious_env.games.loopit.material import MAX_FACTOR, MAX_PATTERNS
from ingenious_env.games.loopit.rules import MAX_PLAYERS, MAX_RACK

LEVELS = (1, 6, 9, 12, 15, 18, 21, 24, 28, 32, 38, 45)
"""Points of the best square of a tile."""
OF_GAME = 4  # numbers of tiles and of turns
OF_REPLY = 3  # tiles of the next player
OF_FACTOR = 4  # counts of cells by factor
OF_PATTERN = 2
FIRST, SECOND = 64, 32  # units of the hidden layers


@register_jitable  # also for kernels
def num_inputs(num_players: int, rack_size: int, num_patterns: int) -> int:
    """The number of inputs, I."""
    by_tile = len(LEVELS) + 2 * rack_size + 1
    return (
        2 * (num_players - 1)
        + OF_GAME
        + OF_REPLY
        + by_tile
        + OF_FACTOR * MAX_FACTOR
        + OF_PATTERN * num_patterns
    )


def architecture(num_players: int, rack_size: int, num_patterns: int) -> Architecture:
    """The network for a number of players, of slots of a rack and of patterns of line ends."""
    together = num_inputs(num_players, rack_size, num_patterns)
    return Architecture(groups=0, shared=(), together=together, layers=(FIRST, SECOND))


MAX_INPUTS = num_inputs(MAX_PLAYERS, MAX_RACK, MAX_PATTERNS)
