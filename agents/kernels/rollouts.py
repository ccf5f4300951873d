"""Rollouts: what becomes of a position if all go on greedily, many times over.

A search works in a few rows of games. Row 0 is the root: a position in which all that the searching seat
cannot know was dealt anew before it came here. Row 1 is the root with those tiles dealt anew once more, for
one simulation; row 2 is played to its end.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from ingenious_env.kernels.actions import SWAP_RACK, legal_pairs, play, policy_random
from ingenious_env.kernels.batch import ROWS, SPEC, unpack
from ingenious_env.kernels.compiling import compiled, inlined
from ingenious_env.kernels.hidden import reshuffle
from ingenious_env.kernels.intrinsics import copy, scratch_slots
from ingenious_env.kernels.policies import (
    both_ways,
    greedy_placement,
    greedy_room,
    list_pairs,
    list_slots,
    write_worth,
)
from ingenious_env.kernels.streams import GOLDEN, mix
from ingenious_env.kernels.turns import sheet_of
from ingenious_env.state import OVER, SWAP

VALUES = "float64[::1]"
FLAT = False  # actions are not staged
NEVER = 1 << 30  # a turn that no game reaches


@inlined
def copy_game(m, s, to, source):
    """Make one row's game that of another, future included."""
    copy(m, to, m, source, s.row_bytes)


@inlined
def play_greedily(m, w, t, b, s, g, values, stream, room, until):
    """Play a game up to a turn or to its end, every seat greedily, equals drawn for out of a stream."""
    swap = s.rack_size * 2 * s.num_pairs + SWAP_RACK
    while m[g + s.phase] != OVER and int64(m[g + s.turn]) < until:
        action = swap
        if m[g + s.phase] != SWAP:
            stream += GOLDEN
            action = greedy_placement(m, w, t, b, s, g, values, mix(stream), room)
        play(m, w, t, b, s, g, FLAT, action)


@inlined
def sort_sheet(m, s, sheet, counters):
    """Write the counters of a sheet in ascending order; returns them as digits of a number (Rules 7.3)."""
    number = int64(0)
    for colour in range(s.num_colours):
        counter, at = m[sheet + colour], colour
        while at > 0 and counters[at - 1] > counter:
            counters[at] = counters[at - 1]
            at -= 1
        counters[at] = counter
    for colour in range(s.num_colours):
        number = number * 128 + int64(counters[colour])
    return number


@inlined
def result_for(m, s, g, sheet, margin):
    """What a finished game is worth to a sheet, from 0 to 1 and a little beyond.

    Against others its share of the win, and `margin` times how far its lowest counter is ahead, as a share of
    the last space. Alone its counters, each `margin` times what the next lower one counts, as such shares.
    """
    counters = scratch_slots()
    mine = sort_sheet(m, s, g + s.scores + sheet * s.num_colours, counters)
    if s.num_sheets == 1:
        value = 0.0
        for k in range(s.num_colours - 1, -1, -1):
            value = counters[k] + margin * value
        return value / s.last_space
    lowest = int64(counters[0])
    others_lowest, better, equal = int64(0), 0, 1
    for other in range(s.num_sheets):
        if other != sheet:
            its = sort_sheet(m, s, g + s.scores + other * s.num_colours, counters)
            others_lowest = max(others_lowest, int64(counters[0]))
            better += its > mine
            equal += its == mine
    share = 0.0 if better else 1.0 / equal
    return share + margin * (lowest - others_lowest) / s.last_space


@inlined
def value_of_sheet(m, s, sheet, values):
    """The value of the counters of a sheet."""
    value = 0.0
    for colour in range(s.num_colours):
        value += values[int64(m[sheet + colour])]
    return value


@inlined
def write_results(m, s, g, values, slope, margin, results):
    """Write what a game is worth to each sheet, [T]: its result, or while it goes on the sheet's chances.

    The odds between two sheets are exp(slope · what the value of their counters differs by).
    """
    if m[g + s.phase] == OVER:
        for sheet in range(s.num_sheets):
            results[sheet] = result_for(m, s, g, sheet, margin)
        return
    highest, total = -np.inf, 0.0
    for sheet in range(s.num_sheets):
        results[sheet] = value_of_sheet(m, s, g + s.scores + sheet * s.num_colours, values)
        highest = max(highest, results[sheet])
    for sheet in range(s.num_sheets):
        results[sheet] = np.exp(slope * (results[sheet] - highest))  # 1 for the highest, so no overflow
        total += results[sheet]
    for sheet in range(s.num_sheets):
        results[sheet] /= total


@inlined
def top_placements(m, w, t, b, s, g, values, random, room, actions, priors):
    """The best placements of a position by what they add to the value of the counters, the best first.

    Equals come in random order. Returns how many there are: as many as there is room for, or fewer.
    """
    legal, pairs, slots, worth, _, _ = room
    sheet = sheet_of(m, t, s, g)
    num_slots = list_slots(m, t, s, g, slots)
    for colour in range(s.num_colours):
        write_worth(m, s, sheet, colour, values, worth)
    legal_pairs(m, w, b, s, g, legal)
    num_pairs, found = list_pairs(s, legal, pairs), 0
    start = int64(random % uint64(num_pairs))
    for k in range(num_pairs):
        pair = int64(pairs[k + start if k + start < num_pairs else k + start - num_pairs])
        points_1 = g + s.points + int64(t[s.pair_cells + 2 * pair])
        points_2 = g + s.points + int64(t[s.pair_cells + 2 * pair + 1])
        for j in range(num_slots):
            ways = both_ways(m, s, sheet, values, worth, slots, j, points_1, points_2)
            for turned in range(2):
                value = ways[1] if turned else ways[0]
                if value < 0.0 or (found == len(actions) and value <= priors[found - 1]):
                    continue
                if found < len(actions):
                    found += 1
                at = found - 1
                while at > 0 and priors[at - 1] < value:
                    priors[at], actions[at] = priors[at - 1], actions[at - 1]
                    at -= 1
                priors[at] = value
                actions[at] = (int64(slots[3 * j]) * 2 + turned) * s.num_pairs + pair
    return found


@compiled(f"void({SPEC}, {ROWS}, {VALUES}, int32[:, ::1], float64[:, ::1], int64[::1])")
def list_candidates(spec, low, high, values, actions, priors, counts):
    """List each game's best actions by what they add to the value of the counters, the best first.

    Fills actions and priors, [B, K], and counts, [B], how many there are: K or fewer, none where a game is
    over. A choice to swap is two candidates without a prior.
    """
    m, w, t, b, s = unpack(spec)
    room, first_swap = greedy_room(), s.rack_size * 2 * s.num_pairs
    for i in range(low, high):
        g = i * s.row_bytes
        if m[g + s.phase] == OVER:
            counts[i] = 0
        elif m[g + s.phase] == SWAP:
            actions[i, 0], actions[i, 1] = first_swap + SWAP_RACK, first_swap
            priors[i, 0] = priors[i, 1] = 0.0
            counts[i] = 2
        else:
            random = policy_random(m, w, s, g)
            counts[i] = top_placements(m, w, t, b, s, g, values, random, room, actions[i], priors[i])


@inlined
def word_of_search(m, w, s, seed):
    """What a search's deals follow from: its seed, and the position and the key of the root."""
    return policy_random(m, w, s, int64(0)) ^ mix(seed + GOLDEN)


@inlined
def deal_hidden(m, w, t, s, deal, word, simulation, stream):
    """Make row 1 the root with its hidden tiles dealt anew for a simulation; returns a word to go on with."""
    copy_game(m, s, deal, int64(0))
    stream[0] = mix(word + uint64(simulation) * GOLDEN)
    reshuffle(m, w, t, s, deal, int64(m[s.to_play]), stream)
    return mix(stream[0])


@inlined
def add_result(sums, result):
    """Count a result: the sum, the sum of squares and the number of them, [3]."""
    sums[0] += result
    sums[1] += result * result
    sums[2] += 1.0


@compiled(f"void({SPEC}, int32[::1], int64, int64, uint64, {VALUES}, float64, float64[:, ::1])")
def try_candidates(spec, candidates, first, last, seed, values, margin, sums):
    """Simulations first to last − 1 of each candidate at the root, for the seat to move.

    Each simulation deals the hidden tiles once, for all candidates, plays the candidate and then greedily on.
    Adds results, their squares and their number to sums, [candidates, 3].
    """
    m, w, t, b, s = unpack(spec)
    deal, work = s.row_bytes, 2 * s.row_bytes
    room, stream = greedy_room(), np.empty(1, np.uint64)
    sheet, word = int64(m[s.to_play]) % s.num_sheets, word_of_search(m, w, s, seed)
    for simulation in range(first, last):
        equals = deal_hidden(m, w, t, s, deal, word, simulation, stream)
        for k in range(len(candidates)):
            copy_game(m, s, work, deal)
            play(m, w, t, b, s, work, FLAT, int64(candidates[k]))
            play_greedily(m, w, t, b, s, work, values, equals, room, NEVER)
            add_result(sums[k], result_for(m, s, work, sheet, margin))
