"""Agents by name: `uniform`, `greedy:utility=concave`, `flat-mc:rollouts=500`, `ppo:path=FILE`.

Others are named by the path of their class, `mine.Snatcher`; the fields of a dataclass are parameters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from importlib import import_module
from typing import Any

from ingenious_env import Policy
from ingenious_env.engine.definition import AnyRules

AGENTS = {
    "uniform": "ingenious_env.policies.view:Uniform",
    "greedy": "ingenious_env.policies.greedy:Greedy",
    "level": "ingenious_env.policies.levels:Level",
    "planner": "ingenious_env.games.loopit.opponents.planner:Planner",
    "flat-mc": "ingenious_agents.search.flat_mc:FlatMC",
    "tree": "ingenious_agents.search.ismcts:TreeSearch",
    "value": "ingenious_agents.value.agent:ValueAgent",
    "value-search": "ingenious_agents.value.search:ValueSearch",
    "ppo": "ingenious_agents.ppo.agent:PPOAgent",
    "sb3": "ingenious_agents.guests.sb3:SB3Agent",
    "torch": "ingenious_agents.guests.torch:TorchAgent",
    "openspiel": "ingenious_agents.guests.openspiel:OpenSpielAgent",
    "process": "ingenious_agents.guests.process:ProcessAgent",
}
"""The module of each kind of agent: dataclasses whose fields are the parameters, imported on demand."""
NEED_PARAMETERS = {"ppo", "sb3", "torch", "openspiel", "process"}
"""Kinds with parameters that have no default, known without importing their libraries."""
_CHOOSE_CODE = {"process", "openspiel"}
"""Kinds whose parameters name a program, or a function of a module."""

_PARAMETERS = re.compile(r",(?=[A-Za-z_]\w*=)")  # other commas may be part of a path
_CLASS_PATH = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")
_FORMS = {"int": (int, "a whole number"), "float": (float, "a number"), "str": (str, "a text")}


def make_agent(text: str) -> Policy:
    """The agent that a text names: a name, and after a colon its parameters, `name:key=value,key=value`.

    Raises:
        TypeError: it is not a text.
        ValueError: there is no such agent, parameter or value; the message lists the known ones.
    """
    agent: Policy = make(text, AGENTS)
    return agent


def make(text: str, kinds: Mapping[str, str]) -> Any:
    """The agent that a text names, of these kinds."""
    if not isinstance(text, str):
        msg = f"an agent is named by a str, not {text!r}"
        raise TypeError(msg)
    name, _, rest = text.partition(":")
    kind = _kind_of(name, kinds)
    known = {field.name: field for field in fields(kind)} if is_dataclass(kind) else {}
    given: dict[str, Any] = {}
    for part in filter(None, _PARAMETERS.split(rest)):
        key, value = _parameter(part, name, known)
        if key in given:
            msg = f"{name} is given {key} twice, in {text!r}"
            raise ValueError(msg)
        given[key] = value
    try:
        return kind(**given)
    except TypeError as error:
        missing = [each for each, field in known.items() if each not in given and not _is_optional(field)]
        msg = (
            f"{name} needs the parameters {', '.join(missing)}"
            if missing
            else f"no {name} can be made: {error}"
        )
        raise ValueError(msg) from None


def _kind_of(name: str, kinds: Mapping[str, str]) -> Any:
    if name not in kinds and not _CLASS_PATH.fullmatch(name):
        known = ", ".join(kinds)
        msg = f"an agent is one of {known}, or the path of a class, such as mine.Snatcher, not {name!r}"
        raise ValueError(msg)
    module, _, kind_name = kinds.get(name, ":".join(name.rsplit(".", 1))).partition(":")
    try:
        kind = getattr(import_module(module), kind_name)
    except (ImportError, AttributeError, ValueError) as error:
        if name in kinds:
            raise
        msg = f"there is no class {name}: {error}"
        raise ValueError(msg) from error
    if name not in kinds and not (isinstance(kind, type) and callable(getattr(kind, "act", None))):
        msg = f"{name} is not a class with a method act(view)"
        raise ValueError(msg)
    return kind


def chooses_code(text: str) -> bool:
    """Return whether the name of an agent selects code to run: a program, a function or a class.

    An agent of such a name is made only for a user who gave the name, not for a file that contains it.
    """
    kind = text.partition(":")[0]
    return kind not in AGENTS or kind in _CHOOSE_CODE


def spell(text: str, agent: Any, kinds: Mapping[str, str]) -> str:
    """The name of an agent as `agent_text` spells it; the path of a class is not changed."""
    return text_of(agent, kinds) if text.partition(":")[0] in kinds else text


def fingerprint(agent: Any, rules: AnyRules) -> str:
    """A fingerprint of an agent's weights for a variant; "" for an agent without.

    An agent that reads a file declares it by a method `fingerprint(rules)`.
    """
    return str(agent.fingerprint(rules)) if hasattr(agent, "fingerprint") else ""


def agent_text(agent: Policy) -> str:
    """The text from which `make_agent` makes an equal agent; parameters at their defaults are left out.

    Raises:
        ValueError: the agent is of no kind that has a name.
    """
    return text_of(agent, AGENTS)


def text_of(agent: Any, kinds: Mapping[str, str]) -> str:
    """The text from which `make` makes an equal agent."""
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
    kind = known[key].type
    kind = getattr(kind, "__name__", kind)
    if kind not in _FORMS:
        msg = f"{name}: {key} is of type {kind}; what a text can give is {', '.join(_FORMS)}"
        raise ValueError(msg)
    convert, form = _FORMS[kind]
    try:
        return key, convert(value)
    except ValueError:
        msg = f"{name}: {key} must be {form}, not {value!r}"
        raise ValueError(msg) from None
