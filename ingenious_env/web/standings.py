"""The kernel that ranks the score sheets of games, a template as those of `compiled/row_kernels.py`."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ingenious_env.compiled import compiled_rules as rules
from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, Kernel, bind


def write_ranks(spec: Any, low: Any, high: Any, ranks: Any) -> Any:
    """Write the rank of each score sheet of each game, [B, T]: 1 is best, ties share a rank."""
    games = rules.games_of(spec)
    for i in range(low, high):
        game = games[i]
        for sheet in range(game.spec.num_sheets):
            own = rules.standing_of(game, sheet)  # type: ignore[attr-defined] # a template
            ranks[i, sheet] = 1
            for other in range(game.spec.num_sheets):
                if rules.standing_of(game, other) > own:  # type: ignore[attr-defined]
                    ranks[i, sheet] += 1
    return ALL_ROWS


def ranks_kernel(game: str, module: ModuleType) -> Kernel:
    """The kernel of a game, by the module of its `LocalPage`."""
    return Kernel(bind(write_ranks, module), f"int64({ROWS}, int64[:, ::1])", folder=game)
