"""Squares for people: positions for pages, texts and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ingenious_env.render import words
from ingenious_env.render.squares import legal_moves

from .layout import COLOURS, LETTERS, SIDE, SQUARES

if TYPE_CHECKING:
    from .definition import Game
    from .layout import Rules

GROUNDS = ("#e06c5a", "#4fae6a", "#5b8fd9", "#e0b03c")
SQUARE, TILE = 60.0, 56.0


def colours(_theme: str) -> dict[str, str]:
    """The colours of tiles as CSS variables by name; the same in both themes."""
    return dict(zip(COLOURS, GROUNDS, strict=True))


def look(rules: Rules) -> dict[str, Any]:
    """The constant part of all positions, as `SquareGame` of `square_game.js` reads it."""
    half = TILE / 2
    back = f'<rect id="back" x="-{half}" y="-{half}" width="{TILE}" height="{TILE}" rx="5" fill="#777"/>'
    return {
        "defs": back,
        "size": [SIDE, SIDE],
        "square": SQUARE,
        "side": TILE,
        "sheets": list(range(rules.num_players)),
        "colours": COLOURS,
    }


def scene(game: Game, seat: int) -> dict[str, Any]:
    """A position as a seat may know it: nothing here tells of another rack."""
    board = game.state.board[0, :SQUARES].tolist()
    found: dict[str, Any] = {
        "tiles": [[*divmod(k, SIDE), LETTERS[colour - 1]] for k, colour in enumerate(board) if colour],
        "laid_order": [list(squares[0]) for squares in game.trail.tiles],
        "rack": [[tile] for tile in game.racks[seat]],
        "sizes": [len(rack) for rack in game.racks],
        "scores": game.scores.tolist(),
        "bag": game.num_undrawn,
    }
    if game.to_play == seat and not game.is_over:
        found |= legal_moves(game)
    return found


def headline(game: Game, viewer: int | None, names: Sequence[str]) -> str:
    """One sentence: whose turn it is, or how the game ended."""
    if game.ranks is None:
        return words.turn_of(names[game.to_play], is_viewer=viewer == game.to_play)
    if game.scores[0] == game.scores[1]:
        return f"{names[0]} and {names[1]} share first place"
    best = int(game.scores.argmax())
    return f"{names[best]} wins, {game.scores[best]} to {game.scores[1 - best]}"


def revealed(game: Game) -> list[list[list[str]]]:
    """The tiles of all racks, by seat, as on a page's rack."""
    return [[[tile] for tile in rack] for rack in game.racks]


def text(game: Game, *, viewer: int | None, colour: bool = False) -> str:
    """The board, the racks that the viewer sees, and the scores."""
    del colour
    squares = "".join(f".{LETTERS}"[square] for square in game.state.board[0, :SQUARES])
    rows = [squares[at : at + SIDE] for at in range(0, SQUARES, SIDE)]
    racks = [
        "".join(rack) if viewer in (None, seat) else "?" * len(rack) for seat, rack in enumerate(game.racks)
    ]
    return "\n".join([*rows, *racks, str(game.scores.tolist())])


def svg(
    game: Game,
    *,
    viewer: int | None,
    trail: Any = None,
    names: Sequence[str] | None = None,
    theme: str = "dark",
) -> str:
    """The text as a picture."""
    del trail, names, theme
    lines = text(game, viewer=viewer).split("\n")
    texts = "".join(f'<text y="{16 * k}">{line}</text>' for k, line in enumerate(lines, 1))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 120">{texts}</svg>'
