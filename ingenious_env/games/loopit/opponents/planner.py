"""The planner: plays the best turn as a whole, by its points and by what it opens to the next player."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingenious_env.core.definition import AnyRules
from ingenious_env.core.view import View
from ingenious_env.games.loopit.opponents.kernels.plans import MAX_WIDTH, plan_actions
from ingenious_env.games.loopit.rules import Rules


@dataclass(frozen=True)
class Planner:
    """Plays the first placement of the best plan for the rest of its turn, found by beam search.

    Attributes:
        width: plans kept after each placement, 1 to 256.
        reply: the weight of the points that the next player's best tiles can be expected to bring then.
    """

    width: int = 64
    reply: float = 1.0

    def __post_init__(self) -> None:
        """Check the values."""
        if not 1 <= self.width <= MAX_WIDTH:
            msg = f"width must be from 1 to {MAX_WIDTH}, not {self.width}"
            raise ValueError(msg)
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
        games = view.complete()  # so that nothing hidden can tell
        actions = np.empty(len(games), np.int32)
        games.run(plan_actions, self.width, float(self.reply), actions)
        return view.encode(actions)
