"""The hexagonal board of side n: cells, directions, pairs and symmetries (RULES.md 1.3, 1.4, 8.1).

Everything here is a table, built once per side by slow and simple functions.

Cells are numbered in reading order; a board of side 3 (19 cells), with the directions round cell 9:

            0   1   2
          3   4   5   6              4   5
        7   8   9  10  11          3   *   0      * + direction 0 is the next cell of the row
         12  13  14  15              2   1
           16  17  18
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Cell = tuple[int, int]
_Number = TypeVar("_Number", np.int64, np.int16, np.uint8)

DIRECTIONS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Axial steps, clockwise from the right; direction d + 3 (mod 6) is the opposite."""

MIN_SIDE, MAX_SIDE = 3, 10
MAX_CELLS = 3 * MAX_SIDE * (MAX_SIDE - 1) + 1
MAX_PAIRS = 9 * MAX_SIDE**2 - 15 * MAX_SIDE + 6
"""Pairs of adjacent cells on the largest board, those with a start symbol's cell included (RULES.md 8.2)."""

NUM_SYMBOLS = 6
NUM_SYMMETRIES = 12
SYMBOL_SIDE = 6
"""Start symbols lie on the corners of the hexagon of this side, where the board has them (RULES.md 1.4)."""


@dataclass(frozen=True, eq=False)
class Geometry:
    """The tables of one board; letters: N cells, K playable pairs.

    Attributes:
        side: cells along an edge, n.
        cells: int64 [N, 2], axial (q, r) of each cell, in reading order.
        index: cell number of each (q, r).
        neighbours: int16 [N + 1, 6], the next cell in each direction; N stands for off the board, and all
            entries of row N are N.
        symbol_cells: the numbers of the six cells with a start symbol, clockwise from the top left.
        pairs: int16 [K, 2], every two adjacent cells that can ever hold a tile, each pair once with the
            smaller number first, sorted.
        touches: uint8 [K], bit s set where the pair touches start symbol s (RULES.md 3.2).
        symmetries: int16 [12, N], cell number to which each cell is mapped; 0–5 turn the board clockwise by
            that many sixths, 6–11 mirror it first.
    """

    side: int
    cells: NDArray[np.int64]
    index: dict[Cell, int]
    neighbours: NDArray[np.int16]
    symbol_cells: tuple[int, ...]
    pairs: NDArray[np.int16]
    touches: NDArray[np.uint8]
    symmetries: NDArray[np.int16]

    @property
    def num_cells(self) -> int:
        """Number of cells, N."""
        return len(self.cells)

    @property
    def num_pairs(self) -> int:
        """Number of pairs that can ever hold a tile, K."""
        return len(self.pairs)


def hexagon(side: int) -> list[Cell]:
    """The cells of a hexagon of this side in reading order, centre (0, 0)."""
    reach = range(-side + 1, side)
    return [(q, r) for r in reach for q in reach if abs(q + r) < side]


def corners(side: int) -> list[Cell]:
    """The six corners of a hexagon of this side, clockwise from the top left (RULES.md 8.1)."""
    n = side - 1
    return [(0, -n), (n, -n), (n, 0), (0, n), (-n, n), (-n, 0)]


def adjacent_pairs(cells: list[Cell]) -> list[tuple[Cell, Cell]]:
    """Every unordered pair of adjacent cells among these, in the order of the cells."""
    there = set(cells)
    ahead = DIRECTIONS[:3]  # half of the six directions finds each pair once, from its earlier cell
    return [((q, r), (q + dq, r + dr)) for q, r in cells for dq, dr in ahead if (q + dq, r + dr) in there]


def turn(cell: Cell) -> Cell:
    """The cell rotated by a sixth of a turn clockwise about the centre."""
    q, r = cell
    return -r, q + r


def mirror(cell: Cell) -> Cell:
    """The cell reflected in the axis q = r."""
    return cell[1], cell[0]


@cache
def geometry(side: int) -> Geometry:
    """The tables of the board of this side, built at first use."""
    cells = hexagon(side)
    index = {cell: number for number, cell in enumerate(cells)}
    symbols = corners(min(side, SYMBOL_SIDE))
    free = [cell for cell in cells if cell not in symbols]
    pairs = sorted((index[a], index[b]) for a, b in adjacent_pairs(free))
    neighbours = _neighbours(cells, index)
    symbol_cells = tuple(index[cell] for cell in symbols)
    return Geometry(
        side=side,
        cells=_locked(cells, np.int64),
        index=index,
        neighbours=neighbours,
        symbol_cells=symbol_cells,
        pairs=_locked(pairs, np.int16),
        touches=_locked([_touched_symbols(pair, symbol_cells, neighbours) for pair in pairs], np.uint8),
        symmetries=_symmetries(cells, index),
    )


def _locked(values: Sequence[object], dtype: type[_Number]) -> NDArray[_Number]:
    """A read-only array, as it is shared."""
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


def _neighbours(cells: list[Cell], index: dict[Cell, int]) -> NDArray[np.int16]:
    off_board = len(cells)
    rows = [[index.get((q + dq, r + dr), off_board) for dq, dr in DIRECTIONS] for q, r in cells]
    return _locked([*rows, [off_board] * 6], np.int16)


def _touched_symbols(
    pair: tuple[int, int], symbol_cells: tuple[int, ...], neighbours: NDArray[np.int16]
) -> int:
    around = {int(cell) for end in pair for cell in neighbours[end]}
    return sum(1 << number for number, cell in enumerate(symbol_cells) if cell in around)


def _symmetries(cells: list[Cell], index: dict[Cell, int]) -> NDArray[np.int16]:
    rows = []
    for start in (cells, [mirror(cell) for cell in cells]):
        images = start
        for _ in range(6):
            rows.append([index[cell] for cell in images])
            images = [turn(cell) for cell in images]
    return _locked(rows, np.int16)
