"""Hidden information: resampling of everything that one seat cannot know (LOOPIT.md 6).

Every deal consistent with what the viewer knows is equally likely: the other racks, the tiles put out and the
bag are drawn from the tiles that it does not see. While another seat is to act, its rack must agree with the
phase: no tile that can be laid where the choice is to throw it back, otherwise at least one, and in staged
actions the tile picked. Where a game has ended as nothing fits, tiles that would fit are out of the game.
"""

from __future__ import annotations

from numba import int64

from ingenious_env.compiled.bag import rack_count, shuffle_bag, sort_rack
from ingenious_env.compiled.kernel import called, inlined
from ingenious_env.compiled.phases import CHOOSE, OVER, PLACE
from ingenious_env.compiled.placing import LEGAL
from ingenious_env.compiled.rng import GOLDEN, draw_number, mix
from ingenious_env.compiled.vectors import scratch
from ingenious_env.games.loopit.kernels.legality import slot_illegality
from ingenious_env.games.loopit.kernels.turns import anything_fits, can_lay, fits_somewhere
from ingenious_env.games.loopit.material import MAX_TILES

MAX_TRIES = 20_000

_tiles = scratch(int64, MAX_TILES)


@inlined
def gather_hidden(game, viewer, tiles):
    """Collect the tiles that the viewer does not see; those that may be laid somewhere come last.

    Returns the number of tiles, and of those that may be laid nowhere.
    """
    size, stuck = 0, 0
    for fitting in range(2):
        for tile in range(game.spec.num_types):
            if int64(fits_somewhere(game, game.type_pattern[tile])) != fitting:
                continue
            count = game.unplaced[tile]
            for slot in range(game.spec.rack_size):
                count -= int64(game.racks[viewer][slot] == tile)
            for _ in range(count):
                tiles[size] = tile
                size += 1
        if fitting == 0:
            stuck = size
    return size, stuck


@inlined
def draw_to_front(tiles, place, limit, stream):
    """Exchange the tile of a place with a random one from that place up to a limit."""
    other = place + draw_number(stream, limit - place)
    tile = tiles[other]
    tiles[other] = tiles[place]
    tiles[place] = tile
    return tile


@inlined
def was_exhausted(game):
    """Return whether the game is over as no tile of a rack or of the bag could be laid (LOOPIT.md 5.1)."""
    return game.phase == OVER and (game.spec.last_turn == 0 or game.turn != game.spec.last_turn)


@called
def deal_hidden(game, viewer, tiles, size, stuck, stream):
    """Deal the hidden tiles; returns whether there were enough of those that may be laid nowhere."""
    at, outs = 0, 0
    if was_exhausted(game):
        for k in range(stuck, size):
            if outs == game.spec.num_out:
                return False
            game.out[outs] = tiles[k]
            outs += 1
        size = stuck
    for turn in range(2):  # the rack of the seat that can lay no tile comes first
        for player in range(game.spec.num_players):
            is_stuck = game.phase == CHOOSE and player == game.to_play
            if player == viewer or is_stuck != (turn == 0):
                continue
            limit = stuck if is_stuck else size
            for slot in range(rack_count(game, player)):
                if at == limit:
                    return False
                game.racks[player][slot] = draw_to_front(tiles, at, limit, stream)
                at += 1
            sort_rack(game.racks[player], game.spec.rack_size)
    for k in range(outs, game.spec.num_out):
        if at == size:
            return False
        game.out[k] = draw_to_front(tiles, at, size, stream)
        at += 1
    sort_rack(game.out, game.spec.num_out)
    for k in range(at, size):
        game.bag[game.drawn + k - at] = tiles[k]
    count_patterns(game)
    return True


@inlined
def agrees(game, viewer):
    """Return whether a deal is consistent with the phase."""
    mover, held = game.to_play, game.held
    if game.phase == PLACE and mover != viewer:
        return can_lay(game, mover) and (held == 0 or slot_illegality(game, held - 1) == LEGAL)
    return game.phase != CHOOSE or anything_fits(game)


@called
def reshuffle(game, viewer, stream, _workspace):
    """Resample the hidden racks, the tiles put out and the bag with a stream [1], with a new future.

    Returns whether that was possible, as it is in every game that was played: the true deal is an example.
    """
    tiles = _tiles()
    for _ in range(MAX_TRIES):
        size, stuck = gather_hidden(game, viewer, tiles)
        if not deal_hidden(game, viewer, tiles, size, stuck, stream):
            return False
        if agrees(game, viewer):
            stream[0] += GOLDEN
            game.stream = mix(stream[0])
            shuffle_bag(game)
            return True
    return False


@inlined
def count_patterns(game):
    """Set `left`: the tiles of each pattern that are not on the board and not put out."""
    for pattern in range(game.spec.num_patterns):
        game.left[pattern] = 0
    for tile in range(game.spec.num_types):
        game.left[game.type_pattern[tile]] += game.unplaced[tile]
    for k in range(game.spec.num_out):
        game.left[game.type_pattern[game.out[k]]] -= 1
