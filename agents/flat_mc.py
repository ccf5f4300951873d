"""Flat Monte Carlo: the best few placements are each played out many times, the most promising the most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.checks import check_least
from agents.halving import Halving, Search
from agents.kernels.rollouts import list_candidates, try_candidates
from ingenious_env import GameBatch, Rules
from ingenious_env.core.phases import PLACE
from ingenious_env.games.ingenious.opponents.greedy import UTILITIES, check_utility

MARGIN = 0.1
"""The weight of a lead of all spaces of the lowest counter beside a win, to tell close games apart."""


@dataclass(frozen=True)
class FlatMC(Halving):
    """Plays its best candidates out, greedily for all seats.

    The candidates are the placements that add most to the value of the counters.

    Attributes:
        rollout: the value of the counters by which all seats play on, a name in `greedy.UTILITIES`.
        fade: in solitaire, the weight of each counter at the end beside the next lower one. Results by the
            lowest counter alone have a higher variance than results by all.
    """

    rollout: str = "concave"
    fade: float = 0.1

    def __post_init__(self) -> None:
        """Check the values."""
        super().__post_init__()
        check_utility(self.rollout, "rollout")
        check_least(self, 0, "fade")

    def margin(self, rules: Rules) -> float:
        """The weight that tells equal results apart (see `result_for`)."""
        return MARGIN if rules.num_sheets > 1 else self.fade

    def search(self, games: GameBatch, row: int) -> Search:
        """A search for one of the games."""
        return Rollouts(games, row, self)


class Rollouts(Search):
    """Greedy rollouts of the candidates of one game."""

    def __init__(self, games: GameBatch, row: int, agent: FlatMC) -> None:
        self._values = UTILITIES[agent.rollout](games.rules)
        self._seed, self._margin = np.uint64(agent.seed), agent.margin(games.rules)
        self._most = agent.candidates
        super().__init__(games, row)

    def find_candidates(self, games: GameBatch, row: int) -> NDArray[np.int32]:
        """Int32 [K]: the actions that add most to the value of the counters; or swap and keep."""
        actions, _, counts = candidate_table(games.take(np.array([row])), self._values, self._most)
        return actions[0, : counts[0]]

    def simulate(self, which: NDArray[np.int64], first: int, last: int, sums: NDArray[np.float64]) -> None:
        """Add the results of simulations first to last − 1 of some of the candidates to sums."""
        chosen = self.candidates[which]
        try_candidates(self._spec, chosen, first, last, self._seed, self._values, self._margin, sums)


def candidate_table(
    games: GameBatch, values: NDArray[np.float64], most: int
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]:
    """Each game's best flat actions, at most so many, by what they add to the value of the counters.

    Returns:
        actions: int32 [B, K], the best first; a choice to swap is two actions that add nothing.
        gains: float64 [B, K], what they add.
        counts: int64 [B], how many there are of each game, none where it is over.
    """
    shape = (len(games), max(2, most))
    actions, gains, counts = np.zeros(shape, np.int32), np.zeros(shape), np.zeros(len(games), np.int64)
    games.run(list_candidates, values, actions, gains, counts)
    counts = np.where(games.phase == PLACE, np.minimum(counts, most), counts)
    return actions, gains, counts
