"""`Greedy`: the action at hand that adds most to a utility, in any game that has a guide, compiled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ingenious_env.core.checks import check_choice
from ingenious_env.core.definition import AnyRules, GameDefinition, definition_of, definitions
from ingenious_env.core.kernel import ROWS, Kernel, bind
from ingenious_env.core.row_kernels import greedy_actions
from ingenious_env.core.view import View


@dataclass(frozen=True)
class Greedy:
    """Plays the action that adds most to the utility of its seat, equals drawn for by the games' keys.

    Attributes:
        utility: a name in the games' `Guide.utilities`. All games have "points". Ingenious also has
            "concave", which values the spaces of a counter less the further it stands, as the lowest one
            decides the game, and "lowest", which compares as the end of the game does (RULES.md 7.3).
    """

    utility: str = "points"

    def __post_init__(self) -> None:
        """Check the name."""
        known = utility_names()
        if known:  # none while the games are being imported
            check_choice("utility", self.utility, known)

    def check(self, rules: AnyRules) -> None:
        """ValueError if the game has no such utility."""
        utility_values(rules, self.utility)

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the greedy action for each game, `NO_ACTION` for finished ones."""
        batch = view._batch
        actions = np.empty(len(batch), np.int32)
        values = utility_values(batch.rules, self.utility)
        batch.run(_kernel(definition_of(batch.rules)), batch.actions.staged, values, actions)
        return actions


def utility_names() -> list[str]:
    """The names of the utilities of all known games, sorted."""
    return sorted({name for game in definitions().values() if game.guide for name in game.guide.utilities})


def utility_values(rules: AnyRules, name: str = "") -> NDArray[np.float64]:
    """The numbers of one of a game's utilities, by default of its first.

    Raises:
        ValueError: the game has no utility of that name.
    """
    game = definition_of(rules)
    utilities = game.guide.utilities if game.guide else {}
    name = name or next(iter(utilities), name)
    check_choice(f"utility in {game.name}", name, tuple(utilities))
    return utilities[name](rules)


@cache
def _kernel(game: GameDefinition) -> Kernel:
    assert game.guide is not None  # noqa: S101 - it has a utility
    template = bind(greedy_actions, game.guide.kernels)
    return Kernel(template, f"int64({ROWS}, boolean, float64[::1], int32[::1])", folder=game.name)
