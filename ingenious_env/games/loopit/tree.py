"""Consequences of racks: public inferences, and updates after a deal in mid-game (LOOPIT.md 3.3, 5.1)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.definition import MOST_VARIANTS
from ingenious_env.games.loopit.game import Game
from ingenious_env.games.loopit.material import Material, ends_to_bits
from ingenious_env.games.loopit.state import CHOOSE, NO_TILE, OVER, PLACE, GameState, derive


def no_start(game: Game) -> str:
    """Why no game can begin in the middle of a turn."""
    return "start must be the beginning of a turn" if game.state.laid[0] else ""


def settle(state: GameState) -> None:
    """Count the tiles not put out; find whether the seats to move, or any seat, can lay a tile."""
    derive(state)
    find_phases(state)


def find_phases(state: GameState) -> None:
    """Set phases by the tiles that fit somewhere: on the rack of the seat to move, or left at all."""
    fits = np.asarray(state.fits.any(axis=2))  # by game and pattern
    rows = np.arange(state.num_games)
    racks = state.racks[rows, state.to_play]
    patterns = patterns_of_types(state.rules.material)[np.where(racks == NO_TILE, 0, racks)]
    lays = (fits[rows[:, None], patterns] & (racks != NO_TILE)).any(axis=1)
    goes_on = (fits & (state.left > 0)).any(axis=1)
    state.phase[:] = np.where(lays, PLACE, np.where(goes_on, CHOOSE, OVER))


def barred(game: Game) -> frozenset[int]:
    """The types that fit somewhere, if the seat to move may throw its rack back: it can hold none of them."""
    if game.state.phase[0] != CHOOSE:
        return frozenset()
    fits = game.state.fits[0].any(axis=1)
    return frozenset(np.flatnonzero(fits[patterns_of_types(game.rules.material)]).tolist())


@lru_cache(MOST_VARIANTS)
def patterns_of_types(material: Material) -> NDArray[np.int64]:
    """[Y]: the pattern of each type."""
    return np.array([material.patterns.index(ends_to_bits(ends)) for ends, _ in material.types])
