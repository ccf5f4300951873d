"""Games of a value network against itself, and the targets that it is to learn from them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.kernels.self_play import Recording, play_by_value, write_targets
from ingenious_env import GameBatch, Rules
from ingenious_env.core.state import spec_of
from ingenious_env.core.threads import share_bounds
from ingenious_env.games.ingenious.opponents.utilities import UTILITIES
from ingenious_env.games.ingenious.opponents.value import PRIOR, ValueNetwork, num_inputs


class Experience(NamedTuple):
    """Positions after placements, of all games one after the other.

    Attributes:
        inputs: float32 [N, I], of the network.
        excess: float32 [N, C], how many more tiles of each colour the seat drew next than was to be expected.
        changes: float32 [N], the change of the value up to the next position of the sheet.
        targets: float32 [N], what the positions should have been worth.
        scores: int8 [games, T, C], the counters at the end.
    """

    inputs: NDArray[np.float32]
    excess: NDArray[np.float32]
    changes: NDArray[np.float32]
    targets: NDArray[np.float32]
    scores: NDArray[np.int8]


ControlVariate = Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float32]]
"""An estimate of what draws brought by luck, [N], from inputs, [N, I], and excess, [N, C]; its mean is 0."""


def no_control(inputs: NDArray[np.float32], excess: NDArray[np.float32]) -> NDArray[np.float32]:
    """The control variate that leaves the targets as they are."""
    del excess
    return np.zeros(len(inputs), np.float32)


class SelfPlay:
    """Plays batches of games by a value network, on one or more threads; the games are the same.

    Args:
        rules: the variant.
        num_games: of a batch.
        candidates: how many placements of a position are looked at.
        epsilon: how often one of these is played at random.
        td_lambda: λ, how far targets trust the outcome over the values on the way.
        num_threads: that share the games out.

    Attributes:
        recording: of the batch played last, which the next one overwrites.
    """

    def __init__(
        self,
        rules: Rules,
        num_games: int,
        *,
        candidates: int,
        epsilon: float,
        td_lambda: float,
        num_threads: int = 1,
    ) -> None:
        self.rules, self.candidates, self.num_threads = rules, candidates, num_threads
        self.epsilon, self.td_lambda = float(epsilon), float(td_lambda)
        steps = rules.geometry.num_cells  # half of that placements, and a choice to swap after each
        shape, (by_colour, of_all) = (num_games, steps), num_inputs(rules)
        self._games = GameBatch(rules, num_games, 0)
        self.recording = Recording(
            inputs=np.zeros((*shape, rules.num_colours * by_colour + of_all), np.float32),
            excess=np.zeros((*shape, rules.num_colours), np.float32),
            values=np.zeros(shape),
            actions=np.zeros(shape, np.int32),
            sheets=np.zeros(shape, np.int8),
            explored=np.zeros(shape, np.bool_),
            counts=np.zeros(num_games, np.int64),
            results=np.zeros((num_games, rules.num_sheets)),
        )
        self._control = np.zeros(shape, np.float32)
        self._changes, self._targets = np.zeros(shape, np.float32), np.zeros(shape, np.float32)

    def play(
        self, network: ValueNetwork, seed: int, first: int, control: ControlVariate = no_control
    ) -> Experience:
        """Play deals (seed, first) and on to their ends."""
        self._games.seed(seed, first)
        recording, prior = self.recording, UTILITIES[PRIOR](self.rules)
        spec = spec_of(self.rules, self._games.state.memory)

        def share(low: int, high: int) -> None:
            play_by_value(spec, low, high, network.weights, prior, self.candidates, self.epsilon, recording)

        bounds = share_bounds(len(self._games), self.num_threads).tolist()
        with ThreadPoolExecutor(self.num_threads) as threads:
            list(threads.map(share, bounds[:-1], bounds[1:]))
        played = np.arange(recording.values.shape[1]) < recording.counts[:, None]
        inputs, excess = recording.inputs[played], recording.excess[played]
        self._control[played] = control(inputs, excess)
        write_targets(recording, self._control, self.td_lambda, self._changes, self._targets)
        changes, targets = self._changes[played], self._targets[played]
        return Experience(inputs, excess, changes, targets, self._games.scores.copy())
