"""The board and the tiles as data: `Material`, read from a TOML file (LOOPIT.md 1).

The file has two tables:

    [board]
    start = [2, 2]                       row and column of the start square, from 0
    factors = ["31113", "11111", …]      the factor of each square, 1 to 9, row by row

    [tiles]
    NS = [1, 2, 2]                       the values of the tiles with these line ends, one number per tile
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.files import read_text
from ingenious_env.engine.text import lines_of

DIRECTIONS = "NESW"
"""The edges of a square in the order of their bits: up, right, down, left."""
MIN_SIDE, MAX_SIDE = 3, 19
MAX_FACTOR, MAX_VALUE = 9, 99
MAX_TILES, MAX_TYPES, MAX_PATTERNS = 255, 127, 15
MAX_EQUAL = 127
"""The most tiles of a type that an observation can count."""
MAX_SCORE = 12_799
"""The highest score that an observation can hold."""
_MAX_QUOTE = 300  # characters of an error that may quote a file

Tile = tuple[str, int]
"""Line ends, letters of `DIRECTIONS` in that order, and the value."""
Square = tuple[int, int]
"""Row and column, from 0 at the top left."""


@dataclass(frozen=True, repr=False)
class Material:
    """A board and a set of tiles.

    Args:
        tiles: all tiles; equal ones are repeated. They are kept sorted.
        factors: of each square, 1 to 9, row by row; 3 to 19 rows of 3 to 19 squares.
        start: the square on which the first tile is laid.

    Raises:
        TypeError: a value is of the wrong type.
        ValueError: a value is impossible, or the sum of all points could pass 12,799.
    """

    tiles: tuple[Tile, ...]
    factors: tuple[tuple[int, ...], ...]
    start: Square

    def __post_init__(self) -> None:
        """Check and sort."""
        tiles = tuple(sorted((_check_tile(tile) for tile in _sequence("tiles", self.tiles)), key=_order))
        factors = tuple(
            tuple(_sequence("a row of factors", row)) for row in _sequence("factors", self.factors)
        )
        _check_factors(factors)
        start = tuple(_sequence("start", self.start))
        rows, columns = len(factors), len(factors[0])
        inside = len(start) == 2 and all(type(each) is int for each in start)
        if not (inside and start[0] in range(rows) and start[1] in range(columns)):
            msg = (
                f"start must be a row from 0 to {rows - 1} and a column from 0 to {columns - 1}, not {start}"
            )
            raise ValueError(msg)
        object.__setattr__(self, "tiles", tiles)
        object.__setattr__(self, "factors", factors)
        object.__setattr__(self, "start", start)
        _check_counts(self)

    def __repr__(self) -> str:
        """An expression that makes an equal material: a call for that of the package, which is long."""
        if self == standard_material():
            return "standard_material()"
        return f"Material(tiles={self.tiles}, factors={self.factors}, start={self.start})"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""
        return len(self.factors), len(self.factors[0])

    @property
    def num_cells(self) -> int:
        """Squares of the board, N; square (row, column) is cell row · columns + column."""
        return self.shape[0] * self.shape[1]

    @cached_property
    def types(self) -> tuple[Tile, ...]:
        """The distinct tiles, sorted; a tile's type is its index here."""
        return tuple(sorted(set(self.tiles), key=_order))

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The number of tiles of each type."""
        counts = Counter(self.tiles)
        return tuple(counts[each] for each in self.types)

    @cached_property
    def patterns(self) -> tuple[int, ...]:
        """The distinct sets of line ends as bits, ascending; a tile's pattern is its index here."""
        return tuple(sorted({ends_to_bits(ends) for ends, _ in self.tiles}))

    def cell(self, square: Square) -> int:
        """The number of a square."""
        return square[0] * self.shape[1] + square[1]

    def square(self, cell: int) -> Square:
        """The square of a number."""
        row, column = divmod(cell, self.shape[1])
        return row, column

    @cached_property
    def neighbours(self) -> NDArray[np.int16]:
        """Int16 [N + 1, 4]: the cell beyond each edge, N where there is none; all N for cell N."""
        rows, columns = self.shape
        padded = np.full((rows + 2, columns + 2), self.num_cells, np.int16)
        padded[1:-1, 1:-1] = np.arange(self.num_cells).reshape(rows, columns)
        beyond = [padded[:-2, 1:-1], padded[1:-1, 2:], padded[2:, 1:-1], padded[1:-1, :-2]]
        around = np.stack([each.ravel() for each in beyond], axis=1)
        return np.concatenate([around, np.full((1, 4), self.num_cells, np.int16)])


def ends_to_bits(ends: str) -> int:
    """Line ends as bits: N is 1, E 2, S 4, W 8."""
    return sum(1 << DIRECTIONS.index(end) for end in ends)


def bits_to_ends(bits: int) -> str:
    """The line ends of bits."""
    return "".join(end for k, end in enumerate(DIRECTIONS) if bits >> k & 1)


def _order(tile: Tile) -> tuple[int, int]:
    return tile[1], ends_to_bits(tile[0])


def _sequence(name: str, value: Any) -> list[Any]:
    if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
        msg = f"{name} must be a sequence, not {value!r}"
        raise TypeError(msg)
    return list(value)


def _check_tile(tile: Any) -> Tile:
    try:
        ends, value = tile
    except (TypeError, ValueError):
        msg = f"a tile is (line ends, value), such as ('NS', 3), not {tile!r}"
        raise TypeError(msg) from None
    if not isinstance(ends, str) or isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        msg = f"a tile is (line ends, value), such as ('NS', 3), not {tile!r}"
        raise TypeError(msg)
    if not ends or ends != "".join(end for end in DIRECTIONS if end in ends):
        msg = f"line ends are some of {DIRECTIONS} in this order, each at most once, not {ends!r}"
        raise ValueError(msg)
    if not 1 <= value <= MAX_VALUE:
        msg = f"the value of a tile must be from 1 to {MAX_VALUE}, not {value}"
        raise ValueError(msg)
    return ends, int(value)


def _check_factors(factors: tuple[tuple[int, ...], ...]) -> None:
    sides = range(MIN_SIDE, MAX_SIDE + 1)
    if len(factors) not in sides or any(
        len(row) not in sides or len(row) != len(factors[0]) for row in factors
    ):
        msg = f"the board must have {MIN_SIDE} to {MAX_SIDE} rows, and all rows as many squares of that range"
        raise ValueError(msg)
    for row in factors:
        for factor in row:
            if isinstance(factor, bool) or not isinstance(factor, (int, np.integer)):
                msg = f"a factor must be a whole number, not {factor!r}"
                raise TypeError(msg)
            if not 1 <= factor <= MAX_FACTOR:
                msg = f"a factor must be from 1 to {MAX_FACTOR}, not {factor}"
                raise ValueError(msg)


def _check_counts(material: Material) -> None:
    if not 1 <= len(material.tiles) <= MAX_TILES or len(material.types) > MAX_TYPES:
        found = f"{len(material.tiles)} of {len(material.types)}"
        msg = f"there must be 1 to {MAX_TILES} tiles of at most {MAX_TYPES} types, not {found}"
        raise ValueError(msg)
    if max(material.counts) > MAX_EQUAL:
        msg = f"there must be at most {MAX_EQUAL} equal tiles, not {max(material.counts)}"
        raise ValueError(msg)
    if len(material.tiles) > material.num_cells:
        msg = f"{len(material.tiles)} tiles are more than the board's {material.num_cells} squares"
        raise ValueError(msg)
    highest = max(map(max, material.factors))
    most = max(value for _, value in material.tiles)
    total = sum(value * highest + most * len(ends) for ends, value in material.tiles)
    if total > MAX_SCORE:
        msg = f"all tiles together could score {total}; at most {MAX_SCORE} is possible"
        raise ValueError(msg)


@cache
def standard_material() -> Material:
    """The material of the package, which is assumed (LOOPIT.md 1.2 to 1.4)."""
    return load_material(Path(__file__).with_name("standard.toml"))


def load_material(path: str | Path) -> Material:
    """The material in a TOML file; the module shows its entries.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is malformed; the message names it.
    """
    text = read_text(Path(path))
    try:
        return _material(tomllib.loads("\n".join(lines_of(text))))
    except Exception as error:  # any error that a file causes, invalid TOML included
        msg = f"{path}: {str(error)[:_MAX_QUOTE]}"
        raise ValueError(msg) from None


def _material(content: dict[str, Any]) -> Material:
    _check_entries("the file", content, ("board", "tiles"))
    board, tiles = content["board"], content["tiles"]
    _check_entries("[board]", board, ("start", "factors"))
    if not isinstance(tiles, dict):
        msg = "[tiles] must be a table"
        raise TypeError(msg)
    rows = _sequence("factors", board["factors"])
    for row in rows:
        if not isinstance(row, str) or not row.isascii() or not row.isdigit():
            msg = f"a row of factors must be a string of digits, not {row!r}"
            raise ValueError(msg)
    return Material(
        tuple(
            (ends, value) for ends, values in tiles.items() for value in _sequence(f"tiles {ends}", values)
        ),
        tuple(tuple(map(int, row)) for row in rows),
        board["start"],
    )


def _check_entries(where: str, table: Any, names: tuple[str, ...]) -> None:
    if not isinstance(table, dict) or set(table) != set(names):
        found = ", ".join(table) if isinstance(table, dict) else repr(table)
        msg = f"{where} must have the entries {' and '.join(names)}, not {found or 'none'}"
        raise ValueError(msg)
