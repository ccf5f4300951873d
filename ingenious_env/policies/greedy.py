"""`Greedy`: the action that adds most to a utility, in any game that has a guide, compiled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.kernel import MAKERS, ROWS, Kernel, bind
from ingenious_env.compiled.phases import PLACE
from ingenious_env.compiled.row_kernels import greedy_actions, write_candidates
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.checks import check_choice
from ingenious_env.engine.definition import AnyDefinition, AnyRules, Guide, definition_of, definitions
from ingenious_env.engine.facts import Unit
from ingenious_env.policies.advice import Advice, best_first, completed
from ingenious_env.policies.chance import fractions, words
from ingenious_env.policies.view import View


@dataclass(frozen=True)
class Greedy:
    """Plays the action that adds most to the utility of its seat, ties broken at random by the games' keys.

    Attributes:
        utility: a name in the games' `Guide.utilities`. All games have "points". Ingenious also has
            "concave", which values the spaces of a counter less the further it stands, as the lowest one
            decides the game, and "lowest", which compares as the end of the game does (RULES.md 7.3).
        epsilon: the probability of a uniformly random action instead, from 0 to 1.
    """

    utility: str = "points"
    epsilon: float = 0.0

    def __post_init__(self) -> None:
        """Check the values."""
        if not 0 <= self.epsilon <= 1:
            msg = f"epsilon must be a number from 0 to 1, not {self.epsilon!r}"
            raise ValueError(msg)
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
        batch.run(_greedy_kernel(definition_of(batch.rules)), batch.actions.staged, values, actions)
        if self.epsilon:
            others = view.random_actions()
            return np.where(fractions(words(view.keys, others)) < self.epsilon, others, actions)
        return actions

    def advise(self, view: View, limit: int = 20) -> Advice:
        """The gain in utility of each legal action; named choices gain nothing."""
        games = completed(view, limit)
        values = utility_values(games.rules, self.utility)
        actions, gains, counts = candidate_table(games, values, games.num_actions)
        listed = slice(counts[0])
        unit: Unit = "points" if self.utility == "points" else "utility"
        return best_first(actions[0, listed], gains[0, listed], unit, limit)


def utility_names() -> list[str]:
    """The names of the utilities of all known games, sorted."""
    return sorted({name for game in definitions().values() if game.guide for name in game.guide.utilities})


def guide_of(game: AnyDefinition) -> Guide[Any]:
    """The guide of a game; ValueError if it has none."""
    if game.guide is None:
        msg = f"greedy play and search need a guide, and {game.name} has no guide"
        raise ValueError(msg)
    return game.guide


def utility_values(rules: AnyRules, name: str = "") -> NDArray[np.float64]:
    """The numbers of one of a game's utilities, by default of its first.

    Raises:
        ValueError: the game has no utility of that name, or none at all.
    """
    game = definition_of(rules)
    utilities = guide_of(game).utilities
    name = name or next(iter(utilities), name)
    check_choice(f"utility in {game.name}", name, tuple(utilities))
    return utilities[name](rules)


def candidate_table(
    games: GameBatch, values: NDArray[np.float64], most: int
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]:
    """The flat actions of each game that add most to a utility, at most `most` of them.

    Returns:
        actions: int32 [B, K], the best first; named choices are actions that add nothing.
        gains: float64 [B, K], what they add.
        counts: int64 [B], their number in each game, 0 where it is over.
    """
    shape = (len(games), max(2, most))
    actions, gains, counts = np.zeros(shape, np.int32), np.zeros(shape), np.zeros(len(games), np.int64)
    games.run(_candidates_kernel(definition_of(games.rules)), values, actions, gains, counts)
    counts = np.where(games.phase == PLACE, np.minimum(counts, most), counts)
    return actions, gains, counts


def guide_kernels(game: AnyDefinition) -> list[Kernel]:
    """The kernels made of a game's guide: `greedy_actions` and `write_candidates`; none without a guide."""
    return [] if game.guide is None else [_greedy_kernel(game), _candidates_kernel(game)]


MAKERS.append(guide_kernels)


@cache
def _greedy_kernel(game: AnyDefinition) -> Kernel:
    return _kernel(game, greedy_actions, "boolean, float64[::1], int32[::1]")


@cache
def _candidates_kernel(game: AnyDefinition) -> Kernel:
    return _kernel(game, write_candidates, "float64[::1], int32[:, ::1], float64[:, ::1], int64[::1]")


def _kernel(game: AnyDefinition, template: Callable[..., Any], arguments: str) -> Kernel:
    return Kernel(bind(template, guide_of(game).kernels), f"int64({ROWS}, {arguments})", folder=game.name)
