"""A change of any significant field is detected, and the field is named."""

from __future__ import annotations

import numpy as np
import pytest
from loopit_helpers import VARIANTS, batch_at, position

from ingenious_env import InconsistentStateError
from ingenious_env.games.loopit import Game, consistency
from ingenious_env.games.loopit.state import FIELDS, NO_TILE

FREE = {"stream", "policy_key"}
"""Any value is possible."""


def game_at(name: str = "three, fixed", moves: int = 9) -> Game:
    return batch_at(VARIANTS[name], 1, moves, seed=1)[0]


@pytest.mark.parametrize("name", ["two, fixed", "4 x 7", "19 x 19"])
@pytest.mark.parametrize("field", [field.name for field in FIELDS if field.name not in FREE])
def test_a_change_of_any_entry_is_noticed(name, field):
    """Scores, turns and slots in hand may be many things, but not negative, or more than there are."""
    game = game_at(name, 7)
    game.check_consistency()
    size = getattr(game.state, field).size
    for entry in np.random.default_rng(0).permutation(size)[:12]:
        twin = game.clone()
        values = getattr(twin.state, field).reshape(-1)
        if values.base is None:  # a copy: the field is not contiguous
            values = getattr(twin.state, field)[0]
        if field in {"scores", "turn"}:
            values[entry] = -1
        elif field == "held":
            values[entry] = 9
        else:
            values[entry] ^= values.dtype.type(1)
        assert not np.array_equal(getattr(twin.state, field), getattr(game.state, field))
        with pytest.raises(InconsistentStateError):
            twin.check_consistency()


@pytest.mark.parametrize(
    ("field", "complaint"),
    [
        ("fits", "fits does not follow from the board and the tiles"),
        ("needs", "needs does not follow from the board and the tiles"),
        ("ends", "ends does not follow from the board and the tiles"),
        ("values", "values does not follow from the board and the tiles"),
        ("left", "left does not follow from the board and the tiles"),
        ("unplaced", "the tiles on racks, in the bag and put out are not those that are not on the board"),
        ("placed", "10 tiles are on the board, not 11"),
    ],
)
def test_a_derived_field_is_named(field, complaint):
    game = game_at()
    while game.state.placed[0] != 10:
        game.play(game.random_action())
    part = getattr(game.state, field)[0:1]
    part[(0,) * part.ndim] ^= part.dtype.type(1)
    with pytest.raises(InconsistentStateError, match=complaint):
        game.check_consistency()


@pytest.mark.parametrize(
    ("field", "index", "value", "complaint"),
    [
        ("board", -1, 0, "the entry after the board is not off the board"),
        ("board", 0, 200, "tile types are 0 to 80"),
        ("drawn", None, 82, "the part of the bag that has been drawn must be 0"),
        ("bag", 0, 3, "the part of the bag that has been drawn must be 0"),
        ("bag", -1, 81, "tile types are 0 to 80"),
        ("racks", (0, 0), 81, "tile types are 0 to 80"),
        ("out", 0, 255, "2 tiles must be out of the game, in order"),
        ("out", 3, 0, "2 tiles must be out of the game, in order"),
        ("to_play", None, 3, "to_play must be from 0 to 2, not 3"),
        ("phase", None, 3, "phase must be from 0 to 2, not 3"),
        ("phase", None, 1, "only a seat that can lay no tile may throw its rack back"),
        (
            "phase",
            None,
            2,
            "the game is over just when nothing fits at the start of a turn or the last round",
        ),
        ("turn", None, -1, "turn cannot be -1"),
        ("turn", None, 28, "turn cannot be 28"),
        ("turn", None, 27, "the game is over just when"),
        ("turn", None, 1, "seat 1 must be to move in turn 1, not 0"),
        ("scores", 1, -1, "scores must be at least 0"),
        ("held", None, 6, "slot 5 cannot be picked"),
    ],
)
def test_what_is_wrong_is_said(field, index, value, complaint):
    game = game_at(moves=0)
    array = getattr(game.state, field)
    if index is None:
        array[0] = value
    else:
        array[0][index] = value
    with pytest.raises(InconsistentStateError, match=complaint):
        game.check_consistency()


def test_in_a_batch_the_game_is_named():
    batch = batch_at(VARIANTS["5 x 5"], 4, 3)
    batch.state.scores[2, 0] = -1
    with pytest.raises(InconsistentStateError, match=r"scores must be at least 0 \(game 2\)"):
        consistency.check(batch.state)


@pytest.mark.parametrize(
    ("board", "options", "complaint"),
    [
        ({(2, 3): "NS1"}, {}, r"the start square \(2, 2\) must have a tile"),
        ({(2, 2): "E1", (2, 3): "NS1"}, {}, r"the tiles on \(2, 2\) and \(2, 3\) do not match"),
        (
            {(2, 2): "EW1", (2, 3): "W1", (4, 4): "NW1"},
            {},
            r"the tile on \(4, 4\) is not joined to the others",
        ),
        (
            {(2, 2): "E1", (2, 3): "EW1", (2, 4): "EW1"},
            {},
            r"the tile on \(2, 4\) has a line end on the board's",
        ),
        ({(2, 2): "EW1", (2, 1): "E1"}, {"turn": 0}, r"2 tiles cannot be on the board in turn 0"),
        ({(2, 2): "EW1"}, {"laid": 1}, "must have 1 tiles, not 2"),
        ({(2, 2): "EW1"}, {"phase": "throw"}, "only a seat that can lay no tile may throw its rack back"),
        ({(2, 2): "N1"}, {}, "a seat that is to lay a tile must have one that fits"),
        ({(2, 2): "EW1"}, {"rounds": "fixed"}, "4 tiles must be out of the game, in order"),
        (
            {(2, 2): "EW1"},
            {"rounds": "fixed", "out": "E1 E1 E1 E1", "turn": 26},
            "the game is over just when",
        ),
        ({(2, 2): "EW1"}, {"rounds": "fixed", "out": "E1 E1 E1 E1", "turn": 28}, "turn cannot be 28"),
        ({(2, 2): "EW1"}, {"scores": (0, 3)}, "no player can have scored before a tile was laid"),
    ],
)
def test_positions_that_cannot_be_are_refused(board, options, complaint):
    with pytest.raises(InconsistentStateError, match=complaint):
        position(board, ["W3 W4", "S3 S4"], "E7 E8 N1 N1 N1", rack=2, **options)


def test_tiles_put_out_are_in_order():
    low, high = game_at(moves=0).state.out[0, :2].tolist()
    for out in ([high, low, NO_TILE, NO_TILE], [NO_TILE, low, high, NO_TILE], [low, NO_TILE, high, NO_TILE]):
        game = game_at(moves=0)
        game.state.out[0] = out
        with pytest.raises(InconsistentStateError, match="2 tiles must be out of the game, in order"):
            game.check_consistency()


@pytest.mark.parametrize(
    ("board", "racks", "options", "complaint"),
    [
        (
            {(2, 2): "EW1"},
            ["W3", "S3 S4"],
            {"bag": "E7", "laid": 1},
            "1 tiles cannot be on the board in turn 0",
        ),
        (
            {(2, 2): "EW1", (2, 1): "EW1", (2, 3): "EW1", (2, 4): "W1"},
            ["E3", "S3 S4"],
            {"laid": 3},
            "3 tiles cannot have been laid in this turn",
        ),
        (
            {(2, 2): "EW1", (2, 3): "W1"},
            ["E3", "S3 S4"],
            {"laid": 1, "phase": "over", "turn": 26, "rounds": "fixed", "out": "E1 E1 E1 E1"},
            "1 tiles cannot have been laid in this turn",
        ),
        (
            {(2, 2): "NE1", (2, 3): "EW1", (2, 4): "W1"},
            ["", "S3 S4"],
            {"phase": "throw"},
            "only a seat that can lay no tile may throw its rack back",
        ),
    ],
)
def test_turns_that_cannot_be_are_refused(board, racks, options, complaint):
    with pytest.raises(InconsistentStateError, match=complaint):
        position(board, racks, rack=2, **options)


def test_racks_are_full_while_tiles_are_in_the_bag():
    with pytest.raises(InconsistentStateError, match="the rack of seat 1 must have 2 tiles, not 1"):
        position({(2, 2): "EW1"}, ["W3 W4", "S3"], "E7", rack=2)
