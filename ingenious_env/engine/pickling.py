"""Attributes of unpickled objects: arrays in memory of others, such as Ray's, are read-only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


class OwnsArrays:
    """A base of objects that change their arrays in place; an unpickled one has its own, writable."""

    def __setstate__(self, saved: Mapping[str, Any]) -> None:
        """Restore the attributes."""
        self.__dict__.update(own_arrays(saved))


def own_arrays(saved: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes, with copies of the arrays that cannot be written."""
    return {
        name: value.copy() if isinstance(value, np.ndarray) and not value.flags.writeable else value
        for name, value in saved.items()
    }
