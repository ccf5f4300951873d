"""Seeds: what counts as one, and where one comes from if none is given."""

from __future__ import annotations

import operator
import secrets
from typing import SupportsIndex

MAX_SEED = 2**64 - 1

Seed = int | tuple[int, int]
"""A seed, or a seed and the index of a game under it; a bare seed means index 0."""


def check_index(name: str, value: SupportsIndex, low: int, high: int = MAX_SEED) -> int:
    """The value as an int; TypeError if it is no whole number, ValueError if it is out of range."""
    if isinstance(value, bool):
        msg = f"{name} must be a whole number, not {value!r}"
        raise TypeError(msg)
    try:
        number = operator.index(value)
    except TypeError:
        msg = f"{name} must be a whole number, not {value!r}"
        raise TypeError(msg) from None
    if not low <= number <= high:
        msg = f"{name} must be from {low} to {high}, not {number}"
        raise ValueError(msg)
    return number


def check_seed(seed: SupportsIndex) -> int:
    """The seed as an int from 0 to 2^64 − 1."""
    return check_index("seed", seed, 0)


def split_seed(seed: Seed) -> tuple[int, int]:
    """Seed and game index; a bare seed means index 0."""
    if isinstance(seed, tuple):
        if len(seed) != 2:
            msg = f"seed must be a whole number or a pair (seed, index), not {seed!r}"
            raise ValueError(msg)
        return check_seed(seed[0]), check_index("the game's index", seed[1], 0)
    return check_seed(seed), 0


def fresh_seed() -> int:
    """A seed from the operating system."""
    return secrets.randbits(64)
