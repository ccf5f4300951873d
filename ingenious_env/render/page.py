"""Parts that the pictures of all games share: the page, its head line, and cards."""

from __future__ import annotations

from ingenious_env.render.svg import Point, digits, escaped, tag, text, with_unique_ids
from ingenious_env.render.theme import FONTS, LARGE, SMALL, TEXT, Theme

MARGIN, GAP, HEAD = 18.0, 14.0, 46.0
CARD_WIDTH, INSET = 330.0, 14.0
INNER = CARD_WIDTH - 2 * INSET
LETTER = 0.66
"""The width of a bold letter, on average, as a share of its size."""


def page(
    game: str, title: str, size: tuple[float, float], parts: list[str], *, width: int | None, theme: Theme
) -> str:
    """A picture: an `<svg>` element without an XML declaration, fit for files and web pages.

    Args:
        game: its name, for ids, which are global in a web page (see `with_unique_ids`).
        title: for screen readers.
        size: width and height in the picture's own units.
        parts: its elements.
        width: in pixels; None for one pixel per unit. The height follows.
        theme: of the background.
    """
    across, down = even(size[0]), even(size[1])
    pixels = across if width is None else int(width)
    ground = tag("rect", width=across, height=down, fill=theme.background)
    picture = tag(
        "svg",
        *(f"\n{part}" for part in (tag("title", escaped(title)), ground, *parts)),
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {across} {down}",
        width=pixels,
        height=max(1, round(pixels * down / across)),
        role="img",
        aria_label=escaped(title),
        font_family=FONTS,
    )
    return with_unique_ids(picture, game) + "\n"


def even(length: float) -> int:
    """The next even whole number, as videos need even sizes."""
    return 2 * -(-int(length + 1) // 2)


def head(width: float, left: str, right: str, theme: Theme) -> list[str]:
    """The line along the top."""
    y = MARGIN + 20
    return [
        text((MARGIN + 2, y), left, size=LARGE, fill=theme.ink, font_weight=600),
        text((width - MARGIN - 2, y), right, size=TEXT, fill=theme.muted, text_anchor="end"),
    ]


def card(at: Point, height: float, *, active: bool, theme: Theme, width: float = CARD_WIDTH) -> str:
    """The background of a card; that of the player to move has a golden outline."""
    outline = theme.gold if active else theme.line
    x, y = at
    size = {"width": width, "height": height, "rx": 10.0}
    return tag("rect", x=x, y=y, **size, fill=theme.panel, stroke=outline, stroke_width=1.5)


def card_head(at: Point, name: str, note: str, theme: Theme, room: float = INNER) -> list[str]:
    """The first line of a card: a name, and on the right a note in gold.

    Args:
        at: of its upper left corner.
        name: shortened if it is too long.
        note: "" for none.
        theme: of the picture.
        room: width of both.
    """
    x, y = at[0], at[1] + 15
    most = int((room / LETTER - SMALL * len(note)) / TEXT)
    name = name if len(name) <= most else f"{name[: most - 1]}…"
    lines = [text((x, y), name, size=TEXT, fill=theme.ink, font_weight=600)]
    if note:
        lines.append(
            text((x + INNER, y), note, size=SMALL, fill=theme.gold, font_weight=600, text_anchor="end")
        )
    return lines


def group(at: Point, scale: float, *content: str, **attributes: str) -> str:
    """Content translated, and then scaled."""
    return tag(
        "g",
        *content,
        transform=f"translate({digits(at[0])} {digits(at[1])}) scale({scale:.4f})",
        **attributes,
    )
