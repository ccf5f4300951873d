"""Greedy opponents: the placement at hand, compiled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ingenious_env.core.checks import check_choice
from ingenious_env.core.view import View
from ingenious_env.games.ingenious.opponents.kernels.greedy import greedy_actions
from ingenious_env.games.ingenious.rules import Rules


@dataclass(frozen=True)
class Greedy:
    """The placement that raises the value of the own counters most, equals drawn for; swaps when it may.

    Attributes:
        utility: "points" values every space alike; "concave" values the spaces of a counter less the further
            it stands, as the lowest one decides the game; "lowest" compares as the end of the game does, the
            lowest counters first (RULES.md 7.3).
    """

    utility: str = "points"

    def __post_init__(self) -> None:
        """Check the name."""
        check_utility(self.utility)

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the greedy action for each game, `NO_ACTION` for finished ones."""
        batch = view._batch
        actions = np.empty(len(batch), np.int32)
        values = UTILITIES[self.utility](batch.rules)
        batch.run(greedy_actions, batch.actions.staged, values, actions)
        return actions


@cache
def points(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: its number."""
    return np.arange(rules.last_space + 1, dtype=np.float64)


@cache
def concave(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: each is worth less than the last."""
    concavity = CONCAVITY[min(rules.num_players, len(CONCAVITY)) - 1]
    return np.asarray(-np.exp(-concavity * points(rules)))


@cache
def lowest(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: a step is worth more than all above it.

    Of two score sheets the one with more value is ahead, lowest counters first (RULES.md 7.3): a counter that
    stands one space lower outweighs all others. Exact within 18 spaces, where floats keep every step.
    """
    return np.asarray(-((rules.num_colours + 1.0) ** (rules.last_space - points(rules))))


CONCAVITY = (0.5, 0.12, 0.03, 0.015)
"""By the number of players, tuned against the other two; with more of them each one's game is shorter."""
UTILITIES = {"points": points, "lowest": lowest, "concave": concave}
"""Values that rise, and less and less; the compiled search for the best placement builds on that."""


def check_utility(utility: str, name: str = "utility") -> None:
    """ValueError if there is no such utility; the message calls it by the name of the parameter."""
    check_choice(name, utility, tuple(UTILITIES))
