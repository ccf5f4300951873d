"""Sets of places as bits in 64-bit words, compiled: picking one of them, and tables for that.

Kernels that use `nth_bit` and `nth_of` have the table `spread` (see `spread_table`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from ingenious_env.compiled.intrinsics import EACH_BYTE, TOP_BITS, count_bits
from ingenious_env.compiled.kernel import inlined


def spread_table() -> NDArray[np.uint64]:
    """Uint64 [256]: the eight bits of a byte as eight bytes."""
    bits: NDArray[Any] = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    return bits.view("<u8")[:, 0]


@inlined
def has_bit(words, k):
    """Return whether bit k of a set is 1."""
    return (words[k >> 6] >> uint64(k & 63)) & uint64(1) != uint64(0)


@inlined
def nth_of(game, words, n):
    """The n-th 1 of a set of `game.spec.num_words` words, counted from 0."""
    word, before, total = 0, 0, 0
    for k in range(game.spec.num_words):
        total += count_bits(words[k])
        passed = total <= n
        word = k + 1 if passed else word
        before = total if passed else before
    return 64 * word + nth_bit(game, words[word], n - before)


@inlined
def nth_bit(game, x, n):
    """The position of the n-th set bit of a word, counted from 0: first its byte, then its place in that."""
    counts = x - ((x >> uint64(1)) & uint64(0x5555555555555555))
    counts = (counts & uint64(0x3333333333333333)) + ((counts >> uint64(2)) & uint64(0x3333333333333333))
    counts = (counts + (counts >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    sums = counts * EACH_BYTE  # in each byte the bits up to it and in it
    byte = bytes_passed(sums, n)
    shift = uint64(8 * byte)
    n -= int64((sums << uint64(8)) >> shift & uint64(255))
    bits = game.spread[int64(x >> shift & uint64(255))]
    return 8 * byte + bytes_passed(bits * EACH_BYTE, n)


@inlined
def bytes_passed(sums, n):
    """Number of a word's bytes, ascending and below 128, that are at most n."""
    # The top bit of a byte stays where n is not below the byte; no difference borrows from the next.
    return count_bits((uint64(n) * EACH_BYTE | TOP_BITS) - sums & TOP_BITS)


@inlined
def lowest_bit(x):
    """The position of the lowest set bit of a word that is not 0."""
    return count_bits((x & (~x + uint64(1))) - uint64(1))
