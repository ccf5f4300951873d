"""Layouts of observations: named sections of one vector, and other forms made from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.checks import check_choice

FORMS = ("vector", "planes", "dict")


class Section(NamedTuple):
    """One part of the vector: its begin and end, its shape and its largest value; the smallest is 0."""

    start: int
    stop: int
    shape: tuple[int, ...]
    high: int


class ObservationLayout(ABC):
    """The places of all entries in the observations of a variant.

    A game derives a class that defines how sections become planes and named arrays.

    Args:
        parts: by name, in order, the shape of each section and its largest value.
    """

    dtype: Any = np.int8
    """The dtype of the vector."""

    def __init__(self, parts: Mapping[str, tuple[tuple[int, ...], int]]) -> None:
        self.sections: dict[str, Section] = {}
        start = 0
        for name, (shape, high) in parts.items():
            stop = start + prod(shape)
            self.sections[name] = Section(start, stop, shape, high)
            start = stop
        self.size = start
        """Length of the vector, D."""
        self.nothing = np.zeros((0, 0), self.dtype)
        """The placeholder for vectors that are not requested."""

    @cached_property
    def highs(self) -> NDArray[Any]:
        """The largest value of each entry of the vector, [D]; the smallest is always 0."""
        return np.concatenate(
            [np.full(part.stop - part.start, part.high, self.dtype) for part in self.sections.values()]
        )

    def split(self, vectors: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Vectors [B, D] as one fresh array [B, *shape] per section."""
        return {
            name: vectors[:, part.start : part.stop].reshape(-1, *part.shape).copy()
            for name, part in self.sections.items()
        }

    def named(self, vectors: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Vectors [B, D] as fresh arrays by name, in readable form."""
        return self.split(vectors)

    def named_highs(self) -> dict[str, NDArray[Any]]:
        """The largest value of each entry of `named`."""
        return {name: high[0] for name, high in self.named(self.highs[None]).items()}

    @abstractmethod
    def planes(self, vectors: NDArray[Any]) -> NDArray[Any]:
        """Vectors [B, D] as fresh planes [B, planes, rows, columns] over the board."""

    @abstractmethod
    def plane_highs(self) -> NDArray[Any]:
        """The largest value of each entry of `planes`."""

    def encode(self, vectors: NDArray[Any], form: str) -> NDArray[Any] | dict[str, NDArray[Any]]:
        """Vectors [B, D] in one of the `FORMS`, as fresh arrays with first dimension B."""
        check_choice("observation", form, FORMS)
        if form == "planes":
            return self.planes(vectors)
        if form == "dict":
            return self.named(vectors)
        return vectors.copy()
