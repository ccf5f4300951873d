"""Compiled policies that look no further than the placement at hand."""

from __future__ import annotations

from numba import int64, uint64

from ingenious_env.kernels.actions import SWAP_RACK, legal_pairs, policy_random, slot_weight
from ingenious_env.kernels.batch import ROWS, SPEC, unpack
from ingenious_env.kernels.compiling import compiled, inlined
from ingenious_env.kernels.intrinsics import (
    MOST_POINTS,
    count_bits,
    opaque,
    scratch_cell_values,
    scratch_pair_values,
    scratch_pairs,
    scratch_slots,
    scratch_words,
    scratch_worth,
)
from ingenious_env.kernels.streams import GOLDEN, mix, scale
from ingenious_env.kernels.turns import sheet_of, stop_of
from ingenious_env.state import NO_ACTION, OVER, SWAP
from ingenious_env.tiles import EMPTY


@inlined
def gain_in_value(m, s, counter, values, points):
    """What a counter gains in value by so many points (Rules 4.3, 4.4)."""
    old = int64(m[counter])
    return values[min(old + points, stop_of(s, old))] - values[old]


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
def list_slots(m, t, s, g, slots):
    """Write the slots, or the one held, whose tile is worth a look: slot, low, high; returns how many."""
    held, count = int64(m[g + s.held]), 0
    low, high = (held - 1, held) if held else (0, s.rack_size)
    rack = g + s.racks + int64(m[g + s.to_play]) * s.rack_size
    for slot in range(low, high):
        if slot_weight(m, t, s, g, slot) > 0:
            slots[3 * count] = slot
            slots[3 * count + 1] = t[s.type_low + m[rack + slot]]
            slots[3 * count + 2] = t[s.type_high + m[rack + slot]]
            count += 1
    return count


@inlined
def write_worth(m, s, sheet, colour, values, worth):
    """Write what points are worth to a colour, [most points + 1]: no more where it stops (Rules 4.3)."""
    old = int64(m[sheet + colour])
    room = stop_of(s, old) - old
    at, most = MOST_POINTS * colour, s.most_points + 1
    for points in range(min(room, most)):
        worth[at + points] = values[old + points] - values[old]
    for points in range(room, most):
        worth[at + points] = values[old + room] - values[old]


@inlined
def write_bounds(m, s, g, sheet, slots, num_slots, values, worth, bounds, empty):
    """Write the most that half a tile of any of the slots adds to the value of the counters, cell by cell."""
    shown = 0
    for k in range(num_slots):
        shown |= 1 << slots[3 * k + 1] | 1 << slots[3 * k + 2]
    num_empty = 0
    for cell in range(s.num_cells):
        bounds[cell] = 0.0
        empty[num_empty] = cell
        num_empty += m[g + s.board + cell] == EMPTY
    for colour in range(s.num_colours):
        if (shown >> colour) & 1:
            write_worth(m, s, sheet, colour, values, worth)
            points, of_colour = g + s.points + colour * s.num_cells, MOST_POINTS * colour
            for k in range(num_empty):
                cell = int64(empty[k])
                bounds[cell] = max(bounds[cell], worth[of_colour + m[points + cell]])


@inlined
def greedy_placement(m, w, t, b, s, g, values, random, room):
    """The flat placement that adds most to the value of the counters; equals are drawn for.

    `values` has one for each space of a counter and rises less and less, `random` is a word, `room` is what
    `greedy_room` gives. First each pair gets a bound, from what its two cells could bring at most; then only
    those pairs are looked at whose bound reaches what the pair with the highest bound brings.
    """
    legal, pairs, slots, worth, bounds, bound_of = room
    sheet = sheet_of(m, t, s, g)
    num_slots = list_slots(m, t, s, g, slots)
    write_bounds(m, s, g, sheet, slots, num_slots, values, worth, bounds, pairs)  # not yet in use
    legal_pairs(m, w, b, s, g, legal)
    num_pairs = list_pairs(s, legal, pairs)
    first, highest = 0, -1.0
    for k in range(num_pairs):
        at = s.pair_cells + 2 * int64(pairs[k])
        bound = bounds[int64(t[at])] + bounds[int64(t[at + 1])]
        bound_of[k] = bound
        first = k if bound > highest else first
        highest = max(bound, highest)
    value = best_on_pair(m, t, s, g, sheet, values, worth, slots, num_slots, int64(pairs[first]))
    left = 0
    for k in range(num_pairs):
        pairs[left] = pairs[k]
        left += bound_of[k] >= value
    best, best_value, equals = -1, -1.0, 0
    for k in range(left):
        pair = int64(pairs[k])
        points_1 = g + s.points + int64(t[s.pair_cells + 2 * pair])
        points_2 = g + s.points + int64(t[s.pair_cells + 2 * pair + 1])
        for j in range(num_slots):
            forward, backward = both_ways(m, s, sheet, values, worth, slots, j, points_1, points_2)
            if max(forward, backward) < best_value:
                continue
            for turned in range(2):
                value = backward if turned else forward
                if value >= best_value:
                    equals = equals + 1 if value == best_value else 1
                    best_value = value
                    random = mix(random + GOLDEN)
                    if scale(random, equals) == 0:
                        best = (int64(slots[3 * j]) * 2 + turned) * s.num_pairs + pair
    return best


@inlined
def both_ways(m, s, sheet, values, worth, slots, j, points_1, points_2):
    """What slot j's tile adds on two cells, and turned round; a double the first way alone."""
    low, high = int64(slots[3 * j + 1]), int64(slots[3 * j + 2])
    if low == high:
        both = int64(m[points_1 + low * s.num_cells]) + int64(m[points_2 + low * s.num_cells])
        return gain_in_value(m, s, sheet + low, values, both), -2.0
    low_at, high_at = low * s.num_cells, high * s.num_cells
    low_worth, high_worth = MOST_POINTS * low, MOST_POINTS * high
    forward = worth[low_worth + m[points_1 + low_at]] + worth[high_worth + m[points_2 + high_at]]
    backward = worth[high_worth + m[points_1 + high_at]] + worth[low_worth + m[points_2 + low_at]]
    return forward, backward


@inlined
def best_on_pair(m, t, s, g, sheet, values, worth, slots, num_slots, pair):
    """The most that any slot's tile adds on a pair."""
    points_1 = g + s.points + int64(t[s.pair_cells + 2 * pair])
    points_2 = g + s.points + int64(t[s.pair_cells + 2 * pair + 1])
    value = -1.0
    for j in range(num_slots):
        forward, backward = both_ways(m, s, sheet, values, worth, slots, j, points_1, points_2)
        value = max(value, forward, backward)
    return value


@inlined
def greedy_room():
    """What `greedy_placement` works in."""
    return (
        scratch_words(),
        scratch_pairs(),
        scratch_slots(),
        scratch_worth(),
        scratch_cell_values(),
        scratch_pair_values(),
    )


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
