"""Engine equals reference at every step of many games; `differential.py` runs as many more as asked for."""

import pytest
from differential import compare_games
from helpers import CUSTOM, PRESETS

from ingenious_env import Rules


@pytest.mark.parametrize("name", PRESETS)
def test_40_games_of_each_preset(name):
    kinds = compare_games(PRESETS[name], seed=1, first=0, count=40)
    assert kinds["games"] == 40
    if name != "solitaire":
        assert kinds["bonus play"] > 0
        assert kinds["swap"] > 0
        assert kinds["keep"] > 0


@pytest.mark.parametrize("name", CUSTOM)
def test_custom_variants(name):
    assert compare_games(CUSTOM[name], seed=2, first=0, count=20)["games"] == 20


@pytest.mark.parametrize("side", range(3, 11))
@pytest.mark.parametrize("num_colours", range(2, 7))
def test_every_side_and_colour_count(side, num_colours):
    players = 1 + (side + num_colours) % 6
    teams = players in (4, 6) and side % 2 == 0
    rules = Rules(players, teams=teams, board_side=side, num_colours=num_colours, counter_top=2 + side)
    compare_games(rules, seed=3, first=0, count=3)


def test_low_tops_end_games_at_once():
    """Instant wins, bonus plays outstanding or forfeited, are common enough here to be compared."""
    kinds = compare_games(Rules(2, board_side=5, num_colours=3, rack_size=2, counter_top=2), 4, 0, 100)
    assert kinds["full sheet"] > 10
    assert kinds["bonus play"] > 10
