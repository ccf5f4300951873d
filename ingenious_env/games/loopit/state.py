"""The row of a game of Loopit: its fields, and the numbers and tables that kernels read in addition.

Letters: B games, P players, N cells, K patterns (distinct sets of line ends), W 64-bit words (⌈N / 64⌉), R
rack size, Y tile types, M tiles. `fits`, `needs`, `ends`, `values` and `left` follow from the other fields
and are kept up to date for speed.
"""

from __future__ import annotations

import numpy as np

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.rows import Field, RowLayout, Table
from ingenious_env.engine.state import CHOOSE, OVER, PLACE, GameState
from ingenious_env.games.loopit.material import (
    MAX_PATTERNS,
    MAX_SIDE,
    MAX_TILES,
    MAX_TYPES,
    Material,
    ends_to_bits,
)
from ingenious_env.games.loopit.rules import MAX_OUT, MAX_PLAYERS, MAX_RACK, Rules

PHASES = ("lay", "throw", "over")
OFF_BOARD = 255
TILE_INPUTS = 5
"""Entries of an observation for a tile of the rack: four line ends and the value."""
MAX_ENTRY = 127  # where an int8 stops
EMPTY = 0

NUMBERS = (
    "row_words",
    "num_players",
    "num_sheets",
    "num_cells",
    "board_size",  # cells, and one more for off the board
    "num_placements",
    "placements_reciprocal",
    "num_choices",
    "num_words",
    "num_types",
    "num_patterns",
    "num_tiles",
    "num_out",
    "rack_size",
    "tiles_per_turn",
    "last_turn",  # after which the game ends, 0 for none
    "start_cell",
)

FIELDS = (
    Field("stream", "u8", (), "the game's own random stream; it orders the bag and each next deal"),
    Field("policy_key", "u8", (), "determines policies' random choices; derived from the game's seed"),
    Field(
        "fits",
        "u8",
        ("num_patterns", "num_words"),
        "[K, W], bit k: tiles of the pattern may be laid on cell k",
    ),
    Field("turn", "i4", (), "completed turns, those passed with an empty rack included"),
    Field("scores", "i4", ("num_players",), "[P]"),
    Field("drawn", "u1", (), "tiles drawn from the bag and not put back, those put out included"),
    Field("placed", "u1", (), "tiles on the board, the first one included"),
    Field("to_play", "u1", (), "the seat to move; at the end, the seat that made the last move"),
    Field("phase", "u1", (), "`PLACE`, `CHOOSE` (to throw the rack back or to keep it) or `OVER`"),
    Field("laid", "u1", (), "tiles laid in this turn"),
    Field("held", "u1", (), "staged actions: 1 + the slot picked for the next tile, 0 for none"),
    Field("racks", "u1", ("num_players", "rack_size"), "[P, R]: tile types, ascending, then `NO_TILE`"),
    Field(
        "board", "u1", ("board_size",), "[N + 1]: 0 empty, or 1 + the tile's type; the last is `OFF_BOARD`"
    ),
    Field("ends", "u1", (4, "num_cells"), "[4, N]: 1 where the tile on the cell has a line end N, E, S, W"),
    Field("values", "u1", ("board_size",), "[N + 1]: the value of the tile on the cell, 0 for none"),
    Field(
        "needs",
        "u1",
        ("num_cells",),
        "[N]: of an empty cell, bits 0 to 3: ends that a tile there must have, bits 4 to 7: must not have",
    ),
    Field("unplaced", "u1", ("num_types",), "[Y]: tiles of each type not on the board"),
    Field("left", "u1", ("num_patterns",), "[K]: tiles of each pattern on racks and in the bag"),
    Field("out", "u1", (MAX_OUT,), "types of the tiles put out of the game, ascending, then `NO_TILE`"),
    Field("bag", "u1", ("num_tiles",), "[M]: tile types in drawing order, from `drawn` on; 0 before that"),
)

TABLES = (
    Table("neighbours", "i2", ("board_size", 4)),
    Table("type_ends", "i2", ("num_types",)),
    Table("type_value", "i2", ("num_types",)),
    Table("type_pattern", "i2", ("num_types",)),
    Table("factors", "i2", ("num_cells",)),
    Table("patterns_allowed", "i2", (256,)),
    Table("spread", "u8", (256,)),
    Table("type_inputs", "u8", ("num_types",)),
    Table("fresh_row", "u8", ("row_words",)),
)

LARGEST = {
    "num_players": MAX_PLAYERS,
    "num_cells": MAX_SIDE**2,
    "board_size": MAX_SIDE**2 + 1,
    "num_words": MAX_SIDE**2 // 64 + 1,
    "num_types": MAX_TYPES,
    "num_patterns": MAX_PATTERNS,
    "num_tiles": MAX_TILES,
    "rack_size": MAX_RACK,
}

LAYOUT = RowLayout("loopit", numbers=NUMBERS, fields=FIELDS, tables=TABLES, largest=LARGEST)


def num_words(rules: Rules) -> int:
    """64-bit words that hold one bit for each cell, W."""
    return -(-rules.material.num_cells // 64)


def patterns_allowed(material: Material) -> list[int]:
    """By the needs of an empty cell, bit k: tiles of pattern k may be laid there (LOOPIT.md 3.2)."""
    allowed = []
    for needs in range(256):
        wanted, barred = needs & 15, needs >> 4
        fitting = [wanted and bits & wanted == wanted and not bits & barred for bits in material.patterns]
        allowed.append(sum(1 << k for k, fits in enumerate(fitting) if fits))
    return allowed


def write_fresh_row(state: GameState) -> None:
    """Make the rows those of games before anything is drawn: the bag in type order, the streams unset."""
    rules: Rules = state.rules
    material = rules.material
    state.board[:, -1] = OFF_BOARD
    state.racks[:] = NO_TILE
    state.out[:] = NO_TILE
    state.bag[:] = np.repeat(np.arange(len(material.types)), material.counts)
    state.unplaced[:] = material.counts
    derive(state)


def derive(state: GameState) -> None:
    """Set `fits`, `needs`, `ends`, `values` and `left` from the other fields, slowly and simply."""
    rules: Rules = state.rules
    material, words = rules.material, num_words(rules)
    allowed = patterns_allowed(material)
    state.ends[:], state.values[:], state.needs[:], state.left[:] = 0, 0, 0, 0
    for row, board in enumerate(state.board[:, :-1]):
        for cell in np.flatnonzero(board):
            ends, value = material.types[board[cell] - 1]
            state.values[row, cell] = value
            state.ends[row, :, cell] = [ends_to_bits(ends) >> direction & 1 for direction in range(4)]
        fits = np.zeros((len(material.patterns), 64 * words), np.uint8)
        for cell in np.flatnonzero(board == EMPTY):
            for direction, beyond in enumerate(material.neighbours[cell]):
                off = beyond == material.num_cells
                if off or board[beyond]:
                    joined = not off and state.ends[row, direction ^ 2, beyond]
                    state.needs[row, cell] |= 1 << direction if joined else 16 << direction
            fits[:, cell] = allowed[state.needs[row, cell]] >> np.arange(len(material.patterns)) & 1
        state.fits[row] = np.packbits(fits, axis=1, bitorder="little").view("<u8")
        for tile, (ends, _) in enumerate(material.types):
            out = int((state.out[row] == tile).sum())
            state.left[row, material.patterns.index(ends_to_bits(ends))] += state.unplaced[row, tile] - out


__all__ = ["CHOOSE", "LAYOUT", "NO_TILE", "OFF_BOARD", "OVER", "PHASES", "PLACE", "GameState", "derive"]
