"""Flat Monte Carlo: rollouts of the best few actions, most of them for the most promising."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.checks import MAX_WEIGHT, check_range
from ingenious_agents.search.game_kernels import search_kernels
from ingenious_agents.search.sequential_halving import Halving, Search
from ingenious_env import GameBatch
from ingenious_env.engine.checks import check_choice
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.facts import Unit
from ingenious_env.policies.greedy import candidate_table, utility_names, utility_values

MARGIN = 0.1
"""The weight of a lead relative to a win, as a tie-breaker (see the games' `result_for`)."""


@dataclass(frozen=True)
class FlatMC(Halving):
    """Plays its best candidates out, greedily for all seats.

    The candidates are the actions that add most to a utility of the game.

    Attributes:
        rollout: the utility by which all seats play, a name in the game's `Guide.utilities`; by default
            the first of them.
        fade: in solitaire Ingenious, the weight of each counter at the end relative to the next lower one.
            Results by the lowest counter only have a higher variance than results by all.
    """

    rollout: str = ""
    fade: float = 0.1

    def __post_init__(self) -> None:
        """Check the values."""
        super().__post_init__()
        if self.rollout:
            check_choice("rollout", self.rollout, utility_names())
        check_range(self, 0, MAX_WEIGHT, "fade")

    def check(self, rules: AnyRules) -> None:
        """ValueError if the game has no such utility, or no guide for search."""
        search_kernels(rules)
        utility_values(rules, self.rollout)

    def margin(self, rules: AnyRules) -> float:
        """The weight of the tie-breaker (see `result_for`)."""
        return MARGIN if rules.num_sheets > 1 else self.fade

    def unit(self, rules: AnyRules) -> Unit:
        """A share of the win, and `margin` times the lead; in solitaire the counters weighted by `fade`."""
        return "win" if rules.num_sheets > 1 else "utility"

    def search(self, games: GameBatch, row: int) -> Search:
        """A search for one of the games."""
        return Rollouts(games, row, self)


class Rollouts(Search):
    """Greedy rollouts of the candidates of one game."""

    def __init__(self, games: GameBatch, row: int, agent: FlatMC) -> None:
        self._kernels = search_kernels(games.rules)
        self._values = utility_values(games.rules, agent.rollout)
        self._seed, self._margin = np.uint64(agent.seed), agent.margin(games.rules)
        self._most = agent.candidates
        super().__init__(games, row)

    def find_candidates(self, games: GameBatch, row: int) -> NDArray[np.int32]:
        """Int32 [K]: the actions that add most to the utility, or the choices that are due."""
        actions, _, counts = candidate_table(games.take(np.array([row])), self._values, self._most)
        return actions[0, : counts[0]]

    def simulate(self, which: NDArray[np.int64], first: int, last: int, sums: NDArray[np.float64]) -> None:
        """Add the results of simulations first to last − 1 of some of the candidates to sums."""
        chosen = self.candidates[which]
        self._kernels.try_candidates(
            self._spec, chosen, first, last, self._seed, self._values, self._margin, sums
        )
