"""Parts of `try_by_network` for pages without a server, which reuse their kernels for ranking and playing.

With `try_by_network` itself the module of WebAssembly would be 20 kB larger (compressed).
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from ingenious_agents.search.kernels.rollouts import deal_hidden, one_word, word_of_search
from ingenious_env.compiled.kernel import ALL_ROWS, ROWS, inlined, kernel
from ingenious_env.compiled.placing import word_for_decision
from ingenious_env.compiled.rng import GOLDEN, mix
from ingenious_env.games.ingenious.kernels import games_of
from ingenious_env.games.ingenious.opponents.kernels.results import outcome

UNMIX_1, UNMIX_2 = np.uint64(0x96DE1B173F119089), np.uint64(0x319642B2D24D8EC3)
"""The inverses of `MIX_1` and `MIX_2` of `rng.py`, modulo 2^64."""


@inlined
def unmix(x):
    """The word that `mix` scrambles to this one."""
    x = (x ^ (x >> np.uint64(31)) ^ (x >> np.uint64(62))) * UNMIX_2
    x = (x ^ (x >> np.uint64(27)) ^ (x >> np.uint64(54))) * UNMIX_1
    return x ^ (x >> np.uint64(30)) ^ (x >> np.uint64(60))


@inlined
def key_for(game, random):
    """The key for which `word_for_decision` gives a random word, since it scrambles the key xor a word."""
    return unmix(random) ^ unmix(word_for_decision(game, uint64(0)))


@kernel(f"int64({ROWS}, uint64, int64, uint64[::1])")
def deal_trials(spec, low, high, seed, first, words):
    """Deal hidden tiles anew for simulations from `first` on, one for each row but the last, the root.

    Writes each simulation's word for further choices.
    """
    games, stream = games_of(spec), one_word()
    root = games[high - 1]
    word = word_of_search(root, seed)
    for i in range(low, high - 1):
        words[i] = deal_hidden(root, games[i], word, first + i - low, stream)
    return ALL_ROWS


@kernel(f"int64({ROWS}, uint64[::1])")
def next_words(spec, low, high, words):
    """Advance the word of each game, and set the game's key so that policies draw the word next."""
    games = games_of(spec)
    for i in range(low, high):
        words[i] = mix(words[i] + GOLDEN)
        games[i].policy_key = key_for(games[i], words[i])
    return ALL_ROWS


@kernel(f"int64({ROWS}, int64, float64[::1])")
def write_outcomes(spec, low, high, sheet, values):
    """Write the value of each game for a sheet, as if it were finished."""
    games = games_of(spec)
    for i in range(low, high):
        values[i] = outcome(games[i], sheet)
    return ALL_ROWS
