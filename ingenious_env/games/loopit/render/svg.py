"""A position as one self-contained SVG picture: the board, and a card for each player."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import TYPE_CHECKING

from ingenious_env.games.loopit.material import DIRECTIONS
from ingenious_env.games.loopit.render.layout import (
    bag_line,
    check_highlight,
    check_viewer,
    headline,
    is_shown,
    standing,
)
from ingenious_env.render.svg import digits, tag, text, with_unique_ids

if TYPE_CHECKING:
    from ingenious_env.games.loopit.game import Game
    from ingenious_env.games.loopit.material import Square, Tile

_INK, _MUTED, _GOLD = "#eef1f5", "#9aa5b4", "#f0c35a"
_FELT, _CARD = "#1a2029", "#232c38"
_SQUARE, _RIM = "#2b3442", "#3d495b"
_TILE, _TILE_RIM, _LINE, _BACK = "#efe7d4", "#b8ab8c", "#1c4f8f", "#4a566a"
_FACTORS = {2: "#33506b", 3: "#3b6b58", 4: "#7a6a2f", 5: "#86502f", 6: "#7d3345"}
_MORE = "#5b3b7a"
_FONTS = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"

_MARGIN, _STRIP, _CELL, _GAP = 20.0, 44.0, 44.0, 16.0
_CARD_WIDTH, _RACK_TILE = 300.0, 40.0
_LEAST_CARD = 96.0

_EDGE = {"N": (0.0, -1.0), "E": (1.0, 0.0), "S": (0.0, 1.0), "W": (-1.0, 0.0)}


def render(
    game: Game, *, viewer: int | None = None, highlight: Sequence[Square] = (), width: int = 900
) -> str:
    """Draw a position as SVG.

    Args:
        game: the position.
        viewer: the player whose rack is shown, the others lying face down; None shows every rack.
        highlight: squares (row, column) to outline, such as those of the last turn.
        width: of the picture in pixels; the height follows.

    Returns:
        An `<svg>` element without an XML declaration, fit for a file and for a web page.

    Raises:
        ValueError: the viewer is no player of this game, a highlighted square is not on the board, or the
            width is not a positive whole number.
    """
    check_viewer(game, viewer)
    check_highlight(game, highlight)
    if isinstance(width, bool) or not isinstance(width, Integral) or width <= 0:
        msg = f"width must be a positive whole number of pixels, not {width!r}"
        raise ValueError(msg)
    rows, columns = game.rules.material.shape
    board_width, board_height = columns * _CELL, rows * _CELL
    racks_in_row = int((_CARD_WIDTH - 28) // (_RACK_TILE + 6))
    rack_rows = -(-game.rules.rack_size // racks_in_row)
    card = max(_LEAST_CARD, 48 + rack_rows * (_RACK_TILE + 6) + 6)
    cards = game.rules.num_players * (card + _GAP) - _GAP
    full_width = 2 * _MARGIN + board_width + _GAP + _CARD_WIDTH
    full_height = _MARGIN + _STRIP + max(board_height, cards) + _MARGIN
    left = _MARGIN + board_width + _GAP
    parts = [
        tag("title", f"Loopit: {headline(game, viewer)}"),
        tag("rect", width=full_width, height=full_height, rx=16, fill=_FELT),
        text((_MARGIN, _MARGIN + 18), headline(game, viewer), size=20, fill=_INK, font_weight="600"),
        text((full_width - _MARGIN, _MARGIN + 18), bag_line(game), size=16, fill=_MUTED, text_anchor="end"),
        _board(game, highlight),
        *(
            _card(game, player, viewer, (left, _MARGIN + _STRIP + player * (card + _GAP)), card)
            for player in range(game.rules.num_players)
        ),
    ]
    picture = tag(
        "svg",
        *(f"\n{part}" for part in parts),
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {digits(full_width)} {digits(full_height)}",
        width=float(width),
        height=round(width * full_height / full_width),
        font_family=_FONTS,
        role="img",
    )
    return with_unique_ids(picture, "loopit")


def _board(game: Game, highlight: Sequence[Square]) -> str:
    material, board = game.rules.material, game.board
    parts = []
    for row, of_row in enumerate(material.factors):
        for column, factor in enumerate(of_row):
            x, y = _MARGIN + column * _CELL, _MARGIN + _STRIP + row * _CELL
            tile = board.get((row, column))
            if tile is None:
                parts.append(_empty_square(x, y, factor, is_start=(row, column) == material.start))
            else:
                parts.append(_tile(tile, x + 1, y + 1, _CELL - 2, factor))
            if (row, column) in highlight:
                parts.append(
                    tag(
                        "rect", x=x + 1, y=y + 1, width=_CELL - 2, height=_CELL - 2, rx=5, fill="none",
                        stroke=_GOLD, stroke_width=3,
                    )
                )  # fmt: skip
    return tag("g", *parts)


def _empty_square(x: float, y: float, factor: int, *, is_start: bool) -> str:
    fill = _SQUARE if factor == 1 else _FACTORS.get(factor, _MORE)
    parts = [tag("rect", x=x + 1, y=y + 1, width=_CELL - 2, height=_CELL - 2, rx=5, fill=fill, stroke=_RIM)]
    middle = (x + _CELL / 2, y + _CELL / 2 + 6)
    if is_start:
        parts.append(
            tag("circle", cx=middle[0], cy=y + _CELL / 2, r=14, fill="none", stroke=_MUTED, stroke_width=2)
        )
    if factor > 1:
        parts.append(text(middle, f"{factor}×", size=17, fill=_INK, text_anchor="middle"))
    return "".join(parts)


def _tile(tile: Tile, x: float, y: float, size: float, factor: int = 1) -> str:
    """A tile: a curve between each two neighbouring line ends, a straight line between opposite ones."""
    ends, value = tile
    half = size / 2
    centre = (x + half, y + half)
    rim = _FACTORS.get(factor, _TILE_RIM if factor == 1 else _MORE)
    parts = [
        tag(
            "rect", x=x, y=y, width=size, height=size, rx=5, fill=_TILE, stroke=rim,
            stroke_width=1.0 if factor == 1 else 2.5,
        ),
        tag("path", d=_path(ends, centre, half), fill="none", stroke=_LINE, stroke_width=size / 7),
        tag("circle", cx=centre[0], cy=centre[1], r=size * 0.24, fill=_TILE, stroke=_LINE, stroke_width=1.6),
        text(
            (centre[0], centre[1] + size * 0.125), str(value), size=round(size * 0.36), fill=_LINE,
            text_anchor="middle", font_weight="700",
        ),
    ]  # fmt: skip
    return tag("g", *parts)


def _path(ends: str, centre: tuple[float, float], half: float) -> str:
    """The lines of a tile, as one path."""
    points = {end: (centre[0] + half * _EDGE[end][0], centre[1] + half * _EDGE[end][1]) for end in ends}
    at = {end: f"{digits(x)} {digits(y)}" for end, (x, y) in points.items()}
    middle = f"{digits(centre[0])} {digits(centre[1])}"
    if len(ends) == 1:
        return f"M{at[ends]}L{middle}"
    pairs = [(a, b) for k, a in enumerate(ends) for b in ends[k + 1 :]]
    if len(ends) == 4:  # the curves alone
        pairs = [(a, b) for a, b in pairs if (DIRECTIONS.index(a) - DIRECTIONS.index(b)) % 2]
    return "".join(f"M{at[a]}Q{middle} {at[b]}" for a, b in pairs)


def _card(game: Game, player: int, viewer: int | None, corner: tuple[float, float], height: float) -> str:
    x, y = corner
    moves = player == game.to_play and not game.is_over
    place = standing(game, player)
    parts = [
        tag(
            "rect", x=x, y=y, width=_CARD_WIDTH, height=height, rx=10, fill=_CARD,
            stroke=_GOLD if moves else _RIM, stroke_width=2.0 if moves else 1.0,
        ),
        text((x + 14, y + 28), f"Player {player}", size=17, fill=_GOLD if moves else _INK, font_weight="600"),
        text(
            (x + _CARD_WIDTH - 14, y + 29), str(game.scores[player]), size=22, fill=_INK, text_anchor="end",
            font_weight="700",
        ),
    ]  # fmt: skip
    if place:
        parts.append(text((x + 100, y + 28), place, size=15, fill=_GOLD))
    in_row = int((_CARD_WIDTH - 28) // (_RACK_TILE + 6))
    for slot, tile in enumerate(game.racks[player]):
        left = x + 14 + slot % in_row * (_RACK_TILE + 6)
        top = y + 44 + slot // in_row * (_RACK_TILE + 6)
        if is_shown(player, viewer):
            parts.append(_tile(tile, left, top, _RACK_TILE))
        else:
            parts.append(tag("rect", x=left, y=top, width=_RACK_TILE, height=_RACK_TILE, rx=5, fill=_BACK))
    return tag("g", *parts)
