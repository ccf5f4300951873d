"""Compiled code on disk, and Numba's settings while it compiles.

Compiled code is cached below NUMBA_CACHE_DIR or, without it, ~/.cache/ingenious_env, in a folder named after
the contents of the sources: Numba itself only notices changes of the file that contains a kernel, not of
the modules it uses.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numba.core.config

CONFIG: Any = numba.core.config  # its names are made at run time
COMPILING = threading.RLock()
"""Held while anything is compiled, as settings are changed meanwhile."""
HELPERS: WeakSet[Any] = WeakSet()
"""Numba's dispatchers of functions that only kernels call."""

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
    except (ImportError, AttributeError, ValueError):  # a name that is not a module
        return None


def cache_folder(modules: Iterable[str], name: str = "") -> Path:
    """The folder for the compiled kernels of some modules."""
    base = Path(CONFIG.CACHE_DIR) if CONFIG.CACHE_DIR else Path.home() / ".cache" / "ingenious_env"
    return base / f"kernels-{source_digest(*sorted(modules))}" / (name or "common")


@contextmanager
def settings(folder: Path) -> Iterator[None]:
    """Numba's settings while it compiles.

    Loops are not vectorised, as most are over a handful of things; `intrinsics.py` has the figures.
    """
    before = CONFIG.CACHE_DIR, CONFIG.LOOP_VECTORIZE
    CONFIG.CACHE_DIR, CONFIG.LOOP_VECTORIZE = str(folder), 0
    try:
        yield
    finally:
        CONFIG.CACHE_DIR, CONFIG.LOOP_VECTORIZE = before
