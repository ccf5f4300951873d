"""Agents by name: `uniform`, `greedy:utility=concave`, `flat-mc:rollouts=500`, `ppo:path=FILE`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from importlib import import_module
from typing import Any

from ingenious_env.policies import Policy

AGENTS = {
    "uniform": "ingenious_env.policies:Uniform",
    "greedy": "ingenious_env.policies:Greedy",
    "expectimax": "agents.expectimax:Expectimax",
    "flat-mc": "agents.flat_mc:FlatMC",
    "tree": "agents.tree_search:TreeSearch",
    "value": "agents.value:ValueAgent",
    "value-search": "agents.value_search:ValueSearch",
    "ppo": "agents.ppo:PPOAgent",
}
"""Where each kind of agent is: dataclasses whose fields are the parameters, imported when asked for."""

_FORMS = {"int": (int, "a whole number"), "float": (float, "a number"), "str": (str, "a text")}


def make_agent(text: str) -> Policy:
    """The agent that a text names: a name, and after a colon its parameters, `name:key=value,key=value`.

    Raises:
        TypeError: it is no text.
        ValueError: there is no such agent, parameter or value; the message names what there is.
    """
    agent: Policy = make(text, AGENTS)
    return agent


def make(text: str, kinds: Mapping[str, str]) -> Any:
    """What a text names, of these kinds."""
    if not isinstance(text, str):
        msg = f"an agent is named by a str, not {text!r}"
        raise TypeError(msg)
    name, _, rest = text.partition(":")
    if name not in kinds:
        msg = f"an agent is one of {', '.join(kinds)}, not {name!r}"
        raise ValueError(msg)
    module, _, kind_name = kinds[name].partition(":")
    kind = getattr(import_module(module), kind_name)
    known = {field.name: field for field in fields(kind)}
    given = dict(_parameter(part, name, known) for part in rest.split(",") if part)
    try:
        return kind(**given)
    except TypeError:
        missing = [each for each, field in known.items() if each not in given and not _is_optional(field)]
        msg = f"{name} needs the parameters {', '.join(missing)}"
        raise ValueError(msg) from None


def agent_text(agent: Policy) -> str:
    """What `make_agent` makes an equal agent of; parameters that have their default values are left out.

    Raises:
        ValueError: the agent is of no kind that has a name.
    """
    return text_of(agent, AGENTS)


def text_of(agent: Any, kinds: Mapping[str, str]) -> str:
    """What `make` makes an equal agent of."""
    for name, place in kinds.items():
        if f"{type(agent).__module__}:{type(agent).__name__}" == place and is_dataclass(agent):
            values = [(field, getattr(agent, field.name)) for field in fields(agent)]
            given = [f"{field.name}={value}" for field, value in values if value != field.default]
            return f"{name}:{','.join(given)}" if given else name
    msg = f"{agent!r} has no name; those that have are {', '.join(kinds)}"
    raise ValueError(msg)


def _is_optional(field: Field[Any]) -> bool:
    return field.default is not field.default_factory  # both are MISSING where there is no default


def _parameter(text: str, name: str, known: dict[str, Field[Any]]) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if key not in known or not equals:
        allowed = ", ".join(f"{each}=…" for each in known) or "none"
        msg = f"{name} takes the parameters: {allowed}; not {text!r}"
        raise ValueError(msg)
    convert, form = _FORMS[str(known[key].type)]
    try:
        return key, convert(value)
    except ValueError:
        msg = f"{name}: {key} must be {form}, not {value!r}"
        raise ValueError(msg) from None
