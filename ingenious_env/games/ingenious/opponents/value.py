"""The value networks of Ingenious: the positions after a placement, before the draw."""

from __future__ import annotations

from pathlib import Path

from ingenious_env.engine.architecture import Architecture
from ingenious_env.engine.definition import ValueModel
from ingenious_env.engine.facts import rules_of
from ingenious_env.games.ingenious.facts import PRESETS
from ingenious_env.games.ingenious.opponents.kernels import value_layout
from ingenious_env.games.ingenious.opponents.kernels.value import best_actions, rank_actions
from ingenious_env.games.ingenious.rules import Rules


def architecture(rules: Rules) -> Architecture:
    """The architecture of a variant's network: in solitaire with inputs on the next tile."""
    return value_layout.architecture(rules.num_sheets, rules.num_colours, int(rules.num_sheets == 1))


def earlier_architectures(rules: Rules) -> tuple[Architecture, ...]:
    """Those of earlier networks: in solitaire without inputs on the next tile."""
    if rules.num_sheets > 1:
        return ()
    return (value_layout.architecture(rules.num_sheets, rules.num_colours, 0),)


def num_ranked(rules: Rules, _candidates: int) -> int:
    """The number of placements."""
    return 2 * rules.rack_size * rules.geometry.num_pairs


MODEL = ValueModel(
    form="ingenious-value 5",
    folder=Path(__file__).parent / "weights",
    variants=rules_of(PRESETS),
    architecture=architecture,
    earlier_architectures=earlier_architectures,
    best_actions=best_actions,
    rank_actions=rank_actions,
    num_ranked=num_ranked,
    num_compared=lambda _rules, candidates: candidates,
    utility="concave",
    candidates=200,
    luck_candidates=12,
    max_candidates=10_000,
    max_placed=lambda rules: (rules.geometry.num_cells - len(rules.start_symbols)) // 2,
)
"""Against others the value is a share of the win; in solitaire a mean of the lowest four counters, the lowest
counting most."""
