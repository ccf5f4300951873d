"""The rules of Squares as data, and the row of a game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.games import ActionSpace, Description, Field, GameState, RowLayout, Table, check_index

SIDE = 4
COLOURS = ("red", "green", "blue", "yellow")
LETTERS = "".join(colour[0] for colour in COLOURS)
TILES_OF_A_COLOUR = 6
CHOICES = ("stop", "again")
SQUARES = SIDE * SIDE
OUTSIDE = SQUARES
"""The index of a neighbour that is off the board."""
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
    Field(
        "board", "u1", (SQUARES + 1,), "0 for an empty square, or 1 + the colour; the last is off the board"
    ),
    Field("bag", "u1", ("num_tiles",)),
)
TABLES = (Table("fresh_row", "u8", ("row_words",)), Table("neighbours", "i2", (SQUARES, 4)))
LAYOUT = RowLayout("squares", numbers=NUMBERS, fields=FIELDS, tables=TABLES)


@dataclass(frozen=True)
class Rules:
    """A variant: the size of racks."""

    rack_size: int = 2
    num_players: int = 2
    num_sheets: ClassVar[int] = 2

    def __post_init__(self) -> None:
        """Check the options: ValueError says what is allowed."""
        check_index("rack_size", self.rack_size, 1, 4)
        check_index("num_players", self.num_players, 2, 2)

    def sheet_of(self, player: int) -> int:
        """The score sheet of a player."""
        return player


def neighbours() -> NDArray[np.int16]:
    """Int16 [N, 4], the squares next to each square, `OUTSIDE` for none."""
    around = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    found = np.full((SQUARES, 4), OUTSIDE, np.int16)
    for square in range(SQUARES):
        for direction, (rows, columns) in enumerate(around):
            row, column = square // SIDE + rows, square % SIDE + columns
            if row in range(SIDE) and column in range(SIDE):
                found[square, direction] = SIDE * row + column
    return found


def actions(rules: Rules, *, staged: bool = False) -> ActionSpace:
    """The numbering of actions: each slot of the rack on each square, then the choices."""
    return ActionSpace(rules.rack_size, SQUARES, CHOICES, staged)


@cache
def describe(rules: Rules) -> Description:
    """The numbers and tables of a variant, with the row that each game begins as."""
    numbers = {
        **actions(rules).numbers,
        "num_players": rules.num_players,
        "num_types": len(COLOURS),
        "num_tiles": TILES_OF_A_COLOUR * len(COLOURS),
    }
    dtype = LAYOUT.dtype(numbers)
    memory = np.zeros((1, dtype.itemsize // 8), np.uint64)
    state = GameState(rules, memory, dtype)
    state.racks[:] = NO_TILE
    state.board[:, OUTSIDE] = 255
    state.bag[:] = np.repeat(np.arange(len(COLOURS)), TILES_OF_A_COLOUR)
    tables = {"fresh_row": memory[0], "neighbours": neighbours()}
    return LAYOUT.describe(numbers | {"row_words": memory.shape[1]}, tables)
