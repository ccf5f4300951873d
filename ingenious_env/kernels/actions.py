"""Actions: which are legal, as a mask or one by one, how they are numbered, and how to pick one at random."""

from __future__ import annotations

from numba import int64, uint64

from ingenious_env.kernels.compiling import inlined
from ingenious_env.kernels.intrinsics import EACH_BYTE, TOP_BITS, clear, count_bits, spread_bits
from ingenious_env.kernels.streams import GOLDEN, mix, scale
from ingenious_env.kernels.turns import end_turn, place, swap_rack
from ingenious_env.state import NO_ACTION, OVER, PLACE, SWAP

KEEP, SWAP_RACK = 0, 1  # the two choices behind the placements
POLICY = uint64(0xA0761D6478BD642F)  # tells random actions apart from the deal


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
    if m[g + s.turn] < s.num_players:
        first_round_pairs(m, w, b, s, g, legal)
    else:
        for word in range(s.num_words):
            legal[word] = w[(g >> 3) + s.open_pairs + word]
    count = 0
    for word in range(s.num_words):
        count += count_bits(legal[word])
    return count


@inlined
def slot_weight(m, t, s, g, slot):
    """How many ways to lay a slot's tile on a pair: 2, 1 for a double, 0 for none or a repeated tile."""
    at = g + s.racks + int64(m[g + s.to_play]) * s.rack_size + slot
    is_repeated = (slot > 0) & (m[at - 1] == m[at])
    return 0 if is_repeated else int64(t[s.type_ways + m[at]])


@inlined
def rack_weights(m, t, s, g, low, high):
    """The weights of slots low to high as the bytes of a word, those of all others 0."""
    weights = uint64(0)
    for slot in range(low, high):
        weights |= uint64(slot_weight(m, t, s, g, slot)) << uint64(8 * slot)
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
    low, high = (held - 1, held) if staged else (0, slots)
    kept = s.num_words  # behind the pairs: all bits for each slot and turn that is a way to lay a tile
    for slot in range(low, high):
        weight = slot_weight(m, t, s, g, slot)
        legal[kept + 2 * (slot - low)] = uint64(0) - uint64(weight > 0)
        legal[kept + 2 * (slot - low) + 1] = uint64(0) - uint64(weight > 1)
    write_pairs(s, legal, kept, 2 * (high - low), mask, first)


@inlined
def write_pairs(s, legal, kept, rows, mask, at):
    """Write the legal pairs into mask once a row, or zeros where the row's word in `kept` has no bits.

    64 pairs at a time; the last 64 may lie over some of those before.
    """
    if s.num_pairs < 64:
        for row in range(rows):
            for pair in range(s.num_pairs):
                bits = legal[0] & legal[kept + row]
                mask[at + row * s.num_pairs + pair] = bits >> uint64(pair) & uint64(1)
        return
    end = s.num_words - 1
    for word in range(end):
        for row in range(rows):
            spread_bits(mask, at + row * s.num_pairs + 64 * word, legal[word], legal[kept + row])
    missing = uint64(64 * s.num_words - s.num_pairs)
    bits = legal[end] << missing | legal[end - 1] >> uint64(1) >> (uint64(63) - missing)
    for row in range(rows):
        spread_bits(mask, at + (row + 1) * s.num_pairs - 64, bits, legal[kept + row])


@inlined
def policy_random(m, w, s, g):
    """A random word for the decision at hand: always the same in the same position of the same game."""
    step = uint64(m[g + s.placed]) * uint64(4) + uint64(m[g + s.turn]) * uint64(1024)
    decision = step + uint64(2 if m[g + s.held] else 0) + uint64(m[g + s.phase])
    return mix(w[(g >> 3) + s.stream] ^ mix(decision * GOLDEN ^ POLICY))


@inlined
def random_action(m, w, t, b, s, g, staged, legal):
    """A uniformly random legal action, the same each time in the same position of the same game."""
    phase, held = m[g + s.phase], int64(m[g + s.held])
    if phase == OVER:
        return NO_ACTION
    random = policy_random(m, w, s, g)
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
    legal_pairs(m, w, b, s, g, legal)
    return (legal[pair >> 6] >> uint64(pair & 63)) & uint64(1) != uint64(0)


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
