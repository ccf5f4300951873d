"""`Advice`: a policy's values of the actions of one game; `advise` requests them from any policy."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.checks import check_index
from ingenious_env.engine.facts import Unit
from ingenious_env.policies.view import Policy, View, flat_action


class Advice(NamedTuple):
    """Actions of one game, the best first, with their values for the seat to move.

    Attributes:
        actions: int32 [K], flat.
        values: float64 [K], descending; after a search the first action may have more visits than others, and
            stay the first with a lower mean.
        errors: float64 [K], the standard errors of values that a search has sampled, nan where there is none;
            None for all other values.
        unit: of the values (see `Unit`).
    """

    actions: NDArray[np.int32]
    values: NDArray[np.float64]
    errors: NDArray[np.float64] | None
    unit: Unit


@runtime_checkable
class Advising(Protocol):
    """A policy that has values for the actions of a game; it only knows what the seat may know."""

    def advise(self, view: View, limit: int = 20) -> Advice:
        """Advice on the one game of a flat view, for the seat to move."""


@runtime_checkable
class Calibrated(Protocol):
    """A policy whose advice can be converted to mean results of games."""

    def calibrated(self, view: View, values: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Calibrated values of its advice on a view, float64 [K]; None where it has no calibration."""


def advise(policy: Policy, view: View, limit: int = 20) -> Advice:
    """Request the values of the actions of a game from a policy.

    Args:
        policy: without a method `advise`, the advice is the action that it plays.
        view: a flat view of one game that is not over.
        limit: the largest K, at least 1.

    Raises:
        TypeError, ValueError: it is another view, or limit is invalid; or as the policy.
    """
    check_advisable(view, limit)
    if isinstance(policy, Advising):
        return policy.advise(view, limit)
    actions = np.array([flat_action(policy, view)], np.int32)
    return Advice(actions, np.zeros(1), None, "choice")


def check_advisable(view: View, limit: int) -> None:
    """Raise TypeError or ValueError for a view or a limit that `advise` does not take."""
    check_index("limit", limit, 1)
    wanted = "advice is on one unfinished game, by a flat view without a slot picked"
    games = view._batch
    if len(view) != 1:
        found = f"{len(view)} games"
    elif view.actions.staged:
        found = "a staged view"
    elif games.state.held[0]:
        found = "a game in which a slot has been picked"
    elif games.is_over[0]:
        found = "a game that is over"
    else:
        return
    msg = f"{wanted}, not {found}"
    raise ValueError(msg)


def completed(view: View, limit: int, seed: int = 0) -> GameBatch:
    """The game to advise on, with hidden tiles dealt anew (see `View.complete`).

    Raises:
        TypeError, ValueError: as `check_advisable`.
    """
    check_advisable(view, limit)
    return view.complete(seed)


def best_first(actions: NDArray[np.int32], values: NDArray[Any], unit: Unit, limit: int) -> Advice:
    """Advice from pairs of actions and values, ties in their order.

    Args:
        actions: int32 [n]; entries that are `NO_ACTION` do not count, and of a repeated action the highest
            value counts.
        values: [n].
        unit: of the values.
        limit: the largest number of actions to list.
    """
    order = np.argsort(-values, kind="stable")
    order = order[actions[order] != NO_ACTION]
    firsts = np.sort(np.unique(actions[order], return_index=True)[1])
    chosen = order[firsts[:limit]]
    return Advice(actions[chosen], values[chosen].astype(np.float64), None, unit)
