"""What trainings share: options that are the fields of a dataclass, and checkpoints to go on from."""

from __future__ import annotations

import argparse
import csv
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import torch

from agents.files import written_whole

Options = TypeVar("Options")
CHECKPOINT = "checkpoint.pt"


def option_name(field: str) -> str:
    """A field as an option."""
    return f"--{field.replace('_', '-')}"


def parse_options(
    kind: type[Options],
    arguments: Sequence[str] | None,
    prog: str,
    description: str | None,
    presets: Mapping[str, Mapping[str, Any]] | None = None,
) -> tuple[Options, argparse.ArgumentParser]:
    """The command line as a dataclass, and the parser for what else may be wrong with it.

    A preset is the defaults of some options, by a name that the option `--preset` takes.
    """
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog=prog,
    )
    for field in fields(kind):  # type: ignore[arg-type] # a dataclass
        option, default = option_name(field.name), field.default
        if presets and field.name == "preset":
            parser.add_argument(option, choices=presets, default=default, help=f"({default})")
        elif isinstance(default, bool):
            parser.add_argument(option, action="store_true")
        else:
            parser.add_argument(option, type=type(default), default=default, help=f"({default})")
    if presets:
        parser.set_defaults(**presets[parser.parse_args(arguments).preset])
    return kind(**vars(parser.parse_args(arguments))), parser


def save_checkpoint(folder: Path, checkpoint: Mapping[str, Any]) -> None:
    """Write it to a file of another name first."""
    folder.mkdir(parents=True, exist_ok=True)
    with written_whole(folder / CHECKPOINT) as partial:
        torch.save(checkpoint, partial)


def save_curve(folder: Path, names: Sequence[str], points: Sequence[Sequence[float]]) -> None:
    """Write `curve.csv` to a file of another name first."""
    with written_whole(folder / "curve.csv") as partial, partial.open("w", newline="") as file:
        csv.writer(file).writerows([names, *points])


@contextmanager
def checkpoint_in(folder: Path) -> Iterator[dict[str, Any]]:
    """The folder's checkpoint, while it is taken up; nothing in it is executed.

    Raises:
        ValueError: there is none, or it does not fit.
    """
    path = folder / CHECKPOINT
    if not path.is_file():
        msg = f"there is no checkpoint {path} to resume from"
        raise ValueError(msg)
    try:
        saved: dict[str, Any] = torch.load(path, weights_only=True)
        yield saved
    except Exception as error:
        msg = f"{path} is no checkpoint of this training: {error}"
        raise ValueError(msg) from error


@contextmanager
def stop_request() -> Iterator[threading.Event]:
    """Set by the first Ctrl-C, or request to end, so that a training stops between two steps and not in one.

    A second one interrupts at once; what was learned since the last checkpoint is lost then.
    """
    asked = threading.Event()

    def ask(_signal: int, _frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    before = {each: signal.signal(each, ask) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
