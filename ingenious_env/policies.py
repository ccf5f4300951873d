"""Ready opponents: policies that are compiled, and what any policy gets to see.

A policy is anything with `act(view)`, which returns an action for each game of the view, integers [B].
"""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine import GameBatch
from ingenious_env.kernels.compiling import load
from ingenious_env.moves import ActionSpace
from ingenious_env.observation import Layout
from ingenious_env.rules import Rules


class View:
    """What the seats to move may know of their games, and no more.

    Args:
        batch: the games; the view looks on, it copies nothing.
    """

    def __init__(self, batch: GameBatch) -> None:
        self._batch = batch

    def __len__(self) -> int:
        """Number of games, B."""
        return len(self._batch)

    @property
    def rules(self) -> Rules:
        """The variant played."""
        return self._batch.rules

    @property
    def actions(self) -> ActionSpace:
        """How actions are numbered."""
        return self._batch.actions

    @property
    def layout(self) -> Layout:
        """How `observe` is laid out."""
        return self._batch.layout

    def observe(self) -> NDArray[np.int8]:
        """Int8 [B, D]: the vector observation of the seat to move."""
        return self._batch.observe()

    def legal_mask(self) -> NDArray[np.int8]:
        """Int8 [B, A]: 1 where the action is legal."""
        return self._batch.legal_mask()


class Policy(Protocol):
    """Anything that chooses actions."""

    def act(self, view: View) -> NDArray[np.integer[Any]]:
        """A legal action for each game of the view, integers [B]."""


@cache
def _kernels() -> Any:
    return load("ingenious_env.kernels.policies")


class Uniform:
    """Every legal action with the same chance."""

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: a random legal action for each game."""
        return view._batch.random_actions(by_key=True)


class Greedy:
    """The placement that raises the value of the own counters most, equals drawn for; swaps when it may.

    Args:
        utility: "points" values every space alike; "concave" values the spaces of a counter less the further
            it stands, as the lowest one decides the game; "lowest" compares as the end of the game does, the
            lowest counters first (Rules 7.3).
    """

    def __init__(self, utility: str = "points") -> None:
        if utility not in UTILITIES:
            msg = f"utility must be one of {', '.join(UTILITIES)}, not {utility!r}"
            raise ValueError(msg)
        self.utility = utility

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the greedy action for each game, `NO_ACTION` for finished ones."""
        batch = view._batch
        actions = np.empty(len(batch), np.int32)
        values = UTILITIES[self.utility](batch.rules)
        batch.run(_kernels().greedy_actions, batch.actions.staged, values, actions)
        return actions


@cache
def points(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: its number."""
    return np.arange(rules.last_space + 1, dtype=np.float64)


@cache
def concave(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: each is worth less than the last."""
    return np.asarray(-np.exp(-CONCAVITY * points(rules)))


@cache
def lowest(rules: Rules) -> NDArray[np.float64]:
    """The value of each space of a counter, float64 [last space + 1]: a step is worth more than all above it.

    Of two score sheets the one with more value is ahead, lowest counters first (Rules 7.3): a counter that
    stands one space lower outweighs all others. Exact within 18 spaces, where floats keep every step.
    """
    return np.asarray(-((rules.num_colours + 1.0) ** (rules.last_space - points(rules))))


CONCAVITY = 0.5
UTILITIES = {"points": points, "lowest": lowest, "concave": concave}
"""Values that rise, and less and less; the compiled search for the best placement builds on that."""
POLICIES: dict[str, Policy] = {
    "uniform": Uniform(),
    "greedy": Greedy("points"),
    "lowest": Greedy("lowest"),
    "concave": Greedy("concave"),
}


def find_policy(policy: str | Policy) -> Policy:
    """The policy of this name, or the policy itself; the error names what there is."""
    if isinstance(policy, str):
        if policy not in POLICIES:
            msg = f"a policy is one of {', '.join(POLICIES)}, or an object with act(view), not {policy!r}"
            raise ValueError(msg)
        return POLICIES[policy]
    if not callable(getattr(policy, "act", None)):
        msg = f"a policy is one of {', '.join(POLICIES)}, or an object with act(view), not {policy!r}"
        raise TypeError(msg)
    return policy
