"""Text: positions, moves and records round-trip exactly, and nothing but they is accepted."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from helpers import VARIANTS, batch_at
from hypothesis import given, settings
from hypothesis import strategies as st

from ingenious_env import Game, GameBatch, IllegalActionError, InconsistentStateError, Place, Rules
from ingenious_env.engine.definition import variant_of
from ingenious_env.engine.records import Record
from ingenious_env.games.ingenious.notation import move_to_text, text_to_move, text_to_rules
from ingenious_env.games.ingenious.state import SWAP
from ingenious_env.games.ingenious.tiles import COLOUR_NAMES

START = """ingenious 1
rules players=2 teams=no side=3 colours=2 rack=2 top=18 sheet=single racks=hidden
board r1g/4/g3r/4/r1g
turn 0 to_play=0 phase=place plays_left=1 held=0 touched=- swaps=0
scores 0,0 0,0
racks rr,rg rg,gg
bag rr,rr,rr,rr,rg,rg,rg,rg,gg,gg,gg,gg
shown - -
drawn_since 0,0 0,0
stream 0123456789abcdef
policy_key fedcba9876543210
"""


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("staged", [False, True])
def test_positions_round_trip(name, staged):
    for moves in (0, 1, 7, 16, 40, 90):
        batch = batch_at(VARIANTS[name], 5, moves, seed=moves, staged=staged)
        for row in range(5):
            game = batch[row]
            text = game.to_text()
            again = Game.from_text(text)
            assert again == game
            assert again.to_text() == text
            if not game.is_over and not game.state.held[0]:
                action = game.random_action()
                again.play(action)
                game.play(action)
                assert again == game


def test_a_position_reads_as_documented():
    game = Game.from_text(START)
    assert game.to_text() == START
    assert game.racks == [[(1, 1), (1, 2)], [(1, 2), (2, 2)]]
    assert game.bag_order[:5] == [(1, 1)] * 4 + [(1, 2)]
    assert game.board.tolist() == [1, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2]
    assert game.state.stream[0] == 0x0123456789ABCDEF
    assert game.state.policy_key[0] == 0xFEDCBA9876543210
    assert Game.from_text(START.rstrip("\n")) == game


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("ingenious 1", "ingenious 2", "begins with the line"),
        ("players=2", "players=7", "num_players must be from 1 to 6"),
        ("players=2", "players=two", "players must be a number"),
        ("teams=no", "teams=perhaps", "teams must be no or yes"),
        ("colours=2 rack=2", "rack=2 colours=2", "in this order"),
        ("board r1g/4", "board r1g/5", "row 1 of the board has 4 cells"),
        ("board r1g/4", "board r1b/4", "row 0 of the board may hold r, g"),
        ("board r1g/4", "board r1g/3", "row 1 of the board has 4 cells, not 3"),
        ("board r1g/4", "board 3/4", "start symbol on cell"),
        ("board r1g/4", "board rrg/4", "colours on the board"),
        ("turn 0", "turn 999", "turn must be a number up to 255"),
        ("turn 0", "turn 1", "seat 1 must be to move in turn 1"),
        ("phase=place", "phase=think", "phase must be place or swap or over"),
        ("phase=place", "phase=over", "the game is over just when"),
        ("phase=place", "phase=swap", "too few for turn"),
        ("plays_left=1", "plays_left=0", "plays_left cannot be 0"),
        ("plays_left=1", "plays_left=6", "plays_left cannot be 6"),  # one, and two for each of two colours
        ("held=0", "held=3", "slot 2 cannot be picked"),
        ("touched=-", "touched=10", "ascending"),
        ("touched=-", "touched=0", "is said to be touched"),
        ("scores 0,0 0,0", "scores 0,0", "needs 2 parts"),
        ("scores 0,0 0,0", "scores 0,0 0,0,0", "needs 2 numbers"),
        ("scores 0,0 0,0", "scores 0,0 0,19", "counters must be from 0 to 18"),
        ("racks rr,rg", "racks rg,rr", "not sorted"),
        ("racks rr,rg", "racks rr", "the colours on the board"),
        ("racks rr,rg", "racks rr,rb", "'rb' is not a tile"),
        ("racks rr,rg rg,gg", "racks rr,rr rr,rr", "the game has 5 tiles rr, not 8"),
        ("bag rr,rr", "bag rr,xx", "'xx' is not a tile"),
        ("shown - -", "shown rr -", "without a swap"),
        ("drawn_since 0,0 0,0", "drawn_since 0,0 0,999", "up to 255"),
        ("stream 0123456789abcdef", "stream 0123", "16 hexadecimal digits"),
        ("stream 0123456789abcdef", "future 0123456789abcdef", "expected a line 'stream'"),
        ("policy_key fedcba9876543210", "policy_key xyz", "policy_key must be 16 hexadecimal digits"),
        ("shown - -\n", "", "has 11 lines, not 10"),
    ],
)
def test_malformed_positions_say_what_is_wrong(old, new, complaint):
    assert old in START
    with pytest.raises(ValueError, match=complaint):
        Game.from_text(START.replace(old, new))


@pytest.mark.parametrize("text", [None, 7, b"ingenious 1"])
def test_a_position_is_a_string(text):
    with pytest.raises(TypeError, match="is a str"):
        Game.from_text(text)
    with pytest.raises(TypeError, match="is a str"):
        Record.from_text(text)


@settings(max_examples=400, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 4))
def test_fuzzed_positions_are_refused_or_mean_one_thing(rng: random.Random, edits: int):
    text = START
    for _ in range(edits):
        at = rng.randrange(len(text))
        end = min(len(text), at + rng.choice([0, 0, 1, 1, 2, 8]))
        middle = rng.choice(["", rng.choice("rgboyp0123456789,.-/ =\nxé"), text[at:end] * 2])
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


@pytest.mark.parametrize(
    "move", [Place(((0, -4), 1), ((1, -4), 3)), Place(((-10, 3), 6), ((0, 0), 6)), "swap", "keep"]
)
def test_moves_round_trip(move):
    assert text_to_move(move_to_text(move)) == move


def test_a_move_reads_as_documented():
    assert move_to_text(Place(((0, -4), 1), ((1, -4), 3))) == "r0,-4 b1,-4"


@pytest.mark.parametrize(
    "text",
    ["", "pass", "swa p", "r0,-4", "r0,-4 b1,-4 g2,2", "x0,-4 b1,-4", "r0 b1", "r0,-4b1,-4", "r٣,0 b1,0"],
)
def test_malformed_moves_say_what_is_allowed(text):
    with pytest.raises(ValueError, match=r"a move is|half a tile is"):
        text_to_move(text)


@given(st.text(max_size=30))
def test_any_text_as_a_move(text):
    try:
        move = text_to_move(text)
    except ValueError:
        return
    assert text_to_move(move_to_text(move)) == move


def recorded(rules: Rules, seed: int) -> tuple[Record, Game]:
    game, moves = Game(rules, (seed, 3)), []
    while not game.is_over:
        moves.append(game.move(game.random_action()))
        game.play(game.action(moves[-1]))
    return Record(rules, (seed, 3), tuple(moves)), game


@pytest.mark.parametrize("name", VARIANTS)
def test_records_round_trip_and_replay(name):
    record, game = recorded(VARIANTS[name], 5)
    again = Record.from_text(record.to_text())
    assert again == record
    assert again.replay() == game
    assert again.replay(0) == Game(VARIANTS[name], (5, 3))
    assert again.replay(2).state.placed[0] == 2


def test_bad_records_say_what_is_wrong():
    record, _ = recorded(Rules(), 1)
    text = record.to_text()
    for old, new, complaint in [
        ("ingenious-record 1", "ingenious 1", "begins with the line"),
        ("seed 1 3", "seed one", "two numbers"),
        ("seed 1 3", f"seed {2**64} 3", "seed must be from"),
        ("rules ", "rule ", "continues with a rules line"),
        ("players=2", "players=0", "num_players"),
        ("\n" + move_to_text(record.moves[4]), "\nhello", "half a tile is"),
    ]:
        with pytest.raises(ValueError, match=complaint):
            Record.from_text(text.replace(old, new))
    twice = Record(record.rules, record.seed, (*record.moves[:3], record.moves[0]))
    with pytest.raises(IllegalActionError, match="move 4 of the record"):
        twice.replay()


def test_rules_lines_round_trip():
    for rules in VARIANTS.values():
        game = Game(rules, 0)
        assert text_to_rules(game.to_text().split("\n")[1].removeprefix("rules ")) == rules


def test_every_derived_field_is_checked():
    """`check_consistency` detects a change of any significant byte."""
    game = batch_at(Rules(), 1, 20)[0]
    game.check_consistency()
    for field in (
        "board",
        "points",
        "open_pairs",
        "unplaced",
        "bag",
        "placed",
        "to_play",
        "phase",
        "plays_left",
    ):
        twin = game.clone()
        values = getattr(twin.state, field).reshape(-1)
        values[-1] ^= values.dtype.type(1)  # NumPy 1 does not take a plain 1 for an unsigned word
        with pytest.raises(InconsistentStateError):
            twin.check_consistency()


def test_positions_that_cannot_be_are_refused():
    with pytest.raises(InconsistentStateError, match="the rack of seat 1 must be full"):
        Game.from_text(START.replace("racks rr,rg rg,gg", "racks rr,rg rg").replace("bag rr", "bag gg,rr"))
    game = Game(Rules(), 0)
    game.state.swaps[0] = 1
    game.state.shown[0, 0, 0] = 6  # there are five
    with pytest.raises(InconsistentStateError, match="more tiles are said to be shown"):
        Game.from_text(game.to_text())
    game = Game(Rules(), 0)
    game.play(game.random_action())
    game.state.touched[0] = 0
    with pytest.raises(InconsistentStateError, match=r"start symbol \d must be touched in this first round"):
        Game.from_text(game.to_text())


@pytest.mark.parametrize(
    ("field", "place", "value", "complaint"),
    [
        ("board", -1, 0, "the entry after the board is not off the board"),
        ("board", 5, 7, "a cell's colour must be from 0 to 6"),
        ("board", -2, 7, "a cell's colour must be from 0 to 6"),
        ("board", -2, -1, "a cell's colour must be from 0 to 6"),
        ("board", 5, 1, "open_pairs does not follow from the board"),
        ("racks", (1, 0), 21, "tile types are 0 to 20"),
        ("bag", 0, 1, "the part of the bag that has been drawn must be 0"),
        ("placed", (), 3, "0 tiles must be on the board, not 3"),
        ("to_play", (), 3, "to_play must be from 0 to 2, not 3"),
        ("to_play", (), 1, "seat 0 must be to move in turn 0, not 1"),
        ("scores", (1, 2), 19, "counters must be from 0 to 18"),
        ("phase", (), 3, "phase must be from 0 to 2, not 3"),
        ("turn", (), 3, "0 tiles on the board are too few for turn 3"),
        ("plays_left", (), 0, "plays_left cannot be 0 in phase 0"),
        ("plays_left", (), 14, "plays_left cannot be 14"),
        ("held", (), 7, "slot 6 cannot be picked"),
    ],
)
def test_what_is_wrong_with_a_position_is_said_in_full(field, place, value, complaint):
    """Of three players at the start of a game with seed 3."""
    game = Game(Rules(3), 3)
    index = place if isinstance(place, tuple) else (place,)
    getattr(game.state, field)[(0, *index)] = value
    with pytest.raises(InconsistentStateError) as caught:
        game.check_consistency()
    assert str(caught.value) == complaint


@pytest.mark.parametrize("placed", [1, 3])
def test_the_number_of_tiles_on_the_board_is_theirs(placed):
    game = Game(Rules(3), 3)
    for _ in range(2):
        game.play(game.random_action())
    game.state.placed[0] = placed
    with pytest.raises(InconsistentStateError, match=f"2 tiles must be on the board, not {placed}"):
        game.check_consistency()


def test_an_offer_to_swap_that_cannot_be_is_refused():
    batch = GameBatch(Rules(), 2048, 1)
    while not (batch.phase == SWAP).any():
        batch.play(batch.random_actions(), auto_reset=True)
    game = batch[int(np.flatnonzero(batch.phase == SWAP)[0])]
    assert Game.from_text(game.to_text()) == game
    colour = game.racks[game.to_play][0][0]
    game.state.scores[0, game.to_play, colour - 1] = 0
    with pytest.raises(InconsistentStateError, match="this seat may not swap"):
        Game.from_text(game.to_text())


def test_all_bonus_plays_of_a_turn_may_be_owed():
    """One for the turn, and two for each of six colours: tiles of two halves."""
    game = Game(Rules(3), 3)
    game.state.plays_left[0] = 13
    game.check_consistency()


def test_a_slot_in_hand_is_one_that_may_be_picked():
    """Of equal tiles that is the first; what a position may not hold, a random action would play on from."""
    text = START.replace("racks rr,rg", "racks rr,rr").replace("bag rr,rr", "bag rr,rg")
    with pytest.raises(InconsistentStateError, match="slot 1 cannot be picked"):
        Game.from_text(text.replace("held=0", "held=2"))
    first = Game.from_text(text.replace("held=0", "held=1"))
    batch = GameBatch.from_rows(first.rules, first.state.memory, staged=True)
    assert batch.legal_mask()[0, batch.random_actions()[0]] == 1
    for held in (1, 2):
        assert Game.from_text(START.replace("held=0", f"held={held}")).state.held[0] == held


def test_1_1_colours_are_the_first_letters_of_their_names():
    assert COLOUR_NAMES == ("red", "green", "blue", "orange", "yellow", "purple")
    for colour, name in enumerate(COLOUR_NAMES, start=1):
        move = Place(((0, 0), colour), ((1, -2), 7 - colour))
        assert move_to_text(move)[0] == name[0]


@pytest.mark.parametrize("rules", [Rules.solitaire(), Rules.standard(2)], ids=["solitaire", "two"])
def test_flat_actions_count_through_slots_turns_and_pairs(rules):
    """In this order, the last the fastest; with keep and swap behind them."""
    space = variant_of(rules).flat_actions
    parts = list(product(range(rules.rack_size), (0, 1), range(rules.geometry.num_pairs)))
    assert [space.split(action) for action in range(len(parts))] == parts
    assert [space.join(*each) for each in parts] == list(range(len(parts)))
    assert (space.keep, space.swap, space.size) == (len(parts), len(parts) + 1, len(parts) + 2)
