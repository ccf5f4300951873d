"""The board game Ingenious, exact and compiled, for reinforcement learning."""

from __future__ import annotations

from ingenious_env import ingenious_v0
from ingenious_env.engine import GameBatch
from ingenious_env.errors import IllegalActionError, InconsistentStateError
from ingenious_env.game import Game
from ingenious_env.moves import Place
from ingenious_env.registration import register_gymnasium
from ingenious_env.rules import Rules

register_gymnasium()
ingenious_v0.register_pettingzoo()

__all__ = [
    "Game",
    "GameBatch",
    "IllegalActionError",
    "InconsistentStateError",
    "Place",
    "Rules",
    "ingenious_v0",
]
