"""Hidden information never shows, and resampling it is uniform (LOOPIT.md 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from loopit_helpers import (
    CORNER,
    FIVE,
    VARIANTS,
    batch_at,
    chi_square,
    every_variant,
    fitting,
    legal_lays,
    make,
    material,
    position,
    tile,
    tile_order,
)

from ingenious_env import GameBatch, InconsistentStateError
from ingenious_env.games.loopit import Game, Lay, Rules, consistency

PUBLIC = ("board", "ends", "values", "needs", "fits", "scores", "unplaced", "placed", "turn", "to_play")
PUBLIC += ("phase", "laid", "held", "drawn", "policy_key")


@pytest.mark.parametrize("staged", [False, True], ids=["flat", "staged"])
@every_variant
def test_observations_do_not_change_when_hidden_tiles_do(name, staged):
    rules, games = VARIANTS[name], 24
    changed = 0
    for moves in (0, 3, 10, 21, 45):
        batch = batch_at(rules, games, moves, seed=moves, staged=staged)
        for viewer in range(rules.num_players):
            viewers = np.full(games, viewer)
            other = batch.clone()
            other.reshuffle_hidden(viewers, seed=viewer)
            changed += int((other.state.memory != batch.state.memory).any(axis=1).sum())
            assert np.array_equal(batch.observe(viewers=viewers), other.observe(viewers=viewers))
            assert np.array_equal(batch.state.racks[:, viewer], other.state.racks[:, viewer])
            for field in PUBLIC:
                assert np.array_equal(getattr(batch.state, field), getattr(other.state, field)), field
            mine = batch.to_play == viewer
            assert np.array_equal(batch.legal_mask()[mine], other.legal_mask()[mine])
            consistency.check(other.take(np.arange(0, games, 4)).state)
    assert changed > games


@every_variant
def test_a_fresh_deal_does_not_follow_from_the_one_before(name):
    for moves in (0, 9, 25):
        batch = batch_at(VARIANTS[name], 16, moves, seed=moves)
        other = batch.clone()
        other.reshuffle_hidden(seed=1)
        batch.reshuffle_hidden(seed=2)
        assert batch != other
        other.reshuffle_hidden(seed=2)
        assert batch == other


def test_the_racks_the_tiles_put_out_and_the_future_do_change():
    batch = GameBatch(Rules(fixed_rounds=True), 64, 0)
    other = batch.clone()
    other.reshuffle_hidden(seed=1)
    for field in ("racks", "out", "bag"):
        parts = [getattr(each.state, field) for each in (batch, other)]
        parts = [part[:, 1] for part in parts] if field == "racks" else parts
        assert (parts[0] != parts[1]).any(axis=1).mean() > 0.95
    assert (batch.state.stream != other.state.stream).all()
    again = batch.clone()
    again.reshuffle_hidden(seed=1)
    assert again == other
    assert np.array_equal(batch.state.policy_key, other.state.policy_key)


# All deals that agree with what the viewer knows are equally likely: counted one by one.


def splits(tiles: tuple, sizes: list[int]) -> Iterator[tuple]:
    """Every way to deal tiles, distinguished even if equal, to places of these sizes; the rest comes last."""
    if not sizes:
        yield (tiles,)
        return
    for chosen in combinations(range(len(tiles)), sizes[0]):
        rest = tuple(each for number, each in enumerate(tiles) if number not in chosen)
        for more in splits(rest, sizes[1:]):
            yield (tuple(tiles[number] for number in chosen), *more)


def sorted_tiles(tiles) -> tuple:
    return tuple(sorted(tiles, key=tile_order))


def possible_deals(game: Game, viewer: int) -> Counter:
    """The number of deals of each kind: the other racks, the tiles put out, the bag."""
    others = [seat for seat in range(game.rules.num_players) if seat != viewer]
    sizes = [*(len(game.racks[seat]) for seat in others), len(game.put_out)]
    fits, mover, held = fitting(game), game.to_play, int(game.state.held[0])
    exhausted = game.is_over and game.turn != game.rules.num_rounds * game.rules.num_players
    found: Counter = Counter()
    for deal in splits(tuple(game.unseen(viewer).elements()), sizes):
        racks = dict(zip(others, map(sorted_tiles, deal), strict=False)) | {viewer: tuple(game.racks[viewer])}
        lays = [each[0] in fits for each in racks[mover]]
        anywhere = any(each[0] in fits for part in (*racks.values(), deal[-1]) for each in part)
        if game.phase == "lay" and not any(lays):
            continue
        if held:
            rack = racks[mover]
            if not lays[held - 1] or (held > 1 and rack[held - 2] == rack[held - 1]):
                continue
        if game.phase == "throw" and (any(lays) or not anywhere):
            continue
        if exhausted and anywhere:
            continue
        found[tuple(map(sorted_tiles, deal))] += 1
    return found


def dealt(game: Game, viewer: int, samples: int) -> Counter:
    """The frequency of each kind of deal."""
    crowd = GameBatch.from_rows(game.rules, np.repeat(game.state.memory, samples, axis=0))
    crowd.reshuffle_hidden(np.full(samples, viewer), seed=samples)
    state, types, drawn = crowd.state, game.rules.material.types, int(game.state.drawn[0])
    others = [seat for seat in range(game.rules.num_players) if seat != viewer]
    parts = [*(state.racks[:, seat] for seat in others), state.out, np.sort(state.bag[:, drawn:], axis=1)]
    found = Counter(zip(*(map(bytes, part) for part in parts), strict=True))
    return Counter(
        {
            tuple(tuple(types[number] for number in part if number != 255) for part in deal): count
            for deal, count in found.items()
        }
    )


def compare_deals(game: Game, viewer: int, samples: int = 20_000) -> int:
    """The number of kinds of deals."""
    game.check_consistency()
    expected = possible_deals(game, viewer)
    found = dealt(game, viewer, min(samples, 40 * len(expected)))
    assert set(found) <= set(expected)
    assert chi_square(found, expected) < 6
    truth = [*(each for seat, each in enumerate(game.racks) if seat != viewer), game.put_out, game.bag_order]
    assert expected[tuple(map(sorted_tiles, truth))] > 0
    return len(expected)


OPEN = {(2, 2): "NEW5", (2, 3): "W1", (2, 1): "E1"}
"""Tiles fit that have an end down."""


def test_deals_to_a_waiting_seat():
    """The other seat may lay a tile: it has one that fits."""
    game = position({(2, 2): "N5"}, ["S1 N1 E2", "S2 S3 N1"], "N3 S4 E2", rack=3)
    itself = position({(2, 2): "N5"}, ["S2 S3 N1", "S1 N1 E2"], "N3 S4 E2", rack=3)
    assert compare_deals(game, 1) < compare_deals(itself, 0)


def test_deals_to_a_waiting_seat_while_another_can_lay_nothing():
    game = position({(2, 2): "N5"}, ["N1 N1 E2", "S2 S3 N1", "E4 E5 S6"], "N3 S4 S1", rack=3, phase="throw")
    for viewer in (1, 2):
        assert compare_deals(game, viewer) > 10


def test_deals_to_a_seat_that_can_lay_nothing():
    """Something fits: of another rack or of the bag. All that does may be put out but one."""
    game = position(
        OPEN, ["N1 N2", "N3 S4"], "E5 S6", out="N7 S8 S9 E1", rack=2, phase="throw", rounds="fixed"
    )
    assert compare_deals(game, 0) > 10
    everything = sum(1 for _ in splits(tuple(game.unseen(0).elements()), [2, 4]))
    assert possible_deals(game, 0).total() < everything
    assert compare_deals(game, 1) > 10


def test_deals_of_tiles_put_out():
    game = position(OPEN, ["S1 N2", "N3 S4"], "E5 S6", out="N7 S8 S9 E1", rack=2, rounds="fixed")
    assert compare_deals(game, 0) == compare_deals(
        position(OPEN, ["S1 N2", "S6 S4"], "E5 N3", out="N7 S8 S9 E1", rack=2, rounds="fixed"), 0
    )
    assert compare_deals(game, 1) > 10


def test_deals_after_a_game_in_which_nothing_fits_any_more():
    """Tiles that fit must be out of the game, by public information."""
    board = {(2, 2): "NEW5", (2, 3): "W1"}
    game = position(board, ["E2 N1", "N1 N2"], "N3 N4", out="N7 S2 E3 E4", rounds="fixed", rack=2)
    make(game, Lay(tile("E2"), (2, 1)))
    assert game.is_over
    for viewer in (0, 1):
        assert compare_deals(game, viewer) > 5
        assert all(("S", 2) in deal[-2] for deal in possible_deals(game, viewer))


def test_deals_after_the_last_round():
    """Then the fact that a tile fits has no information on the deal."""
    board = {(2, 2): "NEW5", (2, 3): "W1"}
    game = position(board, ["E2 N1", "S1 N2"], "N3 N4", out="N7 S2 E3 E4", rounds="fixed", rack=2, turn=24)
    make(game, Lay(tile("E2"), (2, 1)))
    assert not game.is_over
    make(game, Lay(tile("S1"), (1, 2)))
    assert game.is_over
    assert compare_deals(game, 0) > 10


@pytest.mark.parametrize("held", [1, 2, 3])
def test_deals_while_another_seat_has_a_tile_in_hand(held):
    """Of equal tiles it is the first."""
    game = position({(2, 2): "NE5"}, ["S1 W2 S3", "S2 N3 N1"], "N3 S3 W2 S1", rack=3)
    staged = Game.from_row(game.rules, game.state.memory[0], staged=True)
    staged.play(held - 1)
    assert compare_deals(staged, 1) > 4


SMALL = {
    "corner": Rules(2, material=CORNER, rack_size=2),
    "three": Rules(3, material=CORNER, rack_size=2),
    "in short rounds": Rules(
        2,
        material=material("NS1 NS1 NS2 N1 S1 EW1 E1 W3 NE1 NESW2 N4 S4", "1112 1111 2111", (1, 1)),
        rack_size=2,
        fixed_rounds=True,
    ),
    "three in short rounds": Rules(
        3,
        material=material("NS1 NS1 NS2 N1 S1 EW1 E1 W3 NE1 NESW2", "1112 1111 2111", (1, 1)),
        rack_size=2,
        fixed_rounds=True,
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_deals_in_games_as_they_are_played(name):
    """In any position, for every seat."""
    rules, kinds = SMALL[name], Counter()
    for seed in range(12):
        batch = GameBatch(rules, 1, seed)
        for _ in range(12):
            game = batch[0]
            for viewer in range(rules.num_players):
                waits = viewer != game.to_play and not game.is_over
                kind = (game.phase, waits, game.laid > 0)
                if kinds[kind] < 3:
                    compare_deals(game, viewer, 8000)
                    kinds[kind] += 1
            if game.is_over:
                break
            batch.play(batch.random_actions())
    assert {("lay", False, False), ("lay", True, False), ("over", False, False)} <= set(kinds)
    assert name != "corner" or ("throw", True, False) in kinds


def test_the_bag_is_shaken():
    """Its first and its last tile are each as likely as the tiles that the viewer does not see are many."""
    game = batch_at(Rules(2, material=FIVE, rack_size=2), 1, 2)[0]
    crowd = GameBatch.from_rows(game.rules, np.repeat(game.state.memory, 20_000, axis=0))
    crowd.reshuffle_hidden(seed=9)
    types = game.rules.material.types
    viewer = game.to_play
    expected = Counter({types.index(each): count for each, count in game.unseen(viewer).items()})
    for place in (int(game.state.drawn[0]), -1):
        found = Counter(crowd.state.bag[:, place].tolist())
        assert set(found) <= set(expected)
        if game.phase == "lay":
            assert chi_square(found, expected) < 6


def test_the_other_rack_can_always_lay_where_it_is_to():
    batch = batch_at(VARIANTS["few patterns"], 128, 6)
    waiting = np.flatnonzero(batch.phase == 0)
    assert len(waiting) > 20
    some = batch.take(waiting)
    some.reshuffle_hidden((some.to_play.astype(np.int64) + 1) % 4, seed=2)
    for row in range(len(some)):
        game = some[row]
        assert legal_lays(game, game.to_play)


# Positions without a deal.


def test_positions_that_cannot_be_are_refused():
    """Seat 0 is said to be stuck, and all tiles that seat 1 does not see fit."""
    game = position({(2, 2): "NESW5"}, ["S1 S2 S3", "N1 N2 N3"], "E4 E5", rack=3)
    game.state.phase[0] = 1
    before = game.clone()
    with pytest.raises(InconsistentStateError, match="game 0: no deal agrees"):
        game.reshuffle_hidden(1, seed=0)
    assert game == before
    game.state.phase[0] = 2  # over, as nothing fits any more
    before = game.clone()
    for viewer in (0, 1):
        with pytest.raises(InconsistentStateError, match="no deal agrees"):
            game.reshuffle_hidden(viewer, seed=0)
    assert game == before
    stuck = position({(2, 2): "N5"}, ["N1 N2 N3", "N4 N5 S6"], "N7", rack=3, phase="throw")
    stuck.state.phase[0] = 0  # to lay a tile that it does not have: of those unseen by seat 1, none fits
    with pytest.raises(InconsistentStateError, match="no deal agrees"):
        stuck.reshuffle_hidden(1, seed=0)


def test_in_a_batch_the_first_game_without_a_deal_is_named():
    batch = GameBatch(Rules(), 8, 0)
    batch.state.phase[[5, 6]] = 2
    before = batch.clone()
    with pytest.raises(InconsistentStateError, match="game 5: no deal agrees"):
        batch.reshuffle_hidden(np.ones(8, np.int64), seed=0)
    assert batch == before


def test_viewers_are_checked():
    game = Game(seed=0)
    with pytest.raises(ValueError, match="viewer must be from 0 to 1"):
        game.reshuffle_hidden(2)
    with pytest.raises(ValueError, match="player must be from 0 to 1"):
        game.unseen(2)
    with pytest.raises(ValueError, match="player must be from 0 to 1"):
        game.observe(-1)
