"""One placement and the draw after it: what a placement adds, and what the next one can be hoped to add.

The board is taken as it is left: nothing is known of what the others will do to it.
"""

from __future__ import annotations

import numpy as np
from numba import int64

from agents.kernels.rollouts import FLAT, VALUES, copy_game, top_placements, value_of_sheet
from ingenious_env.kernels.actions import SWAP_RACK, play, policy_random
from ingenious_env.kernels.batch import ROWS, SPEC, unpack
from ingenious_env.kernels.compiling import compiled, inlined
from ingenious_env.kernels.policies import (
    best_on_pair,
    greedy_placement,
    greedy_room,
    list_pairs,
    write_worth,
)
from ingenious_env.kernels.turns import sheet_of
from ingenious_env.state import NO_ACTION, NO_TILE, OVER, PLACE, SWAP


@inlined
def count_kept(m, s, g, kept):
    """Count the tiles on the rack of the seat to move by type; returns how many there are."""
    rack, count = g + s.racks + int64(m[g + s.to_play]) * s.rack_size, 0
    kept[:] = 0
    for slot in range(s.rack_size):
        if m[rack + slot] != NO_TILE:
            kept[int64(m[rack + slot])] += 1
            count += 1
    return count


@inlined
def count_hidden(m, s, g, kept, hidden):
    """Count the tiles that the seat to move does not see by type, `kept` being on its rack.

    These stay the same while it places its own.
    """
    for tile in range(s.num_types):
        hidden[tile] = int64(m[g + s.unplaced + tile]) - kept[tile]
    if s.open_racks:
        for seat in range(s.num_players):
            for slot in range(s.rack_size):
                tile = m[g + s.racks + seat * s.rack_size + slot]
                if seat != m[g + s.to_play] and tile != NO_TILE:
                    hidden[int64(tile)] -= 1


@inlined
def write_best(m, w, t, s, g, sheet, values, room, of_type, best):
    """Write the most that a tile of each type adds to a sheet on the open pairs, [Y]."""
    legal, pairs, _, worth, _, _ = room
    for colour in range(s.num_colours):
        write_worth(m, s, sheet, colour, values, worth)
    for word in range(s.num_words):
        legal[word] = w[(g >> 3) + s.open_pairs + word]
    num_pairs = list_pairs(s, legal, pairs)
    for tile in range(s.num_types):
        of_type[1], of_type[2] = t[s.type_low + tile], t[s.type_high + tile]
        best[tile] = 0.0
        for k in range(num_pairs):
            value = best_on_pair(m, t, s, g, sheet, values, worth, of_type, 1, int64(pairs[k]))
            best[tile] = max(best[tile], value)


@inlined
def hoped_for(s, kept, hidden, draws, best, order):
    """The mean of the best of the tiles kept and of so many drawn from those that are not seen.

    A full rack's draw is a swap, in which none is kept. Draws count as independent of each other.
    """
    floor, unseen = 0.0, 0
    for tile in range(s.num_types):
        unseen += hidden[tile]
        if kept[tile] and draws < s.rack_size:
            floor = max(floor, best[tile])
        at = tile
        while at > 0 and best[order[at - 1]] > best[tile]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = tile
    if unseen == 0 or draws <= 0:
        return floor
    mean, up_to, before = 0.0, 0, 0.0
    for k in range(s.num_types):
        tile = order[k]
        up_to += hidden[tile]
        all_below = (up_to / unseen) ** draws
        mean += max(floor, best[tile]) * (all_below - before)
        before = all_below
    return mean


@compiled(f"void({SPEC}, {ROWS}, {VALUES}, float64, int32[::1], {VALUES}, int32[::1])")
def expectimax_actions(spec, low, high, values, discount, tried, gains, actions):
    """The action of each game with the highest value of the counters, what may follow included.

    What the next placement can be hoped to add counts `discount` times. Row `high` is worked in; tried and
    gains, [K], are room for as many placements as are to be looked at.
    """
    m, w, t, b, s = unpack(spec)
    room, work, first_swap = greedy_room(), high * s.row_bytes, s.rack_size * 2 * s.num_pairs
    kept, hidden, order = np.empty((3, s.num_types), np.int64)
    best, of_type = np.empty(s.num_types), np.empty(3, np.int64)
    for i in range(low, high):
        g = i * s.row_bytes
        if m[g + s.phase] == OVER:
            actions[i] = NO_ACTION
            continue
        sheet, on_rack = sheet_of(m, t, s, g), count_kept(m, s, g, kept)
        count_hidden(m, s, g, kept, hidden)
        if m[g + s.phase] == SWAP:
            write_best(m, w, t, s, g, sheet, values, room, of_type, best)
            keeping = hoped_for(s, kept, hidden, s.rack_size - on_rack, best, order)
            swapping = hoped_for(s, kept, hidden, s.rack_size, best, order)
            actions[i] = first_swap + (SWAP_RACK if swapping >= keeping else 0)
            continue
        random, highest = policy_random(m, w, s, g), -np.inf
        found = top_placements(m, w, t, b, s, g, values, random, room, tried, gains)
        for k in range(found):
            copy_game(m, s, work, g)
            action, turn = int64(tried[k]), m[g + s.turn]
            draws = s.rack_size - count_kept(m, s, g, kept)
            while True:
                slot = action // (2 * s.num_pairs)
                kept[int64(m[work + s.racks + int64(m[g + s.to_play]) * s.rack_size + slot])] -= 1
                draws += 1
                play(m, w, t, b, s, work, FLAT, action)
                if m[work + s.phase] != PLACE or m[work + s.turn] != turn:
                    break
                action = greedy_placement(m, w, t, b, s, work, values, random, room)
            value = value_of_sheet(m, s, sheet - g + work, values)
            if m[work + s.phase] != OVER:
                write_best(m, w, t, s, work, sheet - g + work, values, room, of_type, best)
                value += discount * hoped_for(s, kept, hidden, draws, best, order)
            if value > highest:
                highest, actions[i] = value, tried[k]
