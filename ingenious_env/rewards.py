"""Rewards: plain functions from the counters before and after a step to what each seat gets, chosen by name.

All take `rules`, `before` and `after`, int8 [B, T, C], and `over`, bool [B], the games that this step ended; all
return float32 [B, P], `vector` [B, P, C].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine import rank
from ingenious_env.rules import Rules

Reward = Callable[[Rules, NDArray[np.int8], NDArray[np.int8], NDArray[np.bool_]], NDArray[np.float32]]
Sharing = Literal["seat", "team", "all"]


def outcome(
    rules: Rules,
    before: NDArray[np.int8],  # noqa: ARG001 - rewards share one form
    after: NDArray[np.int8],
    over: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """At the end, from +1 for the first to −1 for the last in even steps; tied ranks share. Zero-sum."""
    if rules.num_sheets == 1:
        return np.zeros((len(over), rules.num_players), np.float32)
    ranks = rank(after)
    better = ranks - 1
    worse = (ranks[:, :, None] < ranks[:, None, :]).sum(axis=2)
    per_sheet = (worse - better) / (rules.num_sheets - 1)
    return _seats(rules, np.where(over[:, None], per_sheet, 0.0))


def margin(
    rules: Rules,
    before: NDArray[np.int8],  # noqa: ARG001 - rewards share one form
    after: NDArray[np.int8],
    over: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """At the end, the own lowest counter less the others' mean, as a share of the last space. Zero-sum."""
    if rules.num_sheets == 1:
        return np.zeros((len(over), rules.num_players), np.float32)
    lowest = after.min(axis=2).astype(np.float64)
    others = (lowest.sum(axis=1, keepdims=True) - lowest) / (rules.num_sheets - 1)
    return _seats(rules, np.where(over[:, None], (lowest - others) / rules.last_space, 0.0))


def score(
    rules: Rules,
    before: NDArray[np.int8],
    after: NDArray[np.int8],
    over: NDArray[np.bool_],  # noqa: ARG001 - rewards share one form
) -> NDArray[np.float32]:
    """The rise of the counters in this step, all colours together."""
    return _seats(rules, _rise(before, after).sum(axis=2))


def vector(
    rules: Rules,
    before: NDArray[np.int8],
    after: NDArray[np.int8],
    over: NDArray[np.bool_],  # noqa: ARG001 - rewards share one form
) -> NDArray[np.float32]:
    """The rise of each counter in this step, one objective a colour."""
    return _seats(rules, _rise(before, after))


def lowest(
    rules: Rules,
    before: NDArray[np.int8],
    after: NDArray[np.int8],
    over: NDArray[np.bool_],  # noqa: ARG001 - rewards share one form
) -> NDArray[np.float32]:
    """The rise of the lowest counter in this step; over a solitaire game they sum to its result (Rules 7.4)."""
    return _seats(rules, after.min(axis=2).astype(np.float64) - before.min(axis=2))


REWARDS: dict[str, Reward] = {
    "outcome": outcome,
    "margin": margin,
    "score": score,
    "vector": vector,
    "lowest": lowest,
    "sum": score,  # what solitaire players call the same thing
}


def find(name: str) -> Reward:
    """The reward of this name; ValueError names those there are."""
    if name not in REWARDS:
        msg = f"reward must be one of {', '.join(REWARDS)}, not {name!r}"
        raise ValueError(msg)
    return REWARDS[name]


def share(rules: Rules, rewards: NDArray[np.float32], sharing: Sharing) -> NDArray[np.float32]:
    """Rewards [B, P] or [B, P, C] as they are ("seat"), or summed over each team or over all seats."""
    if sharing == "seat":
        return rewards
    sheets = np.arange(rules.num_players) % (rules.num_sheets if sharing == "team" else 1)
    together = (sheets[:, None] == sheets[None, :]).astype(np.float32)
    return np.einsum("pq,bq...->bp...", together, rewards)


def check_sharing(sharing: str) -> None:
    """ValueError unless this is a way to share rewards."""
    if sharing not in ("seat", "team", "all"):
        msg = f"share must be one of seat, team, all, not {sharing!r}"
        raise ValueError(msg)


def _rise(before: NDArray[np.int8], after: NDArray[np.int8]) -> NDArray[np.float64]:
    return after.astype(np.float64) - before


def _seats(rules: Rules, per_sheet: NDArray[np.float64]) -> NDArray[np.float32]:
    """Each seat gets what its sheet gets."""
    return per_sheet[:, np.arange(rules.num_players) % rules.num_sheets].astype(np.float32)
