"""Legal actions: as a mask, individually, and a random one.

In kernels, colours count from 0, as indices; on the board, where 0 is an empty cell, from 1. A placement is
turned · K + pair, with K playable pairs: the pair's first cell, the one with the lower number, gets the
tile's lower colour, or with turned = 1 the higher. A double has one orientation, 0; of equal tiles only the
first slot is legal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import int64, uint8, uint64

from ingenious_env.compiled.actions import first_choice, first_placement
from ingenious_env.compiled.bitsets import bytes_passed, has_bit, nth_of
from ingenious_env.compiled.intrinsics import EACH_BYTE, clear, copy_masked, count_bits, spread_bits, word_at
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.placing import (
    FIRST_OWN_CODE,
    LEGAL,
    SLOT_EMPTY,
    SLOT_REPEATS,
    word_for_decision,
)
from ingenious_env.compiled.rng import scale
from ingenious_env.compiled.vectors import scratch
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.games.ingenious.geometry import MAX_PAIRS
from ingenious_env.games.ingenious.kernels.turns import KEEP, SWAP_RACK
from ingenious_env.games.ingenious.state import NO_TILE, OVER, PLACE, SWAP

# Why an action is illegal, in addition to the codes of `placing.py`.
TURNED_DOUBLE = FIRST_OWN_CODE
CELL_TAKEN = FIRST_OWN_CODE + 1
FIRST_ROUND = FIRST_OWN_CODE + 2

_words = scratch(uint64, MAX_PAIRS // 64 + 1)
_flags = scratch(uint8, 64 * (MAX_PAIRS // 64 + 1))


class Workspace(NamedTuple):
    """Scratch memory for legal actions.

    Attributes:
        legal: uint64 [W], bit k: a tile may be placed on pair k now.
        flags: uint8 [64 W], the same as bytes.
    """

    legal: Any
    flags: Any


@inlined
def workspace():
    """Scratch memory for legal actions, on the stack of the kernel."""
    return Workspace(_words(), _flags())


# The pairs on which a tile may be placed.


@inlined
def first_round_pairs(game, legal):
    """Fill legal with the open pairs that the first round allows, all if none (RULES.md 3.2, 8.3)."""
    touched, any_allowed = game.touched, uint64(0)
    for word in range(game.spec.num_words):
        wanted, barred = uint64(0), uint64(0)
        for symbol in range(6):
            near = game.pairs_at_symbol[symbol][word]
            if (touched >> symbol) & 1:
                barred |= near
            else:
                wanted |= near
        legal[word] = game.open_pairs[word] & wanted & ~barred
        any_allowed |= legal[word]
    if any_allowed == uint64(0):
        for word in range(game.spec.num_words):
            legal[word] = game.open_pairs[word]


@inlined
def legal_pairs(game, legal):
    """Fill legal with the pairs on which a tile may be placed now; returns their number."""
    count = 0
    if game.turn < game.spec.num_players:
        first_round_pairs(game, legal)
        for word in range(game.spec.num_words):
            count += count_bits(legal[word])
    else:
        for word in range(game.spec.num_words):
            legal[word] = game.open_pairs[word]
            count += count_bits(legal[word])
    return count


@inlined
def pair_illegality(game, pair, legal):
    """Why no tile may be placed on a pair now, or `LEGAL`."""
    if not has_bit(game.open_pairs, pair):
        return CELL_TAKEN
    if game.turn < game.spec.num_players:
        first_round_pairs(game, legal)
        if not has_bit(legal, pair):
            return FIRST_ROUND
    return LEGAL


# The slots whose tiles may be placed.


@inlined
def slot_weight(game, slot):
    """The ways to lay a slot's tile on a pair: 2, 1 for a double, 0 for none or a repeated tile."""
    rack = game.racks[game.to_play]
    is_first = (slot == 0) | (rack[slot - 1] != rack[slot])
    return int64(is_first) * game.type_ways[rack[slot]]


@inlined
def slot_illegality(game, slot):
    """Why the tile of a slot may not be placed anywhere, or `LEGAL`."""
    if slot_weight(game, slot) > 0:
        return LEGAL
    return SLOT_EMPTY if game.racks[game.to_play][slot] == NO_TILE else SLOT_REPEATS


@inlined
def rack_weights(game, low, high):
    """The weights of slots low to high as the bytes of a word, those of all others 0."""
    rack = word_at(game.racks[game.to_play])
    before, weights = rack << uint64(8) | uint64(NO_TILE), uint64(0)
    for slot in range(low, high):
        shift = uint64(8 * slot)
        tile = int64(rack >> shift & uint64(255))
        is_first = tile != int64(before >> shift & uint64(255))
        weights |= uint64(int64(is_first) * game.type_ways[tile]) << shift
    return weights


# Masks.


@inlined
def write_mask(game, staged, workspace, mask):
    """Write 1 for each legal action and 0 for all others."""
    slots, placements = game.spec.rack_size, game.spec.num_placements
    first, last = first_placement(game, staged), first_choice(game, staged)
    phase, held = game.phase, game.held
    mask[last + KEEP] = mask[last + SWAP_RACK] = int64(phase == SWAP)
    if phase != PLACE:
        clear(mask, last)
        return
    if staged:
        for slot in range(slots):
            mask[slot] = int64(held == 0 and slot_weight(game, slot) > 0)
        if held == 0:
            clear(mask[first:], placements)
            return
    legal_pairs(game, workspace.legal)
    for word in range(game.spec.num_words):
        spread_bits(workspace.flags[64 * word :], workspace.legal[word])
    low, high = (held - 1, held) if staged else (0, slots)
    for slot in range(low, high):
        weight = slot_weight(game, slot)
        for turned in range(2):
            copy_masked(mask[first:], workspace.flags, game.spec.num_pairs, -int64(weight > turned))
            first += game.spec.num_pairs


@inlined
def placement_illegality(game, slot, placement, workspace):
    """Why the tile of a slot may not be placed there, or `LEGAL`."""
    turned = 1 if placement >= game.spec.num_pairs else 0
    if slot_weight(game, slot) <= turned:
        problem = slot_illegality(game, slot)
        return problem if problem else TURNED_DOUBLE
    return pair_illegality(game, placement - turned * game.spec.num_pairs, workspace.legal)


@inlined
def may_choose(game, _choice):
    """Return whether the choice to keep or to swap is due."""
    return game.phase == SWAP


# Random actions.


@inlined
def policy_random(game):
    """A random word for a policy's decision, independent of hidden information."""
    return word_for_decision(game, game.policy_key)


@inlined
def random_action(game, staged, random, workspace):
    """The legal action picked by a random word, uniformly; `NO_ACTION` in a finished game."""
    phase, held = game.phase, game.held
    if phase == OVER:
        return NO_ACTION
    if phase == SWAP:
        return first_choice(game, staged) + scale(random, 2)
    if staged and not held:
        return pick_slot(game, random)
    low, high = (held - 1, held) if held else (0, game.spec.rack_size)
    ways = rack_weights(game, low, high) * EACH_BYTE  # in each byte the ways up to that slot and with it
    open_count = legal_pairs(game, workspace.legal)
    pick = scale(random, int64(ways >> uint64(56)) * open_count)
    way = int64(uint64(pick) // uint64(open_count))
    slot = bytes_passed(ways, way)
    turned = way - (int64((ways << uint64(8)) >> uint64(8 * slot)) & 255)
    placement = turned * game.spec.num_pairs + nth_of(game, workspace.legal, pick - way * open_count)
    return first_placement(game, staged) + (0 if staged else slot) * game.spec.num_placements + placement


@inlined
def pick_slot(game, random):
    """A random one of the slots that hold distinct tiles."""
    total = 0
    for slot in range(game.spec.rack_size):
        total += min(1, slot_weight(game, slot))
    pick = scale(random, total)
    slot = 0
    while True:
        if slot_weight(game, slot) > 0:
            if pick == 0:
                return slot
            pick -= 1
        slot += 1
