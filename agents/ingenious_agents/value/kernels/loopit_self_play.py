"""Games of Loopit of a value network against itself, recorded turn by turn."""

from __future__ import annotations

from numba import int64

from ingenious_agents.value.kernels.self_play import PLAY_BY_VALUE, is_below
from ingenious_env.compiled.actions import FLAT, first_choice
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.compiled.kernel import ALL_ROWS, inlined, kernel
from ingenious_env.compiled.phases import CHOOSE, OVER, PLACE
from ingenious_env.compiled.placing import word_for_decision
from ingenious_env.compiled.rng import GOLDEN, mix, scale
from ingenious_env.compiled.vectors import vector_of
from ingenious_env.games.loopit.kernels import games_of, play
from ingenious_env.games.loopit.kernels.turns import STOP, THROW_BACK
from ingenious_env.games.loopit.opponents.kernels.guide import result_for
from ingenious_env.games.loopit.opponents.kernels.plans import first_action, play_plan
from ingenious_env.games.loopit.opponents.kernels.value import (
    best_plan,
    evaluator_of,
    value_of_plan,
    value_of_throwing_back,
)

POINTS, VALUES = 0, 1
"""The features of the excess of a draw: the points of the best squares of its tiles, and their values."""
NUM_EXCESS = 2


@inlined
def add_rack(game, seat, times, outlook, excess):
    """Add a multiple of the features of a rack's tiles to the excess; returns their number."""
    rack, count = game.racks[seat], 0
    for slot in range(game.spec.rack_size):
        tile = rack[slot]
        if tile == NO_TILE:
            break
        excess[POINTS] += times * outlook.points[tile] / 20.0
        excess[VALUES] += times * game.type_value[tile] / 8.0
        count += 1
    return count


@inlined
def add_expected(game, drawn, outlook, excess):
    """Subtract the expected sum of a draw of `drawn` tiles from the bag.

    This uses the actual bag; for the seat other contents are likelier, as others keep tiles that fit least.
    """
    points, values, first = 0.0, 0.0, game.drawn
    for place in range(first, game.spec.num_tiles):
        points += outlook.points[game.bag[place]]
        values += game.type_value[game.bag[place]]
    in_bag = game.spec.num_tiles - first
    if in_bag > 0:
        excess[POINTS] -= drawn * points / in_bag / 20.0
        excess[VALUES] -= drawn * values / in_bag / 8.0


@inlined
def play_turn(game, node, evaluator):
    """Play a plan, and stop if the turn has not ended automatically."""
    seat, count = game.to_play, play_plan(game, evaluator.plans, node, evaluator.after)
    for place in range(count - 1, -1, -1):
        play(game, FLAT, evaluator.plans.path[place])
    if game.phase == PLACE and game.laid > 0 and game.to_play == seat:
        play(game, FLAT, first_choice(game, FLAT) + STOP)


@kernel(PLAY_BY_VALUE)
def play_by_value(spec, low, high, weights, _prior, width, epsilon, recording):
    """Play each game to its end by the network, whole turns at random with probability `epsilon`."""
    games = games_of(spec)
    evaluator = evaluator_of(games[low], weights)
    outlook = evaluator.inputs.outlook
    inputs, values, actions = recording.inputs, recording.values, recording.actions
    sheets, explored, results = recording.sheets, recording.explored, recording.results
    for i in range(low, high):
        game, step, truncated, expected = games[i], 0, -1, 0.0
        while game.phase != OVER and step < values.shape[1]:
            seat, explores, node = game.to_play, False, -1
            if game.phase == CHOOSE:
                value = value_of_throwing_back(game, evaluator)
            else:
                node, value, count = best_plan(game, width, evaluator)
                random = word_for_decision(game, game.stream)
                explores = is_below(random, epsilon)
                if explores:
                    node = 1 + scale(mix(random + GOLDEN), count - 1)
                value_of_plan(game, node, evaluator)
            ends = evaluator.trial.phase == OVER
            if ends and explores:
                truncated, expected = seat, value
            if not ends:
                for k in range(inputs.shape[2]):
                    inputs[i, step, k] = evaluator.inputs.inputs[k]
                values[i, step], sheets[i, step], explored[i, step] = value, seat, explores
            excess = vector_of(recording.excess[i, step])
            excess[POINTS] = excess[VALUES] = 0.0
            if node < 0:
                actions[i, step] = first_choice(game, FLAT) + THROW_BACK
                play(game, FLAT, first_choice(game, FLAT) + THROW_BACK)
            else:
                actions[i, step] = first_action(game, evaluator.plans, node)
                kept = add_rack(evaluator.after, seat, -1.0, outlook, excess)
                play_turn(game, node, evaluator)
                drawn = add_rack(game, seat, 1.0, outlook, excess) - kept
                add_expected(evaluator.after, drawn, outlook, excess)
            step += int64(not ends)
        recording.counts[i] = step
        for sheet in range(game.spec.num_sheets):
            results[i, sheet] = expected if sheet == truncated else result_for(game, sheet, 0.0)
    return ALL_ROWS
