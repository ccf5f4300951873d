"""What a network makes of positions after a placement, and games played by it.

An afterstate is the position after a placement or a choice to swap, before the draw: what the mover knows for
sure. It is written as numbers near 1 (see `write_inputs`). All colours are judged alike and the verdicts are
added up, so that all positions that differ by a change of colours are one (see `layout.py`).
"""

from __future__ import annotations

import numba
import numpy as np
from numba import int64, uint64

from agents.kernels.inputs import count_tile, cover, prepare, value_room, write_inputs
from agents.kernels.layout import BY_COLOUR, FIRST, OF_ALL, SECOND, SPACES, THIRD
from agents.kernels.network import behind, first_layer, second_layer, third_layer
from agents.kernels.rollouts import FLAT, VALUES, copy_game, result_for, sort_sheet, top_placements
from ingenious_env.kernels.actions import (
    KEEP,
    SWAP_RACK,
    play,
    word_for_decision,
)
from ingenious_env.kernels.batch import ROWS, SPEC, unpack
from ingenious_env.kernels.compiling import compiled, inlined
from ingenious_env.kernels.intrinsics import pointer, scratch_slots
from ingenious_env.kernels.policies import greedy_room
from ingenious_env.kernels.streams import GOLDEN, mix, scale
from ingenious_env.state import NO_ACTION, NO_TILE, OVER, SWAP

NETWORK = "float32[::1]"


@inlined
def infer(s, network, room):
    """The network's answer to the inputs, before it is squeezed."""
    by_colour, of_all = s.num_sheets + BY_COLOUR, s.num_sheets * s.num_colours + OF_ALL
    at_second = (by_colour + 1) * FIRST
    at_third = at_second + (FIRST + 1) * SECOND
    at_answer = at_third + (SECOND + of_all + 1) * THIRD
    inputs, joined = room.inputs, room.joined
    for k in range(SECOND):
        joined[k] = 0.0
    for colour in range(s.num_colours):
        first_layer(room.first, behind(inputs, colour * by_colour), by_colour, network, int64(0))
        second_layer(room.second, room.first, int64(FIRST), network, int64(at_second))
        for k in range(SECOND):
            joined[k] += room.second[k]
    for k in range(of_all):
        joined[SECOND + k] = inputs[s.num_colours * by_colour + k]
    third_layer(room.third, joined, SECOND + of_all, network, int64(at_third))
    answer = network[at_answer]
    for k in range(THIRD):
        answer += room.third[k] * network[at_answer + 1 + k]
    return answer


@inlined
def outcome(m, s, g, sheet):
    """What a finished game is worth to a sheet: its share of the win, or alone the mean of its counters.

    There the lowest counts most, 1, 0.2, 0.1 and 0.05 for the lowest four.
    """
    if s.num_sheets > 1:
        return result_for(m, s, g, sheet, 0.0)
    counters = scratch_slots()
    sort_sheet(m, s, g + s.scores, counters)
    value, weight, weights = 0.0, 1.0, 0.0
    for k in range(min(4, s.num_colours)):
        value += weight * counters[k]
        weights += weight
        weight = 0.2 if k == 0 else weight / 2
    return value / weights


@inlined
def squeeze(s, answer):
    """The network's answer as a value: alone as it is, else from 0 to 1."""
    return SPACES * float(answer) if s.num_sheets == 1 else 1.0 / (1.0 + np.exp(-float(answer)))


@inlined
def value_of(m, w, s, g, sheet, owed, num_kept, places, network, room):
    """What an afterstate is worth to a sheet."""
    write_inputs(m, w, s, g, sheet, owed, num_kept, places, room)
    return squeeze(s, infer(s, network, room))


@inlined
def worth_of_swap(m, w, s, g, num_kept, swaps, network, room):
    """What it is worth to keep the rack, or to swap it, to the sheet to move."""
    if swaps:
        num_kept = 0
        for k in range(2 * s.num_colours):
            room.colours[k] = 0
    sheet = int64(m[g + s.to_play]) % s.num_sheets
    return value_of(m, w, s, g, sheet, 0, num_kept, room.places, network, room)


@numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
def worth_of_placement(m, w, t, b, s, g, work, num_kept, action, network, room):
    """What a flat placement is worth to the sheet that takes it; leaves what follows in the row `work`.

    Not inlined, as it is much, and called from several places.
    """
    colours = room.colours
    sheet, seat = int64(m[g + s.to_play]) % s.num_sheets, int64(m[g + s.to_play])
    tile = int64(m[g + s.racks + seat * s.rack_size + action // (2 * s.num_pairs)])
    pair = s.pair_cells + 2 * (action % s.num_pairs)
    copy_game(m, s, work, g)
    play(m, w, t, b, s, work, FLAT, action)
    if m[work + s.phase] == OVER:
        return outcome(m, s, work, sheet)
    owed = int64(m[work + s.plays_left]) if m[work + s.turn] == m[g + s.turn] else 0
    cover(m, t, s, g, work, int64(t[pair]), int64(t[pair + 1]), room)
    count_tile(t, s, tile, -1, 0, colours)
    value = value_of(m, w, s, work, sheet, owed, num_kept - 1, room.covered, network, room)
    count_tile(t, s, tile, 1, 0, colours)
    return value


@inlined
def best_action(m, w, t, b, s, g, work, network, prior, random, room, greedy, tried, gains):
    """The action that is worth most, and what it is worth.

    Of the placements only those are looked at that add most to the value of the counters by `prior`, as many
    as there is room for in tried and gains.
    """
    first_swap, best, highest = s.rack_size * 2 * s.num_pairs, int64(-1), -np.inf
    num_kept = prepare(m, t, s, g, room)
    if m[g + s.phase] == SWAP:
        keeping = worth_of_swap(m, w, s, g, num_kept, 0, network, room)
        swapping = worth_of_swap(m, w, s, g, num_kept, 1, network, room)
        if swapping >= keeping:
            return first_swap + SWAP_RACK, swapping
        return first_swap + KEEP, keeping
    for k in range(top_placements(m, w, t, b, s, g, prior, random, greedy, tried, gains)):
        action = int64(tried[k])
        value = worth_of_placement(m, w, t, b, s, g, work, num_kept, action, network, room)
        if value > highest:
            best, highest = action, value
    return best, highest


@inlined
def is_afterstate(m, w, t, b, s, g, work, action, network, room):
    """Write the inputs of the afterstate of a flat action, unless it ends the game; returns whether."""
    num_kept, first_swap = prepare(m, t, s, g, room), s.rack_size * 2 * s.num_pairs
    if action >= first_swap:
        worth_of_swap(m, w, s, g, num_kept, action == first_swap + SWAP_RACK, network, room)
        return True
    worth_of_placement(m, w, t, b, s, g, work, num_kept, action, network, room)
    return m[work + s.phase] != OVER


@compiled(f"void({SPEC}, {ROWS}, int64, {NETWORK}, {VALUES}, int64, int32[::1], float64[::1])")
def best_actions(spec, low, high, work, network, prior, most, actions, values):
    """The action of each game that the network values most, and its value; row `work` is worked in."""
    m, w, t, b, s = unpack(spec)
    room, greedy, network = value_room(), greedy_room(), pointer(network)
    tried, gains, scratch = np.empty(most, np.int32), np.empty(most), work * s.row_bytes
    for i in range(low, high):
        g = i * s.row_bytes
        if m[g + s.phase] == OVER:
            actions[i], values[i] = NO_ACTION, 0.0
            continue
        random = word_for_decision(m, s, g, w[(g >> 3) + s.policy_key])
        actions[i], values[i] = best_action(
            m, w, t, b, s, g, scratch, network, prior, random, room, greedy, tried, gains
        )


@inlined
def add_rack(m, t, s, rack, times, tiles):
    """Add so many times the tiles on a rack to the counts by colour; returns how many there are."""
    count = 0
    for slot in range(s.rack_size):
        tile = int64(m[rack + slot])
        if tile < s.num_types:
            add_tile(t, s, tile, times, tiles)
            count += 1
    return count


@inlined
def add_tile(t, s, tile, times, tiles):
    """Add so many times a tile to the counts by colour, once to both of its colours."""
    low, high = int64(t[s.type_low + tile]), int64(t[s.type_high + tile])
    tiles[low] += times
    if high != low:
        tiles[high] += times


@inlined
def play_and_see(m, w, t, b, s, g, action, room, surprises):
    """Play an action, and write how many tiles of each colour the seat then drew beyond what was expected.

    As far as the seat can know, what it draws is any of the tiles that it does not see.
    """
    first_swap = s.rack_size * 2 * s.num_pairs
    rack, kept = g + s.racks + int64(m[g + s.to_play]) * s.rack_size, 0
    surprises[:] = 0.0
    on_rack = add_rack(m, t, s, rack, -1.0, surprises)
    unseen = s.num_tiles - int64(m[g + s.placed]) - on_rack
    if s.open_racks:
        for place in range(g + s.racks, g + s.racks + s.num_players * s.rack_size):
            unseen -= m[place] != NO_TILE
        unseen += on_rack
    if action < first_swap:
        add_tile(t, s, int64(m[rack + action // (2 * s.num_pairs)]), 1.0, surprises)
        kept = on_rack - 1
    elif action == first_swap + KEEP:
        kept = on_rack
    else:
        surprises[:] = 0.0
    play(m, w, t, b, s, g, FLAT, action)
    drawn = add_rack(m, t, s, rack, 1.0, surprises) - kept
    if drawn > 0:
        for colour in range(s.num_colours):
            surprises[colour] -= drawn * room.colours[2 * s.num_colours + colour] / unseen


@compiled(
    f"int64({SPEC}, {ROWS}, int64, {NETWORK}, {VALUES}, int64, float64, float32[:, :, ::1],"
    " float32[:, :, ::1], float64[:, ::1], int32[:, ::1], int8[:, ::1], boolean[:, ::1], int64[::1],"
    " float64[:, ::1])"
)
def play_by_value(
    spec,
    low,
    high,
    work,
    network,
    prior,
    most,
    explore,
    inputs,
    surprises,
    values,
    actions,
    sheets,
    explored,
    counts,
    results,
):
    """Play each game to its end by the network, now and then at random, and write down all afterstates.

    Fills for each game and step inputs, [B, S, I], by how many more tiles of each colour than was to be
    expected the seat then drew, [B, S, C], what the best action was worth, [B, S], the action that was
    played, whose sheet moved, and whether it was explored rather than best; and for each game counts of
    steps, [B], and the results of all sheets, [B, T]. Where exploring ended the game, its sheet's result is
    what the best action would have been worth.
    """
    m, w, t, b, s = unpack(spec)
    room, greedy, network = value_room(), greedy_room(), pointer(network)
    tried, gains, scratch = np.empty(most, np.int32), np.empty(most), work * s.row_bytes
    total = 0
    for i in range(low, high):
        g, step, spoilt, hoped = i * s.row_bytes, 0, int64(-1), 0.0
        while m[g + s.phase] != OVER and step < values.shape[1]:
            random = word_for_decision(m, s, g, w[(g >> 3) + s.stream])
            action, value = best_action(
                m, w, t, b, s, g, scratch, network, prior, random, room, greedy, tried, gains
            )
            random = mix(random + GOLDEN)
            explores = float(random >> uint64(11)) * (1.0 / 9007199254740992.0) < explore
            explores = explores and m[g + s.phase] != SWAP
            if explores:
                found = top_placements(m, w, t, b, s, g, prior, random, greedy, tried, gains)
                action = int64(tried[scale(mix(random + GOLDEN), found)])
            if is_afterstate(m, w, t, b, s, g, scratch, action, network, room):
                for k in range(inputs.shape[2]):
                    inputs[i, step, k] = room.inputs[k]
                values[i, step], actions[i, step], explored[i, step] = value, action, explores
                sheets[i, step] = int64(m[g + s.to_play]) % s.num_sheets
                play_and_see(m, w, t, b, s, g, action, room, surprises[i, step])
                step += 1
            else:
                if explores:
                    spoilt, hoped = int64(m[g + s.to_play]) % s.num_sheets, value
                play(m, w, t, b, s, g, FLAT, action)
        counts[i] = step
        total += step
        for sheet in range(s.num_sheets):
            results[i, sheet] = hoped if sheet == spoilt else outcome(m, s, g, sheet)
    return total


@compiled(
    "void(float64[:, ::1], int8[:, ::1], boolean[:, ::1], int64[::1], float64[:, ::1], float32[:, ::1],"
    " float64, float32[:, ::1], float32[:, ::1])"
)
def write_targets(values, sheets, explored, counts, results, luck, decay, changes, targets):
    """Write what each afterstate should have been worth: a mean of what the next ones of its sheet were.

    TD(λ), with λ = decay: from the end on, of the value seen at the sheet's next decision and of the target
    there; of the value alone where another action was explored, for which the one before is not to blame.
    What the draw after it brought by luck, [B, S], is taken off. Also writes by how much the value changed
    up to the next decision.
    """
    for i in range(len(counts)):
        for sheet in range(results.shape[1]):
            target = value = results[i, sheet]
            for step in range(counts[i] - 1, -1, -1):
                if sheets[i, step] == sheet:
                    changes[i, step] = value - values[i, step]
                    value = values[i, step]
                    targets[i, step] = target - luck[i, step]
                    onward = 0.0 if explored[i, step] else decay
                    target = (1.0 - onward) * value + onward * targets[i, step]
