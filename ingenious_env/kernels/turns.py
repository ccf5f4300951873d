"""A turn of the game: dealing, placing and scoring a tile, bonus plays, swapping, drawing (Rules 2 to 7)."""

from __future__ import annotations

from numba import int64, uint64

from ingenious_env.kernels.compiling import inlined
from ingenious_env.kernels.intrinsics import (
    EACH_BYTE,
    TOP_BITS,
    count_bits,
    lowest_bytes,
    set_word_at,
    word_at,
)
from ingenious_env.kernels.streams import GOLDEN, POLICY_KEY, mix, scale
from ingenious_env.state import NO_TILE, OVER, PLACE, SWAP
from ingenious_env.tiles import EMPTY

MANY = 255  # where a counted byte stops


# The bag, the racks and the deal (Rules 2.1, 2.2, 3.4).


@inlined
def shuffle_bag(m, w, s, g):
    """Order what is in the bag at random, out of the game's own stream."""
    bag, stream = g + s.bag, w[(g >> 3) + s.stream]
    start = int64(m[g + s.drawn])
    for last in range(s.num_tiles - 1, start, -1):
        stream += GOLDEN
        other = start + scale(mix(stream), last - start + 1)
        tile = m[bag + last]
        m[bag + last] = m[bag + other]
        m[bag + other] = tile
    w[(g >> 3) + s.stream] = stream


@inlined
def seat_after(s, seat, places):
    """The seat so many places on, fewer than there are players."""
    seat += places
    return seat - s.num_players if seat >= s.num_players else seat


@inlined
def seats_between(s, seat, other):
    """How many places on the other seat is: what `seat_after` takes."""
    return other - seat + s.num_players if other < seat else other - seat


@inlined
def sheet_of(m, t, s, g):
    """Where the counters of the seat to move begin."""
    return g + s.scores + t[s.sheet_of_seat + m[g + s.to_play]]


# A rack is also read as a word: the tile of slot k is its byte k, and what lies behind the rack is kept.


@inlined
def first_bytes(count):
    """All bits of the first bytes of a word, fewer than eight."""
    return (uint64(1) << uint64(8 * count)) - uint64(1)


@inlined
def tiles_on_rack(word, s):
    """How many of the rack's bytes are tiles: of these, only `NO_TILE` has a top bit."""
    return count_bits(~word & TOP_BITS & first_bytes(s.rack_size))


@inlined
def insert_tile(word, s, tile):
    """Put a tile behind those of its type and below, and drop an empty slot at the end."""
    rack = first_bytes(s.rack_size)
    above = (word | TOP_BITS) - (uint64(tile) + uint64(1)) * EACH_BYTE  # keeps the top bits of higher types
    slot = count_bits(~above & TOP_BITS & rack)
    front = first_bytes(slot)
    moved = (word & ~front) << uint64(8) | uint64(tile) << uint64(8 * slot)
    return word & (front | ~rack) | moved & rack


@inlined
def remove_tile(word, s, slot):
    """Take the tile out of a slot; those behind it move up, and the last slot is empty."""
    front, rack = first_bytes(slot), first_bytes(s.rack_size)
    moved = word >> uint64(8) & ~front & first_bytes(s.rack_size - 1)
    return word & (front | ~rack) | moved | uint64(NO_TILE) << uint64(8 * (s.rack_size - 1))


@inlined
def refill(m, s, g, player):
    """Draw the player's rack full, keeping it sorted, or as full as the bag allows (Rules 3.4)."""
    rack, drawn = g + s.racks + player * s.rack_size, int64(m[g + s.drawn])
    word = word_at(m, rack)
    new = min(s.rack_size - tiles_on_rack(word, s), s.num_tiles - drawn)
    for at in range(g + s.bag + drawn, g + s.bag + drawn + new):
        word = insert_tile(word, s, m[at])
        m[at] = 0
    set_word_at(m, rack, word)
    m[g + s.drawn] = drawn + new
    if m[g + s.swaps]:
        count_draws(m, s, g, player, new)


@inlined
def count_draws(m, s, g, player, new):
    """Tiles drawn since each seat's latest swap: public, as the size of a rack is."""
    for seat in range(s.num_players):
        at = g + s.drawn_since + seat * s.num_players + player
        m[at] = min(MANY, m[at] + new)


@inlined
def deal(m, w, b, s, g):
    """A new game from the row's own stream, which goes on (Rules 2.1)."""
    start = g >> 3
    stream = w[start + s.stream]
    for word in range(s.row_bytes >> 3):
        w[start + word] = b[s.fresh_row + word]
    w[start + s.stream] = stream
    w[start + s.policy_key] = mix(stream ^ POLICY_KEY)
    shuffle_bag(m, w, s, g)
    for player in range(s.num_players):
        refill(m, s, g, player)


# Placing a tile (Rules 3.1, 4).


@inlined
def lay_half(m, t, s, g, cell, colour):
    """Put half a tile on an empty cell, and bring `points` up to date.

    Only the first cell beyond each run that ends at the new half sees a longer run of the colour; the cell
    itself can no longer score.

        y · x x [new] x · z      y then sees the two on its side, the new one and the one beyond: 4; so does z
    """
    board, points = g + s.board, g + s.points
    symbol = colour + 1
    m[board + cell] = symbol
    for other in range(s.num_colours):
        m[points + other * s.num_cells + cell] = 0
    mine = points + colour * s.num_cells
    for direction in range(3):
        ahead, run_ahead = int64(t[s.neighbours + 6 * cell + direction]), 0
        while m[board + ahead] == symbol:
            run_ahead += 1
            ahead = int64(t[s.neighbours + 6 * ahead + direction])
        behind, run_behind = int64(t[s.neighbours + 6 * cell + direction + 3]), 0
        while m[board + behind] == symbol:
            run_behind += 1
            behind = int64(t[s.neighbours + 6 * behind + direction + 3])
        # Without a branch, as nobody can predict which cells are empty; off the board this adds 0 elsewhere.
        m[mine + ahead] += (1 + run_behind) * (m[board + ahead] == EMPTY)
        m[mine + behind] += (1 + run_ahead) * (m[board + behind] == EMPTY)


@inlined
def stop_of(s, old):
    """The space on which a counter stops that stands on another: what is beyond is lost (Rules 4.3, 4.4)."""
    return s.counter_top if old < s.counter_top else s.last_space


@inlined
def advance(m, s, counter, gain):
    """Move a counter; returns 1 if it reaches a final space (Rules 4.3, 4.4, 5.1)."""
    old = int64(m[counter])
    stop = stop_of(s, old)
    new = min(old + gain, stop)
    m[counter] = new
    return 1 if old < stop == new else 0


@inlined
def score(m, t, s, g, colour_1, gain_1, colour_2, gain_2):
    """Both halves' gains; a double's are one sum (Rules 4.2, 4.4). Returns the final spaces reached."""
    sheet = sheet_of(m, t, s, g)
    if colour_1 == colour_2:
        return advance(m, s, sheet + colour_1, gain_1 + gain_2)
    return advance(m, s, sheet + colour_1, gain_1) + advance(m, s, sheet + colour_2, gain_2)


@inlined
def close_pairs(w, b, s, g, cell_1, cell_2):
    """Strike off every pair with one of the two cells; returns whether any pair is left open (Rules 7.2)."""
    open_pairs = (g >> 3) + s.open_pairs
    left = uint64(0)
    for word in range(s.num_words):
        closed = (
            b[s.pairs_of_cell + cell_1 * s.num_words + word]
            | b[s.pairs_of_cell + cell_2 * s.num_words + word]
        )
        w[open_pairs + word] &= ~closed
        left |= w[open_pairs + word]
    return left != uint64(0)


@inlined
def place(m, w, t, b, s, g, slot, turned, pair):
    """Lay the tile of a slot on a pair, score it, and go on to whatever is next (Rules 3)."""
    rack = g + s.racks + int64(m[g + s.to_play]) * s.rack_size
    tile = int64(m[rack + slot])
    set_word_at(m, rack, remove_tile(word_at(m, rack), s, slot))
    colour_1, colour_2 = int64(t[s.type_low + tile]), int64(t[s.type_high + tile])
    if turned:
        colour_1, colour_2 = colour_2, colour_1
    cell_1, cell_2 = int64(t[s.pair_cells + 2 * pair]), int64(t[s.pair_cells + 2 * pair + 1])
    # Both before either is laid: the tile's own halves never count (Rules 4.1).
    gain_1 = int64(m[g + s.points + colour_1 * s.num_cells + cell_1])
    gain_2 = int64(m[g + s.points + colour_2 * s.num_cells + cell_2])
    lay_half(m, t, s, g, cell_1, colour_1)
    lay_half(m, t, s, g, cell_2, colour_2)
    any_open = close_pairs(w, b, s, g, cell_1, cell_2)
    m[g + s.placed] += 1
    m[g + s.unplaced + tile] -= 1
    if m[g + s.swaps]:
        strike_off_shown(m, s, g, tile)

    reached = score(m, t, s, g, colour_1, gain_1, colour_2, gain_2)
    won = reached > 0 and all_on_last_space(m, t, s, g)
    if m[g + s.turn] < s.num_players:
        m[g + s.touched] |= t[s.pair_touches + pair]
        reached = 0  # no bonus plays in a first round (Rules 3.2)
    if not s.has_bonus_plays:
        reached = 0
    if won or not any_open:
        m[g + s.plays_left] = 0
        m[g + s.phase] = OVER
        return
    m[g + s.plays_left] += reached - 1
    if m[rack] == NO_TILE:
        m[g + s.plays_left] = 0  # forfeited (Rules 5.3)
    if m[g + s.plays_left] == 0:
        if may_swap(m, t, s, g):
            m[g + s.phase] = SWAP
        else:
            end_turn(m, s, g)


@inlined
def strike_off_shown(m, s, g, tile):
    """A tile just placed may be one that was shown in a swap: the looser reading says it is."""
    for seat in range(s.num_players):
        at = g + s.shown + seat * s.num_types + tile
        if m[at]:
            m[at] -= 1


@inlined
def all_on_last_space(m, t, s, g):
    """Whether the seat to move has just won with all its counters (Rules 7.1)."""
    sheet = sheet_of(m, t, s, g)
    for colour in range(s.num_colours):
        if m[sheet + colour] != s.last_space:
            return False
    return True


# The end of a turn: swapping and drawing (Rules 3.4, 6).


@inlined
def may_swap(m, t, s, g):
    """Whether no tile left on the rack shows a colour that stands lowest (Rules 6.1, 6.3)."""
    if not s.has_swaps or s.num_tiles - m[g + s.drawn] < s.rack_size:
        return False
    rack = g + s.racks + int64(m[g + s.to_play]) * s.rack_size
    if m[rack] == NO_TILE:
        return False
    shown = 0
    for at in range(rack, rack + s.rack_size):
        if m[at] == NO_TILE:
            break
        shown |= t[s.type_colours + m[at]]
    return shown & lowest_colours(m, t, s, g) == 0


@inlined
def lowest_colours(m, t, s, g):
    """Bit c: colour c stands lowest on the sheet of the seat to move; of tied colours, each."""
    counters = word_at(m, sheet_of(m, t, s, g))
    return lowest_bytes(counters | ~first_bytes(s.num_colours))


@inlined
def swap_rack(m, w, s, g):
    """Show the rack, draw a new one, put the old tiles back and shake the bag (Rules 6.2)."""
    player, drawn = int64(m[g + s.to_play]), int64(m[g + s.drawn])
    rack = g + s.racks + player * s.rack_size
    show_rack(m, s, g, player)
    old = 0
    while old < s.rack_size and m[rack + old] != NO_TILE:
        old += 1
    # The new tiles come from the next R places of the bag, and the old ones go to the last of these.
    new = g + s.bag + drawn
    for slot in range(old):
        place = new + s.rack_size - old + slot
        m[rack + slot], m[place] = m[place], m[rack + slot]
    for slot in range(old, s.rack_size):
        m[rack + slot] = m[new + slot - old]
        m[new + slot - old] = 0
    sort_rack(m, s, rack)
    m[g + s.drawn] = drawn + s.rack_size - old
    shuffle_bag(m, w, s, g)


@inlined
def show_rack(m, s, g, player):
    """Record what all see in a swap: the tiles that go back into the bag, and who has drawn since."""
    rack, mine = g + s.racks + player * s.rack_size, g + s.shown + player * s.num_types
    for tile in range(s.num_types):
        m[mine + tile] = 0
    for at in range(rack, rack + s.rack_size):
        if m[at] == NO_TILE:
            break
        m[mine + m[at]] += 1
        for seat in range(s.num_players):
            before = g + s.shown + seat * s.num_types + m[at]
            drawn_since = m[g + s.drawn_since + seat * s.num_players + player]
            if seat != player and drawn_since and m[before]:
                m[before] -= 1  # it may have been shown before: the looser reading says it was
    count_draws(m, s, g, player, s.rack_size)
    for seat in range(s.num_players):
        m[g + s.drawn_since + player * s.num_players + seat] = 0
    m[g + s.swaps] = min(MANY, m[g + s.swaps] + 1)


@inlined
def sort_rack(m, s, rack):
    """Sort a full rack, so that equal information is an equal observation."""
    for end in range(rack + 1, rack + s.rack_size):
        tile, at = m[end], end
        while at > rack and m[at - 1] > tile:
            m[at] = m[at - 1]
            at -= 1
        m[at] = tile


@inlined
def end_turn(m, s, g):
    """Draw, and hand the turn to the next seat (Rules 3.4)."""
    player = int64(m[g + s.to_play])
    refill(m, s, g, player)
    m[g + s.to_play] = seat_after(s, player, 1)
    m[g + s.turn] += 1
    m[g + s.phase] = PLACE
    m[g + s.plays_left] = 1
