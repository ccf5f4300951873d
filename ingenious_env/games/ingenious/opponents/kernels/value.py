"""The value network in kernels: values of afterstates, and the actions that lead to the best of them.

An afterstate is the position after a placement or a choice to swap, before the draw, so without chance. Its
inputs are those of `inputs.py`; the network, drawn in `value_layout.py`, evaluates all colours with the same
weights and sums the results, so that the value is invariant under permutations of the colours.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import float32

from ingenious_env.compiled.actions import FLAT, first_choice, split_flat
from ingenious_env.compiled.compiled_guide import Candidates
from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, called, inlined, kernel
from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.compiled.rows import copy_row, spare_row
from ingenious_env.compiled.vectors import row_of_array, scratch, vector_of
from ingenious_env.engine.architecture import layer_size, next_layer
from ingenious_env.games.ingenious.kernels import games_of, play
from ingenious_env.games.ingenious.kernels.legality import policy_random
from ingenious_env.games.ingenious.kernels.turns import KEEP, SWAP_RACK
from ingenious_env.games.ingenious.opponents.kernels.greedy import VALUES, greedy_workspace
from ingenious_env.games.ingenious.opponents.kernels.inputs import (
    MAX_INPUTS,
    count_tile,
    cover,
    input_workspace,
    prepare,
    write_inputs,
)
from ingenious_env.games.ingenious.opponents.kernels.network import first_layer, second_layer, third_layer
from ingenious_env.games.ingenious.opponents.kernels.placements import candidates_workspace, top_placements
from ingenious_env.games.ingenious.opponents.kernels.results import outcome, sheet_to_move
from ingenious_env.games.ingenious.opponents.kernels.value_layout import (
    FIRST,
    SECOND,
    SOLITAIRE_UNIT,
    THIRD,
    inputs_of_all,
    inputs_of_colour,
)
from ingenious_env.games.ingenious.state import OVER, SWAP

WEIGHTS = "float32[::1]"

_first = scratch(float32, FIRST)
_second = scratch(float32, SECOND)
_third = scratch(float32, THIRD)
_joined = scratch(float32, SECOND + MAX_INPUTS)


class Evaluator(NamedTuple):
    """A network with scratch memory.

    Attributes:
        weights: float32, layer by layer.
        inputs: an `InputWorkspace`.
        first: float32, the units of the first layer, for one colour.
        second: float32, those of the second.
        joined: float32, the sums of these over all colours, and the inputs for all colours together.
        third: float32, the units of the third layer.
        trial: a game in which placements are tried out.
    """

    weights: Any
    inputs: Any
    first: Any
    second: Any
    joined: Any
    third: Any
    trial: Any


class ValuePlayer(NamedTuple):
    """Scratch memory and settings for choosing an action by a network.

    Attributes:
        evaluator: the network.
        prior: float64, the value of each space of a counter, by which candidates are found.
        greedy: a `GreedyWorkspace`.
        candidates: as many placements as the network evaluates.
    """

    evaluator: Any
    prior: Any
    greedy: Any
    candidates: Any


@inlined
def sees_next(game, weights):
    """1 if a network has inputs on the next tile, as its number of weights tells, else 0."""
    sheets, colours = game.spec.num_sheets, game.spec.num_colours
    without = layer_size(inputs_of_colour(sheets, 0), FIRST) + layer_size(FIRST, SECOND)
    without += layer_size(SECOND + inputs_of_all(sheets, colours, 0), THIRD) + layer_size(THIRD, 1)
    return int(len(weights) > without)


@inlined
def evaluator_of(game, weights):
    """A network for the game's variant, with memory on the stack of the kernel."""
    inputs = input_workspace(game, sees_next(game, weights))
    return Evaluator(vector_of(weights), inputs, _first(), _second(), _joined(), _third(), spare_row(game))


@inlined
def value_player(game, weights, prior, num_candidates):
    """Scratch memory and settings for choosing actions, on the stack of the kernel."""
    return ValuePlayer(
        evaluator_of(game, weights),
        vector_of(prior),
        greedy_workspace(),
        candidates_workspace(num_candidates),
    )


# The value of an afterstate.


@inlined
def infer(game, evaluator):
    """The output of the network for the inputs, before the activation."""
    sheets, colours = game.spec.num_sheets, game.spec.num_colours
    has_next = evaluator.inputs.sees_next
    by_colour, of_all = inputs_of_colour(sheets, has_next), inputs_of_all(sheets, colours, has_next)
    inputs, joined = evaluator.inputs.inputs, evaluator.joined
    first = evaluator.weights
    second = next_layer(first, by_colour, FIRST)
    third = next_layer(second, FIRST, SECOND)
    last = next_layer(third, SECOND + of_all, THIRD)
    for k in range(SECOND):
        joined[k] = 0.0
    for colour in range(colours):
        first_layer(evaluator.first, inputs[colour * by_colour :], by_colour, first)
        second_layer(evaluator.second, evaluator.first, FIRST, second)
        for k in range(SECOND):
            joined[k] += evaluator.second[k]
    for k in range(of_all):
        joined[SECOND + k] = inputs[colours * by_colour + k]
    third_layer(evaluator.third, joined, SECOND + of_all, third)
    output = last[0]
    for k in range(THIRD):
        output += evaluator.third[k] * last[1 + k]
    return output


@inlined
def activation(game, output):
    """The value of an output: in solitaire proportional to it, else its logistic function."""
    if game.spec.num_sheets == 1:
        return SOLITAIRE_UNIT * float(output)
    return 1.0 / (1.0 + np.exp(-float(output)))


@inlined
def value_of(game, sheet, owed, num_kept, cells, evaluator):
    """The value of an afterstate for a sheet."""
    write_inputs(game, sheet, owed, num_kept, cells, evaluator.inputs)
    return activation(game, infer(game, evaluator))


@inlined
def put_rack_back(game, evaluator):
    """Count no tiles as kept; returns their number, 0."""
    tiles = evaluator.inputs.tiles
    for colour in range(game.spec.num_colours):
        tiles.kept[colour] = tiles.doubles[colour] = 0
    return 0


@inlined
def cover_tile(game, action, evaluator):
    """Place a tile in the evaluator's `trial`, and describe the cells after it; returns its type."""
    slot, placement = split_flat(game, action)
    cells = game.pair_cells[placement if placement < game.spec.num_pairs else placement - game.spec.num_pairs]
    play(evaluator.trial, FLAT, action)
    if evaluator.trial.phase != OVER:
        cover(game, evaluator.trial, cells[0], cells[1], evaluator.inputs)
    return game.racks[game.to_play][slot]


@called
def value_of_action(game, num_kept, action, evaluator):
    """The value of a flat action for the sheet that makes it.

    Leaves in the evaluator's `trial` the position after a placement and the next draw, or before a choice. To
    swap clears the counts of tiles kept, so of the choices it comes last.
    """
    sheet, workspace, after = sheet_to_move(game), evaluator.inputs, evaluator.trial
    choice, cells, owed, placed = action - first_choice(game, FLAT), workspace.cells, game.plays_left, 0
    tile = 0
    copy_row(after, game)
    if choice == SWAP_RACK:
        num_kept = put_rack_back(game, evaluator)
    elif choice < 0:
        tile, placed = cover_tile(game, action, evaluator), 1
        if after.phase == OVER:
            return outcome(after, sheet)
        owed, cells = after.plays_left if after.turn == game.turn else 0, workspace.covered
    # The network is evaluated here only: its code is most of a kernel's.
    count_tile(game, tile, -placed, 0, workspace.tiles)
    value = value_of(after, sheet, owed, num_kept - placed, cells, evaluator)
    count_tile(game, tile, placed, 0, workspace.tiles)
    return value


@inlined
def list_actions(game, prior, random, greedy, found):
    """List the placements that add most by `prior`, or to swap and to keep; returns their number."""
    if game.phase != SWAP:
        return top_placements(game, prior, random, greedy, found)
    first = first_choice(game, FLAT)
    found.actions[0], found.actions[1] = first + SWAP_RACK, first + KEEP
    return 2


@inlined
def best_action(game, random, player):
    """The action of highest value, and its value; of placements, only candidates are evaluated."""
    evaluator, candidates = player.evaluator, player.candidates
    num_kept, best, highest = prepare(game, evaluator.inputs), -1, -np.inf
    for k in range(list_actions(game, player.prior, random, player.greedy, candidates) - 1, -1, -1):
        value = value_of_action(game, num_kept, candidates.actions[k], evaluator)
        if value >= highest:  # of equal ones the first
            best, highest = candidates.actions[k], value
    return best, highest


@kernel(f"int64({ROWS}, {WEIGHTS}, {VALUES}, int64, int32[::1], float64[::1])")
def best_actions(spec, low, high, weights, prior, num_candidates, actions, values):
    """Write the flat action of each game with the highest value of the network, and its value."""
    games = games_of(spec)
    player = value_player(games[low], weights, prior, num_candidates)
    for i in range(low, high):
        game = games[i]
        if game.phase == OVER:
            actions[i], values[i] = NO_ACTION, 0.0
        else:
            actions[i], values[i] = best_action(game, policy_random(game), player)
    return ALL_ROWS


@inlined
def rank_game(game, prior, evaluator, greedy, found):
    """Fill `found` with the placements that add most by `prior`, or to swap and to keep, and their values."""
    num_kept = prepare(game, evaluator.inputs)
    for k in range(list_actions(game, prior, policy_random(game), greedy, found) - 1, -1, -1):
        found.gains[k] = value_of_action(game, num_kept, found.actions[k], evaluator)


@kernel(f"int64({ROWS}, {WEIGHTS}, {VALUES}, int64, int32[:, ::1], float64[:, ::1])")
def rank_actions(spec, low, high, weights, prior, _num_candidates, actions, values):
    """Write as many of each game's placements as fit, or its choices, and their values.

    The placements are those that add most by `prior`, in that order.
    """
    games, prior = games_of(spec), vector_of(prior)
    evaluator, greedy = evaluator_of(games[low], weights), greedy_workspace()
    for i in range(low, high):
        if games[i].phase != OVER:
            found = Candidates(row_of_array(actions, i), row_of_array(values, i), actions.shape[1])
            rank_game(games[i], prior, evaluator, greedy, found)
    return ALL_ROWS
