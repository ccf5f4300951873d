"""Games of a value network against itself, and the training targets from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.value.kernels import ingenious_self_play, loopit_self_play
from ingenious_agents.value.kernels.self_play import Recording, write_targets
from ingenious_agents.value.weak_starts import WeakStarts, start_weakly
from ingenious_env import GameBatch
from ingenious_env.compiled.kernel import Kernel
from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.engine.state import spec_of
from ingenious_env.policies.greedy import utility_values
from ingenious_env.policies.value import ValueNetwork, model_of


class Learning(NamedTuple):
    """The parts of self-play that differ between games.

    Attributes:
        play_by_value: the kernel that plays and records (see `kernels/self_play.py`).
        num_excess: number of features of the excess of a draw, E.
        num_steps: the largest number of recorded positions of a game, S.
    """

    play_by_value: Kernel
    num_excess: Callable[[Any], int]
    num_steps: Callable[[Any], int]


GAMES = {
    "ingenious": Learning(
        ingenious_self_play.play_by_value,
        num_excess=lambda rules: int(rules.num_colours),
        num_steps=lambda rules: int(rules.geometry.num_cells),  # half of that placements, each with a swap
    ),
    "loopit": Learning(
        loopit_self_play.play_by_value,
        num_excess=lambda _: loopit_self_play.NUM_EXCESS,
        num_steps=lambda rules: 2 * int(rules.num_tiles),  # turns; fewer unless racks are kept
    ),
}
"""By the name of the game."""


def learning_of(rules: AnyRules) -> Learning:
    """The parts of self-play for a variant's game; ValueError if the game has no value networks."""
    model_of(rules)
    return GAMES[definition_of(rules).name]


@dataclass(frozen=True)
class SelfPlay:
    """Settings of the games of a network against itself.

    Attributes:
        rules: the variant.
        candidates: number of placements, or plans, evaluated per position.
        epsilon: the probability of a random one.
        weak_starts: the share of games whose first turns weak players make (see `weak_starts.py`).
    """

    rules: AnyRules
    candidates: int
    epsilon: float
    weak_starts: float = 0.0

    def play(self, weights: NDArray[np.float32], seed: int, first: int, num_games: int) -> PlayedGames:
        """Deals (seed, first) onwards, played to their ends by the network with these weights.

        Each game is determined by its deal, so a batch may be played in any shares.
        """
        learning, rules = learning_of(self.rules), self.rules
        model = model_of(rules)
        games = GameBatch(rules, num_games, 0)
        games.seed(seed, first)
        weights = np.require(weights, requirements="W")  # Ray's arrays are read-only
        if self.weak_starts:
            network, starts = ValueNetwork(rules, weights), WeakStarts(self.weak_starts)
            start_weakly(games, network, self.candidates, starts, (seed, first))
        shape = (num_games, learning.num_steps(rules))
        recording = Recording(
            inputs=np.zeros((*shape, model.architecture(rules).num_inputs), np.float32),
            excess=np.zeros((*shape, learning.num_excess(rules)), np.float32),
            values=np.zeros(shape),
            actions=np.zeros(shape, np.int32),
            sheets=np.zeros(shape, np.int8),
            explored=np.zeros(shape, np.bool_),
            counts=np.zeros(num_games, np.int64),
            results=np.zeros((num_games, rules.num_sheets)),
        )
        spec = spec_of(rules, games.state.memory)
        utility = utility_values(rules, model.utility)
        learning.play_by_value(
            spec, 0, num_games, weights, utility, self.candidates, float(self.epsilon), recording
        )
        played = np.arange(shape[1]) < recording.counts[:, None]
        return PlayedGames(
            inputs=recording.inputs[played],
            excess=recording.excess[played],
            values=recording.values[played],
            actions=recording.actions[played],
            sheets=recording.sheets[played],
            explored=recording.explored[played],
            counts=recording.counts,
            results=recording.results,
            scores=games.scores.copy(),
        )


class PlayedGames(NamedTuple):
    """Games of self-play. The steps of all games, N, are concatenated.

    Attributes:
        inputs: float32 [N, I], of the network, for each afterstate.
        excess: float32 [N, E], of the seat's following draw (see `Recording`).
        values: float64 [N], of the best action.
        actions: int32 [N], the flat action played.
        sheets: int8 [N], the sheet that moved.
        explored: bool [N], whether the action was random instead of the best.
        counts: int64 [B], the number of steps of each game.
        results: float64 [B, T] (see `Recording`).
        scores: [B, T, …], at the end.
    """

    inputs: NDArray[np.float32]
    excess: NDArray[np.float32]
    values: NDArray[np.float64]
    actions: NDArray[np.int32]
    sheets: NDArray[np.int8]
    explored: NDArray[np.bool_]
    counts: NDArray[np.int64]
    results: NDArray[np.float64]
    scores: NDArray[Any]


def joined(shares: Sequence[PlayedGames]) -> PlayedGames:
    """The games of all shares, in their order."""
    return PlayedGames(*map(np.concatenate, zip(*shares, strict=True)))


ControlVariate = Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float32]]
"""The estimated effect of draws on the value, [N], from inputs, [N, I], and excess, [N, E]; its mean is 0."""


def no_control(inputs: NDArray[np.float32], excess: NDArray[np.float32]) -> NDArray[np.float32]:
    """The control variate that does not change the targets."""
    del excess
    return np.zeros(len(inputs), np.float32)


class Experience(NamedTuple):
    """Training targets of a network from games.

    Attributes:
        inputs: float32 [N, I], of the network.
        excess: float32 [N, E], of the control variate.
        changes: float32 [N], the change of the value up to the next position of the sheet.
        targets: float32 [N], of the positions.
    """

    inputs: NDArray[np.float32]
    excess: NDArray[np.float32]
    changes: NDArray[np.float32]
    targets: NDArray[np.float32]


def experience_of(games: PlayedGames, td_lambda: float, control: ControlVariate = no_control) -> Experience:
    """Training targets from games; λ is the weight of outcomes against the values on the way."""
    inputs, excess = games.inputs, games.excess
    changes, targets = np.zeros(len(inputs), np.float32), np.zeros(len(inputs), np.float32)
    write_targets(
        games.counts,
        games.values,
        games.sheets,
        games.explored,
        games.results,
        control(inputs, excess),
        float(td_lambda),
        changes,
        targets,
    )
    return Experience(inputs, excess, changes, targets)
