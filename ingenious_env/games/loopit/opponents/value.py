"""The value networks of Loopit: the ends of turns, before the draw."""

from __future__ import annotations

from pathlib import Path

from ingenious_env.engine.architecture import Architecture
from ingenious_env.engine.definition import ValueModel
from ingenious_env.engine.facts import rules_of
from ingenious_env.games.loopit.facts import PRESETS
from ingenious_env.games.loopit.opponents.kernels import value_layout
from ingenious_env.games.loopit.opponents.kernels.plans import MAX_WIDTH
from ingenious_env.games.loopit.opponents.kernels.value import best_actions, rank_actions
from ingenious_env.games.loopit.opponents.planner import num_plans
from ingenious_env.games.loopit.rules import Rules


def architecture(rules: Rules) -> Architecture:
    """The architecture of a variant's network."""
    return value_layout.architecture(rules.num_players, rules.rack_size, len(rules.material.patterns))


MODEL = ValueModel(
    form="loopit-value 2",
    folder=Path(__file__).parent / "weights",
    variants=rules_of(PRESETS),
    architecture=architecture,
    earlier_architectures=lambda _: (),
    best_actions=best_actions,
    rank_actions=rank_actions,
    num_ranked=num_plans,
    num_compared=num_plans,
    utility="points",
    candidates=128,
    luck_candidates=1,
    max_candidates=MAX_WIDTH,
    max_placed=lambda rules: rules.num_tiles,
)
"""The value is a share of the win; candidates are the plans kept after each placement."""
