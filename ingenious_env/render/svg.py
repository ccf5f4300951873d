"""Elements and shapes of SVG pictures, as text, for the drawings of any game."""

from __future__ import annotations

import hashlib
import html
import math
import re
from collections.abc import Iterable
from typing import TypeAlias

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Point: TypeAlias = tuple[float, float]
Attributes: TypeAlias = dict[str, float | str]
"""Of an element: numbers and texts by name."""


def digits(value: float) -> str:
    """A number as short as its second decimal allows."""
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def tag(name: str, *content: str, **attributes: float | str) -> str:
    """An element; in the names of its attributes, `_` means `-`."""
    start = f"<{name}"
    for key, value in attributes.items():
        start += f' {key.replace("_", "-")}="{value if isinstance(value, str) else digits(value)}"'
    return f"{start}>{''.join(content)}</{name}>" if content else f"{start}/>"


def without_controls(content: str) -> str:
    """Text with a replacement character in place of each that XML does not allow."""
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", content)


def escaped(content: str) -> str:
    """Text escaped for elements and attributes, without the `@` of ids (see `with_unique_ids`)."""
    return html.escape(without_controls(content), quote=False).replace('"', "&quot;").replace("@", "&#64;")


def text(point: Point, content: str, *, size: int, fill: str, **more: float | str) -> str:
    """A line of text that begins at a point, or is aligned by `text_anchor`."""
    return tag("text", escaped(content), x=point[0], y=point[1], font_size=size, fill=fill, **more)


def polar(radius: float, angle: float, middle: Point = (0.0, 0.0)) -> Point:
    """The point at a distance and an angle, clockwise from the right, from the middle."""
    return middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)


def outline(points: Iterable[Point]) -> str:
    """A closed path through points."""
    return "M" + "L".join(f"{digits(x)} {digits(y)}" for x, y in points) + "Z"


def star(*radii: float, points: int, turn: float = 0.0) -> str:
    """A path whose corners lie at the given radii in turn; with a single radius, a regular polygon."""
    step = 2 * math.pi / (points * len(radii))
    corners = enumerate(radii * points)
    return outline(polar(radius, k * step - math.pi / 2 + turn) for k, radius in corners)


def disc(radius: float) -> str:
    """A path round a disc at the origin."""
    r, diameter = digits(radius), digits(2 * radius)
    return f"M-{r} 0a{r} {r} 0 1 0 {diameter} 0a{r} {r} 0 1 0-{diameter} 0Z"


def with_unique_ids(picture: str, name: str) -> str:
    """A picture whose ids, written with a leading `@` that has no other use, are unique on any page.

    Ids are global in a page, which may have several pictures: `@` becomes a prefix made of the name and
    the picture's contents.
    """
    digest = hashlib.sha256(picture.encode()).hexdigest()[:8]
    return picture.replace("@", f"{name}-{digest}-")
