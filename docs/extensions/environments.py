"""Tables of a game's environments, from its definition."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import numpy as np
from ingenious_agents.tables import markdown_table

from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.definition import AnyRules
from ingenious_env.games import definitions

GAMES = 200


def sizes(_: Any, name: str) -> str:
    """Actions, observations and the lengths of random games of each preset of a game."""
    game, rows = definitions()[name], []
    for preset, each in game.presets.items():
        flat, staged = (game.actions(each.rules, staged=staged).size for staged in (False, True))
        layout = game.observation(each.rules)
        planes = "×".join(map(str, layout.plane_highs().shape))
        shortest, mean, longest = _lengths(each.rules)
        lengths = f"{mean} ({shortest}–{longest})"
        rows.append(
            [preset, str(each.rules.num_players), str(flat), str(staged), str(layout.size), planes, lengths]
        )
    heads = ["preset", "players", "actions, flat", "actions, staged", "vector observation", "planes"]
    return markdown_table(rows, [*heads, "decisions of all seats per game"])


def _lengths(rules: AnyRules) -> tuple[int, int, int]:
    """The least, the mean and the highest number of decisions in games of uniform play, flat actions."""
    batch = GameBatch(rules, GAMES, seed=0)
    lengths = np.zeros(GAMES, int)
    while not batch.is_over.all():
        lengths += ~batch.is_over
        batch.play(batch.random_actions())
    return int(lengths.min()), round(lengths.mean()), int(lengths.max())


def observations(_: Any, name: str) -> str:
    """The sections of the vector observation of each preset of a game, by index."""
    game = definitions()[name]
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
    layout = game.observation(next(iter(game.presets.values())).rules)
    text = import_module(type(layout).__module__).__doc__ or ""
    return dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", text, re.MULTILINE))
