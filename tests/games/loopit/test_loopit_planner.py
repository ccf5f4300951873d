"""The planner: plans against all turns that there are, and what it expects of a reply against all racks."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from loopit_helpers import VARIANTS, batch_at, legal_lays, make, played, points, position, squares_for
from loopit_plans import batch_of, expect, plans_of, write_outlook

from ingenious_env import GameBatch, View
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.games.loopit import LOOPIT, Game, Lay, Rules
from ingenious_env.games.loopit.opponents.kernels.outlook import MOST_POINTS
from ingenious_env.games.loopit.opponents.planner import Planner
from ingenious_env.policies.ranking import ranked

WIDEST = 256


def positions(names, *, laid: int | None = None):
    """Positions of played games in which tiles may be laid."""
    for name in names:
        for seed in range(2):
            for game, _ in played(VARIANTS[name], seed, greed=0.7):
                if game.phase == "lay" and laid in (None, game.laid):
                    yield game


# The expected points of a rack.


@pytest.mark.parametrize("seed", range(8))
def test_the_expected_best_tiles_are_those_of_all_racks(seed):
    rng = np.random.default_rng(seed)
    tiles = rng.integers(0, 7, rng.integers(1, 9))
    tiles[rng.integers(len(tiles))] = rng.integers(0, MOST_POINTS + 1)
    counts = np.bincount(tiles, minlength=MOST_POINTS + 1).astype(np.int64)
    for drawn in range(len(tiles) + 1):
        racks = [sorted(rack, reverse=True) + [0] * 3 for rack in combinations(tiles.tolist(), drawn)]
        means = np.mean([rack[:3] for rack in racks], axis=0)
        for num_best in (1, 2, 3):
            expected = np.zeros(3)
            total = means[:num_best].sum()
            assert expect(counts, len(tiles), drawn, num_best, np.inf, expected) == pytest.approx(total)
            assert expected == pytest.approx(means)
            for limit in (0.0, 0.3 * total, total + 0.01):
                found = expect(counts, len(tiles), drawn, num_best, limit, expected)
                assert min(limit, total) - 1e-9 <= found <= total + 1e-9


def test_each_tile_has_its_best_square():
    """For any holder; a tile already on the board counts 0, as does one that fits nowhere."""
    some = 0
    for game in positions(["two", "4 x 7", "long racks", "corner"]):
        types = game.rules.material.types
        best, unseen = np.zeros(len(types), np.int64), np.zeros(len(types), np.int64)
        total = batch_of(game).run(write_outlook, best, unseen)
        squares = squares_for(game, {ends for ends, _ in types})
        laid = Counter(game.board.values())
        counts = Counter(game.rules.tiles)
        for tile, found in zip(types, best.tolist(), strict=True):
            expected = max((points(game, Lay(tile, square)) for square in squares[tile[0]]), default=0)
            assert found == (0 if laid[tile] == counts[tile] else min(expected, MOST_POINTS))
            some += found > 0
        assert {tile: count for tile, count in zip(types, unseen.tolist(), strict=True) if count} == dict(
            game.unseen(game.to_play)
        )
        assert total == game.unseen(game.to_play).total()
    assert some > 1000


# Plans.


def all_turns(game: Game, seat: int) -> dict[tuple, int]:
    """The most points for each position in which the turn can be left, by what lies on the board."""
    found = {frozenset(game.board.items()): 0}

    def go_on(position: Game, gain: int) -> None:
        for lay in legal_lays(position, seat) if position.laid < position.rules.tiles_per_turn else ():
            after, brings = position.clone(), gain + points(position, lay)
            make(after, lay)
            board = frozenset([*position.board.items(), (lay.square, lay.tile)])
            found[board] = max(found.get(board, -1), brings)
            if after.to_play == seat and after.laid == position.laid + 1:
                go_on(after, brings)

    go_on(game, 0)
    return found


def test_the_widest_search_finds_the_best_of_all_turns():
    """On small boards, where no more than 256 positions can be reached."""
    tried = 0
    for game in positions(["corner", "few, fixed", "racks of one", "one line", "5 x 5"]):
        if len(legal_lays(game, game.to_play)) > 6:
            continue
        turns = all_turns(game, game.to_play)
        if len(turns) <= WIDEST:
            plans = plans_of(game, WIDEST)
            assert sorted(gain for _, gain in plans) == sorted(turns.values())
            tried += len(turns) > 2
    assert tried > 30


def test_plans_can_be_played_and_bring_what_they_say():
    for game in positions(["two", "5 x 5", "long racks"]):
        seat, before = game.to_play, game.scores[game.to_play]
        for plan, gain in plans_of(game, 4)[:12]:
            after = game.clone()
            for action in plan:
                assert after.to_play == seat
                after.play(action)
            assert after.scores[seat] - before == gain


def test_levels_hold_the_best_and_no_position_twice():
    for game in positions(["two"], laid=0):
        plans = plans_of(game, 6)
        lengths = Counter(len(plan) for plan, _ in plans)
        assert lengths[0] == 1
        assert all(count <= 6 for count in lengths.values())
        best = sorted((points(game, lay) for lay in legal_lays(game, game.to_play)), reverse=True)
        assert [gain for plan, gain in plans if len(plan) == 1] == best[:6]
        boards = []
        for plan, _ in plans:
            after = game.clone()
            for action in plan:
                lay = after.move(action)
                boards_before = after.board
                after.play(action)
            if plan:
                boards.append(frozenset([*boards_before.items(), (lay.square, lay.tile)]))
        assert len(set(boards)) == len(boards)


# The planner.


@pytest.mark.parametrize("reply", [-1.0, 0.0, 0.05, 1.0, 3.0, 1e9])
@pytest.mark.parametrize("name", ["two", "four", "two, fixed", "long racks", "racks of one", "corner"])
def test_it_plays_the_first_of_the_plans_of_highest_value(name, reply):
    """Although most plans are not valued to the end."""
    planner, seen = Planner(width=40, reply=reply), 0
    for seed in range(3):
        batch = GameBatch(VARIANTS[name], 8, seed)
        for _ in range(60):  # where all are stuck, a game may never end
            actions, values = ranked(planner.ranking(batch.rules), batch)
            best = actions[np.arange(len(batch)), values.argmax(axis=1)]
            chosen = planner.act(View(batch))
            assert np.array_equal(chosen, best)
            seen += int((np.isfinite(values).sum(axis=1) > 1).sum())
            batch.play(chosen)
    assert seen > 10


def test_a_wider_search_is_worth_more_points():
    gains = [
        np.mean([max(gain for _, gain in plans_of(game, width)) for game in positions(["two"], laid=0)])
        for width in (1, 8, 64)
    ]
    assert gains[0] < gains[1] < gains[2]


def chosen(game: Game, planner: Planner) -> int:
    (action,) = planner.act(View(batch_of(game)))
    return int(action)


def test_it_weighs_points_against_what_they_open_by_hand():
    """The 1 scores as much on either side; on the right it opens a square that multiplies by nine."""
    factors = "11111 11111 11119 11111 11111"
    game = position({(2, 2): "EW1"}, ["EW1", "NW5"], factors=factors, rack=1, a_turn=1)
    left, right = (game.action(Lay(("EW", 1), (2, column))) for column in (1, 3))
    assert chosen(game, Planner(reply=1.0)) == left
    assert chosen(game, Planner(reply=-1.0)) == right


def test_it_stops_rather_than_open_the_best_square():
    """Laying scores 2 and lets the 9 be laid for 82, instead of 10."""
    game = position(
        {(2, 1): "EW1", (2, 2): "EW1"},
        ["EW1 EW1", "NW9 EW5 EW5"],
        factors="11111 11111 11119 11111 11111",
        rack=3,
        laid=1,
    )
    assert chosen(game, Planner(reply=1.0)) == game.action("stop")
    assert chosen(game, Planner(reply=0.0)) == game.action(Lay(("EW", 1), (2, 3)))


def test_on_the_last_turn_replies_do_not_matter():
    seen = 0
    for game in positions(["two, fixed"]):
        if game.turn == game.rules.num_rounds * 2 - 1:
            plain = chosen(game, Planner(reply=0.0))
            assert chosen(game, Planner(reply=50.0)) == plain
            seen += 1
    assert seen


@pytest.mark.parametrize("name", ["two", "four", "5 x 5, fixed", "long racks", "racks of one"])
def test_it_plays_whole_games_flat_and_staged_by_what_it_may_know(name):
    rules, planner = VARIANTS[name], Planner(width=8)
    for staged in (False, True):
        batch = GameBatch(rules, 6, 4, staged=staged)
        for _ in range(400):
            if batch.is_over.all():
                break
            actions = planner.act(View(batch))
            over = batch.is_over
            assert (actions[over] == NO_ACTION).all()
            assert batch.legal_mask()[~over, actions[~over]].all()
            other = batch.clone()
            other.reshuffle_hidden(seed=3)
            assert np.array_equal(planner.act(View(other)), actions)
            batch.play(actions)
        assert batch.is_over.all()


def test_staged_it_picks_the_slot_that_it_plays_flat_and_then_the_best_place_for_it():
    batch = batch_at(Rules(3), 16, 30, seed=2)
    actions = Planner().act(View(batch))
    staged = GameBatch.from_rows(batch.rules, batch.state.memory, staged=True)
    picks = Planner().act(View(staged))
    placing = np.flatnonzero((actions != NO_ACTION) & (actions < batch.actions.first_choice))
    slots, cells = np.divmod(actions[placing], batch.actions.num_placements)
    assert np.array_equal(picks[placing], slots)
    held = staged.take(placing)
    held.play(picks[placing])
    places = Planner(reply=0.0).act(View(held)) - held.actions.first_placement
    for row, place in enumerate(places.tolist()):
        game = batch[int(placing[row])]
        best = [gain for plan, gain in plans_of(game, 64) if plan and plan[0] // 169 == slots[row]]
        after = [gain for plan, gain in plans_of(game, 64) if plan and plan[0] == 169 * slots[row] + place]
        assert after
        assert max(after) == max(best)
    assert len(cells) > 10


def test_versus_knows_it_by_name():
    assert LOOPIT.policy("planner") == Planner()
