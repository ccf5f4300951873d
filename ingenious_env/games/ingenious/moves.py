"""Moves in readable form, and their numbers as agents use them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from ingenious_env.compiled.actions import ActionSpace
from ingenious_env.errors import IllegalActionError
from ingenious_env.games.ingenious.geometry import Cell
from ingenious_env.games.ingenious.rules import Rules
from ingenious_env.games.ingenious.tiles import Tile
from ingenious_env.languages import Texts

Half = tuple[Cell, int]
"""Half a tile on the board: the cell (q, r) and the colour, from 1."""


class Place(NamedTuple):
    """A tile laid on two adjacent cells; either half may be named first."""

    first: Half
    second: Half


Choice = Literal["keep", "swap"]
Move = Place | Choice
CHOICES: tuple[Choice, Choice] = ("keep", "swap")
TEXTS = Texts(
    {
        "no cell": "cell {cell} is not on the board of side {side}",
        "no pair": "cells {first} and {second} are not two adjacent cells that can hold a tile",
        "no tile": "tile {tile} is not on the rack, which holds {rack}",
    }
)
"""Why a move is invalid now; pages without a server fill these sentences in, too."""


class IngeniousActions(ActionSpace):
    """The numbering of actions: slots × placements, then keep and swap (see `compiled/actions.py`).

    With K pairs that can ever hold a tile, a placement is turned · K + pair: the pair's first cell, the one
    with the lower number, gets the tile's lower colour, or with turned = 1 the higher. So there are P = 2K
    placements.
    """

    @classmethod
    def of(cls, rules: Rules, *, staged: bool) -> IngeniousActions:
        """The numbering for a variant."""
        return cls(rules.rack_size, 2 * rules.geometry.num_pairs, CHOICES, staged)

    @property
    def num_pairs(self) -> int:
        """Pairs that can ever hold a tile, K."""
        return self.num_placements // 2

    @property
    def keep(self) -> int:
        """The action that declines a swap."""
        return self.first_choice

    @property
    def swap(self) -> int:
        """The action that swaps the rack."""
        return self.first_choice + 1

    def split(self, action: int) -> tuple[int, int, int]:
        """Slot, turned and pair of a flat placement."""
        slot, placement = self.split_placement(action)
        turned, pair = divmod(placement, self.num_pairs)
        return slot, turned, pair

    def join(self, slot: int, turned: int, pair: int) -> int:
        """The flat placement of a slot's tile on a pair."""
        return self.join_placement(slot, turned * self.num_pairs + pair)


def move_of(rules: Rules, actions: IngeniousActions, rack: list[Tile], held: int, action: int) -> Move:
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
        return "keep" if choice == "keep" else "swap"
    slot, placement = actions.slot_and_placement(action, held)
    if slot >= len(rack):
        msg = f"action {action} is not a move: slot {slot} of the rack is empty"
        raise IllegalActionError(msg)
    turned, pair = divmod(placement, actions.num_pairs)
    colours = rack[slot][::-1] if turned else rack[slot]
    first, second = (tuple(rules.cells[cell].tolist()) for cell in rules.geometry.pairs[pair])
    return Place((first, colours[0]), (second, colours[1]))


def tile_of(move: Move) -> Tile | None:
    """The tile that a move places; None for a choice, TypeError if it is not a move."""
    if isinstance(move, str):
        return None
    (_, first), (_, second) = _halves(move)
    return min(first, second), max(first, second)


def action_of(rules: Rules, actions: IngeniousActions, rack: list[Tile], held: int, *, move: Any) -> int:
    """The action of a move; the halves of a placement may come in either order.

    Staged, it is the slot, or with the tile's slot in hand, the placement.

    Raises:
        IllegalActionError: the tile is not on the rack, or the cells are not a pair that can hold one.
        TypeError: it is not a move.
    """
    if isinstance(move, str):
        if move not in CHOICES:
            msg = f'a move is a Place, "swap" or "keep", not {move!r}'
            raise TypeError(msg)
        return actions.choice(move)
    halves = _halves(move)
    index, pairs = rules.geometry.index, rules.geometry.pairs
    missing = [cell for cell, _ in halves if cell not in index]
    if missing:
        msg = TEXTS["no cell"].format(cell=missing[0], side=rules.board_side)
        raise IllegalActionError(msg)
    (cell_1, colour_1), (cell_2, colour_2) = sorted((index[cell], colour) for cell, colour in halves)
    pair = ((pairs == (cell_1, cell_2)).all(axis=1)).nonzero()[0]
    if not len(pair):
        msg = TEXTS["no pair"].format(first=halves[0][0], second=halves[1][0])
        raise IllegalActionError(msg)
    tile = (min(colour_1, colour_2), max(colour_1, colour_2))
    if tile not in rack:
        msg = TEXTS["no tile"].format(tile=tile, rack=rack)
        raise IllegalActionError(msg)
    slot, placement = rack.index(tile), int(colour_1 > colour_2) * actions.num_pairs + int(pair[0])
    return actions.placing(slot, placement, held)


def _halves(move: Any) -> tuple[Half, Half]:
    try:
        first, second = (((int(q), int(r)), int(colour)) for (q, r), colour in move)
    except (TypeError, ValueError):
        msg = f'a move is Place(((q, r), colour), ((q, r), colour)), "swap" or "keep", not {move!r}'
        raise TypeError(msg) from None
    return first, second
