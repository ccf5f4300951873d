"""Visibility of a game's named choices to other seats, and the numbering of moves that all seats share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Choice(NamedTuple):
    """Visibility and effect of a named choice, where they differ from those of a public move.

    Attributes:
        is_private: others cannot see it: without it, the turn would look the same to them.
        shows_rack: it shows the rack to all, and draws another before the rack goes back into the bag.
        returns_rack: it puts the rack back unseen, and draws as many tiles out of the bag.
    """

    is_private: bool = False
    shows_rack: bool = False
    returns_rack: bool = False


Choices = Mapping[str, Choice]
"""The named choices of a game."""


def is_private(choices: Choices, move: Any) -> bool:
    """Whether a move is a choice that others cannot see."""
    return isinstance(move, str) and move in choices and choices[move].is_private


def public_numbers(choices: Choices, moves: Iterable[Any]) -> list[int]:
    """The numbers of moves made up to the deal, and up to each public move."""
    return [0, *(number for number, move in enumerate(moves, 1) if not is_private(choices, move))]
