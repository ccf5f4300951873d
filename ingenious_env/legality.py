"""Why an action is illegal, in words; looked up once the compiled check has refused it."""

from __future__ import annotations

from typing import NoReturn

from ingenious_env.engine import GameBatch
from ingenious_env.errors import IllegalActionError
from ingenious_env.geometry import NUM_SYMBOLS
from ingenious_env.state import NO_TILE, OVER, SWAP


def refuse(batch: GameBatch, row: int, action: int) -> NoReturn:
    """Raise IllegalActionError with the reason, and with what is allowed instead."""
    reason = _reason(batch, row, action)
    where = f" in game {row}" if len(batch) > 1 else ""
    msg = f"action {action} is illegal{where}: {reason}"
    raise IllegalActionError(msg)


def _reason(batch: GameBatch, row: int, action: int) -> str:
    space, state = batch.actions, batch.state
    phase = int(state.phase[row])
    if phase == OVER:
        return "the game is over, and only -1 (no action) is allowed"
    if not 0 <= action < space.size:
        return f"actions are 0 to {space.size - 1}"
    if phase == SWAP:
        return f"this is the choice between {space.keep} (keep) and {space.swap} (swap)"
    if action >= space.keep:
        return "a tile must be placed now, there is no choice to swap"
    if not space.staged:
        slot, _, pair = space.split(action)
        return _placement_reason(batch, row, slot, pair)
    slots, held = batch.rules.rack_size, int(state.held[row])
    if action < slots:
        if held:
            return (
                f"slot {held - 1} is already picked; now say where its tile goes, {slots} to {space.keep - 1}"
            )
        return _slot_reason(batch, row, action)
    if not held:
        return f"first pick a slot, 0 to {slots - 1}"
    _, _, pair = space.split(action - slots)
    return _placement_reason(batch, row, held - 1, pair)


def _slot_reason(batch: GameBatch, row: int, slot: int) -> str:
    rack = batch.state.racks[row, batch.state.to_play[row]]
    if rack[slot] == NO_TILE:
        return f"slot {slot} of the rack is empty"
    if slot and rack[slot] == rack[slot - 1]:
        return f"slots {slot - 1} and {slot} hold equal tiles, and only the first of equals may be used"
    return ""


def _placement_reason(batch: GameBatch, row: int, slot: int, pair: int) -> str:
    state, geometry = batch.state, batch.rules.geometry
    reason = _slot_reason(batch, row, slot)
    if reason:
        return reason
    cells = geometry.pairs[pair]
    places = " and ".join(str(tuple(geometry.cells[cell].tolist())) for cell in cells)
    taken = [tuple(geometry.cells[cell].tolist()) for cell in cells if state.board[row, cell]]
    if taken:
        return f"cell {taken[0]} of the pair {places} is taken"
    if state.turn[row] < batch.rules.num_players and not _allowed_first(batch, row, pair):
        touched = [symbol for symbol in range(NUM_SYMBOLS) if state.touched[row] >> symbol & 1]
        symbols = list(batch.rules.start_symbols)
        barred = ", ".join(str(symbols[symbol]) for symbol in touched) or "none so far"
        return (
            "in the first round a tile must touch a start symbol, and none that an earlier tile touches; "
            f"the pair {places} does not (touched so far: {barred})"
        )
    return "a double has one orientation on a pair, the first"


def _allowed_first(batch: GameBatch, row: int, pair: int) -> bool:
    touches, touched = int(batch.rules.geometry.touches[pair]), int(batch.state.touched[row])
    return bool(touches) and not touches & touched
