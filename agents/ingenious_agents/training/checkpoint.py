"""Files in the folder of a training: checkpoints to resume from, and learning curves."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any

from ingenious_agents.provenance import option_name
from ingenious_env.engine.checks import check_index
from ingenious_env.engine.extras import needs
from ingenious_env.engine.files import written_whole

with needs("ingenious_agents.training.checkpoint", "ingenious-env[train]"):
    import torch

CHECKPOINT, AGENT, CURVE = "checkpoint.pt", "agent.safetensors", "curve.csv"
MAX_SECONDS = 1_000_000_000


def save_checkpoint(folder: Path, args: Any, state: Mapping[str, Any]) -> None:
    """Write a checkpoint: the training's arguments, a dataclass, and its state, tensors and plain values."""
    plain = {name: str(value) if isinstance(value, Path) else value for name, value in asdict(args).items()}
    content = BytesIO()  # PyTorch's file writer raises its own error for a full disk
    torch.save({"args": plain, "state": dict(state)}, content)
    with written_whole(folder / CHECKPOINT) as partial:
        partial.write_bytes(content.getbuffer())


def save_curve(folder: Path, names: Sequence[str], points: Sequence[Sequence[float]]) -> None:
    """Write the learning curve, a line per point."""
    with written_whole(folder / CURVE) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *points])


@contextmanager
def checkpoint_in(folder: Path, args: Any, may_change: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The state in a folder's checkpoint, while it is restored; no code in it is executed.

    Args:
        folder: of the training.
        args: the training's arguments, a dataclass.
        may_change: those that do not affect the result.

    Raises:
        ValueError: there is none, it is of a training with other arguments, or the block cannot use it.
    """
    path = folder / CHECKPOINT
    if not path.is_file():
        msg = f"there is no checkpoint {path} to resume from"
        raise ValueError(msg)
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
        before, state = type(args)(**saved["args"]), dict(saved["state"])
    except Exception as error:
        raise _unfit(path, error) from error
    for field in fields(args):
        was, now = getattr(before, field.name), getattr(args, field.name)
        if field.name not in may_change and (type(was) is not type(now) or was != now):
            msg = f"{path} was trained with {option_name(field.name)} {was}, not {now}"
            raise ValueError(msg)
    try:
        yield state
    except Exception as error:
        raise _unfit(path, error) from error


def _unfit(path: Path, error: Exception) -> ValueError:
    return ValueError(f"{path} is not a checkpoint of this training: {str(error)[:300]}")


# Checks of the content of a checkpoint; each returns a value, or raises an error.


def is_finite_number(value: Any) -> bool:
    """Return whether a value is an int or a float, no bool, and finite."""
    return type(value) in (int, float) and isfinite(value)


def checked_count(state: Mapping[str, Any], name: str, most: int) -> int:
    """A whole number from 0 to `most`."""
    return check_index(name, state[name], 0, most)


def checked_seconds(state: Mapping[str, Any], name: str = "seconds") -> float:
    """A number of seconds that a training can have taken."""
    seconds = state[name]
    if not (is_finite_number(seconds) and 0 <= seconds <= MAX_SECONDS):
        msg = f"{name} must be a number from 0 to {MAX_SECONDS}, not {seconds!r}"
        raise ValueError(msg)
    return float(seconds)


def checked_curve(state: Mapping[str, Any], width: int) -> list[tuple[float, ...]]:
    """Points of `width` finite numbers."""
    points = state["curve"]
    if not isinstance(points, list | tuple):
        msg = f"the curve must be a list of points, not {points!r}"
        raise TypeError(msg)
    for point in points:
        is_one = isinstance(point, list | tuple) and len(point) == width
        if not (is_one and all(map(is_finite_number, point))):
            msg = f"a point of the curve must have {width} finite numbers, not {point}"
            raise ValueError(msg)
    return [tuple(point) for point in points]


def load_state(owner: torch.nn.Module | torch.optim.Optimizer, state: Mapping[str, Any], name: str) -> None:
    """Load the state of a module or an optimiser; ValueError if it does not fit this owner."""
    check_finite(state[name], name)
    if isinstance(owner, torch.optim.Optimizer):
        _check_optimizer(owner, state[name], name)
    else:
        check_alike(owner.state_dict(), state[name], name)
    owner.load_state_dict(state[name])


def _check_optimizer(owner: torch.optim.Optimizer, state: Any, name: str) -> None:
    """ValueError unless a state has an optimiser's own settings, and moments of the shapes of its weights.

    The learning rate may differ, as training sets it before each step.
    """
    own, groups = owner.state_dict(), state["param_groups"]
    for group in groups:
        rate = group["lr"]
        if not (is_finite_number(rate) and rate >= 0):
            msg = f"the learning rate of {name} must be a finite number of at least 0, not {rate!r}"
            raise ValueError(msg)
    for wanted, found in zip(own["param_groups"], groups, strict=True):
        for key in set(wanted) & set(found) - {"lr"}:  # releases of PyTorch differ in their keys
            if repr(found[key]) != repr(wanted[key]):
                msg = f"{key} of {name} must be {wanted[key]!r}, not {found[key]!r}"
                raise ValueError(msg)
    weights = [weight for group in owner.param_groups for weight in group["params"]]
    moments = state["state"]
    if set(moments) not in (set(), set(range(len(weights)))):
        msg = f"{name} must have moments of all {len(weights)} weights, or of none"
        raise ValueError(msg)
    for number, weight in enumerate(weights if moments else ()):
        wanted = {"step": torch.tensor(0.0), "exp_avg": weight, "exp_avg_sq": weight}
        check_alike(wanted, moments[number], f"{name} of weight {number}")
        if moments[number]["step"] < 0 or (moments[number]["exp_avg_sq"] < 0).any():
            msg = f"steps and squares of {name} must be at least 0"
            raise ValueError(msg)


def check_alike(wanted: Mapping[str, torch.Tensor], found: Any, name: str) -> None:
    """ValueError unless these are tensors of the same names, shapes and types."""
    forms = [
        {
            key: (each.dtype, each.shape) if isinstance(each, torch.Tensor) else None
            for key, each in tensors.items()
        }
        for tensors in (wanted, found)
    ]
    for key in {**forms[0], **forms[1]}:
        if forms[0].get(key) != forms[1].get(key):
            msg = f"{key} of {name} must be {forms[0].get(key)}, not {forms[1].get(key)}"
            raise ValueError(msg)


def check_finite(tensors: Any, name: str) -> None:
    """ValueError if a number in tensors, nested in dicts and lists, is not finite."""
    if isinstance(tensors, torch.Tensor):
        if not torch.isfinite(tensors).all():
            msg = f"not all numbers of {name} are finite"
            raise ValueError(msg)
    elif isinstance(tensors, Mapping):
        for each in tensors.values():
            check_finite(each, name)
    elif isinstance(tensors, list | tuple):
        for each in tensors:
            check_finite(each, name)
