"""The kernels that Python calls, each over rows `low` to `high` of a batch.

All take the `Spec` as an array, which knows where the games and the tables lie; whoever calls keeps these
alive. What else a kernel takes is said where it is not plain.
"""

from __future__ import annotations

import numpy as np
from numba import int64

from ingenious_env.kernels.actions import (
    is_legal,
    play,
    policy_random,
    random_action,
    word_for_decision,
    write_mask,
)
from ingenious_env.kernels.compiling import compiled, inlined
from ingenious_env.kernels.hidden import reshuffle
from ingenious_env.kernels.intrinsics import (
    bytes_at,
    fetch,
    numbers_of,
    opaque,
    pointer,
    scratch_words,
    small_numbers_at,
    words_at,
)
from ingenious_env.kernels.streams import seed_stream
from ingenious_env.kernels.turns import deal
from ingenious_env.kernels.views import write_observation
from ingenious_env.state import OVER
from ingenious_env.tables import Spec

_spec_numbers = numbers_of(len(Spec._fields))
SPEC = "int64[::1]"
ROWS = "int64, int64"
MATRIX = "int8[:, ::1]"
NEAR = 1 << 22  # bytes that a core's caches may hold between two steps; to fetch what is there costs 5 %


@inlined
def unpack(spec):
    """What the other kernels take: m, w, t, b and s."""
    s = Spec(*_spec_numbers(spec))
    return bytes_at(s.games), words_at(s.games), small_numbers_at(s.small), words_at(s.wide), s


@inlined
def fetch_row(rows, i):
    """Have row i brought near while another is written, where all rows are too many to have stayed near.

    Behind the last row this does nothing.
    """
    if rows.size > NEAR:
        fetch(pointer(rows), i * rows.shape[1], rows.shape[1])


@compiled(f"void({SPEC}, {ROWS}, uint64, uint64[::1])")
def seed_games(spec, low, high, seed, indices):
    """Deal new games, row i from the stream of (seed, indices[i])."""
    m, w, _t, b, s = unpack(spec)
    for i in range(low, high):
        g = opaque(i * s.row_bytes)
        w[(g >> 3) + s.stream] = seed_stream(seed, indices[i])
        deal(m, w, b, s, g)


@compiled(f"void({SPEC}, {ROWS}, boolean[::1])")
def deal_games(spec, low, high, chosen):
    """Deal the chosen rows anew, each from its own stream as it goes on."""
    m, w, _t, b, s = unpack(spec)
    for i in range(low, high):
        if chosen[i]:
            deal(m, w, b, s, opaque(i * s.row_bytes))


@compiled(f"void({SPEC}, {ROWS}, boolean, {MATRIX})")
def write_masks(spec, low, high, staged, mask):
    """Write the legal actions of each game."""
    m, w, t, b, s = unpack(spec)
    legal = scratch_words()
    for i in range(low, high):
        fetch_row(mask, i + 1)
        write_mask(m, w, t, b, s, opaque(i * s.row_bytes), staged, legal, pointer(mask), i * mask.shape[1])


@compiled(f"void({SPEC}, {ROWS}, int64[::1], {MATRIX})")
def write_observations(spec, low, high, viewers, out):
    """Write what each row's viewer may know."""
    m, _w, t, b, s = unpack(spec)
    for i in range(low, high):
        fetch_row(out, i + 1)
        write_observation(m, t, b, s, opaque(i * s.row_bytes), viewers[i], pointer(out), i * out.shape[1])


@compiled(f"void({SPEC}, {ROWS}, boolean, boolean, int32[::1])")
def random_actions(spec, low, high, staged, by_key, actions):
    """Pick a uniformly random legal action for each game, by its stream or by its policy key."""
    m, w, t, b, s = unpack(spec)
    legal = scratch_words()
    field = s.policy_key if by_key else s.stream
    for i in range(low, high):
        g = opaque(i * s.row_bytes)
        random = word_for_decision(m, s, g, w[(g >> 3) + field])
        actions[i] = random_action(m, w, t, b, s, g, staged, random, legal)


@inlined
def find_illegal(m, w, t, b, s, low, high, staged, actions, legal):
    """The first row whose action is illegal, or −1."""
    for i in range(low, high):
        if not is_legal(m, w, t, b, s, opaque(i * s.row_bytes), staged, actions[i], legal):
            return i
    return -1


@compiled(f"int64({SPEC}, {ROWS}, boolean, int64[::1])")
def first_illegal(spec, low, high, staged, actions):
    """The first row whose action is illegal, or −1."""
    m, w, t, b, s = unpack(spec)
    legal = scratch_words()
    return find_illegal(m, w, t, b, s, low, high, staged, actions, legal)


@compiled(
    f"int64({SPEC}, {ROWS}, boolean, int64[::1], boolean, boolean,"
    f" boolean[::1], {MATRIX}, {MATRIX}, {MATRIX})"
)
def play_games(spec, low, high, staged, actions, are_legal, auto_reset, done, final, mask, obs):
    """Play actions; done games get their last scores in final, [B, T · C], and are dealt anew if asked.

    Then write masks and observations, for the seat to move, into those of the two that have rows.

    Returns the first row whose action is illegal, having changed nothing, or −1; the search is left out for
    actions that are known to be legal.
    """
    m, w, t, b, s = unpack(spec)
    legal = scratch_words()
    if not are_legal:
        illegal = find_illegal(m, w, t, b, s, low, high, staged, actions, legal)
        if illegal >= 0:
            return illegal
    for i in range(low, high):
        g = opaque(i * s.row_bytes)
        if m[g + s.phase] != OVER:
            play(m, w, t, b, s, g, staged, actions[i])
        done[i] = m[g + s.phase] == OVER
        if done[i]:
            for k in range(s.num_sheets * s.num_colours):
                final[i, k] = m[g + s.scores + k]
            if auto_reset:
                deal(m, w, b, s, g)
        if len(mask):
            fetch_row(mask, i + 1)
            write_mask(m, w, t, b, s, g, staged, legal, pointer(mask), i * mask.shape[1])
        if len(obs):
            fetch_row(obs, i + 1)
            write_observation(m, t, b, s, g, int64(m[g + s.to_play]), pointer(obs), i * obs.shape[1])
    return -1


@compiled(f"void({SPEC}, {ROWS}, uint64, {MATRIX})")
def random_playouts(spec, low, high, seed, scores):
    """Play games (seed, low) to (seed, high − 1) at random in the first row; scores, [games, T · C]."""
    m, w, t, b, s = unpack(spec)
    legal = scratch_words()
    g, staged = int64(0), False  # g as elsewhere: for a literal, all that takes it is compiled once more
    for i in range(low, high):
        w[s.stream] = seed_stream(seed, np.uint64(i))
        deal(m, w, b, s, g)
        while m[s.phase] != OVER:
            random = word_for_decision(m, s, g, w[s.stream])
            play(m, w, t, b, s, g, staged, random_action(m, w, t, b, s, g, staged, random, legal))
        for k in range(s.num_sheets * s.num_colours):
            scores[i, k] = m[s.scores + k]


@compiled(f"int64({SPEC}, {ROWS}, int64[::1], uint64, boolean)")
def reshuffle_hidden(spec, low, high, viewers, seed, by_key):
    """Deal anew what each row's viewer cannot know, row i out of the stream of (seed, i), or of its key.

    Returns the first row that has no deal, or −1.
    """
    m, w, t, _b, s = unpack(spec)
    stream = np.empty(1, np.uint64)
    for i in range(low, high):
        g = opaque(i * s.row_bytes)
        stream[0] = seed_stream(seed, policy_random(m, w, s, g) if by_key else np.uint64(i))
        if not reshuffle(m, w, t, s, g, viewers[i], stream):
            return i
    return -1
