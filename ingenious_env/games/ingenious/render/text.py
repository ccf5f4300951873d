"""A position as monospace text: the board, the counters, the racks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingenious_env.games.ingenious.render.layout import (
    bag_line,
    headline,
    is_shown,
    players_of,
)
from ingenious_env.games.ingenious.tiles import COLOUR_NAMES
from ingenious_env.render.words import check_viewer, names_of, standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingenious_env.games.ingenious.render.layout import Drawable

    Paint = Callable[[str, int], str]

_LETTERS = "." + "".join(name[0] for name in COLOUR_NAMES)
_ANSI = ("2", "91", "92", "94", "38;5;208", "93", "95")
"""Terminal colours: dim for an empty cell, then colours 1 to 6."""


def render(game: Drawable, *, viewer: int | None = None, colour: bool = False) -> str:
    """Draws a position as text.

    Small letters (r g b o y p) are halves of tiles, capitals are start symbols, a dot is an empty cell. The
    player to move is marked `>`. With ANSI codes stripped, the coloured text is the plain one.

    Args:
        game: The position.
        viewer: The player whose rack is shown, the others being `??`; None shows every rack.
        colour: Whether to colour the letters with ANSI codes.

    Returns:
        Lines joined by newlines, with none at the end.

    Raises:
        ValueError: If the viewer is not a player of this game.
    """
    check_viewer(game.rules.num_players, viewer)
    names = names_of(game.rules.num_players, None)
    paint = _ansi if colour else _plain
    blocks = [
        [f"{headline(game, viewer, names)}; {bag_line(game)}"],
        _board_lines(game, paint),
        _counter_lines(game, paint),
        _rack_lines(game, viewer, paint),
    ]
    return "\n\n".join("\n".join(block) for block in blocks)


def _plain(text: str, colour: int) -> str:  # noqa: ARG001 - the other painter needs it
    return text


def _ansi(text: str, colour: int) -> str:
    style = f"1;7;{_ANSI[colour]}" if text.isupper() else _ANSI[colour]
    return f"\x1b[{style}m{text}\x1b[0m"


def _board_lines(game: Drawable, paint: Paint) -> list[str]:
    rules = game.rules
    rows: dict[int, list[str]] = {}
    cells = zip(rules.cells.tolist(), game.board.tolist(), strict=True)
    for (q, r), value in sorted(cells, key=lambda cell: cell[0][0]):
        symbol = rules.start_symbols.get((q, r))
        cell = paint(_LETTERS[value], value) if symbol is None else paint(_LETTERS[symbol].upper(), symbol)
        rows.setdefault(r, []).append(cell)
    return [" " * (abs(r) + 1) + " ".join(cells) for r, cells in sorted(rows.items())]


def _counter_lines(game: Drawable, paint: Paint) -> list[str]:
    rules = game.rules
    stop = "" if rules.counter_top == rules.last_space else f", with a stop at {rules.counter_top}"
    head = "".join("   " + paint(_LETTERS[c], c) for c in range(1, rules.num_colours + 1))
    lines = [" counters ".ljust(11) + head + f"   of {rules.last_space}{stop}"]
    for sheet, counters in enumerate(game.scores.tolist()):
        name = "team" if rules.teams else "player"
        numbers = "".join(paint(f"{value:4d}", c) for c, value in enumerate(counters, 1))
        notes = [standing(game.ranks, sheet)]
        if rules.teams:
            notes.append(f"players {' '.join(map(str, players_of(rules, sheet)))}")
        lines.append(f" {name} {sheet}".ljust(11) + numbers + "".join(f"   {note}" for note in notes if note))
    return lines


def _rack_lines(game: Drawable, viewer: int | None, paint: Paint) -> list[str]:
    lines = [" racks"]
    for player, rack in enumerate(game.racks):
        mark = ">" if player == game.to_play and not game.is_over else " "
        if is_shown(game, player, viewer):
            tiles = ["".join(paint(_LETTERS[half], half) for half in tile) for tile in rack]
        else:
            tiles = ["??"] * len(rack)
        lines.append(f"{mark}player {player}".ljust(11) + "".join(f"  {tile}" for tile in tiles))
    return lines
