"""A position as one self-contained SVG picture: the board, and a card for each player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingenious_env.engine.trail import Trail
from ingenious_env.games.loopit.material import Square
from ingenious_env.games.loopit.render import look
from ingenious_env.games.loopit.render.layout import bag_line, check_highlight, headline, is_shown
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
from ingenious_env.render.svg import Attributes, Point, tag, text
from ingenious_env.render.theme import LARGE, SMALL, Theme, theme_of
from ingenious_env.render.words import (
    PICTURE,
    Names,
    check_viewer,
    check_width,
    names_of,
    of_reader,
    standing,
)

if TYPE_CHECKING:
    from ingenious_env.games.loopit.game import Game
    from ingenious_env.games.loopit.rules import Rules

_NAME, _SLOT = 46.0, 50.0
"""On a card, the height of a player's name and rank, and the side of a tile's place on a rack."""
_IN_ROW = int(INNER // _SLOT)
_SCORE = 70.0
"""The width of a score."""


def render(
    game: Game,
    *,
    viewer: int | None = None,
    trail: Trail | None = None,
    highlight: Sequence[Square] = (),
    names: Names = None,
    theme: str = "dark",
    width: int | None = None,
) -> str:
    """Draw a position as SVG.

    The last tile is outlined, and its player's card shows its score, as far as the game's trail has it.

    Args:
        game: the position.
        viewer: the player whose rack is shown, the others lying face down; None shows every rack.
        trail: the tiles laid so far; the game's own by default.
        highlight: squares (row, column) to outline.
        names: of the players by seat.
        theme: "dark" or "light".
        width: of the picture in pixels; the height follows. None makes letters and numbers at least 14 pixels
            high, which takes about a thousand pixels on the standard board.

    Returns:
        An `<svg>` element without an XML declaration, fit for a file and for a web page.

    Raises:
        ValueError: the viewer is not a player of this game, a highlighted square is not on the board, there
            are not as many names as players, there is no such theme, or the width is not a positive whole
            number.
    """
    rules = game.rules
    check_viewer(rules.num_players, viewer)
    check_highlight(game, highlight)
    check_width(width)
    named = names_of(rules.num_players, names)
    picture = _Picture(game, viewer, game.trail if trail is None else trail, named, theme_of(theme))
    title = f"Loopit: {headline(game, viewer, named)}"
    return page("loopit", title, _size(rules), picture.parts(highlight), width=width, theme=picture.theme)


def _size(rules: Rules) -> tuple[float, float]:
    rows, columns = rules.material.shape
    cards = rules.num_players * (_card_height(rules) + GAP) - GAP
    width = MARGIN + columns * look.SQUARE + GAP + CARD_WIDTH + MARGIN
    return width, MARGIN + HEAD + max(rows * look.SQUARE, cards) + MARGIN


def _card_height(rules: Rules) -> float:
    return 2 * INSET - 6 + _NAME + -(-rules.rack_size // _IN_ROW) * _SLOT


@dataclass(frozen=True)
class _Picture:
    """One picture: the game and its viewer."""

    game: Game
    viewer: int | None
    trail: Trail
    names: list[str]
    theme: Theme

    def parts(self, highlight: Sequence[Square]) -> list[str]:
        game, theme = self.game, self.theme
        width, _ = _size(game.rules)
        return [
            tag("defs", *look.definitions(theme, "@")),
            *head(width, headline(game, self.viewer, self.names), bag_line(game), theme),
            self._board(highlight),
            *(self._card(player) for player in range(game.rules.num_players)),
        ]

    def _board(self, highlight: Sequence[Square]) -> str:
        material, board, theme = self.game.rules.material, self.game.board, self.theme
        parts = []
        for row, factors in enumerate(material.factors):
            for column, factor in enumerate(factors):
                square, at = (row, column), look.middle((row, column))
                if square in board:
                    parts.append(look.tile(board[square], at, factor, theme, "@"))
                else:
                    parts.append(look.empty(factor, at, theme, is_start=square == material.start))
        outlined: Attributes = {"fill": "none", "stroke_width": 3.2}
        if self.trail.tiles:
            ((last,),) = self.trail.tiles[-1:]
            parts.append(look.box(look.SIDE, look.middle(last), stroke=theme.mark, **outlined, id="@last"))
        parts += [look.box(look.SIDE, look.middle(each), stroke=theme.hint, **outlined) for each in highlight]
        return group((MARGIN, MARGIN + HEAD), 1.0, *parts, id="@board")

    def _card(self, player: int) -> str:
        game, theme = self.game, self.theme
        height = _card_height(game.rules)
        _, columns = game.rules.material.shape
        x = MARGIN + columns * look.SQUARE + GAP
        y = MARGIN + HEAD + player * (height + GAP)
        moves = player == game.to_play and not game.is_over
        parts = [card((x, y), height, active=moves, theme=theme)]
        x, y = x + INSET, y + INSET
        name = self.names[player]
        if player == self.viewer:
            name = of_reader(name)
        parts += card_head((x, y), name, "", theme, INNER - _SCORE)
        note = PICTURE["to move"] if moves else standing(game.ranks, player)
        if note:
            parts.append(text((x, y + 36), note, size=SMALL, fill=theme.gold, font_weight=600))
        last = self.trail.last
        if last is not None and last.seat == player and last.gains:
            gained = f"+{int(last.gains)}"
            parts.append(
                text(
                    (x + INNER, y + 36),
                    gained,
                    size=SMALL,
                    fill=theme.gold,
                    text_anchor="end",
                    font_weight=600,
                )
            )
        parts.append(
            text(
                (x + INNER, y + 17),
                str(game.scores[player]),
                size=LARGE + 2,
                fill=theme.ink,
                text_anchor="end",
                font_weight=700,
            )
        )
        for slot, tile in enumerate(game.racks[player]):
            at = _slot((x, y + _NAME), slot)
            if is_shown(player, self.viewer):
                parts.append(look.tile(tile, at, 1, theme, "@"))
            else:
                parts.append(tag("use", href="#@back", x=at[0], y=at[1]))
        return tag("g", *parts, id=f"@player{player}")


def _slot(corner: Point, number: int) -> Point:
    """The middle of a place on a rack."""
    row, column = divmod(number, _IN_ROW)
    return corner[0] + _SLOT * column + look.SIDE / 2, corner[1] + _SLOT * row + look.SIDE / 2
