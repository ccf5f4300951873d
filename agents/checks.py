"""Checks of agents' parameters."""

from __future__ import annotations

from math import isfinite

from ingenious_env.core.definition import AnyRules, definition_of


def check_least(agent: object, least: int, *names: str) -> None:
    """ValueError if one of the agent's attributes is less, or no finite number."""
    for name in names:
        value = getattr(agent, name)
        if not (isfinite(value) and value >= least):
            msg = f"{name} must be finite and at least {least}, not {value}"
            raise ValueError(msg)


def check_game(agent: object, rules: AnyRules, name: str) -> None:
    """ValueError if the rules are not those of the game of that name, the only one that the agent plays."""
    game = definition_of(rules).name
    if game != name:
        msg = f"{type(agent).__name__} plays {name} alone, not {game}"
        raise ValueError(msg)
