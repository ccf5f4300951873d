"""The knowledge of one seat, as arrays: the layout of the vector, and the other forms made from it.

Own seat first, the others in turn order. Letters as in `state.py`. The vector, int8 [D], is these sections in
this order, each flattened in C order; `Layout(rules).sections` has their places:

| section | shape | range | meaning |
| --- | --- | --- | --- |
| `board` | C, N | 0–1 | cell shows the colour, start symbols included |
| `points` | C, N | 0–6 (n − 1) | what half a tile of the colour would score on the empty cell |
| `racks` | 1, R, 2, C | 0–1 | own rack, slot by slot: lower colour, higher colour; P racks when open |
| `scores` | T, C | 0–last space | the counters, own sheet first |
| `unseen` | Y | 0–66 | tiles of each type neither on the board nor on a visible rack |
| `shown` | P, Y | 0–6 | tiles the seat put back in its latest swap, less those placed since |
| `drawn_since` | P, P | 0–R | `[p, q]`: tiles q has drawn since p's latest swap, at most R |
| `held` | R | 0–1 | staged actions: the slot just picked |
| `to_play` | P | 0–1 | the seat to move |
| `touched` | 6 | 0–1 | in the first round: start symbols touched by a tile |
| `first_round` | 1 | 0–1 | this turn is in the first round |
| `may_swap` | 1 | 0–1 | the choice to swap or to keep is due |
| `plays_left` | 1 | 0–1 + 2C | own placements owed in this turn |
| `bag` | 1 | 0–127 | tiles in the bag, at most 127 |

`held`, `may_swap` and `plays_left` are 0 for a seat that waits, as an offer to swap reveals something about
the rack of the seat that has it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.observation import ObservationLayout
from ingenious_env.games.ingenious.geometry import NUM_SYMBOLS
from ingenious_env.games.ingenious.rules import Rules
from ingenious_env.games.ingenious.tiles import EMPTY, tile_types

MAX_ENTRY = 127  # where an int8 stops


class Layout(ObservationLayout):
    """The places of all entries in the observations of a variant."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        players, colours, slots = rules.num_players, rules.num_colours, rules.rack_size
        types, cells = len(tile_types(colours)), rules.geometry.num_cells
        super().__init__(
            {
                "board": ((colours, cells), 1),
                "points": ((colours, cells), rules.max_points),
                "racks": ((players if rules.open_racks else 1, slots, 2, colours), 1),
                "scores": ((rules.num_sheets, colours), rules.last_space),
                "unseen": ((types,), max(rules.tile_counts)),
                "shown": ((players, types), slots),
                "drawn_since": ((players, players), slots),
                "held": ((slots,), 1),
                "to_play": ((players,), 1),
                "touched": ((NUM_SYMBOLS,), 1),
                "first_round": ((1,), 1),
                "may_swap": ((1,), 1),
                "plays_left": ((1,), 1 + 2 * colours),
                "bag": ((1,), min(MAX_ENTRY, rules.num_tiles)),
            }
        )

    @property
    def planes_shape(self) -> tuple[int, int, int]:
        """Shape of the planes: C colours, the empty cells, C points, then one for each further entry."""
        width = 2 * self.rules.board_side - 1
        return (2 * self.rules.num_colours + 1 + self.size - self._spatial, width, width)

    @property
    def _spatial(self) -> int:
        """The end of the part of the vector that has an entry for each cell."""
        return self.sections["points"].stop

    def planes(self, vectors: NDArray[np.int8]) -> NDArray[np.int8]:
        """Vectors [B, D] as planes [B, *planes_shape] on the axial grid, row r + n − 1, column q + n − 1.

        A plane for each colour, one for the empty cells, one for the points of each colour, and the rest of
        the vector, each entry spread over all cells of the board. Grid places off the board are 0.
        """
        columns, rows = (self.rules.cells + self.rules.board_side - 1).T
        colours, cells = self.sections["board"].shape
        board, points = np.split(vectors[:, : self._spatial].reshape(-1, 2 * colours, cells), 2, axis=1)
        planes = np.zeros((len(vectors), *self.planes_shape), dtype=np.int8)
        planes[:, :colours, rows, columns] = board
        planes[:, colours, rows, columns] = 1 - board.sum(axis=1, dtype=np.int8)
        planes[:, colours + 1 : 2 * colours + 1, rows, columns] = points
        planes[:, 2 * colours + 1 :, rows, columns] = vectors[:, self._spatial :, None]
        return planes

    def plane_highs(self) -> NDArray[np.int8]:
        """The largest value of each entry of `planes`, at least 1, or Gymnasium warns of constant entries."""
        return np.asarray(np.maximum(self.planes(self.highs[None])[0], 1))

    def named(self, vectors: NDArray[np.int8]) -> dict[str, NDArray[np.int8]]:
        """Vectors [B, D] as one array [B, *shape] per section; the board as colours, [B, N], 0 for empty.

        Colours on the board count from 1. Where a colour is an index, as in `points`, `racks` and `scores`,
        index 0 is colour 1.
        """
        arrays = self.split(vectors)
        colours = np.arange(1, self.rules.num_colours + 1, dtype=np.int8)
        arrays["board"] = (arrays["board"] * colours[:, None]).sum(axis=1, dtype=np.int8) + np.int8(EMPTY)
        return arrays

    def named_highs(self) -> dict[str, NDArray[np.int8]]:
        """The largest value of each entry of `named`."""
        highs = super().named_highs()
        highs["board"][:] = self.rules.num_colours
        return highs
