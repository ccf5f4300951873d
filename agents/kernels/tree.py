"""Tree search over what one seat knows: information-set Monte Carlo tree search with a single observer.

The tree is of moves, not of positions: each simulation deals the hidden tiles anew, and goes down those moves
that the deal allows. A node counts how often it could have been chosen beside how often it was, so that moves
which few deals allow are not taken for neglected ones. Each node looks at its mover's best placements by what
they add to the value of the counters: at one, as a greedy player does, and at more of them the more often it
is visited.

A node is a row of numbers, int32 [M, 6], and a sum of results for who moved there, float64 [M]:

    move | first child | next sibling | visits | times it could be chosen | sheet of who moved

Nodes 1 to K are the candidates at the root. As a link, 0 means that there is none.
"""

from __future__ import annotations

import numpy as np
from numba import int64

from agents.kernels.rollouts import (
    FLAT,
    NEVER,
    VALUES,
    add_result,
    copy_game,
    deal_hidden,
    play_greedily,
    top_placements,
    word_of_search,
    write_results,
)
from ingenious_env.kernels.actions import SWAP_RACK, play
from ingenious_env.kernels.batch import SPEC, unpack
from ingenious_env.kernels.compiling import compiled, inlined
from ingenious_env.kernels.policies import greedy_room
from ingenious_env.kernels.streams import GOLDEN, mix
from ingenious_env.state import OVER, SWAP

MOVE, CHILD, SIBLING, VISITS, CHANCES, SHEET = 0, 1, 2, 3, 4, 5
NODES = "int32[:, ::1]"
DEEPEST = 64
MOST_ACTIONS = 128
LEAST_SPREAD = 0.01  # of results, for exploration


@inlined
def move_of(m, s, g, action):
    """A move as all see it: with the tile's type instead of its slot."""
    ways = 2 * s.num_pairs
    if action >= s.rack_size * ways:
        return s.num_types * ways + action - s.rack_size * ways
    slot = action // ways
    tile = int64(m[g + s.racks + int64(m[g + s.to_play]) * s.rack_size + slot])
    return tile * ways + action - slot * ways


@inlined
def child_of(nodes, node, move):
    """The child by a move, or 0."""
    child = int64(nodes[node, CHILD])
    while child and nodes[child, MOVE] != move:
        child = int64(nodes[child, SIBLING])
    return child


@inlined
def list_actions(m, w, t, b, s, g, values, random, room, wanted, actions, priors):
    """What a node looks at: the best few placements, or both choices about a swap. Returns how many."""
    first_swap = s.rack_size * 2 * s.num_pairs
    if m[g + s.phase] == SWAP:
        actions[0], actions[1] = first_swap + SWAP_RACK, first_swap
        return 2
    wanted = min(wanted, MOST_ACTIONS)
    return top_placements(m, w, t, b, s, g, values, random, room, actions[:wanted], priors[:wanted])


@inlined
def choose_child(m, s, g, nodes, totals, node, actions, count, exploration):
    """The first of the actions that has no child yet, or else the child with the highest upper bound.

    Returns the child, or 0 for a new one, and the action.
    """
    best, best_value, best_action, is_new = int64(0), -np.inf, int64(0), False
    for k in range(count):
        child = child_of(nodes, node, move_of(m, s, g, int64(actions[k])))
        if child == 0:
            if not is_new:
                is_new, best, best_action = True, int64(0), int64(actions[k])
            continue
        nodes[child, CHANCES] += 1
        if not is_new:
            visits = float(nodes[child, VISITS])
            doubt = np.sqrt(np.log(float(nodes[child, CHANCES])) / visits)
            value = totals[child] / visits + exploration * doubt
            if value > best_value:
                best, best_value, best_action = child, value, int64(actions[k])
    return best, best_action


@inlined
def add_child(nodes, totals, node, child, move, sheet):
    """Put a node that is not in use yet under another."""
    nodes[child, MOVE] = move
    nodes[child, SIBLING] = nodes[node, CHILD]
    nodes[child, CHANCES] = 1
    nodes[child, SHEET] = sheet
    nodes[child, CHILD] = nodes[child, VISITS] = 0
    totals[child] = 0.0
    nodes[node, CHILD] = child


@inlined
def walk_down(
    m, w, t, b, s, g, values, random, room, settings, until, searching, spread, nodes, totals, tallies, path
):
    """Play from node path[0] to a new node, or to a turn or the end; returns the depth, fills path."""
    actions, priors = np.empty(MOST_ACTIONS, np.int32), np.empty(MOST_ACTIONS)
    depth = 0
    while m[g + s.phase] != OVER and int64(m[g + s.turn]) < until and depth < DEEPEST:
        node, used = path[depth], int64(tallies[0])
        sheet = int64(m[g + s.to_play]) % s.num_sheets
        widening = settings[2] if sheet == searching else settings[3]
        wanted = int64(1.0 + widening * float(nodes[node, VISITS]) ** settings[4])
        random = mix(random + GOLDEN)
        count = list_actions(m, w, t, b, s, g, values, random, room, wanted, actions, priors)
        child, action = choose_child(m, s, g, nodes, totals, node, actions, count, settings[1] * spread)
        is_new = child == 0
        if is_new:
            if used == len(nodes):
                break
            child = used
            add_child(nodes, totals, node, child, move_of(m, s, g, action), sheet)
            tallies[0] = used + 1
        play(m, w, t, b, s, g, FLAT, action)
        depth += 1
        path[depth] = child
        if is_new:
            break
    return depth


@compiled(
    f"void({SPEC}, int32[::1], int64[::1], int64, int64, uint64, {VALUES}, {VALUES}, {NODES}, {VALUES},"
    f" {VALUES}, float64[:, ::1])"
)
def grow_tree(spec, candidates, places, first, last, seed, values, settings, nodes, totals, tallies, sums):
    """Simulations first to last − 1 of each candidate at the root, for the seat to move.

    As `try_candidates`, but the moves behind a candidate are chosen by the tree as far as it reaches;
    candidate k is node places[k]. Settings, [7], are margin, exploration, widening for the searching seat's
    sheet and for others, the power of visits by which both grow, after how many turns a game is judged as it
    stands, 0 for never, and the slope of that judgement. Tallies, [4], are the nodes in use, and
    the sum, the sum of squares and the number of all results.
    """
    m, w, t, b, s = unpack(spec)
    deal, work = s.row_bytes, 2 * s.row_bytes
    room, stream = greedy_room(), np.empty(1, np.uint64)
    path, results = np.empty(DEEPEST + 1, np.int64), np.empty(s.num_sheets)
    searching, word = int64(m[s.to_play]) % s.num_sheets, word_of_search(m, w, s, seed)
    until = int64(m[s.turn]) + int64(settings[5]) if settings[5] else NEVER
    for simulation in range(first, last):
        equals = deal_hidden(m, w, t, s, deal, word, simulation, stream)
        for k in range(len(candidates)):
            copy_game(m, s, work, deal)
            play(m, w, t, b, s, work, FLAT, int64(candidates[k]))
            number = max(1.0, tallies[3])
            variance = tallies[2] / number - (tallies[1] / number) ** 2
            spread = max(LEAST_SPREAD, np.sqrt(max(0.0, variance)))
            path[0] = places[k]
            depth = walk_down(
                m,
                w,
                t,
                b,
                s,
                work,
                values,
                equals,
                room,
                settings,
                until,
                searching,
                spread,
                nodes,
                totals,
                tallies,
                path,
            )
            play_greedily(m, w, t, b, s, work, values, equals, room, until)
            write_results(m, s, work, values, settings[6], settings[0], results)
            for step in range(depth + 1):
                nodes[path[step], VISITS] += 1
                totals[path[step]] += results[nodes[path[step], SHEET]]
            add_result(sums[k], results[searching])
            add_result(tallies[1:], results[searching])
