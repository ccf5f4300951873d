"""Games of a value network against itself, and the targets that it is to learn from them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.value.kernels import ingenious_self_play, loopit_self_play
from agents.value.kernels.self_play import Recording, write_targets
from ingenious_env import GameBatch
from ingenious_env.core.definition import AnyRules, definition_of
from ingenious_env.core.greedy import utility_values
from ingenious_env.core.kernel import Kernel
from ingenious_env.core.state import spec_of
from ingenious_env.core.threads import share_bounds
from ingenious_env.core.value import ValueNetwork, model_of
from ingenious_env.games.ingenious.opponents import value as ingenious_value
from ingenious_env.games.loopit.opponents import value as loopit_value


class Learning(NamedTuple):
    """The parts of self-play that differ between games.

    Attributes:
        play_by_value: the kernel that plays and records (see `kernels/self_play.py`).
        num_inputs: of a variant's network, I.
        num_excess: of what a draw is compared with what was to be expected, E.
        num_steps: the most positions of a game that are recorded, S.
    """

    play_by_value: Kernel
    num_inputs: Callable[[AnyRules], int]
    num_excess: Callable[[AnyRules], int]
    num_steps: Callable[[AnyRules], int]


def _ingenious_inputs(rules: AnyRules) -> int:
    by_colour, of_all = ingenious_value.num_inputs(rules)
    return int(rules.num_colours * by_colour + of_all)


GAMES = {
    "ingenious": Learning(
        ingenious_self_play.play_by_value,
        _ingenious_inputs,
        num_excess=lambda rules: int(rules.num_colours),
        num_steps=lambda rules: int(rules.geometry.num_cells),  # half of that placements, each with a swap
    ),
    "loopit": Learning(
        loopit_self_play.play_by_value,
        loopit_value.num_inputs,
        num_excess=lambda _: loopit_self_play.NUM_EXCESS,
        num_steps=lambda rules: 2 * int(rules.num_tiles),  # turns; they are fewer unless racks are kept
    ),
}
"""By the name of the game."""


def learning_of(rules: AnyRules) -> Learning:
    """The parts of self-play for a variant's game; ValueError if the game has no value networks."""
    model_of(rules)
    return GAMES[definition_of(rules).name]


class Experience(NamedTuple):
    """Positions after moves, of all games one after the other.

    Attributes:
        inputs: float32 [N, I], of the network.
        excess: float32 [N, E], by how much more than expected the seat drew next (see `Recording`).
        changes: float32 [N], the change of the value up to the next position of the sheet.
        targets: float32 [N], what the positions should have been worth.
        scores: [games, T, …], at the end.
    """

    inputs: NDArray[np.float32]
    excess: NDArray[np.float32]
    changes: NDArray[np.float32]
    targets: NDArray[np.float32]
    scores: NDArray[Any]


ControlVariate = Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float32]]
"""An estimate of what draws brought by luck, [N], from inputs, [N, I], and excess, [N, E]; its mean is 0."""


def no_control(inputs: NDArray[np.float32], excess: NDArray[np.float32]) -> NDArray[np.float32]:
    """The control variate that leaves the targets as they are."""
    del excess
    return np.zeros(len(inputs), np.float32)


class SelfPlay:
    """Plays batches of games by a value network, on one or more threads; the games are the same.

    Args:
        rules: the variant.
        num_games: of a batch.
        candidates: how many placements, or plans, of a position are looked at.
        epsilon: how often one of these is played at random.
        td_lambda: λ, how far targets trust the outcome over the values on the way.
        num_threads: that share the games out.

    Attributes:
        recording: of the batch played last, which the next one overwrites.
    """

    def __init__(
        self,
        rules: AnyRules,
        num_games: int,
        *,
        candidates: int,
        epsilon: float,
        td_lambda: float,
        num_threads: int = 1,
    ) -> None:
        self.rules, self.candidates, self.num_threads = rules, candidates, num_threads
        self.epsilon, self.td_lambda = float(epsilon), float(td_lambda)
        self._learning = learning_of(rules)
        shape = (num_games, self._learning.num_steps(rules))
        self._games = GameBatch(rules, num_games, 0)
        self.recording = Recording(
            inputs=np.zeros((*shape, self._learning.num_inputs(rules)), np.float32),
            excess=np.zeros((*shape, self._learning.num_excess(rules)), np.float32),
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
        recording, utility = self.recording, utility_values(self.rules, model_of(self.rules).utility)
        play_by_value = self._learning.play_by_value
        spec = spec_of(self.rules, self._games.state.memory)

        def share(low: int, high: int) -> None:
            play_by_value(spec, low, high, network.weights, utility, self.candidates, self.epsilon, recording)

        bounds = share_bounds(len(self._games), self.num_threads).tolist()
        with ThreadPoolExecutor(self.num_threads) as threads:
            list(threads.map(share, bounds[:-1], bounds[1:]))
        played = np.arange(recording.values.shape[1]) < recording.counts[:, None]
        inputs, excess = recording.inputs[played], recording.excess[played]
        self._control[played] = control(inputs, excess)
        write_targets(recording, self._control, self.td_lambda, self._changes, self._targets)
        changes, targets = self._changes[played], self._targets[played]
        return Experience(inputs, excess, changes, targets, self._games.scores.copy())
