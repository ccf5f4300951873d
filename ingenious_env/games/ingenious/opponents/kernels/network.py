"""The layers of a small network and the counting of its inputs, by vector instructions of LLVM.

A layer of some outputs lies in memory as its biases and then, input by input, the weights to all outputs:

    bias[outputs] | weights of input 0, [outputs] | weights of input 1, [outputs] | …

Figures are ratios: the time of the value opponent in 512 games without an intrinsic over that with it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from ingenious_env.core.intrinsics import counted_loop
from ingenious_env.games.ingenious.opponents.kernels.value_layout import FIRST, LEVELS, SECOND, THIRD

PADDING = 31
"""Bytes behind vectors of bytes that `weigh_levels` may read."""

_OUTPUTS = 64  # outputs that the registers hold, with AVX2
_BLOCK = 32  # bytes that are counted at a time
_FLOAT, _BYTE, _SHORT, _WORD = ir.FloatType(), ir.IntType(8), ir.IntType(16), ir.IntType(64)
_BYTES, _SHORTS = ir.VectorType(_BYTE, _BLOCK), ir.VectorType(_SHORT, _BLOCK)


def _word(number: int) -> Any:
    return ir.Constant(_WORD, number)


def _level_sums(*, counted: bool) -> Any:
    """Sums of the weights of bytes that are at least 1, …, 8; `counted` takes each weight but 0 as 1."""

    @intrinsic
    def level_sums(_typing: Any, source: Any, weights: Any, count: Any, levels: Any) -> Any:
        """Sum weights, at most 6 each, by the levels that bytes reach, 32 at a time; plain loops: 1.5.

        Takes `count` bytes, and up to `PADDING` more whose weights must be 0. The sums must stay below 256,
        which on boards they do.
        """

        def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            source, weights, count, levels = arguments
            zeros, ones = ir.Constant(_BYTES, [0] * _BLOCK), ir.Constant(_BYTES, [1] * _BLOCK)
            sums = [cgutils.alloca_once(builder, _BYTES) for _ in range(LEVELS)]
            for each in sums:
                builder.store(zeros, each)

            def load(vector: Any, offset: Any) -> Any:
                pointer = builder.bitcast(builder.gep(vector, [offset]), _BYTES.as_pointer())
                return builder.load(pointer, align=1)

            with counted_loop(builder, count, _BLOCK) as offset:
                numbers, weight = load(source, offset), load(weights, offset)
                if counted:
                    weight = builder.select(builder.icmp_unsigned("==", weight, zeros), zeros, ones)
                for level, each in enumerate(sums):
                    least = ir.Constant(_BYTES, [level + 1] * _BLOCK)
                    reaches = builder.icmp_unsigned(">=", numbers, least)
                    added = builder.select(reaches, weight, zeros)
                    builder.store(builder.add(builder.load(each), added), each)
            kind = ir.FunctionType(_SHORT, [_SHORTS])
            add_up = cgutils.get_or_insert_function(builder.module, kind, "llvm.vector.reduce.add.v32i16")
            for level, each in enumerate(sums):
                total = builder.call(add_up, [builder.zext(builder.load(each), _SHORTS)])
                builder.store(builder.zext(total, _WORD), builder.gep(levels, [_word(level)]))
            return context.get_dummy_value()

        return types.void(source, weights, types.int64, levels), lower

    return level_sums


weigh_levels, count_levels = _level_sums(counted=False), _level_sums(counted=True)


def _layer(outputs: int) -> Any:
    """A dense layer with rectified outputs, computed block by block of outputs, which stay in registers."""
    size = min(outputs, _OUTPUTS)
    block = ir.VectorType(_FLOAT, size)

    @intrinsic
    def layer(_typing: Any, to: Any, inputs: Any, count: Any, weights: Any) -> Any:
        """Write the outputs for `count` inputs; weights begin with the biases. Plain loops: 2.5.

        Inputs that are 0, about half of them, are skipped: their weights, which do not fit into the nearest
        cache, stay unread.
        """

        def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            to, inputs, count, weights = arguments
            fused = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(block, [block] * 3), f"llvm.fmuladd.v{size}f32"
            )
            undefined, zeros = ir.Constant(block, ir.Undefined), ir.Constant(block, [0.0] * size)
            first_lane = ir.Constant(ir.VectorType(ir.IntType(32), size), [0] * size)
            sums = cgutils.alloca_once(builder, block)

            def block_at(vector: Any, offset: Any) -> Any:
                return builder.bitcast(builder.gep(vector, [offset]), block.as_pointer())

            for first in range(0, outputs, size):
                builder.store(builder.load(block_at(weights, _word(first)), align=4), sums)
                with counted_loop(builder, count, 1) as number:
                    value = builder.load(builder.gep(inputs, [number]))
                    with builder.if_then(builder.fcmp_unordered("!=", value, ir.Constant(_FLOAT, 0.0))):
                        lane = builder.insert_element(undefined, value, ir.Constant(ir.IntType(32), 0))
                        values = builder.shuffle_vector(lane, undefined, first_lane)
                        row = builder.mul(builder.add(number, _word(1)), _word(outputs))
                        row = builder.load(block_at(weights, builder.add(row, _word(first))), align=4)
                        builder.store(builder.call(fused, [values, row, builder.load(sums)]), sums)
                found = builder.load(sums)
                rectified = builder.select(builder.fcmp_ordered(">", found, zeros), found, zeros)
                builder.store(rectified, block_at(to, _word(first)), align=4)
            return context.get_dummy_value()

        return types.void(to, inputs, types.int64, weights), lower

    return layer


first_layer, second_layer, third_layer = _layer(FIRST), _layer(SECOND), _layer(THIRD)
