"""The probabilities of placements, and their derivatives, game by game on one thread.

The probability of a placement is proportional to the exponential of a sum, which is a product:

    lay[colour of half 1, cell 1] + lay[colour of half 2, cell 2] + cover[cell 1] + cover[cell 2] + part[slot]

So a few hundred exponentials suffice for the thousands of placements of a game, without arrays of that size.
`python -m scripts.benchmark --tables network` compares this with PyTorch, which lists all of them.

Letters: B games, R slots, C colours, N cells, K pairs, P = 2 K placements, U units. Arrays, all contiguous:

    points   float32 [B, C, N]   what a half would score, scaled
    room     float32 [B, N]      empty neighbours of a cell, scaled
    shift    float32 [B, C, U]   input of the units from the features of a colour
    inner    float32 [3, U]      weights of points, of the first point and of room
    outer    float32 [2, U]      weights of the units in lay and in cover
    biases   float32 [2]         of lay and of cover
    part     float32 [B, R]      the term for giving a slot's tile up
    tiles    int64 [B, R, 2]     the colours of the rack's tiles
    masks    int8 [B, A]         flat actions
    pairs    int16 [K, 2]        the cells of each pair
    actions  int64 [B]           flat placements; undefined where none is legal
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ingenious_env.compiled.kernel import inlined, kernel

UNITS = 8
FIRST_POINT = np.float32(1 / 6)
LEAST = -140.0
ARRAYS = (
    "float32[:, :, ::1], float32[:, ::1], float32[:, :, ::1], float32[:, ::1], float32[:, ::1], "
    "float32[::1], float32[:, ::1], int64[:, :, ::1], int8[:, ::1], int16[:, ::1], int64[::1]"
)


class Scratch(NamedTuple):
    """Memory for one game.

    Attributes:
        lay, cover: float64 [C, N] and [N], the terms; of cells in legal pairs only.
        exp_lay, exp_cover: their exponentials, over the largest.
        legal: int64 [K], the pairs on which a tile may be laid.
        is_used: bool [N], the cells in these.
    """

    lay: Any
    cover: Any
    exp_lay: Any
    exp_cover: Any
    legal: Any
    is_used: Any


@inlined
def new_scratch(colours, cells, pairs):
    """Memory for one game."""
    lay, exp_lay = np.zeros((colours, cells)), np.zeros((colours, cells))
    legal, is_used = np.zeros(pairs, np.int64), np.zeros(cells, np.bool_)
    return Scratch(lay, np.zeros(cells), exp_lay, np.zeros(cells), legal, is_used)


@inlined
def list_legal(mask, pairs, scratch):
    """List the pairs on which a tile may be laid: those of the first slot, whose tile is never a repetition.

    Returns their number.
    """
    count = 0
    scratch.is_used[:] = False
    for pair in range(len(pairs)):
        if mask[pair]:
            scratch.legal[count] = pair
            scratch.is_used[pairs[pair, 0]] = scratch.is_used[pairs[pair, 1]] = True
            count += 1
    return count


@inlined
def unit(points, room, shift, inner, u):
    """A unit before it is rectified."""
    first = min(points, FIRST_POINT)
    return shift[u] + points * inner[0, u] + first * inner[1, u] + room * inner[2, u]


@inlined
def write_terms(points, room, shift, inner, outer, biases, tiles, scratch):
    """Fill the terms of a game and their exponentials; returns the amount subtracted from the exponents.

    No exponential is below e^LEAST, so that a product of four is above 0. Policies with larger differences
    are practically deterministic.
    """
    lay, cover = scratch.lay, scratch.cover
    colours, cells = lay.shape
    on_rack = np.zeros(colours, np.bool_)
    for slot in range(len(tiles)):
        on_rack[tiles[slot, 0]] = on_rack[tiles[slot, 1]] = True
    top_lay, top_cover = -math.inf, -math.inf
    for cell in range(cells):
        if not scratch.is_used[cell]:
            continue
        cover[cell] = 0.0
        for colour in range(colours):
            to_lay, to_cover = biases[0], biases[1]
            for u in range(UNITS):
                value = max(unit(points[colour, cell], room[cell], shift[colour], inner, u), np.float32(0))
                to_lay += value * outer[0, u]
                to_cover += value * outer[1, u]
            lay[colour, cell] = to_lay
            cover[cell] += to_cover
            if on_rack[colour]:
                top_lay = max(top_lay, lay[colour, cell])
        top_cover = max(top_cover, cover[cell])
    for cell in range(cells):
        if scratch.is_used[cell]:
            scratch.exp_cover[cell] = math.exp(max(cover[cell] - top_cover, LEAST))
            for colour in range(colours):
                if on_rack[colour]:
                    scratch.exp_lay[colour, cell] = math.exp(max(lay[colour, cell] - top_lay, LEAST))
    return 2 * (top_lay + top_cover)


@inlined
def halves(tiles, slot, turned):
    """The colours on the first and on the second cell of a pair."""
    return tiles[slot, turned], tiles[slot, 1 - turned]


@inlined
def allowed(mask, scratch, slot, turned):
    """Whether a slot's tile may be laid in this orientation, from the first pair on which any may be laid."""
    return mask[(2 * slot + turned) * len(scratch.legal) + scratch.legal[0]]


@inlined
def weight(scratch, colour_1, colour_2, cell_1, cell_2):
    """The exponential of a placement's terms, except that of its slot."""
    lay, cover = scratch.exp_lay, scratch.exp_cover
    return lay[colour_1, cell_1] * lay[colour_2, cell_2] * (cover[cell_1] * cover[cell_2])


@inlined
def logit(scratch, colour_1, colour_2, cell_1, cell_2):
    """A placement's terms, except that of its slot."""
    lay, cover = scratch.lay, scratch.cover
    return lay[colour_1, cell_1] + lay[colour_2, cell_2] + cover[cell_1] + cover[cell_2]


@inlined
def sum_up(part, tiles, mask, pairs, count, scratch):
    """The sum of all weights, the mean logit, and the largest part, relative to which parts are taken."""
    top, total, mean = -math.inf, 0.0, 0.0
    for slot in range(len(part)):
        top = max(top, part[slot])
    for slot in range(len(part)):
        factor = math.exp(max(part[slot] - top, LEAST))
        for turned in range(2):
            if not allowed(mask, scratch, slot, turned):
                continue
            one, two = halves(tiles, slot, turned)
            weights, logits = 0.0, 0.0
            for number in range(count):
                pair = scratch.legal[number]
                each = weight(scratch, one, two, pairs[pair, 0], pairs[pair, 1])
                weights += each
                logits += each * logit(scratch, one, two, pairs[pair, 0], pairs[pair, 1])
            total += factor * weights
            mean += factor * (logits + part[slot] * weights)
    return total, mean / total, top


@inlined
def split(action, pairs):
    """Slot, turned and pair of a flat placement."""
    return action // (2 * pairs), action // pairs % 2, action % pairs


@kernel(f"void({ARRAYS}, float32[::1], float32[::1])", fastmath={"contract", "reassoc", "arcp"})
def write_chances(
    points, room, shift, inner, outer, biases, part, tiles, masks, pairs, actions, log_probs, entropies
):
    """Write log-probabilities of actions, and entropies, both [B]; 0 where no placement is legal."""
    games, colours, cells = points.shape
    scratch = new_scratch(colours, cells, len(pairs))
    for b in range(games):
        log_probs[b] = entropies[b] = 0
        count = list_legal(masks[b], pairs, scratch)
        if count == 0:
            continue
        lowered = write_terms(points[b], room[b], shift[b], inner, outer, biases, tiles[b], scratch)
        total, mean, top = sum_up(part[b], tiles[b], masks[b], pairs, count, scratch)
        log_total = math.log(total) + lowered + top
        slot, turned, pair = split(actions[b], len(pairs))
        one, two = halves(tiles[b], slot, turned)
        own = logit(scratch, one, two, pairs[pair, 0], pairs[pair, 1]) + part[b, slot]
        log_probs[b], entropies[b] = own - log_total, log_total - mean


@kernel(f"void({ARRAYS}, float64[::1], float32[::1])", fastmath={"contract", "reassoc", "arcp"})
def draw_actions(
    points, room, shift, inner, outer, biases, part, tiles, masks, pairs, actions, random, log_probs
):
    """Write to actions placements drawn by random numbers in [0, 1), [B], and their log-probabilities.

    Where no placement is legal, nothing is written.
    """
    games, colours, cells = points.shape
    scratch = new_scratch(colours, cells, len(pairs))
    for b in range(games):
        count = list_legal(masks[b], pairs, scratch)
        if count == 0:
            continue
        write_terms(points[b], room[b], shift[b], inner, outer, biases, tiles[b], scratch)
        total, _, top = sum_up(part[b], tiles[b], masks[b], pairs, count, scratch)
        left = random[b] * total
        for choice in range(2 * len(part[b])):
            slot, turned = choice // 2, choice % 2
            if not allowed(masks[b], scratch, slot, turned):
                continue
            one, two = halves(tiles[b], slot, turned)
            factor = math.exp(max(part[b, slot] - top, LEAST))
            for number in range(count):
                pair = scratch.legal[number]
                each = factor * weight(scratch, one, two, pairs[pair, 0], pairs[pair, 1])
                actions[b] = choice * len(pairs) + pair  # the last one remains if rounding leaves a remainder
                log_probs[b] = math.log(each / total)
                left -= each
                if left < 0:
                    break
            if left < 0:
                break


GRADIENTS = "float32[:, :, ::1], float64[:, ::1], float64[:, ::1], float64[::1], float32[:, ::1]"


@kernel(f"void({ARRAYS}, float32[::1], float32[::1], {GRADIENTS})", fastmath={"contract", "reassoc", "arcp"})
def add_gradients(
    points,
    room,
    shift,
    inner,
    outer,
    biases,
    part,
    tiles,
    masks,
    pairs,
    actions,
    by_log_prob,
    by_entropy,
    to_shift,
    to_inner,
    to_outer,
    to_biases,
    to_part,
):
    """Add the derivatives of a loss by shift, inner, outer, biases and part to the last five, zeros at first.

    From that of the loss by each log-probability and by each entropy, [B]. By the logit z of a placement of
    probability p, with the mean logit m, they are δ − p for the action's log-probability, and −p (z − m) for
    the entropy.
    """
    games, colours, cells = points.shape
    scratch = new_scratch(colours, cells, len(pairs))
    to_lay, to_cover = np.zeros((colours, cells)), np.zeros(cells)
    for b in range(games):
        count = list_legal(masks[b], pairs, scratch)
        if count == 0:
            continue
        write_terms(points[b], room[b], shift[b], inner, outer, biases, tiles[b], scratch)
        total, mean, top = sum_up(part[b], tiles[b], masks[b], pairs, count, scratch)
        to_lay[:] = 0
        to_cover[:] = 0
        for slot in range(len(part[b])):
            factor = math.exp(max(part[b, slot] - top, LEAST)) / total
            for turned in range(2):
                if not allowed(masks[b], scratch, slot, turned):
                    continue
                one, two = halves(tiles[b], slot, turned)
                for number in range(count):
                    pair = scratch.legal[number]
                    cell_1, cell_2 = pairs[pair, 0], pairs[pair, 1]
                    over_mean = logit(scratch, one, two, cell_1, cell_2) + part[b, slot] - mean
                    chance = factor * weight(scratch, one, two, cell_1, cell_2)
                    add_logit(
                        -chance * (by_log_prob[b] + by_entropy[b] * over_mean),
                        one,
                        two,
                        cell_1,
                        cell_2,
                        to_lay,
                        to_cover,
                    )
                    to_part[b, slot] -= chance * (by_log_prob[b] + by_entropy[b] * over_mean)
        slot, turned, pair = split(actions[b], len(pairs))
        one, two = halves(tiles[b], slot, turned)
        add_logit(by_log_prob[b], one, two, pairs[pair, 0], pairs[pair, 1], to_lay, to_cover)
        to_part[b, slot] += by_log_prob[b]
        add_terms(
            points[b],
            room[b],
            shift[b],
            inner,
            outer,
            scratch,
            to_lay,
            to_cover,
            to_shift[b],
            to_inner,
            to_outer,
            to_biases,
        )


@inlined
def add_logit(gradient, one, two, cell_1, cell_2, to_lay, to_cover):
    """Add the derivative by a placement's logit to those by its terms."""
    to_lay[one, cell_1] += gradient
    to_lay[two, cell_2] += gradient
    to_cover[cell_1] += gradient
    to_cover[cell_2] += gradient


@inlined
def add_terms(
    points, room, shift, inner, outer, scratch, to_lay, to_cover, to_shift, to_inner, to_outer, to_biases
):
    """Add the derivatives by a game's terms to those by their components."""
    inner_sums, outer_sums = np.zeros((3, UNITS), np.float32), np.zeros((2, UNITS), np.float32)
    colours, cells = points.shape
    for colour in range(colours):
        for cell in range(cells):
            if not scratch.is_used[cell]:
                continue
            by_lay, by_cover = np.float32(to_lay[colour, cell]), np.float32(to_cover[cell])
            to_biases[0] += by_lay
            to_biases[1] += by_cover
            first = min(points[colour, cell], FIRST_POINT)
            for u in range(UNITS):
                value = unit(points[colour, cell], room[cell], shift[colour], inner, u)
                passes = np.float32(value > 0)
                outer_sums[0, u] += by_lay * value * passes
                outer_sums[1, u] += by_cover * value * passes
                by_value = (by_lay * outer[0, u] + by_cover * outer[1, u]) * passes
                inner_sums[0, u] += by_value * points[colour, cell]
                inner_sums[1, u] += by_value * first
                inner_sums[2, u] += by_value * room[cell]
                to_shift[colour, u] += by_value
    for u in range(UNITS):
        for number in range(3):
            to_inner[number, u] += inner_sums[number, u]
        for number in range(2):
            to_outer[number, u] += outer_sums[number, u]
