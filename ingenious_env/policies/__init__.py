"""Policies and evaluation of moves: views, ready policies, advice, judgements."""

from __future__ import annotations

from ingenious_env.policies.advice import Advice, advise, best_first, completed
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.judging import Judgement, calibrated_values, judge
from ingenious_env.policies.luck import DrawLuck, has_draw_luck, luck_by_move
from ingenious_env.policies.thinking import is_stopped
from ingenious_env.policies.view import Policy, Uniform, View, begin_games, flat_actions

__all__ = [
    "Advice",
    "DrawLuck",
    "Greedy",
    "Judgement",
    "Policy",
    "Uniform",
    "View",
    "advise",
    "begin_games",
    "best_first",
    "calibrated_values",
    "completed",
    "flat_actions",
    "has_draw_luck",
    "is_stopped",
    "judge",
    "luck_by_move",
]
