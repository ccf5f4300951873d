"""The kernels of search, made for each game from templates."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ingenious_agents.search.kernels.rollouts import SUMS, VALUES, try_candidates
from ingenious_agents.search.kernels.tree import GROW_TREE, grow_tree
from ingenious_env.compiled.kernel import MAKERS, SPEC, Kernel, bind
from ingenious_env.compiled.targets.target import Signature
from ingenious_env.engine.definition import AnyDefinition, AnyRules, Guide, definition_of
from ingenious_env.policies.greedy import guide_of


class SearchKernels:
    """The kernels of one game.

    Args:
        name: of the game.
        guide: the basis of search.
    """

    def __init__(self, name: str, guide: Guide[Any]) -> None:
        self.guide = guide

        def make(template: Callable[..., Any], signature: Signature) -> Kernel:
            return Kernel(bind(template, guide.kernels), signature, folder=name)

        self.try_candidates = make(
            try_candidates, f"void({SPEC}, int32[::1], int64, int64, uint64, {VALUES}, float64, {SUMS})"
        )
        self.grow_tree = make(grow_tree, GROW_TREE)


def search_kernels(rules: AnyRules) -> SearchKernels:
    """The kernels of the game that the rules belong to; ValueError if it has no guide."""
    return _of_game(definition_of(rules))


def _made_for(game: AnyDefinition) -> None:
    if game.guide is not None:
        _of_game(game)


MAKERS.append(_made_for)


@cache
def _of_game(game: AnyDefinition) -> SearchKernels:
    return SearchKernels(game.name, guide_of(game))
