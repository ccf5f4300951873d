"""How the kernels are compiled: once a machine, cached on disk, announced when it takes a while.

Numba's cache notices a change of the file that a kernel stands in, not of the files whose functions it
calls. So the kernels' cache lies in a folder named after the contents of all their sources.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite.binding as llvm
import numba
import numba.core.caching
import numba.core.config
import numba.core.runtime

_CONFIG: Any = numba.core.config  # its names are made at run time
_CACHE: Any = numba.core.caching.Cache
_RUNTIME: Any = numba.core.runtime
ANNOUNCE_AFTER = 1.5  # seconds; reading the cache takes a fraction of that
# Held while a module loads: sys.modules names it before it is whole, and settings are changed meanwhile.
_LOADING = threading.RLock()

inlined: Callable[[Callable[..., Any]], Callable[..., Any]] = numba.njit(  # type: ignore[call-overload] # its types leave out two options
    forceinline=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
)
"""A helper that melts into the kernels that call it; Python cannot call it, which saves compiling."""


def compiled(signature: str, *, parallel: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A kernel called from Python: compiled for one signature when its module is loaded, without the GIL."""
    return numba.njit(signature, cache=True, nogil=True, error_model="numpy", parallel=parallel)


def source_digest(module: str = __name__) -> str:
    """A short hash of every file that can change what the kernels of a module do.

    These are all that lie beside the module, and the engine's.
    """
    package, beside = Path(__file__).parent, find_spec(module)
    folders = {package, Path(beside.origin).parent if beside and beside.origin else package}
    sources = [
        *(path for folder in folders for path in folder.glob("*.py")),
        *(package.parent / name for name in ("state.py", "tables.py", "tiles.py")),
    ]
    contents = b"".join(path.read_bytes() for path in sorted(sources))
    return hashlib.sha256(contents).hexdigest()[:16]


def cache_folder(module: str = __name__) -> Path:
    """Where a module's compiled kernels lie: under NUMBA_CACHE_DIR, or in the user's cache folder."""
    base = Path(_CONFIG.CACHE_DIR) if _CONFIG.CACHE_DIR else Path.home() / ".cache" / "ingenious_env"
    return base / f"kernels-{source_digest(module)}"


def load(module: str) -> ModuleType:
    """Import a module of kernels, compiling them if no cache has them; says so if that takes a while.

    Threads that ask for it meanwhile wait until it is whole.
    """
    with _LOADING:
        if module in sys.modules:
            return sys.modules[module]
        notice = threading.Timer(ANNOUNCE_AFTER, _announce)
        notice.daemon = True
        folder, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, str(cache_folder(module))
        notice.start()
        try:
            with short_loops(), cache_first():
                return importlib.import_module(module)
        finally:
            notice.cancel()
            _CONFIG.CACHE_DIR = folder


@contextmanager
def short_loops() -> Iterator[None]:
    """Have LLVM leave loops as they are: most are over a handful of things, and the long ones copy blocks.

    Vectorised and unrolled for many rounds they are slower and take a third longer to compile. Numba has a
    setting for the first alone; the second is changed in what it hands to LLVM.
    """
    vectorize, make_options = _CONFIG.LOOP_VECTORIZE, llvm.create_pipeline_tuning_options

    def options(*arguments: Any, **named: Any) -> Any:
        made = make_options(*arguments, **named)
        made.loop_unrolling = False
        return made

    _CONFIG.LOOP_VECTORIZE, llvm.create_pipeline_tuning_options = 0, options
    try:
        yield
    finally:
        _CONFIG.LOOP_VECTORIZE, llvm.create_pipeline_tuning_options = vectorize, make_options


@contextmanager
def cache_first() -> Iterator[None]:
    """Have Numba look into its cache before it gets ready to compile, a sixth of the time it takes to start.

    It gets ready once more before it does compile, so nothing is lost where the cache has nothing.
    """
    load_overload = _CACHE.load_overload

    def load_or_none(cache: Any, signature: Any, target: Any) -> Any:
        _RUNTIME.rtsys.initialize(target)  # counts the arrays' references, for any kernel
        with cache._guard_against_spurious_io_errors():
            return cache._load_overload(signature, target)

    _CACHE.load_overload = load_or_none
    try:
        yield
    finally:
        _CACHE.load_overload = load_overload


def _announce() -> None:
    sys.stderr.write(
        "ingenious_env: compiling the engine, once for this machine; this takes about half a minute.\n"
    )
