"""The exact expectation of a placement over the next tile, in solitaire with one tile on the rack."""

from __future__ import annotations

from ingenious_env.compiled.actions import FLAT
from ingenious_env.compiled.compiled_guide import insert_candidate
from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, inlined, kernel
from ingenious_env.compiled.rows import copy_row, spare_row
from ingenious_env.games.ingenious.kernels import games_of, play
from ingenious_env.games.ingenious.kernels.legality import policy_random
from ingenious_env.games.ingenious.opponents.kernels.greedy import VALUES
from ingenious_env.games.ingenious.opponents.kernels.inputs import prepare
from ingenious_env.games.ingenious.opponents.kernels.placements import candidates_workspace, top_placements
from ingenious_env.games.ingenious.opponents.kernels.results import outcome
from ingenious_env.games.ingenious.opponents.kernels.value import (
    WEIGHTS,
    best_action,
    value_of_action,
    value_player,
)
from ingenious_env.games.ingenious.state import OVER


@inlined
def find_best(game, player, wide, best):
    """Fill `best` with the placements of highest value; returns their number."""
    num_kept, found = prepare(game, player.evaluator.inputs), 0
    for k in range(top_placements(game, player.prior, policy_random(game), player.greedy, wide)):
        value = value_of_action(game, num_kept, wide.actions[k], player.evaluator)
        if found < best.size or value > best.gains[found - 1]:
            found = min(found + 1, best.size)
            insert_candidate(best, found - 1, wide.actions[k], value)
    return found


@inlined
def expectation(game, after, action, player):
    """The mean value of the best next placement, over all tiles that can be drawn after an action."""
    copy_row(after, game)
    play(after, FLAT, action)
    if after.phase == OVER:
        return outcome(after, 0)
    total, mean = 0, 0.0
    for tile in range(game.spec.num_types):
        # The tiles not on the board now are those that were in the bag, so each of them may be drawn.
        number = after.unplaced[tile]
        if number > 0:
            after.racks[0][0] = tile
            _, value = best_action(after, policy_random(after), player)
            total += number
            mean += number * value
    return mean / total


@kernel(f"int64({ROWS}, {WEIGHTS}, {VALUES}, int64, int64, int32[:, ::1], float64[:, ::1])")
def rank_by_next_draw(spec, low, high, weights, prior, num_wide, num_candidates, actions, values):
    """Write each game's placements of highest value, the highest first, and their values one draw later.

    The network evaluates `num_wide` placements before the draw, and `num_candidates` for each tile drawn.
    """
    games = games_of(spec)
    after = spare_row(games[low])
    player = value_player(games[low], weights, prior, num_candidates)
    wide, best = candidates_workspace(num_wide), candidates_workspace(actions.shape[1])
    for i in range(low, high):
        if games[i].phase == OVER:
            continue
        for k in range(find_best(games[i], player, wide, best)):
            actions[i, k] = best.actions[k]
            values[i, k] = expectation(games[i], after, best.actions[k], player)
    return ALL_ROWS
