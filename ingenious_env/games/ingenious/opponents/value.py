"""The value network: what positions are worth after a placement, and the opponent that plays by it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ingenious_env.core.batch import GameBatch
from ingenious_env.core.files import arrays_of, write_arrays
from ingenious_env.core.view import View
from ingenious_env.games.ingenious.notation import rules_to_text, text_to_rules
from ingenious_env.games.ingenious.opponents.kernels import value as kernels
from ingenious_env.games.ingenious.opponents.kernels.value_layout import (
    BY_COLOUR,
    FIRST,
    OF_ALL,
    SECOND,
    THIRD,
)
from ingenious_env.games.ingenious.opponents.utilities import UTILITIES
from ingenious_env.games.ingenious.rules import Rules

FORMAT = "ingenious-value 4"
WEIGHTS = Path(__file__).parent / "weights"
PRESETS = {
    "solitaire": Rules.solitaire(),
    "two": Rules.standard(2),
    "three": Rules.standard(3),
    "four": Rules.standard(4),
    "partnership": Rules.partnership(),
}
"""The variants with shipped weights, each in a file of that name with its model card beside it."""
PRIOR = "concave"
"""Candidates are found by what they add to the value of the counters, a name in `utilities.UTILITIES`."""
CANDIDATES = 200


def num_inputs(rules: Rules) -> tuple[int, int]:
    """The number of inputs for each colour, and of those for all together."""
    return rules.num_sheets + BY_COLOUR, rules.num_sheets * rules.num_colours + OF_ALL


def num_weights(rules: Rules) -> int:
    """The number of weights of a variant's network."""
    by_colour, of_all = num_inputs(rules)
    return (by_colour + 1) * FIRST + (FIRST + 1) * SECOND + (SECOND + of_all + 1) * THIRD + THIRD + 1


@dataclass(frozen=True)
class ValueNetwork:
    """The value of positions after a placement to the sheet that moved.

    Against others a share of the win, from 0 to 1; in solitaire a mean of the lowest four counters, the
    lowest counting most.

    Attributes:
        rules: the variant it was trained on, and the only one it can judge.
        weights: float32, layer by layer: the biases, and then input by input its weights to all units.
    """

    rules: Rules
    weights: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Check the weights."""
        wanted, found = num_weights(self.rules), self.weights
        if found.shape != (wanted,) or found.dtype != np.float32 or not np.isfinite(found).all():
            msg = f"weights must be {wanted} finite float32, not {found.dtype} {list(found.shape)}"
            raise ValueError(msg)

    def save(self, path: str | Path) -> None:
        """Write it; the file appears whole or not at all."""
        header = {"format": FORMAT, "rules": rules_to_text(self.rules)}
        write_arrays(path, header, {"weights": self.weights})

    @classmethod
    def load(cls, path: str | Path) -> ValueNetwork:
        """The network in a file; ValueError says why if it holds none. No code in it is ever executed."""
        with arrays_of(path, FORMAT, "value network", "python -m scripts.train_value") as (header, arrays):
            return cls(text_to_rules(header["rules"]), arrays["weights"])


@cache
def shipped_network(rules: Rules) -> ValueNetwork:
    """The shipped network of a variant; ValueError if there is none."""
    return ValueNetwork.load(WEIGHTS / f"{_preset_of(rules)}.npz")


def _preset_of(rules: Rules) -> str:
    for name, preset in PRESETS.items():
        if preset == rules:
            return name
    msg = (
        f"a value network is shipped for each of {', '.join(PRESETS)}, not for {rules_to_text(rules)};"
        " train one in a checkout, and give its path to an agent: python -m scripts.train_value"
    )
    raise ValueError(msg)


@dataclass(frozen=True)
class Value:
    """Plays what leads to the position that the shipped network values most.

    The network is loaded when it first acts.
    """

    def check(self, rules: Rules) -> None:
        """ValueError if no network is shipped for a variant."""
        _preset_of(rules)

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action valued most, game by game; ValueError as `check`."""
        return choose(shipped_network(view.rules), view, CANDIDATES)


def choose(network: ValueNetwork, view: View, candidates: int) -> NDArray[np.int32]:
    """Int32 [B]: the action of each game that the network values most, as the view numbers actions."""
    games = view.complete()  # so that what is drawn in trying an action out tells nothing
    return view.encode(best_actions(network, games, candidates)[0])


def best_actions(
    network: ValueNetwork, games: GameBatch, candidates: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The flat actions of each game that the network values most, int32 [B], and their values, float64 [B].

    Args:
        network: of the games' variant.
        games: which do not change.
        candidates: the number of placements to judge, those that add most to the value of the counters.
    """
    actions, values = np.empty(len(games), np.int32), np.empty(len(games))
    prior = UTILITIES[PRIOR](network.rules)
    games.run(kernels.best_actions, network.weights, prior, candidates, actions, values)
    return actions, values
