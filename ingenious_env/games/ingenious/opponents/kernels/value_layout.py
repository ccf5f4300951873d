"""The architecture of the value network: its inputs, hidden units and output.

All colours share their weights:

    inputs of one colour  ── FIRST ── SECOND ─┐
      …, the same weights                     ├─ sum ─┬─ THIRD ── output
    inputs of another     ── FIRST ── SECOND ─┘       │
    inputs for all colours together ──────────────────┘
"""

from __future__ import annotations

LEVELS = 8  # thresholds of points by which cells are counted: at least 1, …, at least 8
OF_TILES = 4  # inputs of a colour: tiles of it on the own rack, and tiles not seen
NEAR = 5  # spaces before a stop, each with an input of its own
OF_STOP = NEAR + 2  # inputs of a colour: the distance of its counter from where it stops
NEIGHBOURS = 6  # of a cell; empty cells are counted by how many of theirs are empty
BY_COLOUR = 2 + 3 * LEVELS + OF_TILES + OF_STOP + LEVELS  # inputs of a colour, beside the counters
OF_ALL = 6 + NEIGHBOURS  # inputs for all colours together, beside the sorted counters
FIRST, SECOND, THIRD = 64, 32, 64  # units of the hidden layers
SOLITAIRE_UNIT = 4.0  # spaces that one unit of the output stands for in solitaire, to keep it near one
