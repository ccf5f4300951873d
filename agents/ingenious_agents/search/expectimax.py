"""One-ply expectimax: a placement is worth what it adds, and what the next one can be expected to add."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.checks import MAX_CANDIDATES, MAX_WEIGHT, check_game, check_range
from ingenious_agents.search.kernels.expectimax import expectimax_values
from ingenious_env import GameBatch, View
from ingenious_env.compiled.phases import NO_ACTION, PLACE
from ingenious_env.engine.checks import check_choice
from ingenious_env.engine.definition import AnyRules
from ingenious_env.games.ingenious.opponents.utilities import UTILITIES
from ingenious_env.policies.advice import Advice, best_first, completed


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
        actions, worth = self._judge(view.complete())
        return view.encode(actions[np.arange(len(view)), worth.argmax(axis=1)])

    def advise(self, view: View, limit: int = 20) -> Advice:
        """The gain in utility of each candidate, the expected gain of the next placement included.

        Swapping and keeping the rack are worth that expected gain, in full.

        Raises:
            TypeError, ValueError: as `check`, or there is no advice on the view (see `policies/advice.py`).
        """
        self.check(view.rules)
        games = completed(view, limit)
        actions, worth = self._judge(games)
        advice = best_first(actions[0], worth[0], "utility", limit)
        if games.phase[0] != PLACE:
            return advice
        counters = games.scores[0, games.rules.sheet_of(int(games.to_play[0]))]
        return advice._replace(values=advice.values - UTILITIES[self.utility](games.rules)[counters].sum())

    def _judge(self, games: GameBatch) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The candidates, int32 [B, K], and what is maximised, −inf behind the last, float64 [B, K]."""
        actions = np.full((len(games), max(2, self.candidates)), NO_ACTION, np.int32)
        worth = np.full(actions.shape, -np.inf)
        values = UTILITIES[self.utility](games.rules)
        games.run(expectimax_values, values, float(self.discount), self.candidates, actions, worth)
        return actions, worth
