"""The board's tables against the figures of RULES.md 8.2 and against plain mathematics."""

import numpy as np
import pytest
from reference import adjacent_pairs, board_cells, count_pair_sequences, start_symbols

from ingenious_env import Rules
from ingenious_env.games.ingenious.geometry import DIRECTIONS, NUM_SYMMETRIES, geometry, hexagon
from ingenious_env.games.ingenious.geometry import adjacent_pairs as our_pairs


@pytest.mark.parametrize(
    ("side", "cells", "every", "free", "first", "by_symbol"),
    [(6, 91, 240, 222, 54, 9), (7, 127, 342, 306, 102, 17), (8, 169, 462, 426, 144, 24)],
)
def test_8_2_counts(side, cells, every, free, first, by_symbol):
    board = geometry(side)
    assert board.num_cells == cells
    assert len(our_pairs(hexagon(side))) == every
    assert board.num_pairs == free
    assert np.count_nonzero(board.touches) == first
    assert [np.count_nonzero(board.touches >> symbol & 1) for symbol in range(6)] == [by_symbol] * 6


@pytest.mark.parametrize("side", range(3, 11))
def test_tables_agree_with_the_reference(side):
    board = geometry(side)
    cells = [tuple(cell) for cell in board.cells.tolist()]
    assert set(cells) == board_cells(side)
    assert cells == sorted(cells, key=lambda cell: (cell[1], cell[0]))
    symbols = start_symbols(side, 6)
    assert Rules(board_side=side).start_symbols == symbols
    pairs = {frozenset(cells[cell] for cell in pair) for pair in board.pairs}
    assert pairs == adjacent_pairs(set(cells) - set(symbols))
    assert len(our_pairs(hexagon(side))) == 9 * side**2 - 15 * side + 6
    assert board.pairs.tolist() == sorted(board.pairs.tolist())
    assert (board.pairs[:, 0] < board.pairs[:, 1]).all()
    assert not board.cells.flags.writeable


@pytest.mark.parametrize("side", [3, 6, 10])
def test_neighbours_lead_back(side):
    board = geometry(side)
    off = board.num_cells
    for cell, place in enumerate(board.cells.tolist()):
        for direction, (dq, dr) in enumerate(DIRECTIONS):
            other = board.neighbours[cell, direction]
            assert board.index.get((place[0] + dq, place[1] + dr), off) == other
            assert other == off or board.neighbours[other, (direction + 3) % 6] == cell
    assert (board.neighbours[off] == off).all()


@pytest.mark.parametrize("side", [3, 6, 8])
def test_symmetries_are_the_twelve_that_keep_adjacency(side):
    board = geometry(side)
    maps = board.symmetries
    assert len({tuple(images) for images in maps.tolist()}) == NUM_SYMMETRIES
    pairs = {frozenset(pair) for pair in board.pairs.tolist()}
    for images in maps:
        assert sorted(images) == list(range(board.num_cells))
        assert {frozenset(images[list(pair)].tolist()) for pair in pairs} == pairs
    products = {tuple(first[second].tolist()) for first in maps for second in maps}
    assert products == {tuple(images) for images in maps.tolist()}


def test_symmetries_turn_clockwise_then_mirror():
    """The first six move each start symbol clockwise by their index; the rest reverse their order."""
    board = geometry(6)
    symbols = list(board.symbol_cells)
    for turns, images in enumerate(board.symmetries[:6].tolist()):
        assert [images[cell] for cell in symbols] == symbols[turns:] + symbols[:turns]
    for images in board.symmetries[6:].tolist():
        places = [symbols.index(images[cell]) for cell in symbols]
        assert [(places[k] - places[k - 1]) % 6 for k in range(6)] == [5] * 6


@pytest.mark.parametrize(
    ("side", "counts"), [(2, [12, 66, 120]), (3, [42, 1404, 36288])], ids=["side 2", "side 3"]
)
def test_pair_sequences_on_empty_boards(side, counts):
    """Perft layer 1: d! times the d-edge matchings of the board's graph."""
    assert len(our_pairs(hexagon(side))) == counts[0]
    assert [count_pair_sequences(set(hexagon(side)), depth) for depth in (1, 2, 3)] == counts
