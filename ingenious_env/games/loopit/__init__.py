"""Loopit (Goliath, 2008); its rules, including the assumed ones, are in `LOOPIT.md`, cited by paragraph."""

from __future__ import annotations

from ingenious_env.games.loopit.definition import LOOPIT
from ingenious_env.games.loopit.game import Game
from ingenious_env.games.loopit.material import Material, load_material, standard_material
from ingenious_env.games.loopit.moves import Lay
from ingenious_env.games.loopit.rules import Rules

__all__ = ["LOOPIT", "Game", "Lay", "Material", "Rules", "load_material", "standard_material"]
