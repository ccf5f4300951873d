"""Texts of the codes with which the compiled rules reject an action."""

from __future__ import annotations

from ingenious_env.compiled.placing import CHOICE_DUE, NOT_OFFERED, common_reason
from ingenious_env.engine.batch import GameBatch
from ingenious_env.games.loopit.kernels.legality import DOES_NOT_FIT, FITS_NOWHERE, SQUARE_TAKEN
from ingenious_env.games.loopit.material import DIRECTIONS, Tile
from ingenious_env.games.loopit.rules import Rules
from ingenious_env.languages import Texts

EDGES = Texts(dict(zip(DIRECTIONS, ("upper", "right", "lower", "left"), strict=True)))
TEXTS = Texts(
    {
        CHOICE_DUE: (
            "no tile of the rack fits; this is the choice between {throw} (throw back) and {keep} (keep)"
        ),
        NOT_OFFERED: "a rack can only be thrown back or kept by a player who can lay no tile of it",
        SQUARE_TAKEN: "square {square} is taken",
        DOES_NOT_FIT: "tile {tile} does not fit on square {square}: {misfit}",
        FITS_NOWHERE: "tile {tile} fits nowhere now",
        "stop": "to stop is allowed after a tile was laid in this turn",
    }
)
"""By code; pages without a server fill these sentences in, too."""
MISFITS = Texts(
    {
        "edge": "its {edge} line end lies on the board's edge",
        "end": "the tile beyond its {edge} edge has a line end there",
        "no end": "the tile beyond its {edge} edge has no line end there",
        "alone": "it continues no line",
    }
)
"""Why a tile does not fit on an empty square."""


def reason(game: GameBatch, action: int, code: int) -> str:
    """The code of an illegal action in words; the game is a batch of one."""
    actions = game.actions
    choices = {name: actions.choice(name) for name in actions.choices}
    if code == CHOICE_DUE:
        throw, keep = choices["throw back"], choices["keep"]
        return TEXTS[code].format(throw=throw, keep=keep)
    if code == NOT_OFFERED and action == choices["stop"]:
        return TEXTS["stop"]
    if code == NOT_OFFERED:
        return TEXTS[code]
    if code not in (SQUARE_TAKEN, DOES_NOT_FIT, FITS_NOWHERE):
        return common_reason(game, action, code)
    material, held = game.rules.material, int(game.state.held[0])
    if code == FITS_NOWHERE:
        return TEXTS[code].format(tile=_tile(game, action))
    slot, cell = actions.slot_and_placement(action, held)
    square = material.square(cell)
    if code == SQUARE_TAKEN:
        return TEXTS[code].format(square=square)
    return TEXTS[code].format(tile=_tile(game, slot), square=square, misfit=_misfit(game, slot, cell))


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
                return MISFITS["edge"].format(edge=EDGES[end])
        elif state.board[0, beyond]:
            joined = bool(state.ends[0, direction ^ 2, beyond])
            if joined != (end in ends):
                return MISFITS["end" if joined else "no end"].format(edge=EDGES[end])
    return MISFITS["alone"]
