"""Boards, drawn by the package when the site is built, in the light and in the dark theme."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ingenious_env import Session
from ingenious_env.games import definitions

THEMES = ("light", "dark")


def board(env: Any, argument: str) -> str:
    """A position: `GAME PRESET SEED MOVES`, played by `value`."""
    name, preset, seed, moves = argument.split()
    definition = definitions()[name]
    rules = definition.presets[preset].rules
    policy = definition.policy("value")
    session = Session(rules, seed=int(seed), players=[policy] * rules.num_players)
    for number, _ in enumerate(session.run(), 1):
        if number == int(moves):
            break
    seats = f"{rules.num_players} players" if rules.num_players > 1 else "one player"
    text = f"A position of {definition.title} with {seats}, as the first player sees it"
    lines = []
    for theme in THEMES:
        picture = definition.draw_svg(session.game, viewer=0, theme=theme)
        path = Path(env.app.outdir) / "_boards" / f"{name}-{preset}-{seed}-{moves}-{theme}.svg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(picture, encoding="utf-8")
        source = "../" * env.docname.count("/") + f"_boards/{path.name}"
        lines.append(f'<img class="board only-{theme}" src="{source}" alt="{text}">')
    return "\n".join(["<p>", *lines, "</p>"])
