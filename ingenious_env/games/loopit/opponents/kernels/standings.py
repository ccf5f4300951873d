"""The order of the scores of a game, and phases after changes of racks, for pages without a server."""

from __future__ import annotations

from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, inlined, kernel
from ingenious_env.compiled.phases import CHOOSE, OVER, PLACE
from ingenious_env.games.loopit.kernels import games_of
from ingenious_env.games.loopit.kernels.turns import anything_fits, can_lay


@inlined
def standing_of(game, sheet):
    """The score (LOOPIT.md 5.2)."""
    return game.scores[sheet]


@kernel(f"int64({ROWS})")
def find_phases(spec, low, high):
    """Update the phases of games, as `GameDefinition.find_phases`."""
    games = games_of(spec)
    for i in range(low, high):
        game = games[i]
        if can_lay(game, game.to_play):
            game.phase = PLACE
        elif anything_fits(game):
            game.phase = CHOOSE
        else:
            game.phase = OVER
    return ALL_ROWS


__all__ = ["find_phases", "games_of", "standing_of"]
