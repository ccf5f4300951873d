"""Rewards of whole games, worked out from scores only."""

from __future__ import annotations

import numpy as np

from ingenious_env import Rules


def sheet_reward(rules, name, scores, sheet, before=0):
    """The reward of a game to a sheet, from its final scores and those with which it began."""
    totals = [np.array(each).ravel() for each in scores]
    mine, others = totals[sheet], [each for at, each in enumerate(totals) if at != sheet]
    first = np.broadcast_to(np.array(before if np.ndim(before) == 0 else before[sheet]).ravel(), mine.shape)
    if name in ("outcome", "margin") and not others:
        return 0.0
    if name == "outcome":
        keys = [sorted(each.tolist()) for each in totals]
        ahead = sum((keys[sheet] > key) - (keys[sheet] < key) for key in keys)
        return ahead / (len(keys) - 1)
    if name == "margin" and isinstance(rules, Rules):
        return (mine.min() - np.mean([each.min() for each in others])) / rules.last_space
    if name == "margin":
        return (mine[0] - max(each[0] for each in others)) / 100
    gain = mine - first
    return {"score": gain.sum(), "lowest": mine.min() - first.min(), "vector": gain}[name]


def seat_reward(rules, name, scores, seat, *, collaborative=False, before=0):
    """The reward of a game to a seat."""
    sheets = range(rules.num_sheets) if collaborative else [rules.sheet_of(seat)]
    return np.sum([sheet_reward(rules, name, scores, sheet, before) for sheet in sheets], axis=0)
