"""The bag, the racks and the deal of a tile-laying game, compiled.

For games whose row has `stream`, `policy_key`, `drawn`, `bag` and `racks`, and whose spec has `row_words`,
`num_players`, `num_tiles`, `num_types` and `rack_size`, with a table `fresh_row`.

The bag lists tile types in the order in which they will be drawn, from `drawn` on, and 0 before that. A rack
lists types in ascending order, then `NO_TILE`. It is also read as one word: the tile of slot k is its
byte k, and memory after the rack is preserved. So racks have at most seven slots, and types are
below 128.
"""

from __future__ import annotations

from numba import uint64

from ingenious_env.compiled.intrinsics import EACH_BYTE, TOP_BITS, copy, count_bits, set_word_at, word_at
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.rng import GOLDEN, POLICY_KEY, mix, scale
from ingenious_env.compiled.vectors import as_bytes

NO_TILE = 255
MAX_RACK, MAX_TYPES = 7, 127


@inlined
def start_afresh(game):
    """Reset the row to a game before any draw; its stream continues."""
    stream = game.stream
    copy(game.bytes, as_bytes(game.fresh_row), game.spec.row_bytes)
    game.stream = stream
    game.policy_key = mix(stream ^ POLICY_KEY)


@inlined
def shuffle_bag(game):
    """Shuffle the bag with the game's stream."""
    stream, bag, start = game.stream, game.bag, game.drawn
    for last in range(game.spec.num_tiles - 1, start, -1):
        stream += GOLDEN
        other = start + scale(mix(stream), last - start + 1)
        tile = bag[last]
        bag[last] = bag[other]
        bag[other] = tile
    game.stream = stream


@inlined
def first_bytes(count):
    """All bits of the first bytes of a word, fewer than eight."""
    return (uint64(1) << uint64(8 * count)) - uint64(1)


@inlined
def tiles_in(word, slots):
    """Number of the rack's bytes that are tiles: of these, only `NO_TILE` has a top bit."""
    return count_bits(~word & TOP_BITS & first_bytes(slots))


@inlined
def insert_tile(word, slots, tile):
    """Insert a tile after those of its type and below, and drop an empty slot at the end."""
    rack = first_bytes(slots)
    above = (word | TOP_BITS) - (uint64(tile) + uint64(1)) * EACH_BYTE  # keeps the top bits of higher types
    slot = count_bits(~above & TOP_BITS & rack)
    front = first_bytes(slot)
    moved = (word & ~front) << uint64(8) | uint64(tile) << uint64(8 * slot)
    return word & (front | ~rack) | moved & rack


@inlined
def remove_tile(word, slots, slot):
    """Take the tile out of a slot; those after it move up, and the last slot is empty."""
    front, rack = first_bytes(slot), first_bytes(slots)
    moved = word >> uint64(8) & ~front & first_bytes(slots - 1)
    return word & (front | ~rack) | moved | uint64(NO_TILE) << uint64(8 * (slots - 1))


@inlined
def take_tile(rack, slots, slot):
    """Take the tile out of a slot of a rack and return its type."""
    tile = rack[slot]
    set_word_at(rack, remove_tile(word_at(rack), slots, slot))
    return tile


@inlined
def rack_count(game, player):
    """Number of tiles on a rack."""
    return tiles_in(word_at(game.racks[player]), game.spec.rack_size)


@inlined
def refill(game, player):
    """Fill a rack as far as the bag allows; returns the number of tiles drawn."""
    rack, slots, drawn = game.racks[player], game.spec.rack_size, game.drawn
    word = word_at(rack)
    new = min(slots - tiles_in(word, slots), game.spec.num_tiles - drawn)
    for place in range(drawn, drawn + new):
        word = insert_tile(word, slots, game.bag[place])
        game.bag[place] = 0
    set_word_at(rack, word)
    game.drawn = drawn + new
    return new


@inlined
def sort_rack(rack, slots):
    """Sort a rack in ascending order, empty slots last, so that equal information is an equal observation."""
    for end in range(1, slots):
        tile, at = rack[end], end
        while at > 0 and rack[at - 1] > tile:
            rack[at] = rack[at - 1]
            at -= 1
        rack[at] = tile


@inlined
def seat_after(game, seat, places):
    """The seat `places` further on; `places` is less than the number of players."""
    seat += places
    return seat - game.spec.num_players if seat >= game.spec.num_players else seat


@inlined
def seats_between(game, seat, other):
    """The number of places from a seat to another, as `seat_after` takes it."""
    return other - seat + game.spec.num_players if other < seat else other - seat
