"""The order of the score sheets of a game, for pages without a server."""

from __future__ import annotations

from numba import int64

from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.vectors import scratch
from ingenious_env.games.ingenious.kernels import games_of
from ingenious_env.games.ingenious.opponents.kernels.results import sort_sheet
from ingenious_env.games.ingenious.tiles import MAX_COLOURS

_counters = scratch(int64, MAX_COLOURS)


@inlined
def standing_of(game, sheet):
    """A number that is higher for the better of two sheets, and the same for equal ones (RULES.md 7.3)."""
    return sort_sheet(game, sheet, _counters())


__all__ = ["games_of", "standing_of"]
