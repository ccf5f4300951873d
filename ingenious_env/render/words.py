"""Sentences and checks that the pictures and texts of all games share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from ingenious_env.languages import Texts

TURN = Texts(
    {
        "you": "You",
        "player": "Player",
        "seat": "Seat {number}",
        "your turn": "Your turn",
        "turn": "{name}'s turn",
        "due": "{turn}: {task}",
        "share": "{names} share first place",
    }
)
"""Words for any game, which pages without a server fill in, too.

`you` is the name of the reader, which takes other forms of verbs.
"""
PICTURE = Texts(
    {
        1: "1st",
        2: "2nd",
        3: "3rd",
        "rank": "{rank}th",
        "shared": "{place}, shared",
        "and": "{names} and {last}",
        "one in bag": "1 tile in the bag",
        "in bag": "{number} tiles in the bag",
        "to move": "to move",
        "reader": "{name} (you)",
    }
)
"""Words of pictures of any game."""

Names = Sequence[str] | None
"""The players' names by seat; None calls them "Player 0" and so on."""


def check_viewer(num_players: int, viewer: int | None) -> None:
    """ValueError for a viewer who does not play in this game."""
    if viewer is not None and viewer not in range(num_players):
        msg = f"viewer must be None (sees every rack) or a player from 0 to {num_players - 1}, not {viewer!r}"
        raise ValueError(msg)


def check_width(width: int | None) -> None:
    """ValueError for a width that is not a number of pixels."""
    if width is None:
        return
    if isinstance(width, bool) or not isinstance(width, Integral) or width <= 0:
        msg = f"width must be a positive whole number of pixels, or None, not {width!r}"
        raise ValueError(msg)


def check_places(highlight: Iterable[object], places: Collection[object], allowed: str) -> None:
    """ValueError for highlighted places that are not on the board, with the allowed ones."""
    for place in highlight:
        if not isinstance(place, tuple) or place not in places:
            msg = f"highlight takes {allowed}, not {place!r}"
            raise ValueError(msg)


def names_of(num_players: int, names: Names) -> list[str]:
    """The players' names by seat; ValueError if there are too few or too many."""
    if names is None:
        return [f"Player {player}" for player in range(num_players)]
    if isinstance(names, str) or len(names) != num_players:
        msg = f"names must be one for each of {num_players} players, not {names!r}"
        raise ValueError(msg)
    return [str(name) for name in names]


def turn_of(name: str, *, is_viewer: bool) -> str:
    """The sentence that names the player to move."""
    return TURN["your turn"] if is_viewer or name == TURN["you"] else TURN["turn"].format(name=name)


def of_reader(name: str) -> str:
    """The name of the player for whom a picture is drawn."""
    return name if name == TURN["you"] else PICTURE["reader"].format(name=name)


def standing(ranks: NDArray[np.integer] | None, sheet: int) -> str:
    """A final place, such as `1st` or `2nd, shared`; empty while there is none, or only one."""
    if ranks is None or len(ranks) == 1:
        return ""
    rank = int(ranks[sheet])
    place = PICTURE[rank] if rank in PICTURE else PICTURE["rank"].format(rank=rank)
    return PICTURE["shared"].format(place=place) if (ranks == rank).sum() > 1 else place


def in_bag(number: int) -> str:
    """The number of tiles left to draw."""
    return PICTURE["one in bag" if number == 1 else "in bag"].format(number=number)


def listed(names: Iterable[object]) -> str:
    """Names as a list in a sentence."""
    *head, last = [str(name) for name in names]
    return PICTURE["and"].format(names=", ".join(head), last=last) if head else last
