"""Visibility of a game's named choices to other seats, and the numbering of moves that all seats share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Choice(NamedTuple):
    """The look of a named choice, and where it differs from a move that all see.

    Attributes:
        title: the text of its button; by default its name with a capital.
        key: that takes it, in addition to the first letter of its name.
        is_private: others do not notice it: without it, the turn would look the same to them.
        shows_rack: it shows the rack to all, and draws another before the rack goes back into the bag.
        returns_rack: it puts the rack back unseen, and draws as many tiles out of the bag.
    """

    title: str = ""
    key: str = ""
    is_private: bool = False
    shows_rack: bool = False
    returns_rack: bool = False


Choices = Mapping[str, Choice]
"""The named choices of a game."""


def is_choice(choices: Choices, move: Any) -> bool:
    """Return whether a move is a named choice, and places nothing."""
    return isinstance(move, str) and move in choices


def is_private(choices: Choices, move: Any) -> bool:
    """Return whether a move is a choice that others cannot see."""
    return is_choice(choices, move) and choices[move].is_private


def public_numbers(choices: Choices, moves: Iterable[Any]) -> list[int]:
    """The numbers of moves made up to the deal, and up to each public move."""
    return [0, *(number for number, move in enumerate(moves, 1) if not is_private(choices, move))]
