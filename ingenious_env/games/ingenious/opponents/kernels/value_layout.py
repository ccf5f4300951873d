"""The architecture of the value network: all colours share the weights of its first layers.

Its layers and their inputs:

    inputs of one colour  ── FIRST ── SECOND ─┐
    …, the same weights                       ├─ sum ─┬─ THIRD ── output
    inputs of another     ── FIRST ── SECOND ─┘       │
    inputs for all colours together ──────────────────┘
"""

from __future__ import annotations

from numba.extending import register_jitable

from ingenious_env.engine.architecture import Architecture

LEVELS = 8  # thresholds of points by which cells are counted: at least 1, …, at least 8
OF_TILES = 4  # inputs of a colour: tiles of it on the own rack, and unseen tiles
NEAR = 5  # spaces before a stop, each with its own input
OF_STOP = NEAR + 2  # inputs of a colour: the distance of its counter from its last space
NEIGHBOURS = 6  # of a cell; empty cells are counted by how many of theirs are empty
BY_COLOUR = 2 + 3 * LEVELS + OF_TILES + OF_STOP + LEVELS  # inputs of a colour, without the counters
OF_ALL = 6 + NEIGHBOURS  # inputs for all colours together, without the sorted counters
NEXT_BY_COLOUR, NEXT_OF_ALL = 9, 8  # inputs on the next tile, of a colour and for all (see `next_tile.py`)
FIRST, SECOND, THIRD = 64, 32, 64  # units of the hidden layers
SOLITAIRE_UNIT = 4.0  # spaces per unit of the output in solitaire, so that it is near one


@register_jitable  # also for kernels
def inputs_of_colour(num_sheets: int, sees_next: int) -> int:
    """The number of inputs of a colour; `sees_next` is 1 with inputs on the next tile, and 0 without."""
    return num_sheets + BY_COLOUR + sees_next * NEXT_BY_COLOUR


@register_jitable
def inputs_of_all(num_sheets: int, num_colours: int, sees_next: int) -> int:
    """The number of inputs for all colours together; `sees_next` as above."""
    return num_sheets * num_colours + OF_ALL + sees_next * NEXT_OF_ALL


def architecture(num_sheets: int, num_colours: int, sees_next: int) -> Architecture:
    """The network for a number of sheets and of colours; `sees_next` as above."""
    return Architecture(
        groups=num_colours,
        shared=(inputs_of_colour(num_sheets, sees_next), FIRST, SECOND),
        together=inputs_of_all(num_sheets, num_colours, sees_next),
        layers=(THIRD,),
        unit=SOLITAIRE_UNIT if num_sheets == 1 else 1.0,
    )
