"""Pictures of positions of any game: for environments and notebooks."""

from __future__ import annotations

from typing import Any

from ingenious_env.engine.game import BaseGame
from ingenious_env.engine.trail import Trail

MODES = ("ansi", "svg", "rgb_array")
FRAMES_PER_SECOND = 2


def draw(game: BaseGame, mode: str, viewer: int | None, trail: Trail | None = None) -> Any:
    """A position in a render mode, as a viewer may see it; None sees everything.

    Args:
        game: the position.
        mode: "ansi" for text, "svg", or "rgb_array" for pixels, uint8 [H, W, 3].
        viewer: a player.
        trail: the tiles laid so far; the game's own by default.
    """
    if mode == "ansi":
        return game.definition.draw_text(game, viewer=viewer)
    picture = game.definition.draw_svg(game, viewer=viewer, trail=trail)
    if mode == "svg":
        return picture
    from ingenious_env.render.pixels import to_array  # noqa: PLC0415 - its library is in an extra

    return to_array(picture)
