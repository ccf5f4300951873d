"""The settings of a training among the arguments of its command."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

Settings = TypeVar("Settings")


def settings_of(kind: type[Settings], args: Any) -> Settings:
    """The settings, a dataclass, among arguments whose class derives from it."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type] # any dataclass
    return kind(**{name: getattr(args, name) for name in names})
