"""The knowledge of one seat, as arrays: the layout of the vector, and the other forms made from it.

Own seat first, the others in turn order. Letters as in `state.py`. The vector, int8 [D], is these sections in
this order, each flattened in C order; `Layout(rules).sections` has their places:

| section | shape | range | meaning |
| --- | --- | --- | --- |
| `ends` | 4, N | 0–1 | the tile on the square has a line end up, right, down, left |
| `values` | N | 0–highest value | the value of the tile on the square, 0 for none |
| `rack` | R, 5 | 0–highest value | own rack, slot by slot: the four line ends, and the value |
| `unseen` | Y | 0–tiles of the type | tiles of each type in the bag, on other racks or put out |
| `scores` | P, 2 | 0–127 | hundreds of the score, and the rest |
| `rack_sizes` | P | 0–R | tiles on the rack |
| `held` | R | 0–1 | staged actions: the slot just picked |
| `to_play` | P | 0–1 | the seat to move |
| `laid` | 1 | 0–tiles a turn | tiles laid in this turn |
| `stuck` | 1 | 0–1 | the choice to throw the own rack back or to keep it is due |
| `rounds_left` | 1 | 0–rounds | with fixed rounds: rounds that are not over, this one included |
| `bag` | 1 | 0–127 | tiles in the bag, at most 127 |

`held` and `stuck` are 0 for a seat that waits, as they depend on another seat's rack.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.observation import ObservationLayout
from ingenious_env.games.loopit.rules import Rules
from ingenious_env.games.loopit.state import MAX_ENTRY, TILE_INPUTS


class Layout(ObservationLayout):
    """The places of all entries in the observations of a variant."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        material, players, slots = rules.material, rules.num_players, rules.rack_size
        highest = max(value for _, value in material.tiles)
        super().__init__(
            {
                "ends": ((4, material.num_cells), 1),
                "values": ((material.num_cells,), highest),
                "rack": ((slots, TILE_INPUTS), highest),
                "unseen": ((len(material.types),), max(material.counts)),
                "scores": ((players, 2), MAX_ENTRY),
                "rack_sizes": ((players,), slots),
                "held": ((slots,), 1),
                "to_play": ((players,), 1),
                "laid": ((1,), rules.tiles_per_turn),
                "stuck": ((1,), 1),
                "rounds_left": ((1,), max(1, rules.num_rounds)),
                "bag": ((1,), min(MAX_ENTRY, rules.num_tiles)),
            }
        )

    @property
    def planes_shape(self) -> tuple[int, int, int]:
        """Shape of the planes: four of line ends, values, factors, then one for each further entry."""
        return (6 + self.size - self.sections["values"].stop, *self.rules.material.shape)

    def planes(self, vectors: NDArray[np.int8]) -> NDArray[np.int8]:
        """Vectors [B, D] as planes [B, *planes_shape] over the board.

        Four planes of line ends, one of values, one of the squares' factors, and the rest of the vector, each
        entry spread over all squares.
        """
        shape, spatial = self.planes_shape, self.sections["values"].stop
        planes = np.empty((len(vectors), *shape), dtype=np.int8)
        planes[:, :5] = vectors[:, :spatial].reshape(-1, 5, *shape[1:])
        planes[:, 5] = self.rules.factors
        planes[:, 6:] = vectors[:, spatial:, None, None]
        return planes

    def plane_highs(self) -> NDArray[np.int8]:
        """The largest value of each entry of `planes`."""
        return np.asarray(self.planes(self.highs[None])[0])

    def named(self, vectors: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
        """Vectors [B, D] as one array [B, *shape] per section; the board's as [B, …, rows, columns].

        `scores` are whole numbers, int16 [B, P].
        """
        arrays: dict[str, NDArray[Any]] = self.split(vectors)
        shape = self.rules.material.shape
        arrays["ends"] = arrays["ends"].reshape(-1, 4, *shape)
        arrays["values"] = arrays["values"].reshape(-1, *shape)
        arrays["scores"] = arrays["scores"].astype(np.int16) @ np.array([100, 1], np.int16)
        return arrays
