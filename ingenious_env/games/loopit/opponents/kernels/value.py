"""The value network in kernels: values of ends of turns, and the plans that lead to the best of them.

The end of a turn, before the draw, is free of chance. Plans of whole turns are found by beam search (see
`plans.py`), and each is evaluated at its end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import float32

from ingenious_env.compiled.actions import FLAT, first_choice
from ingenious_env.compiled.bag import rack_count
from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, called, inlined, kernel
from ingenious_env.compiled.layers import dense_layer
from ingenious_env.compiled.phases import CHOOSE, NO_ACTION, OVER
from ingenious_env.compiled.rows import copy_row, spare_row
from ingenious_env.compiled.vectors import row_of_array, scratch, vector_of
from ingenious_env.engine.architecture import next_layer
from ingenious_env.games.loopit.kernels import games_of
from ingenious_env.games.loopit.kernels.turns import THROW_BACK, choose, end_turn
from ingenious_env.games.loopit.opponents.kernels.guide import result_for
from ingenious_env.games.loopit.opponents.kernels.inputs import input_workspace, write_inputs
from ingenious_env.games.loopit.opponents.kernels.plans import (
    find_plans,
    first_action,
    first_node,
    plans_workspace,
    play_plan,
)
from ingenious_env.games.loopit.opponents.kernels.value_layout import FIRST, SECOND, num_inputs

WEIGHTS = "float32[::1]"

_first = scratch(float32, FIRST)
_second = scratch(float32, SECOND)
first_layer, second_layer = dense_layer(FIRST), dense_layer(SECOND)


class Evaluator(NamedTuple):
    """A network with scratch memory.

    Attributes:
        weights: float32, layer by layer.
        num_inputs: I.
        inputs: an `InputWorkspace`.
        first: float32, the units of the first layer.
        second: float32, those of the second.
        plans: of the turn.
        after: a game at the end of a plan.
        trial: a game in which the turn is ended.
    """

    weights: Any
    num_inputs: Any
    inputs: Any
    first: Any
    second: Any
    plans: Any
    after: Any
    trial: Any


@inlined
def evaluator_of(game, weights):
    """A network for games of this variant, with scratch memory on the stack of the kernel."""
    size = num_inputs(game.spec.num_players, game.spec.rack_size, game.spec.num_patterns)
    after, trial = spare_row(game), spare_row(game)
    plans = plans_workspace()
    return Evaluator(vector_of(weights), size, input_workspace(), _first(), _second(), plans, after, trial)


@inlined
def infer(evaluator):
    """The share of the win that the network expects."""
    first = evaluator.weights
    second = next_layer(first, evaluator.num_inputs, FIRST)
    last = next_layer(second, FIRST, SECOND)
    first_layer(evaluator.first, evaluator.inputs.inputs, evaluator.num_inputs, first)
    second_layer(evaluator.second, evaluator.first, FIRST, second)
    output = last[0]
    for k in range(SECOND):
        output += evaluator.second[k] * last[1 + k]
    return 1.0 / (1.0 + np.exp(-float(output)))


@called
def value_of_turn(after, kept, evaluator):
    """The value of the end of a turn, before the draw, for the seat to move, which keeps `kept` tiles."""
    write_inputs(after, kept, evaluator.inputs)
    return infer(evaluator)


@called
def value_of_plan(game, node, evaluator):
    """The value of a plan for the seat to move; leaves the game after it in the evaluator's `after`."""
    after, trial = evaluator.after, evaluator.trial
    play_plan(game, evaluator.plans, node, after)
    copy_row(trial, after)
    end_turn(trial)
    if trial.phase == OVER:
        return result_for(trial, after.to_play, 0.0)
    return value_of_turn(after, rack_count(after, after.to_play), evaluator)


@inlined
def value_of_throwing_back(game, evaluator):
    """The value of throwing the rack back for the seat to move.

    Keeping the rack is not considered: where all players are stuck and keep theirs, a game never ends.
    """
    copy_row(evaluator.trial, game)
    choose(evaluator.trial, THROW_BACK)
    if evaluator.trial.phase == OVER:
        return result_for(evaluator.trial, game.to_play, 0.0)
    return value_of_turn(game, 0, evaluator)


@inlined
def best_plan(game, width, evaluator):
    """The plan of highest value, its value and the number of nodes."""
    best, highest = -1, -1.0
    count = find_plans(game, width, evaluator.plans, evaluator.after)
    for node in range(first_node(game), count):
        value = value_of_plan(game, node, evaluator)
        if value > highest:
            best, highest = node, value
    return best, highest, count


@kernel(f"int64({ROWS}, {WEIGHTS}, float64[::1], int64, int32[::1], float64[::1])")
def best_actions(spec, low, high, weights, _values, width, actions, values):
    """Write the flat action of each game with the highest value of the network, and its value."""
    games = games_of(spec)
    evaluator = evaluator_of(games[low], weights)
    for i in range(low, high):
        game = games[i]
        if game.phase == OVER:
            actions[i], values[i] = NO_ACTION, 0.0
        elif game.phase == CHOOSE:
            values[i] = value_of_throwing_back(game, evaluator)
            actions[i] = first_choice(game, FLAT) + THROW_BACK
        else:
            node, values[i], _ = best_plan(game, width, evaluator)
            actions[i] = first_action(game, evaluator.plans, node)
    return ALL_ROWS


@inlined
def rank_game(game, width, evaluator, actions, values):
    """Write the first action of each plan, or to throw the rack back, and their values."""
    if game.phase == CHOOSE:
        actions[0] = first_choice(game, FLAT) + THROW_BACK
        values[0] = value_of_throwing_back(game, evaluator)
        return
    first = first_node(game)
    for node in range(first, find_plans(game, width, evaluator.plans, evaluator.after)):
        actions[node - first] = first_action(game, evaluator.plans, node)
        values[node - first] = value_of_plan(game, node, evaluator)


@kernel(f"int64({ROWS}, {WEIGHTS}, float64[::1], int64, int32[:, ::1], float64[:, ::1])")
def rank_actions(spec, low, high, weights, _values, width, actions, values):
    """Write the first action of each plan of each game, or to throw the rack back, and their values.

    The arrays hold at least 1 + tiles per turn · width.
    """
    games = games_of(spec)
    evaluator = evaluator_of(games[low], weights)
    for i in range(low, high):
        if games[i].phase != OVER:
            rank_game(games[i], width, evaluator, row_of_array(actions, i), row_of_array(values, i))
    return ALL_ROWS
