"""The board and the tiles: what the package ships (LOOPIT.md 1.3, 1.4), files of one's own, bad ones."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from loopit_helpers import FIVE, OWN, REPEATS

from ingenious_env.games.loopit import Game, Material, Rules, load_material, standard_material

TILES, FACTORS, START = (("NS", 1),) * 3 + (("EW", 2), ("NESW", 3)), ((1, 2, 1), (1, 1, 1), (3, 1, 1)), (1, 1)
MINE = """
[board]
start = [1, 2]
factors = ["1211", "1119", "3111"]

[tiles]
NS = [1, 1, 7]
EW = [2, 3]
NESW = [4]
"""
OFFSETS = {
    2: [(3, 3), (4, 0)],
    3: [(5, 2)],
    4: [(6, 0)],
    5: [(5, 5)],
    6: [(6, 6)],
}
"""LOOPIT.md 1.4, without signs and orders."""


def test_1_3_the_tiles():
    tiles = Rules().tiles
    assert len(tiles) == len(set(tiles)) == 81
    for count in (2, 3):
        for ends in combinations("NESW", count):
            assert sorted(value for other, value in tiles if other == "".join(ends)) == list(range(1, 9))
    assert [each for each in tiles if len(each[0]) not in (2, 3)] == [("NESW", 8)]


def test_1_4_the_board():
    expected = np.ones((13, 13), int)
    for factor, offsets in OFFSETS.items():
        for a, b in offsets:
            for down, right in [(a, b), (b, a)]:
                for row in {6 - down, 6 + down}:
                    for column in {6 - right, 6 + right}:
                        expected[row, column] = factor
    assert np.array_equal(Rules().factors, expected)
    found = {factor: int((Rules().factors == factor).sum()) for factor in range(1, 7)}
    assert found == {1: 169 - 8 - 8 - 4 - 4 - 4, 2: 8, 3: 8, 4: 4, 5: 4, 6: 4}
    assert Rules().material.start == (6, 6)
    for turned in (expected.T, expected[::-1], np.rot90(expected)):
        assert np.array_equal(turned, expected)


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    mine = load_material(path)
    assert mine == load_material(str(path)) == Rules(material=path, rack_size=1).material
    assert Rules(material=str(path), rack_size=1) == Rules(material=mine, rack_size=1)
    assert sorted(mine.tiles) == sorted([("NS", 1), ("NS", 1), ("NS", 7), ("EW", 2), ("EW", 3), ("NESW", 4)])
    assert mine.factors == ((1, 2, 1, 1), (1, 1, 1, 9), (3, 1, 1, 1))
    assert (mine.start, mine.shape, mine.num_cells) == ((1, 2), (3, 4), 12)
    game = Game(Rules(material=mine, rack_size=2), seed=3)
    assert list(game.board) == [(1, 2)]


def test_tiles_are_kept_sorted_and_counted():
    """By value, then by their line ends in the order N, E, S, W as bits."""
    mine = Material(TILES[::-1], FACTORS, START)
    assert mine == Material(TILES, FACTORS, START)
    assert hash(mine) == hash(Material(TILES, FACTORS, START))
    assert mine.tiles == (("NS", 1), ("NS", 1), ("NS", 1), ("EW", 2), ("NESW", 3))
    assert mine.types == (("NS", 1), ("EW", 2), ("NESW", 3))
    assert mine.counts == (3, 1, 1)
    assert mine.patterns == (0b0101, 0b1010, 0b1111)
    assert mine != Material(TILES, FACTORS, (0, 0))
    assert mine != Material(TILES[1:], FACTORS, START)
    assert mine != Material(TILES, FACTORS[::-1], START)


def test_lists_and_arrays_will_do():
    mine = Material([list(each) for each in TILES], np.array(FACTORS), [1, 1])
    assert mine == Material(TILES, FACTORS, START)
    assert hash(mine) == hash(Material(TILES, FACTORS, START))
    assert Material([("NS", np.int64(1))] * 3, FACTORS, START).tiles == (("NS", 1),) * 3


@pytest.mark.parametrize("mine", [FIVE, REPEATS])
def test_squares_and_what_lies_beyond_their_edges(mine):
    rows, columns = mine.shape
    for row in range(rows):
        for column in range(columns):
            cell = mine.cell((row, column))
            assert cell == row * columns + column
            assert mine.square(cell) == (row, column)
            around = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
            assert mine.neighbours[cell].tolist() == [
                mine.cell(square) if 0 <= square[0] < rows and 0 <= square[1] < columns else mine.num_cells
                for square in around
            ]
    assert mine.neighbours[-1].tolist() == [mine.num_cells] * 4


def row(length: int, factor: object = 1) -> tuple:
    return (factor,) * length


BAD_TILE = r"a tile is \(line ends, value\), such as \('NS', 3\), not "
BAD = [
    ((("NS", 1),) * 3, None, None, None),
    (7, TypeError, "tiles must be a sequence, not 7", "tiles"),
    ("NS1", TypeError, "tiles must be a sequence, not 'NS1'", "tiles"),
    ([("NS", 1, 2)], TypeError, BAD_TILE, "tiles"),
    ([7], TypeError, BAD_TILE + "7", "tiles"),
    ([("NS", "1")], TypeError, BAD_TILE, "tiles"),
    ([("NS", 1.0)], TypeError, BAD_TILE, "tiles"),
    ([("NS", True)], TypeError, BAD_TILE, "tiles"),
    ([(5, 1)], TypeError, BAD_TILE, "tiles"),
    ([("", 1)], ValueError, "line ends are some of NESW in this order, each at most once, not ''", "tiles"),
    ([("SN", 1)], ValueError, "line ends are some of NESW in this order, each at most once", "tiles"),
    ([("NN", 1)], ValueError, "line ends are some of NESW in this order, each at most once", "tiles"),
    ([("NX", 1)], ValueError, "line ends are some of NESW in this order, each at most once", "tiles"),
    ([("NS", 0)], ValueError, "the value of a tile must be from 1 to 99, not 0", "tiles"),
    ([("NS", 100)], ValueError, "the value of a tile must be from 1 to 99, not 100", "tiles"),
    ([], ValueError, "there must be 1 to 255 tiles of at most 127 types, not 0 of 0", "tiles"),
    ([("NS", 1)] * 10, ValueError, "10 tiles are more than the board's 9 squares", "tiles"),
    ("111", TypeError, "factors must be a sequence, not '111'", "factors"),
    (None, TypeError, "factors must be a sequence, not None", "factors"),
    (["111", "111", "111"], TypeError, "a row of factors must be a sequence, not '111'", "factors"),
    ((row(3), row(3)), ValueError, "the board must have 3 to 19 rows", "factors"),
    ((row(3),) * 20, ValueError, "the board must have 3 to 19 rows", "factors"),
    ((row(2),) * 3, ValueError, "all rows as many squares of that range", "factors"),
    ((row(20),) * 3, ValueError, "all rows as many squares of that range", "factors"),
    ((row(3), row(4), row(3)), ValueError, "all rows as many squares of that range", "factors"),
    ((row(3), row(3), row(3, 0)), ValueError, "a factor must be from 1 to 9, not 0", "factors"),
    ((row(3), row(3), row(3, 10)), ValueError, "a factor must be from 1 to 9, not 10", "factors"),
    ((row(3), row(3), row(3, 1.5)), TypeError, "a factor must be a whole number, not 1.5", "factors"),
    ((row(3), row(3), row(3, True)), TypeError, "a factor must be a whole number, not True", "factors"),
    (1, TypeError, "start must be a sequence, not 1", "start"),
    ((1,), ValueError, "start must be a row from 0 to 2 and a column from 0 to 2", "start"),
    ((1, 1, 1), ValueError, "start must be a row from 0 to 2 and a column from 0 to 2", "start"),
    ((3, 0), ValueError, r"start must be a row from 0 to 2 and a column from 0 to 2, not \(3, 0\)", "start"),
    ((0, -1), ValueError, "start must be a row from 0 to 2 and a column from 0 to 2", "start"),
    ((1.0, 1), ValueError, "start must be a row from 0 to 2 and a column from 0 to 2", "start"),
    ((True, 1), ValueError, "start must be a row from 0 to 2 and a column from 0 to 2", "start"),
][1:]


@pytest.mark.parametrize(("value", "error", "complaint", "name"), BAD)
def test_bad_material_is_refused(value, error, complaint, name):
    with pytest.raises(error, match=complaint):
        Material(**({"tiles": TILES, "factors": FACTORS, "start": START} | {name: value}))


def test_the_bounds_are_possible():
    board = (row(19),) * 19
    assert len(Material([("NS", 1)] * 127 + [("EW", 1)] * 127 + [("NE", 1)], board, START).tiles) == 255
    with pytest.raises(ValueError, match="there must be 1 to 255 tiles of at most 127 types, not 256 of 3"):
        Material([("NS", 1)] * 127 + [("EW", 1)] * 127 + [("NE", 1)] * 2, board, START)
    types = [
        (ends, value)
        for value in range(1, 15)
        for ends in ("N", "E", "S", "W", "NE", "NS", "NW", "ES", "EW", "SW")
    ]
    assert len(Material(types[:127], board, START).types) == 127
    with pytest.raises(ValueError, match="at most 127 types, not 128 of 128"):
        Material(types[:128], board, START)
    assert Material([("N", 99)], ((9,) * 3,) * 3, (2, 2)).tiles == (("N", 99),)


def test_all_points_fit_into_an_observation():
    """A tile may be joined at each of its ends to the highest one: here 13 · 99 a tile."""
    board = (row(19, 9),) * 3
    assert Material([("NESW", 99)] * 9, board, START)
    total = 10 * (9 * 99 + 4 * 99)
    with pytest.raises(
        ValueError, match=f"all tiles together could score {total}; at most 12799 is possible"
    ):
        Material([("NESW", 99)] * 10, board, START)


def test_of_one_type_there_are_at_most_as_many_as_an_observation_can_count():
    board = (row(19),) * 19
    assert Material([("NS", 1)] * 127, board, START).counts == (127,)
    with pytest.raises(ValueError, match="at most 127 equal tiles"):
        Material([("NS", 1)] * 128, board, START)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[board]", "[board", "Expected"),
        ("[board]", "[boards]", "the file must have the entries board and tiles, not boards, tiles"),
        (
            "[tiles]",
            "[more]\n[tiles]",
            "the file must have the entries board and tiles, not board, more, tiles",
        ),
        (MINE, "", "the file must have the entries board and tiles, not none"),
        (MINE, "board = 1\ntiles = 2", r"\[board\] must have the entries start and factors, not 1"),
        ("start = [1, 2]\n", "", r"\[board\] must have the entries start and factors, not factors"),
        ("start = [1, 2]", "start = 5", "start must be a sequence, not 5"),
        ("start = [1, 2]", "start = [1]", r"start must be a row from 0 to 2 and a column from 0 to 3"),
        ("start = [1, 2]", "start = [1, 4]", r"start must be a row from 0 to 2 and a column from 0 to 3"),
        ("start = [1, 2]", "start = [1, 2.5]", r"start must be a row from 0 to 2"),
        ('["1211", "1119", "3111"]', '"1211"', "factors must be a sequence, not '1211'"),
        ('"1211"', "1211", "a row of factors must be a string of digits, not 1211"),
        ('"1211"', '"12x1"', "a row of factors must be a string of digits, not '12x1'"),
        ('"1211"', '"12٣1"', "a row of factors must be a string of digits"),
        ('"1211"', '""', "a row of factors must be a string of digits, not ''"),
        ('"1211"', '"1201"', "a factor must be from 1 to 9, not 0"),
        ('"1211"', '"121"', "the board must have 3 to 19 rows"),
        ("[tiles]\nNS = [1, 1, 7]\nEW = [2, 3]\nNESW = [4]", "", "must have the entries board and tiles"),
        ("NS = [1, 1, 7]", "SN = [1]", "line ends are some of NESW in this order"),
        ("NS = [1, 1, 7]", "NS = 3", "tiles NS must be a sequence, not 3"),
        ("NS = [1, 1, 7]", 'NS = "117"', "tiles NS must be a sequence, not '117'"),
        ("NS = [1, 1, 7]", "NS = [1, 0]", "the value of a tile must be from 1 to 99, not 0"),
        ("NS = [1, 1, 7]", "NS = [1.5]", BAD_TILE),
        ("NS = [1, 1, 7]", f"NS = {[1] * 11}", "14 tiles are more than the board's 12 squares"),
        ("NS = [1, 1, 7]\nEW = [2, 3]\nNESW = [4]", "", "there must be 1 to 255 tiles"),
    ],
)
def test_a_bad_file_is_named(tmp_path, old, new, complaint):
    assert old in MINE
    path = tmp_path / "bad.toml"
    path.write_text(MINE.replace(old, new), encoding="utf-8")
    for read in (load_material, lambda each: Rules(material=each), lambda each: Rules(material=str(each))):
        with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: .*{complaint}"):
            read(path)


def test_tiles_that_are_no_table(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("tiles = 3\n" + MINE.split("[tiles]", maxsplit=1)[0])
    with pytest.raises(ValueError, match=r"bad\.toml: \[tiles\] must be a table"):
        load_material(path)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError):
        Rules(material=tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes("# é\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"latin\.toml is not a text"):
        load_material(tmp_path / "latin.toml")


def test_the_variants_of_the_tests_differ_in_what_they_are_for():
    """Small boards and a non-square one, repeated tiles, one-ended tiles, all sizes of racks and turns."""
    materials = [rules.material for rules in OWN.values()]
    assert {rules.rack_size for rules in OWN.values()} >= {1, 2, 3, 7}
    assert {rules.tiles_per_turn for rules in OWN.values()} >= {1, 2, 3, 7}
    assert {(3, 3), (5, 5), (4, 7), (19, 19)} <= {mine.shape for mine in materials}
    assert any(max(mine.counts) > 1 for mine in materials)
    assert any(len(ends) == 1 for mine in materials for ends, _ in mine.tiles)


@pytest.mark.parametrize("rules", [Rules(), Rules(3, fixed_rounds=True), *OWN.values()])
def test_rules_are_shown_as_an_expression_that_makes_them(rules):
    shown = {"Material": Material, "Rules": Rules, "standard_material": standard_material}
    assert eval(repr(rules), shown) == rules  # noqa: S307 - our own text


def test_the_material_of_the_package_is_shown_in_short():
    material = "material=standard_material(), rack_size=5, tiles_per_turn=3)"
    assert repr(Rules()) == f"Rules(num_players=2, fixed_rounds=False, {material}"
