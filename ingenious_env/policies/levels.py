"""Opponents of ten strengths, from a beginner to the strongest agent of the package without search.

`RATINGS` has their measured ratings, from `docs/figures/levels.json` (`python -m scripts.levels`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.checks import check_index
from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.value import Value
from ingenious_env.policies.view import Policy, View, check_plays


class Strength(NamedTuple):
    """One of the ten strengths.

    Attributes:
        title: for the player who chooses an opponent.
        text: how it plays, in a sentence.
        policies: what plays, by the name of the game.
    """

    title: str
    text: str
    policies: Mapping[str, Policy]


def _greedy(ingenious: float, loopit: float) -> dict[str, Policy]:
    return {"ingenious": Greedy("points", ingenious), "loopit": Greedy("points", loopit)}


def _value(ingenious: float, loopit: float) -> dict[str, Policy]:
    return {"ingenious": Value(ingenious), "loopit": Value(loopit)}


STRENGTHS = (
    Strength("beginner", "Plays four of five moves at random.", _greedy(0.8, 0.8)),
    Strength("learner", "Plays three of five moves at random, the others for points.", _greedy(0.6, 0.6)),
    Strength(
        "casual", "Takes the most points, and plays about two moves in five at random.", _greedy(0.4, 0.45)
    ),
    Strength("regular", "Takes the most points, and plays one move in five at random.", _greedy(0.2, 0.2)),
    Strength("collector", "Always takes the most points, and looks no further.", _greedy(0.0, 0.0)),
    Strength("thinker", "Evaluates positions well, but often plays a weaker move.", _value(0.031, 0.042)),
    Strength(
        "good player", "Evaluates positions well, but is inaccurate in many turns.", _value(0.0245, 0.034)
    ),
    Strength("strong", "Plays well, with a small error in many turns.", _value(0.018, 0.024)),
    Strength("expert", "Plays very well, with a small error now and then.", _value(0.011, 0.013)),
    Strength("champion", "Always plays the best move that it sees.", _value(0.0, 0.0)),
)
"""The weakest first."""
LOOSENESS = {
    ("ingenious", 1, 1): 0.15,
    ("ingenious", 3, 3): 0.55,
    ("ingenious", 4, 4): 0.42,
    ("ingenious", 4, 2): 0.6,
}
"""Factors of temperatures by game, number of players and number of score sheets, where they are not 1.

A temperature is a share of the highest value. Where a placement changes less of it, as at larger tables, the
same temperature plays more loosely, and the levels above the greedy ones would be weaker than those.
"""
RATINGS = {
    ("ingenious", "two"): (252, 401, 541, 752, 1000, 1165, 1302, 1450, 1611, 1727),
    ("loopit", "two"): (426, 612, 733, 871, 1000, 1126, 1222, 1330, 1471, 1561),
}
"""The measured ratings by game and preset, the weakest first; `greedy` has 1000."""
DEFAULT = 3
"""A level that a newcomer beats sometimes."""


@dataclass(frozen=True)
class Level:
    """Plays at one of ten strengths.

    Attributes:
        number: from 1, the weakest, to 10.
    """

    number: int = DEFAULT

    def __post_init__(self) -> None:
        """Check the number."""
        check_index("number", self.number, 1, len(STRENGTHS))

    def check(self, rules: AnyRules) -> None:
        """ValueError if there are no levels of the game, or no network of the variant."""
        check_plays(self.policy(rules), rules)

    def act(self, view: View) -> NDArray[np.integer[Any]]:
        """An action for each game, integers [B]; ValueError as `check`."""
        return self.policy(view.rules).act(view)

    def policy(self, rules: AnyRules) -> Policy:
        """What plays in a game; ValueError if it has no levels."""
        game, policies = definition_of(rules).name, STRENGTHS[self.number - 1].policies
        if game not in policies:
            msg = f"there are no levels of {game}"
            raise ValueError(msg)
        policy = policies[game]
        return Value(policy.temperature * looseness(rules)) if isinstance(policy, Value) else policy


def looseness(rules: AnyRules) -> float:
    """The factor of the levels' temperatures in a variant."""
    return LOOSENESS.get((definition_of(rules).name, rules.num_players, rules.num_sheets), 1.0)
