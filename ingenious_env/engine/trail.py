"""The moves before a position, for pictures: the tiles laid, and the points of the last one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.actions import ActionSpace
from ingenious_env.engine.definition import Variant

Place = tuple[int, int]
"""A place on the board, in the game's own coordinates."""


class LastTile(NamedTuple):
    """The tile that was laid last.

    Attributes:
        seat: of the player who laid it.
        gains: its score, in the form of one sheet's scores.
    """

    seat: int
    gains: NDArray[Any]


class Trail(NamedTuple):
    """The tiles laid before a position.

    Named choices are omitted, as some of them reveal something about a hidden rack.

    Attributes:
        tiles: the places that each tile covers, in the order in which they were laid; those that were laid
            before the history began are missing.
        last: the last one, as far as it is known; None before the first.
    """

    tiles: tuple[tuple[Place, ...], ...] = ()
    last: LastTile | None = None

    @classmethod
    def of(
        cls,
        variant: Variant,
        placements: Iterable[int],
        last: tuple[int, NDArray[Any]] | None,
        scores: NDArray[Any],
    ) -> Trail:
        """The trail of a game.

        Args:
            variant: of the game.
            placements: of all tiles in order, as `ActionSpace.placement_of` numbers them.
            last: the seat that laid the last one, and the scores [T, …] before that.
            scores: the scores now, [T, …].
        """
        rules, definition = variant.rules, variant.definition
        tiles = tuple(definition.places(rules, placement) for placement in placements)
        if last is None:
            return cls(tiles)
        seat, before = last
        return cls(tiles, LastTile(seat, (scores - before)[rules.sheet_of(seat)]))


class Trails:
    """The trails of a batch's games, updated with each move.

    Args:
        variant: of the games.
        num_games: B.
    """

    def __init__(self, variant: Variant, num_games: int) -> None:
        self._variant = variant
        self._placements: list[list[int]] = [[] for _ in range(num_games)]
        self._last: list[tuple[int, NDArray[Any]] | None] = [None] * num_games

    def clear(self, rows: NDArray[np.bool_]) -> None:
        """Clear the trails of some games, bool [B]."""
        for row in np.flatnonzero(rows):
            self._placements[row], self._last[row] = [], None

    def note(
        self,
        rows: NDArray[np.bool_],
        space: ActionSpace,
        actions: Sequence[int] | NDArray[Any],
        movers: NDArray[Any],
        before: NDArray[Any],
    ) -> None:
        """Note a move that was played in some games.

        Args:
            rows: bool [B], the n games.
            space: the numbering of the actions.
            actions: played, [n].
            movers: the seats that played them, [n].
            before: the scores before that, [n, T, …]; kept, so they must not change.
        """
        for row, action, mover, scores in zip(np.flatnonzero(rows), actions, movers, before, strict=True):
            placement = space.placement_of(int(action))
            if placement is not None:
                self._placements[row].append(placement)
                self._last[row] = int(mover), scores

    def of(self, row: int, scores: NDArray[Any]) -> Trail:
        """The trail of one game, with its scores now, [T, …]."""
        return Trail.of(self._variant, self._placements[row], self._last[row], scores)
