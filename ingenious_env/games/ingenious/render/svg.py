"""A position as one self-contained SVG picture: the board, and a card for each score sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ingenious_env.engine.trail import Trail
from ingenious_env.games.ingenious.geometry import DIRECTIONS, Cell
from ingenious_env.games.ingenious.render import look
from ingenious_env.games.ingenious.render.layout import (
    Drawable,
    DrawableRules,
    bag_line,
    check_highlight,
    headline,
    is_shown,
    players_of,
)
from ingenious_env.games.ingenious.tiles import COLOUR_NAMES, Tile
from ingenious_env.languages import Texts, word
from ingenious_env.render.page import (
    CARD_WIDTH,
    GAP,
    HEAD,
    INNER,
    INSET,
    MARGIN,
    card,
    card_head,
    group,
    head,
    page,
)
from ingenious_env.render.svg import Attributes, Point, digits, outline, polar, tag, text
from ingenious_env.render.theme import SMALL, TEXT, Theme, theme_of
from ingenious_env.render.words import (
    PICTURE,
    Names,
    check_viewer,
    check_width,
    names_of,
    of_reader,
    standing,
)

TEXTS = Texts(
    {
        "bag": "In the bag",
        "counter": "{colour} {score} of {last}",
        "empty": "empty",
        "order": "lowest first",
        "start": "{colour}, start symbol",
    }
)
"""Words of a picture."""
_NAME, _FOOT = 26.0, 26.0
"""Heights on a card: a player's name, and the counters in order."""
_MIN_PITCH, _MAX_PITCH = 20.0, 23.0
_MIN_HEIGHT, _MAX_CELL = 540.0, 46.0
_TRACK_LEFT, _TRACK_RIGHT = 27.0, 66.0
"""Room on a track for the symbol, and for the counter and its gain."""
_TILE_WIDTH = look.STEP + 2 * look.BODY * math.cos(math.pi / 6)


@dataclass(frozen=True)
class _Plan:
    """The positions of all elements; the same for every position under the same rules."""

    width: float
    height: float
    centre: Point
    """Middle of the board."""
    scale: float
    """Of the board, from the units of `look`."""
    pitch: float
    """From one colour's track to the next."""
    cards: dict[int, Point]
    """Left and top of each sheet's card."""
    card_height: float
    slot: float
    """Width of a tile's place on a rack."""
    rack: float
    """Height of a rack."""


def render(
    game: Drawable,
    *,
    viewer: int | None = None,
    trail: Trail | None = None,
    highlight: Sequence[Cell] = (),
    names: Names = None,
    theme: str = "dark",
    width: int | None = None,
) -> str:
    """Draw a position as SVG.

    Each colour has its own shape, so that the picture can be read without seeing colours. Halves are joined
    to tiles as far as the game's trail has them; the last tile is outlined, and the score sheet shows its
    score.

    Args:
        game: the position.
        viewer: the player whose rack is shown, the others lying face down; None shows every rack.
        trail: the tiles laid so far; the game's own by default.
        highlight: cells (q, r) to outline.
        names: of the players by seat.
        theme: "dark" or "light".
        width: of the picture in pixels; the height follows. None makes letters and numbers at least 14 pixels
            high, which takes about a thousand pixels for two players and more for others.

    Returns:
        An `<svg>` element without an XML declaration, fit for a file and for a web page.

    Raises:
        ValueError: the viewer is not a player of this game, a highlighted cell is not on the board, there are
            not as many names as players, there is no such theme, or the width is not a positive whole number.
    """
    rules = game.rules
    check_viewer(rules.num_players, viewer)
    check_highlight(game, highlight)
    check_width(width)
    named = names_of(rules.num_players, names)
    picture = _Picture(
        game, viewer, game.trail if trail is None else trail, named, theme_of(theme), _plan(rules, viewer)
    )
    title = f"{word('Ingenious')}: {headline(game, viewer, named)}"
    size = picture.plan.width, picture.plan.height
    return page("ingenious", title, size, picture.parts(highlight), width=width, theme=picture.theme)


def _plan(rules: DrawableRules, viewer: int | None) -> _Plan:
    sheets = _order(rules, viewer)
    columns = 1 if len(sheets) <= 3 else 2
    rows = -(-len(sheets) // columns)
    is_solitaire = rules.num_players == 1
    slot = min(INNER / rules.rack_size, 116.0 if is_solitaire else 58.0)
    rack = 0.5 * slot + 14
    fixed = 2 * INSET - 4 + _FOOT + (_NAME + rack) * len(players_of(rules, 0))
    across = 3 * rules.board_side + 0.2  # from edge to edge of the board, in radii of a cell, rim included
    gaps = (rows - 1) * GAP
    packed = rows * (fixed + _MIN_PITCH * rules.num_colours) + gaps
    height = max(packed, min(_MIN_HEIGHT, across * _MAX_CELL))
    pitch = min(_MAX_PITCH, ((height - gaps) / rows - fixed) / rules.num_colours)
    card_height = fixed + pitch * rules.num_colours
    if is_solitaire:
        height = max(height, card_height + GAP + _bag_height(rules))
    cell = min(_MAX_CELL, height / across)
    radius = across * cell / math.sqrt(3)

    left, top = MARGIN + 2 * radius + GAP, MARGIN + HEAD
    used = rows * card_height + gaps + (GAP + _bag_height(rules) if is_solitaire else 0)
    y = top + (height - used) / 2
    cards = {
        sheet: (left + k % columns * (CARD_WIDTH + GAP), y + k // columns * (card_height + GAP))
        for k, sheet in enumerate(sheets)
    }
    return _Plan(
        width=left + columns * (CARD_WIDTH + GAP) - GAP + MARGIN,
        height=top + height + MARGIN,
        centre=(MARGIN + radius, top + height / 2),
        scale=cell / look.CELL,
        pitch=pitch,
        cards=cards,
        card_height=card_height,
        slot=slot,
        rack=rack,
    )


def _order(rules: DrawableRules, viewer: int | None) -> list[int]:
    """The sheets in turn order, the viewer's own first."""
    first = 0 if viewer is None else rules.sheet_of(viewer)
    return [(first + k) % rules.num_sheets for k in range(rules.num_sheets)]


def _bag_height(rules: DrawableRules) -> float:
    return 2 * INSET + 20 + 24.0 * rules.num_colours


@dataclass(frozen=True)
class _Picture:
    """One picture: the game, its viewer and the layout."""

    game: Drawable
    viewer: int | None
    trail: Trail
    names: list[str]
    theme: Theme
    plan: _Plan

    def parts(self, highlight: Sequence[Cell]) -> list[str]:
        game, theme = self.game, self.theme
        parts = [
            tag("defs", *look.definitions(theme, game.rules.num_colours, "@"), self._track_definition()),
            *head(self.plan.width, headline(game, self.viewer, self.names), bag_line(game), theme),
            self._board(highlight),
            *(self._card(sheet) for sheet in range(game.rules.num_sheets)),
        ]
        if game.rules.num_players == 1:
            parts.append(self._bag_card())
        return parts

    # The board.

    def _board(self, highlight: Sequence[Cell]) -> str:
        rules, theme = self.game.rules, self.theme
        edge = (1.5 * (rules.board_side - 1) + 1.6) * look.CELL
        rim = outline(polar(edge * 2 / math.sqrt(3) - 2, math.pi / 3 * k) for k in range(6))
        colours: Attributes = {
            "fill": theme.frame,
            "stroke": theme.line,
            "stroke_width": 2,
            "stroke_linejoin": "round",
        }
        board = {
            tuple(cell): value
            for cell, value in zip(rules.cells.tolist(), self.game.board.tolist(), strict=True)
        }
        tiles = [tile for tile in self.trail.tiles if all(board.get(cell) for cell in tile)]
        paired = {cell for tile in tiles for cell in tile}
        lone = [
            (cell,)
            for cell, value in board.items()
            if value and cell not in paired and cell not in rules.start_symbols
        ]
        parts = [tag("path", d=rim, **colours)]
        parts += [self._use(*self._body(tile)) for tile in [*tiles, *lone]]
        parts += [self._cell(cell, value) for cell, value in board.items()]
        outlined: Attributes = {"fill": "none", "stroke_width": 3.2, "stroke_linejoin": "round"}
        if tiles and self.trail.tiles[-1] == tiles[-1]:
            parts.append(
                tag("path", d=look.capsule(tiles[-1], look.RING), stroke=theme.mark, **outlined, id="@last")
            )
        for cell in highlight:
            parts.append(
                tag("path", d=look.hexagon(look.RING, look.middle(cell)), stroke=theme.hint, **outlined)
            )
        return group(self.plan.centre, self.plan.scale, *parts, id="@board")

    def _cell(self, cell: Cell, value: int) -> str:
        symbol = self.game.rules.start_symbols.get(cell)
        if symbol is not None:
            kind, what = f"start{symbol}", TEXTS["start"].format(colour=word(COLOUR_NAMES[symbol - 1]))
        elif value:
            kind, what = f"half{value}", word(COLOUR_NAMES[value - 1])
        else:
            kind, what = "empty", TEXTS["empty"]
        return self._use(kind, look.middle(cell), tag("title", f"({cell[0]}, {cell[1]}) {what}"))

    def _body(self, tile: Sequence[Cell]) -> tuple[str, Point]:
        """The background of a tile, or of half a tile whose other half is unknown, and its place."""
        first, second = min(tile), max(tile)
        if first == second:
            return "lone", look.middle(first)
        step = second[0] - first[0], second[1] - first[1]
        number = DIRECTIONS.index(step)
        if number < 3:
            return f"tile{number}", look.middle(first)
        return f"tile{number - 3}", look.middle(second)

    # Cards.

    def _card(self, sheet: int) -> str:
        """A sheet, under the racks of those who score on it."""
        game, theme = self.game, self.theme
        x, y = self.plan.cards[sheet]
        players = players_of(game.rules, sheet)
        active = not game.is_over and game.to_play in players
        parts = [card((x, y), self.plan.card_height, active=active, theme=theme)]
        x, y = x + INSET, y + INSET - 2
        for player in players:
            note = standing(game.ranks, sheet)
            if not game.is_over and player == game.to_play and game.rules.num_players > 1:
                note = PICTURE["to move"]
            name = self.names[player]
            if player == self.viewer and game.rules.num_players > 1:
                name = of_reader(name)
            parts += card_head((x, y), name, note, theme)
            parts += self._rack((x, y + _NAME + self.plan.rack / 2 - 6), player)
            y += _NAME + self.plan.rack
        parts += self._tracks((x, y), sheet)
        return tag("g", *parts, id=f"@sheet{sheet}")

    def _rack(self, point: Point, player: int) -> list[str]:
        game = self.game
        rack, size = game.racks[player], max(len(game.racks[player]), game.rules.rack_size)
        slot = min(self.plan.slot, INNER / size)
        scale = 0.86 * slot / _TILE_WIDTH
        shown = is_shown(game, player, self.viewer)
        parts = []
        for number in range(size):
            left = point[0] + slot * number
            at = left + scale * (_TILE_WIDTH - look.STEP) / 2, point[1]
            if number >= len(rack):
                parts.append(group(at, scale, self._use("slot", (0.0, 0.0))))
            elif shown:
                parts.append(self._tile(at, scale, rack[number]))
            else:
                parts.append(group(at, scale, self._use("back", (0.0, 0.0))))
        return parts

    def _tile(self, at: Point, scale: float, tile: Tile) -> str:
        """A tile outside the board, its left half at the point given."""
        origin, right = (0.0, 0.0), (look.STEP, 0.0)
        halves = self._use(f"half{tile[0]}", origin), self._use(f"half{tile[1]}", right)
        return group(at, scale, self._use("tile0", origin), *halves)

    def _tracks(self, point: Point, sheet: int) -> list[str]:
        """A track for each colour, and the counters from the lowest up."""
        game, theme = self.game, self.theme
        x, y = point
        scores = game.scores[sheet].tolist()
        gains = [0] * len(scores)
        if self.trail.last is not None and game.rules.sheet_of(self.trail.last.seat) == sheet:
            gains = self.trail.last.gains.tolist()
        lowest = min(scores) if min(scores) < max(scores) else None
        parts = []
        for colour, (score, gain) in enumerate(zip(scores, gains, strict=True), 1):
            middle = y + (colour - 0.5) * self.plan.pitch
            if score == lowest:
                raised = {"x": x - 5, "y": middle - self.plan.pitch / 2 + 1, "rx": 6}
                size = {"width": INNER + 10, "height": self.plan.pitch - 2}
                parts.append(tag("rect", **raised, **size, fill=theme.raised, stroke=theme.line))
            parts += self._track((x, middle), colour, score, gain)
        foot = y + len(scores) * self.plan.pitch + 20
        inorder = " ".join(str(score) for score in sorted(scores))
        if game.rules.last_space < 100:  # there is room for both
            parts.append(text((x, foot), TEXTS["order"], size=SMALL, fill=theme.muted))
        parts.append(
            text((x + INNER, foot), inorder, size=SMALL, fill=theme.ink, font_weight=700, text_anchor="end")
        )
        return parts

    def _track(self, point: Point, colour: int, score: int, gain: int) -> list[str]:
        """One colour: its symbol, its spaces filled up to the counter, the counter, and its gain."""
        rules, theme = self.game.rules, self.theme
        x, y = point
        left = x + _TRACK_LEFT
        name = word(COLOUR_NAMES[colour - 1])
        title = tag("title", TEXTS["counter"].format(colour=name, score=score, last=rules.last_space))
        parts = [
            group((x + 10, y), 0.4, self._use(f"half{colour}", (0.0, 0.0)), title),
            self._use("track", (left, y)),
        ]
        if score:
            filled: Attributes = {
                "fill": look.COLOURS[colour - 1],
                "stroke": theme.body,
                "stroke_opacity": 0.3,
            }
            parts.append(self._bar((left, y), 0, score, **filled))
        if gain:
            gained: Attributes = {"fill": "none", "stroke": theme.mark, "stroke_width": 2}
            parts.append(self._bar((left, y), score - gain, score, **gained))
        number = x + INNER - 30
        parts.append(
            text((number, y + 5.5), str(score), size=TEXT, fill=theme.ink, font_weight=700, text_anchor="end")
        )
        if gain:
            parts.append(text((number + 4, y + 5), f"+{gain}", size=SMALL, fill=theme.gold, font_weight=700))
        return parts

    def _bar(self, start: Point, first: int, end: int, **colours: float | str) -> str:
        """A bar over a half-open range of the spaces of a track."""
        left, right, height = self._space(first)[0], self._space(end - 1)[1], 0.52 * self.plan.pitch
        x, y = start[0] + left, start[1] - height / 2
        return tag("rect", x=x, y=y, width=right - left, height=height, rx=2, **colours)

    def _space(self, number: int) -> tuple[float, float]:
        """Left and right of a space of a track; the first sheet of a double one ends in a gap."""
        rules = self.game.rules
        stops = rules.counter_top < rules.last_space
        length = INNER - _TRACK_LEFT - _TRACK_RIGHT - 6 * stops
        space = length / rules.last_space
        left = number * space + 6 * (stops and number >= rules.counter_top)
        return left, left + space - min(2.0, 0.2 * space)

    def _track_definition(self) -> str:
        rules, height = self.game.rules, 0.52 * self.plan.pitch
        ends = [self._space(number) for number in range(rules.last_space)]
        spaces = "".join(f"M{digits(a)} 0H{digits(b)}" for a, b in ends)
        return tag("path", id="@track", d=spaces, stroke=self.theme.space, stroke_width=height)

    # The bag, in solitaire.

    def _bag_card(self) -> str:
        """The number of tiles of each type that are left to draw, in solitaire."""
        rules, theme = self.game.rules, self.theme
        (x, y), height = self.plan.cards[0], self.plan.card_height
        y += height + GAP
        parts = [card((x, y), _bag_height(rules), active=False, theme=theme)]
        x, y = x + INSET, y + INSET
        parts += card_head((x, y - 2), TEXTS["bag"], "", theme)
        columns, bag = rules.num_colours + 1, self.game.bag
        for low in range(1, rules.num_colours + 1):
            top = y + 20 + 24 * (low - 0.5)
            parts.append(group((x + 10, top), 0.4, self._use(f"half{low}", (0.0, 0.0))))
            for high in range(low, rules.num_colours + 1):
                left = x + INNER * high / columns
                parts.append(group((left + 6, top), 0.32, self._use(f"half{high}", (0.0, 0.0))))
                count = bag.get((low, high), 0)
                fill = theme.ink if count else theme.muted
                parts.append(text((left + 18, top + 5), str(count), size=SMALL, fill=fill))
        return tag("g", *parts, id="@bag")

    def _use(self, kind: str, at: Point, *content: str) -> str:
        return tag("use", *content, href=f"#@{kind}", x=at[0], y=at[1])
