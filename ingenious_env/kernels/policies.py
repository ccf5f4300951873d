"""Compiled policies that look no further than the placement at hand."""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from ingenious_env.kernels.actions import SWAP_RACK, legal_pairs, policy_random, slot_weight
from ingenious_env.kernels.batch import ROWS, SPEC, unpack
from ingenious_env.kernels.compiling import compiled, inlined
from ingenious_env.kernels.intrinsics import (
    count_bits,
    opaque,
    scratch_gains,
    scratch_pairs,
    scratch_words,
)
from ingenious_env.kernels.streams import GOLDEN, mix, scale
from ingenious_env.kernels.turns import sheet_of
from ingenious_env.state import NO_ACTION, OVER, SWAP


@inlined
def gain_in_value(m, s, counter, values, points):
    """What a counter gains in value by so many points (Rules 4.3, 4.4)."""
    old = int64(m[counter])
    stop = s.counter_top if old < s.counter_top else s.last_space
    return values[min(old + points, stop)] - values[old]


@inlined
def write_gains(m, s, g, sheet, values, gains):
    """Write what half a tile of each colour adds to the value of the counters on each cell, [C, N]."""
    for colour in range(s.num_colours):
        for cell in range(colour * s.num_cells, (colour + 1) * s.num_cells):
            gains[cell] = gain_in_value(m, s, sheet + colour, values, int64(m[g + s.points + cell]))


@inlined
def list_pairs(s, legal, pairs):
    """Write the legal pairs one after the other; returns how many."""
    count = 0
    for word in range(s.num_words):
        bits = legal[word]
        while bits:
            pairs[count] = 64 * word + count_bits(~bits & (bits - uint64(1)))
            bits &= bits - uint64(1)
            count += 1
    return count


@inlined
def greedy_placement(m, w, t, b, s, g, values, random, room):
    """The flat placement that adds most to the value of the counters; equals are drawn for.

    `values` has one for each space of a counter, `random` is a word, `room` is what `greedy_room` gives.
    """
    legal, gains, pairs = room
    held = int64(m[g + s.held])
    low, high = (held - 1, held) if held else (0, s.rack_size)
    rack = g + s.racks + int64(m[g + s.to_play]) * s.rack_size
    sheet = sheet_of(m, t, s, g)
    legal_pairs(m, w, b, s, g, legal)
    write_gains(m, s, g, sheet, values, gains)
    num_pairs = list_pairs(s, legal, pairs)
    best, most, equals = -1, -np.inf, 0
    for slot in range(low, high):
        weight = slot_weight(m, t, s, g, slot)
        if weight == 0:
            continue
        lower, higher = int64(t[s.type_low + m[rack + slot]]), int64(t[s.type_high + m[rack + slot]])
        for k in range(num_pairs):
            pair = int64(pairs[k])
            cell_1, cell_2 = int64(t[s.pair_cells + 2 * pair]), int64(t[s.pair_cells + 2 * pair + 1])
            if weight == 1:
                points = g + s.points + lower * s.num_cells
                both = int64(m[points + cell_1]) + int64(m[points + cell_2])
                forward = gain_in_value(m, s, sheet + lower, values, both)
                backward = -np.inf
            else:
                forward = gains[lower * s.num_cells + cell_1] + gains[higher * s.num_cells + cell_2]
                backward = gains[higher * s.num_cells + cell_1] + gains[lower * s.num_cells + cell_2]
            if max(forward, backward) < most:
                continue
            for turned in range(weight):
                value = backward if turned else forward
                if value < most:
                    continue
                equals = equals + 1 if value == most else 1
                most = value
                random = mix(random + GOLDEN)
                if scale(random, equals) == 0:
                    best = (slot * 2 + turned) * s.num_pairs + pair
    return best


@inlined
def greedy_room():
    """What `greedy_placement` works in: words, gains [C, N], pairs [K]."""
    return scratch_words(), scratch_gains(), scratch_pairs()


@compiled(f"void({SPEC}, {ROWS}, boolean, float64[::1], int32[::1])")
def greedy_actions(spec, low, high, staged, values, actions):
    """The greedy action of each game; values has one for each space of a counter, [last space + 1]."""
    m, w, t, b, s = unpack(spec)
    room, ways = greedy_room(), 2 * s.num_pairs
    for i in range(low, high):
        g = opaque(i * s.row_bytes)
        if m[g + s.phase] == OVER:
            actions[i] = NO_ACTION
        elif m[g + s.phase] == SWAP:
            actions[i] = (s.rack_size + ways if staged else s.rack_size * ways) + SWAP_RACK
        else:
            flat = greedy_placement(m, w, t, b, s, g, values, policy_random(m, w, s, g), room)
            if not staged:
                actions[i] = flat
            elif m[g + s.held]:
                actions[i] = s.rack_size + flat % ways
            else:
                actions[i] = flat // ways
