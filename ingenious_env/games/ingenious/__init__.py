"""Ingenious (Einfach Genial, Reiner Knizia); its rules are in `RULES.md`, cited by paragraph."""

from __future__ import annotations

from ingenious_env.games.ingenious.definition import INGENIOUS
from ingenious_env.games.ingenious.game import Game
from ingenious_env.games.ingenious.moves import Place
from ingenious_env.games.ingenious.ranking import rank
from ingenious_env.games.ingenious.rules import Rules

__all__ = ["INGENIOUS", "Game", "Place", "Rules", "rank"]
