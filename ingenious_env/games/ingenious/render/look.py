"""The look of Ingenious: the colours and shapes of its six symbols, its cells and tiles, as SVG.

Lengths are in the unit of `CELL`, the distance from the middle of a cell to its corners; pictures and pages
scale them. Each colour has its own shape, so that colour-blind people can distinguish the colours, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

from ingenious_env.games.ingenious.geometry import DIRECTIONS, Cell
from ingenious_env.render.svg import Attributes, Point, disc, outline, polar, star, tag
from ingenious_env.render.theme import Theme

CELL = 26.0
COLOURS = ("#db2450", "#51cd9e", "#3d74cc", "#ff9000", "#fff36b", "#c793fe")
"""The background of half a tile, by colour."""
SYMBOLS = ("#ffffff", "#0d2a1e", "#ffffff", "#3a2000", "#5a4a00", "#2c0b55")
"""The symbol on it."""

GROUND, BODY, RING = 0.82 * CELL, 0.93 * CELL, 0.98 * CELL
"""Radii of a half's background, of a tile's body, and of the outline of the last tile."""
STEP = math.sqrt(3) * CELL
"""From one cell of a row to the next."""
_SIXTH = math.pi / 3


def middle(cell: Cell) -> Point:
    """The middle of a cell, from the middle of the board (RULES.md 8.1)."""
    q, r = cell
    return STEP * (q + r / 2), 1.5 * CELL * r


def hexagon(radius: float, at: Point = (0.0, 0.0)) -> str:
    """The outline of a cell."""
    return outline(polar(radius, _SIXTH * k - math.pi / 2, at) for k in range(6))


def capsule(cells: Iterable[Cell], radius: float) -> str:
    """The outline round a tile's two cells, or round one cell; `radius` is at most that of a cell."""
    first, *others = cells
    if not others:
        return hexagon(radius, middle(first))
    (second,) = others
    step = second[0] - first[0], second[1] - first[1]
    ahead = _SIXTH * DIRECTIONS.index(step)
    corners = [polar(radius, ahead + _SIXTH * (k + 0.5), middle(first)) for k in range(6)]
    corners += [polar(radius, ahead + _SIXTH * (k + 3.5), middle(second)) for k in range(6)]
    return outline(corners)


def _sun() -> str:
    rays = []
    for k in range(8):
        corners = [(0.41, -0.26), (0.41, 0.26), (0.71, 0.0)]
        rays.append(outline(polar(r * CELL, math.pi * k / 4 + aside) for r, aside in corners))
    return disc(0.31 * CELL) + "".join(rays)


SHAPES = (
    star(0.68 * CELL, 0.36 * CELL, points=12),
    disc(0.43 * CELL),
    star(0.7 * CELL, 0.39 * CELL, points=6),
    "",  # a cube, of lines
    _sun(),
    disc(0.56 * CELL) + disc(0.34 * CELL),
)
_CUBE = 4
_EDGES = "".join(
    f"M0 0L{x:.2f} {y:.2f}" for x, y in (polar(0.58 * CELL, _SIXTH * (2 * k - 0.5)) for k in range(3))
)


def half(colour: int) -> str:
    """Half a tile without its body, at the origin."""
    ground = tag("path", d=hexagon(GROUND), fill=COLOURS[colour - 1])
    if colour == _CUBE:
        lines: Attributes = {
            "stroke_width": 0.138 * CELL,
            "stroke_linejoin": "round",
            "stroke": SYMBOLS[colour - 1],
        }
        return ground + tag("path", d=hexagon(0.58 * CELL) + _EDGES, fill="none", **lines)
    return ground + tag("path", d=SHAPES[colour - 1], fill=SYMBOLS[colour - 1], fill_rule="evenodd")


def start(colour: int, theme: Theme) -> str:
    """A cell with a start symbol, at the origin."""
    ground = tag("path", d=hexagon(0.95 * CELL), fill=theme.printed, stroke=theme.rim, stroke_width=1)
    fill = COLOURS[colour - 1]
    thin: Attributes = {"stroke": theme.shade, "stroke_width": 1.2}
    if colour == _CUBE:
        cube = tag("path", d=hexagon(0.62 * CELL), fill=fill, **thin)
        edges: Attributes = {"stroke": SYMBOLS[colour - 1], "stroke_width": 0.12 * CELL, "fill": "none"}
        return ground + cube + tag("path", d=_EDGES, **edges)
    return ground + tag("path", d=SHAPES[colour - 1], fill=fill, fill_rule="evenodd", **thin)


def bodies(theme: Theme) -> list[tuple[str, str]]:
    """The bodies under halves, by name: `lone` under a single one, `tile0` to `tile2` under both of a tile.

    A tile is at its first cell, the second lies in that direction. A hairline around it separates adjacent
    tiles.
    """
    found = []
    for name, cells in (("lone", [(0, 0)]), *((f"tile{d}", [(0, 0), DIRECTIONS[d]]) for d in range(3))):
        under = tag("path", d=capsule(cells, CELL), fill=theme.edge)
        rounded: Attributes = {"stroke": theme.body, "stroke_width": 1.5, "stroke_linejoin": "round"}
        found.append((name, under + tag("path", d=capsule(cells, BODY), fill=theme.body, **rounded)))
    return found


@cache
def definitions(theme: Theme, num_colours: int, prefix: str = "") -> tuple[str, ...]:
    """The elements that drawings reuse, with ids that begin with a prefix."""
    colours = range(1, num_colours + 1)
    back = tag(
        "path", d=capsule([(0, 0), (1, 0)], BODY), fill=theme.raised, stroke=theme.rim, stroke_width=2.5
    )
    empty = tag("path", d=hexagon(0.95 * CELL), fill=theme.cell, stroke=theme.rim, stroke_width=1)
    slot = tag("path", d=capsule([(0, 0), (1, 0)], BODY), fill="none", stroke=theme.line, stroke_width=2)
    shapes = [("empty", empty), ("back", back), ("slot", slot), *bodies(theme)]
    shapes += [(f"half{colour}", half(colour)) for colour in colours]
    shapes += [(f"start{colour}", start(colour, theme)) for colour in colours]
    return tuple(tag("g", shape, id=prefix + name) for name, shape in shapes)
