"""Engine equals reference at every step of games of Loopit; `loopit_differential.py` runs more of them."""

from collections import Counter

import pytest
from loopit_differential import PRESETS, compare_games
from loopit_reference import standard_factors, standard_tiles

from ingenious_env.games.loopit import Game


@pytest.mark.parametrize("name", PRESETS)
def test_40_games_of_each_preset(name):
    met = compare_games(PRESETS[name], seed=3, first=0, count=40)
    assert met["games"] == 40
    assert min(met["stop"], met["throw back"], met["keep"], met["all tiles laid"], met["nothing fits"]) > 0
    if PRESETS[name].fixed_rounds:
        assert met["last round over"] > 0
    else:
        assert met["turns passed"] > 0


@pytest.mark.parametrize("name", PRESETS)
def test_standard_material(name):
    """The reference is given the engine's material, which LOOPIT.md 1.3 and 1.4 say."""
    rules = PRESETS[name]
    assert Counter(rules.tiles) == Counter(standard_tiles())
    assert rules.factors.tolist() == standard_factors()
    assert set(Game(rules, seed=7).board) == {(6, 6)}
