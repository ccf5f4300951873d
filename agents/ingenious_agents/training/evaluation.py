"""Evaluation of agents, during training and at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.match import play_match
from ingenious_agents.evaluation.solitaire import half_width
from ingenious_agents.evaluation.statistics import luck_adjusted
from ingenious_agents.registry import make_agent
from ingenious_env.engine.definition import AnyRules
from ingenious_env.policies.view import Policy

EVALUATION_SEED = 1_000_003
NOBODY = "nobody"
"""The opponent in solitaire."""
Estimate = tuple[float, float, float]
"""A mean, and the ends of its 95 % interval."""


class Finding(NamedTuple):
    """The result of an evaluation.

    Attributes:
        plain: the mean result.
        luck_adjusted: the mean less the luck of the draw; None where it was not measured.
    """

    plain: Estimate
    luck_adjusted: Estimate | None = None

    @property
    def best(self) -> Estimate:
        """The estimate with the narrower interval."""
        return self.luck_adjusted or self.plain


def deals_of_training(seed: int) -> int:
    """The seed of the deals of a training, unlikely to be that of an evaluation."""
    return _derived(seed, EVALUATION_SEED)


def deals_of_calibration(seed: int) -> int:
    """The seed of the deals on which a calibration is measured, which no fit and no training uses."""
    return _derived(seed, EVALUATION_SEED, 1)


def _derived(*numbers: int) -> int:
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])


def met_by(rules: AnyRules, opponents: Sequence[str]) -> Sequence[str]:
    """The opponents that an agent meets; in solitaire `NOBODY`."""
    return opponents if rules.num_sheets > 1 else (NOBODY,)


def evaluate(agent: Policy, rules: AnyRules, deals: int, opponent: str, *, progress: bool = False) -> Finding:
    """The mean lowest counter in solitaire, else the share of wins with the opponent on all other sheets.

    Only in solitaire the luck of the draw explains so much that measuring it saves time.
    """
    others: list[Policy] = [make_agent(opponent) for _ in range(rules.num_sheets - 1)]
    title = f"rating against {opponent}" if others else "rating"
    result = play_match(
        rules, [agent, *others], deals, EVALUATION_SEED, luck=not others, progress=progress, title=title
    )
    if others:
        return Finding((result.share(0), *result.interval(0)))
    lowest = result.scores[:, 0].min(axis=1)
    if result.luck is None:
        return Finding(_mean(lowest))
    return Finding(_mean(lowest), _mean(luck_adjusted(lowest, result.luck[:, 0], result.deals)))


def _mean(numbers: NDArray[Any]) -> Estimate:
    mean, half = float(numbers.mean()), half_width(numbers)
    return mean, mean - half, mean + half


def ratings_of(
    agent: Policy, rules: AnyRules, deals: int, opponents: Sequence[str], *, progress: bool = False
) -> dict[str, str]:
    """The result of an agent in solitaire or against each opponent, in words; perhaps with progress bars."""
    return {
        opponent: describe(rules, evaluate(agent, rules, deals, opponent, progress=progress))
        for opponent in met_by(rules, opponents)
    }


def describe(rules: AnyRules, found: Finding) -> str:
    """The result of an evaluation, in words."""
    if rules.num_sheets > 1:
        mean, low, high = found.plain
        return f"{mean:.1%} [{low:.1%}, {high:.1%}]"
    text = "lowest counter {:.2f} [{:.2f}, {:.2f}]".format(*found.plain)
    if found.luck_adjusted is None:
        return text
    return "{}, luck-adjusted {:.2f} [{:.2f}, {:.2f}]".format(text, *found.luck_adjusted)
