"""Kernels on several threads: the rows of a batch in equal shares, by Numba's own pool of threads."""

from __future__ import annotations

import threading
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.kernels.compiling import load

_POOL = threading.Lock()  # not every pool that Numba may have found takes work from two callers at once


@lru_cache(maxsize=256)  # NumPy takes longer over this than two threads over a small batch
def share_bounds(num_rows: int, num_shares: int) -> NDArray[np.int64]:
    """Where each of so many equal shares begins, and behind them where the last ends, int64 [S + 1].

    The same array each time: do not write to it.
    """
    return np.linspace(0, num_rows, num_shares + 1).astype(np.int64)


def run_in_shares(
    kernel: Any, spec: NDArray[np.int64], num_rows: int, num_shares: int, *arguments: Any
) -> list[int]:
    """Call a kernel of `batch.py` or `policies.py` on so many shares of the rows at once.

    Returns:
        What each share has found, for kernels that look for rows; otherwise −1 for each.
    """
    import numba  # noqa: PLC0415 - it takes a while, and one thread needs no pool

    config: Any = numba.config  # its names are made at run time
    in_parallel, where = _parallel(kernel)
    bounds = share_bounds(num_rows, num_shares)
    with _POOL:
        found = _room(num_shares)
        found.fill(-1)
        if num_shares >= config.NUMBA_NUM_THREADS:  # all threads, so there is no need to ask how many
            in_parallel(where, spec, bounds, found, *arguments)
        else:
            before = numba.get_num_threads()
            numba.set_num_threads(num_shares)
            try:
                in_parallel(where, spec, bounds, found, *arguments)
            finally:
                numba.set_num_threads(before)
        rows: list[int] = found.tolist()
    return rows


@cache
def _room(num_shares: int) -> NDArray[np.int64]:
    """What shares write what they find to; for whoever has the pool."""
    return np.empty(num_shares, np.int64)


@cache
def address(kernel: Any) -> int:
    """Where a kernel is, for those that call another one."""
    return int(load("ingenious_env.kernels.parallel").address(kernel))


@cache
def _parallel(kernel: Any) -> tuple[Any, int]:
    """What calls a kernel on all shares, and where the kernel is."""
    return getattr(load("ingenious_env.kernels.parallel"), kernel.__name__), address(kernel)
