"""The value agent: plays by a value network, the shipped one or one in a file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.checks import MAX_CANDIDATES, check_range
from ingenious_env import View
from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.engine.files import digest
from ingenious_env.policies.advice import Advice
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
    """

    candidates: int = 0

    def __post_init__(self) -> None:
        """Check the values, and read the file."""
        check_range(self, 0, MAX_CANDIDATES, "candidates")
        super().__post_init__()

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action of highest value in each game; ValueError in another variant."""
        return choose(self.network(view.rules), view, self._candidates(view.rules))

    def advise(self, view: View, limit: int = 20) -> Advice:
        """The network's values of the actions (see `advise_by`); ValueError in another variant."""
        return advise_by(self.network(view.rules), view, self._candidates(view.rules), limit)

    def calibrated(self, view: View, values: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Calibrated values of its advice (see `ValueNetwork.calibrated`); None without a calibration."""
        return calibrated_by(self.network(view.rules), view, values)

    def check(self, rules: AnyRules) -> None:
        """ValueError as `network`, or if there are more candidates than the game's networks can evaluate."""
        check_candidates(rules, self._candidates(rules))
        super().check(rules)

    def _candidates(self, rules: AnyRules) -> int:
        return self.candidates or model_of(rules).candidates
