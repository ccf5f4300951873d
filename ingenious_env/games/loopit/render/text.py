"""A position as monospace text: the board, the scores, the racks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingenious_env.games.loopit.material import ends_to_bits
from ingenious_env.games.loopit.render.layout import bag_line, headline, is_shown
from ingenious_env.render.words import check_viewer, names_of, standing

if TYPE_CHECKING:
    from ingenious_env.games.loopit.game import Game

LINES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""A tile's line ends as a character, by their bits."""


def render(game: Game, *, viewer: int | None = None, colour: bool = False) -> str:
    """Draw a position as text.

    A tile is its line ends and its value, as in `└5`; an empty square is a dot, or its factor, as in `×3`.
    The player to move is marked `>`.

    Args:
        game: the position.
        viewer: the player whose rack is shown, the others being `??`; None shows every rack.
        colour: whether to colour tiles and factors with ANSI codes.

    Returns:
        Lines joined by newlines, with none at the end.

    Raises:
        ValueError: the viewer is not a player of this game.
    """
    check_viewer(game.rules.num_players, viewer)
    names = names_of(game.rules.num_players, None)
    blocks = [
        [f"{headline(game, viewer, names)}; {bag_line(game)}"],
        _board_lines(game, colour=colour),
        _player_lines(game, viewer),
    ]
    return "\n\n".join("\n".join(block) for block in blocks)


def _board_lines(game: Game, *, colour: bool) -> list[str]:
    board, factors = game.board, game.rules.material.factors
    lines = ["   " + "".join(f"{column:>4}" for column in range(len(factors[0])))]
    for row, of_row in enumerate(factors):
        cells = []
        for column, factor in enumerate(of_row):
            tile = board.get((row, column))
            if tile is not None:
                cells.append(_paint(f"{tile_text(tile):>4}", "1;93", colour=colour))
            else:
                cells.append(_paint(f"{f'×{factor}' if factor > 1 else '·':>4}", "2", colour=colour))
        lines.append(f"{row:>3}" + "".join(cells))
    return lines


def tile_text(tile: tuple[str, int]) -> str:
    """A tile as its lines and its value."""
    ends, value = tile
    return f"{LINES[ends_to_bits(ends)]}{value}"


def _paint(text: str, style: str, *, colour: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if colour else text


def _player_lines(game: Game, viewer: int | None) -> list[str]:
    lines = []
    for player, (rack, score) in enumerate(zip(game.racks, game.scores, strict=True)):
        mark = ">" if player == game.to_play and not game.is_over else " "
        tiles = [tile_text(tile) if is_shown(player, viewer) else "??" for tile in rack]
        place = standing(game.ranks, player)
        line = f"{mark}player {player}{score:6d}   {'  '.join(tiles)}{f'   {place}' if place else ''}"
        lines.append(line.rstrip())
    return lines
