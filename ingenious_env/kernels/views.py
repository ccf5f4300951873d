"""Observations: what one seat may know of a game, as a row of int8 (see `observation.py` for the layout)."""

from __future__ import annotations

from numba import int64, uint64

from ingenious_env.kernels.compiling import inlined
from ingenious_env.kernels.intrinsics import copy, mark_equal, set_word_at, word_at
from ingenious_env.kernels.turns import seat_after, seats_between
from ingenious_env.state import PLACE, SWAP

MOST = 127  # where an int8 stops


@inlined
def write_board(m, s, g, out, at):
    """A plane for each colour, 1 where a cell shows it; returns where the next section begins."""
    board = g + s.board
    for colour in range(s.num_colours):
        if s.num_cells < 32:
            for cell in range(s.num_cells):
                out[at + cell] = m[board + cell] == colour + 1
        else:
            last = s.num_cells - 32  # this block may lie over the one before
            for cell in range(0, last, 32):
                mark_equal(out, at + cell, m, board + cell, colour + 1)
            mark_equal(out, at + last, m, board + last, colour + 1)
        at += s.num_cells
    return at


@inlined
def write_rack(m, b, s, rack, out, at):
    """One rack as one-hot colours, low then high, slot by slot; returns where the next section begins.

    A slot takes sixteen bytes, the last of which the next slot or section writes over.
    """
    for slot in range(s.rack_size):
        tile = min(int64(m[rack + slot]), s.num_types)  # an empty slot is behind all types
        colours = s.type_one_hot + 2 * tile
        set_word_at(out, at, b[colours])
        set_word_at(out, at + 8, b[colours + 1])
        at += 2 * s.num_colours
    return at


@inlined
def write_unseen(m, s, g, viewer, out, at):
    """Tiles of each type that are neither on the board nor on a rack the viewer sees."""
    copy(out, at, m, g + s.unplaced, s.num_types)
    low, high = (0, s.num_players) if s.open_racks else (viewer, viewer + 1)
    for place in range(g + s.racks + low * s.rack_size, g + s.racks + high * s.rack_size):
        # for an empty slot, where the next section begins
        out[at + min(int64(m[place]), s.num_types)] -= 1
    return at + s.num_types


@inlined
def write_shown(m, s, g, viewer, out, at):
    """What each seat showed in its latest swap, and who has drawn how much since, the viewer first."""
    size = s.num_players * (s.num_types + s.num_players)
    if m[g + s.swaps] == 0:
        for k in range(0, size, 8):  # the next sections write over what is too much
            set_word_at(out, at + k, uint64(0))
        return at + size
    for k in range(s.num_players):
        copy(out, at, m, g + s.shown + seat_after(s, viewer, k) * s.num_types, s.num_types)
        at += s.num_types
    for k in range(s.num_players):
        row = g + s.drawn_since + seat_after(s, viewer, k) * s.num_players
        for j in range(s.num_players):
            out[at] = min(s.rack_size, m[row + seat_after(s, viewer, j)])
            at += 1
    return at


@inlined
def write_flags(b, s, out, at, flags, count):
    """Write the lowest bits of a byte as entries; returns where the next section begins.

    All eight are written, the last of which the next section writes over.
    """
    set_word_at(out, at, b[s.spread + flags])
    return at + count


@inlined
def write_observation(m, t, b, s, g, viewer, out, at):
    """Write what the viewer may know of game g into out, int8, from entry `at` on."""
    at = write_board(m, s, g, out, at)
    copy(out, at, m, g + s.points, s.num_colours * s.num_cells)
    at += s.num_colours * s.num_cells
    for k in range(s.num_players if s.open_racks else 1):
        at = write_rack(m, b, s, g + s.racks + seat_after(s, viewer, k) * s.rack_size, out, at)
    for k in range(s.num_sheets):
        sheet = g + s.scores + t[s.sheet_of_seat + seat_after(s, viewer, k)]
        set_word_at(out, at, word_at(m, sheet))  # eight bytes, the last of which the next section writes over
        at += s.num_colours
    at = write_unseen(m, s, g, viewer, out, at)
    at = write_shown(m, s, g, viewer, out, at)

    # A seat that waits is not told of plays left or of a choice to swap: that would show its owner's rack.
    to_play, phase = int64(m[g + s.to_play]), int64(m[g + s.phase])
    moves = viewer == to_play
    at = write_flags(b, s, out, at, (1 << int64(m[g + s.held]) >> 1) if moves else 0, s.rack_size)
    at = write_flags(b, s, out, at, 1 << seats_between(s, viewer, to_play), s.num_players)
    first_round = m[g + s.turn] < s.num_players
    at = write_flags(b, s, out, at, int64(m[g + s.touched]) if first_round else 0, 6)
    out[at] = first_round
    out[at + 1] = moves & (phase == SWAP)
    out[at + 2] = m[g + s.plays_left] if moves and phase == PLACE else 0
    out[at + 3] = min(MOST, s.num_tiles - m[g + s.drawn])
