"""The value agent: plays by a value network, the shipped one or one in a file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.checks import MAX_CANDIDATES, check_range
from ingenious_agents.value.kernels.next_draw import rank_by_next_draw
from ingenious_env import GameBatch, Rules, View
from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.engine.files import digest
from ingenious_env.policies.advice import Advice, best_first, completed
from ingenious_env.policies.greedy import utility_values
from ingenious_env.policies.value import (
    ValueNetwork,
    advise_by,
    calibrated_by,
    check_candidates,
    choose,
    model_of,
    shipped_network,
)


@dataclass(frozen=True)
class Networked:
    """An agent with a value network.

    Attributes:
        path: the file with the network; ValueError if it is missing or invalid. Without one the agent loads
            the shipped network of the variant that it plays.
    """

    path: str = ""

    def __post_init__(self) -> None:
        """Read the file, to fail here rather than at the first move."""
        if self.path:
            self._network  # noqa: B018

    @cached_property
    def _network(self) -> ValueNetwork:
        return ValueNetwork.load(self.path)

    def network(self, rules: AnyRules) -> ValueNetwork:
        """The network for a variant; ValueError if it is for another, or none is shipped."""
        if not self.path:
            return shipped_network(rules)
        if rules != self._network.rules:
            known = self._network.rules
            msg = f"this network plays {definition_of(known).rules_to_text(known)}, nothing else"
            raise ValueError(msg)
        return self._network

    def check(self, rules: AnyRules) -> None:
        """ValueError as `network`."""
        self.network(rules)

    def fingerprint(self, rules: AnyRules) -> str:
        """A fingerprint of the weights for a variant; ValueError as `network`."""
        return digest(self.network(rules).weights.tobytes())


@dataclass(frozen=True)
class ValueAgent(Networked):
    """Plays the action with the highest value of its network.

    Attributes:
        candidates: number of placements, or in Loopit plans, to evaluate: the best by what they add to a
            utility of the game. 0 is the default of the game's networks.
        draws: in solitaire with one tile at a time, the number of placements of highest value that are
            compared one draw later: by the mean, over all tiles that can be drawn, of the highest value then.
            0 and 1 compare none.
        next_candidates: placements evaluated for each of these tiles.
    """

    candidates: int = 0
    draws: int = 0
    next_candidates: int = 8

    def __post_init__(self) -> None:
        """Check the values, and read the file."""
        check_range(self, 0, MAX_CANDIDATES, "candidates", "draws")
        check_range(self, 1, MAX_CANDIDATES, "next_candidates")
        super().__post_init__()

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action of highest value in each game; ValueError in another variant."""
        if self.draws < 2:
            return choose(self.network(view.rules), view, self._candidates(view.rules))
        self.check(view.rules)
        actions, values = self._one_draw_later(view.complete())
        best = values.argmax(axis=1)
        return view.encode(actions[np.arange(len(view)), best])

    def advise(self, view: View, limit: int = 20) -> Advice:
        """The network's values of the actions (see `advise_by`), one draw later of those that it compares.

        ValueError in another variant.
        """
        advice = advise_by(self.network(view.rules), view, self._candidates(view.rules), limit)
        if self.draws < 2:
            return advice
        self.check(view.rules)
        actions, values = self._one_draw_later(completed(view, limit))
        later = best_first(actions[0], values[0], advice.unit, limit)
        rest = np.flatnonzero(~np.isin(advice.actions, later.actions))[: limit - len(later.actions)]
        # The others have lower values before the draw, and are listed after those that are compared.
        return Advice(
            np.concatenate([later.actions, advice.actions[rest]]),
            np.concatenate([later.values, np.minimum(advice.values[rest], later.values[-1])]),
            None,
            advice.unit,
        )

    def _one_draw_later(self, games: GameBatch) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The placements of highest value, int32 [B, K], and their values one draw later, float64 [B, K]."""
        network = self.network(games.rules)
        shape = (len(games), self.draws)
        actions, values = np.full(shape, NO_ACTION, np.int32), np.full(shape, -np.inf)
        utility = utility_values(games.rules, model_of(games.rules).utility)
        wide = self._candidates(games.rules)
        games.run(rank_by_next_draw, network.weights, utility, wide, self.next_candidates, actions, values)
        return actions, values

    def calibrated(self, view: View, values: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Calibrated values of its advice (see `ValueNetwork.calibrated`); None without a calibration."""
        return calibrated_by(self.network(view.rules), view, values)

    def check(self, rules: AnyRules) -> None:
        """ValueError as `network`, or if there are more candidates than the game's networks can evaluate."""
        check_candidates(rules, self._candidates(rules))
        super().check(rules)
        if self.draws > 1 and not (isinstance(rules, Rules) and rules.rack_size == 1):
            msg = "draws compares placements in solitaire of Ingenious with one tile at a time, nowhere else"
            raise ValueError(msg)

    def _candidates(self, rules: AnyRules) -> int:
        return self.candidates or model_of(rules).candidates
