"""The board games Ingenious and Loopit, exact and compiled, for reinforcement learning."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from ingenious_env import ingenious_v0, loopit_v0
from ingenious_env.engine.batch import NO_ACTION, GameBatch
from ingenious_env.engine.records import Record
from ingenious_env.envs.registration import register_environments, register_game
from ingenious_env.errors import IllegalActionError, InconsistentStateError
from ingenious_env.games.ingenious import Game, Place, Rules
from ingenious_env.policies.real_table import RealTable
from ingenious_env.policies.session import Session
from ingenious_env.policies.view import Policy, View

try:
    __version__ = version("ingenious-env")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "unknown"

register_environments()

__all__ = [
    "NO_ACTION",
    "Game",
    "GameBatch",
    "IllegalActionError",
    "InconsistentStateError",
    "Place",
    "Policy",
    "RealTable",
    "Record",
    "Rules",
    "Session",
    "View",
    "__version__",
    "ingenious_v0",
    "loopit_v0",
    "register_game",
]
