"""Search by a value network: rollouts of its best candidates, with fresh deals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.checks import MAX_CANDIDATES, MAX_HORIZON, check_range
from ingenious_agents.search.sequential_halving import Halving, Search
from ingenious_agents.value.agent import Networked
from ingenious_agents.value.kernels.loopit_value_search import try_plans_by_network
from ingenious_agents.value.kernels.value_search import try_by_network
from ingenious_env import GameBatch
from ingenious_env.compiled.phases import CHOOSE
from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.engine.facts import Unit
from ingenious_env.policies.advice import best_first
from ingenious_env.policies.greedy import utility_values
from ingenious_env.policies.value import check_candidates, compared_actions, model_of, unit_of

CHOICES = {"ingenious": ("swap", "keep"), "loopit": ("throw back",)}
"""The candidates where a choice is due, by game."""
KERNELS = {"ingenious": try_by_network, "loopit": try_plans_by_network}
"""The kernels of simulations, by game."""
BY_TABLE = -1
"""The `horizon` of `SOLITAIRE_HORIZON` in solitaire, and of `OPPONENTS_HORIZON` against others."""
SOLITAIRE_HORIZON, OPPONENTS_HORIZON = 8, 1
"""Decisions of a simulation. In solitaire, a simulation of one decision only averages over the next tile."""


@dataclass(frozen=True, kw_only=True)
class ValueSearch(Networked, Halving):
    """Plays by rollouts of a value network, whose candidates have the network's highest values.

    Attributes:
        horizon: a simulation ends at the decision of that number of the seat or its partner, in Loopit at the
            seat's turn of that number, by the value of the best candidate there; at 0 it continues to the end
            of the game, and −1 stands for 8 in solitaire and for 1 against others.
        rollout_candidates: placements, or in Loopit plans, evaluated per decision of a rollout.
    """

    rollouts: int = 400
    candidates: int = 6
    horizon: int = BY_TABLE
    rollout_candidates: int = 12

    def __post_init__(self) -> None:
        """Check the values, and read the file."""
        Networked.__post_init__(self)
        Halving.__post_init__(self)
        check_range(self, BY_TABLE, MAX_HORIZON, "horizon")
        check_range(self, 1, MAX_CANDIDATES, "rollout_candidates")

    def check(self, rules: AnyRules) -> None:
        """ValueError if there is no network for the rules, or it cannot evaluate as many candidates."""
        check_candidates(rules, self.rollout_candidates)
        super().check(rules)

    def unit(self, rules: AnyRules) -> Unit:
        """The unit of the network's values."""
        return unit_of(rules)

    def decisions(self, rules: AnyRules) -> int:
        """The number of the searching seat's decision with which a simulation ends, 0 for none."""
        if self.horizon == BY_TABLE:
            return SOLITAIRE_HORIZON if rules.num_sheets == 1 else OPPONENTS_HORIZON
        return self.horizon

    def search(self, games: GameBatch, row: int) -> Search:
        """A search for one of the games; ValueError in another variant than the network's."""
        return NetworkRollouts(games, row, self)


class NetworkRollouts(Search):
    """Rollouts of the candidates of one game by the network (see `kernels/value_search.py`)."""

    def __init__(self, games: GameBatch, row: int, agent: ValueSearch) -> None:
        rules = games.rules
        agent.check(rules)
        self._game, self._decisions = definition_of(rules).name, agent.decisions(rules)
        self._agent, self._prior, self._weights = (
            agent,
            utility_values(rules, model_of(rules).utility),
            agent.network(rules).weights,
        )
        super().__init__(games, row)

    def find_candidates(self, games: GameBatch, row: int) -> NDArray[np.int32]:
        """Int32 [K]: the placements with the network's highest values; or swap and keep."""
        if games.phase[row] == CHOOSE:
            return np.array([games.actions.choice(name) for name in CHOICES[self._game]], np.int32)
        tried, values = compared_actions(self._agent.network(games.rules), games.take(np.array([row])))
        return best_first(tried[0], values[0], unit_of(games.rules), self._agent.candidates).actions

    def simulate(self, which: NDArray[np.int64], first: int, last: int, sums: NDArray[np.float64]) -> None:
        """Add the results of simulations first to last − 1 of some of the candidates to sums."""
        agent = self._agent
        KERNELS[self._game](
            self._spec,
            self.candidates[which],
            first,
            last,
            np.uint64(agent.seed),
            self._weights,
            self._prior,
            agent.rollout_candidates,
            self._decisions,
            sums,
        )
