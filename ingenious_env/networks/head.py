"""The distribution of placements as an operation of PyTorch, compiled for the CPU."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from ingenious_env.networks import kernels


class Terms(NamedTuple):
    """The terms of the logits of a batch's placements; `kernels.py` has shapes and meanings.

    Attributes:
        points, room: of the cells.
        shift, inner, outer, biases: of the units that evaluate them.
        part: of the slots.
        tiles: on the racks.
    """

    points: torch.Tensor
    room: torch.Tensor
    shift: torch.Tensor
    inner: torch.Tensor
    outer: torch.Tensor
    biases: torch.Tensor
    part: torch.Tensor
    tiles: torch.Tensor


def _arrays(tensors: tuple[torch.Tensor, ...]) -> list[NDArray[Any]]:
    """The arguments of kernels: tensors of any precision, as from autocast and `double`, as float32."""
    found = (tensor.detach().contiguous() for tensor in tensors)
    return [(each.float() if each.is_floating_point() else each).numpy() for each in found]


class _Chances(torch.autograd.Function):
    """Log-probabilities and entropies, both float32 [B], from `Terms`, masks, pairs and actions."""

    @staticmethod
    def forward(ctx: Any, *tensors: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        arrays = _arrays(tensors)
        log_probs, entropies = (torch.empty(len(arrays[0]), dtype=torch.float32) for _ in range(2))
        kernels.write_chances(*arrays, log_probs.numpy(), entropies.numpy())
        ctx.save_for_backward(*tensors)
        return log_probs, entropies

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        tensors = ctx.saved_tensors
        terms = Terms(*tensors[: len(Terms._fields)])
        shift, part = (torch.zeros_like(each, dtype=torch.float32) for each in (terms.shift, terms.part))
        weights = [np.zeros(each.shape) for each in (terms.inner, terms.outer, terms.biases)]
        kernels.add_gradients(*_arrays(tensors), *_arrays(gradients), shift.numpy(), *weights, part.numpy())
        inner, outer, biases = map(torch.from_numpy, weights)
        found = (
            None,
            None,
            shift,
            inner,
            outer,
            biases,
            part,
            None,
        )  # the others have no gradients
        of_terms = (None if grad is None else grad.to(term) for grad, term in zip(found, terms, strict=True))
        return (*of_terms, None, None, None)


def chances(
    terms: Terms, masks: torch.Tensor, pairs: torch.Tensor, actions: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-probabilities of flat placements and entropies, both float32 [B]; 0 where none is legal.

    Args:
        terms: on the CPU.
        masks: int8 [B, A].
        pairs: int16 [K, 2].
        actions: int64 [B].
    """
    found: tuple[torch.Tensor, torch.Tensor] = _Chances.apply(*terms, masks, pairs, actions)
    return found


def drawn(
    terms: Terms, masks: torch.Tensor, pairs: torch.Tensor, random: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Random placements, int64 [B], and their log-probabilities, float32 [B]; 0 where none is legal.

    Args:
        terms: on the CPU.
        masks: int8 [B, A].
        pairs: int16 [K, 2].
        random: float64 [B], numbers in [0, 1) that determine the actions.
    """
    actions = torch.zeros(len(masks), dtype=torch.int64)
    log_probs = torch.zeros(len(masks), dtype=torch.float32)
    arrays = _arrays((*terms, masks, pairs))
    kernels.draw_actions(*arrays, actions.numpy(), random.numpy(), log_probs.numpy())
    return actions, log_probs
