"""What the page needs to teach the rules: a picture of each game in both themes, and the rules as text."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from ingenious_env.engine.definition import AnyRules, definitions
from ingenious_env.languages import language, stand_in
from ingenious_env.policies.session import Session
from ingenious_env.render.theme import THEMES
from ingenious_env.render.words import TURN
from ingenious_env.web.texts import TEXTS

FOLDER = "web/static"
WHOLE = {"ingenious": "RULES.md", "loopit": "LOOPIT.md"}
"""The whole rules of the games that have lessons, in their packages."""


class Picture(NamedTuple):
    """A position that is drawn.

    Attributes:
        game: its name.
        preset: of the game.
        seed: of the deal.
        moves: the number of moves made.
        player: the policy of all seats.
    """

    game: str
    preset: str
    seed: int
    moves: int
    player: str = "greedy"

    def session(self) -> Session:
        """The game up to the position."""
        definition = definitions()[self.game]
        rules = definition.presets[self.preset].rules
        session = Session(rules, self.seed, [definition.policy(self.player)] * rules.num_players)
        for _ in range(self.moves):
            session.advance()
        return session


PICTURES = {
    "ingenious": Picture("ingenious", "two", 4, 9),
    "ingenious-full": Picture("ingenious", "two", 4, 11),
    "ingenious-partnership": Picture("ingenious", "partnership", 4, 40),
    "ingenious-solitaire": Picture("ingenious", "solitaire", 4, 28, "lowest"),
    "loopit": Picture("loopit", "two", 3, 13),
    "loopit-end": Picture("loopit", "two", 3, 49),
}
"""The positions in pictures, by the names of their files without the theme."""
MARK = "\ufeff"
"""Tells browsers that a text is UTF-8, whatever the file server says."""


def paths() -> set[str]:
    """The paths of all files."""
    pictures = {f"{FOLDER}/{name}-{theme}.svg" for name in PICTURES for theme in THEMES}
    return pictures | {f"{FOLDER}/{game}.txt" for game in WHOLE}


def made(path: str) -> str:
    """The content of a file; a picture takes a game, whose kernels may have to be compiled first."""
    return _made(path, language())


@cache
def _made(path: str, _language: str) -> str:
    name, _, kind = path.removeprefix(f"{FOLDER}/").rpartition(".")
    if kind == "txt":
        english = files("ingenious_env.games").joinpath(name, WHOLE[name])
        return MARK + (stand_in(path) or english).read_text(encoding="utf-8")
    name, _, theme = name.rpartition("-")
    picture = PICTURES[name]
    game = picture.session().game
    svg: str = definitions()[picture.game].draw_svg(game, viewer=None, names=_names(game.rules), theme=theme)
    return svg


def _names(rules: AnyRules) -> list[str]:
    """The players' names by seat; the reader has the first one."""
    sides = {True: TEXTS["partner"], False: TEXTS["opponent"]}
    others = [sides[rules.sheet_of(seat) == rules.sheet_of(0)] for seat in range(1, rules.num_players)]
    return [TURN["you"], *others]
