"""Phases of a game, and the action of a game that is over."""

from __future__ import annotations

PLACE, CHOOSE, OVER = 0, 1, 2
"""Phases of a game: a tile is due, one of the named choices is due, or the game is over."""
NO_ACTION = -1
"""The entry for a finished game among the actions of a batch."""
