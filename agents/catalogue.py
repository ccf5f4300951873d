"""Agents by name: `uniform`, `greedy`, `greedy:utility=concave`, `ppo:path=runs/ppo/agent.npz`."""

from __future__ import annotations

from collections.abc import Callable

from ingenious_env.policies import Greedy, Policy, Uniform


def _ppo(path: str) -> Policy:
    from agents.ppo import PPOAgent  # noqa: PLC0415 - needs PyTorch, which the other agents do not

    return PPOAgent.load(path)


AGENTS: dict[str, tuple[Callable[..., Policy], tuple[str, ...]]] = {
    "uniform": (Uniform, ()),
    "greedy": (Greedy, ("utility",)),
    "ppo": (_ppo, ("path",)),
}
"""How to make each agent, and the parameters it takes."""


def make_agent(text: str) -> Policy:
    """The agent that a text names: a name, and after a colon its parameters, `name:key=value,key=value`.

    Raises:
        TypeError: it is no text.
        ValueError: there is no such agent, parameter or value; the message names what there is.
    """
    if not isinstance(text, str):
        msg = f"an agent is named by a str, not {text!r}"
        raise TypeError(msg)
    name, _, rest = text.partition(":")
    if name not in AGENTS:
        msg = f"an agent is one of {', '.join(AGENTS)}, not {name!r}"
        raise ValueError(msg)
    make, known = AGENTS[name]
    parameters = dict(_parameter(part, name, known) for part in rest.split(",") if part)
    try:
        return make(**parameters)
    except TypeError:
        msg = f"{name} needs the parameters {', '.join(known)}"
        raise ValueError(msg) from None


def _parameter(text: str, name: str, known: tuple[str, ...]) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if key not in known or not equals:
        allowed = ", ".join(f"{each}=…" for each in known) or "none"
        msg = f"{name} takes the parameters: {allowed}; not {text!r}"
        raise ValueError(msg)
    return key, value
