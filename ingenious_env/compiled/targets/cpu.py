"""Kernels compiled for this machine's processor."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numba

from ingenious_env.compiled.compiling import announcing, title_of
from ingenious_env.compiled.targets.cache import COMPILING, CONFIG, cache_folder, settings
from ingenious_env.compiled.targets.target import Function, Signature


class CPU:
    """Compiles for this machine's processor and caches results on disk."""

    def __init__(self, **options: Any) -> None:
        self._options = {"nogil": True, "error_model": "numpy", **options}

    def compile(self, function: Function, signature: Signature, folder: str) -> Any:
        """A Numba dispatcher with one signature.

        If the cache is damaged or cannot be written, this compiles once more without it, and warns once.
        """
        if CONFIG.DISABLE_JIT:
            msg = "NUMBA_DISABLE_JIT is set, and the rules of the games run as compiled code only: unset it"
            raise RuntimeError(msg)
        modules = {function.__module__, function.__globals__["__name__"]}
        dispatcher: Any = None
        title = title_of(function, folder)
        # the place follows from a setting that other threads change while they compile
        with COMPILING, settings(place := cache_folder(modules, folder)):
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


def _check_writable(folder: Path) -> None:
    """Raise OSError if a folder is not writable: Numba would choose another, which misses changes."""
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


def _drop_cache(error: Exception) -> None:
    """Delete a damaged cache, so that the next start compiles anew, and warn once."""
    folder = Path(CONFIG.CACHE_DIR)
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
