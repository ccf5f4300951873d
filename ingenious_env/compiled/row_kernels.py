"""The kernels of every game, each over rows `low` to `high` of a batch.

These are templates, of which `RowKernels` makes the kernels of a game.

All take the spec of a batch, which holds the addresses of its games and tables; the caller keeps these alive.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numba import uint64

from ingenious_env.compiled import compiled_rules as rules
from ingenious_env.compiled.actions import from_flat
from ingenious_env.compiled.bag import start_afresh
from ingenious_env.compiled.compiled_guide import Candidates, greedy_action, guide_workspace, list_candidates
from ingenious_env.compiled.compiled_rules import word_for_decision
from ingenious_env.compiled.intrinsics import copy, prefetch
from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, Kernel, bind, inlined
from ingenious_env.compiled.phases import NO_ACTION, OVER
from ingenious_env.compiled.rng import seed_stream
from ingenious_env.compiled.vectors import row_of_array, scratch, vector_of

MATRIX = "int8[:, ::1]"
NEAR = 1 << 22  # bytes that a core's caches may hold between two steps; prefetching cached rows costs 8 %

one_word = scratch(uint64, 1)


@inlined
def prefetch_row(rows, i):
    """Prefetch row i while another is written, where all rows are too many for the cache.

    Past the last row this does nothing.
    """
    if rows.size > NEAR:
        prefetch(row_of_array(rows, i), rows.shape[1])


def seed_games(spec, low, high, chosen, seeds, indices):
    """Deal new games in the chosen rows, row i from the stream of (seeds[i], indices[i])."""
    games = rules.games_of(spec)
    for i in range(low, high):
        if chosen[i]:
            game = games[i]
            game.stream = seed_stream(seeds[i], indices[i])
            rules.deal(game)
    return ALL_ROWS


def deal_games(spec, low, high, chosen):
    """Deal the chosen rows anew, each continuing its own stream."""
    games = rules.games_of(spec)
    for i in range(low, high):
        if chosen[i]:
            rules.deal(games[i])
    return ALL_ROWS


def deal_in_order(spec, low, high, orders):
    """Begin games anew with given drawing orders, row i of orders, uint8 [B, M]."""
    games = rules.games_of(spec)
    for i in range(low, high):
        game = games[i]
        start_afresh(game)
        for k in range(game.spec.num_tiles):
            game.bag[k] = orders[i, k]
        rules.hand_out(game)
    return ALL_ROWS


def write_masks(spec, low, high, staged, mask):
    """Write the legal actions of each game."""
    games, workspace = rules.games_of(spec), rules.workspace()
    for i in range(low, high):
        prefetch_row(mask, i + 1)
        rules.write_mask(games[i], staged, workspace, row_of_array(mask, i))
    return ALL_ROWS


def write_observations(spec, low, high, viewers, out):
    """Write the observation of each row's viewer."""
    games = rules.games_of(spec)
    for i in range(low, high):
        prefetch_row(out, i + 1)
        rules.write_observation(games[i], viewers[i], row_of_array(out, i))
    return ALL_ROWS


def random_actions(spec, low, high, staged, by_key, actions):
    """Pick a uniformly random legal action for each game, by its stream or by its policy key."""
    games, workspace = rules.games_of(spec), rules.workspace()
    for i in range(low, high):
        game = games[i]
        random = rules.word_for_decision(game, game.policy_key if by_key else game.stream)
        actions[i] = rules.random_action(game, staged, random, workspace)
    return ALL_ROWS


def explain_actions(spec, low, high, staged, actions, codes):
    """Write why each row's action is illegal, 0 where it is legal."""
    games, workspace = rules.games_of(spec), rules.workspace()
    for i in range(low, high):
        codes[i] = rules.illegality(games[i], staged, actions[i], workspace)
    return ALL_ROWS


def play_games(spec, low, high, step, staged, actions, auto_reset, done, final, mask, obs):
    """Play actions; finished games write the bytes of their scores to final, and are dealt anew if asked.

    Then write masks and observations, for the seat to move, to those of the two that have rows. The first
    step looks for an illegal action, and returns its row; all else is the second. Compiled for None in the
    place of auto_reset, mask and obs, it leaves these out, and takes a third less time to compile.
    """
    games, workspace = rules.games_of(spec), rules.workspace()
    if step != 1:
        for i in range(low, high):
            if rules.illegality(games[i], staged, actions[i], workspace):
                return i
    if step == 0:
        return ALL_ROWS
    for i in range(low, high):
        game = games[i]
        if game.phase != OVER:
            rules.play(game, staged, actions[i])
        done[i] = game.phase == OVER
        if done[i]:
            copy(row_of_array(final, i), game.bytes[game.spec.scores_at :], final.shape[1])
            if auto_reset is not None and auto_reset:
                rules.deal(game)
        if mask is not None and len(mask):
            prefetch_row(mask, i + 1)
            rules.write_mask(game, staged, workspace, row_of_array(mask, i))
        if obs is not None and len(obs):
            prefetch_row(obs, i + 1)
            rules.write_observation(game, game.to_play, row_of_array(obs, i))
    return ALL_ROWS


def random_playouts(spec, low, high, seed, scores):
    """Play games (seed, low) to (seed, high − 1) at random in row 0; write the bytes of their scores."""
    game, workspace = rules.games_of(spec)[0], rules.workspace()
    staged = False
    for i in range(low, high):
        game.stream = seed_stream(seed, np.uint64(i))
        rules.deal(game)
        while game.phase != OVER:
            random = rules.word_for_decision(game, game.stream)
            rules.play(game, staged, rules.random_action(game, staged, random, workspace))
        copy(row_of_array(scores, i), game.bytes[game.spec.scores_at :], scores.shape[1])
    return ALL_ROWS


def reshuffle_hidden(spec, low, high, viewers, seed, by_key):
    """Resample what each row's viewer cannot know, row i with the stream of (seed, i), or of its key.

    Returns the first row without a consistent deal.
    """
    games, workspace, stream = rules.games_of(spec), rules.workspace(), one_word()
    for i in range(low, high):
        game = games[i]
        index = rules.word_for_decision(game, game.policy_key) if by_key else np.uint64(i)
        stream[0] = seed_stream(seed, index)
        if not rules.reshuffle(game, viewers[i], stream, workspace):
            return i
    return ALL_ROWS


def greedy_actions(spec, low, high, staged, values, actions):
    """Write each game's greedy action by a utility; for games that have a guide (see `greedy.py`)."""
    games, values = rules.games_of(spec), vector_of(values)
    workspace = guide_workspace(games[low])
    for i in range(low, high):
        game = games[i]
        if game.phase == OVER:
            actions[i] = NO_ACTION
        else:
            random = word_for_decision(game, game.policy_key)
            actions[i] = from_flat(game, staged, greedy_action(game, values, random, workspace))
    return ALL_ROWS


def write_candidates(spec, low, high, values, actions, gains, counts):
    """List each game's best actions by what they add to the utility, the best first.

    Fills actions and gains, [B, K], and counts, [B], their number: at most K, none where a game is over.
    """
    games, values = rules.games_of(spec), vector_of(values)
    workspace = guide_workspace(games[low])
    for i in range(low, high):
        game = games[i]
        found = Candidates(row_of_array(actions, i), row_of_array(gains, i), actions.shape[1])
        counts[i] = 0
        if game.phase != OVER:
            random = word_for_decision(game, game.policy_key)
            counts[i] = list_candidates(game, values, random, workspace, found)
    return ALL_ROWS


class RowKernels:
    """The kernels of one game.

    Args:
        name: of the game.
        module: its compiled rules, with the functions of `compiled_rules.py`.
        observation: the dtype of observations, in Numba's notation.
    """

    def __init__(self, name: str, module: ModuleType, observation: str = "int8") -> None:
        self.module = module
        seen = f"{observation}[:, ::1]"

        def make(template, arguments, steps=1):
            return Kernel(bind(template, module), f"int64({ROWS}, {arguments})", folder=name, steps=steps)

        self.seed_games = make(seed_games, "boolean[::1], uint64[::1], uint64[::1]")
        self.deal_games = make(deal_games, "boolean[::1]")
        if hasattr(module, "hand_out"):  # there is a bag
            self.deal_in_order = make(deal_in_order, "uint8[:, ::1]")
        self.write_masks = make(write_masks, f"boolean, {MATRIX}")
        self.write_observations = make(write_observations, f"int64[::1], {seen}")
        self.random_actions = make(random_actions, "boolean, boolean, int32[::1]")
        self.explain_actions = make(explain_actions, "boolean, int64[::1], int64[::1]")
        played = "int64, boolean, int64[::1]"
        ended = "boolean[::1], uint8[:, ::1]"
        self.play_games = make(play_games, f"{played}, boolean, {ended}, {MATRIX}, {seen}", steps=2)
        self.play_moves = make(play_games, f"{played}, none, {ended}, none, none", steps=2)
        self.random_playouts = make(random_playouts, "uint64, uint8[:, ::1]")
        self.reshuffle_hidden = make(reshuffle_hidden, "int64[::1], uint64, boolean")


__all__ = ["MATRIX", "RowKernels", "one_word", "vector_of"]
