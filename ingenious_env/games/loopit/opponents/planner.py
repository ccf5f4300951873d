"""The planner: plays the best whole turn, by its points and by those that it opens to the next player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.checks import check_index
from ingenious_env.engine.definition import AnyRules
from ingenious_env.games.loopit.opponents.kernels.plans import (
    MAX_WIDTH,
    best_first_actions,
    rank_plans,
)
from ingenious_env.games.loopit.rules import Rules
from ingenious_env.policies.advice import Advice, best_first, completed
from ingenious_env.policies.ranking import Ranking, ranked
from ingenious_env.policies.view import View


@dataclass(frozen=True)
class Planner:
    """Plays the first placement of the best plan for the rest of its turn, found by beam search.

    Attributes:
        width: plans kept after each placement, 1 to 256.
        reply: the weight of the points expected then of the next player's best tiles.
    """

    width: int = 176
    reply: float = 1.0

    def __post_init__(self) -> None:
        """Check the values."""
        check_index("width", self.width, 1, MAX_WIDTH)
        if not np.isfinite(self.reply):
            msg = f"reply must be a finite number, not {self.reply}"
            raise ValueError(msg)

    def check(self, rules: AnyRules) -> None:
        """ValueError if the rules are not those of Loopit."""
        if not isinstance(rules, Rules):
            msg = "the planner plays Loopit, nothing else"
            raise ValueError(msg)

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action for each game, `NO_ACTION` for finished ones; ValueError as `check`."""
        self.check(view.rules)
        actions = np.empty(len(view), np.int32)
        games = view.complete()  # so that nothing hidden has an effect
        games.run(best_first_actions, self.width, float(self.reply), actions)
        return view.encode(actions)

    def advise(self, view: View, limit: int = 20) -> Advice:
        """The value of the best plan that begins with an action; only actions that begin one are listed.

        Where the rack may be thrown back, that is the only one, with value 0.

        Raises:
            TypeError, ValueError: as `check`, or there is no advice on the view (see `policies/advice.py`).
        """
        ranking = self.ranking(view.rules)
        actions, values = ranked(ranking, completed(view, limit))
        return best_first(actions[0], values[0], ranking.unit, limit)

    def ranking(self, rules: Any) -> Ranking:
        """The first actions of plans by their values (see `Ranked`); ValueError as `check`."""
        self.check(rules)
        return Ranking(rank_plans, (self.width, float(self.reply)), num_plans(rules, self.width), "points")


def num_plans(rules: Rules, width: int) -> int:
    """The largest number of plans of a turn."""
    return 1 + rules.tiles_per_turn * width
