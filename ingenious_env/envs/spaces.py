"""Observations in the form an environment was asked for, and the Gymnasium spaces that describe them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ingenious_env.engine.checks import check_choice
from ingenious_env.engine.observation import FORMS, ObservationLayout

Observation = NDArray[Any] | dict[str, NDArray[Any]]


class Encoder:
    """Turns vector observations into one of the forms: "vector", "planes" or "dict".

    Args:
        layout: of the vectors.
        form: one of these.

    Attributes:
        space: the space of one observation.
    """

    def __init__(self, layout: ObservationLayout, form: str) -> None:
        check_choice("observation", form, FORMS)
        self.form = form
        self.layout = layout
        self.space = self._space()

    def __call__(self, vectors: NDArray[Any]) -> Observation:
        """Vectors [B, D] in this form, as fresh arrays with first dimension B."""
        return self.layout.encode(vectors, self.form)

    def single(self, vector: NDArray[Any]) -> Observation:
        """One vector [D] in this form, as fresh arrays."""
        if self.form == "vector":
            return vector.copy()
        return pick(self(vector[None]), 0)

    def _space(self) -> spaces.Space[Any]:
        if self.form == "vector":
            return _box(self.layout.highs)
        if self.form == "planes":
            return _box(self.layout.plane_highs())
        return spaces.Dict({name: _box(highs) for name, highs in self.layout.named_highs().items()})


def pick(observation: Observation, row: int) -> Observation:
    """One game's part of an observation of many, as a copy."""
    if isinstance(observation, dict):
        return {name: part[row].copy() for name, part in observation.items()}
    return np.array(observation[row])


def mask_space(num_actions: int) -> spaces.Box:
    """The space of action masks."""
    return spaces.Box(0, 1, (num_actions,), np.int8)


def with_mask(space: spaces.Space[Any], num_actions: int) -> spaces.Dict:
    """The space of observations that hold their mask: a flat `Dict` with an entry `action_mask`."""
    parts = dict(space.spaces) if isinstance(space, spaces.Dict) else {"observation": space}
    return spaces.Dict({**parts, "action_mask": mask_space(num_actions)})


def add_mask(observation: Observation, mask: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
    """An observation that holds its mask, which must be a fresh array."""
    parts = observation if isinstance(observation, dict) else {"observation": observation}
    return {**parts, "action_mask": mask}


def _box(highs: NDArray[Any]) -> spaces.Box:
    return spaces.Box(np.zeros_like(highs), highs, dtype=highs.dtype.type)
