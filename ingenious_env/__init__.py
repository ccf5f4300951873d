"""The board game Ingenious, exact and compiled, for reinforcement learning."""

from __future__ import annotations

from ingenious_env.engine import GameBatch
from ingenious_env.errors import IllegalActionError, InconsistentStateError
from ingenious_env.game import Game
from ingenious_env.moves import Place
from ingenious_env.rules import Rules

__all__ = ["Game", "GameBatch", "IllegalActionError", "InconsistentStateError", "Place", "Rules"]
