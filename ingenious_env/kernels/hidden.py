"""Hidden information: a fresh deal of everything that one seat cannot know.

Every deal that agrees with what the viewer has seen is equally likely. What was shown in swaps restricts the
deals: a tile that seat k put back may lie on another rack only in a place filled since. The looser reading
takes the places filled last, so place i from the top of q's rack may hold tiles shown by k if q has drawn
more than i since. The sets of shown tiles that the places may hold are nested: to fill the most restricted
places first, each with any tile allowed there, gives all deals the same chance.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit

from ingenious_env.kernels.streams import GOLDEN, draw_number, mix
from ingenious_env.kernels.turns import lowest_colours, shuffle_bag, sort_rack
from ingenious_env.state import NO_TILE, SWAP

NEVER_SHOWN = 6  # the label of tiles no seat has shown; the others bear the seat's number
MOST_TRIES = 1000


@njit
def rack_count(m, s, g, player):
    """Tiles on a rack."""
    count = 0
    for slot in range(s.rack_size):
        if m[g + s.racks + player * s.rack_size + slot] != NO_TILE:
            count += 1
    return count


@njit
def gather_hidden(m, s, g, viewer, tiles, labels):
    """Collect what the viewer cannot place: types, and the seats that showed them. Returns how many."""
    size = 0
    for tile in range(s.num_types):
        mine = 0
        for slot in range(s.rack_size):
            if m[g + s.racks + viewer * s.rack_size + slot] == tile:
                mine += 1
        hidden = int64(m[g + s.unplaced + tile]) - mine
        for seat in range(s.num_players):
            # Tiles the viewer holds may be shown ones, if drawn since.
            mine_since = min(mine, int64(m[g + s.drawn_since + seat * s.num_players + viewer]))
            for _ in range(int64(m[g + s.shown + seat * s.num_types + tile]) - mine_since):
                if hidden > 0:
                    tiles[size], labels[size] = tile, seat
                    size += 1
                    hidden -= 1
        for _ in range(hidden):
            tiles[size], labels[size] = tile, NEVER_SHOWN
            size += 1
    return size


@njit
def shown_allowed(m, s, g, player, place):
    """Bit k: this place of the player's rack, counted from the newest, may hold tiles that seat k showed."""
    seats = 0
    for seat in range(s.num_players):
        if m[g + s.drawn_since + seat * s.num_players + player] > place:
            seats |= 1 << seat
    return seats


@njit
def fill_place(m, t, s, g, player, place, tiles, labels, size, stream):
    """Move a random tile that may lie there from the pool to the rack; False if there is none."""
    allowed = shown_allowed(m, s, g, player, place) | (1 << NEVER_SHOWN)
    offered_swap = m[g + s.phase] == SWAP and m[g + s.to_play] == player
    barred = lowest_colours(m, t, s, g) if offered_swap else 0
    eligible = np.empty(size, np.int64)
    count = 0
    for k in range(size):
        if (allowed >> labels[k]) & 1 and t[s.type_colours + tiles[k]] & barred == 0:
            eligible[count] = k
            count += 1
    if count == 0:
        return False
    pick = eligible[draw_number(stream, 0, count)]
    m[g + s.racks + player * s.rack_size + place] = tiles[pick]
    tiles[pick], labels[pick] = tiles[size - 1], labels[size - 1]
    return True


@njit
def fill_racks(m, t, s, g, viewer, counts, tiles, labels, size, stream):
    """Deal to all racks but the viewer's; returns how many tiles are left, −1 if the deal got stuck.

    The rack of a seat that may swap is the narrowest: its tiles show no lowest colour.
    """
    for with_offer in (True, False):
        for seats_allowed in range(s.num_players + 1):
            for player in range(s.num_players):
                offered_swap = m[g + s.phase] == SWAP and m[g + s.to_play] == player
                if player == viewer or offered_swap != with_offer:
                    continue
                for place in range(counts[player]):
                    allowed, bits = shown_allowed(m, s, g, player, place), 0
                    for seat in range(s.num_players):
                        bits += (allowed >> seat) & 1
                    if bits != seats_allowed:
                        continue
                    if not fill_place(m, t, s, g, player, place, tiles, labels, size, stream):
                        return -1
                    size -= 1
    return size


@njit
def deal_hidden_racks(m, t, s, g, viewer, tiles, labels, stream):
    """Deal to all racks but the viewer's; returns how many tiles are left, −1 if there is no deal."""
    counts = np.empty(s.num_players, np.int64)
    for player in range(s.num_players):
        counts[player] = rack_count(m, s, g, player)
    for _ in range(MOST_TRIES):
        size = gather_hidden(m, s, g, viewer, tiles, labels)
        left = fill_racks(m, t, s, g, viewer, counts, tiles, labels, size, stream)
        if left >= 0:
            break
    for player in range(s.num_players):
        sort_rack(m, s, g + s.racks + player * s.rack_size)
    return left


@njit
def order_bag(m, s, g):
    """Put what is in the bag in order, so that its next order does not follow from the one it was in."""
    at = g + s.bag + int64(m[g + s.drawn])
    for tile in range(s.num_types):
        inside = int64(m[g + s.unplaced + tile])
        for place in range(s.num_players * s.rack_size):
            inside -= m[g + s.racks + place] == tile
        for _ in range(inside):
            m[at] = tile
            at += 1


@njit
def reshuffle(m, w, t, s, g, viewer, stream):
    """Deal the hidden racks and the bag anew out of the stream, uint64 [1], and give the game a new future.

    Returns whether that was possible: it is in every game that was played, the true deal being an example.
    """
    if s.open_racks:
        order_bag(m, s, g)
    else:
        tiles, labels = np.empty(s.num_tiles, np.int64), np.empty(s.num_tiles, np.int64)
        left = deal_hidden_racks(m, t, s, g, viewer, tiles, labels, stream)
        if left < 0:
            return False
        for k in range(left):
            m[g + s.bag + int64(m[g + s.drawn]) + k] = tiles[k]
    stream[0] += GOLDEN
    w[(g >> 3) + s.stream] = mix(stream[0])
    shuffle_bag(m, w, s, g)
    return True
