"""The value networks of Ingenious: the positions after a placement, before the draw."""

from __future__ import annotations

from pathlib import Path

from ingenious_env.core.definition import ValueModel
from ingenious_env.games.ingenious.opponents.kernels.value import best_actions
from ingenious_env.games.ingenious.opponents.kernels.value_layout import (
    BY_COLOUR,
    FIRST,
    OF_ALL,
    SECOND,
    THIRD,
)
from ingenious_env.games.ingenious.rules import Rules


def num_inputs(rules: Rules) -> tuple[int, int]:
    """The number of inputs for each colour, and of those for all together."""
    return rules.num_sheets + BY_COLOUR, rules.num_sheets * rules.num_colours + OF_ALL


def num_weights(rules: Rules) -> int:
    """The number of weights of a variant's network."""
    by_colour, of_all = num_inputs(rules)
    return (by_colour + 1) * FIRST + (FIRST + 1) * SECOND + (SECOND + of_all + 1) * THIRD + THIRD + 1


MODEL = ValueModel(
    form="ingenious-value 4",
    folder=Path(__file__).parent / "weights",
    variants={
        "solitaire": Rules.solitaire(),
        "two": Rules.standard(2),
        "three": Rules.standard(3),
        "four": Rules.standard(4),
        "partnership": Rules.partnership(),
    },
    num_weights=num_weights,
    best_actions=best_actions,
    utility="concave",
    candidates=200,
)
"""Against others the value is a share of the win; in solitaire a mean of the lowest four counters, the lowest
counting most."""
