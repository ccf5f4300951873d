"""The colours of the pictures, in both themes, as a style sheet for pages."""

from __future__ import annotations

from ingenious_env.engine.definition import definitions
from ingenious_env.render.theme import THEMES


def theme_css() -> str:
    """The colours of pages: dark or light as the browser prefers, or by a page's `data-theme`."""
    dark, light = (THEMES[name].css() + _own_css(name) for name in ("dark", "light"))
    return (
        f":root{{color-scheme:dark;{dark}}}\n"
        f"@media(prefers-color-scheme:light){{:root:not([data-theme=dark]){{color-scheme:light;{light}}}}}\n"
        f":root[data-theme=light]{{color-scheme:light;{light}}}\n"
    )


def _own_css(theme: str) -> str:
    """The variables of the games' own colours in a theme."""
    found: dict[str, str] = {}
    for definition in definitions().values():
        if definition.pages is not None:
            found |= definition.pages.colours(theme)
    return "".join(f"--{name}:{value};" for name, value in found.items())
