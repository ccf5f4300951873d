"""Moves in readable form, and their numbers as agents use them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from ingenious_env.compiled.actions import ActionSpace
from ingenious_env.errors import IllegalActionError
from ingenious_env.games.loopit.material import Square, Tile
from ingenious_env.games.loopit.rules import Rules
from ingenious_env.languages import Texts


class Lay(NamedTuple):
    """A tile, (line ends, value), laid on a square, (row, column)."""

    tile: Tile
    square: Square


Choice = Literal["stop", "throw back", "keep"]
Move = Lay | Choice
CHOICES: tuple[Choice, Choice, Choice] = ("stop", "throw back", "keep")
TEXTS = Texts(
    {
        "no square": "square {square} is not on the board of {rows} × {columns} squares",
        "no tile": "tile {tile} is not on the rack, which holds {rack}",
    }
)
"""Why a move is invalid now; pages without a server fill these sentences in, too."""


def action_space(rules: Rules, *, staged: bool) -> ActionSpace:
    """The numbering: slots × squares, row by row, then the choices (see `compiled/actions.py`)."""
    return ActionSpace(rules.rack_size, rules.material.num_cells, CHOICES, staged)


def move_of(rules: Rules, actions: ActionSpace, rack: list[Tile], held: int, action: int) -> Move:
    """The move that an action means.

    Args:
        rules: the variant.
        actions: the numbering.
        rack: of the seat to move.
        held: 1 + the slot picked, 0 for none.
        action: from 0 to the number of actions.

    Raises:
        IllegalActionError: it means no whole move.
    """
    choice = actions.chosen(action)
    if choice is not None:
        return CHOICES[CHOICES.index(choice)]
    slot, cell = actions.slot_and_placement(action, held)
    if slot >= len(rack):
        msg = f"action {action} is not a move: slot {slot} of the rack is empty"
        raise IllegalActionError(msg)
    return Lay(rack[slot], rules.material.square(cell))


def tile_of(move: Move) -> Tile | None:
    """The tile that a move lays; None for a choice, TypeError if it is not a move."""
    return None if isinstance(move, str) else _lay(move).tile


def action_of(rules: Rules, actions: ActionSpace, rack: list[Tile], held: int, *, move: Any) -> int:
    """The action of a move; staged, it is the slot, or with the tile's slot in hand, the square.

    Raises:
        IllegalActionError: the tile is not on the rack, or the square not on the board.
        TypeError: it is not a move.
    """
    if isinstance(move, str):
        if move not in CHOICES:
            msg = f"a move is a Lay, {', '.join(map(repr, CHOICES))}, not {move!r}"
            raise TypeError(msg)
        return actions.choice(move)
    tile, square = _lay(move)
    rows, columns = rules.material.shape
    if square[0] not in range(rows) or square[1] not in range(columns):
        msg = TEXTS["no square"].format(square=square, rows=rows, columns=columns)
        raise IllegalActionError(msg)
    if tile not in rack:
        msg = TEXTS["no tile"].format(tile=tile, rack=rack)
        raise IllegalActionError(msg)
    return actions.placing(rack.index(tile), rules.material.cell(square), held)


def _lay(move: Any) -> Lay:
    try:
        (ends, value), (row, column) = move
        return Lay((str(ends), int(value)), (int(row), int(column)))
    except (TypeError, ValueError):
        msg = (
            f"a move is Lay((line ends, value), (row, column)), {', '.join(map(repr, CHOICES))}, not {move!r}"
        )
        raise TypeError(msg) from None
