"""The value networks of the games as PyTorch modules, and the control variates trained beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from agents.value.kernels import loopit_self_play
from ingenious_env.core.definition import AnyRules, definition_of
from ingenious_env.core.value import ValueNetwork, model_of
from ingenious_env.games.ingenious.opponents import value as ingenious_value
from ingenious_env.games.ingenious.opponents.kernels import value_layout as ingenious_layout
from ingenious_env.games.loopit.opponents import value as loopit_value
from ingenious_env.games.loopit.opponents.kernels import value_layout as loopit_layout

CONTROL_UNITS = 32  # of the hidden layer of a control variate


class IngeniousNetwork(nn.Module):
    """The value network as Ingenious' `value_layout.py` draws it, to be trained."""

    def __init__(self, rules: AnyRules) -> None:
        super().__init__()
        self.rules, (by_colour, of_all) = rules, ingenious_value.num_inputs(rules)
        first, second, third = ingenious_layout.FIRST, ingenious_layout.SECOND, ingenious_layout.THIRD
        self.of_each = nn.Sequential(
            nn.Linear(by_colour, first), nn.ReLU(), nn.Linear(first, second), nn.ReLU()
        )
        self.of_all = nn.Sequential(nn.Linear(second + of_all, third), nn.ReLU(), nn.Linear(third, 1))

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """The outputs [N] for inputs [N, I], before the activation."""
        each, together = _split(self.rules, inputs)
        verdicts = self.of_each(each).sum(dim=1)
        outputs: torch.Tensor = self.of_all(torch.cat([verdicts, together], dim=1))
        return outputs.squeeze(1)


class IngeniousControl(nn.Module):
    """An estimate of what it brought to draw more tiles of a colour than was to be expected, or fewer.

    The draw is any of the tiles not seen, so its mean is 0 whatever the weights; the better the estimate, the
    lower the variance of the targets from which it is subtracted.
    """

    def __init__(self, rules: AnyRules) -> None:
        super().__init__()
        self.rules, (by_colour, _) = rules, ingenious_value.num_inputs(rules)
        self.of_each = nn.Sequential(
            nn.Linear(by_colour, CONTROL_UNITS), nn.ReLU(), nn.Linear(CONTROL_UNITS, 1)
        )

    def forward(self, inputs: torch.Tensor, excess: torch.Tensor) -> torch.Tensor:
        """The control variate, [N], from positions' inputs, [N, I], and excess, [N, C]."""
        each, _ = _split(self.rules, inputs)
        worth: torch.Tensor = self.of_each(each).squeeze(2)
        return (worth * excess).sum(dim=1)


def _split(rules: AnyRules, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Inputs of Ingenious, [N, I], by colour, [N, C, inputs for each], and those for all together."""
    by_colour, _ = ingenious_value.num_inputs(rules)
    each, together = inputs.tensor_split([rules.num_colours * by_colour], dim=1)
    return each.reshape(-1, rules.num_colours, by_colour), together


class LoopitNetwork(nn.Module):
    """The value network as Loopit's `value_layout.py` draws it, to be trained."""

    def __init__(self, rules: AnyRules) -> None:
        super().__init__()
        first, second = loopit_layout.FIRST, loopit_layout.SECOND
        self.layers = nn.Sequential(
            nn.Linear(loopit_value.num_inputs(rules), first),
            nn.ReLU(),
            nn.Linear(first, second),
            nn.ReLU(),
            nn.Linear(second, 1),
        )

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """The outputs [N] for inputs [N, I], before the activation."""
        outputs: torch.Tensor = self.layers(inputs)
        return outputs.squeeze(1)


class LoopitControl(nn.Module):
    """An estimate of what it brought to draw better tiles than expected, or worse; its mean is 0."""

    def __init__(self, rules: AnyRules) -> None:
        super().__init__()
        inputs = loopit_value.num_inputs(rules)
        self.layers = nn.Sequential(
            nn.Linear(inputs, CONTROL_UNITS), nn.ReLU(), nn.Linear(CONTROL_UNITS, loopit_self_play.NUM_EXCESS)
        )

    def forward(self, inputs: torch.Tensor, excess: torch.Tensor) -> torch.Tensor:
        """The control variate, [N], from positions' inputs, [N, I], and excess, [N, E]."""
        worth: torch.Tensor = self.layers(inputs)
        return (worth * excess).sum(dim=1)


NETWORKS: dict[str, tuple[type[nn.Module], type[nn.Module]]] = {
    "ingenious": (IngeniousNetwork, IngeniousControl),
    "loopit": (LoopitNetwork, LoopitControl),
}
"""By the name of the game: the network and its control variate."""


def networks_for(rules: AnyRules) -> tuple[nn.Module, nn.Module]:
    """A network and a control variate for a variant, untrained; ValueError if its game has none."""
    model_of(rules)
    network, control = NETWORKS[definition_of(rules).name]
    return network(rules), control(rules)


def unit_of(rules: Any) -> float:
    """The value that one unit of a network's output stands for; 1 where it is the log-odds of a win."""
    return ingenious_layout.SOLITAIRE_UNIT if rules.num_sheets == 1 else 1.0


def as_played(rules: AnyRules, network: nn.Module) -> ValueNetwork:
    """A network as agents play it."""
    layers = [layer for layer in network.modules() if isinstance(layer, nn.Linear)]
    parts = [part for layer in layers for part in (layer.bias, layer.weight.T.reshape(-1))]
    return ValueNetwork(rules, torch.cat(parts).detach().numpy().astype(np.float32))
