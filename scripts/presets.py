"""The presets that a script works on: those named on its command line, or all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import tyro
from ingenious_agents.commands.command_line import hint

Presets = Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="PRESET"), hint("all")]


def check_presets(names: Sequence[str], offered: Sequence[tuple[str, str]], kind: str) -> None:
    """ValueError, which calls presets by their kind, if a name is not one of them, pairs of game and name."""
    known = dict.fromkeys(preset for _, preset in offered)
    for name in names:
        if name not in known:
            msg = f"{name!r} is not a {kind}; there are {', '.join(known)}"
            raise ValueError(msg)


def chosen_presets(names: Sequence[str], offered: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The presets with these names, or all if there are no names; pairs of game and name."""
    return [each for each in offered if not names or each[1] in names]
