"""Plans of whole turns, found by beam search, and the planner that plays by them, compiled.

A plan is a list of placements. The nodes of a search lie in levels, one after the other; those of level k
are plans of k placements, the best by points, no two of which leave the same position:

    node 0: no placement | nodes of level 1 | nodes of level 2 | …
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import int64, uint64

from ingenious_env.compiled.actions import FLAT, first_choice, flat_placement, split_flat
from ingenious_env.compiled.bag import rack_count, seat_after
from ingenious_env.compiled.bitsets import lowest_bit
from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, called, inlined, kernel
from ingenious_env.compiled.phases import CHOOSE, NO_ACTION, OVER
from ingenious_env.compiled.placing import LEGAL
from ingenious_env.compiled.rng import mix
from ingenious_env.compiled.rows import copy_row, spare_row
from ingenious_env.compiled.vectors import row_of_array, scratch
from ingenious_env.games.loopit.kernels import games_of
from ingenious_env.games.loopit.kernels.legality import cells_of, rack_illegality
from ingenious_env.games.loopit.kernels.turns import STOP, THROW_BACK, lay_and_score
from ingenious_env.games.loopit.opponents.kernels.greedy import points_of
from ingenious_env.games.loopit.opponents.kernels.outlook import (
    MAX_BEST,
    count_unseen,
    expect_rack,
    find_chances,
    find_points,
    outlook_workspace,
)
from ingenious_env.games.loopit.rules import MAX_RACK

MAX_WIDTH = 256
MAX_NODES = 1 + MAX_RACK * MAX_WIDTH
MARGIN = 1e-6
"""More points than rounding can change."""

_numbers = scratch(int64, MAX_NODES)
_keys = scratch(uint64, MAX_NODES)
_path = scratch(int64, MAX_RACK)


class Plans(NamedTuple):
    """Scratch memory for the nodes of a search, by node.

    Attributes:
        parents: the plan without its last placement.
        actions: the last placement, as a flat action of the position after the others.
        gains: the points of all placements.
        keys: uint64, equal for plans that lay the same tiles on the same cells.
        path: int64 [R], the actions of the plan played last.
    """

    parents: Any
    actions: Any
    gains: Any
    keys: Any
    path: Any


@inlined
def plans_workspace():
    """Scratch memory, on the stack of the kernel."""
    return Plans(_numbers(), _numbers(), _numbers(), _keys(), _path())


@called
def play_plan(game, plans, node, after):
    """Make `after` the game after a plan, before the turn ends; returns the number of placements."""
    copy_row(after, game)
    count = 0
    while node:
        plans.path[count] = plans.actions[node]
        node = plans.parents[node]
        count += 1
    for place in range(count - 1, -1, -1):
        slot, cell = split_flat(game, plans.path[place])
        after.held = 0
        lay_and_score(after, slot, cell)
    return count


@inlined
def offer(plans, first, last, width, parent, action, gain, key):
    """Insert a plan among nodes `first` to `last` − 1 of its level, sorted by gain; returns the new last."""
    for node in range(first, last):
        if plans.keys[node] == key:
            if plans.gains[node] >= gain:
                return last
            for at in range(node, last - 1):
                copy_node(plans, at, at + 1)
            last -= 1
            break
    at = last if last - first < width else last - 1
    while at > first and plans.gains[at - 1] < gain:
        copy_node(plans, at, at - 1)
        at -= 1
    plans.parents[at], plans.actions[at], plans.gains[at], plans.keys[at] = parent, action, gain, key
    return min(last + 1, first + width)


@inlined
def copy_node(plans, to, node):
    """Copy a node over another."""
    plans.parents[to], plans.actions[to] = plans.parents[node], plans.actions[node]
    plans.gains[to], plans.keys[to] = plans.gains[node], plans.keys[node]


@inlined
def extend_plan(after, plans, node, first, last, width):
    """Insert all plans with one placement more; `after` is the game after the plan. Returns the new last."""
    rack, held, words = after.racks[after.to_play], after.held, after.spec.num_words
    low, high = (held - 1, held) if held else (0, after.spec.rack_size)
    for slot in range(low, high):
        if rack_illegality(after, slot) != LEGAL:
            continue
        legal = cells_of(after, slot)
        for word in range(words):
            cells = legal[word]
            while cells != uint64(0):
                cell = 64 * word + lowest_bit(cells)
                cells &= cells - uint64(1)
                gain = plans.gains[node] + points_of(after, rack[slot], cell)
                if last - first < width or gain > plans.gains[last - 1]:
                    key = plans.keys[node] ^ mix(uint64(256 * cell + rack[slot] + 1))
                    action = flat_placement(after, slot, cell)
                    last = offer(plans, first, last, width, node, action, gain, key)
    return last


@called
def find_plans(game, width, plans, after):
    """Find the plans for the rest of the turn; returns the number of nodes. `after` is scratch memory."""
    plans.parents[0] = plans.actions[0] = plans.gains[0] = 0
    plans.keys[0] = uint64(0)
    first, last = 0, 1
    for _ in range(game.spec.tiles_per_turn - game.laid):
        end = last
        for node in range(first, end):
            play_plan(game, plans, node, after)
            last = extend_plan(after, plans, node, end, last, width)
        if last == end:
            break
        first = end
    return last


@inlined
def first_node(game):
    """The first node that is a legal plan: stopping before a tile is laid is not."""
    return int64(game.laid == 0 or game.held > 0)


@inlined
def first_action(game, plans, node):
    """The action that a plan begins with: its first placement, or to stop."""
    if node == 0:
        return first_choice(game, FLAT) + STOP
    while plans.parents[node]:
        node = plans.parents[node]
    return plans.actions[node]


# The planner.


@inlined
def prepare_reply(game, outlook):
    """Write the chances of the tiles on the next player's rack; returns how many could be there.

    They are the same after each plan: its tiles leave the board's unseen tiles as they are.
    """
    num_unseen = count_unseen(game, outlook)
    find_chances(outlook, num_unseen, min(rack_count(game, seat_after(game, game.to_play, 1)), num_unseen))
    return num_unseen


@inlined
def expected_reply(after, num_unseen, outlook, limit):
    """The expected points of the next player's best tiles, each laid as the only one.

    Past a limit some number between the limit and these points is returned.
    """
    if after.turn + 1 == after.spec.last_turn:
        return 0.0
    find_points(after, outlook)
    return expect_rack(outlook, num_unseen, min(MAX_BEST, after.spec.tiles_per_turn), limit)


@inlined
def value_of_plan(game, plans, node, reply, limit, num_unseen, outlook, after):
    """The points of a plan less `reply` times those it opens, of which more than a limit are not counted."""
    play_plan(game, plans, node, after)
    return plans.gains[node] - reply * expected_reply(after, num_unseen, outlook, limit)


@kernel(f"int64({ROWS}, int64, float64, int32[:, ::1], float64[:, ::1])")
def rank_plans(spec, low, high, width, reply, actions, values):
    """Write the first action of each plan of each game, and its points less `reply` times those it opens.

    Where the rack may be thrown back, that is the only plan, with value 0. The arrays hold at least 1 + tiles
    per turn · width; entries past the last plan are left unchanged.
    """
    games = games_of(spec)
    plans, outlook, after = plans_workspace(), outlook_workspace(), spare_row(games[low])
    for i in range(low, high):
        game, first_actions, worth = games[i], row_of_array(actions, i), row_of_array(values, i)
        if game.phase == CHOOSE:
            first_actions[0], worth[0] = first_choice(game, FLAT) + THROW_BACK, 0.0
        elif game.phase != OVER:
            num_unseen, first = prepare_reply(game, outlook), first_node(game)
            for node in range(first, find_plans(game, width, plans, after)):
                first_actions[node - first] = first_action(game, plans, node)
                value = value_of_plan(game, plans, node, reply, np.inf, num_unseen, outlook, after)
                worth[node - first] = value
    return ALL_ROWS


@called
def best_plan(game, width, reply, plans, outlook, after):
    """The first of the plans of highest value.

    What a plan opens is counted until it is certain that another plan is better. So those of most points are
    valued first: one of them soon has a value that most others cannot reach.
    """
    num_unseen, first = prepare_reply(game, outlook), first_node(game)
    last = find_plans(game, width, plans, after)
    most = first
    for node in range(first, last):
        if plans.gains[node] > plans.gains[most]:
            most = node
    best, highest, limit = -1, -np.inf, np.inf
    for k in range(last - first):
        node = most + k if most + k < last else most + k - last + first
        if reply > 0.0 and best >= 0:
            limit = (plans.gains[node] - highest) / reply + MARGIN
            if limit < 0.0:
                continue
        value = value_of_plan(game, plans, node, reply, limit, num_unseen, outlook, after)
        if value > highest or (value == highest and node < best):
            best, highest = node, value
    return best


@kernel(f"int64({ROWS}, int64, float64, int32[::1])")
def best_first_actions(spec, low, high, width, reply, actions):
    """Write the first action of the best plan of each game; to throw the rack back where that is allowed."""
    games = games_of(spec)
    plans, outlook, after = plans_workspace(), outlook_workspace(), spare_row(games[low])
    for i in range(low, high):
        game = games[i]
        if game.phase == OVER:
            actions[i] = NO_ACTION
        elif game.phase == CHOOSE:
            actions[i] = first_choice(game, FLAT) + THROW_BACK
        else:
            actions[i] = first_action(game, plans, best_plan(game, width, reply, plans, outlook, after))
    return ALL_ROWS
