"""Pairs of histories that a seat cannot distinguish.

In one, another seat takes a choice that others do not notice. In the other its turn ends by itself, as its
rack differs. All else is the same: the viewer's tiles, the moves, the tiles that it and third seats draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ingenious_env.engine.definition import definition_of
from ingenious_env.errors import IllegalActionError

PRIVATE = {"ingenious": "keep", "loopit": "stop"}  # RULES.md 6, LOOPIT.md 3.1
SHOWN = ("swap", "throw back")
TRIES = 6


class Step(NamedTuple):
    """A move, and the seat that made it."""

    seat: int
    move: Any


class Pair(NamedTuple):
    """Two positions in which the viewer is to move, and the moves from there to its next decision."""

    viewer: int
    starts: tuple[Any, Any]
    moves: tuple[list[Step], list[Step]]


def private_of(game: Any) -> str:
    return PRIVATE[game.definition.name]


def is_open(game: Any) -> bool:
    """Return whether the seat to move may take the choice that others cannot see."""
    space = game.actions
    return not game.is_over and bool(game.legal_mask()[space.choice(private_of(game))])


def moves_of(game: Any) -> dict[str, Any]:
    """The legal placements, by their text."""
    text = game.definition.move_to_text
    moves = [game.move(int(action)) for action in game.legal_actions()]
    return {text(move): move for move in moves if not isinstance(move, str)}


def drawn_by(game: Any, move: Any) -> list[Any]:
    """The tiles that a move draws: those that come next in the bag."""
    after = game.clone()
    after.play(after.action(move))
    count = int(after.state.drawn[0]) - int(game.state.drawn[0])
    types = list(game.definition.tiles(game.rules))
    return [types[tile] for tile in game.state.bag[0, game.state.drawn[0] :][:count]]


def other_rack(game: Any, seat: int, rng: np.random.Generator) -> list[Any]:
    """Another rack that a seat might have, of as many tiles; a part of the own one is in it."""
    own = game.racks[seat]
    kept = [own[k] for k in rng.permutation(len(own))[:1]]
    pool = list((Counter(own) + game.bag - Counter(kept)).elements())
    return kept + [pool[k] for k in rng.permutation(len(pool))[: len(own) - len(kept)]]


class Twins:
    """Two games played in parallel."""

    def __init__(self, first: Any, second: Any) -> None:
        self.games = first, second
        self.starts = first.clone(), second.clone()  # as they began
        self.moves: tuple[list[Step], list[Step]] = ([], [])
        self.draws: list[Any] = []

    def play(self, which: int, move: Any) -> None:
        game = self.games[which]
        self.moves[which].append(Step(game.to_play, move))
        if which:
            self.draws += drawn_by(game, move)
        game.play(game.action(move))

    def play_alike(self, move: Any) -> None:
        """Play a move in both, with the same draws."""
        self.games[1].next_draws(drawn_by(self.games[0], move))
        self.play(0, move)
        self.play(1, move)


def common_move(twins: Twins, rng: np.random.Generator) -> Any:
    """A move that may be made in both games."""
    if is_open(twins.games[0]) and rng.random() < 0.6:
        return private_of(twins.games[0])
    first, second = map(moves_of, twins.games)
    both = sorted(first.keys() & second.keys())
    if not both:
        raise ValueError("no common move")
    return first[both[rng.integers(len(both))]]


def part_ways(twins: Twins, rng: np.random.Generator) -> bool:
    """Play moves of a seat until it may choose in one game, and its turn has ended in the other."""
    seat = twins.games[0].to_play
    while True:
        first, second = map(moves_of, twins.games)
        both = sorted(first.keys() & second.keys())
        rng.shuffle(both)
        for text in both[:30]:
            after = [game.clone() for game in twins.games]
            for game in after:
                game.play(game.action(first[text]))
            if any(game.is_over for game in after):
                continue
            if [is_open(game) and game.to_play == seat for game in after] in ([True, False], [False, True]):
                move = first[text]
                twins.play(0, move)
                twins.play(1, move)
                which = 0 if is_open(twins.games[0]) and twins.games[0].to_play == seat else 1
                if twins.games[1 - which].to_play == seat:
                    return False  # it may place again: all see that
                twins.play(which, private_of(twins.games[which]))
                return True
        if not both:
            return False
        move = first[both[0]]
        after = [game.clone() for game in twins.games]
        for game in after:
            game.play(game.action(move))
        if any(game.is_over or game.to_play != seat or not moves_of(game) for game in after):
            return False
        twins.play(0, move)
        twins.play(1, move)


def twins_from(game: Any, viewer: int, rng: np.random.Generator) -> Pair | None:
    """A pair that begins with a position in which the viewer is to move; None if none was found."""
    seat = (viewer + 1) % game.rules.num_players
    other = game.clone()
    try:
        other.deal({seat: other_rack(game, seat, rng)})
        other.state.policy_key[:] = game.state.policy_key  # a deal before the first move takes another
        twins = Twins(game.clone(), other)
        while twins.games[0].to_play == viewer:
            twins.play_alike(common_move(twins, rng))
        if any(each.is_over or each.to_play != seat or each.phase in SHOWN for each in twins.games):
            return None
        if not part_ways(twins, rng):
            return None
        while not twins.games[0].is_over and twins.games[0].to_play != viewer:
            twins.play_alike(common_move(twins, rng))
        other = twins.starts[1]
        other.next_draws(twins.draws)
        for step in twins.moves[1]:
            other = other.clone()
            other.play(other.action(step.move))
    except (ValueError, IllegalActionError):
        return None
    first, second = twins.games
    if first.is_over or second.is_over or other.racks[viewer] != first.racks[viewer]:
        return None  # at the end all is shown
    return Pair(viewer, twins.starts, twins.moves)


def pairs(rules: Any, number: int, seed: int = 0) -> Iterator[Pair]:
    """A number of pairs, from random games of a variant."""
    rng, found = np.random.default_rng(seed), 0
    while True:
        seed += 1
        game = definition_of(rules).game(rules, seed)
        while not game.is_over:
            if game.phase in ("place", "lay") and not is_open(game):
                for _ in range(TRIES):
                    pair = twins_from(game, game.to_play, rng)
                    if pair is not None:
                        yield pair
                        found += 1
                        if found == number:
                            return
                        break
            game.play(game.random_action())
