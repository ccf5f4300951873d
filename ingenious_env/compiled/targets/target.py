"""The interface of a target."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

Function = Callable[..., Any]
Signature = Any
"""A signature of Numba: a string such as "int64(int64[::1])", or types."""


class Target(Protocol):
    """Compiles kernels for one kind of processor."""

    def compile(self, function: Function, signature: Signature, folder: str) -> Any:
        """A callable of that signature.

        Args:
            function: what to compile.
            signature: in Numba's notation.
            folder: of the cached result, different for functions of one file and name.
        """
