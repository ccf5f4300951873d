"""The turn, in positions worked out by hand: legality, points, how a turn and the game end, refusals."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from loopit_helpers import FACING, beyond, make, position, tile
from numpy.testing import assert_array_equal

from ingenious_env import GameBatch, IllegalActionError
from ingenious_env.compiled.phases import CHOOSE, OVER, PLACE
from ingenious_env.games.loopit import Game, Lay, Rules
from ingenious_env.games.loopit.tree import find_phases

ENDS = "NESW"
CLOSED = {(2, 1): "NE1", (1, 1): "ES1", (1, 2): "EW1", (1, 3): "EW1", (1, 4): "W1"}
"""A line from the west end of the start tile to its own end: tiles that take no further part."""


def lay(text: str, row: int, column: int) -> Lay:
    return Lay(tile(text), (row, column))


def refusal(game: Game, action: int) -> str:
    """Why an action is refused; the game stays as it is."""
    before = game.clone()
    with pytest.raises(IllegalActionError) as error:
        game.play(action)
    assert game == before
    message = str(error.value)
    start = f"action {action} is illegal: "
    assert message.startswith(start)
    return message[len(start) :].removesuffix(". The action mask shows what is legal")


def is_allowed(game: Game, move: Lay | str) -> bool:
    return bool(game.legal_mask()[game.action(move)])


def turned(ends: str, quarters: int) -> str:
    """Line ends after a number of quarter turns to the right."""
    return "".join(sorted((ENDS[(ENDS.index(end) + quarters) % 4] for end in ends), key=ENDS.index))


# Legality (LOOPIT.md 3.2), the same on each edge.


@pytest.mark.parametrize("end", ENDS)
def test_3_2_on_an_edge_both_have_an_end_or_neither_has(end):
    """The start tile has an end on one edge only; beyond it, a tile needs the facing one."""
    quarters = ENDS.index(end)
    racks = [[f"{turned(ends, quarters)}{value}" for value, ends in enumerate(("S", "NE", "ESW", "N"), 1)]]
    game = position({(2, 2): f"{end}9"}, [" ".join(racks[0]), "N1 N1 N1 N1"], rack=4)
    square = beyond((2, 2), end)
    allowed = {ends for ends in ("S", "NE", "ESW", "N") if FACING["N"] in ends}
    for value, ends in enumerate(("S", "NE", "ESW", "N"), 1):
        move = Lay((turned(ends, quarters), value), square)
        assert is_allowed(game, move) == (ends in allowed)
        if ends not in allowed:
            side = {"N": "lower", "E": "left", "S": "upper", "W": "right"}[end]
            found = refusal(game, game.action(move))
            assert found.endswith(f": the tile beyond its {side} edge has a line end there")
            assert found.startswith(f"tile {move.tile} does not fit on square {square}")


@pytest.mark.parametrize("end", ENDS)
def test_3_2_a_tile_beside_others_must_continue_a_line(end):
    """Beyond an edge without an end, an end is wrong, and none continues no line."""
    quarters = ENDS.index(end)
    others = turned("ESW", quarters)
    facing, aside = turned("S", quarters), turned("E", quarters)
    game = position({(2, 2): f"{others}9"}, [f"{facing}1 {aside}2", "N1 N1"], rack=2)
    square = beyond((2, 2), end)
    side = {"N": "lower", "E": "left", "S": "upper", "W": "right"}[end]
    for text, why in (
        (f"{facing}1", f"the tile beyond its {side} edge has no line end there"),
        (f"{aside}2", "it continues no line"),
    ):
        found = refusal(game, game.action(Lay(tile(text), square)))
        assert found == f"tile {tile(text)} does not fit on square {square}: {why}"


@pytest.mark.parametrize("end", ENDS)
def test_3_2_no_end_on_the_edge_of_the_board(end):
    """A line runs to the edge: a continuation there may turn aside, but not leave the board."""
    quarters = ENDS.index(end)
    line = turned("NS", quarters)
    one = beyond((2, 2), end)
    game = position(
        {(2, 2): f"{line}1", one: f"{line}1"}, [f"{line}2 {turned('S', quarters)}2", "N1 N1"], rack=2
    )
    square = beyond(one, end)
    edge = {"N": "upper", "E": "right", "S": "lower", "W": "left"}[end]
    found = refusal(game, game.action(Lay((line, 2), square)))
    assert (
        found
        == f"tile {(line, 2)} does not fit on square {square}: its {edge} line end lies on the board's edge"
    )
    assert is_allowed(game, Lay((turned("S", quarters), 2), square))


def test_2_1_the_edge_of_the_board_does_not_matter_to_the_first_tile():
    game = position({(0, 0): "NEW5"}, ["W2", "N1"], factors="111 111 111", start=(0, 0), rack=1)
    game.check_consistency()
    assert game.scores == [0, 0]
    make(game, lay("W2", 0, 1))
    assert game.scores == [2 + 5, 0]


def test_3_2_all_edges_count():
    """A square with tiles on three sides: one with an end towards it above, two without right and left."""
    board = {(2, 2): "NESW1", (2, 1): "ES1", (3, 1): "NS1", (2, 3): "SW1", (3, 3): "NS1"}
    game = position(board, ["NS4 N4 NESW4 EW4", "N1 N1 N1 N1"], "S3", rack=4)
    # (3, 2) has the start tile's end above, and tiles without an end to its left and right
    assert {str(move.tile[0]) for move in moves(game) if move.square == (3, 2)} == {"NS", "N"}


def moves(game: Game) -> list[Lay]:
    return [each for action in game.legal_actions() if isinstance(each := game.move(int(action)), Lay)]


def test_a_tile_needs_a_neighbour_and_an_empty_square():
    game = position({(2, 2): "NS5"}, ["NS2", "N1"], rack=1)
    assert refusal(game, game.action(lay("NS2", 2, 2))) == "square (2, 2) is taken"
    found = refusal(game, game.action(lay("NS2", 0, 4)))
    assert found.endswith("its upper line end lies on the board's edge")
    assert refusal(game, game.action(lay("NS2", 3, 3))).endswith("it continues no line")
    assert set(moves(game)) == {lay("NS2", 1, 2), lay("NS2", 3, 2)}


# Points (LOOPIT.md 4).


WORKED = {
    (3, 3): "NEW7", (3, 4): "SW4", (3, 2): "ES6", (4, 2): "NS1", (5, 2): "NE1", (5, 3): "EW1",
    (5, 4): "NEW5", (5, 5): "SW5",
}  # fmt: skip


@pytest.mark.parametrize("actions", ["flat", "staged"])
def test_4_2_the_worked_example_of_the_leaflet(actions):
    """9 + 12 + 7 = 28; the factor counts for the tile's own value, and only as it is laid."""
    factors = "1111111 1111111 1111111 1114111 1111121 1111911 1111111"
    game = position(
        WORKED, ["SW2 NES3 NW2 N1 N2", "N1 N1 N1 N1 N1"], "E1 E1 E1", factors=factors, start=(3, 3)
    )
    game = Game.from_row(game.rules, game.state.memory[0], staged=actions == "staged")
    make(game, lay("SW2", 2, 3))
    assert game.scores == [9, 0]
    make(game, lay("NES3", 4, 4))
    assert game.scores == [9 + 12, 0]
    make(game, lay("NW2", 4, 5))
    assert game.scores == [9 + 12 + 7, 0]
    assert (game.turn, game.to_play, game.laid) == (4 + 1, 1, 0)  # seven tiles are two rounds
    assert game.bag == Counter()
    assert sorted(game.racks[0]) == sorted(map(tile, ["N1", "N2", "E1", "E1", "E1"]))


@pytest.mark.parametrize("factor", range(1, 10))
def test_4_1_every_factor(factor):
    rows = f"11111 11{factor}11 11111 11{factor}11 11111"
    game = position({(2, 2): "NS5"}, ["NS3 S9", "N1 N1"], factors=rows, rack=2)
    make(game, lay("NS3", 1, 2))
    assert game.scores == [3 * factor + 5, 0]
    make(game, lay("S9", 0, 2))  # the factor below counts no more
    assert game.scores == [3 * factor + 5 + 9 + 3, 0]


def test_4_1_a_tile_joined_on_all_its_edges():
    board = {
        (2, 2): "ESW6", (2, 3): "SW1", (3, 3): "NSW3", (4, 3): "NW4", (4, 2): "NE5", (2, 1): "ES1",
        (3, 1): "NE2",
    }  # fmt: skip
    game = position(board, ["NESW9", "N1"], rack=1)
    make(game, lay("NESW9", 3, 2))
    assert game.scores == [9 + 6 + 3 + 5 + 2, 0]


# How a turn ends (LOOPIT.md 3.1, 3.4).


def test_3_1_stop_is_for_those_who_have_laid_a_tile():
    game = position({(2, 2): "NESW5"}, ["NS1 NS2 NS3 EW1 EW2", "N1 N1 N1 N1 N1"], "E1 E2 E3")
    stop = game.actions.choice("stop")
    assert refusal(game, stop) == "to stop is allowed after a tile was laid in this turn"
    make(game, lay("EW1", 2, 3))
    assert game.laid == 1
    make(game, "stop")
    assert (game.turn, game.to_play, game.laid, game.scores) == (1, 1, 0, [6, 0])
    assert Counter(game.racks[0]) == Counter(map(tile, ["NS1", "NS2", "NS3", "EW2", "E1"]))
    assert game.bag_order == [("E", 2), ("E", 3)]


@pytest.mark.parametrize("a_turn", [1, 2, 3])
def test_3_1_the_last_tile_of_a_turn_ends_it(a_turn):
    game = position({(2, 2): "NESW5"}, ["NS1 NS2 EW1 EW2", "N1 N1 N1 N1"], "W1 W2 W3", rack=4, a_turn=a_turn)
    for count, move in enumerate([lay("NS1", 1, 2), lay("EW1", 2, 3), lay("NS2", 3, 2)][:a_turn], 1):
        assert (game.to_play, game.turn) == (0, 0)
        make(game, move)
        assert game.laid == count % a_turn
    assert (game.to_play, game.turn) == (1, 1)
    assert sorted(game.racks[0])[-a_turn:] == [("W", 1), ("W", 2), ("W", 3)][:a_turn]


def test_3_1_an_empty_rack_ends_the_turn():
    game = position({(2, 2): "NESW5"}, ["EW1 EW2", "N1 N2"], rack=2)
    make(game, lay("EW1", 2, 3), lay("EW2", 2, 1))
    assert (game.to_play, game.turn, game.laid) == (1, 1, 0)
    assert game.racks == [[], [("N", 1), ("N", 2)]]


def test_3_1_a_turn_ends_when_no_tile_of_the_rack_fits():
    game = position({(2, 2): "NS5"}, ["N1 S9 W3", "N1 N1 N1"], "S1 S2", rack=3)
    make(game, lay("N1", 3, 2))
    assert (game.to_play, game.laid) == (0, 1)
    make(game, lay("S9", 1, 2))  # nothing is left for W3, nor for any player: both ends are closed
    assert game.is_over
    game = position({(2, 2): "NES5"}, ["N1 S9 E3", "N1 N1 W1"], "S1 S2", rack=3)
    make(game, lay("N1", 3, 2), lay("S9", 1, 2))
    assert (game.to_play, game.turn, game.laid, game.phase) == (1, 1, 0, "lay")
    assert Counter(game.racks[0]) == Counter(map(tile, ["E3", "S1", "S2"]))


def test_tiles_of_this_turn_count():
    game = position({(2, 2): "NS5"}, ["SW4 EW6 N1", "N1 N1 N1"], rack=3)
    assert not is_allowed(game, lay("EW6", 1, 1))
    make(game, lay("SW4", 1, 2), lay("EW6", 1, 1))
    assert game.scores == [4 + 5 + 6 + 4, 0]


# Who cannot lay a tile (LOOPIT.md 3.3).


def stuck(bag: str = "S1 S2 S3", **options) -> Game:
    """Seat 0 can lay none of its tiles; those in the bag, and of seat 1, fit."""
    return position({(2, 2): "N5"}, ["N1 N2 E3", "S4 S5 S6"], bag, rack=3, phase="throw", **options)


def test_3_3_a_rack_is_thrown_back():
    seen = Counter()
    game = stuck()
    assert [game.move(int(action)) for action in game.legal_actions()] == ["throw back", "keep"]
    for stream in range(300):
        twin = game.clone()
        twin.state.stream[0] = 1 + 7919 * stream
        make(twin, "throw back")
        assert (twin.to_play, twin.turn, twin.laid, twin.scores) == (1, 1, 0, [0, 0])
        assert Counter(twin.racks[0]) + twin.bag == Counter(map(tile, ["N1", "N2", "E3", "S1", "S2", "S3"]))
        assert len(twin.racks[0]) == 3
        twin.check_consistency()
        seen.update(twin.racks[0])
    assert all(abs(seen[each] - 150) < 5 * (300 / 4) ** 0.5 for each in seen)
    assert len(seen) == 6


def test_3_3_or_kept():
    game = stuck()
    racks, bag, stream = game.racks, game.bag_order, game.state.stream[0]
    make(game, "keep")
    assert (game.racks, game.bag_order, game.state.stream[0]) == (racks, bag, stream)
    assert (game.to_play, game.turn, game.phase) == (1, 1, "lay")


def test_3_3_even_where_no_tile_is_in_the_bag():
    game = position({(2, 2): "N5"}, ["E3 E4 E5", "S4 S5 S6"], rack=3, phase="throw")
    for choice in ("throw back", "keep"):
        twin = game.clone()
        make(twin, choice)
        assert twin.racks == game.racks
        assert (twin.to_play, twin.turn) == (1, 1)


@pytest.mark.parametrize("actions", ["flat", "staged"])
def test_3_3_no_other_action_is_left(actions):
    game = stuck()
    game = Game.from_row(game.rules, game.state.memory[0], staged=actions == "staged")
    throw, keep = game.actions.choice("throw back"), game.actions.choice("keep")
    assert game.legal_actions().tolist() == [throw, keep]
    due = f"no tile of the rack fits; this is the choice between {throw} (throw back) and {keep} (keep)"
    for action in range(game.actions.first_choice):
        assert refusal(game, action) == due
    stop = game.actions.choice("stop")
    assert refusal(game, stop) == "to stop is allowed after a tile was laid in this turn"


def test_3_3_with_an_empty_rack_the_turn_passes():
    """Of three seats only the first has tiles, which fit one after the other."""
    game = position({(2, 2): "EW5", **CLOSED}, ["EW1 W1", "", ""], rack=2)
    make(game, lay("EW1", 2, 3), "stop")
    assert (game.to_play, game.turn, game.phase, game.laid) == (0, 3 + 3, "lay", 0)
    make(game, lay("W1", 2, 4))
    assert game.is_over
    assert game.scores == [6 + 2, 0, 0]
    assert game.to_play == 0


# The end (LOOPIT.md 5).


def test_5_1_the_game_ends_when_all_tiles_are_laid():
    game = position({(2, 2): "EW5", **CLOSED}, ["W1", ""], rack=1)
    make(game, lay("W1", 2, 3))
    assert game.is_over
    assert not game.legal_mask().any()
    assert game.ranks.tolist() == [1, 2]


def test_5_1_the_game_ends_when_nothing_of_any_rack_or_of_the_bag_fits():
    board = {(2, 2): "NEW5", (2, 3): "W1"}
    for racks, bag, over in (
        (["E2 N1", "N1 N2"], "N3 N4", True),
        (["E2 N1", "S1 N2"], "N3 N4", False),
        (["E2 N1", "N1 N2"], "N3 S4", False),
        (["E2 N1", "N1 N2"], "S3 N4", False),
    ):
        game = position(board, racks, bag, rack=2)
        make(game, lay("E2", 2, 1))
        assert game.is_over == over
        if not over:
            assert game.phase == ("lay" if ("S", 1) in game.racks[1] else "throw")


def test_5_1_what_is_put_out_of_the_game_does_not_count():
    board = {(2, 2): "NEW5", (2, 3): "W1"}
    game = position(board, ["E2 N1", "N1 N2"], "N3 N4", out="S1 S2 S3 S4", rounds="fixed", rack=2)
    make(game, lay("E2", 2, 1))
    assert game.is_over
    game = position(board, ["E2 N1", "N1 N2"], "N3 S1", out="N4 S2 S3 S4", rounds="fixed", rack=2)
    make(game, lay("E2", 2, 1))
    assert game.phase == "throw"


@pytest.mark.parametrize(("players", "rounds", "out"), [(2, 13, 4), (3, 9, 2), (4, 7, 0)])
def test_2_2_the_last_round_ends_the_game(players, rounds, out):
    last = players * rounds
    racks = ["NS1 NS2 NS3"] * players
    options = {"rounds": "fixed", "out": "N1 " * out, "factors": "1111111111111 " * 13, "start": (6, 6)}
    for turn in (last - 2, last - 1):
        game = position({(6, 6): "NS1"}, racks, "NS1 " * 6, turn=turn, rack=3, **options)
        make(game, lay("NS3", 5, 6), "stop")
        assert game.is_over == (turn == last - 1)
        assert game.turn == turn + 1
        assert game.to_play == (players - 1 if turn == last - 1 else (turn + 1) % players)


def test_5_1_with_fixed_rounds_turns_that_pass_count():
    """All but seat 0 have no tiles: each of its turns is a round, and the 13th is its last."""
    options = {"rounds": "fixed", "out": "N1 N1 N1 N1", "rack": 2}
    for turn, over in ((22, False), (24, True)):
        game = position({(2, 2): "EW5", **CLOSED}, ["EW1 W2", ""], turn=turn, **options)
        make(game, lay("EW1", 2, 3), "stop")
        assert (game.is_over, game.turn) == (over, turn + 2)


@pytest.mark.parametrize(
    ("before", "ranks"),
    [((2, 7, 1, 9), [2, 2, 4, 1]), ((4, 9, 9, 9), [1, 1, 1, 1]), ((0, 0, 0, 0), [1, 2, 2, 2])],
)
def test_5_2_equal_scores_share_the_place(before, ranks):
    game = position({(2, 2): "EW4", **CLOSED}, ["W1", "", "", ""], rack=1, scores=before)
    assert game.ranks is None
    make(game, lay("W1", 2, 3))
    assert game.scores == [before[0] + 5, *before[1:]]
    assert game.ranks.tolist() == ranks


# Equal tiles, and other refusals.


@pytest.mark.parametrize("actions", ["flat", "staged"])
def test_of_equal_tiles_only_the_first_slot_is_legal(actions):
    game = position({(2, 2): "NS5"}, ["NS1 NS1 S2 NS3 NS3", "N1 N1 N1 N1 N1"], "N1")
    assert game.racks[0] == [("NS", 1), ("NS", 1), ("S", 2), ("NS", 3), ("NS", 3)]
    game = Game.from_row(game.rules, game.state.memory[0], staged=actions == "staged")
    if actions == "staged":
        assert game.legal_actions().tolist() == [0, 2, 3]
        equals = {1: 1, 4: 4}
    else:
        slots = {int(action) // 25 for action in game.legal_actions()}
        assert slots == {0, 2, 3}
        equals = {slot * 25 + 7: slot for slot in (1, 4)}
    for action, slot in equals.items():
        expected = f"slots {slot - 1} and {slot} hold equal tiles, and only the first of equals may be used"
        assert refusal(game, action) == expected
    make(game, lay("NS1", 1, 2))
    assert game.racks[0] == [("NS", 1), ("S", 2), ("NS", 3), ("NS", 3)]
    assert is_allowed(game, lay("NS1", 3, 2))


def test_refusals_of_flat_actions():
    game = position({(2, 2): "EW5", **CLOSED}, ["W1 W2", ""], rack=3)
    assert refusal(game, 2 * 25) == "slot 2 of the rack is empty"
    assert refusal(game, 3 * 25 + 3) == "actions are 0 to 77"
    assert refusal(game, -2) == "actions are 0 to 77"
    for choice in ("throw back", "keep"):
        expected = "a rack can only be thrown back or kept by a player who can lay no tile of it"
        assert refusal(game, game.actions.choice(choice)) == expected
    make(game, lay("W1", 2, 3))
    assert game.phase == "over"  # W2 fits nowhere any more
    batch = GameBatch.from_rows(game.rules, game.state.memory)
    with pytest.raises(IllegalActionError, match="the game is over, and only -1"):
        batch.play([0])


def test_refusals_of_staged_actions():
    game = position({(2, 2): "NS5", (3, 2): "N7"}, ["N1 W2 S3", "N1 N1 N1 N1"], rack=4)
    game = Game.from_row(game.rules, game.state.memory[0], staged=True)
    assert game.racks[0] == [("N", 1), ("W", 2), ("S", 3)]
    assert refusal(game, 0) == "tile ('N', 1) fits nowhere now"
    assert refusal(game, 1) == "tile ('W', 2) fits nowhere now"
    assert refusal(game, 3) == "slot 3 of the rack is empty"
    assert refusal(game, 4 + 7) == "first pick a slot, 0 to 3"
    game.play(2)
    for action in (0, 2, game.actions.choice("stop"), game.actions.choice("keep")):
        assert refusal(game, action) == "slot 2 is already picked; now say where its tile goes, 4 to 28"
    assert refusal(game, 4 + 12) == "square (2, 2) is taken"
    found = refusal(game, 4 + 0)
    assert re.fullmatch(r"tile \('S', 3\) does not fit on square \(0, 0\): it continues no line", found)
    assert game.legal_actions().tolist() == [4 + 7]
    game.play(4 + 7)
    assert game.scores == [8, 0]


def test_moves_that_are_none():
    game = position({(2, 2): "NS5"}, ["N1 N2", "N1 N3"], rack=2)
    for move, error, complaint in [
        (
            lay("N3", 1, 2),
            IllegalActionError,
            r"tile \('N', 3\) is not on the rack, which holds \[\('N', 1\)",
        ),
        (lay("N1", 5, 2), IllegalActionError, r"square \(5, 2\) is not on the board of 5 × 5 squares"),
        (lay("N1", 0, 5), IllegalActionError, r"square \(0, 5\) is not on the board of 5 × 5 squares"),
        (lay("N1", 0, -1), IllegalActionError, r"square \(0, -1\) is not on the board of 5 × 5 squares"),
        ("swap", TypeError, "a move is a Lay, 'stop', 'throw back', 'keep', not 'swap'"),
        (7, TypeError, r"a move is Lay\(\(line ends, value\), \(row, column\)\)"),
        ((("N", 1), 5), TypeError, "a move is Lay"),
        ((("N", "x"), (1, 2)), TypeError, "a move is Lay"),
        (None, TypeError, "a move is Lay"),
    ]:
        with pytest.raises(error, match=complaint):
            game.action(move)
    assert game.action((("N", 2), (3, 2))) == 25 + 17
    for action in (-1, 2 * 25 + 3):
        with pytest.raises(IllegalActionError, match=f"action {action} is not a move: actions are 0 to 52"):
            game.move(action)
    game = position({(2, 2): "EW5", **CLOSED}, ["W1", "W2"], rack=2)
    with pytest.raises(IllegalActionError, match="action 30 is not a move: slot 1 of the rack is empty"):
        game.move(30)
    staged = Game.from_row(game.rules, game.state.memory[0], staged=True)
    with pytest.raises(IllegalActionError, match="it picks a slot"):
        staged.move(0)
    with pytest.raises(IllegalActionError, match="no slot has been picked"):
        staged.move(20)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_phases_found_from_racks_are_those_of_play(players):
    """After every action of random games, over to their ends; and another rack gives another phase."""
    games, seen = GameBatch(Rules(players, rack_size=2), 60, seed=3), Counter()
    while not games.is_over.all():
        games.play(games.random_actions())
        expected = games.state.phase.copy()
        seen.update(expected.tolist())
        games.state.phase[:] = 7
        find_phases(games.state)
        assert_array_equal(games.state.phase, expected)
    assert set(seen) == {PLACE, CHOOSE, OVER}
