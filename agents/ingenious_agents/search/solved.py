"""The table of solved positions that the exact solvers share, and its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ingenious_agents.search.kernels.exact import DEPTH, FULL, NODES, STATES, STATUS
from ingenious_env import Game, Rules
from ingenious_env.engine.files import arrays_of, write_arrays

BYTES_PER_STATE = 24
FORMAT = "ingenious solved positions 1"
MIN_STATES = 1 << 10
MAX_NODES = 1 << 62


class BudgetError(RuntimeError):
    """The table is full, or as many nodes as allowed have been tried."""


class SolvedPositions:
    """The values of positions of one variant, by two hashes of each.

    Args:
        rules: the variant.
        memory: bytes, rounded down to a power of two of places.

    Attributes:
        rules: as given.
        keys: uint64 [S, 2], zeros where a place is free.
        values: float64 [S].
        progress: int64 [4], `DEPTH`, `NODES`, `STATES` and `STATUS` of the kernels.
    """

    def __init__(self, rules: Rules, memory: int) -> None:
        places = 1 << (max(MIN_STATES, memory // BYTES_PER_STATE).bit_length() - 1)
        self.rules = rules
        self.keys = np.zeros((places, 2), np.uint64)
        self.values = np.zeros(places)
        self.progress = np.zeros(4, np.int64)
        self.progress[DEPTH] = -1

    @property
    def states(self) -> int:
        """The number of solved positions."""
        return int(self.progress[STATES])

    @property
    def nodes(self) -> int:
        """The number of nodes that were tried."""
        return int(self.progress[NODES])

    @property
    def is_full(self) -> bool:
        """Whether the latest attempt ended for lack of places."""
        return bool(self.progress[STATUS] == FULL)

    def check(self, game: Game) -> None:
        """ValueError if a game is over, or of another variant."""
        if game.rules != self.rules:
            msg = f"this solver is for {self.rules}, not for {game.rules}"
            raise ValueError(msg)
        if game.is_over:
            msg = "the game is over: there is nothing to solve"
            raise ValueError(msg)

    def full(self) -> BudgetError:
        """The error for a full table."""
        return BudgetError(f"the table is full with {self.states} positions")

    def save(self, path: Path) -> None:
        """Write the solved positions."""
        used = np.flatnonzero(self.keys[:, 0])
        header: dict[str, Any] = {"format": FORMAT, "rules": repr(self.rules)}
        write_arrays(path, header, {"keys": self.keys[used], "values": self.values[used]})

    def load(self, path: Path) -> None:
        """Take up the solved positions of a file.

        Raises:
            OSError: it cannot be read.
            ValueError: it is not such a file, or of another variant.
            BudgetError: there are more of them than the table holds.
        """
        with arrays_of(path, (FORMAT,), "solved positions", "ingenious solve") as (header, arrays):
            if header["rules"] != repr(self.rules):
                msg = f"it has positions of {header['rules']}"
                raise ValueError(msg)
            keys, values = arrays["keys"], arrays["values"]
            right = keys.dtype == np.uint64 and keys.shape == (len(values), 2) and values.dtype == np.float64
            if not right or not (keys[:, 0] & np.uint64(1)).all() or not np.isfinite(values).all():
                msg = "its keys and values are not those of a solver"
                raise ValueError(msg)
        if len(keys) * 10 >= len(self.keys) * 9:
            msg = f"{path} has {len(keys)} positions"
            raise BudgetError(msg)
        mask = len(self.keys) - 1
        for (one, two), value in zip(keys.tolist(), values.tolist(), strict=True):
            at = one & mask
            while self.keys[at, 0] not in (0, one):
                at = (at + 1) & mask
            self.keys[at] = one, two
            self.values[at] = value
        self.progress[STATES] = int((self.keys[:, 0] != 0).sum())
