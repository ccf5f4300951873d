"""Observations in the form an environment was asked for, and the Gymnasium spaces that describe them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ingenious_env.observation import Layout
from ingenious_env.rules import Rules

FORMS = ("vector", "planes", "dict")

Observation = NDArray[np.int8] | dict[str, NDArray[np.int8]]


class Encoder:
    """Turns vector observations into one of the forms: "vector", "planes" or "dict".

    Attributes:
        space: the space of one observation.
    """

    def __init__(self, rules: Rules, form: str) -> None:
        if form not in FORMS:
            msg = f"observation must be one of {', '.join(FORMS)}, not {form!r}"
            raise ValueError(msg)
        self.form = form
        self.layout = Layout(rules)
        self.space = self._space()

    def __call__(self, vectors: NDArray[np.int8]) -> Observation:
        """Vectors [B, D] in this form, as fresh arrays with B in front."""
        if self.form == "planes":
            return self.layout.planes(vectors)
        if self.form == "dict":
            return self.layout.named(vectors)
        return vectors.copy()

    def single(self, vector: NDArray[np.int8]) -> Observation:
        """One vector [D] in this form."""
        if self.form == "vector":
            return vector.copy()
        encoded = self(vector[None])
        if isinstance(encoded, dict):
            return {name: part[0] for name, part in encoded.items()}
        return np.asarray(encoded[0])

    def _space(self) -> spaces.Space[Any]:
        layout = self.layout
        if self.form == "vector":
            return _box(layout.highs)
        if self.form == "planes":
            highs = self.layout.planes(layout.highs[None])[0]
            highs[: layout.rules.num_colours + 1] = highs[0]  # colours and emptiness exclude each other
            return _box(np.maximum(highs, 1))  # off the board too: Gymnasium warns of entries with one value
        highs_by_name = layout.named(layout.highs[None])
        highs_by_name["board"][:] = layout.rules.num_colours
        return spaces.Dict({name: _box(high[0]) for name, high in highs_by_name.items()})


def _box(highs: NDArray[np.int8]) -> spaces.Box:
    return spaces.Box(np.zeros_like(highs), highs, dtype=np.int8)
