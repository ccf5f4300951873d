"""The reference of public names, from each module's `__all__` and the docstrings."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

MODULES = (
    "ingenious_env",
    "ingenious_env.ingenious_v0",
    "ingenious_env.loopit_v0",
    "ingenious_env.policies",
    "ingenious_env.games",
    "ingenious_env.games.ingenious",
    "ingenious_env.games.loopit",
    "ingenious_env.networks",
    "ingenious_env.networks.sb3",
    "ingenious_env.sb3",
    "ingenious_env.torchrl",
    "ingenious_env.openspiel",
    "ingenious_agents",
    "ingenious_agents.ppo",
    "ingenious_agents.ppo.sb3",
)
"""The public modules, in the order in which a name that several offer is explained by the first."""
CONSTANTS = {
    "ingenious_env.__version__": "The version of the package.",
    "ingenious_env.NO_ACTION": "The entry for a finished game among the actions of a batch.",
}


def explained() -> dict[int, str]:
    """The full name under which each public object is explained, by its identity."""
    found: dict[int, str] = {}
    for module in MODULES:
        for name in sorted(import_module(module).__all__):
            found.setdefault(id(getattr(import_module(module), name)), f"{module}.{name}")
    return found


def names(_: Any, module: str) -> str:
    """All public names of a module."""
    offered, places = import_module(module), explained()
    entries = []
    for name in sorted(offered.__all__, key=str.lower):
        each, full = getattr(offered, name), f"{module}.{name}"
        if inspect.ismodule(each):
            entries.append(f"`{name}`\n: the module [`{each.__name__}`]({each.__name__}.md)")
        elif places[id(each)] != full and not isinstance(each, str | int):
            entries.append(f"`{name}`\n: the same as {{py:obj}}`{places[id(each)]}`")
        else:
            entries.append("\n".join(["```{eval-rst}", *_directive(each, full), "```"]))
    return "\n\n".join(entries)


def docstring(_: Any, module: str) -> str:
    """The docstring of a module: from its first heading on, or else below its first line."""
    text = import_module(module).__doc__ or ""
    _, heading, rest = text.partition("\n## ")
    return f"{heading}{rest}" if heading else text.partition("\n")[2]


def _directive(each: Any, full: str) -> list[str]:
    """The directive of autodoc for an object."""
    if inspect.isclass(each):
        return [f".. autoclass:: {full}", "   :members:", "   :show-inheritance:"]
    if isinstance(each, str | int):  # whose docstring would be that of its type
        return [f".. py:data:: {full}", f"   :value: {each!r}", "", f"   {CONSTANTS[full]}"]
    kind = "autofunction" if inspect.isroutine(each) else "autodata"
    return [f".. {kind}:: {full}"]


def as_restructured(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    """Docstrings in reStructuredText: links of Markdown, and tables and drawings as they are."""
    made: list[str] = []
    is_table = False
    for line in lines:
        if line.lstrip().startswith("|"):
            if not is_table:
                indent = " " * (len(line) - len(line.lstrip()))
                made += ["", f"{indent}.. code-block:: text", ""]
            is_table = True
            made.append(f"   {line}")
            continue
        if is_table and line.strip():
            made.append("")
        is_table = False
        parts = re.split(r"(`[^`]*`)", line)  # code stands at odd places
        parts[::2] = [re.sub(r"(?<!^)\*(?=\w)", r"\\*", part) for part in parts[::2]]
        made.append("".join(parts))
    lines[:] = made
