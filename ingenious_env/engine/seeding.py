"""Seeds: their check, and a fresh one if none is given."""

from __future__ import annotations

import secrets
from typing import SupportsIndex

from ingenious_env.engine.checks import MAX_WORD, check_index

MAX_SEED = MAX_WORD

Seed = int | tuple[int, int]
"""A seed, or a seed and the index of a game under it; a bare seed means index 0."""


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
