"""The options of a variant: what is possible, what is not, when two are equal."""

from __future__ import annotations

import pickle

import pytest
from loopit_helpers import FEW, FIVE, VARIANTS, material, tile_order

from ingenious_env.games.loopit import LOOPIT, Game, Rules


def test_the_defaults_are_the_leaflets():
    rules = Rules()
    assert (rules.num_players, rules.rack_size, rules.tiles_per_turn) == (2, 5, 3)
    assert not rules.fixed_rounds
    assert (rules.num_rounds, rules.num_out, rules.num_tiles) == (0, 0, 81)
    assert Game().rules == rules == Rules(2)


def test_the_numbers_of_players_that_the_game_states_are_those_of_its_rules():
    assert list(LOOPIT.players) == [2, 3, 4]
    for players in LOOPIT.players:
        assert Rules(players).num_players == players
    for players in (1, 5):
        with pytest.raises(ValueError, match="num_players"):
            Rules(players)


@pytest.mark.parametrize(("players", "rounds", "out"), [(2, 13, 4), (3, 9, 2), (4, 7, 0)])
def test_2_2_fixed_rounds(players, rounds, out):
    rules = Rules(players, fixed_rounds=True)
    assert (rules.num_rounds, rules.num_out) == (rounds, out)
    assert len(Game(rules, seed=0).put_out) == out
    assert (Rules(players).num_rounds, Rules(players).num_out) == (0, 0)
    assert not Game(Rules(players), seed=0).put_out
    # with three tiles a turn, that many rounds are what the other tiles last for: the last turns lack a few
    tiles = 81 - 1 - out
    assert players * (rounds - 1) * 3 < tiles <= players * rounds * 3


@pytest.mark.parametrize("name", ["two, fixed", "three, fixed", "few, fixed"])
def test_tiles_put_out_are_kept_by_value_then_ends(name):
    for seed in range(10):
        out = Game(VARIANTS[name], seed).put_out
        assert out == sorted(out, key=tile_order)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_deal(name):
    rules = VARIANTS[name]
    game = Game(rules, seed=7)
    assert [len(rack) for rack in game.racks] == [rules.rack_size] * rules.num_players
    assert list(game.board) == [rules.material.start]
    assert len(game.put_out) == rules.num_out
    on_racks = [tile for rack in game.racks for tile in rack]
    everything = [*game.board.values(), *game.put_out, *on_racks, *game.bag_order]
    assert sorted(everything) == sorted(rules.tiles)
    assert game.scores == [0] * rules.num_players
    assert (game.turn, game.laid, game.to_play) == (0, 0, 0)
    assert [rules.sheet_of(seat) for seat in range(rules.num_players)] == list(range(rules.num_sheets))


def test_2_1_tiles_are_drawn_in_seat_order_and_those_put_out_before_all():
    """The bag before anything is drawn follows from what is left of it in other variants.

    With the same seed the bag is in the same order, whatever is drawn of it.
    """
    free, fixed, long = (
        Game(Rules(2), seed=3),
        Game(Rules(2, fixed_rounds=True), seed=3),
        Game(Rules(2, rack_size=7), seed=3),
    )
    order = free.bag_order
    assert long.bag_order == order[4:]
    assert fixed.bag_order == order[4:]
    dealt = [*free.racks[0], *free.racks[1], *free.board.values()]
    assert sorted(long.racks[0] + long.racks[1] + [*long.board.values()]) == sorted(dealt + order[:4])
    assert set(free.racks[0]) < set(long.racks[0])
    assert set(fixed.put_out) < set(free.racks[0])  # the first four tiles of all
    assert len(set(free.racks[0]) - set(fixed.put_out)) == 1
    assert set(free.racks[0]) - set(fixed.put_out) < set(fixed.racks[0])


@pytest.mark.parametrize(
    ("options", "error", "complaint"),
    [
        ({"num_players": 1}, ValueError, "num_players must be from 2 to 4, not 1"),
        ({"num_players": 5}, ValueError, "num_players must be from 2 to 4, not 5"),
        ({"num_players": 2.0}, TypeError, "num_players must be a whole number"),
        ({"num_players": True}, TypeError, "num_players must be a whole number"),
        ({"fixed_rounds": 1}, TypeError, "fixed_rounds must be"),
        ({"fixed_rounds": "yes"}, TypeError, "fixed_rounds must be"),
        ({"rack_size": 0}, ValueError, "rack_size must be from 1 to 7, not 0"),
        ({"rack_size": 8}, ValueError, "rack_size must be from 1 to 7, not 8"),
        ({"rack_size": None}, TypeError, "rack_size must be a whole number"),
        ({"tiles_per_turn": 0}, ValueError, "tiles_per_turn must be from 1 to 7, not 0"),
        ({"tiles_per_turn": 8}, ValueError, "tiles_per_turn must be from 1 to 7, not 8"),
        ({"material": 7}, TypeError, "material must be a Material, the path of a file or None, not 7"),
        ({"material": b"x"}, TypeError, "material must be a Material, the path of a file or None"),
        ({"material": FEW}, ValueError, "2 players need 11 tiles to begin, and there are 10"),
        ({"material": FEW, "num_players": 4, "rack_size": 3}, ValueError, "4 players need 13 tiles to begin"),
        (
            {"material": FEW, "rack_size": 3, "fixed_rounds": True},
            ValueError,
            "2 players need 11 tiles to begin, and there are 10",
        ),
    ],
)
def test_impossible_options(options, error, complaint):
    with pytest.raises(error, match=complaint):
        Rules(**options)


def test_just_enough_tiles():
    rules = Rules(3, material=FEW, rack_size=3)
    game = Game(rules, seed=0)
    assert not game.bag_order
    assert Rules(2, material=FEW, rack_size=2, fixed_rounds=True).num_out == 4


def test_equal_rules_are_equal_and_others_are_not():
    for name, rules in VARIANTS.items():
        twin = Rules(
            rules.num_players,
            fixed_rounds=rules.fixed_rounds,
            material=rules.material,
            rack_size=rules.rack_size,
            tiles_per_turn=rules.tiles_per_turn,
        )
        assert twin == rules
        assert hash(twin) == hash(rules)
        assert pickle.loads(pickle.dumps(rules)) == rules
        assert [other for other, each in VARIANTS.items() if each == rules] == [name]
    assert Rules() != Rules(tiles_per_turn=2)
    assert len({Rules(), Rules(2), Rules(rack_size=4)}) == 2


def test_rules_do_not_change():
    with pytest.raises(AttributeError):
        Rules().num_players = 3


def test_own_material_that_is_the_standard_one_is_the_same_variant():
    standard = Rules().material
    text = " ".join(f"{ends}{value}" for ends, value in standard.tiles)
    rows = " ".join("".join(map(str, row)) for row in standard.factors)
    assert Rules(material=material(text, rows, standard.start)) == Rules()
    assert Rules(material=FIVE, rack_size=2) != Rules(rack_size=2)
