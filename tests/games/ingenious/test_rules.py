"""The presets, the numbers that follow from the options, and what `Rules` refuses."""

from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pytest
from helpers import VARIANTS
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import full_bag

from ingenious_env import Game, Rules
from ingenious_env.games.ingenious import INGENIOUS
from ingenious_env.games.ingenious.rules import MAX_POINTS
from ingenious_env.games.ingenious.tiles import tile_types


@pytest.mark.parametrize(
    ("rules", "side", "sheets", "last", "rack"),
    [
        (Rules.solitaire(), 6, 1, 36, 1),
        (Rules.standard(), 6, 2, 18, 6),
        (Rules.standard(3), 7, 3, 18, 6),
        (Rules.standard(4), 8, 4, 18, 6),
        (Rules.partnership(), 8, 2, 36, 6),
        (Rules(5), 9, 5, 18, 6),
        (Rules(6), 10, 6, 18, 6),
    ],
)
def test_presets(rules, side, sheets, last, rack):
    assert (rules.board_side, rules.num_sheets, rules.last_space, rules.rack_size) == (
        side,
        sheets,
        last,
        rack,
    )
    assert rules.counter_top == 18
    assert len(rules.cells) == 3 * side * (side - 1) + 1


def test_1_2_the_tiles():
    rules = Rules()
    assert rules.num_tiles == 120
    assert len(rules.tile_counts) == 21
    halves = [0] * 6
    for tile, count in zip(tile_types(6), rules.tile_counts, strict=True):
        for colour in tile:
            halves[colour - 1] += count
    assert halves == [40] * 6


@pytest.mark.parametrize("name", VARIANTS)
def test_the_set_is_repeated_until_it_is_enough(name):
    rules = VARIANTS[name]
    bag = full_bag(rules.num_players, rules.board_side, rules.num_colours, rules.rack_size)
    assert rules.tile_counts == tuple(bag[tile] for tile in tile_types(rules.num_colours))


def test_8_1_start_symbols():
    assert Rules().start_symbols == {(0, -5): 1, (5, -5): 2, (5, 0): 3, (0, 5): 4, (-5, 5): 5, (-5, 0): 6}
    assert Rules.standard(4).start_symbols == Rules().start_symbols
    assert list(Rules(board_side=4, num_colours=4).start_symbols.items()) == [
        ((0, -3), 1), ((3, -3), 2), ((3, 0), 3), ((0, 3), 4), ((-3, 3), 1), ((-3, 0), 2)
    ]  # fmt: skip


@pytest.mark.parametrize(("side", "points"), [(3, 12), (6, 30), (10, 54)])
def test_4_1_no_half_tile_scores_more_than_six_lines(side, points):
    assert Rules(board_side=side).max_points == points <= MAX_POINTS


def test_the_numbers_of_players_that_the_game_states_are_those_of_its_rules():
    assert [number for number in range(10) if _is_possible(number)] == [1, 2, 3, 4, 5, 6]
    assert list(INGENIOUS.players) == [1, 2, 3, 4, 5, 6]


def _is_possible(players):
    try:
        return Rules(players).num_players == players
    except ValueError:
        return False


def test_4_5_partners_share_a_sheet():
    rules = Rules.partnership()
    assert [rules.sheet_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [Rules(4).sheet_of(seat) for seat in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"num_players": 0}, "num_players must be from 1 to 6, not 0"),
        ({"num_players": 7}, "num_players must be from 1 to 6, not 7"),
        ({"board_side": 2}, "board_side must be from 3 to 10, not 2"),
        ({"board_side": 11}, "board_side must be from 3 to 10, not 11"),
        ({"num_colours": 1}, "num_colours must be from 2 to 6"),
        ({"num_colours": 7}, "num_colours must be from 2 to 6"),
        ({"rack_size": 1}, "rack_size must be from 2 to 6"),
        ({"rack_size": 7}, "rack_size must be from 2 to 6"),
        ({"num_players": 1, "rack_size": 0}, "rack_size must be from 1 to 6"),
        ({"counter_top": 0}, "counter_top must be from 1 to 127"),
        ({"counter_top": 128}, "counter_top must be from 1 to 127"),
        ({"counter_top": 64, "double_sheet": True}, "counter_top must be from 1 to 63"),
        ({"teams": True}, "teams needs an even number of players, at least 4, not 2"),
        ({"teams": True, "num_players": 5}, "teams needs an even number of players, at least 4, not 5"),
    ],
)
def test_impossible_options_are_refused(options, complaint):
    with pytest.raises(ValueError, match=complaint):
        Rules(**options)


@pytest.mark.parametrize(
    "options",
    [{"num_players": "2"}, {"num_players": True}, {"num_players": 2.0}, {"teams": 1}, {"board_side": "6"},
     {"double_sheet": "yes"}, {"open_racks": None}, {"counter_top": 18.0}],
)  # fmt: skip
def test_options_of_the_wrong_type_are_refused(options):
    (name,) = options
    with pytest.raises(TypeError, match=f"{name} must be"):
        Rules(**options)


@pytest.mark.parametrize("whole", [np.int64, np.uint8, np.int32, lambda number: np.array([number])])
def test_numpy_integers_are_whole_numbers(whole):
    numbers = {"num_players": 3, "board_side": 5, "num_colours": 4, "rack_size": 3, "counter_top": 9}
    rules = Rules(**{name: whole(number) for name, number in numbers.items()})
    assert rules == Rules(**numbers)
    assert hash(rules) == hash(Rules(**numbers))
    assert all(type(getattr(rules, name)) is int for name in numbers)
    assert repr(rules) == repr(Rules(**numbers))
    assert Rules.standard(whole(3)) == Rules(3)
    assert Game(rules, 1) == Game(Rules(**numbers), 1)


def test_numpy_truth_values_are_truth_values():
    rules = Rules(4, teams=np.True_, double_sheet=np.False_, open_racks=np.bool_(1))
    assert rules == Rules(4, teams=True, double_sheet=False, open_racks=True)
    assert type(rules.teams) is type(rules.open_racks) is type(rules.double_sheet) is bool


def test_an_unknown_option_is_refused_by_name():
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'players'"):
        Rules(players=3)


@pytest.mark.parametrize("num_players", [1, 5])
def test_standard_is_for_two_to_four(num_players):
    with pytest.raises(ValueError, match="num_players must be from 2 to 4"):
        Rules.standard(num_players)


def test_rules_are_values():
    assert Rules() == Rules.standard(2)
    assert hash(Rules()) == hash(Rules.standard(2))
    assert Rules() != Rules(open_racks=True)
    rules = Rules.partnership()
    assert rules.start_symbols
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert dataclasses.replace(rules, board_side=9).board_side == 9
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.teams = False


VALUES = st.one_of(
    st.integers(-1, 12), st.booleans(), st.none(), st.sampled_from([2.0, "2", 18, 63, 64, 127, 128])
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from([field.name for field in dataclasses.fields(Rules)]), VALUES))
def test_any_options_are_refused_or_make_a_sound_game(options):
    rules, complaint = None, ""
    try:
        rules = Rules(**options)
    except (TypeError, ValueError) as error:
        complaint = str(error)
    if rules is None:
        assert any(name in complaint for name in (*options, "num_players"))
        return
    game = Game(rules, 1)
    game.check_consistency()
    for _ in range(3):
        if not game.is_over:
            game.play(game.random_action())
            game.check_consistency()
    assert Game.from_text(game.to_text()) == game
