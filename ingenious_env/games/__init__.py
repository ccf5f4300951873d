"""The games, each in a folder that no other module knows, and what each supplies."""

from __future__ import annotations

from ingenious_env.engine.definition import GameDefinition, definition_of, definitions, register

__all__ = ["GameDefinition", "definition_of", "definitions", "register"]
