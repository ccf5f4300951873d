"""Tree search: information-set Monte Carlo tree search, for any number of players."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.checks import MAX_HORIZON, MAX_WEIGHT, check_range
from ingenious_agents.search.flat_mc import FlatMC, Rollouts
from ingenious_agents.search.kernels.tree import NODE_SIZE, SHEET, Settings, Tree
from ingenious_agents.search.sequential_halving import Search
from ingenious_env import GameBatch

MAX_NODES = 200_000


@dataclass(frozen=True)
class TreeSearch(FlatMC):
    """Flat Monte Carlo whose simulations learn: moves after a candidate are chosen by a tree of moves.

    A move with v visits is followed by one of the best 1 + widen · v ^ power actions, by what they add to the
    utility: by that with the highest upper confidence bound. Against others a simulation ends early, and is
    evaluated by the utilities (`Guide.slopes`): the candidate has little influence on what happens much
    later. In solitaire it continues to the end, and is evaluated by `fade`.

    Attributes:
        horizon: turns, of all seats, after which a simulation ends against others; 0 for never.
        explore: number of standard errors from the mean to the bound.
        widen: how fast the tree grows in width at the searching seat's moves against others.
        widen_solitaire: the same in solitaire, where the one tile drawn differs each time, so that few nodes
            are visited again.
        widen_others: the same at the others' moves; at 0 they are modelled as greedy players.
        power: of the visits, by which the width grows.
    """

    horizon: int = 12
    explore: float = 0.7
    widen: float = 1.0
    widen_solitaire: float = 0.1
    widen_others: float = 0.0
    power: float = 0.5
    fade: float = 0.5

    def __post_init__(self) -> None:
        """Check the values."""
        super().__post_init__()
        check_range(self, 0, MAX_HORIZON, "horizon")
        check_range(self, 0, MAX_WEIGHT, "explore", "widen", "widen_solitaire", "widen_others")
        check_range(self, 0, 1, "power")

    def search(self, games: GameBatch, row: int) -> Search:
        """A search for one of the games."""
        return TreeOfMoves(games, row, self)


class TreeOfMoves(Rollouts):
    """Rollouts of the candidates of one game, with the tree below them (see `kernels/tree.py`).

    Attributes:
        tree: the nodes so far.
    """

    def __init__(self, games: GameBatch, row: int, agent: TreeSearch) -> None:
        super().__init__(games, row, agent)
        count, sheets = len(self.candidates), games.rules.num_sheets
        slope, horizon, widen = 0.0, 0, agent.widen_solitaire
        if sheets > 1:
            slopes = self._kernels.guide.slopes
            slope = slopes[min(sheets - 2, len(slopes) - 1)]
            horizon, widen = agent.horizon, agent.widen
        self._settings = Settings(
            margin=float(self._margin),
            exploration=float(agent.explore),
            widening=float(widen),
            widening_others=float(agent.widen_others),
            power=float(agent.power),
            horizon=float(horizon),
            slope=slope,
        )
        size = count + 1 + (MAX_NODES if agent.seconds else min(agent.rollouts, MAX_NODES))
        self._places = np.arange(1, count + 1)
        self.tree = Tree(
            nodes=np.zeros((size, NODE_SIZE), np.int32),
            totals=np.zeros(size),
            used=np.array([count + 1]),
            results=np.zeros(3),
            size=size,
        )
        self.tree.nodes[self._places, SHEET] = games.to_play[row] % sheets

    def simulate(self, which: NDArray[np.int64], first: int, last: int, sums: NDArray[np.float64]) -> None:
        """Add the results of simulations first to last − 1 of some of the candidates to sums."""
        self._kernels.grow_tree(
            self._spec,
            self.candidates[which],
            self._places[which],
            first,
            last,
            self._seed,
            self._values,
            self._settings,
            self.tree,
            sums,
        )
