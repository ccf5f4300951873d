"""Consistency checks of positions: all derived values are recomputed, slowly, and compared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.state import GameState
from ingenious_env.errors import InconsistentStateError
from ingenious_env.games.ingenious.state import NO_TILE, OFF_BOARD, OVER, PLACE, SWAP, derive
from ingenious_env.games.ingenious.tiles import EMPTY, tile_types
from ingenious_env.languages import Texts

TEXTS = Texts(
    {
        "over": "the game is over just when no pair is open or a sheet is full",
        "touched": "start symbol {symbol} must be touched in this first round",
    }
)
"""Faults of a position that somebody lays; pages without a server fill these sentences in, too."""


def check(state: GameState) -> None:
    """Raise InconsistentStateError with the first fault of a batch, if there is any."""
    for row in range(state.num_games):
        for problem in problems(GameState(state.rules, state.memory[row : row + 1])):
            msg = f"{problem} (game {row})" if state.num_games > 1 else problem
            raise InconsistentStateError(msg)


def problems(state: GameState) -> Iterator[str]:
    """All faults of a batch of one."""
    for find in (_board, _derived, _tiles, _racks, _scores, _progress, _swaps):
        found = list(find(state))
        yield from found
        if found:
            return  # the later checks rely on the earlier ones


def _board(state: GameState) -> Iterator[str]:
    board = state.board[0]
    if board[-1] != OFF_BOARD:
        yield "the entry after the board is not off the board"
    if board[:-1].min() < EMPTY or board[:-1].max() > state.rules.num_colours:
        yield f"a cell's colour must be from 0 to {state.rules.num_colours}"
    index = state.rules.geometry.index
    for cell, colour in state.rules.start_symbols.items():
        if board[index[cell]] != colour:
            yield f"the start symbol on cell {cell} must have colour {colour}, not {board[index[cell]]}"


def _derived(state: GameState) -> Iterator[str]:
    again = GameState(state.rules, state.memory.copy())
    derive(again)
    for name in ("open_pairs", "points"):
        if not np.array_equal(getattr(state, name), getattr(again, name)):
            yield f"{name} does not follow from the board"


def _tiles(state: GameState) -> Iterator[str]:
    rules = state.rules
    types = len(rules.tile_counts)
    bag, racks = state.bag[0], state.racks[0]
    in_bag = bag[state.drawn[0] :]
    on_racks = racks[racks != NO_TILE]
    if max([0, *in_bag, *on_racks]) >= types:
        yield f"tile types are 0 to {types - 1}"
        return
    if bag[: state.drawn[0]].any():
        yield "the part of the bag that has been drawn must be 0"
    unplaced = np.bincount([*in_bag, *on_racks], minlength=types)
    if not np.array_equal(unplaced, state.unplaced[0]):
        yield "the tiles on racks and in the bag are not those that are not on the board"
    placed = np.array(rules.tile_counts) - unplaced
    if (placed < 0).any():
        yield "there are more tiles of a type than the game has"
    if placed.sum() != state.placed[0]:
        yield f"{placed.sum()} tiles must be on the board, not {state.placed[0]}"
    if not np.array_equal(_halves(state, placed), _laid(state)):
        yield "the colours on the board are not those of the tiles that are missing from racks and bag"


def _halves(state: GameState, placed: NDArray[np.int64]) -> NDArray[np.int64]:
    """Halves of each colour on the tiles placed."""
    counts = np.zeros(state.rules.num_colours, np.int64)
    for (low, high), count in zip(tile_types(state.rules.num_colours), placed, strict=True):
        counts[low - 1] += count
        counts[high - 1] += count
    return counts


def _laid(state: GameState) -> NDArray[np.int64]:
    """Cells of each colour on the board, start symbols not counted."""
    colours = np.arange(1, state.rules.num_colours + 1)
    symbols = np.array(list(state.rules.start_symbols.values()))
    on_board = (state.board[0, :-1, None] == colours).sum(axis=0)
    return np.asarray(on_board - (symbols[:, None] == colours).sum(axis=0))


def _racks(state: GameState) -> Iterator[str]:
    rules = state.rules
    bag_is_empty = state.drawn[0] == rules.num_tiles
    if state.to_play[0] >= rules.num_players:
        yield f"to_play must be from 0 to {rules.num_players - 1}, not {state.to_play[0]}"
        return
    for seat, rack in enumerate(state.racks[0]):
        if (np.diff(rack.astype(np.int64)) < 0).any():
            yield f"the rack of seat {seat} is not sorted"
        waits = seat != state.to_play[0] or state.placed[0] == 0
        if waits and not bag_is_empty and rack[-1] == NO_TILE:
            yield f"the rack of seat {seat} must be full"


def _scores(state: GameState) -> Iterator[str]:
    last = state.rules.last_space
    if state.scores.min() < 0 or state.scores.max() > last:
        yield f"counters must be from 0 to {last}"


def _progress(state: GameState) -> Iterator[str]:
    rules = state.rules
    phase, plays_left, turn = int(state.phase[0]), int(state.plays_left[0]), int(state.turn[0])
    mover = int(state.to_play[0])
    rack = state.racks[0, mover]
    tiles = int((rack != NO_TILE).sum())
    full = (state.scores[0] == rules.last_space).all(axis=1)
    any_open = bool(state.open_pairs[0].any())
    if phase not in (PLACE, SWAP, OVER):
        yield f"phase must be from 0 to 2, not {phase}"
    if mover != turn % rules.num_players:
        yield f"seat {turn % rules.num_players} must be to move in turn {turn}, not {mover}"
    if state.placed[0] < turn + (phase == SWAP):
        yield f"{state.placed[0]} tiles on the board are too few for turn {turn}"
    if (phase == OVER) != (not any_open or full.any()):
        yield TEXTS["over"]
    if full.any() and not full[rules.sheet_of(mover)]:
        yield "only the sheet of the seat that moved last can have ended the game"
    if (phase == PLACE) != (plays_left > 0):
        yield f"plays_left cannot be {plays_left} in phase {phase}"
    if phase == PLACE and tiles == 0:
        yield "a seat that is to place a tile must have one"
    if plays_left > 1 + 2 * rules.num_colours:
        yield f"plays_left cannot be {plays_left}"
    held = int(state.held[0])
    repeats = 1 < held <= tiles and rack[held - 1] == rack[held - 2]
    if held and (phase != PLACE or held > tiles or repeats):
        yield f"slot {held - 1} cannot be picked"
    yield from _touched(state)


def _touched(state: GameState) -> Iterator[str]:
    geometry = state.rules.geometry
    occupied = {int(cell) for cell in np.flatnonzero(state.board[0, :-1])} - set(geometry.symbol_cells)
    for symbol, cell in enumerate(geometry.symbol_cells):
        adjacent = occupied & {int(other) for other in geometry.neighbours[cell]}
        if state.touched[0] >> symbol & 1 and not adjacent:
            yield f"start symbol {symbol} is said to be touched, but no tile is adjacent to it"
        if adjacent and state.turn[0] < state.rules.num_players and not state.touched[0] >> symbol & 1:
            yield TEXTS["touched"].format(symbol=symbol)
    if state.touched[0] >> len(geometry.symbol_cells):
        yield "there are only six start symbols"


def _swaps(state: GameState) -> Iterator[str]:
    rules, shown = state.rules, state.shown[0]
    if not state.swaps[0] and (shown.any() or state.drawn_since.any()):
        yield "nothing can have been shown without a swap"
    if (shown.sum(axis=1) > rules.rack_size).any() or (shown > state.unplaced[0]).any():
        yield "more tiles are said to be shown than can be"
    if state.phase[0] == SWAP and not _may_swap(state):
        yield "this seat may not swap"


def _may_swap(state: GameState) -> bool:
    """An independent implementation of RULES.md 6.1 and 6.3."""
    rules, mover = state.rules, int(state.to_play[0])
    counters = state.scores[0, rules.sheet_of(mover)]
    lowest = {int(colour) + 1 for colour in np.flatnonzero(counters == counters.min())}
    types = tile_types(rules.num_colours)
    tiles = [types[tile] for tile in state.racks[0, mover] if tile != NO_TILE]
    enough = rules.num_tiles - int(state.drawn[0]) >= rules.rack_size
    return rules.has_swaps and enough and bool(tiles) and not any(lowest & set(tile) for tile in tiles)
