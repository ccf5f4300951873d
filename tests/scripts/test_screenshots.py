"""The pictures of docs/tutorials/browser.md are those of the page as it is now."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from browser import chromium

from scripts import screenshots

ASSETS = Path(__file__).parents[2] / ".assets"
CLEARLY = 48  # of 255: more than fonts and quantized colours may make of it
SHARE = 0.005  # of the pixels


def changed(one: Path, other: Path) -> float:
    """The share of pixels that clearly differ; 1 for pictures of different sizes."""
    image = pytest.importorskip("PIL.Image")
    with image.open(one) as first, image.open(other) as second:
        if first.size != second.size:
            return 1.0
        pixels = [np.asarray(each.convert("RGB")).astype(int) for each in (first, second)]
    return float((np.abs(pixels[0] - pixels[1]).max(axis=2) > CLEARLY).mean())


def words(path: Path) -> str:
    """The text of the page in a picture; "" in one that does not say."""
    image = pytest.importorskip("PIL.Image")
    with image.open(path) as picture:
        return picture.text.get(screenshots.TEXT, "")


def test_each_picture_of_the_page_has_a_scene():
    assert {f"{scene.name}.png" for scene in screenshots.SCENES} == {
        path.name for path in ASSETS.glob("*.png")
    }


def test_another_picture_is_noticed():
    """Another theme, another game, and the same game later."""
    names = sorted(path.name for path in ASSETS.glob("play*.png"))
    for one in names:
        for other in names:
            assert (changed(ASSETS / one, ASSETS / other) <= SHARE) == (one == other)


@pytest.mark.nightly
def test_the_pictures_are_not_older_than_the_page(tmp_path):
    """By the words on it, and by its pixels; else: `python -m scripts.screenshots --folder .assets`."""
    with chromium():  # skips without a browser
        pass
    screenshots.main(["--folder", str(tmp_path)])
    taken = sorted(tmp_path.glob("*.png"))
    assert {path.name: words(path) for path in taken} == {
        path.name: words(ASSETS / path.name) for path in taken
    }
    found = {path.name: changed(path, ASSETS / path.name) for path in taken}
    assert {name: share for name, share in found.items() if share > SHARE} == {}
