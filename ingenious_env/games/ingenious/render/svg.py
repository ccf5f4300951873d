"""A position as one self-contained SVG picture: the board on a dark table, a card for each score sheet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

from ingenious_env.games.ingenious.render.layout import (
    bag_line,
    check_highlight,
    check_viewer,
    headline,
    is_shown,
    players_of,
    standing,
    task,
)
from ingenious_env.games.ingenious.tiles import COLOUR_NAMES
from ingenious_env.render.svg import Point, digits, disc, outline, polar, star, tag, text, with_unique_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ingenious_env.games.ingenious.render.layout import Drawable, DrawableRules

_BRIGHT = ("#ff6257", "#58cf7d", "#5aa9ff", "#ff9a3c", "#ffd94a", "#c98bff")
_DEEP = ("#6d1b1e", "#14512d", "#163f7a", "#7a3a08", "#6b5206", "#4b2480")
"""Symbol and ground of a half-tile, for colours 1 to 6."""

_INK, _MUTED, _GOLD = "#eef1f5", "#9aa5b4", "#f0c35a"
_FELT, _CARD, _PLATE = ("#1f2732", "#12171e"), "#232c38", "#161c25"
_EMPTY, _RIM, _IVORY = "#2b3442", "#3d495b", "#e9e2d0"
_BODY, _BACK, _BACK_RIM = "#0b0e13", "#4a566a", "#77859b"
_FONTS = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"

_MARGIN, _GAP, _STRIP = 20.0, 16.0, 40.0
_CARD_WIDTH, _INSET = 300.0, 14.0
_INNER = _CARD_WIDTH - 2 * _INSET
_NAME, _RACK, _SCALE = 28.0, 34.0, 16.0
"""Heights on a card: a player's name, a rack, the numbers above the tracks."""
_MIN_HEIGHT, _MAX_CELL = 500.0, 40.0
_MIN_PITCH, _MAX_PITCH = 17.0, 27.0

_SIXTHS = [math.pi / 3 * k for k in range(6)]


@dataclass(frozen=True)
class _Plan:
    """The positions of all elements; the same for every position under the same rules."""

    width: float
    height: float
    centre: Point
    """Middle of the board."""
    radius: float
    """From the middle of the board to its corners."""
    cell: float
    """Radius of a cell."""
    slot: float
    """Width that a tile has on a rack."""
    half: float
    """Radius of its halves."""
    pitch: float
    """From one colour's track to the next."""
    space: float
    """Width of one space of a track."""
    cards: tuple[Point, ...]
    """Left and top of each sheet's card."""
    card_height: float

    def place(self, cell: tuple[int, int]) -> Point:
        """Middle of a cell (RULES.md 8.1)."""
        q, r = cell
        x, y = self.centre
        return x + math.sqrt(3) * self.cell * (q + r / 2), y + 1.5 * self.cell * r


def render(
    game: Drawable, *, viewer: int | None = None, highlight: Sequence[tuple[int, int]] = (), width: int = 900
) -> str:
    """Draws a position as SVG.

    Each colour has its own shape, so that the picture can be read without telling colours apart. Cells are
    drawn one by one, as a position does not record which halves belong to one tile.

    Args:
        game: The position.
        viewer: The player whose rack is shown, the others lying face down; None shows every rack.
        highlight: Cells (q, r) to outline, such as those of the last placement.
        width: Width of the picture in pixels; the height follows.

    Returns:
        An `<svg>` element without an XML declaration, fit for a file and for a web page.

    Raises:
        ValueError: If the viewer is no player of this game, a highlighted cell is not on the board, or the
            width is not a positive whole number.
    """
    check_viewer(game, viewer)
    check_highlight(game, highlight)
    if not isinstance(width, Integral) or width <= 0:
        msg = f"width must be a positive whole number of pixels, not {width!r}"
        raise ValueError(msg)
    plan = _plan(game.rules)
    title = f"Ingenious: {headline(game, viewer)}"
    parts = [
        tag("title", title),
        _definitions(game.rules, plan),
        tag("rect", width=plan.width, height=plan.height, rx=16, fill="url(#@felt)"),
        *_strip(game, plan, viewer),
        _board(game, plan, highlight),
        *(_card(game, plan, sheet, viewer) for sheet in range(game.rules.num_sheets)),
    ]
    picture = tag(
        "svg",
        *(f"\n{part}" for part in parts),
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {digits(plan.width)} {digits(plan.height)}",
        width=width,
        height=max(1, round(width * plan.height / plan.width)),
        role="img",
        aria_label=title,
        font_family=_FONTS,
    )
    return with_unique_ids(picture, "ingenious") + "\n"


def _columns(sheets: int) -> tuple[list[int], list[int]]:
    """The sheets left and right of the board: up to three on the right, more clockwise round the table."""
    if sheets <= 3:
        return [], list(range(sheets))
    half = sheets // 2
    return [0, *range(sheets - 1, half, -1)], list(range(1, half + 1))


def _plan(rules: DrawableRules) -> _Plan:
    left, right = _columns(rules.num_sheets)
    rows = max(len(left), len(right))
    gaps = (rows - 1) * _GAP
    fixed = 2 * _INSET + _SCALE + (_NAME + _RACK) * len(players_of(rules, 0))
    across = 3 * rules.board_side  # from edge to edge of the board, in radii of a cell; half of one is rim
    packed = rows * (fixed + _MIN_PITCH * rules.num_colours) + gaps
    height = max(packed, min(_MIN_HEIGHT, across * _MAX_CELL))
    pitch = min(_MAX_PITCH, ((height - gaps) / rows - fixed) / rules.num_colours)
    card_height = fixed + pitch * rules.num_colours
    cell = min(_MAX_CELL, height / across)
    radius = across * cell / math.sqrt(3)

    x, y = _MARGIN + (_CARD_WIDTH + _GAP if left else 0.0), _STRIP + _MARGIN
    cards = {}
    for column, at in ((left, _MARGIN), (right, x + 2 * radius + _GAP)):
        top = y + (height - len(column) * (card_height + _GAP) + _GAP) / 2
        cards.update({sheet: (at, top + row * (card_height + _GAP)) for row, sheet in enumerate(column)})
    slot = _INNER / max(5, rules.rack_size)
    numbers = 8 + 10 * len(str(rules.last_space))
    return _Plan(
        width=x + 2 * radius + _GAP + _CARD_WIDTH + _MARGIN,
        height=y + height + _MARGIN,
        centre=(x + radius, y + height / 2),
        radius=radius,
        cell=cell,
        slot=slot,
        half=0.46 * slot / math.sqrt(3),
        pitch=pitch,
        space=(_INNER - numbers) / (rules.last_space + 1),
        cards=tuple(cards[sheet] for sheet in range(rules.num_sheets)),
        card_height=card_height,
    )


def _use(kind: str, point: Point, *content: str) -> str:
    return tag("use", *content, href=f"#@{kind}", x=point[0], y=point[1])


def _small(plan: _Plan, point: Point, colour: int, radius: float, *content: str) -> str:
    """A half-tile of another size than on the board."""
    move = f"translate({digits(point[0])} {digits(point[1])}) scale({radius / plan.cell:.4f})"
    return tag("use", *content, href=f"#@tile{colour}", transform=move)


def _sun(radius: float) -> str:
    """A disc with eight free rays."""
    rays = []
    for k in range(8):
        corners = [(0.63, -0.24), (0.63, 0.24), (1.0, 0.0)]
        rays.append(outline(polar(r * radius, math.pi * k / 4 + aside) for r, aside in corners))
    return disc(0.47 * radius) + "".join(rays)


def _symbols(cell: float) -> list[str]:
    """The shapes of colours 1 to 6 for a cell of that radius."""
    return [
        star(0.68 * cell, 0.36 * cell, points=12),
        disc(0.5 * cell),
        star(0.68 * cell, 0.36 * cell, points=6),
        star(0.62 * cell, points=6, turn=math.pi / 6) + star(0.24 * cell, points=6, turn=math.pi / 6),
        _sun(0.68 * cell),
        disc(0.58 * cell) + disc(0.34 * cell),
    ]


def _definitions(rules: DrawableRules, plan: _Plan) -> str:
    """Everything that is drawn more than once, and the ground's colours."""
    cell = star(0.95 * plan.cell, points=6)
    thin = 0.05 * plan.cell
    stops = [tag("stop", offset=offset, stop_color=felt) for offset, felt in enumerate(_FELT)]
    parts = [
        tag("linearGradient", *stops, id="@felt", x1=0, y1=0, x2=0, y2=1),
        tag("path", id="@empty", d=cell, fill=_EMPTY, stroke=_RIM, stroke_width=thin),
        tag("path", id="@mark", d=cell, fill="none", stroke=_INK, stroke_width=0.11 * plan.cell),
    ]
    for colour, symbol in enumerate(_symbols(plan.cell)[: rules.num_colours], 1):
        bright, deep = _BRIGHT[colour - 1], _DEEP[colour - 1]
        ground = tag("path", d=cell, fill=deep, stroke=bright, stroke_width=thin)
        shape = tag("path", d=symbol, fill=bright, fill_rule="evenodd")
        parts.append(tag("g", ground, shape, id=f"@tile{colour}"))
        ground = tag("path", d=cell, fill=_IVORY)
        shape = tag("path", d=symbol, fill=bright, fill_rule="evenodd", stroke=deep, stroke_width=thin)
        parts.append(tag("g", ground, shape, id=f"@start{colour}"))
    return tag("defs", *parts, *_rack_definitions(plan), _track_definition(rules, plan))


def _rack_definitions(plan: _Plan) -> list[str]:
    """A place without a tile, the ground of a tile, and a tile face down."""
    step = plan.half * math.sqrt(3) / 2
    upright = [angle - math.pi / 2 for angle in _SIXTHS]  # from the top corner on
    left, right = ([polar(plan.half, angle, (x, 0.0)) for angle in upright] for x in (-step, step))
    tile = outline([*left[:2], *right[:4], *left[2:]])
    line = f"M{digits(-step)} 0H{digits(step)}"
    back = tag("path", d=tile, fill=_BACK, stroke=_BACK_RIM, stroke_linejoin="round")
    seam = tag("path", d=line, stroke=_BACK_RIM, stroke_width=2, stroke_linecap="round")
    return [
        tag("path", id="@slot", d=tile, fill=_PLATE, stroke=_RIM),
        tag("path", id="@body", d=tile, fill=_BODY, stroke=_BODY, stroke_width=2, stroke_linejoin="round"),
        tag("g", back, seam, id="@back"),
    ]


def _track_definition(rules: DrawableRules, plan: _Plan) -> str:
    """An empty track; its spaces are the dashes of one thick line."""
    gap = min(2.0, 0.2 * plan.space)
    return tag(
        "path",
        id="@track",
        d=f"M{digits(gap / 2)} 0h{digits(plan.space * (rules.last_space + 1) - gap)}",
        stroke="#000",
        stroke_opacity=0.42,
        stroke_width=0.5 * plan.pitch,
        stroke_dasharray=f"{digits(plan.space - gap)} {digits(gap)}",
    )


def _strip(game: Drawable, plan: _Plan, viewer: int | None) -> list[str]:
    """The line along the top: how the game stands, and the bag."""
    left, right, y = _MARGIN + 2, plan.width - _MARGIN - 2, _MARGIN + 16
    return [
        text((left, y), headline(game, viewer), size=18, fill=_INK, font_weight=600),
        text((right, y), bag_line(game), size=14, fill=_MUTED, text_anchor="end"),
    ]


def _board(game: Drawable, plan: _Plan, marked: Iterable[tuple[int, int]]) -> str:
    rules = game.rules
    edge = 15.0  # drawn along the outline, with round corners
    rim = outline(polar(plan.radius - edge / math.sqrt(3), a, plan.centre) for a in _SIXTHS)
    parts = [
        tag("path", d=rim, fill=colour, stroke=colour, stroke_width=stroke, stroke_linejoin="round")
        for colour, stroke in ((_RIM, edge), (_PLATE, edge - 3))
    ]
    for (q, r), value in zip(rules.cells.tolist(), game.board.tolist(), strict=True):
        symbol = rules.start_symbols.get((q, r))
        if symbol is not None:
            kind, what = f"start{symbol}", f"{COLOUR_NAMES[symbol - 1]}, start symbol"
        elif value:
            kind, what = f"tile{value}", COLOUR_NAMES[value - 1]
        else:
            kind, what = "empty", "empty"
        parts.append(_use(kind, plan.place((q, r)), tag("title", f"({q}, {r}) {what}")))
    parts += [_use("mark", plan.place(cell)) for cell in marked]
    return tag("g", *parts, id="@board")


def _card(game: Drawable, plan: _Plan, sheet: int, viewer: int | None) -> str:
    """A sheet, under the racks of those who score on it."""
    x, y = plan.cards[sheet]
    players = players_of(game.rules, sheet)
    active = not game.is_over and game.to_play in players
    size = {"width": _CARD_WIDTH, "height": plan.card_height, "rx": 10.0}
    parts = [tag("rect", x=x, y=y, **size, fill=_CARD, stroke=_GOLD if active else _RIM, stroke_width=1.5)]
    x, y = x + _INSET, y + _INSET
    for player in players:
        parts += _name(game, (x, y + 13), player, sheet, viewer)
        parts += _rack(game, plan, (x, y + _NAME + _RACK / 2 - 6), player, viewer)
        y += _NAME + _RACK
    parts += _tracks(game, plan, (x, y + _SCALE), sheet)
    return tag("g", *parts, id=f"@sheet{sheet}")


def _name(game: Drawable, point: Point, player: int, sheet: int, viewer: int | None) -> list[str]:
    """A player's name, and on the right whose turn it is or who came where."""
    note = standing(game, sheet)
    if not game.is_over and player == game.to_play:
        note = task(game, viewer)
    team = f" · team {sheet}" if game.rules.teams else ""
    lines = [text(point, f"Player {player}{team}", size=15, fill=_INK, font_weight=600)]
    if note:
        end = (point[0] + _INNER, point[1])
        lines.append(text(end, note, size=13, fill=_GOLD, font_weight=600, text_anchor="end"))
    return lines


def _rack(game: Drawable, plan: _Plan, point: Point, player: int, viewer: int | None) -> list[str]:
    rack = game.racks[player]
    shown = is_shown(game, player, viewer)
    step = plan.half * math.sqrt(3) / 2
    parts = []
    for number in range(max(len(rack), game.rules.rack_size)):
        x, y = point[0] + plan.slot * (number + 0.5), point[1]
        kind = "slot" if number >= len(rack) else "body" if shown else "back"
        parts.append(_use(kind, (x, y)))
        if kind == "body":
            low, high = rack[number]
            parts.append(_small(plan, (x - step, y), low, plan.half))
            parts.append(_small(plan, (x + step, y), high, plan.half))
    return parts


def _tracks(game: Drawable, plan: _Plan, point: Point, sheet: int) -> list[str]:
    """A track for each colour; the spaces at which a sheet ends stand out."""
    rules = game.rules
    x, y = point
    size = {"width": plan.space, "height": plan.pitch * rules.num_colours, "rx": 2.0}
    parts = []
    for space in sorted({0, rules.counter_top, rules.last_space}):
        left = x + space * plan.space
        parts.append(
            text((left + plan.space / 2, y - 5), str(space), size=10, fill=_MUTED, text_anchor="middle")
        )
        if space:
            parts.append(tag("rect", x=left, y=y, **size, fill=_GOLD, fill_opacity=0.28))
    for colour, value in enumerate(game.scores[sheet].tolist(), 1):
        parts += _track(rules, plan, (x, y + (colour - 0.5) * plan.pitch), colour, value)
    return parts


def _track(rules: DrawableRules, plan: _Plan, point: Point, colour: int, value: int) -> list[str]:
    """One colour: its spaces, filled up to the counter, the counter, and its number."""
    x, y = point
    way = (value + 0.5) * plan.space
    title = tag("title", f"{COLOUR_NAMES[colour - 1]} {value} of {rules.last_space}")
    filled = {
        "stroke": _BRIGHT[colour - 1],
        "stroke_width": digits(0.5 * plan.pitch),
        "stroke_opacity": ".55",
    }
    return [
        _use("track", point),
        tag("path", d=f"M{digits(x)} {digits(y)}h{digits(way)}", **filled),
        _small(plan, (x + way, y), colour, 0.5 * plan.pitch, title),
        text((x + _INNER, y + 5), str(value), size=14, fill=_INK, text_anchor="end"),
    ]
