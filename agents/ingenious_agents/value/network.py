"""Value networks as PyTorch modules, and the control variates that are trained with them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ingenious_agents.value.self_play import learning_of
from ingenious_env.engine.architecture import Architecture
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.extras import needs
from ingenious_env.policies.value import ValueNetwork, model_of

with needs("ingenious_agents.value.network", "ingenious-env[torch]"):
    import torch
    from torch import nn

CONTROL_UNITS = 32  # of the hidden layer of a control variate


class NetworkModule(nn.Module):
    """A value network to be trained.

    Its linear layers are registered in the order of `Architecture.dense`.
    """

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.architecture = architecture
        self.shared = nn.Sequential(*_rectified(architecture.shared))
        further = _rectified((architecture.joined, *architecture.layers, 1))
        self.layers = nn.Sequential(*further[:-1])  # the output is not rectified

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """The outputs [N] for inputs [N, I], before the activation."""
        if self.architecture.groups:
            each, together = split_groups(self.architecture, inputs)
            inputs = torch.cat([self.shared(each).sum(dim=1), together], dim=1)
        outputs: torch.Tensor = self.layers(inputs)
        return outputs.squeeze(1)


class ControlVariate(nn.Module):
    """An estimate of the effect of a draw on the value, with mean 0.

    Excess, the features of a draw less their expectation, is counted for each group of inputs, whose share of
    the estimate follows from the group's inputs; without groups it follows from all inputs. A draw's mean
    excess is 0 for any weights; the better the estimate, the lower the variance of the targets from
    which it is subtracted.
    """

    def __init__(self, architecture: Architecture, num_excess: int) -> None:
        super().__init__()
        self.architecture = architecture
        if architecture.groups:
            sizes = (architecture.shared[0], CONTROL_UNITS, 1)
        else:
            sizes = (architecture.num_inputs, CONTROL_UNITS, num_excess)
        self.layers = nn.Sequential(*_rectified(sizes)[:-1])

    def forward(self, inputs: torch.Tensor, excess: torch.Tensor) -> torch.Tensor:
        """The control variate, [N], from positions' inputs, [N, I], and excess, [N, E]."""
        if self.architecture.groups:
            each, _ = split_groups(self.architecture, inputs)
            effects: torch.Tensor = self.layers(each).squeeze(2)
        else:
            effects = self.layers(inputs)
        return (effects * excess).sum(dim=1)


def _rectified(sizes: tuple[int, ...]) -> list[nn.Module]:
    """Dense layers from one size to the next, each with its rectifier."""
    layers = [(nn.Linear(inputs, outputs), nn.ReLU()) for inputs, outputs in pairwise(sizes)]
    return [module for layer in layers for module in layer]


def split_groups(architecture: Architecture, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Inputs [N, I] by group, [N, G, inputs of a group], and those for all groups together."""
    groups, of_group = architecture.groups, architecture.shared[0]
    each, together = inputs.tensor_split([groups * of_group], dim=1)
    return each.reshape(-1, groups, of_group), together


def networks_for(rules: AnyRules) -> tuple[NetworkModule, ControlVariate]:
    """A network and a control variate for a variant, untrained; ValueError if its game has none."""
    architecture = model_of(rules).architecture(rules)
    return NetworkModule(architecture), ControlVariate(architecture, learning_of(rules).num_excess(rules))


def as_played(rules: AnyRules, network: nn.Module) -> ValueNetwork:
    """A network for agents, its weights rounded to half precision, in which they pack to two thirds."""
    layers = [layer for layer in network.modules() if isinstance(layer, nn.Linear)]
    parts = [part for layer in layers for part in (layer.bias, layer.weight.T.reshape(-1))]
    return ValueNetwork(rules, torch.cat(parts).detach().numpy().astype(np.float16).astype(np.float32))
