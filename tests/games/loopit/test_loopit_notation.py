"""Text: positions and moves round-trip exactly, and nothing but they is accepted."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loopit_helpers import VARIANTS, batch_at, every_variant, played

from ingenious_env import IllegalActionError
from ingenious_env.engine.records import Record
from ingenious_env.games.loopit import LOOPIT, Game, Lay, Rules

START = """loopit 1
rules players=2 rounds=free rack=2 turn=3 material=NS1,NS1,EW1,S2,NS2,E3,NESW4;121/111/113;1,1
board 3/1,NESW4,1/3
turn 0 to_play=0 phase=lay laid=0 held=0
scores 0,0
racks NS1,S2 EW1,E3
out -
bag NS2,NS1
stream 0123456789abcdef
policy_key fedcba9876543210
"""


@pytest.mark.parametrize("staged", [False, True], ids=["flat", "staged"])
@every_variant
def test_positions_round_trip(name, staged):
    for moves in (0, 1, 7, 16, 40, 90):
        batch = batch_at(VARIANTS[name], 3, moves, seed=moves, staged=staged)
        for row in range(3):
            game = batch[row]
            text = game.to_text()
            again = Game.from_text(text)
            assert again == game
            assert again.to_text() == text
            if not game.is_over and not game.state.held[0]:
                action = again.random_action()
                again.play(action)
                game.play(action)
                assert again == game


@pytest.mark.parametrize("name", ["two", "three, fixed", "4 x 7", "one line"])
def test_at_every_step_a_position_and_its_move_round_trip(name):
    for game, move in played(VARIANTS[name], 3):
        assert Game.from_text(game.to_text()) == game
        if move is not None:
            assert LOOPIT.text_to_move(LOOPIT.move_to_text(move)) == move


def test_a_position_reads_as_documented():
    game = Game.from_text(START)
    assert game.to_text() == START
    assert Game.from_text(START.rstrip("\n")) == game
    assert game.racks == [[("NS", 1), ("S", 2)], [("EW", 1), ("E", 3)]]
    assert game.bag_order == [("NS", 2), ("NS", 1)]
    assert game.board == {(1, 1): ("NESW", 4)}
    assert game.rules.material.factors == ((1, 2, 1), (1, 1, 1), (1, 1, 3))
    assert (game.rules.rack_size, game.rules.tiles_per_turn, game.rules.num_players) == (2, 3, 2)
    assert game.state.stream[0] == 0x0123456789ABCDEF
    assert game.state.policy_key[0] == 0xFEDCBA9876543210


def test_the_standard_material_is_a_word():
    text = Game(seed=0).to_text()
    assert text.split("\n")[1] == "rules players=2 rounds=free rack=5 turn=3 material=standard"
    assert text.split("\n")[2].startswith("board 13/13/13/13/13/13/6,")
    for rules in VARIANTS.values():
        line = Game(rules, seed=0).to_text().split("\n")[1].removeprefix("rules ")
        assert LOOPIT.text_to_rules(line) == rules
        assert LOOPIT.rules_to_text(rules) == line


BAD = [
    ("loopit 1", "loopit 2", "begins with the line"),
    ("loopit 1", "ingenious 1", "begins with the line"),
    ("players=2", "players=7", "num_players must be from 2 to 4"),
    ("players=2", "players=two", "players must be a number"),
    ("rounds=free", "rounds=some", "rounds must be free or fixed"),
    ("rounds=free", "rounds=fixed", "2 players need 9 tiles to begin, and there are 7"),
    ("rack=2 turn=3", "turn=3 rack=2", "in this order"),
    ("rack=2", "rack=9", "rack_size must be from 1 to 7"),
    ("turn=3", "turn=0", "tiles_per_turn must be from 1 to 7"),
    ("material=NS1,NS1,EW1,S2,NS2,E3,NESW4;121/111/113;1,1", "material=own", "material must be standard or"),
    (";121/111/113;", ";121/111;", "the board must have 3 to 19 rows"),
    (";121/111/113;", ";121/1x1/113;", "material must be standard or tiles;factors;start"),
    (";121/111/113;", ";121/101/113;", "a factor must be from 1 to 9, not 0"),
    (";1,1", ";1,3", "start must be a row from 0 to 2"),
    (";1,1", ";1", "start must be a row from 0 to 2"),
    (";1,1", ";1,x", "start must be a number"),
    ("material=NS1", "material=SN1", "material must be tiles, line ends and a value, such as NE5, not 'SN1'"),
    ("material=NS1", "material=NS0", "material must be tiles, line ends and a value"),
    ("material=NS1", "material=7", "material must be tiles, line ends and a value"),
    ("material=NS1", "material=", "material must be tiles, line ends and a value, such as NE5, not ''"),
    ("board 3/1,", "board 3/2,", "row 1 of the board has 3 squares, not 4"),
    ("board 3/", "board ", "the board has 3 rows, not 2"),
    ("board 3/", "board 0/", "row 0 of the board must be tiles"),
    ("1,NESW4,1", "1,NESW5,1", "row 1 of the board: the game has no tile NESW5"),
    ("1,NESW4,1", "1,NESW,1", "row 1 of the board must be tiles"),
    ("1,NESW4,1", "3", "the tiles are not those of the game"),
    ("1,NESW4,1", "NESW4,2", "the start square .* must have a tile"),
    ("turn 0", "turn x", "turn must be a number up to 2147483647"),
    ("turn 0", "turn 2147483648", "turn must be a number up to 2147483647"),
    ("turn 0 ", "turn 1 ", "seat 1 must be to move in turn 1, not 0"),
    ("to_play=0", "to_play=1", "seat 0 must be to move in turn 0, not 1"),
    ("to_play=0", "to_play=2", "to_play must be from 0 to 1, not 2"),
    ("to_play=0", "to_play=256", "to_play must be a number up to 255"),
    ("phase=lay", "phase=think", "phase must be lay or throw or over"),
    ("phase=lay", "phase=throw", "only a seat that can lay no tile may throw its rack back"),
    ("phase=lay", "phase=over", "the game is over just when"),
    ("laid=0", "laid=1", "the rack of seat 0 must have 1 tiles, not 2"),
    ("laid=0", "laid=3", "the rack of seat 0 must have 0 tiles, not 2"),
    ("laid=0", "laid=255", "the rack of seat 0 must have 0 tiles, not 2"),
    ("laid=0", "laid=256", "laid must be a number up to 255"),
    ("held=0", "held=3", "slot 2 cannot be picked"),
    ("scores 0,0", "scores 0", "needs 2 numbers"),
    ("scores 0,0", "scores 0,12800", "scores must be a number up to 12799"),
    ("scores 0,0", "scores 0,-1", "scores must be a number"),
    ("scores 0,0", "scores 0,5", "no player can have scored before a tile was laid"),
    ("racks NS1,S2", "racks S2,NS1", "the rack of seat 0 is not sorted"),
    ("racks NS1,S2", "racks NS1,S2,E3", "a rack has at most 2 tiles, not 3"),
    ("racks NS1,S2", "racks NS1", "not those of the game"),
    ("racks NS1,S2", "racks NS1,S3", "racks: the game has no tile S3"),
    ("racks NS1,S2", "racks NS1,x2", "racks must be tiles, line ends and a value"),
    ("racks NS1,S2", "racks S2,S2", "the game has 1 tiles S2, not 2"),
    (" EW1,E3", "", "the line 'racks' needs 2 parts, not 1"),
    ("out -", "out NS1,NS1,NS2,S2,E3", "out has at most 4 tiles, not 5"),
    ("out -\nbag NS2,NS1", "out NS2\nbag NS1", "0 tiles must be out of the game, in order"),
    ("out -", "out - -", "the line 'out' needs 1 parts, not 2"),
    ("bag NS2,NS1", "bag NS2", "not those of the game"),
    ("bag NS2,NS1", "bag NS2,NS1,NS1", "the game has 2 tiles NS1, not 3"),
    ("bag NS2,NS1", "bag NS2,NS9", "bag: the game has no tile NS9"),
    ("bag NS2,NS1", "bag " + ",".join(["NS1"] * 8), "the bag has at most 7 tiles, not 8"),
    ("stream 0123456789abcdef", "stream 0123", "16 hexadecimal digits"),
    ("stream 0123456789abcdef", "future 0123456789abcdef", "expected a line 'stream'"),
    ("policy_key fedcba9876543210", "policy_key xyz", "policy_key must be 16 hexadecimal digits"),
    ("out -\n", "", "has 10 lines, not 9"),
]


@pytest.mark.parametrize(("old", "new", "complaint"), BAD)
def test_malformed_positions_say_what_is_wrong(old, new, complaint):
    assert old in START
    with pytest.raises(ValueError, match=complaint):
        Game.from_text(START.replace(old, new, 1))


@pytest.mark.parametrize("text", [None, 7, b"loopit 1"])
def test_a_position_is_a_string(text):
    with pytest.raises(TypeError, match="is a str"):
        Game.from_text(text)


@settings(max_examples=300, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 4))
def test_fuzzed_positions_are_refused_or_mean_one_thing(rng: random.Random, edits: int):
    text = START
    for _ in range(edits):
        at = rng.randrange(len(text))
        end = min(len(text), at + rng.choice([0, 0, 1, 1, 2, 8]))
        middle = rng.choice(["", rng.choice("NESW0123456789,.-/; =\nxé"), text[at:end] * 2])
        text = text[:at] + middle + text[end:]
    try:
        game = Game.from_text(text)
    except ValueError:
        return
    assert Game.from_text(game.to_text()) == game
    game.check_consistency()
    for action in game.legal_actions()[:3]:
        twin = game.clone()
        twin.play(int(action))
        twin.check_consistency()


def test_a_slot_in_hand_is_one_that_may_be_picked():
    assert Game.from_text(START.replace("held=0", "held=2")).state.held[0] == 2
    with pytest.raises(ValueError, match="slot 0 cannot be picked"):  # NS1 would end on the edge of the board
        Game.from_text(START.replace("held=0", "held=1"))
    equal = START.replace("NS2", "S2").replace("racks NS1,S2", "racks S2,S2").replace("bag S2", "bag NS1")
    assert Game.from_text(equal.replace("held=0", "held=1")).state.held[0] == 1
    with pytest.raises(ValueError, match="slot 1 cannot be picked"):
        Game.from_text(equal.replace("held=0", "held=2"))


# Moves and records.


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Lay(("NE", 5), (6, 7)), "NE5@6,7"),
        (Lay(("NESW", 99), (18, 0)), "NESW99@18,0"),
        ("stop", "stop"),
        ("throw back", "throw back"),
        ("keep", "keep"),
    ],
)
def test_moves_read_as_documented(move, text):
    assert LOOPIT.move_to_text(move) == text
    assert LOOPIT.text_to_move(text) == move


@pytest.mark.parametrize(
    "text",
    ["", "Stopp", "throw", "NE5", "NE5@6", "NE5@6,7,8", "EN5@6,7", "NE0@6,7", "NE@6,7", "5@6,7", "NE5@6,-7",
     "N E5@6,7", "NE5@٣,7", "NE100@6,7", "NE5@6,7\nstop", "NE5@100,7"],
)  # fmt: skip
def test_malformed_moves_say_what_is_allowed(text):
    with pytest.raises(ValueError, match="a move is 'stop', 'throw back', 'keep' or a tile and its square"):
        LOOPIT.text_to_move(text)


@given(st.text(alphabet="NESW0123456789@, stopkewrhab", max_size=12))
def test_any_text_as_a_move(text):
    try:
        move = LOOPIT.text_to_move(text)
    except ValueError:
        return
    assert LOOPIT.text_to_move(LOOPIT.move_to_text(move)) == move


@pytest.mark.parametrize("name", ["two", "three, fixed", "4 x 7", "one line"])
def test_records_round_trip_and_replay(name):
    rules = VARIANTS[name]
    game, moves = Game(rules, (5, 3)), []
    while not game.is_over:
        moves.append(game.move(game.random_action()))
        game.play(game.action(moves[-1]))
    record = Record(rules, (5, 3), tuple(moves))
    again = Record.from_text(record.to_text())
    assert again == record
    assert again.replay() == game
    assert again.replay(0) == Game(rules, (5, 3))
    assert again.replay(1).state.placed[0] in (1, 2)


def test_bad_records_say_what_is_wrong():
    game = Game(seed=(1, 0))
    move = game.move(game.random_action())
    text = Record(Rules(), (1, 0), (move,)).to_text()
    for old, new, complaint in [
        ("players=2", "players=0", "num_players"),
        ("\n" + LOOPIT.move_to_text(move), "\nhello", "a move is"),
    ]:
        assert old in text
        with pytest.raises(ValueError, match=complaint):
            Record.from_text(text.replace(old, new))
    with pytest.raises(IllegalActionError, match="move 2 of the record"):
        Record(Rules(), (1, 0), (move, move)).replay()
