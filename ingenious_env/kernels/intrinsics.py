"""What Numba's Python lacks: addresses, block copies and bit counts, each a few machine instructions.

Indexing a pointer neither counts references nor wraps negative indices, which in kernels made of many small
functions costs more than the game itself.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import float64, int8, int16, uint8, uint64
from numba.core import cgutils, types
from numba.extending import intrinsic

from ingenious_env.kernels.compiling import inlined

MOST_CELLS, MOST_PAIRS = 271, 756  # on a board of side 10
MOST_COLOURS = MOST_SHEETS = 6
MOST_POINTS = 64  # more than half a tile can score there

EACH_BYTE = uint64(0x0101010101010101)
TOP_BITS = uint64(0x8080808080808080)

_BYTE = ir.IntType(8)
_WORD = ir.IntType(64)
_BLOCK = ir.VectorType(_BYTE, 32)
_FLAGS = ir.VectorType(_BYTE, 64)


def _pointer_from_address(dtype: Any) -> Any:
    @intrinsic
    def at_address(_typing: Any, address: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(dtype)(types.int64), lower

    return at_address


bytes_at = _pointer_from_address(uint8)
small_numbers_at = _pointer_from_address(int16)
words_at = _pointer_from_address(uint64)


@intrinsic
def pointer(_typing: Any, array: types.Array) -> Any:
    """The address of an array's first element, to be indexed as the array is."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (array_type,) = signature.args
        return context.make_array(array_type)(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), lower


@intrinsic
def opaque(_typing: Any, number: Any) -> Any:
    """The same number, though LLVM does not know it.

    For where a game begins: LLVM would keep count of all that it adds to it in dozens of variables, one for
    each field of a game, and bring them up to date in memory from game to game.
    """

    def lower(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.asm(ir.FunctionType(_WORD, [_WORD]), "", "=r,0", arguments, side_effect=False)

    return types.int64(types.int64), lower


@intrinsic
def fetch_line(_typing: Any, to: Any, at: Any) -> Any:
    """Have the cache line with `to[at]` brought near, to be written to soon; nothing else happens."""

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), *[ir.IntType(32)] * 3])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        flags = [ir.Constant(ir.IntType(32), flag) for flag in (1, 3, 1)]  # to write, to keep near, data
        builder.call(fetch, [builder.gep(arguments[0], [arguments[1]]), *flags])
        return context.get_dummy_value()

    _check_bytes(to)
    return types.void(to, types.int64), lower


@inlined
def fetch(to, to_at, count):
    """Have `count` bytes from `to[to_at]` on brought near, to be written to soon."""
    for k in range(0, count, 64):
        fetch_line(to, to_at + k)


def numbers_of(count: int) -> Any:
    """What makes the first `count` numbers of an int64 array a tuple.

    Numba's own way to do so copies the tuple for each number, which took longer than a move.
    """

    @intrinsic
    def read(_typing: Any, array: types.Array) -> Any:
        kind = types.UniTuple(types.int64, count)

        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            values = [builder.load(cgutils.gep_inbounds(builder, data, k)) for k in range(count)]
            return context.make_tuple(builder, kind, values)

        return kind(array), lower

    return read


def scratch(dtype: Any, size: int) -> Any:
    """What gives a kernel room for so many numbers on its stack, not cleared."""

    @intrinsic
    def room(_typing: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, _arguments: Any) -> Any:
            array = cgutils.alloca_once(builder, ir.ArrayType(context.get_value_type(dtype), size))
            return builder.bitcast(array, context.get_value_type(signature.return_type))

        return types.CPointer(dtype)(), lower

    return room


# Room on the stack of the kernel, not cleared, for the largest board.
scratch_words = scratch(uint64, MOST_PAIRS // 64 + 1)
scratch_flags = scratch(uint8, 64 * (MOST_PAIRS // 64 + 1))
scratch_pairs = scratch(int16, MOST_PAIRS + 1)  # one more than there can be, to be written over
scratch_slots = scratch(int16, 3 * 8)
scratch_worth = scratch(float64, MOST_COLOURS * MOST_POINTS)
scratch_cell_values = scratch(float64, MOST_CELLS)
scratch_pair_values = scratch(float64, MOST_PAIRS)


def _block_copier(size: int) -> Any:
    @intrinsic
    def copy_block(_typing: Any, to: Any, to_at: Any, source: Any, source_at: Any) -> Any:
        def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            to, to_at, source, source_at = arguments
            to, source = builder.gep(to, [to_at]), builder.gep(source, [source_at])
            memcpy = builder.module.declare_intrinsic("llvm.memcpy", [_BYTE.as_pointer()] * 2 + [_WORD])
            # "volatile", or else LLVM makes a row of blocks one call of the C library, which takes longer
            builder.call(memcpy, [to, source, ir.Constant(_WORD, size), ir.Constant(ir.IntType(1), 1)])
            return context.get_dummy_value()

        _check_bytes(to, source)
        return types.void(to, types.int64, source, types.int64), lower

    return copy_block


copy_64, copy_16 = _block_copier(64), _block_copier(16)


@inlined
def copy(to, to_at, source, source_at, count):
    """Copy `count` bytes from `source[source_at]` on to `to[to_at]` on; the two do not overlap.

    In blocks, the last of which may lie over the one before.
    """
    if count >= 64:
        last = count - 64
        for k in range(0, last, 64):
            copy_64(to, to_at + k, source, source_at + k)
        copy_64(to, to_at + last, source, source_at + last)
    elif count >= 16:
        last = count - 16
        for k in range(0, last, 16):
            copy_16(to, to_at + k, source, source_at + k)
        copy_16(to, to_at + last, source, source_at + last)
    else:
        for k in range(count):
            to[to_at + k] = source[source_at + k]


def _as(builder: Any, pointer: Any, at: Any, kind: Any) -> Any:
    """The address of `pointer[at]`, to be read or written as something else."""
    return builder.bitcast(builder.gep(pointer, [at]), kind.as_pointer())


@intrinsic
def word_at(_typing: Any, source: Any, at: Any) -> Any:
    """The eight bytes from `source[at]` on as a word, the first of them lowest."""

    def lower(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        source, at = arguments
        return builder.load(_as(builder, source, at, _WORD), align=1)

    _check_bytes(source)
    return types.uint64(source, types.int64), lower


@intrinsic
def set_word_at(_typing: Any, to: Any, at: Any, word: Any) -> Any:
    """Write a word as the eight bytes from `to[at]` on."""

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, at, word = arguments
        builder.store(word, _as(builder, to, at, _WORD), align=1)
        return context.get_dummy_value()

    _check_bytes(to)
    return types.void(to, types.int64, types.uint64), lower


@intrinsic
def lowest_bytes(_typing: Any, word: Any) -> Any:
    """Bit k: byte k of the word is as low as any of the eight."""

    def lower(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        eight = ir.VectorType(_BYTE, 8)
        numbers = builder.bitcast(arguments[0], eight)
        least = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_BYTE, [eight]), "llvm.vector.reduce.umin.v8i8"
        )
        lowest = _repeat(builder, builder.call(least, [numbers]), 8)
        return builder.zext(
            builder.bitcast(builder.icmp_unsigned("==", numbers, lowest), _BYTE), ir.IntType(64)
        )

    return types.int64(types.uint64), lower


@intrinsic
def mark_equal(_typing: Any, to: Any, to_at: Any, source: Any, source_at: Any, value: Any) -> Any:
    """Compare the 32 bytes from `source[source_at]` on with a value: 1 or 0 from `to[to_at]` on."""

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, to_at, source, source_at, value = arguments
        found = builder.load(_as(builder, source, source_at, _BLOCK), align=1)
        wanted = _repeat(builder, builder.trunc(value, _BYTE), 32)
        flags = builder.zext(builder.icmp_unsigned("==", found, wanted), _BLOCK)
        builder.store(flags, _as(builder, to, to_at, _BLOCK), align=1)
        return context.get_dummy_value()

    _check_bytes(to, source)
    return types.void(to, types.int64, source, types.int64, types.int64), lower


def _repeat(builder: Any, byte: Any, times: int) -> Any:
    some = ir.Constant(ir.VectorType(_BYTE, times), ir.Undefined)
    first = builder.insert_element(some, byte, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, some, ir.Constant(ir.VectorType(ir.IntType(32), times), [0] * times))


@intrinsic
def spread_bits(_typing: Any, to: Any, at: Any, word: Any) -> Any:
    """Write the 64 bits of a word as 64 bytes, 0 or 1, from `to[at]` on."""

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, at, word = arguments
        eight = ir.VectorType(_BYTE, 8)
        # Each byte eight times over, a different one of its bits left in each. Bytes throughout, as LLVM
        # takes vectors of single bits apart where the processor has no registers for them.
        places = ir.Constant(ir.VectorType(ir.IntType(32), 64), [k // 8 for k in range(64)])
        eightfold = builder.shuffle_vector(
            builder.bitcast(word, eight), ir.Constant(eight, ir.Undefined), places
        )
        singled = builder.and_(eightfold, ir.Constant(_FLAGS, [1 << k % 8 for k in range(64)]))
        lower_of = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_FLAGS, [_FLAGS, _FLAGS]), "llvm.umin.v64i8"
        )
        flags = builder.call(lower_of, [singled, ir.Constant(_FLAGS, [1] * 64)])
        builder.store(flags, _as(builder, to, at, _FLAGS), align=1)
        return context.get_dummy_value()

    _check_bytes(to)
    return types.void(to, types.int64, types.uint64), lower


@intrinsic
def copy_and(_typing: Any, to: Any, to_at: Any, source: Any, source_at: Any, byte: Any) -> Any:
    """Copy 32 bytes from `source[source_at]` on to `to[to_at]` on, each and-ed with a byte."""

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, to_at, source, source_at, byte = arguments
        found = builder.load(_as(builder, source, source_at, _BLOCK), align=1)
        found = builder.and_(found, _repeat(builder, builder.trunc(byte, _BYTE), 32))
        builder.store(found, _as(builder, to, to_at, _BLOCK), align=1)
        return context.get_dummy_value()

    _check_bytes(to, source)
    return types.void(to, types.int64, source, types.int64, types.uint64), lower


@intrinsic
def clear(_typing: Any, to: Any, to_at: Any, count: Any) -> Any:
    """Set `count` bytes from `to[to_at]` on to zero."""

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        to, to_at, count = arguments
        cgutils.memset(builder, builder.gep(to, [to_at]), count, 0)
        return context.get_dummy_value()

    _check_bytes(to)
    return types.void(to, types.int64, types.int64), lower


def _check_bytes(*pointers: Any) -> None:
    for each in pointers:
        if each not in (types.CPointer(int8), types.CPointer(uint8)):
            msg = f"only bytes can be copied, not {each}"
            raise TypeError(msg)


@intrinsic
def count_bits(_typing: Any, word: Any) -> Any:
    """Bits set in a word."""

    def lower(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), lower
