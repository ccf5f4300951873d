"""The value agent: a small network says what a position is worth after a placement; the best is played."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.checks import check_least
from agents.files import arrays_of, digest, write_arrays
from agents.kernels.layout import BY_COLOUR, FIRST, OF_ALL, SECOND, THIRD
from ingenious_env import Rules
from ingenious_env.kernels.compiling import load
from ingenious_env.notation import rules_to_text, text_to_rules
from ingenious_env.policies import UTILITIES, View
from ingenious_env.state import GameState
from ingenious_env.tables import spec_of

FORMAT = "ingenious-value 4"
BOX = Path(__file__).parent / "weights"
PRESETS = {
    "solitaire": Rules.solitaire(),
    "two": Rules.standard(2),
    "three": Rules.standard(3),
    "four": Rules.standard(4),
    "partnership": Rules.partnership(),
}
"""The variants with weights in the box, in a file of that name; a card beside it says how they were made."""
PRIOR = "concave"
"""Placements are looked at by what they add to the value of the counters, a name in `policies.UTILITIES`."""


@cache
def kernels() -> Any:
    """The compiled network; see `agents/kernels/values.py`."""
    return load("agents.kernels.values")


def num_inputs(rules: Rules) -> tuple[int, int]:
    """How many numbers a position after a placement is written as: for each colour, and for all together."""
    return rules.num_sheets + BY_COLOUR, rules.num_sheets * rules.num_colours + OF_ALL


def num_weights(rules: Rules) -> int:
    """How many weights the network of a variant has."""
    by_colour, of_all = num_inputs(rules)
    return (by_colour + 1) * FIRST + (FIRST + 1) * SECOND + (SECOND + of_all + 1) * THIRD + THIRD + 1


@dataclass(frozen=True)
class ValueNetwork:
    """What positions after a placement are worth to the sheet that moved.

    Against others a share of the win, from 0 to 1; alone the mean of the lowest four counters, the lowest
    counting most.

    Attributes:
        rules: the variant it was trained on, and the only one it knows.
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
def boxed_network(rules: Rules) -> ValueNetwork:
    """The network in the box for a variant; ValueError if there is none."""
    for name, preset in PRESETS.items():
        if preset == rules:
            return ValueNetwork.load(BOX / f"{name}.npz")
    msg = (
        f"there are weights in the box for {', '.join(PRESETS)}, not for {rules_to_text(rules)};"
        " give the path of a network trained with: python -m scripts.train_value"
    )
    raise ValueError(msg)


@dataclass(frozen=True)
class Networked:
    """An agent with a value network.

    Attributes:
        path: the file with the network; ValueError if there is none, or something else in it. Without one
            the agent takes the network in the box for the variant that it is to play.
    """

    path: str = ""

    def __post_init__(self) -> None:
        """Read the file, to fail here rather than at the first move."""
        if self.path:
            self._network  # noqa: B018

    @cached_property
    def _network(self) -> ValueNetwork:
        return ValueNetwork.load(self.path)

    def network(self, rules: Rules) -> ValueNetwork:
        """The network for a variant; ValueError if it plays another, or the box has none."""
        if not self.path:
            return boxed_network(rules)
        if rules != self._network.rules:
            msg = f"this network plays {rules_to_text(self._network.rules)}, nothing else"
            raise ValueError(msg)
        return self._network

    def fingerprint(self, rules: Rules) -> str:
        """What tells the weights for a variant from others; ValueError as `network`."""
        return digest(self.network(rules).weights.tobytes())


@dataclass(frozen=True)
class ValueAgent(Networked):
    """Plays what leads to the position that its network values most.

    Attributes:
        candidates: how many placements to look at, the best by what they add to the value of the counters.
    """

    candidates: int = 200

    def __post_init__(self) -> None:
        """Check the values, and read the file."""
        check_least(self, 1, "candidates")
        super().__post_init__()

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action valued most, game by game; ValueError in another variant."""
        network = self.network(view.rules)
        games = view.complete()  # so that what is drawn in trying an action out tells nothing
        return view.encode(best_actions(network, games.state, self.candidates)[0])


def best_actions(
    network: ValueNetwork, games: GameState, candidates: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The actions of each game that the network values most, int32 [B], and their values, float64 [B]."""
    rules, count = network.rules, len(games.memory)
    rows = GameState.zeros(rules, count + 1)  # and one to try actions out in
    rows.memory[:count] = games.memory
    actions, values = np.empty(count, np.int32), np.empty(count)
    spec, prior = spec_of(rules, rows.memory), UTILITIES[PRIOR](rules)
    kernels().best_actions(spec, 0, count, count, network.weights, prior, candidates, actions, values)
    return actions, values
