"""Games at real tables: what a person at a seat sees of a game, found from its racks, board and turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from ingenious_env import Game, RealTable, View
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Lay

SHOWING = ("swap",)  # RULES.md 6.2


def texts_of(rules, tiles) -> list[str]:
    return [definition_of(rules).tile_to_text(tile) for tile in tiles]


def table_for(game, seat) -> RealTable:
    """A table with the deal of a game, as a seat sees it."""
    start = next(iter(game.board.values())) if isinstance(game, Loopit) else None
    return RealTable(game.rules, seat, game.racks[seat], start)


def any_action(game, rng) -> int:
    """A greedy action or a random one; each choice that is open is taken often."""
    legal = game.legal_actions()
    choices = legal[legal >= game.actions.first_choice]
    if len(choices) and rng.random() < 0.5:
        return int(rng.choice(choices))
    if rng.random() < 0.5:
        return int(game.definition.policy("greedy").act(View.of(game))[0])
    return int(rng.choice(legal))


def turns_with_full_racks(rules, seed) -> Iterator[tuple[Any, list[Any]]]:
    """A game at beginnings of turns, before any swap, each with the tiles on its board as moves."""
    game, rng = definition_of(rules).game(rules, seed), np.random.default_rng(seed)
    is_loopit = isinstance(game, Loopit)
    placed: list[Any] = [Lay(tile, square) for square, tile in game.board.items()] if is_loopit else []
    for _ in range(40):
        move = game.move(any_action(game, rng))
        game.play(game.action(move))
        placed += [] if isinstance(move, str) else [move]
        if game.is_over:
            return
        begins = not game.laid if is_loopit else game.plays_left == 1 and len(placed) == game.turn
        full = all(len(rack) == rules.rack_size for rack in game.racks)
        if begins and full and (is_loopit or not game.state.swaps[0]):
            yield game.clone(), list(placed)


def is_public(game, move) -> bool:
    """Return whether others notice a move: all but to keep a rack in Ingenious, or to stop in Loopit."""
    return not (move == "stop" or (move == "keep" and isinstance(game, Game)))


def drawn_by(before, after, seat, move) -> list[Any]:
    """The tiles that a seat drew with a move: what is on its rack and was not before."""
    if after.is_over:
        return []
    kept = Counter() if move in ("swap", "throw back") else Counter(before.racks[seat])
    kept.subtract([] if isinstance(move, str) else [tile_in(move)])
    return list((Counter(after.racks[seat]) - kept).elements())


def tile_in(move):
    """The tile of a placement."""
    return move.tile if isinstance(move, Lay) else tuple(sorted((move.first[1], move.second[1])))
