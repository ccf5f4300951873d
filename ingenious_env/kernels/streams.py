"""Random numbers: splitmix64, whose whole state is one word of the game's row."""

from __future__ import annotations

from numba import int64, uint64

from ingenious_env.kernels.compiling import inlined

GOLDEN = uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = uint64(0xBF58476D1CE4E5B9), uint64(0x94D049BB133111EB)
POLICY_STREAM = uint64(0xD1B54A32D192ED03)
POLICY_KEY = uint64(0xA0761D6478BD642F)  # tells what random choices follow from apart from the deal


@inlined
def mix(x):
    """Scramble a word: a bijection in which every input bit reaches every output bit."""
    x = (x ^ (x >> uint64(30))) * MIX_1
    x = (x ^ (x >> uint64(27))) * MIX_2
    return x ^ (x >> uint64(31))


@inlined
def scale(x, n):
    """A whole number in 0..n − 1 from a random word."""
    return int64(((x >> uint64(32)) * uint64(n)) >> uint64(32))


@inlined
def draw_number(w, at, n):
    """The next number in 0..n − 1 of the stream in w[at]."""
    w[at] += GOLDEN
    return scale(mix(w[at]), n)


@inlined
def seed_stream(seed, index):
    """The stream of game `index` under a seed."""
    return mix(mix(seed + GOLDEN) + mix(index + POLICY_STREAM))
