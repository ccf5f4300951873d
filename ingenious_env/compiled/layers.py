"""Dense layers of small networks, by vector instructions of LLVM, for kernels.

A layer of some outputs lies in memory as its biases and then, input by input, the weights to all outputs:

    bias[outputs] | weights of input 0, [outputs] | weights of input 1, [outputs] | …
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from ingenious_env.compiled.intrinsics import counted_loop

_OUTPUTS = 64  # outputs that the registers hold, with AVX2
_FLOAT, _WORD = ir.FloatType(), ir.IntType(64)


def _word(number: int) -> Any:
    return ir.Constant(_WORD, number)


def dense_layer(outputs: int) -> Any:
    """A function for kernels: a dense layer with this number of rectified outputs, a multiple of 64 or fewer.

    It is computed block by block of outputs, which stay in registers.
    """
    size = min(outputs, _OUTPUTS)
    block = ir.VectorType(_FLOAT, size)

    @intrinsic
    def layer(_typing: Any, to: Any, inputs: Any, count: Any, weights: Any) -> Any:
        """Write the outputs for `count` inputs; weights begin with the biases.

        Inputs that are 0, about half of them, are skipped, so that their weights, which do not fit into the
        nearest cache, are not read. With plain loops, the value opponent of Ingenious takes 2.5 times as long
        in 512 games.
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
