"""Numbering of actions: rack slot × placement, then named choices; the one codec, for Python and for kernels.

With R slots, P placements of a tile and the choices that a game names:

    flat      slot · P + placement              R · P + choice            R · P + choices in all
    staged    slot, then R + placement          R + P + choice            R + P + choices in all

Staged, a placement is two actions of the same seat: it picks a slot, then places the slot's tile.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.kernel import inlined
from ingenious_env.errors import IllegalActionError

NUMBERINGS = ("flat", "staged")
FLAT = False
"""For kernels: actions are not staged."""


@dataclass(frozen=True)
class ActionSpace:
    """The numbering of actions, flat or staged, as the module shows.

    Attributes:
        num_slots: on a full rack, R.
        num_placements: ways to place one tile, P.
        choices: names of the actions that place nothing.
        staged: whether a placement is two actions.
    """

    num_slots: int
    num_placements: int
    choices: tuple[str, ...]
    staged: bool = False

    @cached_property
    def first_placement(self) -> int:
        """The action of the first placement: lower ones pick a slot."""
        return self.num_slots if self.staged else 0

    @cached_property
    def first_choice(self) -> int:
        """The action of the first named choice."""
        return self.first_placement + self.num_placements * (1 if self.staged else self.num_slots)

    @cached_property
    def size(self) -> int:
        """Number of actions, A."""
        return self.first_choice + len(self.choices)

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers that the functions below, for kernels, read in a spec."""
        return {
            "rack_size": self.num_slots,
            "num_placements": self.num_placements,
            "placements_reciprocal": -(-(2**32) // self.num_placements),
            "num_choices": len(self.choices),
        }

    def choice(self, name: str) -> int:
        """The action of a named choice."""
        return self.first_choice + self.choices.index(name)

    def chosen(self, action: int) -> str | None:
        """The name of an action's choice; None for other actions."""
        number = action - self.first_choice
        return self.choices[number] if 0 <= number < len(self.choices) else None

    def placement_of(self, action: int) -> int | None:
        """The placement of an action; None if it places no tile."""
        if not self.first_placement <= action < self.first_choice:
            return None
        return (action - self.first_placement) % self.num_placements

    def split_placement(self, action: int) -> tuple[int, int]:
        """Slot and placement of a flat placement."""
        return divmod(action, self.num_placements)

    def join_placement(self, slot: int, placement: int) -> int:
        """The flat action that places a slot's tile."""
        return slot * self.num_placements + placement

    def slot_and_placement(self, action: int, held: int) -> tuple[int, int]:
        """Slot and placement of an action that places a tile.

        Args:
            action: below `first_choice`.
            held: 1 + the slot picked, 0 for none; flat actions do not need it.

        Raises:
            IllegalActionError: staged, the action picks a slot, or none has been picked.
        """
        if not self.staged:
            return self.split_placement(action)
        if action < self.first_placement or not held:
            why = "it picks a slot" if action < self.first_placement else "no slot has been picked"
            msg = f"action {action} is not a whole move: {why}"
            raise IllegalActionError(msg)
        return held - 1, action - self.first_placement

    def placing(self, slot: int, placement: int, held: int) -> int:
        """The next action that places a slot's tile: the inverse of `slot_and_placement`.

        Raises:
            IllegalActionError: staged, another slot has been picked.
        """
        if not self.staged:
            return self.join_placement(slot, placement)
        if held and held - 1 != slot:
            msg = f"slot {held - 1} has been picked, not slot {slot}"
            raise IllegalActionError(msg)
        return self.first_placement + placement if held else slot

    @cached_property
    def flat(self) -> ActionSpace:
        """The flat numbering of the same game."""
        return ActionSpace(self.num_slots, self.num_placements, self.choices)

    def from_flat(self, actions: NDArray[Any], held: NDArray[Any]) -> NDArray[Any]:
        """Flat actions [B] in this numbering: staged, the slot or the placement of its tile.

        Args:
            actions: flat ones; negative ones are not changed.
            held: [B], whether a slot has been picked.
        """
        if not self.staged:
            return actions
        flat = self.flat
        placements = self.num_placements
        placing = np.where(held, self.first_placement + actions % placements, actions // placements)
        moved = np.where(
            actions >= flat.first_choice, actions - flat.first_choice + self.first_choice, placing
        )
        return np.where(actions < 0, actions, moved).astype(actions.dtype)


# The same for kernels; the spec has `ActionSpace.numbers`.


@inlined
def first_placement(game: Any, staged: Any) -> Any:
    """The action of the first placement."""
    return game.spec.rack_size if staged else 0


@inlined
def first_choice(game: Any, staged: Any) -> Any:
    """The action of the first named choice."""
    slots, placements = game.spec.rack_size, game.spec.num_placements
    return slots + placements if staged else slots * placements


@inlined
def flat_placement(game: Any, slot: Any, placement: Any) -> Any:
    """The flat action that places a slot's tile."""
    return slot * game.spec.num_placements + placement


@inlined
def split_flat(game: Any, action: Any) -> Any:
    """Slot and placement of a flat placement."""
    slot = (action * game.spec.placements_reciprocal) >> 32  # exact, as no action reaches 2^32 / P
    return slot, action - game.spec.num_placements * slot


@inlined
def split_placement(game: Any, staged: Any, action: Any) -> Any:
    """Slot and placement of a placement; staged, of the slot that is held."""
    if staged:
        return game.held - 1, action - game.spec.rack_size
    return split_flat(game, action)


@inlined
def from_flat(game: Any, staged: Any, action: Any) -> Any:
    """A flat action in either numbering: staged, the slot, or the placement of the picked slot's tile."""
    if not staged:
        return action
    choice = action - first_choice(game, False)  # noqa: FBT003 - flat
    if choice >= 0:
        return first_choice(game, staged) + choice
    slot, placement = split_flat(game, action)
    return game.spec.rack_size + placement if game.held else slot
