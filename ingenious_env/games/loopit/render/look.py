"""The look of Loopit: squares, factors and tiles with their lines, as SVG.

Lengths are in the unit of `SQUARE`, the side of a square; pictures and pages scale them. The factor of a
square is shown as a number, so that it can be read without seeing colours.
"""

from __future__ import annotations

from functools import cache

from ingenious_env.games.loopit.material import DIRECTIONS, Square, Tile, bits_to_ends, ends_to_bits
from ingenious_env.render.svg import Attributes, Point, digits, tag, text
from ingenious_env.render.theme import Theme

SQUARE = 44.0
SIDE = SQUARE - 2
"""The side of a tile."""
RIM, LINE = "#a0957a", "#1c4f8f"
FACTORS = {
    "dark": ("#33506b", "#3b6b58", "#7a6a2f", "#86502f", "#7d3345", "#5b3b7a"),
    "light": ("#bcd6ea", "#bfe3cf", "#efdf9c", "#f2c8a6", "#eeb6c1", "#d3bdec"),
    "variables": tuple(f"var(--factor{factor})" for factor in range(2, 8)),
}
"""The backgrounds of squares with the factors 2 to 6, and more, by theme."""
PATTERNS = tuple(bits_to_ends(bits) for bits in range(1, 16))
"""All possible line ends of a tile."""

_TOWARDS = {"N": (0.0, -1.0), "E": (1.0, 0.0), "S": (0.0, 1.0), "W": (-1.0, 0.0)}


def middle(square: Square) -> Point:
    """The middle of a square, from the top left of the board."""
    row, column = square
    return SQUARE * (column + 0.5), SQUARE * (row + 0.5)


def box(size: float, at: Point = (0.0, 0.0), **colours: float | str) -> str:
    """A square with round corners about a point."""
    x, y = at
    return tag("rect", x=x - size / 2, y=y - size / 2, width=size, height=size, rx=5, **colours)


def lines(ends: str) -> str:
    """The path of a tile's lines: curved between neighbouring ends, straight between opposite ones."""
    half = SIDE / 2
    at = {end: f"{digits(half * _TOWARDS[end][0])} {digits(half * _TOWARDS[end][1])}" for end in ends}
    if len(ends) == 1:
        return f"M{at[ends]}L0 0"
    pairs = [(a, b) for k, a in enumerate(ends) for b in ends[k + 1 :]]
    if len(ends) == 4:  # only the curves
        pairs = [(a, b) for a, b in pairs if (DIRECTIONS.index(a) - DIRECTIONS.index(b)) % 2]
    return "".join(f"M{at[a]}Q0 0 {at[b]}" for a, b in pairs)


def factor_colour(factor: int, theme: Theme) -> str:
    """The background of a square without a tile."""
    return theme.cell if factor == 1 else FACTORS[theme.name][min(factor, 7) - 2]


def empty(factor: int, at: Point, theme: Theme, *, is_start: bool) -> str:
    """A square without a tile, its factor, and a ring where the game begins."""
    parts = [box(SIDE, at, fill=factor_colour(factor, theme), stroke=theme.rim)]
    if is_start:
        ring: Attributes = {"fill": "none", "stroke": theme.muted, "stroke_width": 2}
        parts.append(tag("circle", cx=at[0], cy=at[1], r=14, **ring))
    if factor > 1:
        middle = at[0], at[1] + 6
        parts.append(text(middle, f"{factor}×", size=17, fill=theme.ink, text_anchor="middle"))
    return "".join(parts)


def tile(tile: Tile, at: Point, factor: int, theme: Theme, prefix: str = "") -> str:
    """A tile about a point; its rim shows the factor of the square that it covers."""
    ends, value = tile
    rim = RIM if factor == 1 else factor_colour(factor, theme)
    return tag(
        "g",
        box(SIDE, at, fill=theme.printed, stroke=rim, stroke_width=1.0 if factor == 1 else 3.0),
        tag("use", href=f"#{prefix}lines{ends_to_bits(ends)}", x=at[0], y=at[1]),
        text((at[0], at[1] + 5.3), str(value), size=15, fill=LINE, text_anchor="middle", font_weight=700),
    )


@cache
def definitions(theme: Theme, prefix: str = "") -> tuple[str, ...]:
    """The elements that drawings reuse, with ids that begin with a prefix."""
    shapes = [("back", box(SIDE, fill=theme.raised, stroke=theme.rim, stroke_width=1.5))]
    for ends in PATTERNS:
        stroke = tag("path", d=lines(ends), fill="none", stroke=LINE, stroke_width=SIDE / 7)
        hub = tag("circle", cx=0, cy=0, r=SIDE * 0.24, fill=theme.printed, stroke=LINE, stroke_width=1.6)
        shapes.append((f"lines{ends_to_bits(ends)}", stroke + hub))
    return tuple(tag("g", shape, id=prefix + name) for name, shape in shapes)
