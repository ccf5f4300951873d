"""The exact value of solitaire positions: the expectation of the lowest counter under the best play.

Small variants can be solved from the deal, and the endings of the standard game from four placements on, or
earlier while memory lasts. Nothing is sampled: the mean over all tiles that can be drawn, and the best of all
placements of each. See `kernels/exact.py` for the method.

A solver remembers all positions that it has solved, so that related positions take less time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.search.kernels.exact import (
    BEST,
    DEPTH,
    MAX_COUNT,
    MAX_COUNTER,
    PLACEMENT,
    PLACEMENTS,
    TYPE,
    WALL,
    Stack,
    solve,
    type_of,
)
from ingenious_agents.search.kernels.exact import placements_left as count_placements
from ingenious_agents.search.solved import MAX_NODES, Budget, Solution, SolvedPositions
from ingenious_env import Game, Rules
from ingenious_env.games.ingenious.tiles import tile_types

type_number: Callable[[int, int, int], int] = type_of.py_func
"""The number of a tile type of two colours, from 0 (settled) on and the lower first, of so many colours."""


def board_of(game: Game) -> NDArray[np.uint8]:
    """The board of a game as the kernels read it, uint8 [N + 1]."""
    board = game.state.board[0]
    return np.where(board < 0, WALL, board).astype(np.uint8)


def placements_left(game: Game) -> int:
    """The number of tiles that fit at most: half of the cells of each connected region of empty cells."""
    board = board_of(game)
    spec, spare = np.array([len(board) - 1]), np.zeros((2, len(board)), np.int64)
    return int(count_placements.py_func(spec, game.rules.geometry.neighbours, board, *spare))


class Solver(SolvedPositions):
    """Solves positions of one variant.

    Args:
        rules: a variant for one player with a rack of one tile.
        memory: bytes of the table of solved positions, rounded down to a power of two of places.

    Attributes:
        rules: as given.

    Raises:
        ValueError: the variant is another.
    """

    def __init__(self, rules: Rules, memory: int = 1 << 28) -> None:
        if rules.num_players != 1 or rules.rack_size != 1:
            msg = (
                "the exact solver is for one player with a rack of one tile, not for "
                f"{rules.num_players} players with racks of {rules.rack_size}"
            )
            raise ValueError(msg)
        super().__init__(rules, memory)
        board, colours = rules.geometry, rules.num_colours
        cells, pairs, types = board.num_cells, board.num_pairs, (colours + 1) * (colours + 2) // 2
        last = rules.counter_top * (2 if rules.double_sheet else 1)
        self._spec = np.array([cells, pairs, colours, rules.counter_top, last, types], np.int64)
        self._neighbours = board.neighbours.copy()
        self._pairs = board.pairs.copy()
        levels = cells // 2 + 3
        self._stack = Stack(
            boards=np.zeros((levels, cells + 1), np.uint8),
            counters=np.zeros((levels, colours + 1), np.int64),
            bags=np.zeros((levels, types), np.int64),
            orders=np.zeros((levels, 2 * pairs), np.int64),
            bounds=np.zeros((levels, 2 * pairs), np.int64),
            numbers=np.zeros((levels, 4), np.int64),
            values=np.zeros((levels, 2)),
            keys=np.zeros((levels, 2), np.uint64),
        )
        size = cells * 8 + (colours + 1) * MAX_COUNTER + types * MAX_COUNT
        self._hashes = np.random.default_rng(7).integers(0, 2**64, (2, size), np.uint64)
        self._spare = np.zeros((3, cells + 1), np.int64)

    def value(self, *, nodes: int = MAX_NODES, on_progress: Callable[[float], None] | None = None) -> float:
        """The value of the variant, before the first draw.

        Args:
            nodes: to try at most.
            on_progress: called from time to time with the share of the work that is done, roughly.

        Raises:
            BudgetError: there are more nodes, or the table is full; what is solved stays solved.
        """
        game = Game(self.rules, seed=0)
        board = board_of(game)
        counters = np.zeros(self.rules.num_colours, np.int64)
        touching = (self.rules.geometry.touches > 0).astype(np.uint8)
        bag = game.state.unplaced[0].astype(np.int64)
        return self._solve((board, counters, bag, touching), self.budget(nodes), on_progress)

    def solve(
        self, game: Game, *, nodes: int = MAX_NODES, on_progress: Callable[[float], None] | None = None
    ) -> Solution:
        """The values of all placements of a position, of equal ones the lower action first.

        Args:
            game: of this variant, flat, not over.
            nodes: to try at most.
            on_progress: called from time to time with the share of the work that is done.

        Raises:
            ValueError: the game is over, or of another variant.
            BudgetError: as for `value`.
        """
        self.check(game)
        budget = self.budget(nodes)
        actions = np.asarray(game.legal_actions(), np.int32)
        values = np.empty(len(actions))
        for number, action in enumerate(actions):
            values[number] = self._after(game, int(action), budget)
            if on_progress is not None:
                on_progress((number + 1) / len(actions))
        return Solution.of(actions, values)

    def _after(self, game: Game, action: int, budget: Budget) -> float:
        """The value of a position after a placement, before the draw."""
        after = game.clone()
        after.play(action)
        state = after.state
        if after.is_over:
            return float(state.scores[0, 0].min())
        board = board_of(after)
        bag = state.unplaced[0].astype(np.int64)
        everywhere = np.ones(self.rules.geometry.num_pairs, np.uint8)
        scores = state.scores[0, 0].astype(np.int64)
        return self._solve((board, scores, bag, everywhere), budget)

    def _solve(
        self,
        node: tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]],
        budget: Budget,
        on_progress: Callable[[float], None] | None = None,
    ) -> float:
        """The value of a node: its board [N + 1], counters [C], tiles by type, and the pairs allowed [K]."""
        board, counters, bag, allowed = node
        stack, colours = self._stack, self.rules.num_colours
        stack.boards[0] = board
        stack.counters[0, 1:] = counters
        stack.bags[0] = 0
        for count, (low, high) in zip(bag, tile_types(colours), strict=True):
            stack.bags[0, type_number(low, high, colours)] = count
        variant = self._spec, self._neighbours, self._pairs
        table = self._hashes, self.keys, self.values, self.progress, self._spare
        self._run(lambda chunk: solve(*variant, allowed, *stack, *table, chunk), budget, on_progress)
        return float(stack.values[-1, BEST])

    def _share_done(self) -> float:
        done, part = 0.0, 1.0
        for depth in range(min(int(self.progress[DEPTH]) + 1, 4)):
            bag, numbers = self._stack.bags[depth], self._stack.numbers[depth]
            kinds = np.flatnonzero(bag)
            part /= len(kinds)
            done += part * np.searchsorted(kinds, numbers[TYPE])
            if numbers[PLACEMENTS]:
                part /= numbers[PLACEMENTS]
                done += part * numbers[PLACEMENT]
        return done
