"""Rollouts by a value network: it plays all seats, and says what the position is worth where they end.

The rows of a search are those of `rollouts.py`; placements are tried out in row 3.
"""

from __future__ import annotations

import numpy as np
from numba import int64

from agents.kernels.inputs import prepare, value_room
from agents.kernels.rollouts import (
    FLAT,
    VALUES,
    add_result,
    copy_game,
    deal_hidden,
    top_placements,
    word_of_search,
)
from agents.kernels.values import (
    NETWORK,
    best_action,
    outcome,
    worth_of_placement,
)
from ingenious_env.kernels.actions import play, policy_random
from ingenious_env.kernels.batch import SPEC, unpack
from ingenious_env.kernels.compiling import compiled
from ingenious_env.kernels.intrinsics import pointer
from ingenious_env.kernels.policies import greedy_room
from ingenious_env.kernels.streams import GOLDEN, mix
from ingenious_env.state import OVER


@compiled(f"int64({SPEC}, {NETWORK}, {VALUES}, int32[::1], {VALUES}, {VALUES})")
def rank_placements(spec, network, prior, tried, gains, values):
    """What the network thinks of the root's best placements by `prior`, as many as there is room for.

    Fills tried, gains by the prior and values, [K]; returns how many there are.
    """
    m, w, t, b, s = unpack(spec)
    room, root, work, network = value_room(), int64(0), 3 * s.row_bytes, pointer(network)
    num_kept, random = prepare(m, t, s, root, room), policy_random(m, w, s, root)
    found = top_placements(m, w, t, b, s, root, prior, random, greedy_room(), tried, gains)
    for k in range(found):
        action = int64(tried[k])
        values[k] = worth_of_placement(m, w, t, b, s, root, work, num_kept, action, network, room)
    return found


@compiled(
    f"void({SPEC}, int32[::1], int64, int64, uint64, {NETWORK}, {VALUES}, int64, int64, float64[:, ::1])"
)
def try_by_network(spec, candidates, first, last, seed, network, prior, most, decisions, sums):
    """Simulations first to last − 1 of each candidate at the root, for the seat to move.

    As `try_candidates`, but the network plays on, and a simulation ends where the searching sheet would
    decide for the `decisions`th time; it is worth what the network thinks of the best it could do there. For
    0 decisions it goes to the end of the game. The network looks at `most` placements of a position.
    """
    m, w, t, b, s = unpack(spec)
    deal, work, trial = s.row_bytes, 2 * s.row_bytes, 3 * s.row_bytes
    room, greedy, network = value_room(), greedy_room(), pointer(network)
    tried, gains, stream = np.empty(most, np.int32), np.empty(most), np.empty(1, np.uint64)
    sheet, word = int64(m[s.to_play]) % s.num_sheets, word_of_search(m, w, s, seed)
    for simulation in range(first, last):
        equals = deal_hidden(m, w, t, s, deal, word, simulation, stream)
        for k in range(len(candidates)):
            copy_game(m, s, work, deal)
            play(m, w, t, b, s, work, FLAT, int64(candidates[k]))
            random, left, value = equals, decisions, 0.0
            while m[work + s.phase] != OVER:
                random = mix(random + GOLDEN)
                action, value = best_action(
                    m, w, t, b, s, work, trial, network, prior, random, room, greedy, tried, gains
                )
                if int64(m[work + s.to_play]) % s.num_sheets == sheet:
                    left -= 1
                    if left == 0:
                        break
                play(m, w, t, b, s, work, FLAT, action)
            if m[work + s.phase] == OVER:
                value = outcome(m, s, work, sheet)
            add_result(sums[k], value)
