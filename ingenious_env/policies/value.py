"""Value networks: values of positions after a move, and the policy of the shipped ones.

The game defines the position after a move and the network's inputs (see `ValueModel`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.checks import kernel_input
from ingenious_env.engine.definition import AnyRules, ValueModel, definition_of, definitions
from ingenious_env.engine.facts import Unit
from ingenious_env.engine.files import arrays_of, write_arrays
from ingenious_env.policies.advice import Advice, best_first, completed
from ingenious_env.policies.calibration import Calibration
from ingenious_env.policies.chance import noise
from ingenious_env.policies.greedy import utility_values
from ingenious_env.policies.view import View


@dataclass(frozen=True)
class ValueNetwork:
    """The value of positions after a move for the score sheet that moved.

    Against others it is a share of the win, from 0 to 1.

    Attributes:
        rules: the variant it was trained on, and the only one it can evaluate.
        weights: float32, layer by layer (see `Architecture.dense` and `layer_size`).
        calibration: of its values as the `Value` policy finds them; None if none was fitted.
    """

    rules: AnyRules
    weights: NDArray[np.float32]
    calibration: Calibration | None = None

    def __post_init__(self) -> None:
        """Check the weights, and copy those that kernels do not take."""
        model, found = model_of(self.rules), self.weights
        known = (model.architecture(self.rules), *model.earlier_architectures(self.rules))
        wanted = [(each.num_weights,) for each in known]
        if found.shape not in wanted or found.dtype != np.float32 or not np.isfinite(found).all():
            numbers = " or ".join(str(number) for (number,) in wanted)
            msg = f"weights must be {numbers} finite float32, not {found.dtype} {list(found.shape)}"
            raise ValueError(msg)
        object.__setattr__(self, "weights", kernel_input(found, np.float32))

    def __reduce__(self) -> tuple[Any, ...]:
        """Its fields, to be checked again: unpickled weights may be read-only."""
        return type(self), (self.rules, self.weights, self.calibration)

    def save(self, path: str | Path) -> None:
        """Write it atomically."""
        game = definition_of(self.rules)
        header: dict[str, Any] = {
            "format": model_of(self.rules).form,
            "rules": game.rules_to_text(self.rules),
        }
        if self.calibration is not None:
            header["calibration"] = list(self.calibration.coefficients)
        write_arrays(path, header, {"weights": self.weights})

    @classmethod
    def load(cls, path: str | Path) -> ValueNetwork:
        """The network in a file; ValueError if it holds none. No code in it is executed."""
        games = {game.value_model.form: game for game in definitions().values() if game.value_model}
        with arrays_of(path, tuple(games), "value network", "python -m scripts.train_value") as (
            header,
            arrays,
        ):
            rules = games[header["format"]].text_to_rules(header["rules"])
            return cls(rules, arrays["weights"], Calibration.read(header.get("calibration")))

    def calibrated(
        self, values: NDArray[np.float64], progress: NDArray[np.float64] | float
    ) -> NDArray[np.float64] | None:
        """Mean results if it plays on: shares of the win, in solitaire lowest counters.

        Args:
            values: of this network.
            progress: of the games, as `progress_of`; broadcast against `values`.

        Returns:
            The same shape and order as `values`; None without a calibration.
        """
        if self.calibration is None:
            return None
        highest = highest_value(self.rules)
        return highest * self.calibration.shares(values / highest, progress)


def model_of(rules: AnyRules) -> ValueModel[Any]:
    """The `ValueModel` of a variant's game; ValueError if the game has none."""
    game = definition_of(rules)
    if game.value_model is None:
        msg = f"there are no value networks for {game.name}"
        raise ValueError(msg)
    return game.value_model


def highest_value(rules: AnyRules) -> float:
    """The highest value that a network can give: a win, in solitaire the last space of a counter."""
    return 1.0 if rules.num_sheets > 1 else float(definition_of(rules).max_score(rules))


def progress_of(games: GameBatch) -> NDArray[np.float64]:
    """Float64 [B], from 0 to 1: the share of the board's capacity for tiles that is used."""
    return np.minimum(games.state.placed / model_of(games.rules).max_placed(games.rules), 1.0)


def check_candidates(rules: AnyRules, candidates: int) -> ValueModel[Any]:
    """As `model_of`; also ValueError if its kernels cannot evaluate this number of candidates."""
    model = model_of(rules)
    if not 1 <= candidates <= model.max_candidates:
        game = definition_of(rules).name
        msg = f"candidates must be from 1 to {model.max_candidates} in {game}, not {candidates}"
        raise ValueError(msg)
    return model


@cache
def shipped_network(rules: AnyRules) -> ValueNetwork:
    """The shipped network of a variant; ValueError if there is none."""
    return ValueNetwork.load(shipped_path(rules))


def shipped_path(rules: AnyRules) -> Path:
    """The file of the shipped network of a variant; ValueError if there is none."""
    return model_of(rules).folder / f"{_shipped_name(rules)}.safetensors"


def _shipped_name(rules: AnyRules) -> str:
    variants = model_of(rules).variants
    for name, variant in variants.items():
        if variant == rules:
            return name
    msg = (
        f"a value network is shipped for each of {', '.join(variants)}, not for"
        f" {definition_of(rules).rules_to_text(rules)};"
        " train one in a checkout, and give its path to an agent: python -m scripts.train_value"
    )
    raise ValueError(msg)


@dataclass(frozen=True)
class Value:
    """Plays the action with the highest value of the shipped network.

    The network is loaded when it first acts.

    Attributes:
        temperature: in shares of the highest value. Above 0, an action is drawn with a probability
            proportional to exp(value / temperature), by the key of its game.
    """

    temperature: float = 0.0

    def __post_init__(self) -> None:
        """Check the value."""
        if not 0 <= self.temperature < np.inf:
            msg = f"temperature must be a number from 0, not {self.temperature!r}"
            raise ValueError(msg)

    def check(self, rules: AnyRules) -> None:
        """ValueError if no network is shipped for a variant."""
        _shipped_name(rules)

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action chosen in each game; ValueError as `check`."""
        network, candidates = shipped_network(view.rules), model_of(view.rules).candidates
        if not self.temperature:
            return choose(network, view, candidates)
        actions, values = compared_actions(network, view.complete())
        others = view.random_actions()
        scale = self.temperature * highest_value(view.rules)
        drawn = values / scale + noise(view.keys, others, actions)
        best = np.where(actions == NO_ACTION, -np.inf, drawn).argmax(axis=1)
        return view.encode(actions[np.arange(len(view)), best])

    def advise(self, view: View, limit: int = 20) -> Advice:
        """The network's values of the legal actions (see `advise_by`); ValueError as `check`."""
        return advise_by(shipped_network(view.rules), view, model_of(view.rules).candidates, limit)

    def calibrated(self, view: View, values: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Calibrated values of its advice (see `ValueNetwork.calibrated`); ValueError as `check`."""
        return calibrated_by(shipped_network(view.rules), view, values)


def compared_actions(
    network: ValueNetwork, games: GameBatch
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Pairs as of `rank_actions`: those from which `best_actions` chooses, in its order."""
    model = model_of(network.rules)
    room = max(2, model.num_compared(network.rules, model.candidates))
    return rank_actions(network, games, model.candidates, room)


def choose(network: ValueNetwork, view: View, candidates: int) -> NDArray[np.int32]:
    """Int32 [B]: the action of each game with the highest value, as the view numbers actions."""
    games = view.complete()  # so that draws after a trial action reveal nothing
    return view.encode(best_actions(network, games, candidates)[0])


def advise_by(network: ValueNetwork, view: View, candidates: int, limit: int) -> Advice:
    """The actions of a game by the values of the positions that they lead to.

    In Ingenious all legal actions, so that one that is not among the candidates of `choose` may be the best;
    in Loopit those that begin a plan, as `choose` finds them, with the value of the best plan.

    Raises:
        TypeError, ValueError: there is no advice on the view (see `advise`).
    """
    games = completed(view, limit)
    room = model_of(network.rules).num_ranked(network.rules, candidates)
    actions, values = rank_actions(network, games, candidates, room)
    return best_first(actions[0], values[0], unit_of(network.rules), limit)


def calibrated_by(
    network: ValueNetwork, view: View, values: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Calibrated values of those that `advise_by` found in a game; None without a calibration."""
    return network.calibrated(values, float(progress_of(view._batch)[0]))


def unit_of(rules: AnyRules) -> Unit:
    """The unit of a network's values: shares of a win, or in solitaire the unit of the game's result."""
    return "win" if rules.num_sheets > 1 else definition_of(rules).solitaire_unit


def best_actions(
    network: ValueNetwork, games: GameBatch, candidates: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The flat actions of each game with the highest values, int32 [B], and their values, float64 [B].

    Args:
        network: of the games' variant.
        games: which do not change.
        candidates: the number of placements, or plans, to evaluate: those that add most to a utility.
    """
    actions, values = np.empty(len(games), np.int32), np.empty(len(games))
    model = check_candidates(network.rules, candidates)
    utility = utility_values(network.rules, model.utility)
    games.run(model.best_actions, network.weights, utility, candidates, actions, values)
    return actions, values


def rank_actions(
    network: ValueNetwork, games: GameBatch, candidates: int, room: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Pairs of a flat action and its value, as `ValueModel.rank_actions` writes them.

    Args:
        network: of the games' variant.
        games: which do not change.
        candidates: as for `best_actions`.
        room: K, at least 2; `ValueModel.num_ranked` is enough for all.

    Returns:
        actions: int32 [B, K], `NO_ACTION` after the last.
        values: float64 [B, K].
    """
    actions = np.full((len(games), room), NO_ACTION, np.int32)
    values = np.zeros(actions.shape)
    model = check_candidates(network.rules, candidates)
    utility = utility_values(network.rules, model.utility)
    games.run(model.rank_actions, network.weights, utility, candidates, actions, values)
    return actions, values
