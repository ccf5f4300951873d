"""What a compiled kernel needs to know of the rules: numbers, offsets and tables, in flat arrays.

A kernel takes the same few arrays whatever the rules, so each is compiled once, for all variants.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ingenious_env.rules import Rules
from ingenious_env.state import NO_TILE, fresh_row, num_words, row_dtype
from ingenious_env.tiles import tile_types


class Spec(NamedTuple):
    """The numbers of the rules, then where each field of a row and each table begins, then where these lie.

    Field offsets are in bytes from the row's start, those of the first three in words.
    """

    row_bytes: int
    num_players: int
    num_sheets: int
    num_colours: int
    num_cells: int
    num_pairs: int
    ways_reciprocal: int
    num_words: int
    num_types: int
    num_tiles: int
    rack_size: int
    counter_top: int
    last_space: int
    most_points: int
    has_bonus_plays: int
    has_swaps: int
    open_racks: int
    # fields of a row, in words
    stream: int
    policy_key: int
    open_pairs: int
    # fields of a row, in bytes
    drawn: int
    placed: int
    turn: int
    to_play: int
    phase: int
    plays_left: int
    held: int
    touched: int
    swaps: int
    racks: int
    scores: int
    board: int
    points: int
    unplaced: int
    bag: int
    shown: int
    drawn_since: int
    # tables of small numbers, int16
    neighbours: int
    pair_cells: int
    pair_touches: int
    type_low: int
    type_high: int
    type_ways: int
    type_colours: int
    sheet_of_seat: int
    # tables of words, uint64
    pairs_of_cell: int
    pairs_at_symbol: int
    type_one_hot: int
    spread: int
    fresh_row: int
    # addresses of the tables, and of a batch's games
    small: int
    wide: int
    games: int


class Tables(NamedTuple):
    """The arrays behind a `Spec`; in `spec` itself the address of the games is left open, 0."""

    spec: NDArray[np.int64]
    small: NDArray[np.int16]
    wide: NDArray[np.uint64]


@cache
def tables(rules: Rules) -> Tables:
    """The arrays for these rules, built at first use."""
    geometry = rules.geometry
    types = np.array(tile_types(rules.num_colours), dtype=np.int16) - 1
    small = {
        "neighbours": geometry.neighbours,
        "pair_cells": geometry.pairs,
        "pair_touches": geometry.touches.astype(np.int16),
        "type_low": types[:, 0],
        "type_high": types[:, 1],
        "type_ways": _ways(types),
        "type_colours": np.int16(1) << types[:, 0] | np.int16(1) << types[:, 1],
        "sheet_of_seat": np.arange(rules.num_players, dtype=np.int16) % rules.num_sheets * rules.num_colours,
    }
    wide = {
        "pairs_of_cell": _pairs_of_cell(rules),
        "pairs_at_symbol": _pairs_at_symbol(rules),
        "type_one_hot": _one_hot(types),
        "spread": _spread(),
        "fresh_row": fresh_row(rules),
    }
    fields: Mapping[str, Any] = row_dtype(rules).fields or {}
    in_words = ("stream", "policy_key", "open_pairs")
    offsets = {name: field[1] // (8 if name in in_words else 1) for name, field in fields.items()}
    del offsets["padding"]
    small_numbers, words = _flat(small), _flat(wide)
    spec = Spec(
        row_bytes=row_dtype(rules).itemsize,
        num_players=rules.num_players,
        num_sheets=rules.num_sheets,
        num_colours=rules.num_colours,
        num_cells=geometry.num_cells,
        num_pairs=geometry.num_pairs,
        ways_reciprocal=-(-(2**32) // (2 * geometry.num_pairs)),
        num_words=num_words(rules),
        num_types=len(types),
        num_tiles=rules.num_tiles,
        rack_size=rules.rack_size,
        counter_top=rules.counter_top,
        last_space=rules.last_space,
        most_points=rules.most_points,
        has_bonus_plays=int(rules.has_bonus_plays),
        has_swaps=int(rules.has_swaps),
        open_racks=int(rules.open_racks),
        **offsets,
        **_starts(small),
        **_starts(wide),
        small=_address(small_numbers),
        wide=_address(words),
        games=0,
    )
    return Tables(np.array(spec, dtype=np.int64), small_numbers, words)


def spec_of(rules: Rules, games: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The spec of a batch; it knows where the games lie and must not outlive them."""
    spec = tables(rules).spec.copy()
    spec[_GAMES] = _address(games)
    return spec


_GAMES = Spec._fields.index("games")


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


_N = TypeVar("_N", np.int16, np.uint64)


def _flat(parts: dict[str, NDArray[_N]]) -> NDArray[_N]:
    return np.concatenate([part.ravel() for part in parts.values()])


def _starts(parts: dict[str, NDArray[_N]]) -> dict[str, int]:
    starts, start = {}, 0
    for name, part in parts.items():
        starts[name] = start
        start += part.size
    return starts


def _ways(types: NDArray[np.int16]) -> NDArray[np.int16]:
    """[256]: the ways to lay a tile of the type on a pair; 0 for `NO_TILE`."""
    ways = np.zeros(NO_TILE + 1, np.int16)
    ways[: len(types)] = np.where(types[:, 0] == types[:, 1], 1, 2)
    return ways


def _one_hot(types: NDArray[np.int16]) -> NDArray[np.uint64]:
    """[types + 1, 2]: a type's low and high colour, one-hot, as sixteen bytes; the last row is no tile's."""
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


def _spread() -> NDArray[np.uint64]:
    """[256]: the eight bits of a byte as eight bytes."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    return bits.view("<u8")[:, 0]
