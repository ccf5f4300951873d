"""Kernels compiled to WebAssembly: one module with several kernels, for browsers.

A kernel's code for this machine is taken from Numba as LLVM's intermediate representation, optimised for no
special processor; LLVM's back end for WebAssembly compiles it, and `wasm-ld` links it.

An exported kernel takes one argument: the address of its own arguments, one 64-bit word after the other. A
number or a boolean is one word, an array its address and the length of each dimension, None nothing. It
returns its result as a 64-bit integer, 0 if it has none. Besides these functions, a module exports its
`memory`, and `__heap_base`, the first address that it does not use itself; it imports `exp` and `expf` from
`env`.

A kernel that may raise an exception cannot be compiled, as there is no interpreter to tell.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.core import cgutils, sigutils, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from ingenious_env.compiled.targets.cache import COMPILING, CONFIG, HELPERS, cache_folder, settings
from ingenious_env.compiled.targets.target import Function, Signature

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"
"""Features of WebAssembly that browsers since 2021 support."""
IMPORTS = ("exp", "expf")
"""Imported functions, which WebAssembly lacks; `Math.exp` of JavaScript replaces both."""
STACK_BYTES = 1 << 20
"""Workspaces of kernels need more than the usual 64 KiB."""

_ENTRY = "int64(CPointer(int64))"


class Compilable(Protocol):
    """A kernel as `wasm_module` reads it."""

    @property
    def function(self) -> Function:
        """The function to compile."""

    @property
    def signature(self) -> Signature:
        """In Numba's notation."""


def wasm_module(kernels: Mapping[str, Compilable]) -> bytes:
    """A module with these kernels, exported by their names; compiled once, and then read from the disk.

    Raises:
        ModuleNotFoundError: the linker is not installed.
        RuntimeError: it has failed.
        ValueError: a kernel calls what does not exist there, or may raise an exception.
    """
    modules = {name for each in kernels.values() for name in _modules_of(each.function)}
    contents = [(name, _modules_of(each.function), str(each.signature)) for name, each in kernels.items()]
    folder = cache_folder({*modules, __name__})
    path = folder / f"{sha256(repr(contents).encode()).hexdigest()[:16]}.wasm"
    if path.is_file():
        return path.read_bytes()
    with COMPILING, settings(folder), fully_optimised(), for_any_processor(), with_fresh_helpers():
        module = _link(_object_of(kernels), kernels)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as partial:
        whole = Path(partial) / path.name
        whole.write_bytes(module)
        whole.replace(path)
    return module


@contextmanager
def fully_optimised() -> Iterator[None]:
    """Numba's usual level of optimisation, whatever NUMBA_OPT says.

    At lower levels, code remains in kernels that may raise an exception: they cannot be compiled here.
    """
    before = CONFIG.OPT
    CONFIG.OPT = type(before)(3)
    try:
        yield
    finally:
        CONFIG.OPT = before


@contextmanager
def for_any_processor() -> Iterator[None]:
    """Numba's optimiser as for an unknown processor of this kind.

    It unrolls loops as the processor of this machine likes them: on an AMD EPYC the modules of both games had
    86 kB packed instead of 56 kB. Numba's target machine has no public name.
    """
    codegen: Any = cpu_target.target_context.codegen()
    before = codegen._tm
    codegen._tm = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(opt=3)
    try:
        yield
    finally:
        codegen._tm = before


@contextmanager
def with_fresh_helpers() -> Iterator[None]:
    """Helpers as in a new process: Numba would use what it has compiled of them for this machine."""
    before = [(helper, dict(helper.overloads)) for helper in HELPERS]
    for helper, _ in before:
        helper.overloads.clear()
    try:
        yield
    finally:
        for helper, overloads in before:
            helper.overloads.clear()
            helper.overloads.update(overloads)


def _modules_of(function: Function) -> tuple[str, str]:
    """The modules in which a kernel was written, and for whose game it was made."""
    return function.__module__, function.__globals__["__name__"]


def _object_of(kernels: Mapping[str, Compilable]) -> bytes:
    """The object file with the kernels."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    names: dict[str, str] = {}
    parts = []
    for name, kernel in kernels.items():
        entry = _entry_of(kernel)
        names[entry.native_name] = name
        parts.append(_for_wasm(llvm.parse_assembly(entry.inspect_llvm()), machine))
    module = parts[0]
    for part in parts[1:]:
        module.link_in(part)  # a function that several kernels call is there once
    _keep_only(module, names)
    _optimise(module, machine)
    missing = {each.name for each in module.functions if each.is_declaration} - set(IMPORTS)
    missing = {name for name in missing if not name.startswith("llvm.") or "x86" in name}
    if missing:
        msg = f"kernels for WebAssembly cannot call {', '.join(sorted(missing))}"
        raise ValueError(msg)
    compiled: bytes = machine.emit_object(module)
    return compiled


def _entry_of(kernel: Compilable) -> Any:
    """A C function that takes the address of the kernel's arguments; Numba compiles it on the way."""
    kinds, result = sigutils.normalize_signature(kernel.signature)
    called = numba.njit(error_model="numpy", forceinline=True)(kernel.function)
    arguments_of = _reader_of(kinds)

    def entry(words):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        return called(*arguments_of(words))

    def entry_without_result(words):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        called(*arguments_of(words))
        return 0

    return numba.cfunc(_ENTRY, error_model="numpy")(entry_without_result if result == types.void else entry)


def _reader_of(kinds: tuple[Any, ...]) -> Any:
    """A compiled function: the arguments of these types that lie at an address, as a tuple."""

    @intrinsic
    def arguments_of(_typing: Any, words: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            reader = _Words(context, builder, arguments[0])
            return context.make_tuple(builder, signature.return_type, [reader.read(kind) for kind in kinds])

        return types.Tuple(kinds)(words), lower

    return arguments_of


class _Words:
    """Emits code that reads arguments from consecutive words.

    Args:
        context, builder: of Numba and of llvmlite.
        first: the address of the first word.
    """

    def __init__(self, context: Any, builder: Any, first: Any) -> None:
        self._context, self._builder, self._first = context, builder, first
        self._used = 0

    def read(self, kind: Any) -> Any:
        """The next argument, of that type."""
        if isinstance(kind, types.NoneType):
            return self._context.get_dummy_value()
        if isinstance(kind, types.Array):
            return self._array(kind)
        word = self._word()
        if isinstance(kind, types.Boolean):
            return self._builder.icmp_signed("!=", word, ir.Constant(word.type, 0))
        if isinstance(kind, types.Float):
            return self._builder.bitcast(word, self._context.get_value_type(kind))
        return word

    def _word(self) -> Any:
        word = self._builder.load(cgutils.gep_inbounds(self._builder, self._first, self._used))
        self._used += 1
        return word

    def _array(self, kind: Any) -> Any:
        """An array whose elements lie one after the other."""
        context, builder = self._context, self._builder
        address = builder.inttoptr(self._word(), context.get_value_type(types.CPointer(kind.dtype)))
        shape = [self._word() for _ in range(kind.ndim)]
        itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        strides = [itemsize]
        for length in shape[:0:-1]:
            strides.insert(0, builder.mul(strides[0], length))
        array = context.make_array(kind)(context, builder)
        populate_array(array, address, shape, strides, itemsize, None)
        return array._getvalue()


def _for_wasm(module: Any, machine: Any) -> Any:
    """The module with the layout of WebAssembly's memory."""
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    for variable in module.global_variables:
        if variable.linkage.name == "common":  # for which WebAssembly has no symbols
            variable.linkage = "internal"
    return module


def _keep_only(module: Any, names: Mapping[str, str]) -> None:
    """Rename these functions, and let the optimiser drop all that they do not need."""
    for each in (*module.functions, *module.global_variables):
        if each.name in names:
            each.name = names[each.name]
        elif not each.is_declaration:
            each.linkage = "internal"
    module.verify()


def _optimise(module: Any, machine: Any) -> None:
    """LLVM's passes for the smallest of the usual levels: Numba's have been here before."""
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    options.loop_vectorization = options.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)


def linker() -> list[str]:
    """The command of LLVM's linker: that of the system, or that in the package `ziglang`.

    Raises:
        ModuleNotFoundError: there is neither.
    """
    program = shutil.which("wasm-ld")
    if program is None and find_spec("ziglang") is None:
        msg = "modules of WebAssembly need the linker `wasm-ld`: pip install 'ingenious-env[page]'"
        raise ModuleNotFoundError(msg, name="ziglang")
    return [sys.executable, "-m", "ziglang", "wasm-ld"] if program is None else [program]


def _link(code: bytes, exports: Iterable[str]) -> bytes:
    """The module of an object file."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "kernels.o", Path(folder) / "kernels.wasm"
        source.write_bytes(code)
        options = ["--no-entry", "--strip-all", "--gc-sections", "-O2", "--export=__heap_base"]
        stack = ["--stack-first", "-z", f"stack-size={STACK_BYTES}"]  # an overflow is an error, not a change
        symbols = [f"--export={name}" for name in exports]
        undefined = Path(folder) / "imports"
        undefined.write_text("\n".join(IMPORTS), encoding="utf-8")
        command = [*options, *stack, *symbols, f"--allow-undefined-file={undefined}"]
        done = subprocess.run(  # noqa: S603 - the linker, with files that are made here
            [*linker(), str(source), "-o", str(target), *command],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            msg = f"the linker for WebAssembly has failed: {done.stderr.strip()[-400:]}"
            raise RuntimeError(msg)
        return target.read_bytes()
