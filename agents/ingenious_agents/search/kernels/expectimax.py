"""One placement and the draw after it: what a placement adds, and what the next one can be expected to add.

The board is taken as it is left; what the other seats do to it is not looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import float64, int64

from ingenious_env.compiled.actions import FLAT, first_choice, split_flat
from ingenious_env.compiled.compiled_guide import Candidates
from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, inlined, kernel
from ingenious_env.compiled.rows import copy_row, spare_row
from ingenious_env.compiled.vectors import row_of_array, scratch, vector_of
from ingenious_env.games.ingenious.kernels import games_of, play
from ingenious_env.games.ingenious.kernels.legality import policy_random
from ingenious_env.games.ingenious.kernels.turns import KEEP, SWAP_RACK
from ingenious_env.games.ingenious.opponents.kernels.greedy import (
    HIGH,
    LOW,
    VALUES,
    best_on_pair,
    greedy_placement,
    greedy_workspace,
    list_pairs,
    write_worth,
)
from ingenious_env.games.ingenious.opponents.kernels.placements import top_placements
from ingenious_env.games.ingenious.opponents.kernels.results import sheet_to_move, value_of_sheet
from ingenious_env.games.ingenious.state import NO_TILE, OVER, PLACE, SWAP
from ingenious_env.games.ingenious.tiles import MAX_COLOURS, tile_types

MAX_TYPES = len(tile_types(MAX_COLOURS))

_counts = scratch(int64, MAX_TYPES)
_best = scratch(float64, MAX_TYPES)


class Draws(NamedTuple):
    """Tiles and values that may follow a placement, by tile type.

    Attributes:
        kept: int64 [Y], tiles that stay on the rack.
        hidden: int64 [Y], tiles that the seat to move does not see.
        best: float64 [Y], the most that a tile of the type can add next.
        order: int64 [Y], the types in ascending order of that.
    """

    kept: Any
    hidden: Any
    best: Any
    order: Any


@inlined
def draws_workspace():
    """Memory for draws, on the stack of the kernel."""
    return Draws(_counts(), _counts(), _best(), _counts())


@inlined
def count_kept(game, kept):
    """Count the tiles on the rack of the seat to move by type; returns their number."""
    rack, count = game.racks[game.to_play], 0
    for tile in range(game.spec.num_types):
        kept[tile] = 0
    for slot in range(game.spec.rack_size):
        if rack[slot] != NO_TILE:
            kept[rack[slot]] += 1
            count += 1
    return count


@inlined
def count_hidden(game, draws):
    """Count the tiles that the seat to move does not see by type, once those on its rack are counted.

    These stay the same while it places its own.
    """
    for tile in range(game.spec.num_types):
        draws.hidden[tile] = game.unplaced[tile] - draws.kept[tile]
    if game.spec.open_racks:
        for seat in range(game.spec.num_players):
            for slot in range(game.spec.rack_size):
                tile = game.racks[seat][slot]
                if seat != game.to_play and tile != NO_TILE:
                    draws.hidden[tile] -= 1


@inlined
def write_best(game, sheet, values, workspace, best):
    """Write the most that a tile of each type adds to a sheet on the open pairs, [Y]."""
    own, pairs, tile = game.scores[sheet], workspace.pairs, workspace.tiles[0]
    for colour in range(game.spec.num_colours):
        write_worth(game, own, colour, values, workspace.worth)
    num_pairs = list_pairs(game, game.open_pairs, pairs)
    for each in range(game.spec.num_types):
        tile[LOW], tile[HIGH] = game.type_low[each], game.type_high[each]
        best[each] = 0.0
        for k in range(num_pairs):
            best[each] = max(best[each], best_on_pair(game, own, values, workspace, 1, pairs[k]))


@inlined
def expected_best(game, draws, num_draws):
    """The mean of the best of the tiles kept and of so many drawn from those that are not seen.

    As many draws as a rack has slots are a swap, in which no tile is kept. Draws count as independent of
    each other.
    """
    best, order = draws.best, draws.order
    floor, unseen = 0.0, 0
    for tile in range(game.spec.num_types):
        unseen += draws.hidden[tile]
        if draws.kept[tile] and num_draws < game.spec.rack_size:
            floor = max(floor, best[tile])
        at = tile
        while at > 0 and best[order[at - 1]] > best[tile]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = tile
    if unseen == 0 or num_draws <= 0:
        return floor
    mean, up_to, before = 0.0, 0, 0.0
    for k in range(game.spec.num_types):
        tile = order[k]
        up_to += draws.hidden[tile]
        all_below = (up_to / unseen) ** num_draws
        mean += max(floor, best[tile]) * (all_below - before)
        before = all_below
    return mean


@inlined
def values_of_swap(game, sheet, num_kept, values, workspace, draws):
    """The expected gain of the best next placement after a swap, and after keeping the rack."""
    write_best(game, sheet, values, workspace, draws.best)
    keeping = expected_best(game, draws, game.spec.rack_size - num_kept)
    return expected_best(game, draws, game.spec.rack_size), keeping


@inlined
def play_turn(game, action, values, random, workspace, kept):
    """Play a placement and the bonus plays that follow from it, greedily; returns the number of tiles placed.

    What is placed is taken off the tiles kept.
    """
    player, turn, placed = game.to_play, game.turn, 0
    while True:
        slot, _ = split_flat(game, action)
        kept[game.racks[player][slot]] -= 1
        placed += 1
        play(game, FLAT, action)
        if game.phase != PLACE or game.turn != turn:
            return placed
        action = greedy_placement(game, values, random, workspace)


@inlined
def value_of_placement(game, action, values, discount, random, workspace, draws, after):
    """The counters after a placement, and `discount` times what the next one can be expected to add.

    The bonus plays that it brings are part of it. `after` is scratch memory.
    """
    sheet, num_draws = sheet_to_move(game), game.spec.rack_size - count_kept(game, draws.kept)
    copy_row(after, game)
    num_draws += play_turn(after, action, values, random, workspace, draws.kept)
    value = value_of_sheet(after, sheet, values)
    if after.phase != OVER:
        write_best(after, sheet, values, workspace, draws.best)
        value += discount * expected_best(after, draws, num_draws)
    return value


@kernel(f"int64({ROWS}, {VALUES}, float64, int64, int32[:, ::1], float64[:, ::1])")
def expectimax_values(spec, low, high, values, discount, num_candidates, actions, worth):
    """Write the candidates of each game, or to swap and to keep, and what they are worth.

    There must be room for the candidates, and for two; what is behind the last stays as it is.
    """
    games, values = games_of(spec), vector_of(values)
    workspace, draws, after = greedy_workspace(), draws_workspace(), spare_row(games[low])
    for i in range(low, high):
        game = games[i]
        if game.phase == OVER:
            continue
        candidates = Candidates(row_of_array(actions, i), row_of_array(worth, i), num_candidates)
        num_kept = count_kept(game, draws.kept)
        count_hidden(game, draws)
        if game.phase == SWAP:
            first, sheet = first_choice(game, FLAT), sheet_to_move(game)
            candidates.actions[0], candidates.actions[1] = first + SWAP_RACK, first + KEEP
            swapping, keeping = values_of_swap(game, sheet, num_kept, values, workspace, draws)
            candidates.gains[0], candidates.gains[1] = swapping, keeping
            continue
        random = policy_random(game)
        for k in range(top_placements(game, values, random, workspace, candidates)):
            action = candidates.actions[k]
            value = value_of_placement(game, action, values, discount, random, workspace, draws, after)
            candidates.gains[k] = value
    return ALL_ROWS
