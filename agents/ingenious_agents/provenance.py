"""Provenance: the machine, the commit, the versions and the command behind a figure."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import time
from collections.abc import Collection
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = (
    "ingenious-env",
    "numpy",
    "numba",
    "gymnasium",
    "pettingzoo",
    "momaland",
    "open_spiel",
    "pgx",
    "jax",
)


def machine() -> dict[str, Any]:
    """The machine, the time and the versions of figures."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "commit": _commit(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": versions,
    }


def _commit() -> str | None:
    """The commit of this file; None if no repository tracks it, as in a virtual environment."""
    if _git("ls-files", "--error-unmatch", Path(__file__).name) is None:
        return None
    return _git("describe", "--always", "--dirty", "--abbrev=40")


def _git(*words: str) -> str | None:
    """The output of a git command in the folder of this file; None if it fails or git is not installed."""
    git = shutil.which("git")
    if git is None:
        return None
    asked = subprocess.run(  # noqa: S603 - the installed git
        [git, *words], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() or None if asked.returncode == 0 else None


def _processor() -> str:
    known = Path("/proc/cpuinfo")
    if known.exists():
        for line in known.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


# Commands.

LEFT_OUT = ("folder", "resume")
"""Arguments of a training that the command on its card leaves out."""


def option_name(field: str) -> str:
    """A field of a command's arguments as an option."""
    return f"--{field.replace('_', '-')}"


def given_options(args: Any) -> list[str]:
    """The names of a command's arguments that differ from their defaults.

    Args:
        args: the arguments, a dataclass; a method `defaults` has those that depend on other arguments.
    """
    defaults = args.defaults() if hasattr(args, "defaults") else {}
    return [
        field.name
        for field in fields(args)
        if getattr(args, field.name) != defaults.get(field.name, field.default)
    ]


def command_of(prog: str, args: Any, left_out: Collection[str] = LEFT_OUT) -> str:
    """The command that repeats a training, or something else with the same options.

    Args:
        prog: the command without arguments.
        args: the arguments, as of `given_options`.
        left_out: names of arguments that the command does not repeat.
    """
    words = [prog]
    for name in given_options(args):
        if name not in left_out:
            value, option = getattr(args, name), option_name(name)
            words += [option] if value is True else [option, shlex.quote(str(value))]
    return " ".join(words)
