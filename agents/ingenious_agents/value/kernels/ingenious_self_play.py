"""Games of Ingenious of a value network against itself, recorded."""

from __future__ import annotations

from numba import int64

from ingenious_agents.value.kernels.self_play import PLAY_BY_VALUE, is_below
from ingenious_env.compiled.actions import FLAT, first_choice, split_flat
from ingenious_env.compiled.kernel import ALL_ROWS, inlined, kernel
from ingenious_env.compiled.placing import word_for_decision
from ingenious_env.compiled.rng import GOLDEN, mix, scale
from ingenious_env.compiled.vectors import vector_of
from ingenious_env.games.ingenious.kernels import games_of, play
from ingenious_env.games.ingenious.kernels.turns import KEEP
from ingenious_env.games.ingenious.opponents.kernels.inputs import prepare
from ingenious_env.games.ingenious.opponents.kernels.placements import top_placements
from ingenious_env.games.ingenious.opponents.kernels.results import outcome, sheet_to_move
from ingenious_env.games.ingenious.opponents.kernels.value import (
    best_action,
    value_of_action,
    value_player,
)
from ingenious_env.games.ingenious.state import NO_TILE, OVER, SWAP


@inlined
def write_afterstate(game, action, evaluator):
    """Write the inputs of a flat action's afterstate; returns False if the action ends the game."""
    value_of_action(game, prepare(game, evaluator.inputs), action, evaluator)
    return evaluator.trial.phase != OVER


@inlined
def add_rack(game, rack, times, counts):
    """Add a multiple of the tiles on a rack to counts by colour; returns the number of tiles."""
    count = 0
    for slot in range(game.spec.rack_size):
        if rack[slot] != NO_TILE:
            add_tile(game, rack[slot], times, counts)
            count += 1
    return count


@inlined
def add_tile(game, tile, times, counts):
    """Add a multiple of a tile to counts by colour, once to each of its colours."""
    low, high = game.type_low[tile], game.type_high[tile]
    counts[low] += times
    if high != low:
        counts[high] += times


@inlined
def count_unseen(game, on_rack):
    """The number of tiles hidden from the seat to move, with `on_rack` tiles on its rack."""
    unseen = game.spec.num_tiles - game.placed - on_rack
    if game.spec.open_racks:
        racks = game.racks[0]
        for place in range(game.spec.num_players * game.spec.rack_size):
            unseen -= int64(racks[place] != NO_TILE)
        unseen += on_rack
    return unseen


@inlined
def play_and_count_draws(game, action, unseen_by_colour, excess):
    """Play an action, and write the excess of the tiles then drawn over the expected ones, by colour.

    As far as the seat can know, it draws each unseen tile with equal probability. So the excess has mean 0 in
    every position: it is the input of the network's control variate.
    """
    rack, kept, choice = game.racks[game.to_play], 0, action - first_choice(game, FLAT)
    for colour in range(game.spec.num_colours):
        excess[colour] = 0.0
    on_rack = add_rack(game, rack, -1.0, excess)
    unseen = count_unseen(game, on_rack)
    if choice < 0:
        slot, _ = split_flat(game, action)
        add_tile(game, rack[slot], 1.0, excess)
        kept = on_rack - 1
    elif choice == KEEP:
        kept = on_rack
    else:
        for colour in range(game.spec.num_colours):
            excess[colour] = 0.0
    play(game, FLAT, action)
    drawn = add_rack(game, rack, 1.0, excess) - kept
    if drawn > 0:
        for colour in range(game.spec.num_colours):
            excess[colour] -= drawn * unseen_by_colour[colour] / unseen


@inlined
def random_candidate(game, random, player):
    """A uniformly random candidate."""
    found = top_placements(game, player.prior, random, player.greedy, player.candidates)
    return player.candidates.actions[scale(mix(random + GOLDEN), found)]


@kernel(PLAY_BY_VALUE)
def play_by_value(spec, low, high, weights, prior, num_candidates, epsilon, recording):
    """Play each game to its end by the network, placements at random with probability `epsilon`."""
    games = games_of(spec)
    player = value_player(games[low], weights, prior, num_candidates)
    inputs, values, actions = recording.inputs, recording.values, recording.actions
    sheets, explored, results = recording.sheets, recording.explored, recording.results
    for i in range(low, high):
        game, step, truncated, expected = games[i], 0, -1, 0.0
        while game.phase != OVER and step < values.shape[1]:
            random = word_for_decision(game, game.stream)
            action, value = best_action(game, random, player)
            random, sheet = mix(random + GOLDEN), sheet_to_move(game)
            explores = is_below(random, epsilon) and game.phase != SWAP
            if explores:
                action = random_candidate(game, random, player)
            if write_afterstate(game, action, player.evaluator):
                for k in range(inputs.shape[2]):
                    inputs[i, step, k] = player.evaluator.inputs.inputs[k]
                values[i, step], actions[i, step] = value, action
                sheets[i, step], explored[i, step] = sheet, explores
                unseen, excess = player.evaluator.inputs.tiles.unseen, vector_of(recording.excess[i, step])
                play_and_count_draws(game, action, unseen, excess)
                step += 1
            else:
                if explores:
                    truncated, expected = sheet, value
                play(game, FLAT, action)
        recording.counts[i] = step
        for sheet in range(game.spec.num_sheets):
            results[i, sheet] = expected if sheet == truncated else outcome(game, sheet)
    return ALL_ROWS
