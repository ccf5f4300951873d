"""One-ply expectimax: a placement is worth what it adds, and what the next one can be hoped to add."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.checks import check_least
from ingenious_env.kernels.compiling import load
from ingenious_env.policies import UTILITIES, View, check_utility
from ingenious_env.state import GameState
from ingenious_env.tables import spec_of


@cache
def _kernels() -> Any:
    return load("agents.kernels.expectimax")


@dataclass(frozen=True)
class Expectimax:
    """Looks at its best placements, at the bonus plays they bring, and at all tiles it may draw after them.

    It swaps if it can hope for more of new tiles than of its own.

    Attributes:
        utility: the value of the counters, a name in `policies.UTILITIES`.
        candidates: how many placements to look at, the best by what they add to the value of the counters.
        discount: what the hope for the next placement counts; others play before it.
    """

    utility: str = "concave"
    candidates: int = 20
    discount: float = 0.3

    def __post_init__(self) -> None:
        """Check the values."""
        check_utility(self.utility)
        check_least(self, 1, "candidates")
        check_least(self, 0, "discount")

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action that is worth most, game by game."""
        games = view.complete()
        state = GameState.zeros(view.rules, len(games) + 1)
        state.memory[:-1] = games.state.memory
        tried, gains = np.empty(self.candidates, np.int32), np.empty(self.candidates)
        actions = np.empty(len(games), np.int32)
        values = UTILITIES[self.utility](view.rules)
        spec = spec_of(view.rules, state.memory)
        _kernels().expectimax_actions(spec, 0, len(games), values, self.discount, tried, gains, actions)
        return view.encode(actions)
