"""`GameState`: a batch of games as arrays, one row of bytes per game."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.phases import CHOOSE, NO_ACTION, OVER, PLACE
from ingenious_env.compiled.rows import WORD_BYTES
from ingenious_env.engine.definition import AnyRules, variant_of


class GameState:
    """A batch of games, one row each.

    A game is one row of bytes, so that copying a row copies the game and its whole future, comparing two rows
    compares two games, and a kernel finds everything about a game in a few cache lines. Each field of the
    game's `RowLayout`, which documents it, is an attribute: a NumPy view [B, …] into the
    rows.

    Args:
        rules: the variant played.
        memory: uint64 [B, words of one row], not copied.
        dtype: of a row; that of the rules by default.
    """

    def __init__(
        self, rules: AnyRules, memory: NDArray[np.uint64], dtype: np.dtype[np.void] | None = None
    ) -> None:
        self.rules: Any = rules  # of a type that its readers know
        self.memory = memory
        self._dtype = row_dtype(rules) if dtype is None else dtype

    def __getattr__(self, name: str) -> NDArray[Any]:
        """A field's view, made at first access: most games are copied to be played, not read."""
        if name.startswith("_") or name not in (self._dtype.names or ()):
            msg = f"GameState has no field {name!r}"
            raise AttributeError(msg)
        view: NDArray[Any] = self.memory.view(self._dtype)[:, 0][name]
        setattr(self, name, view)
        return view

    @classmethod
    def zeros(cls, rules: AnyRules, num_games: int) -> GameState:
        """Memory for this number of games, all bytes zero."""
        return cls(rules, np.zeros((num_games, row_dtype(rules).itemsize // WORD_BYTES), dtype=np.uint64))

    @property
    def num_games(self) -> int:
        """Games in the batch, B."""
        return len(self.memory)


def row_dtype(rules: AnyRules) -> np.dtype[np.void]:
    """The dtype of one game's row."""
    return variant_of(rules).row_dtype


def spec_of(rules: AnyRules, memory: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The spec that kernels take for the rows of `GameState.memory`; it must not outlive them."""
    return variant_of(rules).description.for_games(memory)


__all__ = ["CHOOSE", "NO_ACTION", "OVER", "PLACE", "GameState", "row_dtype", "spec_of"]
