"""Actions: which are legal, as a mask or one by one, how they are numbered, and how to pick one at random."""

from __future__ import annotations

from numba import int64, uint64

from ingenious_env.kernels.compiling import inlined
from ingenious_env.kernels.intrinsics import (
    EACH_BYTE,
    TOP_BITS,
    clear,
    copy_and,
    count_bits,
    scratch_flags,
    spread_bits,
    word_at,
)
from ingenious_env.kernels.streams import GOLDEN, POLICY_KEY, mix, scale
from ingenious_env.kernels.turns import end_turn, place, swap_rack
from ingenious_env.state import NO_ACTION, NO_TILE, OVER, PLACE, SWAP

KEEP, SWAP_RACK = 0, 1  # the two choices behind the placements


@inlined
def bytes_passed(sums, n):
    """How many of a word's bytes, ascending and below 128, are at most n."""
    # The top bit of a byte stays where n is not below the byte; no difference borrows from the next.
    return count_bits((uint64(n) * EACH_BYTE | TOP_BITS) - sums & TOP_BITS)


@inlined
def nth_bit(b, s, x, n):
    """The position of the n-th set bit of a word, counted from 0: first its byte, then its place in that."""
    counts = x - ((x >> uint64(1)) & uint64(0x5555555555555555))
    counts = (counts & uint64(0x3333333333333333)) + ((counts >> uint64(2)) & uint64(0x3333333333333333))
    counts = (counts + (counts >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    sums = counts * EACH_BYTE  # in each byte the bits up to it and in it
    byte = bytes_passed(sums, n)
    shift = uint64(8 * byte)
    n -= int64((sums << uint64(8)) >> shift & uint64(255))
    bits = b[s.spread + int64(x >> shift & uint64(255))]
    return 8 * byte + bytes_passed(bits * EACH_BYTE, n)


@inlined
def first_round_pairs(m, w, b, s, g, legal):
    """The open pairs that the first round allows (Rules 3.2, 8.3); all, on boards too small for it."""
    start, touched = g >> 3, int64(m[g + s.touched])
    any_allowed = uint64(0)
    for word in range(s.num_words):
        wanted, barred = uint64(0), uint64(0)
        for symbol in range(6):
            near = b[s.pairs_at_symbol + symbol * s.num_words + word]
            if (touched >> symbol) & 1:
                barred |= near
            else:
                wanted |= near
        legal[word] = w[start + s.open_pairs + word] & wanted & ~barred
        any_allowed |= legal[word]
    if any_allowed == uint64(0):
        for word in range(s.num_words):
            legal[word] = w[start + s.open_pairs + word]


@inlined
def legal_pairs(m, w, b, s, g, legal):
    """Fill legal, [W], with the pairs on which a tile may be placed now; returns how many."""
    count = 0
    if m[g + s.turn] < s.num_players:
        first_round_pairs(m, w, b, s, g, legal)
        for word in range(s.num_words):
            count += count_bits(legal[word])
    else:
        for word in range(s.num_words):
            legal[word] = w[(g >> 3) + s.open_pairs + word]
            count += count_bits(legal[word])
    return count


@inlined
def slot_weight(m, t, s, g, slot):
    """How many ways to lay a slot's tile on a pair: 2, 1 for a double, 0 for none or a repeated tile."""
    at = g + s.racks + int64(m[g + s.to_play]) * s.rack_size + slot
    is_first = (slot == 0) | (m[at - 1] != m[at])
    return int64(is_first) * int64(t[s.type_ways + m[at]])


@inlined
def rack_weights(m, t, s, g, low, high):
    """The weights of slots low to high as the bytes of a word, those of all others 0."""
    rack = word_at(m, g + s.racks + int64(m[g + s.to_play]) * s.rack_size)
    before, weights = rack << uint64(8) | uint64(NO_TILE), uint64(0)
    for slot in range(low, high):
        shift = uint64(8 * slot)
        tile = int64(rack >> shift & uint64(255))
        is_first = tile != int64(before >> shift & uint64(255))
        weights |= uint64(int64(is_first) * int64(t[s.type_ways + tile])) << shift
    return weights


@inlined
def write_mask(m, w, t, b, s, g, staged, legal, mask, at):
    """Write game g's legal actions into mask, int8, from entry `at` on."""
    slots, ways = s.rack_size, 2 * s.num_pairs
    first = at + slots if staged else at
    last = first + ways if staged else first + slots * ways
    phase, held = m[g + s.phase], int64(m[g + s.held])
    mask[last + KEEP] = mask[last + SWAP_RACK] = phase == SWAP
    if phase != PLACE:
        clear(mask, at, last - at)
        return
    if staged:
        for slot in range(slots):
            mask[at + slot] = held == 0 and slot_weight(m, t, s, g, slot) > 0
        if held == 0:
            clear(mask, first, ways)
            return
    legal_pairs(m, w, b, s, g, legal)
    flags = scratch_flags()
    for word in range(s.num_words):
        spread_bits(flags, 64 * word, legal[word])
    low, high = (held - 1, held) if staged else (0, slots)
    for slot in range(low, high):
        weight = slot_weight(m, t, s, g, slot)
        for turned in range(2):
            copy_if(weight > turned, mask, first, flags, s.num_pairs)
            first += s.num_pairs


@inlined
def copy_if(condition, to, to_at, flags, count):
    """Write the first `count` flags to `to[to_at]` on, or else as many zeros.

    In blocks, the last of which may lie over the one before; without a branch, as no two racks are alike.
    """
    kept, last = uint64(0) - uint64(condition), count - 32
    if last < 0:  # the smallest board has 24 pairs
        for k in range(count):
            to[to_at + k] = flags[k] & kept
        return
    for k in range(0, last, 32):
        copy_and(to, to_at + k, flags, k, kept)
    copy_and(to, to_at + last, flags, last, kept)


@inlined
def word_for_decision(m, s, g, word):
    """A random word for the decision at hand, always the same in the same position for the same word."""
    step = uint64(m[g + s.placed]) * uint64(4) + uint64(m[g + s.turn]) * uint64(1024)
    decision = step + uint64(2 if m[g + s.held] else 0) + uint64(m[g + s.phase])
    return mix(word ^ mix(decision * GOLDEN ^ POLICY_KEY))


@inlined
def policy_random(m, w, s, g):
    """A random word for an agent's decision, which says nothing of what is hidden."""
    return word_for_decision(m, s, g, w[(g >> 3) + s.policy_key])


@inlined
def random_action(m, w, t, b, s, g, staged, random, legal):
    """The legal action that a random word picks, each with the same chance."""
    phase, held = m[g + s.phase], int64(m[g + s.held])
    if phase == OVER:
        return NO_ACTION
    placements = 2 * s.num_pairs
    first = s.rack_size if staged else 0
    last = first + placements if staged else s.rack_size * placements
    if phase == SWAP:
        return last + scale(random, 2)
    if staged and not held:
        return pick_slot(m, t, s, g, random)
    low, high = (held - 1, held) if held else (0, s.rack_size)
    ways = (
        rack_weights(m, t, s, g, low, high) * EACH_BYTE
    )  # in each byte the ways up to that slot and with it
    open_count = legal_pairs(m, w, b, s, g, legal)
    pick = scale(random, int64(ways >> uint64(56)) * open_count)
    way = int64(uint64(pick) // uint64(open_count))
    slot = bytes_passed(ways, way)
    turned = way - (int64((ways << uint64(8)) >> uint64(8 * slot)) & 255)
    pair = nth_pair(b, s, legal, pick - way * open_count)
    return first + ((0 if staged else 2 * slot) + turned) * s.num_pairs + pair


@inlined
def pick_slot(m, t, s, g, random):
    """A random one of the slots that hold distinct tiles."""
    total = 0
    for slot in range(s.rack_size):
        total += min(1, slot_weight(m, t, s, g, slot))
    pick = scale(random, total)
    slot = 0
    while True:
        if slot_weight(m, t, s, g, slot) > 0:
            if pick == 0:
                return slot
            pick -= 1
        slot += 1


@inlined
def nth_pair(b, s, legal, n):
    """The n-th of the legal pairs, counted from 0."""
    word, before, total = 0, 0, 0
    for k in range(s.num_words):
        total += count_bits(legal[k])
        passed = total <= n
        word = k + 1 if passed else word
        before = total if passed else before
    return 64 * word + nth_bit(b, s, legal[word], n - before)


@inlined
def split_action(s, action):
    """Slot, turned and pair of a flat placement."""
    slot = (action * s.ways_reciprocal) >> 32  # exact, as no action reaches 2^32 / 2K
    placement = action - 2 * s.num_pairs * slot
    turned = 1 if placement >= s.num_pairs else 0
    return slot, turned, placement - turned * s.num_pairs


@inlined
def is_legal(m, w, t, b, s, g, staged, action, legal):
    """Whether the mask would show the action."""
    ways = 2 * s.num_pairs
    phase, held = m[g + s.phase], int64(m[g + s.held])
    if phase == OVER:
        return action == NO_ACTION
    first, last = (s.rack_size, s.rack_size + ways) if staged else (0, s.rack_size * ways)
    if phase == SWAP:
        return last <= action <= last + SWAP_RACK
    if action < 0 or action >= last:
        return False
    if staged and action < first:
        return held == 0 and slot_weight(m, t, s, g, action) > 0
    if staged and held == 0:
        return False
    slot, turned, pair = split_action(s, action - first)
    if staged:
        slot = held - 1
    if slot_weight(m, t, s, g, slot) <= turned:
        return False
    bits = w[(g >> 3) + s.open_pairs + (pair >> 6)]
    if m[g + s.turn] < s.num_players:
        first_round_pairs(m, w, b, s, g, legal)
        bits = legal[pair >> 6]
    return (bits >> uint64(pair & 63)) & uint64(1) != uint64(0)


@inlined
def play(m, w, t, b, s, g, staged, action):
    """Play a legal action."""
    ways = 2 * s.num_pairs
    first, last = (s.rack_size, s.rack_size + ways) if staged else (0, s.rack_size * ways)
    if action >= last:
        if action == last + SWAP_RACK:
            swap_rack(m, w, s, g)
        end_turn(m, s, g)
    elif action < first:
        m[g + s.held] = action + 1
    else:
        slot, turned, pair = split_action(s, action - first)
        if staged:
            slot = int64(m[g + s.held]) - 1
        m[g + s.held] = 0
        place(m, w, t, b, s, g, slot, turned, pair)
