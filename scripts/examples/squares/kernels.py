"""The compiled rules of Squares."""

from __future__ import annotations

import sys
from typing import Any

from ingenious_env.compiled import placing
from ingenious_env.compiled.bag import (
    NO_TILE,
    refill,
    seat_after,
    seats_between,
    shuffle_bag,
    start_afresh,
    take_tile,
)
from ingenious_env.compiled.kernel import bind, inlined
from ingenious_env.compiled.phases import CHOOSE, OVER, PLACE
from ingenious_env.compiled.placing import FIRST_OWN_CODE, LEGAL, SLOT_EMPTY, SLOT_REPEATS, word_for_decision
from ingenious_env.compiled.rng import GOLDEN, mix

from .layout import LAYOUT, SQUARES

SQUARE_TAKEN = FIRST_OWN_CODE
MANY_POINTS = 3  # that earn the choice to place again
RACK = 4 * SQUARES
SCORES = RACK + 4
LENGTH = SCORES + 5
"""Where sections of the observation begin, and where it ends."""

_this = sys.modules[__name__]
games_of = LAYOUT.games_of
illegality = inlined(bind(placing.illegality, _this))
play = inlined(bind(placing.play, _this))
write_mask = inlined(bind(placing.write_mask, _this))
random_action = inlined(bind(placing.random_action, _this))


@inlined
def workspace() -> Any:
    """No scratch memory is needed."""
    return 0


@inlined
def deal(game: Any) -> None:
    """Begin a game."""
    start_afresh(game)
    shuffle_bag(game)
    hand_out(game)


@inlined
def hand_out(game: Any) -> None:
    """Draw both racks."""
    for player in range(2):
        refill(game, player)


@inlined
def slot_illegality(game: Any, slot: Any) -> Any:
    """Empty and repeated slots may not be used."""
    rack = game.racks[game.to_play]
    if rack[slot] == NO_TILE:
        return SLOT_EMPTY
    return SLOT_REPEATS if slot > 0 and rack[slot - 1] == rack[slot] else LEGAL


@inlined
def placement_illegality(game: Any, slot: Any, placement: Any, _workspace: Any) -> Any:
    """A tile goes on an empty square."""
    problem = slot_illegality(game, slot)
    if problem:
        return problem
    return SQUARE_TAKEN if game.board[placement] else LEGAL


@inlined
def may_choose(game: Any, _choice: Any) -> Any:
    """After many points."""
    return game.phase == CHOOSE


@inlined
def place(game: Any, slot: Any, placement: Any) -> None:
    """Place a tile, score it and draw."""
    player = game.to_play
    colour = 1 + take_tile(game.racks[player], game.spec.rack_size, slot)
    game.board[placement] = colour
    points = 1
    for direction in range(4):
        points += int(game.board[game.neighbours[placement][direction]] == colour)
    game.scores[player][0] += points
    game.placed += 1
    refill(game, player)
    if game.placed == SQUARES:
        game.phase = OVER
    elif points >= MANY_POINTS:
        game.phase = CHOOSE
    else:
        end_turn(game)


@inlined
def end_turn(game: Any) -> None:
    """The other player's turn."""
    game.to_play = seat_after(game, game.to_play, 1)
    game.turn += 1


@inlined
def choose(game: Any, choice: Any) -> None:
    """Stop, or place again."""
    game.phase = PLACE
    if choice == 0:
        end_turn(game)


@inlined
def write_observation(game: Any, viewer: Any, out: Any) -> None:
    """The sections of `Observation`, in their order; others are numbered from the viewer on."""
    for k in range(LENGTH):
        out[k] = 0
    for square in range(SQUARES):
        if game.board[square]:
            out[SQUARES * (game.board[square] - 1) + square] = 1
    for slot in range(game.spec.rack_size):
        tile = game.racks[viewer][slot]
        if tile != NO_TILE:
            out[RACK + tile] += 1
    for k in range(2):
        out[SCORES + k] = game.scores[seat_after(game, viewer, k)][0]
    out[SCORES + 2] = seats_between(game, viewer, game.to_play)
    out[SCORES + 3] = game.held if viewer == game.to_play else 0  # another seat's pick would reveal its rack
    out[SCORES + 4] = int(game.phase == CHOOSE)


@inlined
def reshuffle(game: Any, viewer: Any, stream: Any, _workspace: Any) -> Any:
    """Put the other rack back into the bag, shake it and draw as many."""
    rack = game.racks[1 - viewer]
    for slot in range(game.spec.rack_size):
        if rack[slot] != NO_TILE:
            game.drawn -= 1
            game.bag[game.drawn] = rack[slot]
            rack[slot] = NO_TILE
    stream[0] += GOLDEN
    game.stream = mix(stream[0])
    shuffle_bag(game)
    refill(game, 1 - viewer)
    return True


__all__ = ["word_for_decision"]
