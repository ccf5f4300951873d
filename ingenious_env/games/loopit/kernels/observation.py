"""Observations of one seat as rows of int8 (see `games/loopit/observation.py`)."""

from __future__ import annotations

from numba import uint64

from ingenious_env.compiled.bag import NO_TILE, rack_count, seat_after, seats_between
from ingenious_env.compiled.intrinsics import copy, keep_rolled, set_word_at
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.phases import CHOOSE
from ingenious_env.games.loopit.state import MAX_ENTRY, TILE_INPUTS


@inlined
def write_observation(game, viewer, out):
    """Write the viewer's observation."""
    players, cells, slots = game.spec.num_players, game.spec.num_cells, game.spec.rack_size
    copy(out, game.ends[0], 4 * cells)
    at = 4 * cells
    copy(out[at:], game.values, cells)
    at += cells
    for slot in range(slots):
        keep_rolled()
        tile = game.racks[viewer][slot]
        # eight bytes, of which the next slot or section overwrites the last three
        set_word_at(out[at:], uint64(0) if tile == NO_TILE else game.type_inputs[tile])
        at += TILE_INPUTS
    copy(out[at:], game.unplaced, game.spec.num_types)
    for slot in range(slots):
        keep_rolled()
        tile = game.racks[viewer][slot]
        if tile != NO_TILE:
            out[at + tile] -= 1
    at += game.spec.num_types
    for k in range(players):
        keep_rolled()
        seat = seat_after(game, viewer, k)
        score = game.scores[seat]
        out[at + 2 * k] = score // 100
        out[at + 2 * k + 1] = score % 100
        out[at + 2 * players + k] = rack_count(game, seat)
    at += 3 * players

    # The mover's choices are hidden from waiting seats: they depend on its rack.
    to_play = game.to_play
    moves = viewer == to_play
    for slot in range(slots):
        out[at + slot] = int(moves and game.held == slot + 1)
    at += slots
    for k in range(players):
        keep_rolled()
        out[at + k] = int(k == seats_between(game, viewer, to_play))
    at += players
    out[at] = game.laid
    out[at + 1] = int(moves and game.phase == CHOOSE)
    out[at + 2] = rounds_left(game)
    out[at + 3] = min(MAX_ENTRY, game.spec.num_tiles - game.drawn)


@inlined
def rounds_left(game):
    """Rounds that are not over, this one included; 0 without fixed rounds."""
    players = game.spec.num_players
    return (game.spec.last_turn - game.turn + players - 1) // players if game.spec.last_turn else 0
