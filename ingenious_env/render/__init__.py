"""Pictures of positions of any game: what environments and notebooks draw with."""

from __future__ import annotations

from ingenious_env.core.game import BaseGame

MODES = ("ansi", "svg")


def draw(game: BaseGame, mode: str, viewer: int | None) -> str:
    """A position as text ("ansi") or SVG ("svg"), as a viewer may see it; None sees everything."""
    if mode == "svg":
        return game.definition.draw_svg(game, viewer=viewer)
    return game.definition.draw_text(game, viewer=viewer)
