"""Hidden information: resampling of everything that one seat cannot know.

Every deal consistent with what the viewer has seen is equally likely. What was shown in swaps restricts the
deals: a tile that seat k put back may lie on another rack only in a place filled since. The looser reading
takes the places filled last, so place i from the top of q's rack may hold tiles shown by k if q has drawn
more than i since. The sets of shown tiles that the places may hold are nested: filling the most restricted
places first, each with any tile allowed there, gives all deals the same probability.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import int64

from ingenious_env.compiled.bag import rack_count, shuffle_bag, sort_rack
from ingenious_env.compiled.kernel import called, inlined
from ingenious_env.compiled.rng import GOLDEN, draw_number, mix
from ingenious_env.compiled.vectors import scratch
from ingenious_env.games.ingenious.kernels.turns import lowest_colours
from ingenious_env.games.ingenious.rules import MAX_PLAYERS
from ingenious_env.games.ingenious.state import SWAP
from ingenious_env.games.ingenious.tiles import MAX_TILES

NEVER_SHOWN = MAX_PLAYERS  # the label of tiles no seat has shown; others have the seat's number
MAX_TRIES = 1000

_tiles = scratch(int64, MAX_TILES)
_counts = scratch(int64, MAX_PLAYERS)


class HiddenTiles(NamedTuple):
    """Scratch memory for a deal.

    Attributes:
        tiles: int64 [M], the types of the tiles to be dealt.
        labels: int64 [M], the seat that showed each of them, or `NEVER_SHOWN`.
        eligible: int64 [M], places in `tiles` of those that may lie somewhere.
        counts: int64 [P], tiles on each rack.
    """

    tiles: Any
    labels: Any
    eligible: Any
    counts: Any


@inlined
def hidden_tiles():
    """Scratch memory for a deal, on the stack of the kernel."""
    return HiddenTiles(_tiles(), _tiles(), _tiles(), _counts())


@called
def gather_hidden(game, viewer, hidden):
    """Collect the tiles hidden from the viewer: types and the showing seats. Returns their number."""
    size, rack = 0, game.racks[viewer]
    for tile in range(game.spec.num_types):
        mine = 0
        for slot in range(game.spec.rack_size):
            if rack[slot] == tile:
                mine += 1
        left = game.unplaced[tile] - mine
        for seat in range(game.spec.num_players):
            # Tiles that the viewer holds may be shown ones, if drawn since.
            mine_since = min(mine, game.drawn_since[seat][viewer])
            for _ in range(game.shown[seat][tile] - mine_since):
                if left > 0:
                    hidden.tiles[size], hidden.labels[size] = tile, seat
                    size += 1
                    left -= 1
        for _ in range(left):
            hidden.tiles[size], hidden.labels[size] = tile, NEVER_SHOWN
            size += 1
    return size


@inlined
def shown_allowed(game, player, place):
    """Bit k: this place of the player's rack, counted from the newest, may hold tiles that seat k showed."""
    seats = 0
    for seat in range(game.spec.num_players):
        if game.drawn_since[seat][player] > place:
            seats |= 1 << seat
    return seats


@inlined
def was_offered_swap(game, player):
    """Return whether the player has the choice to swap, so that its tiles show no lowest colour."""
    return game.phase == SWAP and game.to_play == player


@called
def fill_place(game, player, place, hidden, size, stream):
    """Move a random tile that may lie there from the pool to the rack; False if there is none."""
    allowed = shown_allowed(game, player, place) | (1 << NEVER_SHOWN)
    barred = lowest_colours(game) if was_offered_swap(game, player) else 0
    tiles, labels, eligible = hidden.tiles, hidden.labels, hidden.eligible
    count = 0
    for k in range(size):
        if (allowed >> labels[k]) & 1 and game.type_colours[tiles[k]] & barred == 0:
            eligible[count] = k
            count += 1
    if count == 0:
        return False
    pick = eligible[draw_number(stream, count)]
    game.racks[player][place] = tiles[pick]
    tiles[pick], labels[pick] = tiles[size - 1], labels[size - 1]
    return True


@called
def fill_racks(game, viewer, hidden, size, stream):
    """Deal to all racks but the viewer's; returns the number of tiles left, −1 if the deal got stuck.

    The rack of a seat that may swap is the most restricted, and comes first.
    """
    for with_offer in (True, False):
        for seats_allowed in range(game.spec.num_players + 1):
            for player in range(game.spec.num_players):
                if player == viewer or was_offered_swap(game, player) != with_offer:
                    continue
                for place in range(hidden.counts[player]):
                    allowed, bits = shown_allowed(game, player, place), 0
                    for seat in range(game.spec.num_players):
                        bits += (allowed >> seat) & 1
                    if bits != seats_allowed:
                        continue
                    if not fill_place(game, player, place, hidden, size, stream):
                        return -1
                    size -= 1
    return size


@inlined
def pick_agrees(game, viewer):
    """Return whether the slot that another seat has picked holds the first of equal tiles, as it must."""
    if game.held < 2 or game.to_play == viewer:
        return True
    rack = game.racks[game.to_play]
    return rack[game.held - 1] != rack[game.held - 2]


@inlined
def deal_hidden_racks(game, viewer, hidden, stream):
    """Deal to all racks but the viewer's; returns the number of tiles left, −1 if there is no deal."""
    for player in range(game.spec.num_players):
        hidden.counts[player] = rack_count(game, player)
    left = -1
    for _ in range(MAX_TRIES):
        size = gather_hidden(game, viewer, hidden)
        left = fill_racks(game, viewer, hidden, size, stream)
        for player in range(game.spec.num_players):
            sort_rack(game.racks[player], game.spec.rack_size)
        if left >= 0 and pick_agrees(game, viewer):
            break
        left = -1
    return left


@inlined
def order_bag(game):
    """Sort the bag, so that its next order does not depend on its current one."""
    at, racks = game.drawn, game.racks[0]
    for tile in range(game.spec.num_types):
        inside = game.unplaced[tile]
        for place in range(game.spec.num_players * game.spec.rack_size):
            inside -= int64(racks[place] == tile)
        for _ in range(inside):
            game.bag[at] = tile
            at += 1


@called
def reshuffle(game, viewer, stream, _workspace):
    """Resample the hidden racks and the bag with a stream [1], and give the game a new future.

    Returns whether that was possible, as it is in every game that was played: the true deal is an example.
    """
    if game.spec.open_racks:
        order_bag(game)
    else:
        hidden = hidden_tiles()
        left = deal_hidden_racks(game, viewer, hidden, stream)
        if left < 0:
            return False
        for k in range(left):
            game.bag[game.drawn + k] = hidden.tiles[k]
    stream[0] += GOLDEN
    game.stream = mix(stream[0])
    shuffle_bag(game)
    return True
