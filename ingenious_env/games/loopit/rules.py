"""`Rules`: the numbers that make one variant of Loopit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.checks import check_bool, check_index
from ingenious_env.games.loopit.material import Material, Tile, load_material, standard_material

MIN_PLAYERS, MAX_PLAYERS = 2, 4
MAX_RACK = 7
FIXED_ROUNDS = {2: (13, 4), 3: (9, 2), 4: (7, 0)}
"""By the number of players, the rounds and the tiles that are put out of the game (LOOPIT.md 2.2)."""
MAX_OUT = 4


@dataclass(frozen=True, init=False)
class Rules:
    """One variant of the game, checked on construction.

    Args:
        num_players: 2 to 4.
        fixed_rounds: whether the game ends after a fixed number of rounds (LOOPIT.md 2.2).
        material: the board and the tiles, their fields by name, or the path of a file with them (see
            `material.py`); None is that of the package, which is assumed.
        rack_size: tiles on a full rack, 1 to 7.
        tiles_per_turn: the most tiles that can be laid in a turn, 1 to 7.

    Raises:
        TypeError: a value is of the wrong type.
        ValueError: a value, or a combination of them, is impossible.
        OSError: the file cannot be read.
    """

    num_players: int
    fixed_rounds: bool
    material: Material
    rack_size: int
    tiles_per_turn: int

    def __init__(
        self,
        num_players: int = 2,
        *,
        fixed_rounds: bool = False,
        material: Material | Mapping[str, Any] | str | Path | None = None,
        rack_size: int = 5,
        tiles_per_turn: int = 3,
    ) -> None:
        if material is None:
            material = standard_material()
        elif isinstance(material, (str, Path)):
            material = load_material(material)
        elif isinstance(material, Mapping):
            material = Material(**material)
        elif not isinstance(material, Material):
            msg = f"material must be a Material, the path of a file or None, not {material!r}"
            raise TypeError(msg)
        values = {
            "num_players": check_index("num_players", num_players, MIN_PLAYERS, MAX_PLAYERS),
            "fixed_rounds": check_bool("fixed_rounds", fixed_rounds),
            "material": material,
            "rack_size": check_index("rack_size", rack_size, 1, MAX_RACK),
            "tiles_per_turn": check_index("tiles_per_turn", tiles_per_turn, 1, MAX_RACK),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        needed = self.num_players * self.rack_size + 1 + self.num_out
        if self.num_tiles < needed:
            msg = f"{self.num_players} players need {needed} tiles to begin, and there are {self.num_tiles}"
            raise ValueError(msg)

    @property
    def tiles(self) -> list[Tile]:
        """All tiles as (line ends, value)."""
        return list(self.material.tiles)

    @property
    def factors(self) -> NDArray[np.int64]:
        """Int64 [rows, columns]: the factor by which the value of a tile on each square is multiplied."""
        return np.array(self.material.factors, dtype=np.int64)

    @property
    def num_tiles(self) -> int:
        """All tiles."""
        return len(self.material.tiles)

    @property
    def num_rounds(self) -> int:
        """Rounds after which the game ends, 0 for as long as tiles can be laid (LOOPIT.md 2.2)."""
        return FIXED_ROUNDS[self.num_players][0] if self.fixed_rounds else 0

    @property
    def num_out(self) -> int:
        """Tiles that are put out of the game unseen (LOOPIT.md 2.2)."""
        return FIXED_ROUNDS[self.num_players][1] if self.fixed_rounds else 0

    @property
    def num_sheets(self) -> int:
        """Scores, T: one per player."""
        return self.num_players

    def sheet_of(self, player: int) -> int:
        """The score to which a player's tiles count."""
        return player
