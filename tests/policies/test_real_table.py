"""`RealTable`: a game followed from one seat, told only what a person there sees.

The true game is an ordinary `Game`. What the follower is told is found from the true game's racks, board and
turns, and never more than the seat sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import helpers
import loopit_helpers
import numpy as np
import pytest
from real_tables import (
    SHOWING,
    any_action,
    drawn_by,
    is_public,
    table_for,
    texts_of,
    turns_with_full_racks,
)

from ingenious_env import Game, RealTable, Rules, View
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Lay
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies import advise

PRESETS = {
    f"{name} {preset}": rules.rules
    for name in ("ingenious", "loopit")
    for preset, rules in definition_of(Rules() if name == "ingenious" else LoopitRules()).presets.items()
}
OTHERS = {
    **{name: rules for name, rules in helpers.CUSTOM.items() if not rules.open_racks},
    **{f"loopit {name}": rules for name, rules in loopit_helpers.VARIANTS.items() if name != "19 x 19"},
}
VARIANTS = PRESETS | OTHERS


def tell(table, before, after, move, rng) -> list[str]:
    """Enter what a seat sees of a move: as an action, a move or a text; returns what happened."""
    seat, text = before.to_play, before.definition.move_to_text(move)
    events = [f"{'own' if seat == table.seat else 'other'} {move if isinstance(move, str) else 'lay'}"]
    if seat == table.seat:
        drawn = drawn_by(before, after, seat, move)
        rng.shuffle(drawn)
        form = [before.action(move), move, text][rng.integers(3)]
        assert table.num_drawn(form) == len(drawn)
        texts = texts_of(table.rules, drawn)
        table.play(form, drawn=[drawn, texts, ",".join(texts)][rng.integers(3)])
        return events
    if is_public(before, move):
        shown = before.racks[seat] if move in SHOWING else []
        table.play([move, text][rng.integers(2)], shown=shown, seat=seat)
    if after.turn > before.turn and not table.is_over and table.game.turn == before.turn:
        table.play("stop")
        events.append("told of the end")
    return events


def is_settled(game, seat) -> bool:
    """Return whether the seat may see the position: no other one may still continue its turn unnoticed."""
    return game.is_over or game.to_play == seat or not game.has_private_choice


def with_key(game) -> Any:
    """A copy with a given key: policies' random choices follow from it."""
    copy = game.clone()
    copy.state.policy_key[:] = 7
    return copy


def assert_same(table, game) -> None:
    """What the seat observes, is told by its view, and could have dealt, byte for byte."""
    seat, mine = table.seat, table.game
    assert table.is_over == game.is_over
    if game.is_over:
        assert np.array_equal(mine.state.scores, game.state.scores)
        assert np.array_equal(mine.state.board, game.state.board)
        assert mine.ranks.tolist() == game.ranks.tolist()
        return
    assert mine.observe(seat).tobytes() == game.observe(seat).tobytes()
    assert table.rack == game.racks[seat]
    assert table.to_play == game.to_play
    assert table.unseen == game.unseen(seat)
    if game.to_play != seat:
        return
    known, true = (View.of(with_key(each)) for each in (mine, game))
    assert table.view.observe().tobytes() == true.observe().tobytes()
    assert known.seats.tolist() == true.seats.tolist() == [seat]
    assert known.legal_mask().tobytes() == true.legal_mask().tobytes()
    assert known.random_actions().tolist() == true.random_actions().tolist()
    assert known.complete(3).state.memory.tobytes() == true.complete(3).state.memory.tobytes()


def followed(rules, seed, seat, rng, rack=None) -> Iterator[tuple[RealTable, Any, list[str]]]:
    """The table and the true game after each of its moves, with what happened; with a rack for the seat."""
    game = definition_of(rules).game(rules, seed)
    game.deal({seat: rack} if rack else {})
    table = table_for(game, seat)
    yield table, game, ["deal"]
    while not game.is_over:
        before = game.clone()
        move = game.move(any_action(game, rng))
        game.play(game.action(move))
        if ended_unnoticed(game):
            return
        events = tell(table, before, game, move, rng)
        yield table, game, events


def ended_unnoticed(game) -> bool:
    """Whether a game with fixed rounds ended early, as what fits is out of the game (LOOPIT.md 5.1)."""
    if not (isinstance(game, Loopit) and game.is_over and game.put_out):
        return False
    fits, last = loopit_helpers.fitting(game), game.rules.num_rounds * game.rules.num_players
    return any(ends in fits for ends, _ in game.put_out) and game.turn < last


def games_of(name) -> Iterator[tuple[RealTable, Any, list[str]]]:
    """Some games of a variant, more of short ones, followed from several seats."""
    rules = VARIANTS[name]
    for seed in range(12 if rules.num_tiles < 40 else min(4, max(2, rules.num_players))):
        rng = np.random.default_rng(seed)
        yield from followed(rules, seed, seed % rules.num_players, rng)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_seat_knows_what_it_would_in_the_true_game(name):
    """At each step of whole games, although the hidden tiles are others."""
    steps, others = 0, 0
    for table, game, _ in games_of(name):
        if is_settled(game, table.seat):
            assert_same(table, game)
            steps += 1
            others += table.game.racks != game.racks
    assert steps > 10
    if VARIANTS[name].num_players > 1:
        assert others > (steps // 4 if name in PRESETS else 0)


@pytest.mark.parametrize("name", PRESETS)
def test_advice_is_that_in_the_true_game(name):
    """By `value`: the same actions with the same values, at each decision of the seat."""
    rules, decisions = PRESETS[name], 0
    policy = definition_of(rules).policy("value")
    for table, game, _ in followed(rules, 11, 11 % rules.num_players, np.random.default_rng(11)):
        if game.is_over or game.to_play != table.seat:
            continue
        mine, true = (advise(policy, View.of(with_key(each)), 50) for each in (table.game, game))
        assert mine.actions.tolist() == true.actions.tolist()
        assert mine.values.tobytes() == true.values.tobytes()
        actions = [int(policy.act(View.of(with_key(each)))[0]) for each in (table.game, game)]
        assert actions[0] == actions[1]
        decisions += 1
    assert decisions > 5


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (
            ["ingenious two", "side8"],
            {"own lay", "other lay", "own swap", "other swap", "own keep", "other keep"},
        ),
        (
            ["loopit 5 x 5", "loopit one line", "loopit corner"],
            {
                *("own lay", "other lay", "own stop", "other stop", "own throw back", "other throw back"),
                *("own keep", "other keep", "told of the end"),
            },
        ),
    ],
)
def test_the_games_followed_have_all_kinds_of_moves(names, wanted):
    """Swaps, bonus plays and private choices, by the own seat and by others."""
    happened: Counter[str] = Counter()
    for name in names:
        for table, game, events in games_of(name):
            happened.update(events)
            if isinstance(game, Game) and game.phase == "place" and table.entries:
                again = table.entries[-1].seat == game.to_play
                happened[f"{events[0].split()[0]} bonus"] += again
    assert wanted <= set(happened), happened
    if names[0].startswith("ingenious"):
        assert min(happened["own bonus"], happened["other bonus"]) > 1


# Entries that cannot be.


def opening(seat=0) -> tuple[RealTable, Any]:
    """A table of two in Ingenious at the deal, and its game."""
    game = Game(Rules(), 5)
    return table_for(game, seat), game


def refused(table, message, move, **more) -> None:
    """An entry is refused with a sentence, and nothing changes."""
    before, entries = table.game, table.entries
    with pytest.raises(ValueError, match=message):
        table.play(move, **more)
    assert table.game == before
    assert table.entries == entries


def test_wrong_entries_are_refused_and_nothing_changes():
    table, game = opening()
    low, high = game.racks[0][0]
    own = f"{'rgboyp'[low - 1]}0,-4 {'rgboyp'[high - 1]}1,-4"
    held = {tile for rack in game.racks for tile in rack}
    absent = next(tile for tile in variant_tiles(game) if tile not in held)
    refused(table, "seat 0 draws 1 tile after this move, not 0", own)
    refused(table, "seat 0 draws 1 tile after this move, not 2", own, drawn=[absent, absent])
    refused(table, "there is no tile 'zz'; tiles are", own, drawn="zz")
    refused(table, "seat 0 is to move, not seat 1", own, drawn=[absent], seat=1)
    refused(table, "shown is for the tiles of another seat, not of seat 0", own, shown=[absent])
    refused(table, "is not on the rack, which holds", move_with(absent))
    refused(table, "swap: a tile must be placed now, there is no choice to swap", "swap")
    refused(table, "half a tile is a colour", "r0,-4 1,-4")
    refused(table, "must touch a start symbol", own.replace("0,-4", "0,0").replace("1,-4", "1,0"))
    with pytest.raises(TypeError, match="a move is Place"):
        table.play((1, 2, 3))
    with pytest.raises(ValueError, match="there is no entry to take back"):
        table.take_back()
    table.play(own, drawn=[absent])
    refused(table, "drawn is for the tiles of seat 0, not of seat 1", "r5,-4 g5,-3", drawn=[absent])
    refused(table, "this move shows no tiles", "r5,-4 g5,-3", shown=[absent])
    refused(table, "an action names a slot, and the rack of seat 1 is unseen", 0)
    refused(table, "seat 1 has not just placed a tile", "swap", shown=[absent])
    with pytest.raises(ValueError, match="seat 0 has no move to choose: seat 1 is to move"):
        table.view  # noqa: B018 - a property
    with pytest.raises(ValueError, match="seat 1 is to move, not seat 0"):
        table.num_drawn("r5,-4 g5,-3")


def variant_tiles(game) -> list[Any]:
    return list(game.definition.tiles(game.rules))


def move_with(tile) -> tuple[Any, Any]:
    """A placement of a tile that touches the red start symbol."""
    return ((0, -4), tile[0]), ((1, -4), tile[1])


def test_a_game_that_is_over_takes_no_entries():
    *_, (table, _, _) = followed(Rules.solitaire(), 3, 0, np.random.default_rng(3))
    refused(table, "the game is over", "r0,-4 r1,-4")
    with pytest.raises(ValueError, match="seat 0 has no move to choose: the game is over"):
        table.view  # noqa: B018 - a property


@pytest.mark.parametrize(
    ("rules", "seat", "rack", "start", "message"),
    [
        (Rules(), 0, "rr,gg", None, "the rack of seat 0 has 6 tiles in the deal, not 2"),
        (Rules(), 1, "rr rr rr rr rr rr", None, "the game has 5 tiles rr, not 6"),
        (Rules(), 2, "rr,rr,rr,rr,rr,gg", None, "seat must be from 0 to 1, not 2"),
        (Rules(), 0, "rr,rr,rr,rr,rr,gr", None, "there is no tile 'gr'"),
        (Rules(), 0, "rr,rr,rr,rr,rr,rg", "gg", "the start square has 0 tiles in the deal, not 1"),
        (LoopitRules(), 0, "NE1,NE2,NE3,NE4,NE5", None, "the start square has 1 tile in the deal, not 0"),
        (LoopitRules(), 0, "NE1,NE2,NE3,NE4,NE5", "NE1", "the game has 1 tile NE1, not 2"),
        (Rules(open_racks=True), 0, "rr", None, "with open racks nothing is unseen but the bag"),
    ],
)
def test_deals_that_cannot_be_are_refused(rules, seat, rack, start, message):
    with pytest.raises(ValueError, match=message):
        RealTable(rules, seat, rack, start)


def somewhere(game, tile) -> Any:
    """A legal placement of a tile, whichever rack it is on; None if there is none, or in a first round."""
    if isinstance(game, Loopit):
        places = loopit_helpers.squares_for(game, {tile[0]})[tile[0]]
        return Lay(tile, min(places)) if places else None
    if game.turn < game.rules.num_players:
        return None
    pair = next(pair for pair in game.rules.geometry.pairs if not game.board[pair].any())
    return tuple(
        (tuple(game.rules.cells[cell].tolist()), colour) for cell, colour in zip(pair, tile, strict=True)
    )


@pytest.mark.parametrize("name", ["ingenious two", "ingenious four", "loopit two", "loopit 5 x 5"])
def test_another_seat_can_lay_just_the_tiles_that_are_unseen(name):
    """By trying each tile of the game where it fits."""
    accepted, rejected = 0, 0
    rack = None if name.startswith("loopit") else [(1, 1)] * 5 + [(1, 2)]
    for table, game, _ in followed(VARIANTS[name], 4, 0, np.random.default_rng(4), rack):
        if game.is_over or game.to_play == 0 or accepted > 150 or not is_settled(game, 0):
            continue
        before, unseen = table.game, game.unseen(0)
        for tile in variant_tiles(game):
            move = somewhere(game, tile)
            if move is None:
                continue
            if unseen[tile]:
                table.play(move)
                assert table.unseen == unseen - Counter([tile])
                table.take_back()
                accepted += 1
            else:
                refused(table, "seat 0 has seen where all tiles", move)
                rejected += 1
            assert table.game == before
    assert accepted > 20
    assert rejected > 5


@pytest.mark.parametrize("name", ["ingenious two", "ingenious partnership", "side8"])
def test_another_seat_swaps_just_the_racks_without_a_lowest_colour(name):
    """RULES.md 6.1 and 6.3, by the counters and the bag after its last tile; the racks are random."""
    rules, happened, rng = VARIANTS[name], Counter(), np.random.default_rng(2)
    for seed in range(3):
        for table, _, _ in followed(rules, seed, 0, rng):
            last = table.entries[-1] if table.entries else None
            if table.is_over or last is None or last.seat in (0, table.to_play) or isinstance(last.move, str):
                continue
            game, size = table.game, rules.rack_size - plays_in_turn(table)
            counters = game.scores[rules.sheet_of(last.seat)]
            lowest = {int(colour) + 1 for colour in np.flatnonzero(counters == counters.min())}
            in_bag = sum(game.bag.values()) + len(game.racks[last.seat]) - size
            every = list(table.unseen.elements())
            plain = [tile for tile in every if not lowest & set(tile)]
            for pool in (plain, every):
                if len(pool) < size or len(game.racks[last.seat]) < rules.rack_size:
                    continue
                rack = [pool[k] for k in rng.permutation(len(pool))[:size]]
                if in_bag >= rules.rack_size and not any(lowest & set(tile) for tile in rack):
                    table.play("swap", shown=rack)
                    assert table.entries[-1].seat == last.seat
                    assert table.game.state.shown[0, last.seat].sum() == size
                    table.take_back()
                    happened["accepted"] += 1
                else:
                    refused(table, f"seat {last.seat} may not do this with these tiles", "swap", shown=rack)
                    happened["rejected"] += 1
                for wrong in ([*rack, rack[0]], rack[1:]):
                    refused(table, f"seat {last.seat} shows {size} tile", "swap", shown=wrong)
    assert min(happened["accepted"], happened["rejected"]) > 10, happened


def plays_in_turn(table) -> int:
    """The tiles that the seat of the last entry has placed in its turn, bonus plays included."""
    plays, seat = 0, table.entries[-1].seat
    for entry in reversed(table.entries):
        if entry.seat != seat or isinstance(entry.move, str):
            break
        plays += 1
    return plays


@pytest.mark.parametrize("name", ["loopit two", "loopit 5 x 5", "loopit one line", "loopit corner"])
def test_another_seat_throws_back_just_if_it_may_have_a_rack_that_does_not_fit(name):
    """LOOPIT.md 3.3: there are as many unseen tiles that fit nowhere as it has tiles."""
    happened: Counter[bool] = Counter()
    for seed in range(2 if name == "loopit two" else 8):
        for table, game, _ in followed(VARIANTS[name], seed, 0, np.random.default_rng(seed)):
            if game.is_over or game.to_play == 0 or game.laid or not is_settled(game, 0):
                continue
            fits = loopit_helpers.fitting(game)
            stuck = sum(count for (ends, _), count in game.unseen(0).items() if ends not in fits)
            may = stuck >= len(game.racks[game.to_play])
            for choice in ("throw back", "keep"):
                if may:
                    table.play(choice)
                    table.take_back()
                else:
                    refused(table, f"{choice}: seat {game.to_play} has a tile that it can place", choice)
            refused(table, "stop", "stop")
            happened[may] += 1
    assert min(happened[True], happened[False]) > 1, happened


def test_the_choices_that_a_seat_may_have():
    """LOOPIT.md 3.1, 3.3: of the own seat by its rack, of another one by what it may hold."""
    stuck = RealTable(LoopitRules(), 0, "NS1,NS2,NS3,NS4,NS5", "EW1")
    assert stuck.choices == ["throw back", "keep"]
    stuck.play("keep")
    assert stuck.choices == []  # only NS6, NS7 and NS8 fit nowhere
    stuck.play("EW2@6,7")
    assert stuck.choices == ["stop"]
    copy = stuck.copy()
    copy.play("stop")
    assert (stuck.choices, copy.choices) == (["stop"], ["throw back", "keep"])
    assert [len(each.entries) for each in (stuck, copy)] == [2, 3]
    assert copy.at(2) == stuck.game


def test_the_tiles_that_another_seat_may_show():
    table = RealTable(Rules(3), 0, "rr,gy,by,oy,yp,pp")
    assert table.num_shown("swap") == 0
    table.play("r0,-4 r1,-4", drawn="gg")
    assert table.num_shown("swap") == 0
    table.play("g4,-4 y4,-3")
    assert (table.num_shown("swap"), table.num_shown("keep"), table.to_play) == (5, 0, 2)
    table.play("b4,0 y3,0")
    assert (table.num_shown("swap"), table.to_play) == (5, 0)
    table.take_back(3)
    assert table.num_shown("swap") == 0


# Taking back, and tables that begin later.


@pytest.mark.parametrize("name", [*PRESETS, "loopit 5 x 5, fixed", "side8"])
def test_entries_are_taken_back_one_by_one(name):
    """Each position again, down to the deal; and the same entries lead to the same positions."""
    rules = VARIANTS[name]
    positions = []
    for table, _, _ in followed(rules, 6, 0, np.random.default_rng(6)):
        positions += [table.game] * (len(table.entries) + 1 - len(positions))
    entries = table.entries
    assert len(entries) > 5
    for number in range(len(entries) - 1, -1, -1):
        table.take_back()
        assert table.entries == entries[:number]
    assert table.game == positions[0]
    for entry in entries:
        table.play(entry.move, drawn=entry.drawn, shown=entry.shown, seat=entry.seat)
    assert table.entries == entries
    assert table.game == positions[-1]
    table.take_back(len(entries))
    assert table.game == positions[0]
    with pytest.raises(ValueError, match="there is no entry to take back"):
        table.take_back()


@pytest.mark.parametrize("name", [*PRESETS, "six", "side8", "loopit two, fixed"])
def test_a_table_continues_any_position(name):
    """As the seat knows it there: other hidden tiles, and the same observations to the end of the game."""
    rules = VARIANTS[name]
    for seat in range(min(2, rules.num_players)):
        rng = np.random.default_rng(seat)
        game = definition_of(rules).game(rules, 21)
        while not game.is_over and (game.state.placed[0] < 9 or not is_settled(game, seat)):
            game.play(any_action(game, rng))
        other = game.clone()
        if rules.num_players > 1 and game.to_play == seat:
            other.reshuffle_hidden(seat, 5)
        table = RealTable.from_game(other, seat)
        assert_same(table, game)
        while not game.is_over:
            before = game.clone()
            move = game.move(any_action(game, rng))
            game.play(game.action(move))
            if ended_unnoticed(game):
                break
            tell(table, before, game, move, rng)
            if is_settled(game, seat):
                assert_same(table, game)


def test_a_table_does_not_continue_the_middle_of_another_seats_turn():
    game = Game(Rules(), 1, actions="staged")
    game.play(game.random_action())
    with pytest.raises(ValueError, match="the turn of seat 0 has begun: give a position before or after it"):
        RealTable.from_game(game, 1)


@pytest.mark.parametrize(
    "name", ["ingenious two", "ingenious three", "ingenious partnership", "loopit two", "loopit four"]
)
def test_a_position_by_what_lies_on_the_table(name):
    """The view of the true game, of a seat to move whose racks are all full, before any swap."""
    rules = VARIANTS[name]
    seen = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        for game, placed in turns_with_full_racks(rules, seed):
            seat = game.to_play
            order = [placed[k] for k in rng.permutation(len(placed))]
            table = RealTable.from_position(rules, seat, game.racks[seat], order, game.scores)
            mine, true = table.game, game
            assert mine.observe(seat).tobytes() == true.observe(seat).tobytes()
            assert table.view.legal_mask().tobytes() == View.of(game).legal_mask().tobytes()
            seen += 1
    assert seen > 20


def test_positions_that_cannot_be_are_refused():
    rules, rack, scores = Rules(), "rr,gy,by,oy,yp,pp", np.zeros((2, 6), int)
    two = ["r0,-4 p1,-4", "g5,-4 y5,-3"]
    for placed, message in [
        ([*two, "r0,-4 b0,-3"], r"two tiles lie on cell \(0, -4\)"),
        (["r0,-4 p9,-4"], r"cell \(9, -4\) is not on the board of side 6"),
        (["r0,-4 p2,-4"], "are not two adjacent cells"),
        (["swap"], "'swap' lays no tile"),
    ]:
        with pytest.raises(ValueError, match=message):
            RealTable.from_position(rules, 0, rack, placed, scores)
    whole = r"scores must be whole numbers of shape \[2, 6\], first by sheet"
    for given, message in [
        ({"rack": "rr,gy"}, "racks have 6 tiles: 2 are given"),
        ({"scores": None}, whole),
        ({"scores": [0, 0]}, whole),
        ({"scores": [[0] * 6, [0] * 5]}, whole),
        ({"scores": [[0] * 6, 0]}, whole),
        ({"scores": [[0] * 6, [0, 0, 0, 0, 0, [0, 1]]]}, whole),
        ({"scores": [[0] * 6, [0, 0, 0, 0, 0, True]]}, whole),
        ({"scores": scores == 1}, whole),
        ({"scores": scores + 0.5}, whole),
        ({"scores": [["0"] * 6] * 2}, whole),
        ({"scores": scores - 1}, "scores must be from 0 to 18"),
        ({"scores": scores + 19}, "scores must be from 0 to 18"),
        ({"rack": "rr,rr,rr,rr,rr,rr"}, "the game has 5 tiles rr, not 6"),
        ({"placed": [], "to_play": 1}, "0 tiles on the board are too few for seat 1 to be to move"),
    ]:
        with pytest.raises(ValueError, match=message):
            RealTable.from_position(
                **{"rules": rules, "seat": 0, "rack": rack, "placed": two, "scores": scores} | given
            )
    loopit = {"rules": LoopitRules(), "seat": 0, "rack": "NE1,NE2,NE3,NE4,NE5", "scores": [0, 0]}
    for placed, message in [
        (["NS1@6,6", "NS2@6,6"], r"two tiles lie on square \(6, 6\)"),
        (["NS1@13,6"], r"square \(13, 6\) is not on the board"),
        (["NS1@5,6"], "the start square .* must have a tile"),
    ]:
        with pytest.raises(ValueError, match=message):
            RealTable.from_position(placed=placed, **loopit)
