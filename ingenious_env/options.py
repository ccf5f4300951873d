"""What all environments take as options, and how a wrong one is refused."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypedDict

import numpy as np
from gymnasium import spaces

from ingenious_env.rewards import ZERO_SUM, Reward
from ingenious_env.rules import Rules

ACTIONS = ("flat", "staged")
ILLEGAL = ("raise", "random", "lose")
LOSS = -1.0
"""What an illegal action costs where it loses the game."""


class RuleOptions(TypedDict, total=False):
    """The options of `Rules` by name."""

    num_players: int
    teams: bool
    board_side: int | None
    num_colours: int
    rack_size: int | None
    counter_top: int
    double_sheet: bool | None
    open_racks: bool


def check_choice(option: str, value: object, allowed: Collection[str | None]) -> None:
    """ValueError with what is allowed, if the value is not."""
    if value not in allowed:
        msg = f"{option} must be one of {', '.join(map(str, allowed))}, not {value!r}"
        raise ValueError(msg)


def split_options(
    options: Mapping[str, Any], known: Collection[str], about_rules: Collection[str], **fixed: Any
) -> tuple[Rules, dict[str, Any]]:
    """The rules that the options name, and the options that are not about rules.

    Args:
        options: what the environment was given.
        known: the names of all options there are.
        about_rules: those of them that `Rules` takes.
        fixed: further values for `Rules`.
    """
    unknown = sorted(options.keys() - set(known))
    if unknown:
        msg = f"there is no option {', '.join(unknown)}; the options are {', '.join(known)}"
        raise TypeError(msg)
    rest = dict(options)
    parts = {name: rest.pop(name) for name in about_rules if name in rest}
    rules = rest.pop("rules", None)
    if rules is None:
        return Rules(**fixed, **parts), rest
    if not isinstance(rules, Rules):
        msg = f"rules must be a Rules or None, not {rules!r}"
        raise TypeError(msg)
    if parts:
        msg = f"give either rules or their parts, not both: {', '.join(parts)}"
        raise ValueError(msg)
    return rules, rest


def reward_space(rules: Rules, reward: Reward, *, loses: bool) -> spaces.Box:
    """What one step can bring; `loses` says whether an illegal action costs `LOSS`."""
    low, high = (LOSS if loses else 0.0), float(rules.last_space)
    if reward.name in ZERO_SUM:
        low, high = -1.0, 1.0
    elif reward.name in ("score", "sum"):
        high *= rules.num_colours
    sheets = rules.num_sheets if reward.collaborative else 1
    return spaces.Box(low, high * sheets, reward.shape, np.float32)
