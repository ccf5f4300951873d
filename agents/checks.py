"""Checks of agents' parameters."""

from __future__ import annotations

from ingenious_env.core.definition import AnyRules, definition_of

MAX_ROLLOUTS = 1_000_000_000
MAX_CANDIDATES = 10_000
MAX_SECONDS = 1_000_000
MAX_HORIZON = 1_000_000
MAX_WEIGHT = 1000


def check_range(agent: object, least: float, most: float, *names: str) -> None:
    """ValueError if one of the agent's attributes is out of a range, or no number."""
    for name in names:
        value = getattr(agent, name)
        if not least <= value <= most:
            msg = f"{name} must be from {least} to {most}, not {value}"
            raise ValueError(msg)


def check_game(agent: object, rules: AnyRules, name: str) -> None:
    """ValueError if the rules are not those of the game of that name, the only one that the agent plays."""
    game = definition_of(rules).name
    if game != name:
        msg = f"{type(agent).__name__} plays {name} alone, not {game}"
        raise ValueError(msg)
