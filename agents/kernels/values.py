"""What a network makes of positions after a placement, and games played by it.

An afterstate is the position after a placement or a choice to swap, before the draw: what the mover knows for
sure. It is written as numbers near 1 (see `write_inputs`). All colours are judged alike and the verdicts are
added up, so that all positions that differ by a change of colours are one (see `layout.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import float32, int64, uint64

from agents.kernels.layout import BY_COLOUR, FIRST, LEVELS, OF_ALL, SECOND, SPACES, THIRD
from agents.kernels.network import (
    behind,
    first_layer,
    scratch_cells,
    scratch_colours,
    scratch_first,
    scratch_inputs,
    scratch_levels,
    scratch_second,
    scratch_third,
    second_layer,
    third_layer,
    weigh_levels,
)
from agents.kernels.rollouts import FLAT, VALUES, copy_game, result_for, sort_sheet, top_placements
from ingenious_env.kernels.actions import (
    KEEP,
    SWAP_RACK,
    play,
    word_for_decision,
)
from ingenious_env.kernels.batch import ROWS, SPEC, unpack
from ingenious_env.kernels.compiling import compiled, inlined
from ingenious_env.kernels.intrinsics import (
    copy,
    count_bits,
    pointer,
    scratch_slots,
)
from ingenious_env.kernels.policies import greedy_room
from ingenious_env.kernels.streams import GOLDEN, mix, scale
from ingenious_env.state import NO_ACTION, OVER, SWAP
from ingenious_env.tiles import EMPTY

NETWORK = "float32[::1]"
A_FEW = 6.0  # spaces; counters as such multiples are numbers near one


@inlined
def open_pairs_at(m, t, s, g, cell):
    """In how many ways a tile can lie on a cell and another: how many of the cells beside it are empty."""
    near, board, count = s.neighbours + 6 * cell, g + s.board, 0
    for direction in range(6):
        count += m[board + int64(t[near + direction])] == EMPTY
    return count


@inlined
def prepare(m, t, s, g, room):
    """What all afterstates of a decision share; returns how many tiles are on the rack.

    Counts the open pairs at each empty cell, and by colour the tiles on the rack and its doubles, and the
    tiles that the seat to move does not see.
    """
    colours, cells = room.colours, room.cells
    for cell in range(s.num_cells):
        cells[cell] = open_pairs_at(m, t, s, g, cell) if m[g + s.board + cell] == EMPTY else 0
    for cell in range(s.num_cells, s.num_cells + 32):
        cells[cell] = 0
    for k in range(3 * s.num_colours):
        colours[k] = 0
    for tile in range(s.num_types):
        count_tile(t, s, tile, 0, int64(m[g + s.unplaced + tile]), colours)
    rack, count = g + s.racks + int64(m[g + s.to_play]) * s.rack_size, 0
    for slot in range(s.rack_size):
        tile = int64(m[rack + slot])
        if tile < s.num_types:
            count_tile(t, s, tile, 1, -1, colours)
            count += 1
    return count


@inlined
def count_tile(t, s, tile, kept, unseen, colours):
    """Add to the counts by colour: tiles kept | doubles kept | tiles not seen."""
    low, high = int64(t[s.type_low + tile]), int64(t[s.type_high + tile])
    colours[low] += kept
    colours[2 * s.num_colours + low] += unseen
    if low == high:
        colours[s.num_colours + low] += kept
    else:
        colours[high] += kept
        colours[2 * s.num_colours + high] += unseen


@inlined
def cover_cells(t, s, cell_1, cell_2, cells, left):
    """The open pairs at each cell, as `cells` has them, after a tile was laid on two of them."""
    for cell in range(0, s.num_cells + 31, 32):
        copy(left, cell, cells, cell, 32)
    left[cell_1] = left[cell_2] = 0
    for laid in (cell_1, cell_2):
        for direction in range(6):
            cell = int64(t[s.neighbours + 6 * laid + direction])
            left[cell] -= left[cell] > 0


@inlined
def write_inputs(m, w, s, g, sheet, owed, num_kept, cells, room):
    """Write an afterstate for a sheet.

    For each colour:

        own counter | other sheets' in turn order | how far the own is beyond its sheet's lowest, and mean |
        open pairs with an end worth at least 1, …, 8 points, twice if both are | tiles kept with the colour,
        doubles of it, whether there is none | unseen tiles with it

    then the counters of each sheet in ascending order, the own first, and last open pairs, unseen tiles,
    tiles kept, placements owed, turns taken, and whether it is round one.
    """
    inputs, levels, colours = room.inputs, room.levels, room.colours
    space, by_colour = float32(1.0 / A_FEW), s.num_sheets + BY_COLOUR
    mine = g + s.scores + sheet * s.num_colours
    ascending, unseen, total, lowest = s.num_colours * by_colour, 0, 0, int64(m[mine])
    for colour in range(s.num_colours):
        total += int64(m[mine + colour])
        lowest = min(lowest, int64(m[mine + colour]))
    mean = float32(total) / float32(s.num_colours)
    for colour in range(s.num_colours):
        count = colour * by_colour
        for other in range(s.num_sheets):
            owner = sheet + other - (s.num_sheets if sheet + other >= s.num_sheets else 0)
            counter = float32(m[g + s.scores + owner * s.num_colours + colour]) * space
            inputs[count + other] = counter
            at = ascending + other * s.num_colours + colour
            while at > ascending + other * s.num_colours and inputs[at - 1] > counter:
                inputs[at] = inputs[at - 1]
                at -= 1
            inputs[at] = counter
        count += s.num_sheets
        inputs[count] = float32(m[mine + colour] - lowest) * space
        inputs[count + 1] = (float32(m[mine + colour]) - mean) * space
        weigh_levels(m, g + s.points + colour * s.num_cells, cells, s.num_cells, levels)
        for level in range(LEVELS):
            inputs[count + 2 + level] = float32(levels[level]) * float32(0.0625)
        count += 2 + LEVELS
        inputs[count] = float32(colours[colour]) * float32(0.5)
        inputs[count + 1] = float32(colours[s.num_colours + colour])
        inputs[count + 2] = float32(1.0 if colours[colour] == 0 else 0.0)
        inputs[count + 3] = float32(colours[2 * s.num_colours + colour]) * float32(0.05)
        unseen += colours[2 * s.num_colours + colour]
    open_pairs, count = 0, ascending + s.num_sheets * s.num_colours
    for word in range(s.num_words):
        open_pairs += count_bits(w[(g >> 3) + s.open_pairs + word])
    inputs[count] = float32(open_pairs) * float32(4.0 / s.num_pairs)
    inputs[count + 1] = float32(unseen) * float32(1.0 / s.num_tiles)
    inputs[count + 2] = float32(num_kept) * float32(0.25)
    inputs[count + 3] = float32(owed)
    inputs[count + 4] = float32(m[g + s.turn]) * float32(4.0 / s.num_cells)
    inputs[count + 5] = float32(1.0 if m[g + s.turn] < s.num_players else 0.0)


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


class Room(NamedTuple):
    """What a network needs to work in; inputs by colour and for all, units, and what inputs are counted from.

    Attributes:
        joined: the sums over all colours, and the inputs for all of them together.
        levels: of one colour.
        colours: tiles kept | doubles kept | unseen tiles, by colour.
        cells: the open pairs at each cell, and once more after a placement.
    """

    inputs: Any
    first: Any
    second: Any
    joined: Any
    third: Any
    levels: Any
    colours: Any
    cells: Any


@inlined
def value_room():
    """What a network needs to work in."""
    return Room(
        scratch_inputs(),
        scratch_first(),
        scratch_second(),
        scratch_inputs(),
        scratch_third(),
        scratch_levels(),
        scratch_colours(),
        scratch_cells(),
    )


@inlined
def value_of(m, w, s, g, sheet, owed, num_kept, cells, network, room):
    """What an afterstate is worth to a sheet."""
    write_inputs(m, w, s, g, sheet, owed, num_kept, cells, room)
    return squeeze(s, infer(s, network, room))


@inlined
def worth_of_swap(m, w, s, g, num_kept, swaps, network, room):
    """What it is worth to keep the rack, or to swap it, to the sheet to move."""
    if swaps:
        num_kept = 0
        for k in range(2 * s.num_colours):
            room.colours[k] = 0
    sheet = int64(m[g + s.to_play]) % s.num_sheets
    return value_of(m, w, s, g, sheet, 0, num_kept, room.cells, network, room)


@numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
def worth_of_placement(m, w, t, b, s, g, work, num_kept, action, network, room):
    """What a flat placement is worth to the sheet that takes it; leaves what follows in the row `work`.

    Not inlined, as it is much, and called from several places.
    """
    colours, cells = room.colours, room.cells
    sheet, seat = int64(m[g + s.to_play]) % s.num_sheets, int64(m[g + s.to_play])
    tile = int64(m[g + s.racks + seat * s.rack_size + action // (2 * s.num_pairs)])
    pair = s.pair_cells + 2 * (action % s.num_pairs)
    copy_game(m, s, work, g)
    play(m, w, t, b, s, work, FLAT, action)
    if m[work + s.phase] == OVER:
        return outcome(m, s, work, sheet)
    owed = int64(m[work + s.plays_left]) if m[work + s.turn] == m[g + s.turn] else 0
    left = behind(cells, s.num_cells + 32)
    cover_cells(t, s, int64(t[pair]), int64(t[pair + 1]), cells, left)
    count_tile(t, s, tile, -1, 0, colours)
    value = value_of(m, w, s, work, sheet, owed, num_kept - 1, left, network, room)
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


@compiled(
    f"int64({SPEC}, {ROWS}, int64, {NETWORK}, {VALUES}, int64, float64, float32[:, :, ::1], float64[:, ::1],"
    " int32[:, ::1], int8[:, ::1], boolean[:, ::1], int64[::1], float64[:, ::1])"
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
    values,
    actions,
    sheets,
    explored,
    counts,
    results,
):
    """Play each game to its end by the network, now and then at random, and write down all afterstates.

    Fills for each game and step inputs, [B, S, I], what the best action was worth, [B, S], the action
    that was played, whose sheet moved, and whether it was explored rather than best; and for each game counts
    of steps, [B], and the results of all sheets, [B, T].
    """
    m, w, t, b, s = unpack(spec)
    room, greedy, network = value_room(), greedy_room(), pointer(network)
    tried, gains, scratch = np.empty(most, np.int32), np.empty(most), work * s.row_bytes
    total = 0
    for i in range(low, high):
        g, step = i * s.row_bytes, 0
        while m[g + s.phase] != OVER and step < values.shape[1]:
            random = word_for_decision(m, s, g, w[(g >> 3) + s.stream])
            action, value = best_action(
                m, w, t, b, s, g, scratch, network, prior, random, room, greedy, tried, gains
            )
            random = mix(random + GOLDEN)
            explores = float(random >> uint64(11)) * (1.0 / 9007199254740992.0) < explore
            if explores and m[g + s.phase] != SWAP:
                found = top_placements(m, w, t, b, s, g, prior, random, greedy, tried, gains)
                action = int64(tried[scale(mix(random + GOLDEN), found)])
            if is_afterstate(m, w, t, b, s, g, scratch, action, network, room):
                for k in range(inputs.shape[2]):
                    inputs[i, step, k] = room.inputs[k]
                values[i, step], actions[i, step], explored[i, step] = value, action, explores
                sheets[i, step] = int64(m[g + s.to_play]) % s.num_sheets
                step += 1
            play(m, w, t, b, s, g, FLAT, action)
        counts[i] = step
        total += step
        for sheet in range(s.num_sheets):
            results[i, sheet] = outcome(m, s, g, sheet)
    return total


@compiled(
    "void(float64[:, ::1], int8[:, ::1], boolean[:, ::1], int64[::1], float64[:, ::1], float64,"
    " float32[:, ::1])"
)
def write_targets(values, sheets, explored, counts, results, decay, targets):
    """Write what each afterstate should have been worth: a mean of what the next ones of its sheet were.

    TD(λ), with λ = decay: from the end on, of the value seen at the sheet's next decision and of the target
    there; of the value alone where another action was explored, for which the one before is not to blame.
    """
    for i in range(len(counts)):
        for sheet in range(results.shape[1]):
            target = results[i, sheet]
            for step in range(counts[i] - 1, -1, -1):
                if sheets[i, step] == sheet:
                    targets[i, step] = target
                    onward = 0.0 if explored[i, step] else decay
                    target = (1.0 - onward) * values[i, step] + onward * target
