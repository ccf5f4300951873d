"""Consistency checks of positions: all derived values are recomputed, slowly, and compared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ingenious_env.engine.state import GameState
from ingenious_env.errors import InconsistentStateError
from ingenious_env.games.loopit.material import ends_to_bits
from ingenious_env.games.loopit.rules import Rules
from ingenious_env.games.loopit.state import CHOOSE, NO_TILE, OFF_BOARD, OVER, PLACE, derive
from ingenious_env.languages import Texts

TEXTS = Texts(
    {
        "no start": "the start square {start} must have a tile",
        "edge": "the tile on {square} has a line end on the board's edge",
        "no match": "the tiles on {square} and {other} do not match",
        "apart": "the tile on {square} is not joined to the others",
        "scored": "no player can have scored before a tile was laid",
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
    for find in (_tiles, _derived, _board, _racks, _scores, _progress):
        found = list(find(state))
        yield from found
        if found:
            return  # the later checks rely on the earlier ones


def _tiles(state: GameState) -> Iterator[str]:
    rules: Rules = state.rules
    material, types = rules.material, len(rules.material.types)
    board, bag, racks, out = state.board[0], state.bag[0], state.racks[0], state.out[0]
    if board[-1] != OFF_BOARD:
        yield "the entry after the board is not off the board"
    if state.drawn[0] > rules.num_tiles or bag[: state.drawn[0]].any():
        yield "the part of the bag that has been drawn must be 0"
        return
    on_racks, put_out, in_bag = racks[racks != NO_TILE], out[out != NO_TILE], bag[state.drawn[0] :]
    laid = board[:-1][board[:-1] > 0] - 1
    if max([0, *on_racks, *put_out, *in_bag, *laid]) >= types:
        yield f"tile types are 0 to {types - 1}"
        return
    if (
        len(put_out) != rules.num_out
        or (put_out != out[: len(put_out)]).any()
        or (np.diff(put_out.astype(np.int64)) < 0).any()
    ):
        yield f"{rules.num_out} tiles must be out of the game, in order"
    unplaced = np.bincount([*on_racks, *put_out, *in_bag], minlength=types)
    if not np.array_equal(unplaced, state.unplaced[0]):
        yield "the tiles on racks, in the bag and put out are not those that are not on the board"
    if not np.array_equal(unplaced + np.bincount(laid, minlength=types), material.counts):
        yield "the tiles are not those of the game"
    if len(laid) != state.placed[0]:
        yield f"{len(laid)} tiles are on the board, not {state.placed[0]}"


def _derived(state: GameState) -> Iterator[str]:
    again = GameState(state.rules, state.memory.copy())
    derive(again)
    for name in ("fits", "needs", "ends", "values", "left"):
        if not np.array_equal(getattr(state, name), getattr(again, name)):
            yield f"{name} does not follow from the board and the tiles"


def _board(state: GameState) -> Iterator[str]:
    """Tiles match, and all lines are connected with the first tile."""
    rules: Rules = state.rules
    material, board = rules.material, state.board[0, :-1]
    start = material.cell(material.start)
    if not board[start]:
        yield TEXTS["no start"].format(start=material.start)
        return
    reached, waiting = {start}, [start]
    while waiting:
        cell = waiting.pop()
        bits = ends_to_bits(material.types[board[cell] - 1][0])
        for direction, beyond in enumerate(material.neighbours[cell].tolist()):
            off, has_end = beyond == material.num_cells, bits >> direction & 1
            if off and has_end and cell != start:
                yield TEXTS["edge"].format(square=material.square(cell))
            if off or not board[beyond]:
                continue
            its_bits = ends_to_bits(material.types[board[beyond] - 1][0])
            if has_end != its_bits >> (direction ^ 2) & 1:
                yield TEXTS["no match"].format(square=material.square(cell), other=material.square(beyond))
            elif has_end and beyond not in reached:
                reached.add(beyond)
                waiting.append(beyond)
    separate = set(np.flatnonzero(board).tolist()) - reached
    if separate:
        yield TEXTS["apart"].format(square=material.square(min(separate)))


def _racks(state: GameState) -> Iterator[str]:
    rules: Rules = state.rules
    bag_is_empty = state.drawn[0] == rules.num_tiles
    if state.to_play[0] >= rules.num_players:
        yield f"to_play must be from 0 to {rules.num_players - 1}, not {state.to_play[0]}"
        return
    for seat, rack in enumerate(state.racks[0]):
        if (np.diff(rack.astype(np.int64)) < 0).any():
            yield f"the rack of seat {seat} is not sorted"
        tiles = int((rack != NO_TILE).sum())
        laid = int(state.laid[0]) if seat == state.to_play[0] else 0
        expected = max(0, rules.rack_size - laid)
        if not bag_is_empty and tiles != expected:
            yield f"the rack of seat {seat} must have {expected} tiles, not {tiles}"


def _scores(state: GameState) -> Iterator[str]:
    if state.scores.min() < 0:
        yield "scores must be at least 0"
    if state.placed[0] == 1 and state.scores.any():
        yield TEXTS["scored"]


def _progress(state: GameState) -> Iterator[str]:
    rules: Rules = state.rules
    phase, turn, laid = int(state.phase[0]), int(state.turn[0]), int(state.laid[0])
    mover, last = int(state.to_play[0]), rules.num_rounds * rules.num_players
    types, fits = rules.material.types, state.fits[0].any(axis=1)
    patterns = [rules.material.patterns.index(ends_to_bits(ends)) for ends, _ in types]
    rack = [int(tile) for tile in state.racks[0, mover] if tile != NO_TILE]
    lays = any(fits[patterns[tile]] for tile in rack)
    exhausted = not (fits & (state.left[0] > 0)).any()
    if phase not in (PLACE, CHOOSE, OVER):
        yield f"phase must be from 0 to 2, not {phase}"
    if turn < 0 or (last and turn > last):
        yield f"turn cannot be {turn}"
    if phase != OVER and mover != turn % rules.num_players:
        yield f"seat {turn % rules.num_players} must be to move in turn {turn}, not {mover}"
    if (phase == OVER) != ((exhausted and not laid) or (last > 0 and turn == last)):
        yield "the game is over just when nothing fits at the start of a turn or the last round is over"
    if phase == PLACE and not lays:
        yield "a seat that is to lay a tile must have one that fits"
    if phase == CHOOSE and (lays or not rack or laid):
        yield "only a seat that can lay no tile may throw its rack back"
    if laid >= rules.tiles_per_turn or (laid and phase != PLACE):
        yield f"{laid} tiles cannot have been laid in this turn"
    if state.placed[0] < 1 + laid or state.placed[0] > 1 + laid + rules.tiles_per_turn * turn:
        yield f"{state.placed[0]} tiles cannot be on the board in turn {turn}"
    held = int(state.held[0])
    usable = 0 < held <= len(rack) and fits[patterns[rack[held - 1]]]
    repeats = 1 < held <= len(rack) and rack[held - 1] == rack[held - 2]
    if held and (phase != PLACE or not usable or repeats):
        yield f"slot {held - 1} cannot be picked"
