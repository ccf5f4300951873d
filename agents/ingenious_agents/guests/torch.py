"""Modules of PyTorch that `torch.export.save` wrote, as agents, read without executing code in the file.

`torch.export.load` unpickles parts of a file and makes Python code of others. Here the graph is data: each
node names one of PyTorch's own operations on tensors, which are called one by one. The weights are the bytes
of plain arrays. What has pickled weights, control flow or operations of other libraries is refused.
"""

from __future__ import annotations

import json
import operator
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env import View
from ingenious_env.engine.definition import AnyRules, variant_of
from ingenious_env.engine.extras import needs
from ingenious_env.engine.files import digest, fault_of
from ingenious_env.policies.view import flat_actions

with needs("ingenious_agents.guests.torch", "ingenious-env[torch]"):
    import torch

SCHEMA = 8
"""The major version of the format of graphs."""
DTYPES = {
    1: torch.uint8, 2: torch.int8, 3: torch.int16, 4: torch.int32, 5: torch.int64, 6: torch.float16,
    7: torch.float32, 8: torch.float64, 12: torch.bool, 13: torch.bfloat16,
}  # fmt: skip
"""The types of entries, by their numbers in the format."""
POSITIONAL = 1
"""The number of an argument without a name in the format."""
PRESERVE = 4
"""The number of the memory format of the argument."""
MAKERS = {"arange", "eye", "full", "ones", "scalar_tensor", "zeros"}
"""Operations that make tensors of nothing."""
SIZES: dict[str, Callable[..., Any]] = {
    f"_operator.{name}": getattr(operator, name)
    for name in ("add", "sub", "mul", "floordiv", "mod", "neg", "eq", "ne", "lt", "le", "gt", "ge")
}
"""Operations on sizes."""
PLAIN = {
    "as_int", "as_ints", "as_bool", "as_bools", "as_string", "as_strings",
    "as_int_lists",
}  # fmt: skip
"""Arguments that stand for themselves."""


@dataclass(frozen=True)
class TorchAgent:
    """Plays the legal action with the highest logit of a module.

    The module takes observations, float32 [B, D], for any B, and returns logits [B, A], or a tuple that
    begins with them. The number of actions tells whether they are flat or staged.

    Attributes:
        path: the file that `torch.export.save` wrote; ValueError if it is missing or invalid.
    """

    path: str

    def __post_init__(self) -> None:
        """Read the file."""
        self._module  # noqa: B018 - to fail here rather than at the first move

    @cached_property
    def _module(self) -> ExportedModule:
        return ExportedModule.load(self.path)

    def check(self, rules: AnyRules) -> None:
        """ValueError if the module takes or returns other sizes than those of the variant."""
        variant = variant_of(rules)
        logits = self._logits(np.zeros((2, variant.observation.size), np.float32), rules)
        sizes = variant.flat_actions.size, variant.staged_actions.size
        if logits.shape[1] not in sizes:
            found = f"the module of {self.path} returns {logits.shape[1]} logits"
            msg = f"{found}, and this variant has {sizes[0]} flat actions and {sizes[1]} staged ones"
            raise ValueError(msg)

    def fingerprint(self, rules: AnyRules) -> str:
        """A short hash of the file; ValueError as `check`."""
        self.check(rules)
        return digest(Path(self.path).read_bytes())

    def act(self, view: View) -> NDArray[np.int64]:
        """The legal action with the highest logit of each game, int64 [B]; ValueError as `check`."""
        logits = self._logits(view.observe().astype(np.float32), view.rules)
        size = logits.shape[1]
        if size != view.actions.size:
            self.check(view.rules)
            if view.actions.staged:
                msg = f"the module has {size} flat actions, and the view {view.actions.size} staged ones"
                raise ValueError(msg)
            return np.asarray(flat_actions(Staged(self.act), view), np.int64)
        return np.asarray(np.where(view.legal_mask() == 1, np.nan_to_num(logits), -np.inf).argmax(axis=1))

    def _logits(self, observations: NDArray[np.float32], rules: AnyRules) -> NDArray[np.float64]:
        try:
            logits = self._module(torch.from_numpy(observations))
        except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
            size = variant_of(rules).observation.size
            msg = f"the module of {self.path} does not take observations [B, {size}]: {str(error)[:300]}"
            raise ValueError(msg) from error
        if not isinstance(logits, torch.Tensor) or logits.shape[:-1] != (len(observations),):
            found = list(logits.shape) if isinstance(logits, torch.Tensor) else logits
            wanted = f"[{len(observations)}, A]"
            msg = f"the module of {self.path} must return logits {wanted}, not {found}"
            raise ValueError(msg)
        if logits.isnan().any():
            msg = f"the module of {self.path} returns logits that are not numbers (NaN)"
            raise ValueError(msg)
        return logits.double().numpy()


@dataclass(frozen=True)
class Staged:
    """A policy with staged actions.

    Attributes:
        act: of the policy.
    """

    act: Callable[[View], NDArray[np.int64]]
    staged: bool = True


@dataclass(frozen=True)
class ExportedModule:
    """A graph of operations.

    Attributes:
        path: of the file, for errors.
        constants: weights and other constants, by the names of the graph.
        observations: the name of the input.
        nodes: the operations in order, as the file has them.
        output: the name of the first output.
    """

    path: str
    constants: Mapping[str, torch.Tensor]
    observations: str
    nodes: list[Any]
    output: str

    @classmethod
    def load(cls, path: str) -> ExportedModule:
        """The module in a file; ValueError if it holds none that can be read."""
        if not Path(path).is_file():
            msg = f"there is no module {path}; write one by torch.export.save"
            raise ValueError(msg)
        try:
            with zipfile.ZipFile(path) as file:
                module = cls._read(path, file)
            for node in module.nodes:
                operation_of(node["target"])
        except Exception as error:  # any error that a damaged file causes
            msg = f"{path} holds no exported module that can be read: {fault_of(error)}"
            raise ValueError(msg) from error
        return module

    @classmethod
    def _read(cls, path: str, file: zipfile.ZipFile) -> ExportedModule:
        model = next((name for name in file.namelist() if name.endswith("/models/model.json")), None)
        if model is None:
            msg = "it has no models/model.json, as torch.export.save of PyTorch 2.8 and later writes it"
            raise ValueError(msg)
        folder = model.removesuffix("models/model.json")
        content = json.loads(file.read(model))
        version = content["schema_version"]["major"]
        if version != SCHEMA:
            msg = f"its format is {version}, not {SCHEMA}"
            raise ValueError(msg)
        arrays = {}
        for kind in ("weights", "constants"):
            config = json.loads(file.read(f"{folder}data/{kind}/model_{kind}_config.json"))["config"]
            for name, meta in config.items():
                arrays[name] = _array(file, f"{folder}data/{kind}/{meta['path_name']}", name, meta)
        graph, signature = content["graph_module"]["graph"], content["graph_module"]["signature"]
        outputs, constants, observations = signature["output_specs"], {}, []
        for each in signature["input_specs"]:
            ((kind, spec),) = each.items()
            if kind == "user_input":
                observations.append(spec["arg"]["as_tensor"]["name"])
            else:
                constants[spec["arg"]["name"]] = arrays[spec[f"{kind}_name"]]
        if len(observations) != 1:
            msg = f"it takes {len(observations)} inputs, not only observations"
            raise ValueError(msg)
        results = graph["outputs"]
        first = next(number for number, each in enumerate(outputs) if "user_output" in each)
        return cls(path, constants, observations[0], graph["nodes"], results[first]["as_tensor"]["name"])

    @torch.inference_mode()
    def __call__(self, observations: torch.Tensor) -> Any:
        """The first output for observations, float32 [B, D]; an operation's error if they do not fit."""
        values: dict[str, Any] = {**self.constants, self.observations: observations}
        for node in self.nodes:
            given, named = [], {}
            for each in node["inputs"]:
                value = _value(each["arg"], values)
                if each["kind"] == POSITIONAL:
                    given.append(value)
                else:
                    named[each["name"]] = value
            found = operation_of(node["target"])(*given, **named)
            _keep(node["outputs"], found, values)
        return values[self.output]


def operation_of(target: str) -> Callable[..., Any]:
    """The operation that a node names; ValueError if it is not a pure operation on tensors."""
    if target in SIZES:
        return SIZES[target]
    named = re.fullmatch(r"torch\.ops\.aten\.(\w+)\.(\w+)", target)
    found = getattr(getattr(torch.ops.aten, named[1], None), named[2], None) if named else None
    if named is None or not isinstance(found, torch._ops.OpOverload):
        msg = f"{target} is not an operation of PyTorch on tensors"
        raise ValueError(msg)
    schema = found._schema
    takes = any("Tensor" in str(each.type) for each in schema.arguments)
    if schema.is_mutable or not (takes or named[1] in MAKERS):
        msg = (
            f"{target} does not only take and give tensors; the program's run_decompositions() may replace it"
        )
        raise ValueError(msg)
    operation: Callable[..., Any] = found
    return operation


def _array(file: zipfile.ZipFile, name: str, weight: str, meta: Any) -> torch.Tensor:
    """A weight from its bytes."""
    form = meta["tensor_meta"]
    if meta["use_pickle"] or form is None:
        msg = f"{weight} is pickled, as it is not a plain tensor"
        raise ValueError(msg)
    sizes, strides = ([int(each["as_int"]) for each in form[name]] for name in ("sizes", "strides"))
    kind = DTYPES[form["dtype"]]
    if 0 in sizes:
        return torch.zeros(sizes, dtype=kind)
    storage = torch.frombuffer(bytearray(file.read(name)), dtype=kind)
    return storage.as_strided(sizes, strides, int(form["storage_offset"]["as_int"]))


def _value(argument: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    """An argument of an operation, from the values by name so far."""
    ((kind, value),) = argument.items()
    if kind in PLAIN:
        return value
    match kind:
        case "as_none":
            return None
        case "as_float":
            return float(value)  # a text if it is not finite
        case "as_floats":
            return [float(each) for each in value]
        case "as_tensor" | "as_optional_tensor":
            return values[value["name"]] if "name" in value else _value(value, values)
        case "as_tensors" | "as_optional_tensors" | "as_sym_ints":
            return [_value(each if "name" not in each else {"as_tensor": each}, values) for each in value]
        case "as_name":
            return values[value]
        case "as_sym_int" | "as_sym_bool" | "as_sym_float":
            return _value(value, values)
        case "as_scalar_type":
            return DTYPES[value]
        case "as_memory_format":
            return torch.preserve_format if value == PRESERVE else torch.contiguous_format
        case "as_layout":
            return torch.strided
        case "as_device":
            return torch.device("cpu")
    msg = f"an argument is {kind}, which is neither a tensor nor a number"
    raise ValueError(msg)


def _keep(outputs: list[Any], found: Any, values: dict[str, Any]) -> None:
    """Store the results of an operation by name."""
    results = found if len(outputs) > 1 else [found]
    for output, result in zip(outputs, results, strict=bool(outputs)):  # assertions have none
        ((kind, value),) = output.items()
        if kind == "as_tensors":
            values.update(zip((each["name"] for each in value), result, strict=True))
        elif kind != "as_none":
            values[value.get("name", value.get("as_name"))] = result
