"""Policies that play the action of highest value which a single kernel finds."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.kernel import Kernel
from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.facts import Unit


class Ranking(NamedTuple):
    """The kernel that values the actions of a variant, and its settings.

    Attributes:
        kernel: a row kernel. It takes `arguments`, and then two arrays in which it writes for each game as
            many pairs of an action and a value as there are: int32 [B, K] and float64 [B, K].
        arguments: numbers, of the types in the kernel's signature.
        room: K.
        unit: of the values.
    """

    kernel: Kernel
    arguments: tuple[int | float, ...]
    room: int
    unit: Unit


@runtime_checkable
class Ranked(Protocol):
    """A policy that plays the action of highest value of a `Ranking`, the first of several.

    It values games in which hidden tiles were dealt anew (see `View.complete`).
    """

    def ranking(self, rules: AnyRules) -> Ranking:
        """The ranking of a variant; ValueError if it does not play that."""


def ranked(ranking: Ranking, games: GameBatch) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The actions of games and their values.

    Returns:
        actions: int32 [B, K], `NO_ACTION` after the last.
        values: float64 [B, K], −inf after the last.
    """
    actions = np.full((len(games), ranking.room), NO_ACTION, np.int32)
    values = np.full(actions.shape, -np.inf)
    games.run(ranking.kernel, *ranking.arguments, actions, values)
    return actions, values
