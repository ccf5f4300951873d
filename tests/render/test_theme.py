"""Distinguishable colours, and readable letters."""

from itertools import combinations

import numpy as np
import pytest

from ingenious_env.games.ingenious.render.look import COLOURS, SYMBOLS
from ingenious_env.games.loopit.render import look as loopit
from ingenious_env.render.theme import THEMES, VARIABLES

# What people see who lack one kind of cone, on linear RGB: Machado, Oliveira and Fernandes, 2009, severity 1.
SIGHT = {
    "normal": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# OKLab: Ottosson, 2020.
TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def linear(colour):
    values = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(colour, sight):
    seen = np.clip(np.asarray(SIGHT[sight]) @ linear(colour), 0, 1)
    return np.asarray(TO_LAB) @ np.cbrt(np.asarray(TO_CONES) @ seen)


def contrast(one, other):
    """The contrast ratio of WCAG 2."""
    light, dark = sorted(
        (float(linear(each) @ [0.2126, 0.7152, 0.0722]) for each in (one, other)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_as_known():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert lab("#ff0000", "normal") == pytest.approx([0.628, 0.225, 0.126], abs=0.001)


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_of_tiles_differ(sight):
    for one, other in combinations(COLOURS, 2):
        assert 100 * np.linalg.norm(lab(one, sight) - lab(other, sight)) > 12, (one, other)


def test_symbols_stand_out_from_their_tiles():
    for colour, symbol in zip(COLOURS, SYMBOLS, strict=True):
        assert contrast(colour, symbol) > 4.5


@pytest.mark.parametrize("name", THEMES)
def test_letters_can_be_read(name):
    theme = THEMES[name]
    for ground in (theme.background, theme.panel, theme.raised):
        for letters in (theme.ink, theme.muted, theme.gold):
            assert contrast(letters, ground) > 4.5, (letters, ground)
    for colour in (*loopit.FACTORS[name], theme.cell):
        assert contrast(theme.ink, colour) > 4.5, colour
    assert contrast(loopit.LINE, theme.printed) > 4.5
    for ground in (theme.body, theme.cell):
        assert contrast(theme.mark, ground) > (3 if ground == theme.body else 1.5)


def test_variables_of_style_sheets():
    theme = THEMES["dark"]
    css = dict(each.split(":") for each in theme.css().strip(";").split(";"))
    assert css == {f"--{name}": value for name, value in vars(theme).items() if name != "name"}
    assert VARIABLES.ink == "var(--ink)"
    assert set(vars(VARIABLES)) == set(vars(theme))
