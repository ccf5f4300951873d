"""The numbers and tables of a variant for kernels; `state.py` declares their names and shapes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.bitsets import spread_table
from ingenious_env.compiled.rows import WORD_BYTES, Description
from ingenious_env.engine.definition import MOST_VARIANTS
from ingenious_env.engine.state import GameState
from ingenious_env.games.ingenious.moves import IngeniousActions
from ingenious_env.games.ingenious.rules import Rules
from ingenious_env.games.ingenious.state import LAYOUT, num_words, write_fresh_row
from ingenious_env.games.ingenious.tiles import tile_types


def describe(rules: Rules) -> Description:
    """The numbers and tables of a variant."""
    geometry, numbers = rules.geometry, _numbers(rules)
    types = np.array(tile_types(rules.num_colours), dtype=np.int16) - 1
    low, high = types.T
    fresh = fresh_row(rules)
    tables = {
        "neighbours": geometry.neighbours,
        "pair_cells": geometry.pairs,
        "pair_touches": geometry.touches,
        "type_low": low,
        "type_high": high,
        "type_ways": _ways(types),
        "type_colours": np.int16(1) << low | np.int16(1) << high,
        "sheet_of_seat": np.arange(rules.num_players) % rules.num_sheets,
        "pairs_of_cell": _pairs_of_cell(rules),
        "pairs_at_symbol": _pairs_at_symbol(rules),
        "type_one_hot": _one_hot(types),
        "spread": spread_table(),
        "fresh_row": fresh,
    }
    return LAYOUT.describe(numbers | {"row_words": len(fresh)}, tables)


def _ways(types: NDArray[np.int16]) -> NDArray[np.int16]:
    """[256]: the ways to lay a tile of the type on a pair; 0 for `NO_TILE`."""
    ways = np.zeros(NO_TILE + 1, np.int16)
    ways[: len(types)] = np.where(types[:, 0] == types[:, 1], 1, 2)
    return ways


def _one_hot(types: NDArray[np.int16]) -> NDArray[np.uint64]:
    """[types + 1, 2]: a type's low and high colour, one-hot, as sixteen bytes; the last row is 0."""
    num_types, num_colours = len(types), int(types.max()) + 1
    rows = np.zeros((num_types + 1, 16), np.uint8)
    for place in range(2):
        rows[np.arange(num_types), place * num_colours + types[:, place]] = 1
    return rows.view("<u8")


def _bits(flags: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    """The rows of flags as little-endian bits in 64-bit words."""
    padded = np.zeros((len(flags), 64 * words), dtype=np.bool_)
    padded[:, : flags.shape[1]] = flags
    return np.packbits(padded, axis=1, bitorder="little").view("<u8")


def _pairs_of_cell(rules: Rules) -> NDArray[np.uint64]:
    """[N, W]: the pairs that a tile on the cell closes."""
    cells = np.arange(rules.geometry.num_cells)
    flags = (rules.geometry.pairs[None, :, :] == cells[:, None, None]).any(axis=2)
    return _bits(flags, num_words(rules))


def _pairs_at_symbol(rules: Rules) -> NDArray[np.uint64]:
    """[6, W]: the pairs that touch the start symbol."""
    flags = (rules.geometry.touches[None, :] >> np.arange(6)[:, None]) & 1
    return _bits(flags.astype(np.bool_), num_words(rules))


def _numbers(rules: Rules) -> dict[str, int]:
    """All numbers except `row_words`, which is derived from them."""
    geometry = rules.geometry
    num_types = len(tile_types(rules.num_colours))
    return {
        **IngeniousActions.of(rules, staged=False).numbers,
        "num_players": rules.num_players,
        "num_sheets": rules.num_sheets,
        "num_colours": rules.num_colours,
        "num_cells": geometry.num_cells,
        "board_size": geometry.num_cells + 1,
        "num_pairs": geometry.num_pairs,
        "num_words": num_words(rules),
        "num_types": num_types,
        "one_hot_rows": num_types + 1,
        "num_tiles": rules.num_tiles,
        "counter_top": rules.counter_top,
        "last_space": rules.last_space,
        "max_points": rules.max_points,
        "has_bonus_plays": int(rules.has_bonus_plays),
        "has_swaps": int(rules.has_swaps),
        "open_racks": int(rules.open_racks),
    }


@lru_cache(MOST_VARIANTS)
def fresh_row(rules: Rules) -> NDArray[np.uint64]:
    """The row of a game before anything is drawn, uint64 [words]: the bag in type order, the stream unset."""
    dtype = LAYOUT.dtype(_numbers(rules))
    memory = np.zeros((1, dtype.itemsize // WORD_BYTES), np.uint64)
    write_fresh_row(GameState(rules, memory, dtype))
    return np.asarray(memory[0])
