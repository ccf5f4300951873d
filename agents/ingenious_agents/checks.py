"""Checks of the parameters of agents and of trainings."""

from __future__ import annotations

from math import isfinite

MAX_ROLLOUTS = 1_000_000_000
MAX_CANDIDATES = 10_000
MAX_SECONDS = 1_000_000
MAX_HORIZON = 1_000_000
MAX_WEIGHT = 1000


def check_range(agent: object, least: float, most: float, *names: str) -> None:
    """ValueError if one of the attributes is out of a range, or no number."""
    for name in names:
        value = getattr(agent, name)
        if not least <= value <= most:
            msg = f"{name} must be from {least} to {most}, not {value}"
            raise ValueError(msg)


def check_positive(agent: object, *names: str) -> None:
    """ValueError if one of the attributes is not above 0, or not finite."""
    for name in names:
        value = getattr(agent, name)
        if not (isfinite(value) and value > 0):
            msg = f"{name} must be more than 0, not {value}"
            raise ValueError(msg)
