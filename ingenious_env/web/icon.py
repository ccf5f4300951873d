"""The icon of the pages."""

from __future__ import annotations

from ingenious_env.games.ingenious.render.look import half


def icon() -> str:
    """The icon, as SVG."""
    shape = half(4)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-26 -26 52 52">{shape}</svg>'
