"""Vectors and matrices of kernels: contiguous numbers, known by their address only.

    vector[k], vector[k] = 3      an element
    vector[n:]                    the same vector from element n on
    matrix[i][k]                  an element of a row
    vector_of(array)              of a contiguous array
    scratch(int64, 12)            makes a function that returns a vector on the stack

Integers narrower than 64 bits are read as int64 and truncated when written, so that arithmetic on them
neither overflows nor mixes signs. There are no bounds checks, and a negative index does not count from the
end.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import int64, uint8
from numba.core import cgutils, types
from numba.extending import intrinsic, models, overload, register_model


class VectorType(types.Type):
    """The compiled type of contiguous numbers, represented by their address."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Vector[{dtype}]")

    @property
    def number(self) -> Any:
        """The type that an element is read as."""
        dtype: Any = self.dtype
        return int64 if isinstance(dtype, types.Integer) and dtype.bitwidth < 64 else dtype


class MatrixType(types.Type):
    """The compiled type of vectors of one length that lie one after the other."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Matrix[{dtype}]")


register_model(VectorType)(models.PointerModel)


@register_model(MatrixType)
class _MatrixModel(models.StructModel):
    def __init__(self, manager: Any, matrix: MatrixType) -> None:
        super().__init__(manager, matrix, [("data", types.CPointer(matrix.dtype)), ("stride", int64)])


def load_number(context: Any, builder: Any, vector: VectorType, pointer: Any) -> Any:
    """Read an element: LLVM values in and out."""
    value = builder.load(pointer, align=vector.dtype.bitwidth // 8)
    if vector.number is vector.dtype:
        return value
    extend = builder.sext if vector.dtype.signed else builder.zext
    return extend(value, context.get_value_type(vector.number))


def store_number(builder: Any, vector: VectorType, pointer: Any, value: Any) -> None:
    """Write an element: LLVM values in."""
    if vector.number is not vector.dtype:
        value = builder.trunc(value, ir.IntType(vector.dtype.bitwidth))
    builder.store(value, pointer, align=vector.dtype.bitwidth // 8)


@intrinsic
def _element(_typing: Any, vector: Any, index: Any) -> Any:
    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return load_number(context, builder, vector, builder.gep(arguments[0], [arguments[1]]))

    return vector.number(vector, types.int64), lower


@intrinsic
def _set_element(_typing: Any, vector: Any, index: Any, value: Any) -> Any:
    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        store_number(builder, vector, builder.gep(arguments[0], [arguments[1]]), arguments[2])
        return context.get_dummy_value()

    return types.void(vector, types.int64, vector.number), lower


@intrinsic
def _tail(_typing: Any, vector: Any, index: Any) -> Any:
    def lower(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return vector(vector, types.int64), lower


@intrinsic
def _vector_of(_typing: Any, matrix: Any, index: Any) -> Any:
    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        rows = cgutils.create_struct_proxy(matrix)(context, builder, arguments[0])
        return builder.gep(rows.data, [builder.mul(arguments[1], rows.stride)])

    return VectorType(matrix.dtype)(matrix, types.int64), lower


@overload(operator.getitem, strict=False, jit_options={"forceinline": True})
def _getitem(vector: Any, index: Any) -> Any:
    if isinstance(vector, VectorType) and isinstance(index, types.Integer):
        return lambda vector, index: _element(vector, index)
    if isinstance(vector, VectorType) and isinstance(index, types.SliceType):
        return lambda vector, index: _tail(vector, index.start)
    if isinstance(vector, MatrixType) and isinstance(index, types.Integer):
        return lambda vector, index: _vector_of(vector, index)
    return None


@overload(operator.setitem, strict=False, jit_options={"forceinline": True})
def _setitem(vector: Any, index: Any, value: Any) -> Any:
    if isinstance(vector, VectorType) and isinstance(index, types.Integer):
        return lambda vector, index, value: _set_element(vector, index, value)
    return None


@intrinsic
def vector_of(_typing: Any, array: types.Array) -> Any:
    """The elements of a contiguous array, indexed without bounds checks and without wrapping."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (array_type,) = signature.args
        return context.make_array(array_type)(context, builder, arguments[0]).data

    return VectorType(array.dtype)(array), lower


@intrinsic
def matrix_of(_typing: Any, vector: Any, stride: Any) -> Any:
    """A vector as rows of `stride` numbers each."""
    matrix_type = MatrixType(vector.dtype)

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        matrix = cgutils.create_struct_proxy(matrix_type)(context, builder)
        matrix.data, matrix.stride = arguments
        return matrix._getvalue()

    return matrix_type(vector, types.int64), lower


@intrinsic
def as_bytes(_typing: Any, vector: Any) -> Any:
    """The same memory as a vector of bytes."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(signature.return_type))

    return VectorType(uint8)(vector), lower


@intrinsic
def row_of_array(_typing: Any, array: types.Array, index: Any) -> Any:
    """Row `index` of a contiguous matrix as a vector."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        made = context.make_array(array_type)(context, builder, arguments[0])
        width = builder.extract_value(made.shape, 1)
        return builder.gep(made.data, [builder.mul(arguments[1], width)])

    return VectorType(array.dtype)(array, types.int64), lower


def scratch(dtype: Any, size: int) -> Any:
    """A function for kernels that returns a vector of `size` numbers on the stack, not cleared."""

    @intrinsic
    def room(_typing: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, _arguments: Any) -> Any:
            with builder.goto_entry_block():  # not by `alloca_once`, which would clear it
                array = builder.alloca(ir.ArrayType(context.get_value_type(dtype), size))
            return builder.bitcast(array, context.get_value_type(signature.return_type))

        return VectorType(dtype)(), lower

    return room
