"""Moves as people read them, and their numbers as agents use them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from ingenious_env.geometry import Cell
from ingenious_env.rules import Rules

Half = tuple[Cell, int]
"""Half a tile on the board: the cell (q, r) and the colour, from 1."""


class Place(NamedTuple):
    """A tile laid on two adjacent cells; either half may be named first."""

    first: Half
    second: Half


Choice = Literal["swap", "keep"]
Move = Place | Choice


@dataclass(frozen=True)
class ActionSpace:
    """How actions are numbered, flat or staged.

    With K pairs that can ever hold a tile and R slots on a rack, a placement is turned · K + pair: the pair's
    first cell, the one with the lower number, gets the tile's lower colour, or with turned = 1 the higher.

    | | slots | placements | keep | swap | actions |
    | --- | --- | --- | --- | --- | --- |
    | flat | | slot · 2K + placement | R · 2K | R · 2K + 1 | R · 2K + 2 |
    | staged | slot | R + placement | R + 2K | R + 2K + 1 | R + 2K + 2 |

    Staged, a placement is two actions of the same seat: it picks a slot, then where its tile goes.
    """

    rules: Rules
    staged: bool = False

    @cached_property
    def num_placements(self) -> int:
        """Ways to lay one tile on the empty board, 2K."""
        return 2 * self.rules.geometry.num_pairs

    @cached_property
    def keep(self) -> int:
        """The action that declines a swap; the next one is the swap."""
        slots = self.rules.rack_size
        return slots + self.num_placements if self.staged else slots * self.num_placements

    @cached_property
    def swap(self) -> int:
        """The action that swaps the rack."""
        return self.keep + 1

    @cached_property
    def size(self) -> int:
        """Number of actions, A."""
        return self.keep + 2

    def split(self, action: int) -> tuple[int, int, int]:
        """Slot, turned and pair of a flat placement."""
        slot, placement = divmod(action, self.num_placements)
        turned, pair = divmod(placement, self.rules.geometry.num_pairs)
        return slot, turned, pair

    def join(self, slot: int, turned: int, pair: int) -> int:
        """The flat placement of a slot's tile on a pair."""
        return slot * self.num_placements + turned * self.rules.geometry.num_pairs + pair
