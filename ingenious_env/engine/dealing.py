"""Chosen hidden tiles: racks with given tiles, and a bag from which given tiles are drawn first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.engine.checks import check_index
from ingenious_env.engine.definition import Tile
from ingenious_env.languages import Texts

Hand = NDArray[np.uint8]
"""A set of tile types, ascending, then `NO_TILE`: a rack, or the tiles put out of the game."""
TEXTS = Texts({"no tile": "there is no tile {tile}; tiles are {first} to {last}"})
"""Why a text or a value is not a tile."""


def check_has_tiles(types: Sequence[Tile]) -> None:
    """Raise ValueError for a game without tiles."""
    if not types:
        msg = "this game has no tiles to draw"
        raise ValueError(msg)


def tile_numbers(types: Sequence[Tile], tiles: Sequence[Tile]) -> list[int]:
    """The numbers of tile types; ValueError if there is no such type."""
    check_has_tiles(types)
    numbers = []
    for tile in tiles:
        if tile not in types:
            msg = TEXTS["no tile"].format(tile=repr(tile), first=repr(types[0]), last=repr(types[-1]))
            raise ValueError(msg)
        numbers.append(types.index(tile))
    return numbers


def racks_by_seat(
    racks: Mapping[int, Sequence[Tile]] | Sequence[Sequence[Tile] | None], num_players: int
) -> dict[int, Sequence[Tile]]:
    """The racks given for seats; ValueError if there are no such seats."""
    if isinstance(racks, Mapping):
        return {check_index("seat", seat, 0, num_players - 1): rack for seat, rack in racks.items()}
    if len(racks) != num_players:
        msg = f"racks must be {num_players}, one for each seat, or a mapping from seats, not {len(racks)}"
        raise ValueError(msg)
    return {seat: rack for seat, rack in enumerate(racks) if rack is not None}


def exchange(
    bag: NDArray[np.uint8],
    hands: Mapping[str, Hand],
    wanted: Mapping[str, list[int]],
    types: Sequence[Tile],
) -> None:
    """Give hands the wanted tiles, in place; in the bag, the tiles given up take the places of the new ones.

    Args:
        bag: the types in the bag in drawing order.
        hands: by name.
        wanted: types by hand.
        types: in readable form.

    Raises:
        ValueError: a hand has another number of tiles, or a type runs out; nothing has changed.
    """
    held: Counter[int] = Counter()
    for name, numbers in wanted.items():
        old = hands[name][hands[name] != NO_TILE].tolist()
        if len(numbers) != len(old):
            msg = f"{name} has {len(old)} tiles, not {len(numbers)}"
            raise ValueError(msg)
        held.update(old)
    needed = Counter(number for numbers in wanted.values() for number in numbers)
    from_bag, to_bag = needed - held, held - needed
    places: list[int] = []
    for number, count in from_bag.items():
        found = np.flatnonzero(bag == number)[:count].tolist()
        if len(found) < count:
            there = held[number] + len(found)
            msg = f"the bag and these racks have {there} of {types[number]!r}, not {needed[number]}"
            raise ValueError(msg)
        places += found
    for name, numbers in wanted.items():
        hands[name][: len(numbers)] = sorted(numbers)
    bag[sorted(places)] = sorted(to_bag.elements())


def draw_first(bag: NDArray[np.uint8], wanted: list[int], types: Sequence[Tile]) -> None:
    """Order the bag in place so that the wanted types are drawn first, in this order.

    Raises:
        ValueError: the bag does not hold them; nothing has changed.
    """
    rest = bag.tolist()
    for number in wanted:
        if number not in rest:
            there = bag.tolist().count(number)
            msg = f"the bag has {there} of {types[number]!r}, not {wanted.count(number)}"
            raise ValueError(msg)
        rest.remove(number)
    bag[:] = wanted + rest
