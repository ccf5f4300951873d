"""One-ply expectimax: a placement is worth what it adds, and what the next one can be expected to add."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.checks import MAX_CANDIDATES, MAX_WEIGHT, check_game, check_range
from agents.search.kernels.expectimax import expectimax_actions
from ingenious_env import View
from ingenious_env.core.checks import check_choice
from ingenious_env.core.definition import AnyRules
from ingenious_env.games.ingenious.opponents.utilities import UTILITIES


@dataclass(frozen=True)
class Expectimax:
    """Looks at its best placements, at the bonus plays they bring, and at all tiles it may draw after them.

    It swaps if it can expect more of new tiles than of its own.

    Attributes:
        utility: the value of the counters, a name in `utilities.UTILITIES`.
        candidates: how many placements to look at, the best by what they add to the value of the counters.
        discount: of what is expected of the next placement; others play before it.
    """

    utility: str = "concave"
    candidates: int = 20
    discount: float = 0.3

    def __post_init__(self) -> None:
        """Check the values."""
        check_choice("utility", self.utility, tuple(UTILITIES))
        check_range(self, 1, MAX_CANDIDATES, "candidates")
        check_range(self, 0, MAX_WEIGHT, "discount")

    def check(self, rules: AnyRules) -> None:
        """ValueError if the rules are not those of Ingenious."""
        check_game(self, rules, "ingenious")

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action that is worth most, game by game; ValueError as `check`."""
        self.check(view.rules)
        games, actions = view.complete(), np.empty(len(view), np.int32)
        values = UTILITIES[self.utility](view.rules)
        games.run(expectimax_actions, values, float(self.discount), self.candidates, actions)
        return view.encode(actions)
