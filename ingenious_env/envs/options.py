"""Options of all environments, and their checks."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from copy import copy
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import Any, TypedDict, get_type_hints

import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec

from ingenious_env.engine.definition import AnyDefinition, AnyRules, GameDefinition, Reward, definitions
from ingenious_env.errors import IllegalActionError

ILLEGAL = ("raise", "random", "lose")
LOSS = -1.0
"""The reward for an illegal action where it loses the game."""

AnyGame = str | AnyDefinition
"""A registered game, by name or as its definition."""


class Options(TypedDict, total=False):
    """Options of all Gymnasium environments in addition to those of the rules."""

    rules: AnyRules | str | Mapping[str, Any] | None
    observation: str
    actions: str
    reward: str
    mask_in_observation: bool
    illegal: str
    num_threads: int


def known_options(options: type[Any]) -> tuple[str, ...]:
    """Names of the options that a typed dictionary declares, inherited ones included."""
    return tuple(get_type_hints(options))


def find_game(game: AnyGame) -> AnyDefinition:
    """The definition of a game; ValueError if there is none of that name."""
    if not isinstance(game, str):
        return game
    known = definitions()
    if game not in known:
        msg = f"game must be one of {', '.join(known)}, not {game!r}"
        raise ValueError(msg)
    return known[game]


@cache
def rule_options(game: AnyDefinition) -> tuple[str, ...]:
    """Names of the options of a game's rules."""
    return tuple(inspect.signature(game.rules).parameters)


def split_options(
    game: AnyDefinition,
    options: Mapping[str, Any],
    known: Collection[str],
    **fixed: Any,
) -> tuple[AnyRules, dict[str, Any]]:
    """The rules that the options name, and the options that are not about rules.

    Args:
        game: whose rules they are.
        options: as given to the environment.
        known: names of the options that are not about rules.
        fixed: values for the rules that are not options here.

    Raises:
        TypeError: an option is unknown, or `rules` is of the wrong type.
        ValueError: rules are given both as one object and in parts.
    """
    about_rules = [name for name in rule_options(game) if name not in fixed]
    allowed = [*about_rules, *known]
    for name in options:
        if name not in allowed:
            msg = f"got an unexpected keyword argument {name!r}; the options are {', '.join(allowed)}"
            raise TypeError(msg)
    rest = dict(options)
    parts = {name: rest.pop(name) for name in about_rules if name in rest}
    rules = rest.pop("rules", None)
    if rules is None:
        return game.rules(**fixed, **parts), rest
    rules = _rules_of(game, rules)
    if parts:
        msg = f"give either rules or their parts, not both: {', '.join(parts)}"
        raise ValueError(msg)
    return rules, rest


def _rules_of(game: AnyDefinition, rules: Any) -> Any:
    """Rules given as an object, as text, or by their fields, as from Gymnasium's `EnvSpec.to_json`."""
    if isinstance(rules, str):
        return game.text_to_rules(rules)
    if isinstance(rules, Mapping):
        return game.rules(**rules)
    if not isinstance(rules, game.rules):
        kind = f"{game.rules.__qualname__} of the game {game.name}"
        msg = f"rules must be a {kind}, its text, its fields by name or None, not {rules!r}"
        raise TypeError(msg)
    return rules


class Specified:
    """An environment whose `spec` has its options in a form that JSON can hold, where there is one."""

    _spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """The specification passed to `gymnasium.make`."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        self._spec = None if spec is None else replace_options(spec)


def replace_options(spec: EnvSpec) -> EnvSpec:
    """A copy with enumerations by their values, paths and games by name, and NumPy's numbers as Python's."""
    changed = copy(spec)
    changed.kwargs = {name: _plain(value) for name, value in spec.kwargs.items()}
    return changed


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, GameDefinition):
        return value.name
    if type(value) in (list, tuple):
        return type(value)(_plain(each) for each in value)
    return {name: _plain(each) for name, each in value.items()} if isinstance(value, dict) else value


def hinting(error: IllegalActionError) -> IllegalActionError:
    """The error of an action that a learner gave to an environment, with what else environments can do."""
    hint = 'an environment with illegal="random" plays a random legal action instead'
    return IllegalActionError(f"{error}; {hint}", error.reason, error.action)


def reward_space(reward: Reward, *, loses: bool) -> spaces.Box:
    """The possible rewards of one step; with `loses`, an illegal action costs `LOSS`."""
    low = min(reward.low, LOSS) if loses else reward.low
    return spaces.Box(low, reward.high, reward.shape, np.float32)
