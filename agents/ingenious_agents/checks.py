"""Checks of the parameters of agents and of training."""

from __future__ import annotations

from dataclasses import fields
from math import isfinite
from typing import Any

from ingenious_env.engine.checks import check_index

MAX_ROLLOUTS = 1_000_000_000
MAX_CANDIDATES = 10_000
MAX_SECONDS = 1_000_000
MAX_HORIZON = 1_000_000
MAX_WEIGHT = 1000


def check_range(agent: Any, least: float, most: float, *names: str) -> None:
    """Check attributes of a dataclass.

    Raises:
        TypeError: an attribute of type int is not a whole number.
        ValueError: one is out of the range, or no number.
    """
    kinds = {field.name: field.type for field in fields(agent)}
    for name in names:
        value = getattr(agent, name)
        if kinds[name] in ("int", int):
            check_index(name, value, int(least), int(most))
        elif not least <= value <= most:
            msg = f"{name} must be from {least} to {most}, not {value}"
            raise ValueError(msg)


def check_positive(agent: object, *names: str) -> None:
    """ValueError if one of the attributes is not above 0, or not finite."""
    for name in names:
        value = getattr(agent, name)
        if not (isfinite(value) and value > 0):
            msg = f"{name} must be more than 0, not {value}"
            raise ValueError(msg)
