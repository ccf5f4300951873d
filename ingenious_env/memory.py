"""Large arrays for the caller at each step, without the cost of new memory at each step."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST = 4
"""Arrays kept; who holds on to more gets new ones, as from NumPy."""


class Recycler:
    """Gives out int8 arrays of one shape, uninitialised, that belong to who gets them.

    An array that nobody refers to any more, directly or through a view, is given out again. To the system new
    memory is a page fault every 4 KB, which takes longer than to fill a page with masks.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self._kept: list[NDArray[np.int8]] = []

    def take(self) -> NDArray[np.int8]:
        """An array that is nobody else's."""
        for array in self._kept:
            if sys.getrefcount(array) == _UNHELD:
                return array
        array = np.empty(self._shape, np.int8)
        self._kept = [array, *self._kept[: MOST - 1]]
        return array

    def __reduce__(self) -> tuple[Any, ...]:
        """What is kept is not part of a copy."""
        return Recycler, (self._shape,)


def _references_when_unheld() -> int:
    """What `take` counts for an array that only it knows; this differs between versions of Python."""
    for thing in [object()]:
        return sys.getrefcount(thing)
    raise AssertionError


_UNHELD = _references_when_unheld()
