"""The result of an agent in solitaire as an objective: for optimisers that tune an agent or its training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.match import BATCH, play_out
from ingenious_agents.evaluation.solitaire import half_width
from ingenious_agents.evaluation.statistics import luck_adjusted
from ingenious_env import GameBatch, Policy, Rules
from ingenious_env.engine.checks import check_index
from ingenious_env.policies.luck import has_draw_luck
from ingenious_env.policies.view import check_plays


@dataclass(frozen=True)
class Evaluation:
    """The results of an agent on some bags.

    Attributes:
        lowest: int8 [bags], the lowest counters.
        results: float64 [bags], the same, less the luck of the draw if that was asked for.
    """

    lowest: NDArray[np.int8]
    results: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """The mean result."""
        return float(self.results.mean())

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % interval of the mean."""
        return half_width(self.results)


def evaluate(
    agent: Policy,
    bags: int | range,
    *,
    seed: int = 0,
    adjusted: bool = True,
    rules: Rules | None = None,
) -> Evaluation:
    """Play bags of solitaire and return the lowest counters.

    The result depends on the arguments only. Agents on the same bags can be compared by the differences of
    their results, whose mean has a narrower interval than either mean.

    Args:
        agent: plays all bags, up to `BATCH` at a time.
        bags: their number, or their indices under the seed, with step 1.
        seed: bag n is that of `Game(rules, (seed, n))`.
        adjusted: subtract the luck of the draw, which takes 5 to 10 milliseconds per bag, and makes 300 bags
            as good as 600 to 2,700, depending on the agent. Variants without a shipped network have none to
            subtract.
        rules: a variant for one player; the standard one by default.

    Raises:
        ValueError: the variant is for more players, the agent does not play it, or there is no bag.
        TypeError: the bags are neither a whole number nor a range.
    """
    rules = Rules.solitaire() if rules is None else rules
    if rules.num_players != 1:
        msg = f"solitaire is for one player, not for {rules.num_players}"
        raise ValueError(msg)
    check_plays(agent, rules)
    indices = bags if isinstance(bags, range) else range(check_index("bags that are no range", bags, 1))
    if not len(indices) or indices.step != 1 or indices.start < 0:
        msg = f"bags must be a number of at least 1, or a range with step 1, not {bags!r}"
        raise ValueError(msg)
    lowest, luck = [], []
    measured = adjusted and has_draw_luck(rules)
    for first in range(indices.start, indices.stop, BATCH):
        batch = GameBatch(rules, min(BATCH, indices.stop - first), 0)
        batch.seed(seed, first)
        played = play_out(batch, [agent], luck=measured)
        lowest.append(batch.scores[:, 0].min(axis=1))
        if played.luck is not None:
            luck.append(played.luck[:, 0])
    counters = np.concatenate(lowest)
    results = counters.astype(np.float64)
    if luck:
        results = luck_adjusted(counters, np.concatenate(luck), np.array(indices))
    return Evaluation(counters, results)
