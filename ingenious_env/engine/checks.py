"""Checks of arguments."""

from __future__ import annotations

import operator
from collections.abc import Collection
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

MAX_WORD = 2**64 - 1
_BOOLS = (bool, np.bool_)
RANGE = "{name} must be from {low} to {high}, not {number}"
"""Why a number is refused; pages without a server fill this sentence in, too."""


def check_index(name: str, value: SupportsIndex, low: int, high: int = MAX_WORD) -> int:
    """The value as an int; TypeError if it is not a whole number, ValueError if it is out of range.

    A NumPy array with a single number counts as that number; a bool does not.
    """
    if type(value) is int and low <= value <= high:  # the usual case, for speed
        return value
    try:
        number = None if isinstance(value, _BOOLS) else operator.index(value)
    except TypeError:
        if isinstance(value, np.ndarray) and value.shape == (1,):
            return check_index(name, value[0], low, high)
        number = None
    if number is None:
        msg = f"{name} must be a whole number, not {value!r}"
        raise TypeError(msg)
    if not low <= number <= high:
        raise ValueError(RANGE.format(name=name, low=low, high=high, number=number))
    return number


def check_action(action: SupportsIndex) -> int:
    """The action as an int of 64 bits; the rules check whether it is legal."""
    return check_index("action", action, -(2**63), 2**63 - 1)


def check_bool(name: str, value: object) -> bool:
    """The value as a bool; TypeError if it is not a bool."""
    if not isinstance(value, _BOOLS):
        msg = f"{name} must be a bool, not {value!r}"
        raise TypeError(msg)
    return bool(value)


def check_choice(option: str, value: object, allowed: Collection[str | None]) -> None:
    """ValueError with the allowed values, if the value is not one of them."""
    if not isinstance(value, (str, type(None))) or value not in allowed:
        msg = f"{option} must be one of {', '.join(map(str, allowed))}, not {value!r}"
        raise ValueError(msg)


def check_integers(name: str, values: ArrayLike, count: int) -> NDArray[np.int64]:
    """The values as contiguous int64 [count]; TypeError for other numbers, ValueError for another shape."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu" or array.dtype == np.uint64:
        msg = f"{name} must be integers of at most 64 bits, signed, not {array.dtype}"
        raise TypeError(msg)
    if array.shape != (count,):
        msg = f"{name} must have shape [{count}], not {list(array.shape)}"
        raise ValueError(msg)
    return kernel_input(array, np.int64)


def kernel_input(values: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """The values as an array that kernels take, which are compiled for writable contiguous ones."""
    array = np.ascontiguousarray(values, dtype)
    return array if array.flags.carray else array.copy()


def check_output(name: str, out: Any, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """The caller's output array; ValueError if it is not writable, contiguous, of that dtype and shape."""
    if not isinstance(out, np.ndarray) or out.dtype != dtype or out.shape != shape:
        found = f"{out.dtype} {list(out.shape)}" if isinstance(out, np.ndarray) else type(out).__name__
        msg = f"{name} must be {np.dtype(dtype)} {list(shape)}, not {found}"
        raise ValueError(msg)
    if not out.flags.carray:
        msg = f"{name} must be a writable contiguous array, {np.dtype(dtype)} {list(shape)}"
        raise ValueError(msg)
    return out


def read_only(view: NDArray[Any]) -> NDArray[Any]:
    """A read-only view."""
    view = view.view()
    view.flags.writeable = False
    return view
