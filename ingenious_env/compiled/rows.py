"""A game as one row of bytes with named fields, declared once, for NumPy and for compiled code.

A `RowLayout` names the numbers of a variant, the fields of a row and the tables of the rules:

    LAYOUT = RowLayout(
        "ingenious",
        numbers=("players", "board_size"),
        fields=(
            Field("turn", "u1"),
            Field("board", "i1", ("board_size",)),
            Field("racks", "u1", ("players", 6)),
        ),
        tables=(Table("neighbours", "i2", ("board_size", 6)),),
    )

From this follow the NumPy dtype of a row (`dtype`), the array of numbers that a kernel takes (`describe`),
and in kernels, for all variants alike, a value with these names (`games_of`):

    game = games[i]                        one row of a batch
    game.turn += 1                         a single number
    game.board[cell] = 3                   a field with one dimension
    game.racks[seat][slot]                 a field with two
    game.neighbours[cell][direction]       a table
    game.spec.players                      a number of the variant
    game.bytes[k]                          the row as bytes

Numbers are read and written as those of vectors are (see `vectors.py`).

The names cost nothing: each compiles to the address arithmetic one would write by hand. Measured at laying
half a tile, both took 6.1 ns and left the same memory.
"""

from __future__ import annotations

import operator
from collections import namedtuple as make_namedtuple
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import float32, float64, int8, int16, int32, int64, uint8, uint64
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    overload,
    register_model,
)
from numpy.typing import NDArray

from ingenious_env.compiled.intrinsics import copy
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.vectors import MatrixType, VectorType, load_number, store_number

WORD_BYTES = 8
"""Rows are whole 64-bit words, and fields of words come first, so that these are aligned."""

_TYPES = {
    "i1": int8,
    "u1": uint8,
    "i2": int16,
    "i4": int32,
    "i8": int64,
    "u8": uint64,
    "f4": float32,
    "f8": float64,
}
ADDRESSES = ("small_tables", "wide_tables", "games")
"""The numbers of a spec that are addresses; they come last."""

Size = int | str
"""The length of a dimension: a literal, or the name of a number of the variant."""


class Field(NamedTuple):
    """One field of a game's row.

    Attributes:
        name: in NumPy views and kernels.
        dtype: "u8" (64-bit words, which come first), "u1", "i1", "u2" or "i2".
        shape: lengths of none, one or two dimensions.
        meaning: shape, range and meaning for the reader.
    """

    name: str
    dtype: str
    shape: tuple[Size, ...] = ()
    meaning: str = ""


class Table(NamedTuple):
    """One table of the rules: small numbers ("i2") or words ("u8"), with one or two dimensions."""

    name: str
    dtype: str
    shape: tuple[Size, ...]


class RowType(types.Type):
    """The compiled type of one game; `layout` is its `RowLayout`."""

    def __init__(self, layout: RowLayout) -> None:
        self.layout = layout
        super().__init__(name=f"Row[{layout.name}]")


class GamesType(types.Type):
    """The compiled type of a batch of games."""

    def __init__(self, layout: RowLayout) -> None:
        self.layout = layout
        super().__init__(name=f"Games[{layout.name}]")


class RowLayout:
    """The declaration of a game's row, as the module explains.

    Args:
        name: unique to the game.
        numbers: names of the numbers of a variant.
        fields: of a row, those of words first.
        tables: of the rules.
        largest: the largest value of each number that is the length of a field, for `spare_row`.

    Attributes:
        functions: the compiled functions of the game by name, for `dispatch.py`.
        Spec: named tuple of int64, what kernels read as `game.spec`: the numbers, where each field begins in
            a row (in bytes), where each table begins among those of its dtype (in elements), and the
            addresses of these tables and of a batch's games.
    """

    def __init__(
        self,
        name: str,
        *,
        numbers: Sequence[str],
        fields: Sequence[Field],
        tables: Sequence[Table],
        largest: Mapping[str, int] | None = None,
    ) -> None:
        self.name = name
        self.largest = largest
        self.functions: dict[str, Any] = {}
        self.fields = {field.name: field for field in fields}
        self.tables = {table.name: table for table in tables}
        self.numbers = ("row_bytes", *numbers)
        names = [*self.numbers, *self.fields, *self.tables]
        if len(set(names)) != len(names):
            msg = f"the names of layout {name!r} must be distinct"
            raise ValueError(msg)
        words = [
            *self.numbers,
            *(f"{each}_at" for each in (*self.fields, *self.tables)),
            *ADDRESSES,
        ]
        self.Spec: Any = make_namedtuple("Spec", words)  # its names are known at run time only
        self.spec_type = types.NamedUniTuple(int64, len(self.Spec._fields), self.Spec)
        self.row_type, self.games_type = RowType(self), GamesType(self)
        self.games_of = _reader_of_specs(self)

    def dtype(self, numbers: Mapping[str, int]) -> np.dtype[np.void]:
        """The structured dtype of a row of a variant, its size a whole number of words."""
        columns = [
            (field.name, field.dtype, tuple(_size(length, numbers) for length in field.shape))
            for field in self.fields.values()
        ]
        padding = -np.dtype(columns).itemsize % WORD_BYTES
        return np.dtype([*columns, ("padding", "u1", (padding,))])

    def describe(self, numbers: Mapping[str, int], tables: Mapping[str, NDArray[Any]]) -> Description:
        """The arrays that describe a variant to a kernel.

        Args:
            numbers: of the variant, without `row_bytes`.
            tables: by name, of any integer dtype.

        Raises:
            ValueError: a table has another shape than it was declared with.
        """
        row = self.dtype(numbers)
        values: dict[str, int] = {**numbers, "row_bytes": row.itemsize}
        values |= {f"{name}_at": row.fields[name][1] for name in self.fields}  # type: ignore[index] # structured
        memory: dict[str, NDArray[Any]] = {}
        for dtype in ("i2", "u8"):
            parts, start = [np.zeros(0, dtype)], 0
            for table in self.tables.values():
                if table.dtype == dtype:
                    array = np.asarray(tables[table.name])
                    shape = tuple(_size(length, values) for length in table.shape)
                    if array.shape != shape:
                        msg = f"table {table.name} must have shape {shape}, not {array.shape}"
                        raise ValueError(msg)
                    values[f"{table.name}_at"] = start
                    parts.append(array.astype(dtype).ravel())
                    start += array.size
            memory[dtype] = np.concatenate(parts)
        values |= {"small_tables": _address(memory["i2"]), "wide_tables": _address(memory["u8"]), "games": 0}
        spec = np.array([values[name] for name in self.Spec._fields], dtype=np.int64)
        return Description(row, spec, memory["i2"], memory["u8"])


class Description(NamedTuple):
    """A variant as kernels take it; the arrays of tables must live as long as `spec` is used.

    Attributes:
        row_dtype: of a game's row.
        spec: int64 [numbers of `RowLayout.Spec`]; the address of the games is left 0.
        small_tables: int16, tables of small numbers.
        wide_tables: uint64, tables of words.
    """

    row_dtype: np.dtype[np.void]
    spec: NDArray[np.int64]
    small_tables: NDArray[np.int16]
    wide_tables: NDArray[np.uint64]

    def for_games(self, memory: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The spec of a batch, int64; it holds the address of the memory and must not outlive it."""
        spec = self.spec.copy()
        spec[-1] = _address(memory)
        return spec


def _size(length: Size, numbers: Mapping[str, int]) -> int:
    return length if isinstance(length, int) else numbers[length]


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


# The compiled types. A row is the address of its first byte, those of the tables, and the spec.


@register_model(RowType)
class _RowModel(models.StructModel):
    def __init__(self, manager: Any, row: RowType) -> None:
        members = [
            ("bytes", types.CPointer(uint8)),
            ("small_tables", types.CPointer(int16)),
            ("wide_tables", types.CPointer(uint64)),
            ("spec", row.layout.spec_type),
        ]
        super().__init__(manager, row, members)


register_model(GamesType)(_RowModel)  # the same, at the first row


def _reader_of_specs(layout: RowLayout) -> Any:
    @intrinsic
    def games_of(_typing: Any, spec: types.Array) -> Any:
        """The games of a spec, int64 [n], to be indexed by row.

        Numba's conversion of an array's numbers to a tuple copies the tuple for each of them.
        """

        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            numbers = [
                builder.load(cgutils.gep_inbounds(builder, data, k)) for k in range(len(layout.Spec._fields))
            ]
            small, wide, first = (
                builder.inttoptr(number, context.get_value_type(types.CPointer(dtype)))
                for number, dtype in zip(numbers[-3:], (int16, uint64, uint8), strict=True)
            )
            games = cgutils.create_struct_proxy(layout.games_type)(context, builder)
            games.bytes, games.small_tables, games.wide_tables = first, small, wide
            games.spec = context.make_tuple(builder, layout.spec_type, numbers)
            return games._getvalue()

        return layout.games_type(spec), lower

    return games_of


@intrinsic
def _row_of(_typing: Any, games: Any, index: Any) -> Any:
    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        batch = cgutils.create_struct_proxy(games)(context, builder, arguments[0])
        row = cgutils.create_struct_proxy(games.layout.row_type)(context, builder)
        row_bytes = _spec_number(context, builder, games.layout, batch, "row_bytes")
        start = _opaque(builder, builder.mul(arguments[1], row_bytes))
        row.bytes = builder.gep(batch.bytes, [start])
        row.small_tables, row.wide_tables, row.spec = batch.small_tables, batch.wide_tables, batch.spec
        return row._getvalue()

    return games.layout.row_type(games, types.int64), lower


def _opaque(builder: Any, number: Any) -> Any:
    """The same number, hidden from LLVM's analysis by an empty piece of inline assembly.

    Otherwise LLVM keeps an address for each field and updates all of them from row to row: with this, playing
    an action takes 36 ns instead of 42. A target without 64-bit registers under the constraint "r" must omit
    it.
    """
    word = ir.IntType(64)
    return builder.asm(ir.FunctionType(word, [word]), "", "=r,0", [number], side_effect=False)


@overload(operator.getitem, strict=False, jit_options={"forceinline": True})
def _games_getitem(games: Any, index: Any) -> Any:
    if isinstance(games, GamesType) and isinstance(index, types.Integer):
        return lambda games, index: _row_of(games, index)
    return None


def _spec_number(context: Any, builder: Any, layout: RowLayout, row: Any, name: Size) -> Any:
    if isinstance(name, int):
        return context.get_constant(int64, name)
    return builder.extract_value(row.spec, layout.Spec._fields.index(name))


# Named fields.


@infer_getattr
class _RowAttributes(AttributeTemplate):
    key = RowType

    def generic_resolve(self, row: RowType, name: str) -> Any:
        layout = row.layout
        if name == "spec":
            return layout.spec_type
        if name == "bytes":
            return VectorType(uint8)
        declared: Field | Table | None = layout.fields.get(name) or layout.tables.get(name)
        if declared is None:
            return None
        dtype = _TYPES[declared.dtype]
        vector = VectorType(dtype)
        return (vector.number, vector, MatrixType(dtype))[len(declared.shape)]


@lower_getattr_generic(RowType)
def _get_field(context: Any, builder: Any, row_type: RowType, value: Any, name: str) -> Any:
    layout = row_type.layout
    row = cgutils.create_struct_proxy(row_type)(context, builder, value)
    if name == "spec":
        return row.spec
    if name == "bytes":
        return row.bytes
    pointer, declared = _pointer_to(context, builder, layout, row, name)
    dtype = _TYPES[declared.dtype]
    if not declared.shape:
        return load_number(context, builder, VectorType(dtype), pointer)
    if len(declared.shape) == 1:
        return pointer
    matrix = cgutils.create_struct_proxy(MatrixType(dtype))(context, builder)
    matrix.data, matrix.stride = pointer, _spec_number(context, builder, layout, row, declared.shape[1])
    return matrix._getvalue()


@lower_setattr_generic(RowType)
def _set_field(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> Any:
    row_type = signature.args[0]
    row = cgutils.create_struct_proxy(row_type)(context, builder, arguments[0])
    pointer, declared = _pointer_to(context, builder, row_type.layout, row, name)
    store_number(builder, VectorType(_TYPES[declared.dtype]), pointer, arguments[1])


def _pointer_to(
    context: Any, builder: Any, layout: RowLayout, row: Any, name: str
) -> tuple[Any, Field | Table]:
    start = _spec_number(context, builder, layout, row, f"{name}_at")
    field = layout.fields.get(name)
    if field is None:
        table = layout.tables[name]
        tables = row.small_tables if table.dtype == "i2" else row.wide_tables
        return builder.gep(tables, [start]), table
    kind = context.get_value_type(types.CPointer(_TYPES[field.dtype]))
    return builder.bitcast(builder.gep(row.bytes, [start]), kind), field


@intrinsic
def spare_row(_typing: Any, game: Any) -> Any:
    """A row of the same variant to work in, on the stack of the kernel, not cleared."""
    words = game.layout.dtype(game.layout.largest).itemsize // WORD_BYTES

    def lower(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        row = cgutils.create_struct_proxy(game)(context, builder, arguments[0])
        with builder.goto_entry_block():
            memory = builder.alloca(ir.ArrayType(ir.IntType(64), words))
        row.bytes = builder.bitcast(memory, context.get_value_type(types.CPointer(uint8)))
        return row._getvalue()

    return game(game), lower


@inlined
def copy_row(to: Any, source: Any) -> Any:
    """Copy a game and its future to another row of the same variant."""
    copy(to.bytes, source.bytes, source.spec.row_bytes)
