"""Kernels: functions that are compiled on first use, cached on disk, and run on one or several threads.

`inlined` marks a helper that is inlined into the kernels that call it. `kernel(signature)` makes a `Kernel`
of a function. Row kernels take the spec of a batch (see `rows.py`), the first row and the row past the
last, and then their own arguments; they return the first row at which they stopped, or `ALL_ROWS`.

A template is a function whose global name `rules` stands for the compiled rules of a game (see
`compiled_rules.py`); `bind` makes a function for one game of it.

Compiled code is cached below NUMBA_CACHE_DIR or, without it, ~/.cache/ingenious_env, in a folder named after
the contents of the sources: Numba itself only notices changes of the file that contains a kernel, not of
the modules it uses.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, resolve_name
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Protocol, TypeVar

import numba
import numba.core.config

from ingenious_env.compiled.compiling import MADE, announcing, title_of

SPEC = "int64[::1]"
ROWS = f"{SPEC}, int64, int64"
"""The first three arguments of a row kernel."""
ALL_ROWS = -1
"""The result of a row kernel that stopped at no row."""
ALL_STEPS = -1
"""The step of a row kernel that does its steps one after the other."""

T = TypeVar("T")
Function = Callable[..., Any]
Signature = Any
"""A signature of Numba: a string such as "int64(int64[::1])", or types."""

MAKERS: list[Callable[[Any], object]] = []
"""Functions of a `GameDefinition` that make kernels which are otherwise made when first needed."""
_CONFIG: Any = numba.core.config  # its names are made at run time
_COMPILING = threading.RLock()  # settings are changed meanwhile

inlined: Callable[[Function], Any] = numba.njit(  # type: ignore[call-overload] # its types leave out two options
    forceinline=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
)
"""A helper inlined into the kernels that call it; not callable from Python, which saves compilation."""

called: Callable[[Function], Any] = numba.njit(  # type: ignore[call-overload] # as above
    error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
)
"""A helper that is not inlined, as it is long and called from several places."""


class locked_property(cached_property[T]):  # noqa: N801 - as `cached_property`
    """A `cached_property` that threads compute once; since Python 3.12 that one has no lock."""

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """The value, which hides this from the second time on."""
        with _COMPILING:
            return super().__get__(instance, owner)


class Target(Protocol):
    """Compiles kernels for one kind of processor."""

    def compile(self, function: Function, signature: Signature, folder: str) -> Any:
        """A callable of that signature.

        Args:
            function: what to compile.
            signature: in Numba's notation.
            folder: of the cached result, different for functions of one file and name.
        """


class CPU:
    """Compiles for this machine's processor and caches results on disk."""

    def __init__(self, **options: Any) -> None:
        self._options = {"nogil": True, "error_model": "numpy", **options}

    def compile(self, function: Function, signature: Signature, folder: str) -> Any:
        """A Numba dispatcher with one signature.

        If the cache is damaged or cannot be written, this compiles once more without it, and warns once.
        """
        if _CONFIG.DISABLE_JIT:
            msg = "NUMBA_DISABLE_JIT is set, and the rules of the games run as compiled code only: unset it"
            raise RuntimeError(msg)
        modules = {function.__module__, function.__globals__["__name__"]}
        dispatcher: Any = None
        title = title_of(function, folder)
        # the place follows from a setting that other threads change while they compile
        with _COMPILING, _settings(place := cache_folder(modules, folder)):
            try:
                _check_writable(place)
                dispatcher = numba.njit(cache=True, **self._options)(function)
                with announcing(dispatcher, title):
                    dispatcher.compile(signature)
            except Exception as error:
                not_compiled = dispatcher is None or not dispatcher.signatures
                if not_compiled or not isinstance(error, OSError):  # otherwise it is only not cached
                    dispatcher = numba.njit(**self._options)(function)
                    with announcing(dispatcher, title):
                        dispatcher.compile(signature)  # fails again if it was not the cache
                _drop_cache(error)
            dispatcher.disable_compile()
            return dispatcher


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


# The cache.


_IMPORT = re.compile(r"^(?:from|import) ([\w.]+)(?: import (\([^)]*\)|.*))?", re.MULTILINE)


@cache
def source_digest(*modules: str) -> str:
    """A short hash of all sources that can affect the kernels of some modules.

    These are the modules, those of the same packages that they import, and so on. Imports inside functions
    are not followed.
    """
    tops = {"ingenious_env", *(module.partition(".")[0] for module in modules)}
    found: dict[str, bytes] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        spec = _spec(module) if module not in found and module.partition(".")[0] in tops else None
        if spec is None or spec.origin is None:
            continue
        found[module] = source = Path(spec.origin).read_bytes()
        for origin, names in _IMPORT.findall(source.decode("utf-8")):
            parent = spec.name if spec.submodule_search_locations else spec.name.rpartition(".")[0]
            whole = resolve_name(origin, parent)
            # a name that is imported may be a module itself
            waiting += [whole, *(f"{whole}.{name}" for name in re.findall(r"\w+", names))]
    return hashlib.sha256(b"".join(found[module] for module in sorted(found))).hexdigest()[:16]


@cache
def _spec(module: str) -> ModuleSpec | None:
    try:
        return find_spec(module)
    except (ImportError, AttributeError, ValueError):  # a name that is no module
        return None


def cache_folder(modules: Iterable[str], name: str = "") -> Path:
    """The folder for the compiled kernels of some modules."""
    base = Path(_CONFIG.CACHE_DIR) if _CONFIG.CACHE_DIR else Path.home() / ".cache" / "ingenious_env"
    return base / f"kernels-{source_digest(*sorted(modules))}" / (name or "common")


@contextmanager
def _settings(folder: Path) -> Iterator[None]:
    """Numba's settings while it compiles.

    Loops are not vectorised, as most are over a handful of things; `intrinsics.py` has the figures.
    """
    before = _CONFIG.CACHE_DIR, _CONFIG.LOOP_VECTORIZE
    _CONFIG.CACHE_DIR, _CONFIG.LOOP_VECTORIZE = str(folder), 0
    try:
        yield
    finally:
        _CONFIG.CACHE_DIR, _CONFIG.LOOP_VECTORIZE = before


def _check_writable(folder: Path) -> None:
    """Raise OSError if a folder is not writable: Numba would choose another, which misses changes."""
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


def _drop_cache(error: Exception) -> None:
    """Delete a damaged cache, so that the next start compiles anew, and warn once."""
    folder = Path(_CONFIG.CACHE_DIR)
    if not isinstance(error, OSError):
        shutil.rmtree(folder, ignore_errors=True)
    _warn_of_cache(f"{type(error).__name__}: {error}", folder)


@cache
def _warned() -> set[str]:
    return set()


def _warn_of_cache(reason: str, folder: Path) -> None:
    if not _warned():
        _warned().add(reason)
        message = f"compiled kernels in {folder} could not be used or kept ({reason}): compiled without them"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
