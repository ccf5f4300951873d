"""A turn of the game: laying and scoring a tile, throwing the rack back, drawing (LOOPIT.md 2 to 5)."""

from __future__ import annotations

from numba import uint64

from ingenious_env.compiled.bag import (
    NO_TILE,
    rack_count,
    refill,
    seat_after,
    shuffle_bag,
    sort_rack,
    start_afresh,
    take_tile,
)
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.phases import CHOOSE, OVER, PLACE

STOP, THROW_BACK, KEEP = 0, 1, 2
"""The named choices, in the order of `moves.CHOICES`."""


# The deal (LOOPIT.md 2).


@inlined
def deal(game):
    """Begin a new game with the row's stream, which continues."""
    start_afresh(game)
    shuffle_bag(game)
    hand_out(game)


@inlined
def hand_out(game):
    """Put tiles out of the game, draw the racks and lay the first tile, the bag being in order."""
    put_out(game)
    for player in range(game.spec.num_players):
        refill(game, player)
    tile = draw_tile(game)
    lay_tile(game, tile, game.spec.start_cell)
    begin_turn(game, 0)


@inlined
def draw_tile(game):
    """Take the next tile out of the bag."""
    tile = game.bag[game.drawn]
    game.bag[game.drawn] = 0
    game.drawn += 1
    return tile


@inlined
def put_out(game):
    """Put tiles out of the game before any is drawn (LOOPIT.md 2.2)."""
    for k in range(game.spec.num_out):
        tile = draw_tile(game)
        game.out[k] = tile
        game.left[game.type_pattern[tile]] -= 1
    sort_rack(game.out, game.spec.num_out)


# Laying a tile (LOOPIT.md 3.2, 4.1).


@inlined
def lay_tile(game, tile, cell):
    """Put a tile on an empty square, and update the fields derived from the board.

    Returns the sum of the values of the tiles that it is joined to.
    """
    ends = game.type_ends[tile]
    game.board[cell] = 1 + tile
    game.values[cell] = game.type_value[tile]
    game.needs[cell] = 0
    game.unplaced[tile] -= 1
    game.left[game.type_pattern[tile]] -= 1
    game.placed += 1
    allow_patterns(game, cell, 0)
    joined = 0
    for direction in range(4):
        has_end = (ends >> direction) & 1
        game.ends[direction][cell] = has_end
        beyond = game.neighbours[cell][direction]
        if game.board[beyond] == 0:
            need = 1 if has_end else 16
            game.needs[beyond] |= need << (direction ^ 2)
            allow_patterns(game, beyond, game.patterns_allowed[game.needs[beyond]])
        elif has_end:  # then so has the neighbour: otherwise the tile could not lie here
            joined += game.values[beyond]
    return joined


@inlined
def allow_patterns(game, cell, patterns):
    """Set the patterns, bit k for pattern k, whose tiles may be laid on a cell."""
    word, shift = cell >> 6, uint64(cell & 63)
    for pattern in range(game.spec.num_patterns):
        others = game.fits[pattern][word] & ~(uint64(1) << shift)
        game.fits[pattern][word] = others | uint64((patterns >> pattern) & 1) << shift


@inlined
def lay_and_score(game, slot, cell):
    """Lay the tile of a slot and score it; the turn continues (LOOPIT.md 4.1)."""
    player = game.to_play
    tile = take_tile(game.racks[player], game.spec.rack_size, slot)
    joined = lay_tile(game, tile, cell)
    game.scores[player] += game.type_value[tile] * game.factors[cell] + joined
    game.laid += 1


@inlined
def place(game, slot, cell):
    """Lay the tile of a slot, score it, and advance to the next decision (LOOPIT.md 3.1)."""
    lay_and_score(game, slot, cell)
    if game.laid == game.spec.tiles_per_turn or not can_lay(game, game.to_play):
        end_turn(game)


@inlined
def fits_somewhere(game, pattern):
    """Return whether tiles of a pattern may be laid anywhere."""
    cells = uint64(0)
    for word in range(game.spec.num_words):
        cells |= game.fits[pattern][word]
    return cells != uint64(0)


@inlined
def can_lay(game, player):
    """Return whether any tile of a rack may be laid."""
    for slot in range(game.spec.rack_size):
        tile = game.racks[player][slot]
        if tile == NO_TILE:
            break
        if fits_somewhere(game, game.type_pattern[tile]):
            return True
    return False


@inlined
def anything_fits(game):
    """Return whether any tile of a rack or of the bag may be laid (LOOPIT.md 5.1)."""
    for pattern in range(game.spec.num_patterns):
        if game.left[pattern] and fits_somewhere(game, pattern):
            return True
    return False


# From turn to turn (LOOPIT.md 3.3, 3.4, 5.1).


@inlined
def end_turn(game):
    """Draw, and pass the turn to the next seat."""
    refill(game, game.to_play)
    game.laid = 0
    game.turn += 1
    begin_turn(game, seat_after(game, game.to_play, 1))


@inlined
def begin_turn(game, seat):
    """Give the turn to a seat, or to the next one with a tile; or end the game (LOOPIT.md 5.1)."""
    while True:
        lays = can_lay(game, seat)
        is_last = game.turn == game.spec.last_turn and game.turn > 0
        if is_last or not (lays or anything_fits(game)):
            game.phase = OVER
            break
        if game.racks[seat][0] != NO_TILE:
            game.to_play = seat
            game.phase = PLACE if lays else CHOOSE
            break
        game.turn += 1
        seat = seat_after(game, seat, 1)


@inlined
def choose(game, choice):
    """Stop, throw the rack back, or keep it: the turn ends (LOOPIT.md 3.1, 3.3)."""
    if choice == THROW_BACK:
        throw_back(game)
    end_turn(game)


@inlined
def throw_back(game):
    """Put the rack back into the bag, shuffle it, and draw as many tiles (LOOPIT.md 3.3)."""
    player, slots = game.to_play, game.spec.rack_size
    rack, count = game.racks[player], rack_count(game, player)
    for slot in range(count):
        game.drawn -= 1
        game.bag[game.drawn] = rack[slot]
    shuffle_bag(game)
    for slot in range(count):
        rack[slot] = draw_tile(game)
    sort_rack(rack, slots)
