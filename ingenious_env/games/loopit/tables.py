"""The numbers and tables of a variant for kernels; `state.py` declares their names and shapes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.bitsets import spread_table
from ingenious_env.compiled.rows import WORD_BYTES, Description
from ingenious_env.engine.definition import MOST_VARIANTS
from ingenious_env.engine.state import GameState
from ingenious_env.games.loopit.material import ends_to_bits
from ingenious_env.games.loopit.moves import action_space
from ingenious_env.games.loopit.rules import Rules
from ingenious_env.games.loopit.state import LAYOUT, num_words, patterns_allowed, write_fresh_row


def describe(rules: Rules) -> Description:
    """The numbers and tables of a variant."""
    material, fresh = rules.material, fresh_row(rules)
    bits = np.array([ends_to_bits(ends) for ends, _ in material.types])
    values = np.array([value for _, value in material.types])
    tables = {
        "neighbours": material.neighbours,
        "type_ends": bits,
        "type_value": values,
        "type_pattern": np.searchsorted(material.patterns, bits),
        "factors": np.ravel(material.factors),
        "patterns_allowed": np.array(patterns_allowed(material)),
        "spread": spread_table(),
        "type_inputs": _inputs(bits, values),
        "fresh_row": fresh,
    }
    return LAYOUT.describe(_numbers(rules) | {"row_words": len(fresh)}, tables)


def _inputs(bits: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.uint64]:
    """[Y]: a tile as an observation shows it, eight bytes: its four ends, its value and zeros."""
    rows = np.zeros((len(bits), 8), np.uint8)
    rows[:, :4] = bits[:, None] >> np.arange(4) & 1
    rows[:, 4] = values
    return rows.view("<u8")[:, 0]


def _numbers(rules: Rules) -> dict[str, int]:
    """All numbers except `row_words`, which is derived from them."""
    material = rules.material
    return {
        **action_space(rules, staged=False).numbers,
        "num_players": rules.num_players,
        "num_sheets": rules.num_sheets,
        "num_cells": material.num_cells,
        "board_size": material.num_cells + 1,
        "num_words": num_words(rules),
        "num_types": len(material.types),
        "num_patterns": len(material.patterns),
        "num_tiles": rules.num_tiles,
        "num_out": rules.num_out,
        "tiles_per_turn": rules.tiles_per_turn,
        "last_turn": rules.num_rounds * rules.num_players,
        "start_cell": material.cell(material.start),
    }


@lru_cache(MOST_VARIANTS)
def fresh_row(rules: Rules) -> NDArray[np.uint64]:
    """A row before anything is drawn, uint64 [words of a row], read-only."""
    dtype = LAYOUT.dtype(_numbers(rules) | {"row_words": 0})
    memory = np.zeros((1, dtype.itemsize // WORD_BYTES), np.uint64)
    write_fresh_row(GameState(rules, memory, dtype))
    memory.flags.writeable = False
    return np.asarray(memory[0])
