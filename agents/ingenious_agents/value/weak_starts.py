"""Starts by weak play: positions that a network's own games do not reach, but those of people do.

A network that only sees its own games knows positions of strong players, and is wrong about those that weak
ones reach.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingenious_env import GameBatch, View
from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.value import ValueNetwork, choose, model_of
from ingenious_env.policies.view import Policy

BEGINNERS = ("uniform", "greedy with errors", "greedy", "network")
"""The players of the first turns."""
WEAK = range(3)
"""The numbers of the weak ones."""
ERRORS = 0.4  # share of random actions of the greedy player with errors
MIXED = 0.5  # share of games in which each seat has its own beginner
_STREAM = 1  # of random numbers, besides those of the deals


class WeakStarts(NamedTuple):
    """Which games weak players begin.

    Attributes:
        share: of the games, from 0 to 1.
        beginner: the number of one of `BEGINNERS` who plays all first turns; without it they are drawn.
    """

    share: float = 0.0
    beginner: int | None = None


FROM_THE_DEAL = WeakStarts()


class _Network:
    """Plays by a network."""

    def __init__(self, network: ValueNetwork, candidates: int) -> None:
        self._network, self._candidates = network, candidates

    def act(self, view: View) -> NDArray[np.int32]:
        """The action of highest value in each game."""
        return choose(self._network, view, self._candidates)


def beginners(network: ValueNetwork, candidates: int) -> tuple[Policy, ...]:
    """The players of `BEGINNERS`, in this order."""
    game = definition_of(network.rules)
    return (
        game.policy("uniform"),
        Greedy("points", ERRORS),
        Greedy("points"),
        _Network(network, candidates),
    )


def start_weakly(
    games: GameBatch, network: ValueNetwork, candidates: int, starts: WeakStarts, deal: tuple[int, int]
) -> NDArray[np.bool_]:
    """Play the first turns of some games by weak players, up to a random length.

    The first turns of a game follow from its deal, so a batch may be started in any number of parts.

    Args:
        games: just dealt; they change.
        network: one of the beginners.
        candidates: that the network evaluates.
        starts: which games begin with weak play.
        deal: the seed of the games, and the number of the first one.

    Returns:
        Bool [B]: the games that weak players began. Some of them may be over.
    """
    chosen, lengths, kinds = _draw(games.rules, len(games), starts.share, deal)
    if starts.beginner is not None:
        kinds[:] = starts.beginner
    players = beginners(network, candidates)
    rows = np.flatnonzero(chosen)
    while len(rows):
        some = games.take(rows)
        turns, kind = some.state.turn.copy(), kinds[rows, some.to_play]
        actions = np.empty(len(rows), np.int32)
        for number in np.unique(kind):
            which = np.flatnonzero(kind == number)
            actions[which] = players[number].act(View(some.take(which)))
        some.play(actions)
        games.put(rows, some)
        # A network evaluates the ends of turns, so games go on from one.
        ready = (some.state.placed >= lengths[rows]) & (some.state.turn != turns)
        rows = rows[~(ready | some.is_over)]
    return chosen


def _draw(
    rules: AnyRules, count: int, share: float, deal: tuple[int, int]
) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    """Which games start weakly, bool [B]; tiles that then lie on the board, [B]; beginners, [B, P]."""
    chosen, lengths = np.empty(count, np.bool_), np.empty(count, np.int64)
    kinds = np.empty((count, rules.num_players), np.int64)
    most, (seed, first) = model_of(rules).max_placed(rules), deal
    for game in range(count):
        random = np.random.default_rng((seed, first + game, _STREAM))
        chosen[game] = random.random() < share
        lengths[game] = random.integers(most)
        kinds[game] = random.integers(len(BEGINNERS), size=rules.num_players)
        if random.random() >= MIXED:
            kinds[game] = kinds[game, 0]
    return chosen, lengths, kinds
