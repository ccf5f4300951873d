"""Files in the folder of a training: checkpoints to resume from, and learning curves."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from math import isfinite
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout

from agents.training.provenance import option_name
from ingenious_env.core.checks import check_index
from ingenious_env.core.files import PARTIAL, written_whole

CHECKPOINT, AGENT, CURVE = "checkpoint.pt", "agent.safetensors", "curve.csv"
LOCK = ".lock"


@contextmanager
def training_folder(folder: Path) -> Iterator[None]:
    """Keep a folder for one training, which is made if there is none.

    Raises:
        ValueError: another training is writing it.
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LOCK).touch()  # says why, where the lock would take it for held
    try:
        with FileLock(folder / LOCK, timeout=0):
            for left in folder.glob(PARTIAL):  # by a training that was killed
                left.unlink()
            yield
    except Timeout:
        msg = f"{folder} is being written by another training; let it end, or give another --folder"
        raise ValueError(msg) from None


def save_checkpoint(folder: Path, args: Any, state: Mapping[str, Any]) -> None:
    """Write a checkpoint: the training's arguments, a dataclass, and its state, tensors and plain values."""
    plain = {name: str(value) if isinstance(value, Path) else value for name, value in asdict(args).items()}
    with written_whole(folder / CHECKPOINT) as partial:
        torch.save({"args": plain, "state": dict(state)}, partial)


def save_curve(folder: Path, names: Sequence[str], points: Sequence[Sequence[float]]) -> None:
    """Write the learning curve, a line a point."""
    with written_whole(folder / CURVE) as partial, partial.open("w", newline="") as file:
        csv.writer(file).writerows([names, *points])


@contextmanager
def checkpoint_in(folder: Path, args: Any, may_change: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The state in a folder's checkpoint, while it is taken up; nothing in it is executed.

    Args:
        folder: of the training.
        args: the training's arguments, a dataclass.
        may_change: those that do not change what is learned.

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
        if field.name not in may_change and was != now:
            msg = f"{path} was trained with {option_name(field.name)} {was}, not {now}"
            raise ValueError(msg)
    try:
        yield state
    except Exception as error:
        raise _unfit(path, error) from error


def _unfit(path: Path, error: Exception) -> ValueError:
    return ValueError(f"{path} is no checkpoint of this training: {str(error)[:300]}")


# Checks of what a checkpoint holds; each returns it, or raises an error that says what is wrong.


def checked_count(state: Mapping[str, Any], name: str, most: int) -> int:
    """A whole number from 0 to `most`."""
    return check_index(name, state[name], 0, most)


def checked_seconds(state: Mapping[str, Any], name: str = "seconds") -> float:
    """A finite number of at least 0."""
    seconds = float(state[name])
    if not (isfinite(seconds) and seconds >= 0):
        msg = f"{name} must be finite and at least 0, not {seconds}"
        raise ValueError(msg)
    return seconds


def checked_curve(state: Mapping[str, Any], width: int) -> list[tuple[float, ...]]:
    """Points of so many finite numbers."""
    points = [tuple(point) for point in state["curve"]]
    for point in points:
        if len(point) != width or not all(isinstance(each, int | float) and isfinite(each) for each in point):
            msg = f"a point of the curve must have {width} finite numbers, not {point}"
            raise ValueError(msg)
    return points


def load_state(owner: torch.nn.Module | torch.optim.Optimizer, state: Mapping[str, Any], name: str) -> None:
    """Load the state of a module or an optimiser; ValueError if a number in it is not finite."""
    check_finite(state[name], name)
    owner.load_state_dict(state[name])


def check_finite(tensors: Any, name: str) -> None:
    """ValueError if a number in tensors, in whatever dicts and lists they stand, is not finite."""
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
