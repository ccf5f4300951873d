"""Calibration: from a network's values to the shares of the win if it plays on at all seats.

The value of the best of many positions, each estimated with an error, is too high on average. A monotone
curve, fitted to the results of games that the network played to their ends, corrects this:

    chance = σ(a + b·logit v + c·p + d·p·logit v + e·p²)

where v is the value, as a share of the highest one, and p the progress of the game (see `ValueModel`).

Players who do not play on as the network would have other results: weaker ones win less often from a good
position, and end solitaire much lower.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

NUM_COEFFICIENTS = 5
MAX_COEFFICIENT = 1_000_000
MARGIN = 1e-3
"""Values closer to 0 or 1 than this are clipped."""


@dataclass(frozen=True)
class Calibration:
    """The curve of one network.

    Attributes:
        coefficients: a, b, c, d and e.
    """

    coefficients: tuple[float, ...]

    def __post_init__(self) -> None:
        """ValueError unless these are five numbers of a curve that rises with the value."""
        found = self.coefficients
        if len(found) != NUM_COEFFICIENTS or not (np.abs(found) <= MAX_COEFFICIENT).all():
            msg = f"a calibration has {NUM_COEFFICIENTS} numbers up to {MAX_COEFFICIENT}, not {list(found)}"
            raise ValueError(msg)
        _, slope, _, change, _ = found
        if min(slope, slope + change) <= 0:
            msg = f"the slope of a calibration must be above 0, not from {slope} to {slope + change}"
            raise ValueError(msg)

    @classmethod
    def read(cls, numbers: Any) -> Calibration | None:
        """The calibration in a file's header; None if there is none.

        Raises:
            TypeError, ValueError: it is something else.
        """
        if numbers is None:
            return None
        if not isinstance(numbers, list):
            msg = f"a calibration must be a list of {NUM_COEFFICIENTS} numbers, not {numbers!r}"
            raise TypeError(msg)
        if not all(type(number) in (int, float) for number in numbers):
            msg = f"a calibration must be a list of {NUM_COEFFICIENTS} numbers, not {numbers!r}"
            raise TypeError(msg)
        return cls(tuple(float(number) for number in numbers))

    def shares(self, values: ArrayLike, progress: ArrayLike) -> NDArray[np.float64]:
        """The shares of the win that values correspond to.

        Args:
            values: as shares of the highest value, from 0 to 1.
            progress: of the game, from 0 to 1; broadcast against `values`.
        """
        return sigmoid(features(values, progress) @ np.asarray(self.coefficients))


def features(values: ArrayLike, progress: ArrayLike) -> NDArray[np.float64]:
    """The factors of the coefficients, [..., 5] (see `Calibration.shares`)."""
    share = np.clip(np.asarray(values, np.float64), MARGIN, 1 - MARGIN)
    logit = np.log(share / (1 - share))
    logit, p = np.broadcast_arrays(logit, np.asarray(progress, np.float64))
    return np.stack([np.ones_like(logit), logit, p, p * logit, p * p], axis=-1)


def sigmoid(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + exp(-x)), without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * numbers))
