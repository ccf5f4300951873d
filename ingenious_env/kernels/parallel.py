"""The kernels on several threads: each share of the rows is one call of the kernel of that name.

Here the kernels are called by their addresses. If they were called by name, Numba would compile all of each
again as part of its caller, which takes longer than everything else together.
"""

from __future__ import annotations

from typing import Any

from numba import prange
from numba.core import cgutils, types
from numba.extending import intrinsic

from ingenious_env.kernels.batch import MATRIX, SPEC
from ingenious_env.kernels.compiling import compiled

SHARES = "int64[::1], int64[::1]"
"""The bounds of S shares, [S + 1], and room for what each has found, [S]."""


def address(kernel: Any) -> int:
    """Where the machine code of a compiled kernel is."""
    (compiled_once,) = kernel.overloads.values()
    return int(compiled_once.library.get_pointer_to_function(compiled_once.fndesc.llvm_func_name))


def _caller(returned: Any) -> Any:
    @intrinsic
    def call(_typing: Any, at: Any, *arguments: Any) -> Any:
        def lower(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            kind = context.call_conv.get_function_type(returned, arguments)
            kernel = builder.inttoptr(values[0], kind.as_pointer())
            unpacked = cgutils.unpack_tuple(builder, values[1], len(arguments))
            _, result = context.call_conv.call_function(builder, kernel, returned, arguments, unpacked)
            return result

        return returned(at, types.StarArgTuple(arguments)), lower

    return call


_do, _find = _caller(types.none), _caller(types.int64)


@compiled(f"void(int64, {SPEC}, {SHARES}, uint64, uint64[::1])", parallel=True)
def seed_games(kernel, spec, bounds, found, seed, indices):
    """Deal new games."""
    for k in prange(len(found)):
        _do(kernel, spec, bounds[k], bounds[k + 1], seed, indices)


@compiled(f"void(int64, {SPEC}, {SHARES}, boolean[::1])", parallel=True)
def deal_games(kernel, spec, bounds, found, chosen):
    """Deal the chosen rows anew."""
    for k in prange(len(found)):
        _do(kernel, spec, bounds[k], bounds[k + 1], chosen)


@compiled(f"void(int64, {SPEC}, {SHARES}, boolean, {MATRIX})", parallel=True)
def write_masks(kernel, spec, bounds, found, staged, mask):
    """Write the legal actions of each game."""
    for k in prange(len(found)):
        _do(kernel, spec, bounds[k], bounds[k + 1], staged, mask)


@compiled(f"void(int64, {SPEC}, {SHARES}, int64[::1], {MATRIX})", parallel=True)
def write_observations(kernel, spec, bounds, found, viewers, out):
    """Write what each row's viewer may know."""
    for k in prange(len(found)):
        _do(kernel, spec, bounds[k], bounds[k + 1], viewers, out)


@compiled(f"void(int64, {SPEC}, {SHARES}, boolean, boolean, int32[::1])", parallel=True)
def random_actions(kernel, spec, bounds, found, staged, by_key, actions):
    """Pick a uniformly random legal action for each game."""
    for k in prange(len(found)):
        _do(kernel, spec, bounds[k], bounds[k + 1], staged, by_key, actions)


@compiled(
    f"void(int64, {SPEC}, {SHARES}, int64, boolean, int64[::1], boolean, boolean[::1],"
    f" {MATRIX}, {MATRIX}, {MATRIX})",
    parallel=True,
)
def play_games(kernel, spec, bounds, found, check, staged, actions, auto_reset, done, final, mask, obs):
    """Find the first row of each share whose action is illegal, by the kernel at `check`; play if none is."""
    for k in prange(len(found)):
        found[k] = _find(check, spec, bounds[k], bounds[k + 1], staged, actions)
    are_legal = True
    for k in range(len(found)):
        are_legal &= found[k] < 0
    if are_legal:
        for k in prange(len(found)):
            low, high = bounds[k], bounds[k + 1]
            _find(kernel, spec, low, high, staged, actions, are_legal, auto_reset, done, final, mask, obs)


@compiled(f"void(int64, {SPEC}, {SHARES}, int64[::1], uint64, boolean)", parallel=True)
def reshuffle_hidden(kernel, spec, bounds, found, viewers, seed, by_key):
    """Deal anew what each row's viewer cannot know; find the first row of each share that has no deal."""
    for k in prange(len(found)):
        found[k] = _find(kernel, spec, bounds[k], bounds[k + 1], viewers, seed, by_key)


@compiled(f"void(int64, {SPEC}, {SHARES}, boolean, float64[::1], int32[::1])", parallel=True)
def greedy_actions(kernel, spec, bounds, found, staged, values, actions):
    """The greedy action of each game."""
    for k in prange(len(found)):
        _do(kernel, spec, bounds[k], bounds[k + 1], staged, values, actions)
