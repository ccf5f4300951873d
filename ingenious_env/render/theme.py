"""The colours of all drawings, dark and light, and their fonts; a game adds its own in `look.py`."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ingenious_env.engine.checks import check_choice

FONTS = "system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif"
SMALL, TEXT, LARGE = 14, 16, 19
"""Sizes of letters in pictures."""


@dataclass(frozen=True)
class Theme:
    """The colours of a drawing, in the syntax of SVG and CSS.

    Attributes:
        name: of the theme.
        background: of the whole drawing.
        panel, raised, line: cards, what stands out on them, and their outlines.
        ink, muted: text, and secondary text.
        gold: text and outlines of the player to move, of gains, and of the lowest counters.
        mark: the outline of the last tile.
        hint: help, such as highlighted places.
        frame, cell, rim: the board, an empty place, and its outline.
        printed: a place with something printed on it.
        body, edge: a tile, and the hairline round it.
        space: an empty space of a track.
        shade: the outline of a printed symbol.
    """

    name: str
    background: str
    panel: str
    raised: str
    line: str
    ink: str
    muted: str
    gold: str
    mark: str
    hint: str
    frame: str
    cell: str
    rim: str
    printed: str
    body: str
    edge: str
    space: str
    shade: str

    def css(self) -> str:
        """The declarations of CSS variables of the same names."""
        return "".join(f"--{name}:{value};" for name, value in vars(self).items() if name != "name")


THEMES = {
    "dark": Theme(
        name="dark",
        background="#10141a",
        panel="#1a212b",
        raised="#242e3a",
        line="#364453",
        ink="#eef1f5",
        muted="#a3afbe",
        gold="#f2c766",
        mark="#f2c766",
        hint="#fff6dc",
        frame="#161c25",
        cell="#263040",
        rim="#3b4a5d",
        printed="#efe8d8",
        body="#07090d",
        edge="#5d6f85",
        space="#0b1016",
        shade="#5a5448",
    ),
    "light": Theme(
        name="light",
        background="#ece8df",
        panel="#fbf9f4",
        raised="#efe9dc",
        line="#d2cabb",
        ink="#1d2430",
        muted="#5f6876",
        gold="#8a5a00",
        mark="#e39b00",
        hint="#141c2c",
        frame="#f6f2e9",
        cell="#e3dccd",
        rim="#c6bca8",
        printed="#fffdf8",
        body="#20262f",
        edge="#ffffff",
        space="#e6e0d3",
        shade="#4b463c",
    ),
}

VARIABLES = Theme("variables", *(f"var(--{field.name})" for field in fields(Theme)[1:]))
"""For pages whose style sheet chooses the theme (see `Theme.css`)."""


def theme_of(name: str) -> Theme:
    """The theme of a name, "dark" or "light"; ValueError if there is none."""
    check_choice("theme", name, THEMES)
    return THEMES[name]
