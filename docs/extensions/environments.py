"""The page of a game's environments, by one template, from the game's definition and the docstrings."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from ingenious_agents.tables import markdown_table

from ingenious_env.games import definitions

PLURAL = {1: "player", 2: "players"}


def environment(_: Any, name: str) -> str:
    """The specification of a game's environments."""
    game = definitions()[name]
    parts = [
        f"## Sizes of the presets\n\n{_sizes(game)}",
        f"## Observation by index\n\n{_observation(game)}",
        _docstring(name),
    ]
    return "\n\n".join(parts)


def _sizes(game: Any) -> str:
    rows = []
    for preset, each in game.presets.items():
        flat, staged = (game.actions(each.rules, staged=staged).size for staged in (False, True))
        layout = game.observation(each.rules)
        planes = "×".join(map(str, layout.plane_highs().shape))
        rows.append([preset, str(each.rules.num_players), str(flat), str(staged), str(layout.size), planes])
    heads = ["preset", "players", "actions, flat", "actions, staged", "vector observation", "planes"]
    return markdown_table(rows, heads)


def _observation(game: Any) -> str:
    meanings = _meanings(game)
    tables = []
    for preset, each in game.presets.items():
        layout = game.observation(each.rules)
        rows = [
            [
                f"{part.start}–{part.stop - 1}" if part.stop - part.start > 1 else str(part.start),
                f"`{name}`",
                "×".join(map(str, part.shape)),
                f"0–{part.high}",
                meanings[name],
            ]
            for name, part in layout.sections.items()
        ]
        table = markdown_table(rows, ["index", "section", "shape", "range", "meaning"])
        tables.append(f":::{{dropdown}} {preset}: {layout.size} entries\n{table}\n:::")
    return "\n\n".join(tables)


def _meanings(game: Any) -> dict[str, str]:
    """The meaning of each section, from the table of the layout's module."""
    text = import_module(type(game.observation(next(iter(game.presets.values())).rules)).__module__).__doc__ or ""
    return {found[1]: found[2] for found in re.finditer(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", text, re.MULTILINE)}


def _docstring(name: str) -> str:
    """The page of the PettingZoo module below its first paragraphs, with its headings."""
    text = import_module(f"ingenious_env.{name}_v0").__doc__ or ""
    return text[text.index("## Specification") :]
