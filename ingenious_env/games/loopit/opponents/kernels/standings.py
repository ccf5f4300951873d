"""The order of the scores of a game, for pages without a server."""

from __future__ import annotations

from ingenious_env.compiled.kernel import inlined
from ingenious_env.games.loopit.kernels import games_of


@inlined
def standing_of(game, sheet):
    """The score (LOOPIT.md 5.2)."""
    return game.scores[sheet]


__all__ = ["games_of", "standing_of"]
