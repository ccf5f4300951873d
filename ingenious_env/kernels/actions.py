"""Actions: which are legal, as a mask or one by one, how they are numbered, and how to pick one at random."""

from __future__ import annotations

from numba import int64, uint64

from ingenious_env.kernels.compiling import inlined
from ingenious_env.kernels.streams import GOLDEN, mix, scale
from ingenious_env.kernels.turns import end_turn, place, swap_rack
from ingenious_env.state import NO_ACTION, NO_TILE, OVER, PLACE, SWAP

KEEP, SWAP_RACK = 0, 1  # the two choices behind the placements
POLICY = uint64(0xA0761D6478BD642F)  # tells random actions apart from the deal


@inlined
def count_bits(x):
    """Bits set in a word."""
    x = x - ((x >> uint64(1)) & uint64(0x5555555555555555))
    x = (x & uint64(0x3333333333333333)) + ((x >> uint64(2)) & uint64(0x3333333333333333))
    x = (x + (x >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    return int64((x * uint64(0x0101010101010101)) >> uint64(56))


@inlined
def nth_bit(x, n):
    """The position of the n-th set bit of a word, counted from 0: halve the word until one bit is left."""
    position = 0
    width = 32
    while width:
        low = x & ((uint64(1) << uint64(width)) - uint64(1))
        below = count_bits(low)
        if n >= below:
            n -= below
            x >>= uint64(width)
            position += width
        else:
            x = low
        width >>= 1
    return position


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
    """Fill legal, [W], with the pairs on which a tile may be placed now."""
    if m[g + s.turn] < s.num_players:
        first_round_pairs(m, w, b, s, g, legal)
    else:
        for word in range(s.num_words):
            legal[word] = w[(g >> 3) + s.open_pairs + word]


@inlined
def slot_weight(m, t, s, g, slot):
    """How many ways to lay a slot's tile on a pair: 2, 1 for a double, 0 for none or a repeated tile."""
    rack = g + s.racks + int64(m[g + s.to_play]) * s.rack_size
    tile = m[rack + slot]
    if tile == NO_TILE or (slot > 0 and m[rack + slot - 1] == tile):
        return 0
    return 1 if t[s.type_low + tile] == t[s.type_high + tile] else 2


@inlined
def clear(mask, start, stop):
    """No action from start to stop is legal."""
    for action in range(start, stop):
        mask[action] = 0


@inlined
def write_mask(m, w, t, b, s, g, staged, legal, flags, mask, at):
    """Write game g's legal actions into mask, int8, from entry `at` on."""
    slots, ways = s.rack_size, 2 * s.num_pairs
    first = at + slots if staged else at
    last = first + ways if staged else first + slots * ways
    phase, held = m[g + s.phase], int64(m[g + s.held])
    mask[last + KEEP] = mask[last + SWAP_RACK] = phase == SWAP
    if phase != PLACE:
        clear(mask, at, last)
        return
    if staged:
        for slot in range(slots):
            mask[at + slot] = held == 0 and slot_weight(m, t, s, g, slot) > 0
        if held == 0:
            clear(mask, first, last)
            return
    legal_pairs(m, w, b, s, g, legal)
    for byte in range((s.num_pairs + 7) >> 3):
        bits = legal[byte >> 3] >> uint64((byte & 7) << 3)
        legal[s.num_words + byte] = b[s.spread + int64(bits & uint64(255))]
    low, high = (held - 1, held) if staged else (0, slots)
    pairs = 8 * s.num_words
    for slot in range(low, high):
        weight = slot_weight(m, t, s, g, slot)
        straight = first + (slot - low) * ways
        turned = straight + s.num_pairs
        if weight == 0:
            clear(mask, straight, turned)
        else:
            for pair in range(s.num_pairs):
                mask[straight + pair] = flags[pairs + pair]
        if weight < 2:
            clear(mask, turned, turned + s.num_pairs)
        else:
            for pair in range(s.num_pairs):
                mask[turned + pair] = flags[pairs + pair]


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
    ways = 2 * s.num_pairs
    first, last = (s.rack_size, s.rack_size + ways) if staged else (0, s.rack_size * ways)
    if phase == SWAP:
        return last + scale(random, 2)
    low, high = (held - 1, held) if held else (0, s.rack_size)
    total = 0
    for slot in range(low, high):
        weight = slot_weight(m, t, s, g, slot)
        total += min(weight, 1) if staged and not held else weight
    if staged and not held:
        return pick_slot(m, t, s, g, scale(random, total))
    legal_pairs(m, w, b, s, g, legal)
    open_count = 0
    for word in range(s.num_words):
        open_count += count_bits(legal[word])
    pick = scale(random, total * open_count)
    slot = low
    while pick >= slot_weight(m, t, s, g, slot) * open_count:
        pick -= slot_weight(m, t, s, g, slot) * open_count
        slot += 1
    turned = 0
    if pick >= open_count:
        turned, pick = 1, pick - open_count
    word = 0
    while pick >= count_bits(legal[word]):
        pick -= count_bits(legal[word])
        word += 1
    pair = 64 * word + nth_bit(legal[word], pick)
    return first + (slot - low if staged else slot) * ways + turned * s.num_pairs + pair


@inlined
def pick_slot(m, t, s, g, pick):
    """The pick-th of the slots that hold distinct tiles."""
    slot = 0
    while True:
        if slot_weight(m, t, s, g, slot) > 0:
            if pick == 0:
                return slot
            pick -= 1
        slot += 1


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
    slot = held - 1 if staged else action // ways
    turned, pair = divmod((action - first) % ways, s.num_pairs)
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
        slot = int64(m[g + s.held]) - 1 if staged else action // ways
        m[g + s.held] = 0
        turned, pair = divmod((action - first) % ways, s.num_pairs)
        place(m, w, t, b, s, g, slot, turned, pair)
