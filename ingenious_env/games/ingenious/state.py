"""The row of a game of Ingenious: its fields, and the numbers and tables that kernels read in addition.

Letters: B games, P players, T sheets, C colours, N cells, K playable pairs, W 64-bit words (⌈K / 64⌉), R rack
size, Y tile types, M tiles in the game. `FIELDS` documents each field. `points`, `open_pairs` and `unplaced`
follow from the board and are kept up to date for speed. The fields that every move reads come first.

`shown` and `drawn_since` are public: q holds at most `drawn_since[p, q]` of the tiles `shown[p]`. Which of
two equal tiles was placed or shown again is not public, so `shown` takes the looser reading: a
tile that could have been one that was shown is removed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.rows import Field, RowLayout, Table
from ingenious_env.engine.state import CHOOSE, OVER, PLACE, GameState
from ingenious_env.games.ingenious.geometry import MAX_CELLS, MAX_PAIRS
from ingenious_env.games.ingenious.rules import MAX_PLAYERS, MAX_RACK, Rules
from ingenious_env.games.ingenious.tiles import EMPTY, MAX_COLOURS, MAX_TILES, tile_types

SWAP = CHOOSE
PHASES = ("place", "swap", "over")
OFF_BOARD = -1

NUMBERS = (
    "row_words",
    "num_players",
    "num_sheets",
    "num_colours",
    "num_cells",
    "board_size",  # cells, and one more for off the board
    "num_pairs",
    "num_placements",
    "placements_reciprocal",
    "num_choices",
    "num_words",
    "num_types",
    "one_hot_rows",
    "num_tiles",
    "rack_size",
    "counter_top",
    "last_space",
    "max_points",
    "has_bonus_plays",
    "has_swaps",
    "open_racks",
)

FIELDS = (
    Field("stream", "u8", (), "the game's own random stream; it orders the bag and each next deal"),
    Field("policy_key", "u8", (), "determines policies' random choices; derived from the game's seed"),
    Field("open_pairs", "u8", ("num_words",), "[W], bit k: both cells of pair k are empty"),
    Field("drawn", "u1", (), "tiles drawn from the bag and not put back"),
    Field("placed", "u1", (), "tiles on the board"),
    Field("turn", "u1", (), "completed turns"),
    Field("to_play", "u1", (), "the seat to move; at the end, the seat that made the last move"),
    Field("phase", "u1", (), "`PLACE`, `SWAP` (choose to swap or to keep) or `OVER`"),
    Field("plays_left", "u1", (), "placements owed in this turn, bonus plays included; else 0"),
    Field("held", "u1", (), "staged actions: 1 + the slot picked for the next placement, 0 for none"),
    Field("touched", "u1", (), "bit s: a tile of the first round touches start symbol s"),
    Field("swaps", "u1", (), "swaps made so far, at most 255"),
    Field("racks", "u1", ("num_players", "rack_size"), "[P, R]: tile types, ascending, then `NO_TILE`"),
    Field("scores", "i1", ("num_sheets", "num_colours"), "[T, C]: the counters, 0 to the last space"),
    Field("board", "i1", ("board_size",), "[N + 1]: 0 empty, 1 to C the colour; the last is `OFF_BOARD`"),
    Field(
        "points", "u1", ("num_colours", "num_cells"), "[C, N]: what half a tile would score; 0 on taken cells"
    ),
    Field("unplaced", "u1", ("num_types",), "[Y]: tiles of each type not on the board"),
    Field("bag", "u1", ("num_tiles",), "[M]: tile types in drawing order, from `drawn` on; 0 before that"),
    Field(
        "shown",
        "u1",
        ("num_players", "num_types"),
        "[P, Y]: tiles shown in the latest swap, not placed since",
    ),
    Field("drawn_since", "u1", ("num_players", "num_players"), "[p, q]: tiles q drew since p's latest swap"),
)

TABLES = (
    Table("neighbours", "i2", ("board_size", 6)),
    Table("pair_cells", "i2", ("num_pairs", 2)),
    Table("pair_touches", "i2", ("num_pairs",)),
    Table("type_low", "i2", ("num_types",)),
    Table("type_high", "i2", ("num_types",)),
    Table("type_ways", "i2", (NO_TILE + 1,)),
    Table("type_colours", "i2", ("num_types",)),
    Table("sheet_of_seat", "i2", ("num_players",)),
    Table("pairs_of_cell", "u8", ("num_cells", "num_words")),
    Table("pairs_at_symbol", "u8", (6, "num_words")),
    Table("type_one_hot", "u8", ("one_hot_rows", 2)),
    Table("spread", "u8", (256,)),
    Table("fresh_row", "u8", ("row_words",)),
)

LARGEST = {
    "num_players": MAX_PLAYERS,
    "num_sheets": MAX_PLAYERS,
    "num_colours": MAX_COLOURS,
    "num_cells": MAX_CELLS,
    "board_size": MAX_CELLS + 1,
    "num_words": MAX_PAIRS // 64 + 1,
    "num_types": len(tile_types(MAX_COLOURS)),
    "num_tiles": MAX_TILES,
    "rack_size": MAX_RACK,
}

LAYOUT = RowLayout("ingenious", numbers=NUMBERS, fields=FIELDS, tables=TABLES, largest=LARGEST)


def num_words(rules: Rules) -> int:
    """64-bit words that hold one bit for each playable pair, W."""
    return -(-rules.geometry.num_pairs // 64)


def write_fresh_row(state: GameState) -> None:
    """Make the rows those of games before anything is drawn: the bag in type order, the streams unset."""
    rules: Rules = state.rules
    state.board[:, -1] = OFF_BOARD
    for cell, colour in zip(rules.geometry.symbol_cells, rules.start_symbols.values(), strict=True):
        state.board[:, cell] = colour
    derive(state)
    state.racks[:] = NO_TILE
    state.bag[:] = np.repeat(np.arange(len(rules.tile_counts)), rules.tile_counts)
    state.unplaced[:] = rules.tile_counts
    state.plays_left[:] = 1


def derive(state: GameState) -> None:
    """Set `points` and `open_pairs` from the boards, slowly and simply."""
    rules: Rules = state.rules
    geometry, colours = rules.geometry, np.arange(1, rules.num_colours + 1)
    boards = state.board[:, :-1]
    empty = boards == EMPTY
    pair_is_open = empty[:, geometry.pairs].all(axis=2)
    padded = np.zeros((state.num_games, 64 * num_words(rules)), dtype=np.uint8)
    padded[:, : geometry.num_pairs] = pair_is_open
    state.open_pairs[:] = np.packbits(padded, axis=1, bitorder="little").view("<u8")
    state.points[:] = 0
    for row, board in enumerate(state.board):
        for cell in np.flatnonzero(empty[row]):
            for colour in colours:
                state.points[row, colour - 1, cell] = _line_points(
                    board, geometry.neighbours, int(cell), int(colour)
                )


def _line_points(board: NDArray[np.int8], neighbours: NDArray[np.int16], start: int, colour: int) -> int:
    """Consecutive cells of the colour in all six directions from an empty cell (RULES.md 4.1).

    The direction of the tile's other half may be counted too: its cell is still empty.
    """
    points = 0
    for direction in range(6):
        cell = neighbours[start, direction]
        while board[cell] == colour:
            points += 1
            cell = neighbours[cell, direction]
    return points


__all__ = [
    "EMPTY",
    "LAYOUT",
    "NO_TILE",
    "OFF_BOARD",
    "OVER",
    "PHASES",
    "PLACE",
    "SWAP",
    "GameState",
    "derive",
]
