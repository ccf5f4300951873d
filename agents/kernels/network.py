"""The layers of a small network, a few vector instructions an input, and what its inputs are counted by.

A layer of some outputs lies in memory as its biases and then, input by input, the weights to all outputs:

    bias[outputs] | weights of input 0, [outputs] | weights of input 1, [outputs] | …
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import float32, int64, uint8
from numba.core import cgutils, types
from numba.extending import intrinsic

from agents.kernels.layout import BY_COLOUR, FIRST, LEVELS, OF_ALL, SECOND, THIRD
from ingenious_env.kernels.intrinsics import MOST_CELLS, MOST_COLOURS, MOST_SHEETS, scratch

MOST_INPUTS = MOST_COLOURS * (MOST_SHEETS + BY_COLOUR) + MOST_SHEETS * MOST_COLOURS + OF_ALL

scratch_inputs = scratch(float32, MOST_INPUTS)
scratch_first = scratch(float32, FIRST)
scratch_second = scratch(float32, SECOND)
scratch_third = scratch(float32, THIRD)

scratch_levels = scratch(int64, LEVELS)
scratch_colours = scratch(int64, 3 * MOST_COLOURS)
scratch_cells = scratch(uint8, MOST_CELLS + 32)
scratch_prospects = scratch(uint8, MOST_COLOURS * MOST_CELLS + 32)

_BLOCK = 64  # outputs that the registers hold, with AVX2
_FLOAT, _BYTES, _WORD = ir.FloatType(), ir.VectorType(ir.IntType(8), 32), ir.IntType(64)


def _by_level(*, counted: bool) -> Any:
    """For the bytes from `source[at]` on that are at least 1, …, 8: the sums of their weights, to levels.

    A weight is at most 6; it counts as 1 if `counted`, unless it is 0. There are `count` bytes, and up to 31
    more of weight 0 to fill the last 32.
    """

    @intrinsic
    def by_level(_typing: Any, source: Any, at: Any, weights: Any, count: Any, levels: Any) -> Any:
        def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            source, at, weights, count, levels = arguments
            wide = ir.VectorType(ir.IntType(16), 32)
            zero, one = ir.Constant(_BYTES, [0] * 32), ir.Constant(_BYTES, [1] * 32)
            sums = [cgutils.alloca_once(builder, _BYTES) for _ in range(LEVELS)]
            for each in sums:
                builder.store(zero, each)

            def load(pointer: Any, where: Any) -> Any:
                return builder.load(
                    builder.bitcast(builder.gep(pointer, [where]), _BYTES.as_pointer()), align=1
                )

            step = ir.Constant(_WORD, 32)
            with cgutils.for_range_slice(builder, ir.Constant(_WORD, 0), count, step, inc=True) as (k, _):
                numbers, weight = load(source, builder.add(at, k)), load(weights, k)
                if counted:
                    weight = builder.select(builder.icmp_unsigned("==", weight, zero), zero, one)
                for level, each in enumerate(sums):
                    enough = builder.icmp_unsigned(">=", numbers, ir.Constant(_BYTES, [level + 1] * 32))
                    found = builder.select(enough, weight, zero)
                    builder.store(builder.add(builder.load(each), found), each)  # on no board beyond a byte
            add_up = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(ir.IntType(16), [wide]), "llvm.vector.reduce.add.v32i16"
            )
            for level, each in enumerate(sums):
                total = builder.call(add_up, [builder.zext(builder.load(each), wide)])
                builder.store(builder.zext(total, _WORD), builder.gep(levels, [ir.Constant(_WORD, level)]))
            return context.get_dummy_value()

        return types.void(source, types.int64, weights, types.int64, types.CPointer(int64)), lower

    return by_level


weigh_levels, count_levels = _by_level(counted=False), _by_level(counted=True)


@intrinsic
def behind(_typing: Any, source: Any, at: Any) -> Any:
    """A pointer to `source[at]`."""

    def lower(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return source(source, types.int64), lower


def _layer(outputs: int) -> Any:
    """Rectified sums of a row of inputs, for a block of outputs after the other, which stays in registers."""
    block = min(outputs, _BLOCK)
    kind = ir.VectorType(_FLOAT, block)

    @intrinsic
    def layer(_typing: Any, to: Any, inputs: Any, count: Any, network: Any, at: Any) -> Any:
        def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            to, inputs, count, network, at = arguments

            def vector(start: Any, where: Any) -> Any:
                return builder.bitcast(builder.gep(start, [where]), kind.as_pointer())

            fused = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(kind, [kind] * 3), f"llvm.fmuladd.v{block}f32"
            )
            nothing = ir.Constant(kind, ir.Undefined)
            everywhere = ir.Constant(ir.VectorType(ir.IntType(32), block), [0] * block)
            zero = ir.Constant(kind, [0.0] * block)
            width, sums = ir.Constant(_WORD, outputs), cgutils.alloca_once(builder, kind)
            for first in range(0, outputs, block):
                start = builder.add(at, ir.Constant(_WORD, first))
                builder.store(builder.load(vector(network, start), align=4), sums)
                with cgutils.for_range(builder, count) as loop:
                    number = builder.load(builder.gep(inputs, [loop.index]))
                    # half of them are 0: their weights, which the nearest cache has no room for, stay unread
                    with builder.if_then(builder.fcmp_unordered("!=", number, ir.Constant(_FLOAT, 0.0))):
                        one = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
                        numbers = builder.shuffle_vector(one, nothing, everywhere)
                        row = builder.mul(builder.add(loop.index, ir.Constant(_WORD, 1)), width)
                        weights = builder.load(vector(network, builder.add(start, row)), align=4)
                        builder.store(builder.call(fused, [numbers, weights, builder.load(sums)]), sums)
                found = builder.load(sums)
                positive = builder.select(builder.fcmp_ordered(">", found, zero), found, zero)
                builder.store(positive, vector(to, ir.Constant(_WORD, first)), align=4)
            return context.get_dummy_value()

        pointer = types.CPointer(float32)
        return types.void(pointer, pointer, types.int64, pointer, types.int64), lower

    return layer


first_layer, second_layer, third_layer = _layer(FIRST), _layer(SECOND), _layer(THIRD)
