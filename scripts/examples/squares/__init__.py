"""Squares, a small game: the example of docs/howto/add_a_game.md.

Squares is played by two on a board of 4 × 4 squares with tiles of four colours. A turn: place a tile of the
rack on an empty square, for a point and another for each neighbour of its colour, and draw. A
player who scored three points or more may stop or place another tile. The higher score wins once the board
is full.
"""

from .definition import DEFINITION, Game
from .layout import Rules

__all__ = ["DEFINITION", "Game", "Rules"]
