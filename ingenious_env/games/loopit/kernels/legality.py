"""Legal actions: as a mask, individually, and a random one (LOOPIT.md 3)."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import int64, uint8

from ingenious_env.compiled.actions import first_choice, first_placement
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.bitsets import has_bit, nth_of
from ingenious_env.compiled.intrinsics import clear, copy, count_bits, spread_bits
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.phases import CHOOSE, NO_ACTION, OVER, PLACE
from ingenious_env.compiled.placing import FIRST_OWN_CODE, LEGAL, SLOT_EMPTY, SLOT_REPEATS
from ingenious_env.compiled.rng import scale
from ingenious_env.compiled.vectors import scratch
from ingenious_env.games.loopit.kernels.turns import KEEP, STOP, THROW_BACK, fits_somewhere
from ingenious_env.games.loopit.material import MAX_SIDE
from ingenious_env.games.loopit.rules import MAX_RACK

# Why an action is illegal, in addition to the codes of `placing.py`.
SQUARE_TAKEN = FIRST_OWN_CODE
DOES_NOT_FIT = FIRST_OWN_CODE + 1
FITS_NOWHERE = FIRST_OWN_CODE + 2

MAX_WORDS = MAX_SIDE * MAX_SIDE // 64 + 1

_flags = scratch(uint8, 64 * MAX_WORDS)
_counts = scratch(int64, MAX_RACK)


class Workspace(NamedTuple):
    """Scratch memory for legal actions.

    Attributes:
        flags: uint8 [64 W], the cells of one tile as bytes.
        counts: int64 [R], the cells on which the tile of each slot may be laid.
    """

    flags: Any
    counts: Any


@inlined
def workspace():
    """Scratch memory for legal actions, on the stack of the kernel."""
    return Workspace(_flags(), _counts())


@inlined
def rack_illegality(game, slot):
    """Why the tile of a slot may not be used on any cell: empty or repeated slots."""
    rack = game.racks[game.to_play]
    if rack[slot] == NO_TILE:
        return SLOT_EMPTY
    return SLOT_REPEATS if slot > 0 and rack[slot - 1] == rack[slot] else LEGAL


@inlined
def cells_of(game, slot):
    """The cells on which the tile of a slot may be laid, as bits."""
    return game.fits[game.type_pattern[game.racks[game.to_play][slot]]]


@inlined
def slot_illegality(game, slot):
    """Why the tile of a slot may not be laid anywhere, or `LEGAL`."""
    problem = rack_illegality(game, slot)
    if problem:
        return problem
    return LEGAL if fits_somewhere(game, game.type_pattern[game.racks[game.to_play][slot]]) else FITS_NOWHERE


@inlined
def placement_illegality(game, slot, placement, _workspace):
    """Why the tile of a slot may not be laid on a cell, or `LEGAL` (LOOPIT.md 3.2)."""
    problem = rack_illegality(game, slot)
    if problem:
        return problem
    if has_bit(cells_of(game, slot), placement):
        return LEGAL
    return SQUARE_TAKEN if game.board[placement] else DOES_NOT_FIT


@inlined
def may_choose(game, choice):
    """Return whether the choice to stop, throw the rack back or keep it is legal (LOOPIT.md 3.1, 3.3)."""
    if choice == STOP:
        return game.phase == PLACE and game.laid > 0
    return game.phase == CHOOSE


@inlined
def write_mask(game, staged, workspace, mask):
    """Write 1 for each legal action and 0 for all others."""
    slots, cells, held = game.spec.rack_size, game.spec.num_cells, game.held
    first, last = first_placement(game, staged), first_choice(game, staged)
    mask[last + STOP] = int64(not held and may_choose(game, STOP))
    mask[last + THROW_BACK] = mask[last + KEEP] = int64(game.phase == CHOOSE)
    if game.phase != PLACE:
        clear(mask, last)
        return
    if staged:
        for slot in range(slots):
            mask[slot] = int64(held == 0 and slot_illegality(game, slot) == LEGAL)
        if held == 0:
            clear(mask[first:], cells)
            return
    low, high = (held - 1, held) if staged else (0, slots)
    for slot in range(low, high):
        if rack_illegality(game, slot):
            clear(mask[first:], cells)
        else:
            legal = cells_of(game, slot)
            for word in range(game.spec.num_words):
                spread_bits(workspace.flags[64 * word :], legal[word])
            copy(mask[first:], workspace.flags, cells)
        first += cells


@inlined
def random_action(game, staged, random, workspace):
    """The legal action picked by a random word, uniformly; `NO_ACTION` in a finished game."""
    if game.phase == OVER:
        return NO_ACTION
    last = first_choice(game, staged)
    if game.phase == CHOOSE:
        return last + THROW_BACK + scale(random, 2)
    held = game.held
    low, high = (held - 1, held) if held else (0, game.spec.rack_size)
    total = 0
    for slot in range(low, high):
        count = 0
        if rack_illegality(game, slot) == LEGAL:
            legal = cells_of(game, slot)
            for word in range(game.spec.num_words):
                count += count_bits(legal[word])
            if staged and not held:
                count = min(1, count)
        workspace.counts[slot] = count
        total += count
    stops = int64(not held and game.laid > 0)
    pick = scale(random, total + stops)
    if pick == total:
        return last + STOP
    slot = low
    while pick >= workspace.counts[slot]:
        pick -= workspace.counts[slot]
        slot += 1
    if staged and not held:
        return slot
    cell = nth_of(game, cells_of(game, slot), pick)
    return first_placement(game, staged) + (0 if staged else slot) * game.spec.num_cells + cell
