"""The kernels that Python calls, each over rows `low` to `high` of a batch.

All take the arrays m, w, t, b and the `Spec` as an array; what else they take is said where it is not plain.
"""

from __future__ import annotations

import numpy as np
from numba import int64
from numba.np.unsafe.ndarray import to_fixed_tuple

from ingenious_env.kernels.actions import is_legal, play, random_action, write_mask
from ingenious_env.kernels.compiling import compiled, inlined, pointer
from ingenious_env.kernels.hidden import reshuffle
from ingenious_env.kernels.streams import seed_stream
from ingenious_env.kernels.turns import deal
from ingenious_env.kernels.views import write_observation
from ingenious_env.state import OVER
from ingenious_env.tables import Spec

_NUM_SPEC = len(Spec._fields)
_ARRAYS = "uint8[::1], uint64[::1], int16[::1], uint64[::1], int64[::1], uint64[::1]"
_ROWS = "int64, int64"
_MATRIX = "int8[:, ::1]"
_FLAT = False


@inlined
def unpack(m, w, t, b, spec, scratch):
    """The arrays as the other kernels take them; the last two are the scratch as words and as bytes.

    The caller owns all the memory: a pointer does not keep an array alive.
    """
    s = Spec(*to_fixed_tuple(spec, _NUM_SPEC))
    return pointer(m), pointer(w), pointer(t), pointer(b), s, pointer(scratch), pointer(scratch.view(np.int8))


@compiled(f"void({_ARRAYS}, {_ROWS}, uint64, uint64[::1])")
def seed_games(m, w, t, b, spec, scratch, low, high, seed, indices):
    """Deal new games, row i from the stream of (seed, indices[i])."""
    m, w, t, b, s, _legal, _flags = unpack(m, w, t, b, spec, scratch)
    for i in range(low, high):
        g = i * s.row_bytes
        w[(g >> 3) + s.stream] = seed_stream(seed, indices[i])
        deal(m, w, b, s, g)


@compiled(f"void({_ARRAYS}, {_ROWS}, boolean[::1])")
def deal_games(m, w, t, b, spec, scratch, low, high, chosen):
    """Deal the chosen rows anew, each from its own stream as it goes on."""
    m, w, t, b, s, _legal, _flags = unpack(m, w, t, b, spec, scratch)
    for i in range(low, high):
        if chosen[i]:
            deal(m, w, b, s, i * s.row_bytes)


@compiled(f"void({_ARRAYS}, {_ROWS}, boolean, {_MATRIX})")
def write_masks(m, w, t, b, spec, scratch, low, high, staged, mask):
    """Write the legal actions of each game."""
    m, w, t, b, s, legal, flags = unpack(m, w, t, b, spec, scratch)
    for i in range(low, high):
        write_mask(m, w, t, b, s, i * s.row_bytes, staged, legal, flags, pointer(mask), i * mask.shape[1])


@compiled(f"void({_ARRAYS}, {_ROWS}, int64[::1], {_MATRIX})")
def write_observations(m, w, t, b, spec, scratch, low, high, viewers, out):
    """Write what each row's viewer may know."""
    m, w, t, b, s, _legal, _flags = unpack(m, w, t, b, spec, scratch)
    for i in range(low, high):
        write_observation(m, t, s, i * s.row_bytes, viewers[i], pointer(out), i * out.shape[1])


@compiled(f"void({_ARRAYS}, {_ROWS}, boolean, int32[::1])")
def random_actions(m, w, t, b, spec, scratch, low, high, staged, actions):
    """Pick a uniformly random legal action for each game."""
    m, w, t, b, s, legal, _flags = unpack(m, w, t, b, spec, scratch)
    for i in range(low, high):
        actions[i] = random_action(m, w, t, b, s, i * s.row_bytes, staged, legal)


@compiled(f"int64({_ARRAYS}, {_ROWS}, boolean, int64[::1])")
def first_illegal(m, w, t, b, spec, scratch, low, high, staged, actions):
    """The first row whose action is illegal, or −1."""
    m, w, t, b, s, legal, _flags = unpack(m, w, t, b, spec, scratch)
    for i in range(low, high):
        if not is_legal(m, w, t, b, s, i * s.row_bytes, staged, actions[i], legal):
            return i
    return -1


@compiled(
    f"void({_ARRAYS}, {_ROWS}, boolean, int64[::1], boolean, boolean[::1], {_MATRIX}, {_MATRIX}, {_MATRIX})"
)
def play_games(m, w, t, b, spec, scratch, low, high, staged, actions, auto_reset, done, final, mask, obs):
    """Play legal actions; done games get their last scores in final, [B, T · C], and are dealt anew if asked.

    Then write masks and observations, for the seat to move, into those of the two that have rows.
    """
    m, w, t, b, s, legal, flags = unpack(m, w, t, b, spec, scratch)
    for i in range(low, high):
        g = i * s.row_bytes
        if m[g + s.phase] != OVER:
            play(m, w, t, b, s, g, staged, actions[i])
        done[i] = m[g + s.phase] == OVER
        if done[i]:
            for k in range(s.num_sheets * s.num_colours):
                final[i, k] = m[g + s.scores + k]
            if auto_reset:
                deal(m, w, b, s, g)
        if len(mask):
            write_mask(m, w, t, b, s, g, staged, legal, flags, pointer(mask), i * mask.shape[1])
        if len(obs):
            write_observation(m, t, s, g, int64(m[g + s.to_play]), pointer(obs), i * obs.shape[1])


@compiled(f"void({_ARRAYS}, {_ROWS}, uint64, {_MATRIX})")
def random_playouts(m, w, t, b, spec, scratch, low, high, seed, scores):
    """Play games (seed, low) to (seed, high − 1) at random in the first row; scores, [games, T · C]."""
    m, w, t, b, s, legal, _flags = unpack(m, w, t, b, spec, scratch)
    for i in range(low, high):
        w[s.stream] = seed_stream(seed, np.uint64(i))
        deal(m, w, b, s, 0)
        while m[s.phase] != OVER:
            action = random_action(m, w, t, b, s, 0, _FLAT, legal)
            play(m, w, t, b, s, 0, _FLAT, action)
        for k in range(s.num_sheets * s.num_colours):
            scores[i, k] = m[s.scores + k]


@compiled(f"int64({_ARRAYS}, {_ROWS}, int64[::1], uint64)")
def reshuffle_hidden(m, w, t, b, spec, scratch, low, high, viewers, seed):
    """Deal anew what each row's viewer cannot know, row i out of the stream of (seed, i).

    Returns the first row that has no deal, or −1.
    """
    m, w, t, b, s, _legal, _flags = unpack(m, w, t, b, spec, scratch)
    stream = np.empty(1, np.uint64)
    for i in range(low, high):
        stream[0] = seed_stream(seed, np.uint64(i))
        if not reshuffle(m, w, t, s, i * s.row_bytes, viewers[i], stream):
            return i
    return -1
