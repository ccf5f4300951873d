"""Results of agents in the deal of a finished solitaire game, for comparison with the player's result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.languages import word
from ingenious_env.policies.session import Session
from ingenious_env.policies.value import Value, compared_actions, highest_value, shipped_network
from ingenious_env.policies.view import View
from ingenious_env.web.tables import Agent, Table

COMPARED = ("level 3", "greedy", "level 7", "value")
"""The agents, the weakest first. All decide at once, and their results in solitaire lie well apart."""

NEAR = 1e-5
"""The difference of values, as a share of the highest one, below which they count as equal."""


class SteadyValue:
    """Plays as `Value`, but of actions with nearly equal values the lowest one.

    On an empty board actions that mirror each other have the same value but for rounding, which differs from
    machine to machine, and what follows would differ, too.
    """

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action chosen in each game."""
        actions, values = compared_actions(shipped_network(view.rules), view.complete())
        values = np.where(actions == NO_ACTION, -np.inf, values)
        least = values.max(axis=1, keepdims=True) - NEAR * highest_value(view.rules)
        return view.encode(np.where(values > least, actions, np.iinfo(np.int32).max).min(axis=1))


def is_compared(table: Table) -> bool:
    """Return whether agents can play the same deal: of a finished solitaire game whose deal is known."""
    return table.session.is_over and table.rules.num_players == 1 and table.session.seed is not None


def results_of(table: Table, agents: Mapping[str, Agent]) -> list[dict[str, Any]]:
    """Each agent that plays the variant, by `name`, with its `result` in the table's deal, as JSON."""
    offered = [name for name in COMPARED if name in agents and agents[name].plays(table.rules)]
    return [{"name": word(name), "result": _result(table, agents[name])} for name in offered]


def lowest(game: Any) -> float:
    """The result of a solitaire game: the lowest counter."""
    return float(game.scores.min())


def _result(table: Table, agent: Agent) -> float:
    policy = agent.for_rules(table.rules)
    steady = SteadyValue() if policy == Value() else policy
    session = Session(table.rules, table.session.seed, [steady])
    for _ in session.run():
        pass
    return lowest(session.game)
