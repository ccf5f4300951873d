"""Both games in OpenSpiel, with every drawn tile an outcome of chance; needs the `openspiel` extra.

import pyspiel
import ingenious_env.openspiel

game = pyspiel.load_game("python_ingenious(num_players=2)")
game = pyspiel.load_game("python_loopit(num_players=3,fixed_rounds=True)")
game = ingenious_env.openspiel.load(Game(seed=7))                   # an endgame, or any position
"""

from __future__ import annotations

from typing import Any

import pyspiel

from ingenious_env.core.game import BaseGame
from ingenious_env.openspiel.games import IngeniousGame, LoopitGame, encode

_NAMES: dict[type[BaseGame], str] = {each.game: each.short_name for each in (IngeniousGame, LoopitGame)}


def load(start: BaseGame, **parameters: Any) -> pyspiel.Game:
    """The game that begins with a position, its hidden tiles dealt anew.

    Args:
        start: a position in which a tile is to be placed. Racks and tiles put out are dealt anew from all
            that nobody sees, as many as there are; what was shown in swaps is forgotten.
        parameters: `reward`.

    Raises:
        ValueError: nothing can begin so.
    """
    return pyspiel.load_game(_NAMES[type(start)], {"start": encode(start), **parameters})


__all__ = ["encode", "load"]
