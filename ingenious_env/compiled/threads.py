"""Row kernels on several threads: equal shares of the rows, by Numba's own pool of threads.

The threads of the pool busy-wait for some milliseconds after each call, which makes calls in quick succession
fast. While another program occupies a core, though, a call takes until the thread that lost its core gets it
back, and the busy-waiting takes a core from the caller. So calls are timed: when sharing has recently lost
more time than it gained, the calling thread takes all rows for a while, and for twice as long each time that
sharing loses again. The rows of a share are the same from call to call, and actions are checked by the thread
that then plays them, so that games stay in the cache of one core.
"""

from __future__ import annotations

import threading
import time
from functools import cache, lru_cache
from typing import Any

import numba
import numpy as np
from numba import prange, types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from ingenious_env.compiled.kernel import ALL_ROWS, ALL_STEPS, ROWS, Kernel, inlined
from ingenious_env.compiled.targets.cpu import CPU

CREDIT = 200_000  # ns; upper limit of the gain of sharing that counts
GRACE = 400_000  # ns of loss before sharing pauses: waking a thread of the pool takes 100 to 200 µs
MIN_PAUSE, MAX_PAUSE = 20_000_000, 1_000_000_000  # ns; threads of the pool wait busily for up to 5 ms
LOOK_AGAIN = 512  # calls after which one is made on one thread, to measure it again

_CONFIG: Any = numba.config  # its names are made at run time
_POOL = threading.Lock()  # not every pool that Numba may have found takes work from two callers at once


@intrinsic
def _call(_typing: Any, address: Any, spec: Any, low: Any, high: Any, arguments: Any) -> Any:
    """Call a row kernel by its address (see `Kernel.address`)."""
    kinds = (spec, low, high, *arguments.types)

    def lower(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        pointer = builder.inttoptr(
            values[0], context.call_conv.get_function_type(types.int64, kinds).as_pointer()
        )
        rest = cgutils.unpack_tuple(builder, values[4], len(arguments.types))
        _, row = context.call_conv.call_function(builder, pointer, types.int64, kinds, [*values[1:4], *rest])
        return row

    return types.int64(address, spec, low, high, arguments), lower


def _shared(address: Any, spec: Any, bounds: Any, found: Any, arguments: Any) -> Any:
    """Call the kernel on each share; returns the first row that one stopped at, or `ALL_ROWS`."""
    for k in prange(len(found)):
        found[k] = _call(address, spec, bounds[k], bounds[k + 1], arguments)
    return _first(found)


def _shared_in_steps(address: Any, spec: Any, bounds: Any, found: Any, arguments: Any) -> Any:
    """The same for a kernel of two steps."""
    for step in range(2):
        for k in prange(len(found)):
            found[k] = _call(address, spec, bounds[k], bounds[k + 1], (step, *arguments))
        row = _first(found)
        if row != ALL_ROWS:
            return row
    return ALL_ROWS


@inlined
def _first(found: Any) -> Any:
    for row in found:
        if row != ALL_ROWS:
            return row
    return ALL_ROWS


class Pace:
    """Decides from call times whether to share the rows.

    Attributes:
        single: nanoseconds of a call on one thread, 0 if none was measured.
        credit: nanoseconds recently gained by sharing, at most `CREDIT`.
        pause: nanoseconds of the next pause.
        resume: when to share again, on the clock of `time.perf_counter_ns`.
        calls: on several threads since the last one on one thread.
        begun: whether a call on several threads was counted; the first loads the kernel and starts the pool.
    """

    def __init__(self) -> None:
        self.single = 0.0
        self.credit = 0.0
        self.pause = MIN_PAUSE
        self.resume = 0
        self.calls = 0
        self.begun = False

    def shares(self, now: int) -> bool:
        """Return whether to share the rows of the next call."""
        return self.single > 0 and now >= self.resume and self.calls < LOOK_AGAIN

    def took_single(self, took: int) -> None:
        """Count a call on one thread; the fastest recent one is kept, as others were delayed."""
        self.single = min(float(took), self.single * 1.1) if self.single else float(took)
        self.calls = 0

    def took_shared(self, took: int, now: int) -> None:
        """Count a call on several threads that ended now."""
        self.calls += 1
        if not self.begun:
            self.begun = True
            return
        self.credit += self.single - took
        if self.credit >= CREDIT:
            self.credit, self.pause = CREDIT, MIN_PAUSE
        elif self.credit < -GRACE:
            self.resume = now + self.pause
            self.credit, self.pause = 0.0, min(2 * self.pause, MAX_PAUSE)


class Sharing:
    """The sharing of one kernel's rows, compiled on first use.

    Args:
        kernel: a row kernel.
    """

    def __init__(self, kernel: Kernel) -> None:
        (arguments,) = kernel.compiled.nopython_signatures
        self._step = (ALL_STEPS,) if kernel.steps > 1 else ()
        words, rest = types.int64[::1], types.Tuple(arguments.args[3 + len(self._step) :])
        signature = types.int64(types.int64, words, words, words, rest)
        shared = _shared_in_steps if self._step else _shared
        self._shared = Kernel(shared, signature, folder="threads", target=CPU(parallel=True))
        self._kernel = kernel
        self._paces: dict[tuple[int, ...], Pace] = {}
        self._outputs: dict[int, NDArray[np.int64]] = {}

    def compile(self) -> None:
        """Compile it before use."""
        self._shared.compiled  # noqa: B018 - made on access

    def run(
        self, spec: NDArray[np.int64], num_rows: int, num_threads: int, arguments: tuple[Any, ...]
    ) -> int:
        """Call the kernel on all rows; returns the first row it stopped at, or `ALL_ROWS`."""
        # call times depend on the sizes of the outputs
        case = (num_rows, num_threads, *[each.size for each in arguments if type(each) is np.ndarray])
        pace = self._paces.get(case)
        if pace is None:
            pace = self._paces[case] = Pace()
        began = time.perf_counter_ns()
        if pace.shares(began) and _POOL.acquire(blocking=False):
            try:
                row = self._run_shared(spec, num_rows, num_threads, arguments)
            finally:
                _POOL.release()
            now = time.perf_counter_ns()
            pace.took_shared(now - began, now)
            return row
        row = int(self._kernel.compiled(spec, 0, num_rows, *self._step, *arguments))
        pace.took_single(time.perf_counter_ns() - began)
        return row

    def _run_shared(
        self, spec: NDArray[np.int64], num_rows: int, num_threads: int, arguments: tuple[Any, ...]
    ) -> int:
        bounds, found = share_bounds(num_rows, num_threads), self._found(num_threads)
        share = self._shared.compiled
        if num_threads >= _CONFIG.NUMBA_NUM_THREADS:  # all threads, so there is no need to ask how many
            return int(share(self._kernel.address, spec, bounds, found, arguments))
        before = numba.get_num_threads()
        numba.set_num_threads(num_threads)
        try:
            return int(share(self._kernel.address, spec, bounds, found, arguments))
        finally:
            numba.set_num_threads(before)

    def _found(self, num_shares: int) -> NDArray[np.int64]:
        """The output of the shares, for the thread that holds the lock."""
        if num_shares not in self._outputs:
            self._outputs[num_shares] = np.empty(num_shares, np.int64)
        return self._outputs[num_shares]


@lru_cache(maxsize=256)  # NumPy takes longer over this than two threads over a small batch
def share_bounds(num_rows: int, num_shares: int) -> NDArray[np.int64]:
    """The first row of each of equal shares, and the row past the last, int64 [S + 1], read-only."""
    return np.linspace(0, num_rows, num_shares + 1).astype(np.int64)


def compile_shared(kernel: Kernel) -> None:
    """Compile the sharing of a row kernel; no effect on other kernels."""
    if str(kernel.signature).startswith(f"int64({ROWS}"):
        _sharing(kernel).compile()


@cache
def _sharing(kernel: Kernel) -> Sharing:
    return Sharing(kernel)


def run_in_shares(
    kernel: Kernel, spec: NDArray[np.int64], num_rows: int, num_threads: int, *arguments: Any
) -> int:
    """Call a row kernel on all rows, with `num_threads` threads where that is faster.

    Returns:
        The first row at which the kernel stopped, or `ALL_ROWS`.
    """
    if num_rows == 1:  # nothing to share
        steps = (ALL_STEPS,) if kernel.steps > 1 else ()
        return int(kernel.compiled(spec, 0, 1, *steps, *arguments))
    return _sharing(kernel).run(spec, num_rows, num_threads, arguments)
