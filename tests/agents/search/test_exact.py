"""The exact solver against brute force by the slow reference, and against values found elsewhere."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from ingenious_agents.search import solved
from ingenious_agents.search.exact import Solver, type_number
from ingenious_agents.search.solved import BudgetError
from oracle.reference import ReferenceGame

from ingenious_env import Game, Rules

VARIANTS = {
    "two colours": Rules(1, board_side=3, num_colours=2),
    "three colours": Rules(1, board_side=3, num_colours=3),
    "six colours": Rules(1, board_side=3),
    "stop at 4": Rules(1, board_side=3, num_colours=2, counter_top=4),
    "one sheet to 5": Rules(1, board_side=3, num_colours=3, counter_top=5, double_sheet=False),
    "side 4": Rules(1, board_side=4, num_colours=4),
}


def placements_left(game: Game) -> int:
    """At most: half of the empty cells of each region."""
    rules = game.rules
    empty = {cell for cell in range(rules.geometry.num_cells) if game.state.board[0, cell] == 0}
    total = 0
    while empty:
        region, stack = set(), [empty.pop()]
        while stack:
            cell = stack.pop()
            region.add(cell)
            found = {int(each) for each in rules.geometry.neighbours[cell]} & empty
            empty -= found
            stack += found
        total += len(region) // 2
    return total


def endings(rules: Rules, left: int, seed: int, count: int) -> list[Game]:
    """Positions with at most so many placements left, in half of which colours were played greedily."""
    found, generator = [], np.random.default_rng(seed)
    for number in range(count):
        game = Game(rules, seed=(seed, number))
        while not game.is_over and placements_left(game) > left:
            actions = game.legal_actions()
            if number % 2:
                gains = []
                for action in actions:
                    twin = game.clone()
                    twin.play(int(action))
                    gains.append(
                        int(np.sort(twin.state.scores[0, 0])[0]) * 100 + int(twin.state.scores.sum())
                    )
                game.play(int(actions[int(np.argmax(gains))]))
            else:
                game.play(int(generator.choice(actions)))
        if not game.is_over:
            found.append(game)
    return found


def reference(game: Game) -> ReferenceGame:
    """The same position in the reference implementation."""
    rules, state = game.rules, game.state
    types = [
        (low, high) for low in range(1, rules.num_colours + 1) for high in range(low, rules.num_colours + 1)
    ]
    hand = types[int(state.racks[0, 0, 0])]
    deck = [types[int(each)] for each in state.bag[0, int(state.drawn[0]) :]]
    twin = ReferenceGame(
        num_players=1,
        side=rules.board_side,
        num_colours=rules.num_colours,
        counter_top=rules.counter_top,
        double_sheet=rules.double_sheet,
        racks=[[hand]],
        deck=deck,
    )
    twin.board = {
        (int(q), int(r)): int(colour)
        for (q, r), colour in zip(rules.geometry.cells, state.board[0, :-1], strict=True)
        if colour > 0
    }
    twin.scores = [state.scores[0, 0].tolist()]
    twin.turn = int(state.turn[0])
    return twin


def brute_force(game: ReferenceGame) -> dict:
    """The value of each move: the mean over all next tiles of the best one."""
    values, bag = {}, Counter(game.deck)
    for move in game.legal_moves():
        total = 0.0
        for tile, count in bag.items():
            twin = game.copy()
            rest = list((bag - Counter([tile])).elements())
            twin.deck = [tile, *rest]
            twin.make(move)
            if twin.phase == "over":
                total = min(twin.scores[0]) * bag.total()
                break
            total += count * max(brute_force(twin).values())
        values[move] = total / bag.total()
    return values


@pytest.mark.parametrize("variant", VARIANTS)
def test_endings_have_the_values_of_brute_force(variant):
    rules, compared = VARIANTS[variant], 0
    solver = Solver(rules, 1 << 20)
    for left, count in (1, 8), (2, 12), (3, 2):
        for game in endings(rules, left, seed=left, count=count):
            if left == 3 and len(game.legal_actions()) > 16:
                continue  # brute force would take minutes
            found = solver.solve(game)
            moves = {}
            for action, value in zip(found.actions, found.values, strict=True):
                one, other = game.move(int(action))[:2]
                moves[frozenset({(tuple(one[0]), one[1]), (tuple(other[0]), other[1])})] = float(value)
            assert moves == pytest.approx(brute_force(reference(game)))
            assert found.values.tolist() == sorted(found.values.tolist(), reverse=True)
            assert found.regret(int(found.actions[0])) == 0
            compared += len(moves)
    assert compared > 50


def test_a_small_solitaire_has_the_value_found_elsewhere():
    """9.6120, by another program, and by this one with a table that stores other nodes."""
    solver = Solver(VARIANTS["two colours"], 1 << 25)
    shares = []
    value = solver.value(on_progress=shares.append)
    assert value == pytest.approx(9.6120, abs=5e-5)
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] < 1
    assert solver.states < 535_007
    assert solver.value() == value


@pytest.mark.nightly
def test_three_colours_have_the_value_found_elsewhere():
    assert Solver(VARIANTS["three colours"], 1 << 29).value() == pytest.approx(3.3115, abs=5e-5)


@pytest.mark.nightly
def test_a_solver_goes_on_after_its_budget(tmp_path, monkeypatch):
    """In small parts, in another process by a file, and with a chunk that ends anywhere."""
    rules = Rules(1, board_side=3, num_colours=2, counter_top=3)
    whole = Solver(rules, 1 << 24).value()
    monkeypatch.setattr(solved, "CHUNK", 9_997)
    parts, tries = Solver(rules, 1 << 24), 0
    while True:
        tries += 1
        try:
            value = parts.value(nodes=1_000_000)
        except BudgetError:
            parts.save(tmp_path / "solved.safetensors")
            parts = Solver(rules, 1 << 24)
            parts.load(tmp_path / "solved.safetensors")
        else:
            break
    assert tries > 2
    assert value == whole


def test_a_budget_is_that_of_all_placements():
    """The message names the nodes that were given, not those left for the last placement."""
    game, whole = Game(Rules.solitaire(), seed=5), Solver(Rules.solitaire(), 1 << 22)
    while placements_left(game) > 3:
        game.play(int(game.legal_actions()[0]))
    whole.solve(game)
    allowed = whole.nodes // 2
    with pytest.raises(BudgetError, match=rf"^not solved within {allowed} nodes$"):
        Solver(Rules.solitaire(), 1 << 22).solve(game, nodes=allowed)


def test_a_full_table_is_said(tmp_path):
    solver = Solver(VARIANTS["two colours"], 1)
    with pytest.raises(BudgetError, match=r"the table is full with \d+ positions"):
        solver.value()
    larger = Solver(VARIANTS["two colours"], 1 << 20)
    with pytest.raises(BudgetError, match="the table is full"):
        larger.value()
    larger.save(tmp_path / "solved.safetensors")
    with pytest.raises(BudgetError, match=r"has \d+ positions"):
        solver.load(tmp_path / "solved.safetensors")
    other = Solver(VARIANTS["three colours"], 1 << 20)
    with pytest.raises(ValueError, match="it has positions of Rules"):
        other.load(tmp_path / "solved.safetensors")


def test_endings_of_the_standard_game_take_no_time():
    """Three placements left: the value lies between the counters now and what greedy play reaches at most."""
    rules = Rules.solitaire()
    solver = Solver(rules, 1 << 24)
    for game in endings(rules, 3, seed=9, count=4):
        found = solver.solve(game)
        assert set(found.actions.tolist()) == set(map(int, game.legal_actions()))
        lowest = int(game.state.scores[0, 0].min())
        assert lowest <= found.values.min() <= found.value <= 36
        with pytest.raises(ValueError, match="is not a placement of this position"):
            found.regret(-1)


@pytest.mark.parametrize("rules", [Rules(), Rules(1, rack_size=2)])
def test_other_variants_are_refused(rules):
    with pytest.raises(ValueError, match="for one player with a rack of one tile, not for"):
        Solver(rules)


def test_positions_that_are_not(tmp_path):
    solver = Solver(VARIANTS["two colours"], 1)
    with pytest.raises(ValueError, match="this solver is for"):
        solver.solve(Game(VARIANTS["three colours"]))
    game = Game(VARIANTS["two colours"], seed=1)
    while not game.is_over:
        game.play(int(game.legal_actions()[0]))
    with pytest.raises(ValueError, match="the game is over"):
        solver.solve(game)
    (tmp_path / "file").write_text("no", encoding="utf-8")
    with pytest.raises(ValueError, match="file"):
        solver.load(tmp_path / "file")


@pytest.mark.parametrize("colours", range(2, 7))
def test_types_are_numbered_by_their_colours(colours):
    numbers = [
        type_number(low, high, colours) for low in range(colours + 1) for high in range(low, colours + 1)
    ]
    assert numbers == list(range(len(numbers)))
