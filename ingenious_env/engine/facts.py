"""Facts of a game that adapters, pages and documentation read: its variants, and who draws what in a deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

OUT, START = -1, -2
"""Besides seats, recipients of a tile in the deal: out of the game, and the board."""

Unit = Literal["win", "points", "spaces", "utility", "preference", "choice"]
"""The unit of values of actions, and of results.

    win           an estimated share of the win, from 0 to 1, on the policy's own scale, which is too high for
                  the best of many actions; searches may add a little for a lead (see their classes)
    points        points, as the game counts them
    spaces        spaces of the lowest counters, in solitaire
    utility       numbers without a unit, for comparison with each other
    preference    probabilities with which the policy would choose
    choice        nothing: the only action is the one that the policy plays
"""


class Preset(NamedTuple):
    """A variant that pages offer.

    Attributes:
        title: the displayed name.
        rules: the variant.
    """

    title: str
    rules: Any


def rules_of(presets: Mapping[str, Preset]) -> dict[str, Any]:
    """The rules of presets, by name."""
    return {name: preset.rules for name, preset in presets.items()}
