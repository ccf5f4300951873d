"""The compiled basis of search (see `compiled/compiled_guide.py`): greedy play by points."""

from __future__ import annotations

from numba import int64, uint64

from ingenious_env.compiled.actions import FLAT, first_choice, flat_placement
from ingenious_env.compiled.bitsets import lowest_bit
from ingenious_env.compiled.compiled_guide import insert_candidate
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.phases import CHOOSE
from ingenious_env.compiled.placing import LEGAL
from ingenious_env.games.loopit.kernels import games_of
from ingenious_env.games.loopit.kernels.legality import cells_of, rack_illegality
from ingenious_env.games.loopit.kernels.turns import KEEP, STOP, THROW_BACK
from ingenious_env.games.loopit.opponents.kernels.greedy import greedy_placement, points_of

HUNDRED = 100.0  # points, the unit of leads


@inlined
def guide_workspace():
    """No scratch memory is needed."""
    return 0


@inlined
def greedy_action(game, values, random, workspace):
    """The placement with most points, or to throw the rack back where nothing fits."""
    if game.phase == CHOOSE:
        return first_choice(game, FLAT) + THROW_BACK
    return greedy_placement(game, random)


@inlined
def list_candidates(game, values, random, workspace, candidates):
    """The placements with most points, and to stop where that is allowed; or the choices about the rack."""
    first = first_choice(game, FLAT)
    if game.phase == CHOOSE:
        candidates.actions[0], candidates.actions[1] = first + THROW_BACK, first + KEEP
        candidates.gains[0] = candidates.gains[1] = 0.0
        return 2
    stops = int64(game.laid > 0 and candidates.size > 1)
    found = top_placements(game, random, candidates, candidates.size - stops)
    if stops:
        candidates.actions[found], candidates.gains[found] = first + STOP, 0.0
    return found + stops


@inlined
def top_placements(game, random, candidates, size):
    """Find up to `size` placements with most points, of the tile held if one is; returns their number.

    Cells are visited from a random one on, so that not always the same of equals are dropped.
    """
    found, rack, words = 0, game.racks[game.to_play], game.spec.num_words
    start, held = int64(random % uint64(words)), game.held
    low, high = (held - 1, held) if held else (0, game.spec.rack_size)
    for slot in range(low, high):
        if rack_illegality(game, slot) != LEGAL:
            continue
        legal = cells_of(game, slot)
        for k in range(words):
            word = k + start if k + start < words else k + start - words
            cells = legal[word]
            while cells != uint64(0):
                cell = 64 * word + lowest_bit(cells)
                cells &= cells - uint64(1)
                points = float(points_of(game, rack[slot], cell))
                if found == size and points <= candidates.gains[found - 1]:
                    continue
                found = min(found + 1, size)
                insert_candidate(candidates, found - 1, flat_placement(game, slot, cell), points)
    return found


@inlined
def sheet_to_move(game):
    """The seat to move: each has its own score."""
    return game.to_play


@inlined
def utility_of(game, sheet, values):
    """The score in hundreds."""
    return game.scores[sheet] / HUNDRED


@inlined
def result_for(game, sheet, margin):
    """The share of the win, and `margin` times the lead over the best other score in hundreds."""
    own, best, better, equal = game.scores[sheet], 0, 0, 1
    for other in range(game.spec.num_players):
        if other != sheet:
            score = game.scores[other]
            best = max(best, score)
            better += int64(score > own)
            equal += int64(score == own)
    share = 0.0 if better else 1.0 / equal
    return share + margin * (own - best) / HUNDRED


__all__ = ["games_of"]
