"""The table of solved positions that the exact solvers share, and its file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.search.kernels.exact import DEPTH, DONE, FULL, NODES, STATES, STATUS
from ingenious_env import Game, Rules
from ingenious_env.engine.files import arrays_of, write_arrays

BYTES_PER_STATE = 24
CHUNK = 200_000  # nodes between two progress reports
FORMAT = "ingenious solved positions 1"
MIN_STATES = 1 << 10
MAX_NODES = 1 << 62


class BudgetError(RuntimeError):
    """The table is full, or as many nodes as allowed have been tried."""


class Budget(NamedTuple):
    """A number of nodes.

    Attributes:
        nodes: as allowed at first, for one position or for several.
        until: the number that the solver has then tried in all.
    """

    nodes: int
    until: int


@dataclass(frozen=True)
class Solution:
    """The exact values of the placements of a position.

    Attributes:
        actions: int32 [n], flat, the best first.
        values: float64 [n], the expectation after each: of the lowest counter, or of two players of the share
            of the win of the one to move.
    """

    actions: NDArray[np.int32]
    values: NDArray[np.float64]

    @classmethod
    def of(cls, actions: NDArray[np.int32], values: NDArray[np.float64]) -> Solution:
        """The values of actions in any order; of equal ones the lower action comes first."""
        order = np.lexsort((actions, -values))
        return cls(actions[order], values[order])

    @property
    def value(self) -> float:
        """That of the best."""
        return float(self.values[0])

    def regret(self, action: int) -> float:
        """The expected loss of an action; ValueError if it is not one of the position's."""
        places = np.flatnonzero(self.actions == action)
        if not len(places):
            msg = f"{action} is not a placement of this position"
            raise ValueError(msg)
        return self.value - float(self.values[places[0]])


class SolvedPositions(ABC):
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

    def budget(self, nodes: int) -> Budget:
        """So many nodes from now on."""
        return Budget(nodes, self.nodes + nodes)

    def full(self) -> BudgetError:
        """The error for a full table."""
        return BudgetError(f"the table is full with {self.states} positions")

    @abstractmethod
    def _share_done(self) -> float:
        """The share of the work that is done, as if all tiles and all placements took the same time."""

    def _run(
        self,
        step: Callable[[int], object],
        budget: Budget,
        on_progress: Callable[[float], None] | None = None,
    ) -> None:
        """Solve the position that is prepared.

        Args:
            step: the kernel, given the number of nodes to try; it starts, or continues, and sets `progress`.
            budget: of nodes.
            on_progress: called from time to time with the share of the work that is done, roughly.

        Raises:
            BudgetError: there are more nodes, or the table is full; what is solved stays solved.
        """
        self.progress[DEPTH] = -1
        while self.nodes < budget.until:
            step(min(CHUNK, budget.until - self.nodes))
            if self.progress[STATUS] == DONE:
                return
            if self.progress[STATUS] == FULL:
                raise self.full()
            if on_progress is not None:
                on_progress(self._share_done())
        msg = f"not solved within {budget.nodes} nodes"
        raise BudgetError(msg)

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
