"""The rules of Squares as data, and the row of a game.

Squares is played by two on a board of 4 × 4 squares with tiles of four colours. A turn: place a tile of the
rack on an empty square, for a point and another for each neighbour of its colour, and draw. Who scored
three points or more chooses to stop, or to place again. The higher score wins once the board is full.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.rows import Field, RowLayout, Table
from ingenious_env.engine.checks import check_index
from ingenious_env.engine.state import GameState

LETTERS = "rgby"
CHOICES = ("stop", "again")
NUMBERS = (
    "row_words",
    "num_players",
    "num_types",
    "num_tiles",
    "rack_size",
    "num_placements",
    "placements_reciprocal",
    "num_choices",
)
FIELDS = (
    Field("stream", "u8"),
    Field("policy_key", "u8"),
    *(Field(name, "u1") for name in ("drawn", "placed", "turn", "to_play", "phase", "held")),
    Field("racks", "u1", ("num_players", "rack_size")),
    Field("scores", "i1", ("num_players", 1)),
    Field("board", "u1", (17,), "0 for an empty square, or 1 + the colour; the last is off the board"),
    Field("bag", "u1", ("num_tiles",)),
)
TABLES = (Table("fresh_row", "u8", ("row_words",)), Table("neighbours", "i2", (16, 4)))
LAYOUT = RowLayout("squares", numbers=NUMBERS, fields=FIELDS, tables=TABLES)


@dataclass(frozen=True)
class Rules:
    """A variant: the size of racks."""

    rack_size: int = 2
    num_players: int = 2
    num_sheets = 2

    def __post_init__(self):
        check_index("rack_size", self.rack_size, 1, 4)
        check_index("num_players", self.num_players, 2, 2)

    def sheet_of(self, player):
        return player


def neighbours():
    """The neighbours of each square, 16 for none."""
    around = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    cells = [(row + dr, column + dc) for row in range(4) for column in range(4) for dr, dc in around]
    return np.array([4 * r + c if r in range(4) and c in range(4) else 16 for r, c in cells]).reshape(16, 4)


@cache
def describe(rules):
    numbers = {
        "num_players": 2,
        "num_types": 4,
        "num_tiles": 24,
        "rack_size": rules.rack_size,
        "num_placements": 16,
        "placements_reciprocal": 2**32 // 16,
        "num_choices": 2,
    }
    dtype = LAYOUT.dtype(numbers)
    memory = np.zeros((1, dtype.itemsize // 8), np.uint64)
    state = GameState(rules, memory, dtype)
    state.racks[:] = NO_TILE
    state.board[:, 16] = 255
    state.bag[:] = np.repeat(np.arange(4), 6)
    tables = {"fresh_row": memory[0], "neighbours": neighbours()}
    return LAYOUT.describe(numbers | {"row_words": memory.shape[1]}, tables)
