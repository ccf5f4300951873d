"""Texts of the codes with which the compiled rules reject an action."""

from __future__ import annotations

from ingenious_env.compiled.placing import CHOICE_DUE, NOT_OFFERED, common_reason
from ingenious_env.engine.batch import GameBatch
from ingenious_env.games.loopit.kernels.legality import DOES_NOT_FIT, FITS_NOWHERE, SQUARE_TAKEN
from ingenious_env.games.loopit.material import DIRECTIONS, Tile
from ingenious_env.games.loopit.rules import Rules

_EDGES = dict(zip(DIRECTIONS, ("upper", "right", "lower", "left"), strict=True))


def reason(game: GameBatch, action: int, code: int) -> str:
    """The code of an illegal action in words; the game is a batch of one."""
    actions = game.actions
    choices = {name: actions.choice(name) for name in actions.choices}
    if code == CHOICE_DUE:
        throw, keep = choices["throw back"], choices["keep"]
        return f"no tile of the rack fits; this is the choice between {throw} (throw back) and {keep} (keep)"
    if code == NOT_OFFERED and action == choices["stop"]:
        return "to stop is allowed after a tile was laid in this turn"
    if code == NOT_OFFERED:
        return "a rack can only be thrown back or kept by a player who can lay no tile of it"
    if code not in (SQUARE_TAKEN, DOES_NOT_FIT, FITS_NOWHERE):
        return common_reason(game, action, code)
    material, held = game.rules.material, int(game.state.held[0])
    if code == FITS_NOWHERE:
        return f"tile {_tile(game, action)} fits nowhere now"
    slot, cell = actions.slot_and_placement(action, held)
    square = material.square(cell)
    if code == SQUARE_TAKEN:
        return f"square {square} is taken"
    return f"tile {_tile(game, slot)} does not fit on square {square}: {_misfit(game, slot, cell)}"


def _tile(game: GameBatch, slot: int) -> Tile:
    rules: Rules = game.rules
    return rules.material.types[game.state.racks[0, game.to_play[0], slot]]


def _misfit(game: GameBatch, slot: int, cell: int) -> str:
    """The first mismatch of a tile on an empty square (LOOPIT.md 3.2)."""
    ends, _ = _tile(game, slot)
    material, state = game.rules.material, game.state
    for direction, end in enumerate(DIRECTIONS):
        beyond = material.neighbours[cell, direction]
        if beyond == material.num_cells:
            if end in ends:
                return f"its {_EDGES[end]} line end lies on the board's edge"
        elif state.board[0, beyond]:
            joined = bool(state.ends[0, direction ^ 2, beyond])
            if joined != (end in ends):
                return f"the tile beyond its {_EDGES[end]} edge has {'a' if joined else 'no'} line end there"
    return "it continues no line"
