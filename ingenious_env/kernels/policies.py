"""Compiled policies that look no further than the placement at hand."""

from __future__ import annotations

from numba import int64, uint64

from ingenious_env.kernels.actions import SWAP_RACK, legal_pairs, policy_random, slot_weight
from ingenious_env.kernels.batch import _ARRAYS, _ROWS, unpack
from ingenious_env.kernels.compiling import compiled, inlined
from ingenious_env.kernels.streams import GOLDEN, mix, scale
from ingenious_env.state import NO_ACTION, OVER, SWAP


@inlined
def gain_in_value(m, s, g, values, colour, points):
    """What a counter of the seat to move gains in value by so many points (Rules 4.3, 4.4)."""
    old = int64(m[g + s.scores + (int64(m[g + s.to_play]) % s.num_sheets) * s.num_colours + colour])
    stop = s.counter_top if old < s.counter_top else s.last_space
    return values[min(old + points, stop)] - values[old]


@inlined
def placement_value(m, s, g, values, colour_1, cell_1, colour_2, cell_2):
    """What a placement adds to the value of the counters."""
    points_1 = int64(m[g + s.points + colour_1 * s.num_cells + cell_1])
    points_2 = int64(m[g + s.points + colour_2 * s.num_cells + cell_2])
    if colour_1 == colour_2:
        return gain_in_value(m, s, g, values, colour_1, points_1 + points_2)
    return gain_in_value(m, s, g, values, colour_1, points_1) + gain_in_value(
        m, s, g, values, colour_2, points_2
    )


@inlined
def greedy_placement(m, w, t, b, s, g, values, legal):
    """The flat placement that adds most to the value of the counters; equals are drawn for."""
    held = int64(m[g + s.held])
    low, high = (held - 1, held) if held else (0, s.rack_size)
    rack = g + s.racks + int64(m[g + s.to_play]) * s.rack_size
    legal_pairs(m, w, b, s, g, legal)
    random = policy_random(m, w, s, g)
    best, best_value, equals = -1, 0.0, 0
    for slot in range(low, high):
        weight = slot_weight(m, t, s, g, slot)
        if weight == 0:
            continue
        lower, higher = int64(t[s.type_low + m[rack + slot]]), int64(t[s.type_high + m[rack + slot]])
        for pair in range(s.num_pairs):
            if (legal[pair >> 6] >> uint64(pair & 63)) & uint64(1) == uint64(0):
                continue
            cell_1, cell_2 = int64(t[s.pair_cells + 2 * pair]), int64(t[s.pair_cells + 2 * pair + 1])
            for turned in range(weight):
                first, second = (higher, lower) if turned else (lower, higher)
                value = placement_value(m, s, g, values, first, cell_1, second, cell_2)
                if best >= 0 and value < best_value:
                    continue
                if best < 0 or value > best_value:
                    equals = 0
                equals += 1
                random = mix(random + GOLDEN)
                if scale(random, equals) == 0:
                    best, best_value = (slot * 2 + turned) * s.num_pairs + pair, value
    return best


@compiled(f"void({_ARRAYS}, {_ROWS}, boolean, float64[::1], int32[::1])")
def greedy_actions(m, w, t, b, spec, scratch, low, high, staged, values, actions):
    """The greedy action of each game; values has one for each space of a counter, [last space + 1]."""
    m, w, t, b, s, legal, _flags = unpack(m, w, t, b, spec, scratch)
    ways = 2 * s.num_pairs
    for i in range(low, high):
        g = i * s.row_bytes
        if m[g + s.phase] == OVER:
            actions[i] = NO_ACTION
        elif m[g + s.phase] == SWAP:
            actions[i] = (s.rack_size + ways if staged else s.rack_size * ways) + SWAP_RACK
        else:
            flat = greedy_placement(m, w, t, b, s, g, values, legal)
            if not staged:
                actions[i] = flat
            elif m[g + s.held]:
                actions[i] = s.rack_size + flat % ways
            else:
                actions[i] = flat // ways
