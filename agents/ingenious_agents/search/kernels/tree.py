"""Tree search over one seat's information: information-set Monte Carlo tree search with a single observer.

The tree is of moves, not of positions: each simulation deals the hidden tiles anew, and descends along moves
that are legal in that deal. A node counts how often it was available in addition to how often it was visited,
so that moves that are rarely legal do not count as neglected. Each node considers its mover's best actions by
what they add to the utility: at first one, as a greedy player does, and more of them with the number of its
visits.

A node is a row of numbers, int32 [M, 6], and a sum of results for the sheet that moved there, float64 [M]:

    move | first child | next sibling | visits | times it could be chosen | sheet that moved

Nodes 1 to K are the candidates at the root. As a link, 0 means that there is none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import float64, int32, int64, types, uint64, void

from ingenious_agents.search.kernels.rollouts import (
    NEVER,
    add_result,
    deal_hidden,
    one_word,
    play_greedily,
    word_of_search,
    write_results,
)
from ingenious_env.compiled import compiled_rules as rules
from ingenious_env.compiled.actions import FLAT, first_choice, split_flat
from ingenious_env.compiled.compiled_guide import Candidates, guide_workspace, list_candidates, sheet_to_move
from ingenious_env.compiled.compiled_rules import play
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.phases import OVER
from ingenious_env.compiled.rng import GOLDEN, mix
from ingenious_env.compiled.rows import copy_row, spare_row
from ingenious_env.compiled.vectors import matrix_of, row_of_array, scratch, vector_of

MOVE, CHILD, SIBLING, VISITS, CHANCES, SHEET = 0, 1, 2, 3, 4, 5
NODE_SIZE = 6
MAX_DEPTH = 64
MAX_ACTIONS = 128
MAX_SHEETS = 8
MIN_SPREAD = 0.01  # of results, for exploration

_path = scratch(int64, MAX_DEPTH + 1)
_results = scratch(float64, MAX_SHEETS)
_actions = scratch(int32, MAX_ACTIONS)
_gains = scratch(float64, MAX_ACTIONS)


class Settings(NamedTuple):
    """The parameters of a search, all float64.

    Attributes:
        margin: see `result_for`.
        exploration: number of standard errors from the mean to the upper bound.
        widening: how fast the number of actions grows at the nodes of the searching seat's sheet.
        widening_others: the same at those of other sheets.
        power: of the visits, by which both grow.
        horizon: turns after which a game is evaluated before its end, 0 for never.
        slope: of that evaluation, see `write_results`.
    """

    margin: Any
    exploration: Any
    widening: Any
    widening_others: Any
    power: Any
    horizon: Any
    slope: Any


class Tree(NamedTuple):
    """The nodes of a search.

    Attributes:
        nodes: int32 [M, 6].
        totals: float64 [M].
        used: int64 [1], the number of nodes in use.
        results: float64 [3], the sum, the sum of squares and the number of all results.
        size: int64, M.
    """

    nodes: Any
    totals: Any
    used: Any
    results: Any
    size: Any


SETTINGS = types.NamedUniTuple(float64, len(Settings._fields), Settings)
TREE = types.NamedTuple((int32[:, ::1], float64[::1], int64[::1], float64[::1], int64), Tree)


@inlined
def vectors_of_tree(tree):
    """The tree, its arrays as vectors."""
    nodes = matrix_of(vector_of(tree.nodes), NODE_SIZE)
    return Tree(nodes, vector_of(tree.totals), vector_of(tree.used), vector_of(tree.results), tree.size)


@inlined
def public_move(game, action):
    """The public form of a move: with the tile's type instead of its slot."""
    placements, choice = game.spec.num_placements, action - first_choice(game, FLAT)
    if choice >= 0:
        return game.spec.num_types * placements + choice
    slot, placement = split_flat(game, action)
    return game.racks[game.to_play][slot] * placements + placement


@inlined
def child_of(tree, node, move):
    """The child by a move, or 0."""
    child = tree.nodes[node][CHILD]
    while child and tree.nodes[child][MOVE] != move:
        child = tree.nodes[child][SIBLING]
    return child


@inlined
def choose_child(game, tree, node, actions, count, exploration):
    """The first of the actions that has no child yet, or else the child with the highest upper bound.

    Returns the child, or 0 for a new one, and the action.
    """
    best, best_value, best_action, is_new = 0, -np.inf, 0, False
    for k in range(count):
        child = child_of(tree, node, public_move(game, actions[k]))
        if child == 0:
            if not is_new:
                is_new, best, best_action = True, 0, actions[k]
            continue
        tree.nodes[child][CHANCES] += 1
        if not is_new:
            visits = float(tree.nodes[child][VISITS])
            error = np.sqrt(np.log(float(tree.nodes[child][CHANCES])) / visits)
            value = tree.totals[child] / visits + exploration * error
            if value > best_value:
                best, best_value, best_action = child, value, actions[k]
    return best, best_action


@inlined
def add_child(tree, parent, move, sheet):
    """Add an unused node as a child of another; returns its number."""
    child = tree.used[0]
    tree.used[0] = child + 1
    node, above = tree.nodes[child], tree.nodes[parent]
    node[MOVE], node[SIBLING], node[CHANCES], node[SHEET] = move, above[CHILD], 1, sheet
    node[CHILD] = node[VISITS] = 0
    tree.totals[child] = 0.0
    above[CHILD] = child
    return child


@inlined
def descend(game, tree, path, values, random, workspace, settings, searching, until):
    """Play from node path[0] to a new node, or to a turn or the end; fills path, returns the depth."""
    candidates, depth = Candidates(_actions(), _gains(), MAX_ACTIONS), 0
    exploration = settings.exploration * spread_of(tree.results)
    while game.phase != OVER and game.turn < until and depth < MAX_DEPTH:
        node, sheet = path[depth], sheet_to_move(game)
        widening = settings.widening if sheet == searching else settings.widening_others
        wanted = int64(1.0 + widening * float(tree.nodes[node][VISITS]) ** settings.power)
        random = mix(random + GOLDEN)
        some = Candidates(candidates.actions, candidates.gains, min(wanted, candidates.size))
        count = list_candidates(game, values, random, workspace, some)
        child, action = choose_child(game, tree, node, candidates.actions, count, exploration)
        is_new = child == 0
        if is_new:
            if tree.used[0] == tree.size:
                break
            child = add_child(tree, node, public_move(game, action), sheet)
        play(game, FLAT, action)
        depth += 1
        path[depth] = child
        if is_new:
            break
    return depth


@inlined
def spread_of(results):
    """The standard deviation of all results so far, but not less than `MIN_SPREAD`."""
    number = max(1.0, results[2])
    variance = results[1] / number - (results[0] / number) ** 2
    return max(MIN_SPREAD, np.sqrt(max(0.0, variance)))


@inlined
def back_up(tree, path, depth, results):
    """Count a visit of each node of the path, and add the result of the sheet that moved there."""
    for step in range(depth + 1):
        node = tree.nodes[path[step]]
        node[VISITS] += 1
        tree.totals[path[step]] += results[node[SHEET]]


GROW_TREE = void(
    int64[::1],
    int32[::1],
    int64[::1],
    int64,
    int64,
    uint64,
    float64[::1],
    SETTINGS,
    TREE,
    float64[:, ::1],
)
"""The signature of `grow_tree`, a template of which `game_kernels.py` makes the kernel of a game."""


def grow_tree(spec, candidates, places, first, last, seed, values, settings, tree, sums):
    """Simulations `first` to `last` − 1 of each candidate at the root, the only row, for the seat to move.

    As `try_candidates`, but the moves after a candidate are chosen by the tree as far as it reaches;
    candidate k is node places[k].
    """
    root, tree = rules.games_of(spec)[0], vectors_of_tree(tree)
    deal, game = spare_row(root), spare_row(root)
    workspace, values, stream = guide_workspace(root), vector_of(values), one_word()
    path, results = _path(), _results()
    actions, searching, word = vector_of(candidates), sheet_to_move(root), word_of_search(root, seed)
    until = root.turn + int64(settings.horizon) if settings.horizon else NEVER
    for simulation in range(first, last):
        equals = deal_hidden(root, deal, word, simulation, stream)
        for k in range(len(candidates)):
            copy_row(game, deal)
            play(game, FLAT, actions[k])
            path[0] = places[k]
            depth = descend(game, tree, path, values, equals, workspace, settings, searching, until)
            play_greedily(game, values, equals, workspace, until)
            write_results(game, values, settings.slope, settings.margin, results)
            back_up(tree, path, depth, results)
            add_result(row_of_array(sums, k), results[searching])
            add_result(tree.results, results[searching])
