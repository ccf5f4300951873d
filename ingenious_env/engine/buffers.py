"""Large arrays owned by the caller at each step, without the cost of new memory at each step."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

MAX_BUFFERS = 4
"""Arrays kept in a pool; a caller that holds on to more gets new ones, as from NumPy."""


class BufferPool:
    """A pool of uninitialised arrays of one shape.

    An array that nobody refers to any more, directly or through a view, is given out again. To the system new
    memory is a page fault every 4 KB, which takes longer than to fill a page with masks.

    Args:
        shape: of the arrays.
        dtype: of the arrays.
    """

    def __init__(self, shape: tuple[int, ...], dtype: DTypeLike = np.int8) -> None:
        self._shape = shape
        self._dtype = np.dtype(dtype)
        self._kept: list[NDArray[Any]] = []

    def take(self) -> NDArray[Any]:
        """An array owned by the caller."""
        for array in self._kept:
            if sys.getrefcount(array) == _UNHELD:
                return array
        array = np.empty(self._shape, self._dtype)
        self._kept = [array, *self._kept[: MAX_BUFFERS - 1]]
        return array

    def __reduce__(self) -> tuple[Any, ...]:
        """Make an empty pool: what is kept is not part of a copy."""
        return BufferPool, (self._shape, self._dtype)


def _references_when_unheld() -> int:
    """The count in `take` for an array that only the pool refers to, by the version of Python."""
    for thing in [object()]:
        return sys.getrefcount(thing)
    raise AssertionError


_UNHELD = _references_when_unheld()
