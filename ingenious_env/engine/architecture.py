"""`Architecture`: the layers of a value network, described once.

Compiled inference, the file of weights and the module that is trained follow from the description.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from numba.extending import register_jitable


@register_jitable  # also for kernels
def layer_size(inputs: int, outputs: int) -> int:
    """The number of weights of a dense layer: its biases, then input by input the weights to all outputs."""
    return (inputs + 1) * outputs


@register_jitable
def next_layer(weights, inputs, outputs):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN201 - by Numba
    """The weights after those of a dense layer."""
    return weights[layer_size(inputs, outputs) :]


@dataclass(frozen=True)
class Architecture:
    """Dense layers with rectified outputs, the last one with a single output that is not rectified.

    Inputs may come in groups that share the weights of their first layers; the outputs of these are summed:

        inputs of one group   ── shared layers ──┐
          …                                      ├─ sum ─┬─ further layers ── output
        inputs of another     ── shared layers ──┘       │
        inputs for all groups together ──────────────────┘

    Attributes:
        groups: the number of groups, G; 0 if all inputs go into the further layers.
        shared: the number of inputs of a group, then of the units of each shared layer; empty without groups.
        together: the number of inputs for all groups together.
        layers: the number of units of each further layer but the last, which has one.
        unit: the value of one unit of the output.
    """

    groups: int
    shared: tuple[int, ...]
    together: int
    layers: tuple[int, ...]
    unit: float = 1.0

    @property
    def num_inputs(self) -> int:
        """The number of inputs, I: group after group, then those for all together."""
        return self.groups * (self.shared[0] if self.groups else 0) + self.together

    @property
    def joined(self) -> int:
        """The number of inputs of the first of the further layers."""
        return (self.shared[-1] if self.groups else 0) + self.together

    @property
    def dense(self) -> Iterator[tuple[int, int]]:
        """The inputs and outputs of each dense layer, in the order of their weights."""
        yield from pairwise(self.shared)
        yield from pairwise((self.joined, *self.layers, 1))

    @property
    def num_weights(self) -> int:
        """The number of weights of all layers."""
        return sum(layer_size(inputs, outputs) for inputs, outputs in self.dense)
