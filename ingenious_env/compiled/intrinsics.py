"""Block copies, bit counts and prefetching: intrinsics for inner loops of kernels that Numba lacks.

Vectors are those of `vectors.py`. All are plain LLVM, for any processor. Docstrings state the gain over plain
code, measured with two players on one thread of an AMD EPYC with AVX-512.

Loops over blocks carry LLVM's metadata against unrolling, and copies of blocks are marked volatile, so that
LLVM does not turn them into a call of the C library. Without both, and with vectorised loops (see
`kernel.py`), a batch of 1,024 games ran at 0.96 of the steps per second; any single one of the three made no
difference beyond noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import int8, uint8, uint64
from numba.core import cgutils, types
from numba.extending import intrinsic

from ingenious_env.compiled.vectors import VectorType

EACH_BYTE = uint64(0x0101010101010101)
TOP_BITS = uint64(0x8080808080808080)
BLOCK = 32  # bytes that `mark_equal` and `copy_masked` handle at a time

_BYTE, _WORD, _INDEX = ir.IntType(8), ir.IntType(64), ir.IntType(32)
_LINE = 64  # bytes of a cache line


@contextmanager
def counted_loop(builder: Any, last: Any, step: int) -> Iterator[Any]:
    """A loop whose counter goes from 0 to below `last` in steps, with a request to LLVM not to unroll it."""
    function = builder.function
    head, body, end = (function.append_basic_block(name) for name in ("blocks", "block", "blocks.end"))
    before = builder.block
    builder.branch(head)
    builder.position_at_end(head)
    counter = builder.phi(_WORD)
    counter.add_incoming(ir.Constant(_WORD, 0), before)
    builder.cbranch(builder.icmp_signed("<", counter, last), body, end)
    builder.position_at_end(body)
    yield counter
    counter.add_incoming(builder.add(counter, ir.Constant(_WORD, step)), builder.block)
    builder.branch(head).set_metadata("llvm.loop", _not_unrolled(builder.module))
    builder.position_at_end(end)


def _not_unrolled(module: Any) -> Any:
    """The metadata of such a loop: a node that begins with itself, as LLVM requires to distinguish loops."""
    request = module.add_metadata([ir.MetaDataString(module, "llvm.loop.unroll.disable")])
    node = module.add_metadata([request, ir.MetaDataString(module, f"loop {len(module.metadata)}")])
    node.operands = (node, request)
    return node


def _check_bytes(*vectors: Any) -> None:
    for each in vectors:
        if not isinstance(each, VectorType) or each.dtype not in (int8, uint8):
            msg = f"a vector of bytes is needed, not {each}"
            raise TypeError(msg)


def _vector(count: int) -> Any:
    return ir.VectorType(_BYTE, count)


def _repeat(builder: Any, byte: Any, times: int) -> Any:
    some = ir.Constant(_vector(times), ir.Undefined)
    first = builder.insert_element(some, byte, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(first, some, ir.Constant(ir.VectorType(_INDEX, times), [0] * times))


def _at(builder: Any, pointer: Any, offset: Any, kind: Any) -> Any:
    """The address at an offset in bytes, as a pointer to another type."""
    return builder.bitcast(builder.gep(pointer, [offset]), kind.as_pointer())


def _in_blocks(builder: Any, count: Any, size: int, act: Any) -> None:
    """Call `act(builder, offset)` for blocks that cover `count` bytes, at least `size`.

    The last block may overlap the one before.
    """
    last = builder.sub(count, ir.Constant(_WORD, size))
    with counted_loop(builder, last, size) as offset:
        act(builder, offset)
    act(builder, last)


def _byte_by_byte(builder: Any, count: Any, act: Any) -> None:
    with counted_loop(builder, count, 1) as offset:
        act(builder, offset)


@intrinsic
def copy(_typing: Any, to: Any, source: Any, count: Any) -> Any:
    """Copy `count` bytes; the two do not overlap.

    In blocks of 64 or 16 bytes, the last of which may overlap the one before.
    """

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, source, count = arguments

        def block(size: int) -> Any:
            memcpy = builder.module.declare_intrinsic("llvm.memcpy", [_BYTE.as_pointer()] * 2 + [_WORD])
            flags = ir.Constant(_WORD, size), ir.Constant(ir.IntType(1), 1)

            def act(builder: Any, offset: Any) -> None:
                pointers = [_at(builder, each, offset, _BYTE) for each in (to, source)]
                builder.call(memcpy, [*pointers, *flags])

            return act

        def byte(builder: Any, offset: Any) -> None:
            builder.store(builder.load(builder.gep(source, [offset])), builder.gep(to, [offset]))

        enough = [builder.icmp_signed(">=", count, ir.Constant(_WORD, size)) for size in (64, 16)]
        with builder.if_else(enough[0]) as (large, smaller):
            with large:
                _in_blocks(builder, count, 64, block(64))
            with smaller, builder.if_else(enough[1]) as (medium, small):
                with medium:
                    _in_blocks(builder, count, 16, block(16))
                with small:
                    _byte_by_byte(builder, count, byte)
        return context.get_dummy_value()

    _check_bytes(to, source)
    return types.void(to, source, types.int64), lower


@intrinsic
def copy_masked(_typing: Any, to: Any, source: Any, count: Any, mask: Any) -> Any:
    """Copy `count` bytes, each and-ed with the byte `mask`: 255 keeps them, 0 writes zeros, without a branch.

    In blocks of 32 bytes. No two racks are alike, so that a branch for each slot is often mispredicted: with
    one, a mask took 74 ns instead of 44.
    """

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, source, count, mask = arguments
        mask = builder.trunc(mask, _BYTE)
        wide, masks = _vector(BLOCK), _repeat(builder, mask, BLOCK)

        def block(builder: Any, offset: Any) -> None:
            found = builder.load(_at(builder, source, offset, wide), align=1)
            builder.store(builder.and_(found, masks), _at(builder, to, offset, wide), align=1)

        def byte(builder: Any, offset: Any) -> None:
            found = builder.load(builder.gep(source, [offset]))
            builder.store(builder.and_(found, mask), builder.gep(to, [offset]))

        _blocks_or_bytes(builder, count, block, byte)
        return context.get_dummy_value()

    _check_bytes(to, source)
    return types.void(to, source, types.int64, types.int64), lower


@intrinsic
def mark_equal(_typing: Any, to: Any, source: Any, count: Any, value: Any) -> Any:
    """Write 1 for each of `count` bytes that equals the value, 0 for the others, 32 at a time.

    Byte by byte an observation took 136 ns instead of 32.
    """

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, source, count, value = arguments
        value = builder.trunc(value, _BYTE)
        wide, values = _vector(BLOCK), _repeat(builder, value, BLOCK)

        def block(builder: Any, offset: Any) -> None:
            found = builder.load(_at(builder, source, offset, wide), align=1)
            flags = builder.zext(builder.icmp_unsigned("==", found, values), wide)
            builder.store(flags, _at(builder, to, offset, wide), align=1)

        def byte(builder: Any, offset: Any) -> None:
            found = builder.load(builder.gep(source, [offset]))
            flag = builder.zext(builder.icmp_unsigned("==", found, value), _BYTE)
            builder.store(flag, builder.gep(to, [offset]))

        _blocks_or_bytes(builder, count, block, byte)
        return context.get_dummy_value()

    _check_bytes(to, source)
    return types.void(to, source, types.int64, types.int64), lower


def _blocks_or_bytes(builder: Any, count: Any, block: Any, byte: Any) -> None:
    with builder.if_else(builder.icmp_signed(">=", count, ir.Constant(_WORD, BLOCK))) as (enough, few):
        with enough:
            _in_blocks(builder, count, BLOCK, block)
        with few:
            _byte_by_byte(builder, count, byte)


@intrinsic
def spread_bits(_typing: Any, to: Any, word: Any) -> Any:
    """Write the 64 bits of a word as 64 bytes, 0 or 1.

    In bytes throughout, as LLVM splits vectors of single bits where the processor has no registers for
    them. With a table of the bits of a byte, a mask took 50 ns instead of 44.
    """

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, word = arguments
        eight, flags_type = _vector(8), _vector(64)
        # each byte eight times over, a different one of its bits left in each
        places = ir.Constant(ir.VectorType(_INDEX, 64), [k // 8 for k in range(64)])
        eightfold = builder.shuffle_vector(
            builder.bitcast(word, eight), ir.Constant(eight, ir.Undefined), places
        )
        singled = builder.and_(eightfold, ir.Constant(flags_type, [1 << k % 8 for k in range(64)]))
        lower_of = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(flags_type, [flags_type, flags_type]), "llvm.umin.v64i8"
        )
        flags = builder.call(lower_of, [singled, ir.Constant(flags_type, [1] * 64)])
        builder.store(flags, builder.bitcast(to, flags_type.as_pointer()), align=1)
        return context.get_dummy_value()

    _check_bytes(to)
    return types.void(to, types.uint64), lower


@intrinsic
def clear(_typing: Any, to: Any, count: Any) -> Any:
    """Set `count` bytes to zero."""

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        cgutils.memset(builder, arguments[0], arguments[1], 0)
        return context.get_dummy_value()

    _check_bytes(to)
    return types.void(to, types.int64), lower


@intrinsic
def prefetch(_typing: Any, to: Any, count: Any) -> Any:
    """Prefetch `count` bytes that will be written soon.

    Without it, a batch of 8,192 games, whose masks and observations do not stay in a cache between two steps,
    ran at 0.80 of the steps per second; one of 1,024 games, whose do, at 1.08.
    """

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, count = arguments
        kind = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), *[_INDEX] * 3])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        flags = [ir.Constant(_INDEX, flag) for flag in (1, 3, 1)]  # to write, to keep near, data
        with counted_loop(builder, count, _LINE) as offset:
            builder.call(fetch, [_at(builder, to, offset, _BYTE), *flags])
        return context.get_dummy_value()

    _check_bytes(to)
    return types.void(to, types.int64), lower


@intrinsic
def word_at(_typing: Any, source: Any) -> Any:
    """The first eight bytes as a word, the first of them lowest: a whole rack or sheet in one register."""

    def lower(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(builder.bitcast(arguments[0], _WORD.as_pointer()), align=1)

    _check_bytes(source)
    return types.uint64(source), lower


@intrinsic
def set_word_at(_typing: Any, to: Any, word: Any) -> Any:
    """Write a word as the first eight bytes."""

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, word = arguments
        builder.store(word, builder.bitcast(to, _WORD.as_pointer()), align=1)
        return context.get_dummy_value()

    _check_bytes(to)
    return types.void(to, types.uint64), lower


@intrinsic
def lowest_bytes(_typing: Any, word: Any) -> Any:
    """Bit k: byte k of the word is as low as any of the eight; by a loop, an action took 46 ns, not 40."""

    def lower(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        eight = _vector(8)
        numbers = builder.bitcast(arguments[0], eight)
        least = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_BYTE, [eight]), "llvm.vector.reduce.umin.v8i8"
        )
        lowest = _repeat(builder, builder.call(least, [numbers]), 8)
        return builder.zext(builder.bitcast(builder.icmp_unsigned("==", numbers, lowest), _BYTE), _WORD)

    return types.int64(types.uint64), lower


@intrinsic
def keep_rolled(_typing: Any) -> Any:
    """Keep LLVM from unrolling the loop whose body contains this call.

    LLVM unrolls for many rounds, which slows down a loop that has few. Without this, an observation took
    52 ns instead of 45 (Loopit: 56 instead of 49); a mask is written faster by unrolled loops. Numba cannot
    pass such a request for a single loop, so this is an empty piece of inline assembly, marked `convergent`:
    LLVM may not repeat such a call where it does not know the number of rounds.
    """

    def lower(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        nothing = ir.FunctionType(ir.VoidType(), [])
        builder.asm(nothing, "", "", [], side_effect=True).attributes.add("convergent")
        return context.get_dummy_value()

    return types.void(), lower


@intrinsic
def count_bits(_typing: Any, word: Any) -> Any:
    """Bits set in a word, by the processor's own instruction."""

    def lower(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), lower
