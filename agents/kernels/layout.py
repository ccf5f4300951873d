"""How the value network is laid out: what its inputs, its hidden units and its answer are.

All colours are judged by the same weights:

    each colour's inputs ── FIRST ── SECOND ─┐
      …, all by the same weights             ├─ sum ─┬─ THIRD ── answer
    another colour's     ── FIRST ── SECOND ─┘       │
    inputs for all colours together ─────────────────┘
"""

from __future__ import annotations

LEVELS = 8  # of points that places for a half are counted by: at least 1, …, at least 8
OF_HAND = 4  # inputs for each colour: what the sheet's seat keeps of it, and what it does not see
NEAR = 5  # spaces before a stop, each with an input of its own
OF_STOP = NEAR + 2  # inputs for each colour: how far its counter is from where it stops
NEIGHBOURS = 6  # of a cell; open cells are counted by how many of theirs are empty
BY_COLOUR = 2 + 3 * LEVELS + OF_HAND + OF_STOP + LEVELS  # inputs for each colour, beside the counters
OF_ALL = 6 + NEIGHBOURS  # inputs for all colours together, beside the counters in ascending order
FIRST, SECOND, THIRD = 64, 32, 64  # units of the hidden layers
SPACES = 4.0  # alone: for one of the network's answer, which keeps it near one
