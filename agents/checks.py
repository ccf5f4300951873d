"""Checks of agents' parameters."""

from __future__ import annotations

from math import isfinite


def check_least(agent: object, least: int, *names: str) -> None:
    """ValueError if one of the agent's attributes is less, or no finite number."""
    for name in names:
        value = getattr(agent, name)
        if not (isfinite(value) and value >= least):
            msg = f"{name} must be finite and at least {least}, not {value}"
            raise ValueError(msg)
