"""Hidden information never shows, and resampling it is uniform."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from helpers import VARIANTS, batch_at

from ingenious_env import Game, GameBatch, InconsistentStateError, Rules
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.games.ingenious import consistency
from ingenious_env.games.ingenious.state import SWAP

VISIBLE = (
    "board",
    "points",
    "open_pairs",
    "scores",
    "unplaced",
    "placed",
    "turn",
    "to_play",
    "phase",
)


@pytest.mark.parametrize("name", VARIANTS)
def test_observations_do_not_change_when_hidden_tiles_do(name):
    rules = VARIANTS[name]
    changed = 0
    for moves in (0, 3, 9, 14, 25):
        batch = batch_at(rules, 24, moves, seed=moves)
        for viewer in range(rules.num_players):
            viewers = np.full(24, viewer)
            other = batch.clone()
            other.reshuffle_hidden(viewers, seed=viewer)
            changed += int((other.state.memory != batch.state.memory).any(axis=1).sum())
            assert np.array_equal(batch.observe(viewers=viewers), other.observe(viewers=viewers))
            assert np.array_equal(batch.state.racks[:, viewer], other.state.racks[:, viewer])
            for field in (*VISIBLE, "plays_left", "touched", "swaps", "shown", "drawn_since", "drawn"):
                assert np.array_equal(getattr(batch.state, field), getattr(other.state, field)), field
            mine = batch.to_play == viewer
            assert np.array_equal(batch.legal_mask()[mine], other.legal_mask()[mine])
            consistency.check(other.state)
            if rules.open_racks:
                assert np.array_equal(batch.state.racks, other.state.racks)
    assert changed > 0


@pytest.mark.parametrize("name", VARIANTS)
def test_a_slot_that_is_picked_stays_one_that_may_be_picked(name):
    """After a fresh deal for any viewer the pick is the same, and there are legal actions."""
    rules, picked, equal = VARIANTS[name], 0, 0
    for moves in (0, 6, 14, 30):
        batch = batch_at(rules, 40, moves, seed=moves, staged=True)
        last = batch.num_actions - 1 - batch.legal_mask()[:, ::-1].argmax(axis=1)
        batch.play(
            np.where(batch.is_over, NO_ACTION, np.where(batch.state.held, batch.random_actions(), last))
        )
        picked += (batch.state.held > 0).sum()
        for viewer in range(rules.num_players):
            viewers = np.full(40, viewer)
            other = batch.clone()
            other.reshuffle_hidden(viewers, seed=viewer)
            consistency.check(other.state)
            assert np.array_equal(other.state.held, batch.state.held)
            assert np.array_equal(other.legal_mask().any(axis=1), ~batch.is_over)
            assert np.array_equal(batch.observe(viewers=viewers), other.observe(viewers=viewers))
            racks = np.where(other.state.racks == NO_TILE, -1 - np.arange(rules.rack_size), other.state.racks)
            equal += (np.diff(racks, axis=2) == 0).any()
    assert picked > 0
    assert equal or rules.rack_size == 1


@pytest.mark.parametrize("name", VARIANTS)
def test_a_fresh_deal_does_not_follow_from_the_one_before(name):
    for moves in (0, 9, 25):
        batch = batch_at(VARIANTS[name], 16, moves, seed=moves)
        other = batch.clone()
        other.reshuffle_hidden(seed=1)
        batch.reshuffle_hidden(seed=2)
        other.reshuffle_hidden(seed=2)
        assert np.array_equal(batch.state.memory, other.state.memory)


@pytest.mark.parametrize("form", ["vector", "planes", "dict"])
def test_no_form_of_observation_leaks(form):
    batch = batch_at(Rules.standard(3), 32, 30)
    other = batch.clone()
    other.reshuffle_hidden(seed=1)
    encode = batch.layout.encode
    assert str(encode(batch.observe(), form)) == str(encode(other.observe(), form))


def test_the_racks_and_the_future_do_change():
    batch = GameBatch(Rules(), 64, 0)
    other = batch.clone()
    other.reshuffle_hidden(seed=1)
    assert (batch.state.racks[:, 1] != other.state.racks[:, 1]).any(axis=1).mean() > 0.95
    assert (batch.state.bag != other.state.bag).any(axis=1).all()
    assert (batch.state.stream != other.state.stream).all()
    again = batch.clone()
    again.reshuffle_hidden(seed=1)
    assert again == other


def swapped_game(seed: int = 0) -> Game:
    """Two players, just after seat 0 has swapped."""
    batch = GameBatch(Rules(), 4096, seed)
    for _ in range(60):
        rows = np.flatnonzero((batch.phase == SWAP) & (batch.to_play == 0))
        if len(rows):
            game = batch[int(rows[0])]
            game.play(game.action("swap"))
            return game
        batch.play(batch.random_actions(), auto_reset=True)
    raise AssertionError


def test_tiles_shown_in_a_swap_are_in_the_bag_until_their_owner_draws():
    game = swapped_game()
    shown = game.state.shown[0, 0].copy()
    assert shown.sum() in range(1, 7)
    crowd = GameBatch.from_rows(game.rules, np.repeat(game.state.memory, 2000, axis=0))
    crowd.reshuffle_hidden(np.ones(2000, np.int64), seed=3)
    unplaced = game.state.unplaced[0].astype(int)
    mine = np.bincount(game.state.racks[0, 1], minlength=256)[: len(shown)]
    most = unplaced - mine - shown
    held = np.stack([np.bincount(rack, minlength=256)[: len(shown)] for rack in crowd.state.racks[:, 0]])
    assert (held <= most).all()
    assert (held.max(axis=0)[most > 0] > 0).all()


def test_what_was_shown_fades_as_it_may_have_been_drawn():
    game = swapped_game()
    state = game.state
    assert state.swaps[0] == 1
    assert not state.drawn_since[0, 0].any()
    before = state.shown[0, 0].astype(int)
    for _ in range(6):
        rack = game.racks[game.to_play]
        mover, action = game.to_play, game.random_action()
        move = game.move(action)
        was = state.drawn_since[0, 0, mover]
        game.play(action)
        if isinstance(move, str):
            break
        tile = tuple(sorted(colour for _, colour in move))
        assert tile in rack
        types = [(low, high) for low in range(1, 7) for high in range(low, 7)]
        if was and before[types.index(tile)]:
            before[types.index(tile)] -= 1
        assert state.shown[0, 0].tolist() == before.tolist()
        if game.phase == "place" and game.to_play != mover:
            assert state.drawn_since[0, 0, mover] > was


def deals(tiles: list[int], slots: int) -> Counter:
    """Every way to deal tiles, distinguished even if equal, to a rack; the rest is the bag."""
    return Counter(tuple(sorted(chosen)) for chosen in permutations(tiles, slots))


def test_all_deals_are_equally_likely():
    """Chi-square against every deal of a small hidden pool, counted one by one."""
    game = Game(Rules(2, board_side=3, num_colours=2, rack_size=2), 0)
    while not game.is_over and len(game.bag_order) > 18:
        game.play(game.random_action())
    types = [(1, 1), (1, 2), (2, 2)]
    viewer = game.to_play
    hidden = [types.index(tile) for tile, count in game.unseen(viewer).items() for _ in range(count)]
    expected = deals(hidden, 2)
    crowd = GameBatch.from_rows(game.rules, np.repeat(game.state.memory, 30_000, axis=0))
    crowd.reshuffle_hidden(seed=8)
    racks = crowd.state.racks[:, 1 - viewer]
    found = Counter(map(tuple, racks.tolist()))
    assert set(found) == set(expected)
    total = expected.total()
    chi_square = sum(
        (found[deal] - (mean := 30_000 * count / total)) ** 2 / mean for deal, count in expected.items()
    )
    assert chi_square < len(expected) + 6 * np.sqrt(2 * len(expected))


@pytest.mark.parametrize("drawn_by_viewer", [0, 1, 2])
def test_restricted_deals_are_equally_likely(drawn_by_viewer):
    """After a swap: seat 0 has drawn one tile since, so that at most one of its tiles was shown.

    The deals are counted by brute force: every assignment of the hidden tiles to seat 0's two places, the
    newest first, in which the older place holds none of the shown tiles. What the viewer holds may be what
    was shown, as far as it has drawn since.
    """
    rules = Rules(2, board_side=3, num_colours=2, rack_size=2)
    batch = GameBatch(rules, 1, 0)
    state = batch.state
    state.swaps[:] = 1
    state.shown[0, 0] = [1, 0, 1]
    state.drawn_since[0, 0] = [1, drawn_by_viewer]
    viewer = 1
    mine = Counter(state.racks[0, viewer].tolist())
    hidden = [t for t, count in enumerate(rules.tile_counts) for _ in range(count - mine[t])]
    shown = state.shown[0, 0].tolist()
    marked, left = [], [max(0, shown[tile] - min(mine[tile], drawn_by_viewer)) for tile in range(3)]
    assert mine[0] + mine[2] > 0
    for tile in hidden:
        marked.append((tile, left[tile] > 0))
        left[tile] = max(0, left[tile] - 1)
    expected: Counter = Counter()
    for newest, older in permutations(marked, 2):
        if not older[1]:
            expected[tuple(sorted((newest[0], older[0])))] += 1
    crowd = GameBatch.from_rows(rules, np.repeat(state.memory, 60_000, axis=0))
    crowd.reshuffle_hidden(np.full(60_000, viewer), seed=2)
    found = Counter(map(tuple, crowd.state.racks[:, 0].tolist()))
    assert set(found) == set(expected)
    total = expected.total()
    chi_square = sum(
        (found[deal] - (mean := 60_000 * count / total)) ** 2 / mean for deal, count in expected.items()
    )
    assert chi_square < len(expected) + 6 * np.sqrt(2 * len(expected))


def test_deals_are_equally_likely_where_most_of_the_bag_was_shown():
    """With three shown tiles among five, it matters which place is filled first: counted by brute force.

    Seat 0 has drawn one tile since it showed three, so that its newest place may hold any of the five, the
    older one only the two that were not shown.
    """
    rules = Rules(2, board_side=3, num_colours=2, rack_size=2)
    batch = GameBatch(rules, 1, 0)
    state = batch.state
    shown, others = [3, 0, 0], [0, 1, 1]
    mine = np.bincount(state.racks[0, 1], minlength=3)
    state.unplaced[0] = mine + shown + others
    state.drawn[0] = rules.num_tiles - 3
    state.swaps[:], state.shown[0, 0], state.drawn_since[0, 0] = 1, shown, [1, 0]
    hidden = [(0, True), (0, True), (0, True), (1, False), (2, False)]
    expected = Counter(
        tuple(sorted((newest[0], older[0]))) for newest, older in permutations(hidden, 2) if not older[1]
    )
    assert expected == {(0, 1): 3, (0, 2): 3, (1, 2): 2}
    crowd = GameBatch.from_rows(rules, np.repeat(state.memory, 8000, axis=0))
    crowd.reshuffle_hidden(np.ones(8000, np.int64), seed=4)
    found = Counter(map(tuple, crowd.state.racks[:, 0].tolist()))
    for deal, count in expected.items():
        assert abs(found[deal] - 1000 * count) < 5 * np.sqrt(8000 / 4)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_true_deal_always_agrees_with_what_was_shown(players):
    """The restriction never excludes what is so: seat q holds at most as many shown tiles as it has drawn."""
    batch = GameBatch(Rules(players), 256, 5)
    swaps = 0
    for _ in range(80):
        batch.play(batch.random_actions(), auto_reset=True)
        state = batch.state
        swaps += int((state.swaps > 0).sum())
        for holder in range(players):
            held = np.stack([np.bincount(rack, minlength=256)[:21] for rack in state.racks[:, holder]])
            for shower in range(players):
                spare = state.unplaced.astype(int) - state.shown[:, shower]
                assert (spare >= 0).all()
                surely_shown = np.maximum(0, held - spare).sum(axis=1)
                assert (surely_shown <= state.drawn_since[:, shower, holder]).all()
        for viewer in range(players):
            batch.clone().reshuffle_hidden(np.full(256, viewer), seed=1)
    assert swaps > 0


def test_a_swap_on_offer_stays_on_offer():
    batch = GameBatch(Rules(), 512, 9)
    seen = 0
    for _ in range(40):
        batch.play(batch.random_actions(), auto_reset=True)
        rows = np.flatnonzero(batch.phase == SWAP)
        if len(rows):
            offered = batch.take(rows)
            offered.reshuffle_hidden(1 - offered.to_play.astype(np.int64), seed=4)
            consistency.check(offered.state)
            seen += len(rows)
            racks = offered.state.racks[np.arange(len(rows)), offered.to_play]
            assert (racks[:, 0] != NO_TILE).all()
    assert seen > 20


def chi_square(found: Counter, expected: Counter) -> float:
    scale = found.total() / expected.total()
    return sum((found[deal] - scale * count) ** 2 / (scale * count) for deal, count in expected.items())


def test_the_bag_is_shaken_too():
    """Its first and its last tile are each as likely as the tiles that the viewer does not see are many."""
    game = batch_at(Rules(), 1, 12)[0]
    crowd = GameBatch.from_rows(game.rules, np.repeat(game.state.memory, 30_000, axis=0))
    crowd.reshuffle_hidden(seed=9)
    types = [(low, high) for low in range(1, 7) for high in range(low, 7)]
    expected = Counter({types.index(tile): count for tile, count in game.unseen(game.to_play).items()})
    for place in (int(game.state.drawn[0]), -1):
        found = Counter(crowd.state.bag[:, place].tolist())
        assert set(found) == set(expected)
        assert chi_square(found, expected) < len(expected) + 6 * np.sqrt(2 * len(expected))


def test_deals_beside_an_offer_to_swap_are_equally_likely():
    """Seat p may swap, so that its tiles show no lowest colour; the third seat's may."""
    rules = Rules(3, board_side=3, num_colours=2, rack_size=2)
    batch = GameBatch(rules, 4096, 3)
    rows: np.ndarray = np.zeros(0, np.int64)
    while not len(rows):
        batch.play(batch.random_actions(), auto_reset=True)
        rows = np.flatnonzero((batch.phase == SWAP) & (batch.state.swaps == 0))
    game = batch[int(rows[0])]
    mover = game.to_play
    viewer, other = (mover + 1) % 3, (mover + 2) % 3
    counters = game.scores[mover]
    lowest = {colour + 1 for colour in np.flatnonzero(counters == counters.min())}
    hidden = list(game.unseen(viewer).elements())
    expected = Counter(
        (mine, *sorted(others)) for mine, *others in permutations(hidden, 3) if not lowest & set(mine)
    )
    crowd = GameBatch.from_rows(rules, np.repeat(game.state.memory, 30_000, axis=0))
    crowd.reshuffle_hidden(np.full(30_000, viewer), seed=4)
    types = [(1, 1), (1, 2), (2, 2)]
    racks = crowd.state.racks
    assert (racks[:, mover, 1] == NO_TILE).all()
    dealt = np.column_stack([racks[:, mover, 0], racks[:, other]]).tolist()
    found = Counter(tuple(types[tile] for tile in deal) for deal in dealt)
    assert set(found) == set(expected)
    assert chi_square(found, expected) < len(expected) + 6 * np.sqrt(2 * len(expected))


def test_threads_reshuffle_as_one_does():
    batch = batch_at(Rules.standard(3), 50, 10)
    other = GameBatch.from_rows(batch.rules, batch.state.memory, num_threads=3)
    batch.reshuffle_hidden(seed=6)
    other.reshuffle_hidden(seed=6)
    assert other == batch


def test_without_a_deal_all_games_stay_as_they_were():
    batch = GameBatch(Rules(2, board_side=3, num_colours=2, rack_size=2), 3, 0)
    batch.state.swaps[1] = 1
    batch.state.shown[1, 0] = batch.state.unplaced[1]  # all tiles, and seat 0 has drawn none of them since
    before = batch.clone()
    with pytest.raises(InconsistentStateError, match="game 1: no deal agrees"):
        batch.reshuffle_hidden([1, 1, 1], seed=0)
    assert batch == before
