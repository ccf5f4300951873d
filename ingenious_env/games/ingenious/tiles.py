"""Colours, the tile types and one set of tiles (RULES.md 1.1, 1.2)."""

from __future__ import annotations

from functools import cache

EMPTY = 0
"""An empty cell on the board; colours count from 1."""

MAX_COLOURS = 6
MAX_TILES = 255
"""Tiles in a game: fields count them in a byte."""
COLOUR_NAMES = ("red", "green", "blue", "orange", "yellow", "purple")
COLOUR_LETTERS = "rgboyp"
COPIES_OF_PAIR = 6
COPIES_OF_DOUBLE = 5

Tile = tuple[int, int]
"""Two colours, the lower first."""


@cache
def tile_types(num_colours: int) -> tuple[Tile, ...]:
    """The tile types as (low, high) colours, in order; six colours have 21.

    A tile's type number is its index here: (1, 1), (1, 2), …, (1, 6), (2, 2), …, (6, 6).
    """
    colours = range(1, num_colours + 1)
    return tuple((low, high) for low in colours for high in colours if low <= high)


@cache
def copies(num_colours: int) -> tuple[int, ...]:
    """The number of tiles of each type in one set."""
    return tuple(COPIES_OF_DOUBLE if low == high else COPIES_OF_PAIR for low, high in tile_types(num_colours))
