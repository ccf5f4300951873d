"""How the value network is laid out: what its inputs, its hidden units and its answer are."""

from __future__ import annotations

LEVELS = 8  # of points that cells are counted by: at least 1, …, at least 8
BY_COLOUR = LEVELS + 4  # inputs for each colour, beside the counters
OF_ALL = 6  # inputs for all colours together
FIRST, SECOND = 128, 64  # units of the two hidden layers
SPACES = 4.0  # alone: for one of the network's answer, which keeps it near one
