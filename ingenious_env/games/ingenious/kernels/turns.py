"""A turn of the game: placing and scoring a tile, bonus plays, swapping, drawing (RULES.md 2 to 7)."""

from __future__ import annotations

from numba import uint64

from ingenious_env.compiled.bag import (
    first_bytes,
    refill,
    seat_after,
    shuffle_bag,
    sort_rack,
    start_afresh,
    take_tile,
)
from ingenious_env.compiled.intrinsics import lowest_bytes, word_at
from ingenious_env.compiled.kernel import inlined
from ingenious_env.games.ingenious.state import NO_TILE, OVER, PLACE, SWAP
from ingenious_env.games.ingenious.tiles import EMPTY

MAX_BYTE = 255  # where counters of one byte stop
KEEP, SWAP_RACK = 0, 1
"""The named choices, in the order of `moves.CHOICES`."""


# The deal and drawing (RULES.md 2.1, 2.2, 3.4).


@inlined
def deal(game):
    """Begin a new game from the row's stream, which continues (RULES.md 2.1)."""
    start_afresh(game)
    shuffle_bag(game)
    hand_out(game)


@inlined
def hand_out(game):
    """Fill all racks, the bag being in order."""
    for player in range(game.spec.num_players):
        draw(game, player)


@inlined
def draw(game, player):
    """Fill the player's rack as far as the bag allows (RULES.md 3.4)."""
    new = refill(game, player)
    if game.swaps:
        count_draws(game, player, new)


@inlined
def count_draws(game, player, new):
    """Count the tiles drawn since each seat's latest swap: public, as the size of a rack is."""
    for seat in range(game.spec.num_players):
        game.drawn_since[seat][player] = min(MAX_BYTE, game.drawn_since[seat][player] + new)


@inlined
def own_sheet(game):
    """The counters of the seat to move."""
    return game.scores[game.sheet_of_seat[game.to_play]]


# Placing a tile (RULES.md 3.1, 4).


@inlined
def lay_half(game, cell, colour):
    """Put half a tile on an empty cell, and update `points`.

    Only the first cell beyond each run that ends at the new half sees a longer run of the colour; the cell
    itself can no longer score.

        y · x x [new] x · z      y then sees the two on its side, the new one and the one beyond: 4; so does z
    """
    board, symbol = game.board, colour + 1
    board[cell] = symbol
    for other in range(game.spec.num_colours):
        game.points[other][cell] = 0
    points = game.points[colour]
    for direction in range(3):
        ahead, run_ahead = game.neighbours[cell][direction], 0
        while board[ahead] == symbol:
            run_ahead += 1
            ahead = game.neighbours[ahead][direction]
        behind, run_behind = game.neighbours[cell][direction + 3], 0
        while board[behind] == symbol:
            run_behind += 1
            behind = game.neighbours[behind][direction + 3]
        # Without a branch, as empty cells are unpredictable; off the board this adds 0 elsewhere.
        points[ahead] += (1 + run_behind) * (board[ahead] == EMPTY)
        points[behind] += (1 + run_ahead) * (board[behind] == EMPTY)


@inlined
def stop_of(game, counter):
    """The last space that a counter can reach; points beyond it are lost (RULES.md 4.3, 4.4)."""
    return game.spec.counter_top if counter < game.spec.counter_top else game.spec.last_space


@inlined
def advance(game, sheet, colour, gain):
    """Move a counter; returns 1 if it reaches a final space (RULES.md 4.3, 4.4, 5.1)."""
    old = sheet[colour]
    stop = stop_of(game, old)
    new = min(old + gain, stop)
    sheet[colour] = new
    return 1 if old < stop == new else 0


@inlined
def score(game, colour_1, gain_1, colour_2, gain_2):
    """Move the counters by both halves' gains; a double's are one sum (RULES.md 4.2, 4.4).

    Returns the number of final spaces reached.
    """
    sheet = own_sheet(game)
    if colour_1 == colour_2:
        return advance(game, sheet, colour_1, gain_1 + gain_2)
    return advance(game, sheet, colour_1, gain_1) + advance(game, sheet, colour_2, gain_2)


@inlined
def close_pairs(game, cell_1, cell_2):
    """Close every pair with one of the two cells; returns whether any is left open (RULES.md 7.2)."""
    left = uint64(0)
    for word in range(game.spec.num_words):
        closed = game.pairs_of_cell[cell_1][word] | game.pairs_of_cell[cell_2][word]
        game.open_pairs[word] &= ~closed
        left |= game.open_pairs[word]
    return left != uint64(0)


@inlined
def place(game, slot, placement):
    """Lay the tile of a slot, score it, and advance to the next decision (RULES.md 3)."""
    turned = 1 if placement >= game.spec.num_pairs else 0
    pair = placement - turned * game.spec.num_pairs
    rack = game.racks[game.to_play]
    tile = take_tile(rack, game.spec.rack_size, slot)
    colour_1, colour_2 = game.type_low[tile], game.type_high[tile]
    if turned:
        colour_1, colour_2 = colour_2, colour_1
    cell_1, cell_2 = game.pair_cells[pair][0], game.pair_cells[pair][1]
    # Both before either is laid: the tile's own halves never count (RULES.md 4.1).
    gain_1, gain_2 = game.points[colour_1][cell_1], game.points[colour_2][cell_2]
    lay_half(game, cell_1, colour_1)
    lay_half(game, cell_2, colour_2)
    any_open = close_pairs(game, cell_1, cell_2)
    game.placed += 1
    game.unplaced[tile] -= 1
    if game.swaps:
        strike_off_shown(game, tile)

    reached = score(game, colour_1, gain_1, colour_2, gain_2)
    won = reached > 0 and all_on_last_space(game)
    if game.turn < game.spec.num_players:
        game.touched |= game.pair_touches[pair]
        reached = 0  # no bonus plays in a first round (RULES.md 3.2)
    if not game.spec.has_bonus_plays:
        reached = 0
    if won or not any_open:
        game.plays_left = 0
        game.phase = OVER
        return
    plays_left = game.plays_left + reached - 1
    if rack[0] == NO_TILE:
        plays_left = 0  # forfeited (RULES.md 5.3)
    game.plays_left = plays_left
    if plays_left == 0:
        if may_swap(game):
            game.phase = SWAP
        else:
            end_turn(game)


@inlined
def strike_off_shown(game, tile):
    """Remove a tile just placed from those shown in swaps, where the seat may have drawn it since."""
    player = game.to_play
    for seat in range(game.spec.num_players):
        if game.drawn_since[seat][player] and game.shown[seat][tile]:
            game.shown[seat][tile] -= 1


@inlined
def all_on_last_space(game):
    """Return whether the seat to move has just won with all its counters (RULES.md 7.1)."""
    sheet = own_sheet(game)
    for colour in range(game.spec.num_colours):
        if sheet[colour] != game.spec.last_space:
            return False
    return True


# The end of a turn: swapping and drawing (RULES.md 3.4, 6).


@inlined
def may_swap(game):
    """Return whether no tile left on the rack shows a lowest colour (RULES.md 6.1, 6.3)."""
    if not game.spec.has_swaps or game.spec.num_tiles - game.drawn < game.spec.rack_size:
        return False
    rack = game.racks[game.to_play]
    if rack[0] == NO_TILE:
        return False
    colours = 0
    for slot in range(game.spec.rack_size):
        if rack[slot] == NO_TILE:
            break
        colours |= game.type_colours[rack[slot]]
    return colours & lowest_colours(game) == 0


@inlined
def lowest_colours(game):
    """Bit c: colour c is lowest on the sheet of the seat to move, tied ones included."""
    return lowest_bytes(word_at(own_sheet(game)) | ~first_bytes(game.spec.num_colours))


@inlined
def choose(game, choice):
    """Keep the rack, or swap it (RULES.md 6)."""
    if choice == SWAP_RACK:
        swap_rack(game)
    end_turn(game)


@inlined
def swap_rack(game):
    """Show the rack, draw a new one, put the old tiles back and shuffle the bag (RULES.md 6.2)."""
    player, size = game.to_play, game.spec.rack_size
    rack, new = game.racks[player], game.bag[game.drawn :]
    show_rack(game, player)
    old = 0
    while old < size and rack[old] != NO_TILE:
        old += 1
    # The new tiles come from the next R places of the bag, and the old ones go to the last of these.
    for slot in range(old):
        tile = new[size - old + slot]
        new[size - old + slot] = rack[slot]
        rack[slot] = tile
    for slot in range(old, size):
        rack[slot] = new[slot - old]
        new[slot - old] = 0
    sort_rack(rack, size)
    game.drawn += size - old
    shuffle_bag(game)


@inlined
def show_rack(game, player):
    """Record the public part of a swap: the tiles put back into the bag, and who has drawn since."""
    rack, mine = game.racks[player], game.shown[player]
    for tile in range(game.spec.num_types):
        mine[tile] = 0
    for slot in range(game.spec.rack_size):
        tile = rack[slot]
        if tile == NO_TILE:
            break
        mine[tile] += 1
        for seat in range(game.spec.num_players):
            if seat != player and game.drawn_since[seat][player] and game.shown[seat][tile]:
                game.shown[seat][tile] -= 1  # it may have been shown before: the looser reading counts it
    count_draws(game, player, game.spec.rack_size)
    for seat in range(game.spec.num_players):
        game.drawn_since[player][seat] = 0
    game.swaps = min(MAX_BYTE, game.swaps + 1)


@inlined
def end_turn(game):
    """Draw, and pass the turn to the next seat (RULES.md 3.4)."""
    player = game.to_play
    draw(game, player)
    game.to_play = seat_after(game, player, 1)
    game.turn += 1
    game.phase = PLACE
    game.plays_left = 1
