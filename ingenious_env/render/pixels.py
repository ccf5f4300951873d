"""SVG pictures as pixels, by LunaSVG, or by resvg where LunaSVG has no wheel; needs the extra `pixels`."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ingenious_env.render.theme import FONTS

FOLDER = Path(__file__).parent / "fonts"
FONT = "DejaVu Sans"
"""The font of the wheel, so that letters are the same on all machines."""
_FILES = {False: FOLDER / "DejaVuSans.ttf", True: FOLDER / "DejaVuSans-Bold.ttf"}


def to_array(svg: str, width: int | None = None) -> NDArray[np.uint8]:
    """A picture as pixels, uint8 [H, W, 3], by default in its own size; H and W are even, as videos need.

    Raises:
        ImportError: neither library is installed.
        ValueError: the text is not an SVG picture.
    """
    size = re.match(r'<svg[^>]* width="(\d+)" height="(\d+)"', svg)
    if size is None:
        msg = "a picture is an <svg> element with a width and a height"
        raise ValueError(msg)
    across, down = int(size[1]), int(size[2])
    if width is not None:
        across, down = width, round(width * down / across)
    picture = svg.replace(FONTS, FONT)
    return rasterizer()(picture, across + across % 2, down + down % 2)


@cache
def rasterizer() -> Callable[[str, int, int], NDArray[np.uint8]]:
    """A function of an SVG picture, a width and a height that returns pixels; ImportError names the extra."""
    try:
        import pylunasvg  # noqa: F401, PLC0415 - may not be installed
    except ImportError:
        try:
            import resvg_py  # noqa: F401, PLC0415 - the same
        except ImportError:
            msg = "pixels need the extra `pixels`: pip install 'ingenious-env[pixels]'"
            raise ImportError(msg) from None
        return by_resvg
    return by_lunasvg


def by_lunasvg(svg: str, width: int, height: int) -> NDArray[np.uint8]:
    """The pixels by LunaSVG."""
    import pylunasvg  # noqa: PLC0415 - in an extra

    _register_fonts()
    document = pylunasvg.Document.loadFromData(svg)
    if document is None:
        msg = "this is not an SVG picture"
        raise ValueError(msg)
    bitmap = np.asarray(document.renderToBitmap(width, height, _WHITE))  # blue, green, red, alpha
    pixels = np.empty((*bitmap.shape[:2], 3), np.uint8)
    for channel in range(3):  # a fifth of the time that a copy of all three takes, backwards
        pixels[..., channel] = bitmap[..., 2 - channel]
    return pixels


_WHITE = 0xFFFFFFFF


@cache
def _register_fonts() -> None:
    import pylunasvg  # noqa: PLC0415 - in an extra

    for bold, path in _FILES.items():
        pylunasvg.lunasvg_add_font_face_from_file(FONT, bold, False, str(path))  # noqa: FBT003 - not italic


def by_resvg(svg: str, width: int, height: int) -> NDArray[np.uint8]:
    """The pixels by resvg."""
    import resvg_py  # noqa: PLC0415 - in an extra
    from PIL import Image  # noqa: PLC0415 - resvg makes only PNG files

    files = [str(path) for path in _FILES.values()]
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        height=height,
        background="#ffffff",
        skip_system_fonts=True,
        font_files=files,
    )
    with Image.open(io.BytesIO(png)) as image:
        pixels = np.asarray(image.convert("RGB"))
    return pixels[:height, :width].copy()
