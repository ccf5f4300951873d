"""The value networks of Loopit: the ends of turns, before the draw."""

from __future__ import annotations

from pathlib import Path

from ingenious_env.core.definition import ValueModel
from ingenious_env.games.loopit.opponents.kernels import value_layout
from ingenious_env.games.loopit.opponents.kernels.value import best_actions
from ingenious_env.games.loopit.rules import Rules


def num_inputs(rules: Rules) -> int:
    """The number of inputs of a variant's network."""
    return value_layout.num_inputs(rules.num_players, rules.rack_size, len(rules.material.patterns))


def num_weights(rules: Rules) -> int:
    """The number of weights of a variant's network."""
    return value_layout.num_weights(num_inputs(rules))


MODEL = ValueModel(
    form="loopit-value 1",
    folder=Path(__file__).parent / "weights",
    variants={"two": Rules(2), "three": Rules(3), "four": Rules(4)},
    num_weights=num_weights,
    best_actions=best_actions,
    utility="points",
    candidates=128,
)
"""The value is a share of the win; candidates are the plans kept after each placement."""
