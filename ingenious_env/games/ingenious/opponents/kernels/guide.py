"""The compiled basis of search (see `compiled/compiled_guide.py`): greedy play by counters."""

from __future__ import annotations

from ingenious_env.compiled.actions import FLAT, first_choice
from ingenious_env.compiled.kernel import inlined
from ingenious_env.games.ingenious.kernels import games_of
from ingenious_env.games.ingenious.kernels.turns import KEEP, SWAP_RACK
from ingenious_env.games.ingenious.opponents.kernels.greedy import greedy_placement, greedy_workspace
from ingenious_env.games.ingenious.opponents.kernels.placements import top_placements
from ingenious_env.games.ingenious.opponents.kernels.results import result_for, sheet_to_move, value_of_sheet
from ingenious_env.games.ingenious.state import SWAP

guide_workspace = greedy_workspace
utility_of = value_of_sheet


@inlined
def greedy_action(game, values, random, workspace):
    """The greedy placement, or to swap where that is available."""
    if game.phase == SWAP:
        return first_choice(game, FLAT) + SWAP_RACK
    return greedy_placement(game, values, random, workspace)


@inlined
def list_candidates(game, values, random, workspace, candidates):
    """The best placements, or swap and keep, which add nothing."""
    if game.phase == SWAP:
        first = first_choice(game, FLAT)
        candidates.actions[0], candidates.actions[1] = first + SWAP_RACK, first + KEEP
        candidates.gains[0] = candidates.gains[1] = 0.0
        return 2
    return top_placements(game, values, random, workspace, candidates)


__all__ = [
    "games_of",
    "greedy_action",
    "guide_workspace",
    "list_candidates",
    "result_for",
    "sheet_to_move",
    "utility_of",
]
