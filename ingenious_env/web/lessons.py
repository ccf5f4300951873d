"""What the page needs to teach the rules: a picture of each game in both themes, and the rules as text."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ingenious_env.engine.definition import definitions
from ingenious_env.languages import language, stand_in
from ingenious_env.policies.session import Session
from ingenious_env.render.theme import THEMES
from ingenious_env.render.words import TURN
from ingenious_env.web.texts import TEXTS

FOLDER = "web/static"
WHOLE = {"ingenious": "RULES.md", "loopit": "LOOPIT.md"}
"""The whole rules of the games that have lessons, in their packages."""
PICTURED = {"ingenious": (4, 9), "loopit": (3, 13)}
"""The seeds of the games in pictures, and the number of moves."""
MARK = "\ufeff"
"""Tells browsers that a text is UTF-8, whatever the file server says."""


def paths() -> set[str]:
    """The paths of all files."""
    pictures = {f"{FOLDER}/{game}-{theme}.svg" for game in WHOLE for theme in THEMES}
    return pictures | {f"{FOLDER}/{game}.txt" for game in WHOLE}


def made(path: str) -> str:
    """The content of a file; a picture takes a game, whose kernels may have to be compiled first."""
    return _made(path, language())


@cache
def _made(path: str, _language: str) -> str:
    name, _, kind = path.removeprefix(f"{FOLDER}/").rpartition(".")
    game, _, theme = name.partition("-")
    if kind == "txt":
        english = files("ingenious_env.games").joinpath(game, WHOLE[game])
        return MARK + (stand_in(f"games/{game}/{WHOLE[game]}") or english).read_text(encoding="utf-8")
    definition = definitions()[game]
    seed, moves = PICTURED[game]
    session = Session(definition.presets["two"].rules, seed, [definition.policy("greedy")] * 2)
    for _ in range(moves):
        session.advance()
    names = [TURN["you"], TEXTS["opponent"]]
    svg: str = definition.draw_svg(session.game, viewer=None, names=names, theme=theme)
    return svg
