"""Games of a value network against itself, and what it should have thought of them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.value import PRIOR, ValueNetwork, kernels, num_inputs
from ingenious_env import GameBatch, Rules
from ingenious_env.policies import UTILITIES
from ingenious_env.state import GameState
from ingenious_env.tables import spec_of


class Experience(NamedTuple):
    """Positions after placements, of all games one after the other.

    Attributes:
        inputs: float32 [N, I], what the network is told of them.
        surprises: float32 [N, C], how many more tiles of each colour the seat drew next than was to be
            expected.
        changes: float32 [N], what the next position of the sheet was worth, less what this one was.
        targets: float32 [N], what they should have been worth.
        scores: int8 [games, T, C], the counters at the end.
    """

    inputs: NDArray[np.float32]
    surprises: NDArray[np.float32]
    changes: NDArray[np.float32]
    targets: NDArray[np.float32]
    scores: NDArray[np.int8]


Luck = Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float32]]
"""What draws brought by luck, [N], from inputs, [N, I], and surprises, [N, C]; in the mean nothing."""


def no_luck(inputs: NDArray[np.float32], surprises: NDArray[np.float32]) -> NDArray[np.float32]:
    """Leaves the targets as they are."""
    del surprises
    return np.zeros(len(inputs), np.float32)


class SelfPlay:
    """Plays batches of games by a value network, on one or more threads; the games are the same.

    Args:
        rules: the variant.
        num_games: of a batch.
        candidates: how many placements of a position are looked at.
        explore: how often one of these is played at random.
        decay: λ, how far targets trust the outcome over what the network thought on the way.
        num_threads: that share the games out.
    """

    def __init__(
        self,
        rules: Rules,
        num_games: int,
        *,
        candidates: int,
        explore: float,
        decay: float,
        num_threads: int = 1,
    ) -> None:
        self.rules, self.candidates, self.explore, self.decay = rules, candidates, explore, decay
        steps = rules.geometry.num_cells  # half of that placements, and a choice to swap after each
        shape, (by_colour, of_all) = (num_games, steps), num_inputs(rules)
        self._games = GameBatch(rules, num_games)
        self._rows = GameState.zeros(rules, num_games + num_threads)  # and one each to try actions out in
        self._inputs = np.zeros((*shape, rules.num_colours * by_colour + of_all), np.float32)
        self._surprises = np.zeros((*shape, rules.num_colours), np.float32)
        self._values, self._luck = np.zeros(shape), np.zeros(shape, np.float32)
        self._changes, self._targets = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self._actions = np.zeros(shape, np.int32)
        self._sheets, self._explored = np.zeros(shape, np.int8), np.zeros(shape, np.bool_)
        self._counts, self._results = np.zeros(num_games, np.int64), np.zeros((num_games, rules.num_sheets))
        self._bounds = np.linspace(0, num_games, num_threads + 1).astype(int).tolist()

    def play(self, network: ValueNetwork, seed: int, first: int, luck: Luck = no_luck) -> Experience:
        """Play deals (seed, first) and on to their ends."""
        num_games = len(self._games)
        self._games.seed(seed, first)
        self._rows.memory[:num_games] = self._games.state.memory
        spec, prior = spec_of(self.rules, self._rows.memory), UTILITIES[PRIOR](self.rules)

        def share(k: int) -> None:
            kernels().play_by_value(
                spec,
                self._bounds[k],
                self._bounds[k + 1],
                num_games + k,
                network.weights,
                prior,
                self.candidates,
                self.explore,
                self._inputs,
                self._surprises,
                self._values,
                self._actions,
                self._sheets,
                self._explored,
                self._counts,
                self._results,
            )

        num_threads = len(self._bounds) - 1
        with ThreadPoolExecutor(num_threads) as pool:
            list(pool.map(share, range(num_threads)))
        played = np.arange(self._values.shape[1]) < self._counts[:, None]
        inputs, surprises = self._inputs[played], self._surprises[played]
        self._luck[played] = luck(inputs, surprises)
        kernels().write_targets(
            self._values,
            self._sheets,
            self._explored,
            self._counts,
            self._results,
            self._luck,
            self.decay,
            self._changes,
            self._targets,
        )
        changes, targets = self._changes[played], self._targets[played]
        return Experience(inputs, surprises, changes, targets, self._rows.scores[:num_games].copy())
