"""Judgement of moves: an adviser's best move, and the loss of the played one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.facts import Unit
from ingenious_env.policies.advice import Calibrated, advise
from ingenious_env.policies.view import Policy, View

Marks = tuple[tuple[float, str], ...]
MARKS: Mapping[Unit, Marks] = {
    "win": ((0.20, "??"), (0.10, "?"), (0.05, "?!")),
    "spaces": ((1.0, "??"), (0.7, "?"), (0.4, "?!")),
}
"""By unit, the marks of moves that lose more than this, the worst first.

The thresholds in spaces mark about as many moves of `greedy` in solitaire (5, 14 and 33 %) as the thresholds
of wins do with two players (4, 14 and 31 %).
"""


class Judgement(NamedTuple):
    """A move and the best one, by an adviser with the seat's knowledge.

    Attributes:
        seat: the mover.
        action: flat, as played.
        best: flat, the adviser's first action.
        value: of the best action, calibrated if the adviser is.
        loss: the value of the best action less that of the played one, at least 0. An action that the adviser
            does not list counts as its last one.
        unit: of value and loss (see `Advice`).
        calibrated: whether values are mean results of games that the adviser's network plays against itself,
            rather than the adviser's own values; for other players they are estimates without a known error.
    """

    seat: int
    action: int
    best: int
    value: float
    loss: float
    unit: Unit
    calibrated: bool

    @property
    def mark(self) -> str:
        """`??`, `?` or `?!` for a move that loses much (see `MARKS`), else ""."""
        marks = marks_of(self.unit, calibrated=self.calibrated)
        return next((mark for least, mark in marks if self.loss > least), "")


def marks_of(unit: Unit, *, calibrated: bool) -> Marks:
    """The marks of moves by their losses in a unit; none where these are not calibrated."""
    return MARKS.get(unit, ()) if calibrated else ()


def judge(policy: Policy, game: Any, action: int) -> Judgement:
    """Judge an action of a game.

    Args:
        policy: the adviser (see `advise`).
        game: the position, which does not change.
        action: flat.

    Raises:
        IllegalActionError: it is not legal now.
        TypeError, ValueError: there is no advice on the position.
    """
    game.clone().play(action)  # raises if illegal
    view = View.of(game)
    advice = advise(policy, view, limit=game.actions.size)
    values, calibrated = advice.values, calibrated_values(policy, view, advice.values)
    if calibrated is not None:
        values = calibrated
    found = np.flatnonzero(advice.actions == action)
    played = values[found[0]] if len(found) else values[-1]
    return Judgement(
        seat=int(game.to_play),
        action=int(action),
        best=int(advice.actions[0]),
        value=float(values[0]),
        loss=max(0.0, float(values[0] - played)),
        unit=advice.unit,
        calibrated=calibrated is not None,
    )


def calibrated_values(policy: Policy, view: View, values: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Calibrated values of an adviser, float64 [K]; None if it has none."""
    return policy.calibrated(view, values) if isinstance(policy, Calibrated) else None
