"""Kernels: functions that are compiled on first use, cached on disk, and run on one or several threads.

`inlined` marks a helper that is inlined into the kernels that call it. `kernel(signature)` makes a `Kernel`
of a function. Row kernels take the spec of a batch (see `rows.py`), the first row and the row past the
last, and then their own arguments; they return the first row at which they stopped, or `ALL_ROWS`.

A template is a function whose global name `rules` stands for the compiled rules of a game (see
`compiled_rules.py`); `bind` makes a function for one game of it.

A kernel is compiled for this machine's processor, and its compiled code is cached (see `targets/`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any, TypeVar

import numba

from ingenious_env.compiled.compiling import MADE, stopping_the_clock, title_of
from ingenious_env.compiled.targets.cache import COMPILING, HELPERS
from ingenious_env.compiled.targets.cpu import CPU
from ingenious_env.compiled.targets.target import Function, Signature, Target

SPEC = "int64[::1]"
ROWS = f"{SPEC}, int64, int64"
"""The first three arguments of a row kernel."""
ALL_ROWS = -1
"""The result of a row kernel that stopped at no row."""
ALL_STEPS = -1
"""The step of a row kernel that does its steps one after the other."""

T = TypeVar("T")

MAKERS: list[Callable[[Any], object]] = []
"""Functions of a `GameDefinition` that make kernels which are otherwise made when first needed."""


def inlined(function: Function) -> Any:
    """Make a helper that is inlined into kernels; not callable from Python, which saves compilation."""
    return _helper(function, forceinline=True)


def called(function: Function) -> Any:
    """Make a helper that is not inlined, as it is long and called from several places."""
    return _helper(function)


def _helper(function: Function, **options: bool) -> Any:
    njit: Any = numba.njit  # its types leave out two options
    made = njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function)
    HELPERS.add(made)
    return made


class locked_property(cached_property[T]):  # noqa: N801 - as `cached_property`
    """A `cached_property` that threads compute once; since Python 3.12 that one has no lock.

    Neither computing nor waiting for it counts on `clock`.
    """

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """The value, which hides this from the second time on."""
        with stopping_the_clock(), COMPILING:
            return super().__get__(instance, owner)


class Kernel:
    """A compiled function.

    Args:
        function: what to compile.
        signature: in Numba's notation.
        folder: distinguishes kernels made of one template for several games.
        target: what compiles it.
        steps: of a row kernel. One with several takes the number of the step, or `ALL_STEPS`, before its own
            arguments; on several threads, a step begins when the one before has passed all rows.
    """

    def __init__(
        self,
        function: Function,
        signature: Signature,
        *,
        folder: str = "",
        target: Target | None = None,
        steps: int = 1,
    ) -> None:
        self.name = function.__name__
        self.__doc__ = function.__doc__
        self.function = function
        self.signature = signature
        self.steps = steps
        self._folder = folder
        self._target = CPU() if target is None else target
        MADE.add(self)

    @property
    def title(self) -> str:
        """Its name, and its game or module."""
        return title_of(self.function, self._folder)

    @property
    def is_compiled(self) -> bool:
        """Whether the compiled function is in memory."""
        return "compiled" in self.__dict__

    @locked_property
    def compiled(self) -> Any:
        """The compiled function, made on first use; frequent callers may keep a reference."""
        return self._target.compile(self.function, self.signature, self._folder)

    def __call__(self, *arguments: Any) -> Any:
        """Call it on the calling thread, without the GIL."""
        return self.compiled(*arguments)

    @locked_property
    def address(self) -> int:
        """The address of its machine code, for calls from compiled code.

        Called by name, it would be compiled once more as part of its caller.
        """
        (made,) = self.compiled.overloads.values()
        return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))

    def __repr__(self) -> str:
        """Name and signature."""
        return f"Kernel({self.name}: {self.signature})"


def kernel(signature: Signature, **options: Any) -> Callable[[Function], Kernel]:
    """Make a `Kernel` of the function below; options as for Numba's `njit`."""
    target = CPU(**options) if options else None
    return lambda function: Kernel(function, signature, target=target)


def bind(template: Function, rules: ModuleType) -> Any:
    """A copy of a template in which `rules` stands for the compiled rules of a game."""
    names = {**template.__globals__, "rules": rules}
    bound = FunctionType(template.__code__, names, template.__name__, template.__defaults__)
    bound.__module__, bound.__doc__ = rules.__name__, template.__doc__
    bound.__qualname__ = template.__qualname__
    return bound
