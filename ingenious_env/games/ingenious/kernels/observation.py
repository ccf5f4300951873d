"""Observations of one seat as rows of int8 (see `games/ingenious/observation.py`)."""

from __future__ import annotations

from numba import uint64

from ingenious_env.compiled.bag import seat_after, seats_between
from ingenious_env.compiled.intrinsics import copy, keep_rolled, mark_equal, set_word_at, word_at
from ingenious_env.compiled.kernel import inlined
from ingenious_env.games.ingenious.state import PLACE, SWAP

MAX_ENTRY = 127  # where an int8 stops


@inlined
def write_board(game, out, at):
    """A plane for each colour, 1 where a cell shows it; returns where the next section begins."""
    for colour in range(game.spec.num_colours):
        keep_rolled()
        mark_equal(out[at:], game.board, game.spec.num_cells, colour + 1)
        at += game.spec.num_cells
    return at


@inlined
def write_rack(game, rack, out, at):
    """One rack as one-hot colours, low then high, slot by slot; returns where the next section begins.

    A slot takes sixteen bytes, the last of which the next slot or section overwrites.
    """
    for slot in range(game.spec.rack_size):
        keep_rolled()
        colours = game.type_one_hot[min(rack[slot], game.spec.num_types)]  # empty slots sort last
        set_word_at(out[at:], colours[0])
        set_word_at(out[at + 8 :], colours[1])
        at += 2 * game.spec.num_colours
    return at


@inlined
def write_unseen(game, viewer, out, at):
    """Tiles of each type that are neither on the board nor on a rack the viewer sees."""
    copy(out[at:], game.unplaced, game.spec.num_types)
    low, high = (0, game.spec.num_players) if game.spec.open_racks else (viewer, viewer + 1)
    racks = game.racks[0]
    for place in range(low * game.spec.rack_size, high * game.spec.rack_size):
        # for an empty slot, where the next section begins
        out[at + min(racks[place], game.spec.num_types)] -= 1
    return at + game.spec.num_types


@inlined
def write_shown(game, viewer, out, at):
    """The tiles each seat showed in its latest swap, and the draws of all seats since, the viewer first."""
    players, types = game.spec.num_players, game.spec.num_types
    size = players * (types + players)
    if game.swaps == 0:
        for k in range(0, size, 8):  # the next sections overwrite the excess
            keep_rolled()
            set_word_at(out[at + k :], uint64(0))
        return at + size
    for k in range(players):
        keep_rolled()
        copy(out[at:], game.shown[seat_after(game, viewer, k)], types)
        at += types
    for k in range(players):
        drawn_since = game.drawn_since[seat_after(game, viewer, k)]
        for j in range(players):
            keep_rolled()
            out[at] = min(game.spec.rack_size, drawn_since[seat_after(game, viewer, j)])
            at += 1
    return at


@inlined
def write_flags(game, out, at, flags, count):
    """Write the lowest bits of a byte as entries; returns where the next section begins.

    All eight are written, the last of which the next section overwrites.
    """
    set_word_at(out[at:], game.spread[flags])
    return at + count


@inlined
def write_observation(game, viewer, out):
    """Write the viewer's observation."""
    players, colours = game.spec.num_players, game.spec.num_colours
    at = write_board(game, out, 0)
    copy(out[at:], game.points[0], colours * game.spec.num_cells)
    at += colours * game.spec.num_cells
    for k in range(players if game.spec.open_racks else 1):
        at = write_rack(game, game.racks[seat_after(game, viewer, k)], out, at)
    for k in range(game.spec.num_sheets):
        keep_rolled()
        sheet = game.scores[game.sheet_of_seat[seat_after(game, viewer, k)]]
        set_word_at(out[at:], word_at(sheet))  # eight bytes, the last of which the next section overwrites
        at += colours
    at = write_unseen(game, viewer, out, at)
    at = write_shown(game, viewer, out, at)

    # Plays left and a choice to swap are hidden from waiting seats: they depend on the mover's rack.
    to_play, phase = game.to_play, game.phase
    moves = viewer == to_play
    at = write_flags(game, out, at, (1 << game.held >> 1) if moves else 0, game.spec.rack_size)
    at = write_flags(game, out, at, 1 << seats_between(game, viewer, to_play), players)
    first_round = game.turn < players
    at = write_flags(game, out, at, game.touched if first_round else 0, 6)
    out[at] = int(first_round)
    out[at + 1] = int(moves and phase == SWAP)
    out[at + 2] = game.plays_left if moves and phase == PLACE else 0
    out[at + 3] = min(MAX_ENTRY, game.spec.num_tiles - game.drawn)
