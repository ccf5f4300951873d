"""The kernel that orders the score sheets of games, a template as those of `compiled/row_kernels.py`."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ingenious_env.compiled import compiled_rules as rules
from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, Kernel, bind


def write_standings(spec: Any, low: Any, high: Any, standings: Any) -> Any:
    """Write a number for each score sheet of each game, [B, T]: higher for the better of two."""
    games = rules.games_of(spec)
    for i in range(low, high):
        game = games[i]
        for sheet in range(game.spec.num_sheets):
            standings[i, sheet] = rules.standing_of(game, sheet)  # type: ignore[attr-defined] # a template
    return ALL_ROWS


def standings_kernel(game: str, module: ModuleType) -> Kernel:
    """The kernel of a game, by the module of its `LocalPage`."""
    return Kernel(bind(write_standings, module), f"int64({ROWS}, int64[:, ::1])", folder=game)
