"""The games, each in a folder that no other module imports by name."""

from __future__ import annotations

from ingenious_env.engine.definition import GameDefinition, definition_of, definitions, register

__all__ = ["GameDefinition", "definition_of", "definitions", "register"]
