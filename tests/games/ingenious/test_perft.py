"""Counting games: engine and reference play every sequence of moves, and count the same things.

Points are counted beside the positions, as a scoring bug leaves the mere number of positions alone.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pytest
from differences import DifferenceError, Turn
from differential import compare
from helpers import reference_of
from reference import ReferenceGame

from ingenious_env import Game, GameBatch, Rules
from ingenious_env.games.ingenious.state import SWAP


class Count(NamedTuple):
    """Of the moves at the last depth."""

    moves: int
    points: int
    owed: int
    swaps_offered: int
    ends: int


def expand(batch: GameBatch) -> GameBatch:
    """Every position one move on, the frontier stepped as one batch. Swaps are not played: they shuffle."""
    mask = batch.legal_mask()
    mask[:, batch.actions.swap] = 0
    rows, actions = np.nonzero(mask)
    after = batch.take(rows)
    after.play(actions)
    return after


def count_engine(game: Game, depth: int) -> Count:
    frontier = GameBatch.from_rows(game.rules, game.state.memory)
    for _ in range(depth - 1):
        frontier = expand(frontier)
    leaves = expand(frontier)
    mask = frontier.legal_mask()
    mask[:, frontier.actions.swap] = 0
    before = np.repeat(frontier.scores.sum(axis=(1, 2), dtype=np.int64), mask.sum(axis=1))
    return Count(
        len(leaves),
        int((leaves.scores.sum(axis=(1, 2), dtype=np.int64) - before).sum()),
        int(leaves.state.plays_left.sum(dtype=np.int64)),
        int((leaves.phase == SWAP).sum()),
        int(leaves.is_over.sum()),
    )


def count_reference(game: ReferenceGame, depth: int) -> Count:
    total = Counter[str]()
    for move in game.legal_moves() - {"swap"}:
        after = game.copy()
        after.make(move)
        if depth > 1:
            total.update(count_reference(after, depth - 1)._asdict())
        else:
            total["moves"] += 1
            total["points"] += sum(map(sum, after.scores)) - sum(map(sum, game.scores))
            total["owed"] += after.plays_left
            total["swaps_offered"] += after.phase == "swap"
            total["ends"] += after.phase == "over"
    return Count(*(total[name] for name in Count._fields))


def check_turns(game: Game, reference: ReferenceGame, depth: int) -> None:
    """Compare all positions up to so many moves from one, the nearest first; a difference names the turn."""
    positions = [(game, reference, Turn())]
    for _ in range(depth + 1):
        following = []
        for engine, slow, turn in positions:
            batch = GameBatch.from_rows(engine.rules, engine.state.memory)
            compare(batch, 0, batch.legal_mask()[0], slow, turn)
            for action in engine.legal_actions().tolist():
                move = engine.move(action)
                if move != "swap":  # which shuffles
                    twin, after, latest = engine.clone(), slow.copy(), Turn()
                    latest.number, latest.moves = turn.number, turn.moves
                    latest.add(slow.turn, move)
                    twin.play(action)
                    after.make(move if isinstance(move, str) else frozenset(move))
                    following.append((twin, after, latest))
        positions = following


def check_counts(game: Game, reference: ReferenceGame, engine: Any, slow: Any, depth: int) -> None:
    """Equal counts; if they are not, the first position that differs."""
    if engine != slow:
        check_turns(game, reference, depth)
    assert engine == slow


def beside(rules: Rules, seed: int, moves: int) -> tuple[Game, ReferenceGame]:
    """A game and its reference after a number of moves; the choice to swap is always declined."""
    game = Game(rules, seed)
    reference = reference_of(game)
    for _ in range(moves):
        action = game.action("keep") if game.phase == "swap" else game.random_action()
        move = game.move(action)
        game.play(action)
        reference.make(move if isinstance(move, str) else frozenset(move))
    return game, reference


def test_layer_1_two_placements_on_side_6():
    """222 pairs, then 47,076 sequences of two, by mathematics (the graph without the symbols' cells)."""
    batch = GameBatch(Rules.solitaire(), 1, 0)
    batch.state.turn[:] = 1  # past the first round, whose pairs are fewer
    pairs = batch.rules.geometry.num_pairs
    assert batch.legal_mask()[0, :pairs].sum() == 222
    after = batch.take(np.zeros(222, np.int64))
    after.play(np.arange(222))
    assert after.legal_mask()[:, :pairs].sum() == 47076


CASES = [
    (Rules.solitaire(), 0, 2),
    (Rules.solitaire(), 12, 2),
    (Rules(2, rack_size=2), 0, 1),
    (Rules(2, rack_size=2), 25, 1),
    (Rules(2, board_side=3, num_colours=2, rack_size=2, counter_top=2), 0, 2),
    (Rules(2, board_side=3, num_colours=3, rack_size=3, counter_top=2), 2, 2),
    (Rules(3, board_side=4, num_colours=3, rack_size=2, counter_top=4), 5, 2),
    (Rules(4, teams=True, board_side=4, num_colours=2, rack_size=2, counter_top=3), 6, 2),
    (Rules(2, board_side=4, num_colours=2, rack_size=3, counter_top=4), 2, 2),
    (Rules(2, board_side=4, num_colours=6, rack_size=3, counter_top=2), 4, 2),
    (Rules.standard(3), 30, 1),
    (Rules.partnership(), 50, 1),
]


@pytest.mark.parametrize("case", range(len(CASES)))
@pytest.mark.parametrize("seed", [0, 1])
def test_layer_2_whole_turns(case, seed):
    rules, moves, depth = CASES[case]
    game, reference = beside(rules, seed, moves)
    check_counts(game, reference, count_engine(game, depth), count_reference(reference, depth), depth)


def results_of_engine(game: Game) -> Counter:
    """The number of games by result, over every sequence of moves."""
    found: Counter = Counter()
    frontier = GameBatch.from_rows(game.rules, game.state.memory)
    while len(frontier):
        frontier = expand(frontier)
        over = frontier.is_over
        results = zip(frontier.scores[over], frontier.ranks[over], strict=True)
        found.update((scores.tobytes(), tuple(ranks.tolist())) for scores, ranks in results)
        frontier = frontier.take(np.flatnonzero(~over)) if not over.all() else ()
    return found


def results_of_reference(game: ReferenceGame) -> Counter:
    if game.phase == "over":
        return Counter({(np.array(game.scores, np.int8).tobytes(), tuple(game.ranks)): 1})
    found: Counter = Counter()
    for move in game.legal_moves() - {"swap"}:
        after = game.copy()
        after.make(move)
        found += results_of_reference(after)
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        (Rules(2, board_side=3, num_colours=2, rack_size=2, counter_top=3), 2),
        (Rules(3, board_side=3, num_colours=3, rack_size=2, counter_top=2), 2),
        (Rules(4, teams=True, board_side=3, num_colours=2, rack_size=2, counter_top=2), 2),
        (Rules(1, board_side=3, num_colours=2, counter_top=4), 2),
    ],
    ids=["two", "three", "partnership", "solitaire"],
)
def test_layer_3_small_games_to_the_end(rules, moves, seed):
    game, reference = beside(rules, seed, moves)
    found = results_of_engine(game)
    check_counts(game, reference, found, results_of_reference(reference), 3)
    assert found.total() > 1
    assert all(ranks for _, ranks in found)


def test_a_position_in_every_phase_is_counted():
    """The cases above cover swaps offered, bonus plays and ends, or their columns would prove nothing."""
    counts = [count_engine(beside(rules, 0, moves)[0], depth) for rules, moves, depth in CASES]
    assert any(count.swaps_offered for count in counts)
    assert any(count.owed > count.moves - count.swaps_offered - count.ends for count in counts)
    assert any(count.ends for count in counts)
    assert all(count.moves and count.points for count in counts[1:])


def test_a_difference_names_the_shortest_turn(monkeypatch):
    """With a reference that does not score."""
    rules, moves, depth = CASES[4]
    game, reference = beside(rules, 0, moves)
    real = ReferenceGame.make

    def make(self, move, order=None):
        before = [list(sheet) for sheet in self.scores]
        real(self, move, order)
        if not isinstance(move, str):
            self.scores = before

    monkeypatch.setattr(ReferenceGame, "make", make)
    with pytest.raises(DifferenceError, match=r"(?s)RULES\.md 4\).*Place.*engine: .*reference: ") as found:
        check_counts(game, reference, 1, 2, depth)
    assert len(found.value.turn) <= 2
