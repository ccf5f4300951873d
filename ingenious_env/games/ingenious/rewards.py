"""Rewards: plain functions of the counters before and after a step, chosen by name.

Each takes `before` and `after`, int8 [B, T, C], `over`, bool [B], the games that this step ended, and the
last space of a counter; it returns what each sheet gets, [B, T], or for `vector` [B, T, C].
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ingenious_env.core.checks import check_choice
from ingenious_env.games.ingenious.ranking import worth
from ingenious_env.games.ingenious.rules import Rules

Counters = NDArray[np.int8]
SheetReward = Callable[[Counters, Counters, NDArray[np.bool_], int], NDArray[np.float64]]


def outcome(_before: Counters, after: Counters, over: NDArray[np.bool_], _last: int) -> NDArray[np.float64]:
    """At the end, from +1 for the first to −1 for the last in even steps, ties shared. Zero-sum."""
    rewards, sheets = np.zeros(after.shape[:2]), worth(after[over])
    rewards[over] = np.sign(sheets[:, :, None] - sheets[:, None, :]).sum(axis=2) / max(1, after.shape[1] - 1)
    return rewards


def margin(_before: Counters, after: Counters, over: NDArray[np.bool_], last: int) -> NDArray[np.float64]:
    """At the end, the own lowest counter less the others' mean, as a share of the last space. Zero-sum."""
    lows = after.min(axis=2).astype(np.float64)
    sheets = lows.shape[1]
    others = (lows.sum(axis=1, keepdims=True) - lows) / max(1, sheets - 1)
    return np.where(over[:, None] & (sheets > 1), (lows - others) / last, 0.0)


def vector(before: Counters, after: Counters, _over: NDArray[np.bool_], _last: int) -> NDArray[np.float64]:
    """The rise of each counter in this step, one objective a colour."""
    return after.astype(np.float64) - before


def score(before: Counters, after: Counters, over: NDArray[np.bool_], last: int) -> NDArray[np.float64]:
    """The rise of the counters in this step, all colours together."""
    return np.asarray(vector(before, after, over, last).sum(axis=2))


def lowest(before: Counters, after: Counters, _over: NDArray[np.bool_], _last: int) -> NDArray[np.float64]:
    """The rise of the lowest counter; over a solitaire game these sum to its result (RULES.md 7.4)."""
    return np.asarray(after.min(axis=2).astype(np.float64) - before.min(axis=2))


SHEET_REWARDS: dict[str, SheetReward] = {
    "outcome": outcome,
    "margin": margin,
    "score": score,
    "vector": vector,
    "lowest": lowest,
    "sum": score,  # what solitaire players call it
}
ZERO_SUM = ("outcome", "margin")
"""Those that come at the end of a game, and cannot be shared by all."""


class Reward:
    """What each seat gets for a step; partners share a sheet, and so get the same.

    Args:
        rules: the variant.
        name: "outcome", "margin", "score", "vector", "lowest" or "sum".
        collaborative: all seats get the sum over all sheets.

    Attributes:
        shape: of one seat's reward: [], or for `vector` [C].
        at_end: whether all get 0 until the game is over.
        low, high: what one step can bring.

    Raises:
        ValueError: there is no such reward, or it is zero-sum and cannot be shared by all.
    """

    def __init__(self, rules: Rules, name: str = "outcome", *, collaborative: bool = False) -> None:
        check_choice("reward", name, tuple(SHEET_REWARDS))
        if collaborative and name in ZERO_SUM:
            msg = f"a collaborative reward cannot be {name!r}, which sums to zero"
            raise ValueError(msg)
        self.name = name
        self.collaborative = collaborative
        self.rules = rules
        self.shape = (rules.num_colours,) if name == "vector" else ()
        self.at_end = name in ZERO_SUM
        self.low, self.high = -1.0 if self.at_end else 0.0, 1.0
        if not self.at_end:
            sheets = rules.num_sheets if collaborative else 1
            colours = rules.num_colours if name in ("score", "sum") else 1
            self.high = float(rules.last_space * colours * sheets)
        self._sheet_of_seat = np.arange(rules.num_players) % rules.num_sheets

    def __call__(self, before: Counters, after: Counters, over: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Float32 [B, P, *shape] from the counters, int8 [B, T, C], and the games that ended, bool [B]."""
        if self.at_end and not over.any():
            return np.zeros((len(over), self.rules.num_players), np.float32)
        per_sheet = SHEET_REWARDS[self.name](before, after, over, self.rules.last_space)
        if self.collaborative:
            per_sheet = np.broadcast_to(per_sheet.sum(axis=1, keepdims=True), per_sheet.shape)
        return per_sheet[:, self._sheet_of_seat].astype(np.float32)
