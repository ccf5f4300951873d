"""The one random generator: splitmix64, whose whole state is one 64-bit word.

The functions are for kernels; `mix.py_func` and `scale.py_func` do the same to NumPy arrays.
"""

from __future__ import annotations

import numpy as np

from ingenious_env.compiled.kernel import inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
INDEX_STREAM = np.uint64(0xD1B54A32D192ED03)
POLICY_KEY = np.uint64(0xA0761D6478BD642F)  # separates the random choices of policies from the deal


@inlined
def mix(x):
    """Scramble a word: a bijection in which every input bit reaches every output bit."""
    x = (x ^ (x >> np.uint64(30))) * MIX_1
    x = (x ^ (x >> np.uint64(27))) * MIX_2
    return x ^ (x >> np.uint64(31))


@inlined
def scale(x, n):
    """A whole number in 0..n − 1 from a random word."""
    return np.int64(((x >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@inlined
def draw_number(stream, n):
    """The next number in 0..n − 1 of a stream, a vector of one word."""
    stream[0] += GOLDEN
    return scale(mix(stream[0]), n)


@inlined
def seed_stream(seed, index):
    """The stream of game `index` under a seed."""
    return mix(mix(seed + GOLDEN) + mix(index + INDEX_STREAM))
