"""Pictures as pixels: the same by both libraries, with letters on any machine."""

import re
import sys

import numpy as np
import pytest

pytest.importorskip("pylunasvg")
pytest.importorskip("resvg_py")

from ingenious_env import Game, Rules
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.render import draw, pixels

GAMES = {
    "two": Game(Rules(), 4),
    "solitaire": Game(Rules.solitaire(), 4),
    "six": Game(Rules(6), 4),
    "loopit": Loopit(LoopitRules(), 4),
}
for _game in GAMES.values():
    for _ in range(14):
        _game.play(_game.random_action())


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_both_libraries_draw_the_same(game, theme):
    picture = game.definition.draw_svg(game, viewer=0, theme=theme).replace(pixels.FONTS, pixels.FONT)
    height, width = pixels.to_array(picture).shape[:2]
    one, other = (draw_by(picture, width, height) for draw_by in (pixels.by_lunasvg, pixels.by_resvg))
    assert one.shape == other.shape == (height, width, 3)
    assert one.dtype == other.dtype == np.uint8
    difference = np.abs(one.astype(int) - other).max(axis=2)
    assert (difference > 60).mean() < 0.005  # edges of letters
    for array in (one, other):
        assert array.flags.c_contiguous
        assert array.flags.writeable


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_array_is_the_picture(game):
    frame = draw(game, "rgb_array", 0)
    height, width, _ = frame.shape
    assert height % 2 == width % 2 == 0
    root = re.search(r'viewBox="0 0 (\d+) (\d+)"', draw(game, "svg", 0))
    assert (width, height) == tuple(map(int, root.groups()))
    assert tuple(frame[height // 2, 3]) == (0x10, 0x14, 0x1A)


@pytest.mark.parametrize(("width", "shape"), [(301, (188, 302, 3)), (1, (2, 2, 3)), (640, (398, 640, 3))])
def test_frames_of_any_width_are_even(width, shape):
    assert pixels.to_array(draw(GAMES["two"], "svg", 0), width).shape == shape


@pytest.mark.parametrize("draw_by", [pixels.by_lunasvg, pixels.by_resvg])
def test_letters_are_drawn_and_bold_ones_are_bolder(draw_by):
    """Of the font in the package: the picture names no other."""
    inked = []
    for weight in ("400", "700"):
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40" viewBox="0 0 200 40">'
            f'<text x="4" y="30" font-size="30" font-family="DejaVu Sans" font-weight="{weight}">'
            "0123 ×–∞</text></svg>"
        )
        inked.append(int((draw_by(svg, 200, 40) < 128).all(axis=2).sum()))
    assert 500 < inked[0] < inked[1] < 3000


def test_all_letters_of_pictures_are_in_the_font():
    from fontTools.ttLib import TTFont

    letters = set()
    for game in GAMES.values():
        for viewer in (None, 0):
            letters |= set("".join(re.findall(r"<text[^>]*>([^<]*)", draw(game, "svg", viewer))))
    for name in ("DejaVuSans", "DejaVuSans-Bold"):
        assert letters <= {chr(code) for code in TTFont(pixels.FOLDER / f"{name}.ttf").getBestCmap()}


def test_resvg_draws_where_lunasvg_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pylunasvg", None)
    pixels.rasterizer.cache_clear()
    picture = draw(GAMES["two"], "svg", 0)
    try:
        assert np.array_equal(
            pixels.to_array(picture), pixels.by_resvg(picture.replace(pixels.FONTS, pixels.FONT), 1004, 624)
        )
        monkeypatch.setitem(sys.modules, "resvg_py", None)
        pixels.rasterizer.cache_clear()
        with pytest.raises(ImportError, match=r"pip install 'ingenious-env\[pixels\]'"):
            pixels.to_array(picture)
    finally:
        pixels.rasterizer.cache_clear()


@pytest.mark.parametrize("text", ["", "<svg>", "hello", '<svg width="10" height="x"/>'])
def test_what_is_no_picture(text):
    with pytest.raises(ValueError, match="a picture is an <svg> element"):
        pixels.to_array(text)
