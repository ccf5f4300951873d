"""Observations: what one seat may know of a game, as a row of int8 (see `observation.py` for the layout)."""

from __future__ import annotations

from numba import int64

from ingenious_env.kernels.compiling import inlined
from ingenious_env.state import NO_TILE, PLACE, SWAP

MOST = 127  # where an int8 stops


@inlined
def write_rack(m, t, s, rack, out, at):
    """One rack as one-hot colours, low then high, slot by slot; returns where the next section begins."""
    for k in range(2 * s.rack_size * s.num_colours):
        out[at + k] = 0
    for slot in range(s.rack_size):
        tile = m[rack + slot]
        if tile == NO_TILE:
            break
        here = at + 2 * slot * s.num_colours
        out[here + t[s.type_low + tile]] = 1
        out[here + s.num_colours + t[s.type_high + tile]] = 1
    return at + 2 * s.rack_size * s.num_colours


@inlined
def write_unseen(m, s, g, viewer, out, at):
    """Tiles of each type that are neither on the board nor on a rack the viewer sees."""
    for tile in range(s.num_types):
        out[at + tile] = m[g + s.unplaced + tile]
    low, high = (0, s.num_players) if s.open_racks else (viewer, viewer + 1)
    for place in range(g + s.racks + low * s.rack_size, g + s.racks + high * s.rack_size):
        if m[place] != NO_TILE:
            out[at + m[place]] -= 1
    return at + s.num_types


@inlined
def write_shown(m, s, g, viewer, out, at):
    """What each seat showed in its latest swap, and who has drawn how much since, the viewer first."""
    for k in range(s.num_players):
        seat = (viewer + k) % s.num_players
        for tile in range(s.num_types):
            out[at] = m[g + s.shown + seat * s.num_types + tile]
            at += 1
    for k in range(s.num_players):
        row = g + s.drawn_since + (viewer + k) % s.num_players * s.num_players
        for j in range(s.num_players):
            out[at] = min(s.rack_size, m[row + (viewer + j) % s.num_players])
            at += 1
    return at


@inlined
def write_observation(m, t, s, g, viewer, out, at):
    """Write what the viewer may know of game g into out, int8, from entry `at` on."""
    spatial = s.num_colours * s.num_cells
    for k in range(spatial):
        out[at + k] = m[g + s.planes + k]
    at += spatial
    for k in range(spatial):
        out[at + k] = m[g + s.points + k]
    at += spatial
    shown_racks = s.num_players if s.open_racks else 1
    for k in range(shown_racks):
        seat = (viewer + k) % s.num_players
        at = write_rack(m, t, s, g + s.racks + seat * s.rack_size, out, at)
    for k in range(s.num_sheets):
        sheet = g + s.scores + (viewer + k) % s.num_sheets * s.num_colours
        for colour in range(s.num_colours):
            out[at] = m[sheet + colour]
            at += 1
    at = write_unseen(m, s, g, viewer, out, at)
    at = write_shown(m, s, g, viewer, out, at)

    # A seat that waits is not told of plays left or of a choice to swap: that would show its owner's rack.
    to_play, phase, held = int64(m[g + s.to_play]), int64(m[g + s.phase]), int64(m[g + s.held])
    moves = viewer == to_play
    for slot in range(s.rack_size):
        out[at + slot] = moves and held == slot + 1
    at += s.rack_size
    for k in range(s.num_players):
        out[at + k] = (viewer + k) % s.num_players == to_play
    at += s.num_players
    first_round = m[g + s.turn] < s.num_players
    for symbol in range(6):
        out[at + symbol] = first_round and (m[g + s.touched] >> symbol) & 1
    at += 6
    out[at] = first_round
    out[at + 1] = moves and phase == SWAP
    out[at + 2] = m[g + s.plays_left] if moves and phase == PLACE else 0
    out[at + 3] = min(MOST, s.num_tiles - m[g + s.drawn])
