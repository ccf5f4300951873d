"""The games, each in a folder that no other module imports by name."""

from __future__ import annotations

from ingenious_env.compiled.actions import ActionSpace
from ingenious_env.compiled.rows import Description, Field, RowLayout, Table
from ingenious_env.engine.checks import check_choice, check_index
from ingenious_env.engine.choices import Choice
from ingenious_env.engine.definition import (
    GameDefinition,
    Guide,
    PageModel,
    ValueModel,
    definition_of,
    definitions,
)
from ingenious_env.engine.facts import Preset
from ingenious_env.engine.game import BaseGame
from ingenious_env.engine.observation import ObservationLayout
from ingenious_env.engine.ranking import rank_numbers
from ingenious_env.engine.rewards import SeatReward, outcome_by
from ingenious_env.engine.state import GameState

__all__ = [
    "ActionSpace",
    "BaseGame",
    "Choice",
    "Description",
    "Field",
    "GameDefinition",
    "GameState",
    "Guide",
    "ObservationLayout",
    "PageModel",
    "Preset",
    "RowLayout",
    "SeatReward",
    "Table",
    "ValueModel",
    "check_choice",
    "check_index",
    "definition_of",
    "definitions",
    "outcome_by",
    "rank_numbers",
]
