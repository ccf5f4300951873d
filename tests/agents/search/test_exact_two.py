"""The exact solver of two players against brute force on games that are copied and played."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, prod

import numpy as np
import pytest
from ingenious_agents.search import exact_two, solved
from ingenious_agents.search.exact import placements_left
from ingenious_agents.search.exact_two import TwoPlayerSolver, symmetries
from ingenious_agents.search.solved import BudgetError

from ingenious_env import Game, Rules

VARIANTS = {
    "two colours": Rules(2, board_side=3, num_colours=2, rack_size=2),
    "bonus plays": Rules(2, board_side=3, num_colours=2, rack_size=2, counter_top=3),
    "wins at once": Rules(2, board_side=3, num_colours=2, rack_size=3, counter_top=2),
    "double sheet": Rules(2, board_side=3, num_colours=2, rack_size=2, counter_top=3, double_sheet=True),
    "three colours": Rules(2, board_side=3, num_colours=3, rack_size=2, counter_top=4),
    "open racks": Rules(2, board_side=3, num_colours=4, rack_size=2, counter_top=3, open_racks=True),
}
TINY = Rules(2, board_side=3, num_colours=2, rack_size=2, counter_top=1)


def win(game: Game, seat: int) -> float:
    """The share of the win of a seat at the end."""
    mine, other = game.ranks[seat], game.ranks[1 - seat]
    return 0.5 if mine == other else float(mine < other)


def draws(game: Game, action: int) -> list[tuple[list, float]]:
    """The tiles that an action may draw, with their probabilities; none with certainty if it draws none."""
    twin = game.clone()
    twin.play(action)
    if twin.is_over:
        return [([], 1.0)]
    bag = game.bag
    count = int(twin.state.drawn[0]) - int(game.state.drawn[0])
    if game.phase == "swap" and game.move(action) == "swap":
        count = game.rules.rack_size
    hands = [Counter(hand) for hand in set(combinations(sorted(bag.elements()), count))]
    ways = [prod(comb(bag[tile], number) for tile, number in hand.items()) for hand in hands]
    return [(list(hand.elements()), way / sum(ways)) for hand, way in zip(hands, ways, strict=True)]


def brute_force(game: Game, known: dict) -> dict[int, float]:
    """The share of the win of the seat to move after each action, both playing their best."""
    values = {}
    for action in map(int, game.legal_actions()):
        values[action] = 0.0
        for tiles, chance in draws(game, action):
            twin = game.clone()
            if tiles:
                twin.next_draws(tiles)
            twin.play(action)
            if twin.is_over:
                share = win(twin, game.to_play)
            else:
                key = (*map(str, (twin.board, twin.scores, twin.racks, sorted(twin.bag.items()))), twin.phase)
                key += (twin.to_play, twin.plays_left, min(twin.turn, 2), int(twin.state.touched[0]))
                if key not in known:
                    known[key] = max(brute_force(twin, known).values())
                share = known[key] if twin.to_play == game.to_play else 1 - known[key]
            values[action] += chance * share
    return values


def endings(rules: Rules, left: int, seed: int, count: int, most: int = 10_000) -> list[Game]:
    """Random positions with at most so many placements left and a choice of at most so many actions."""
    found, number = [], 0
    while len(found) < count:
        game = Game(rules, seed=(seed, number))
        number += 1
        while not game.is_over and placements_left(game) > left:
            game.play(game.random_action())
        if not game.is_over and 1 < len(game.legal_actions()) <= most:
            found.append(game)
    return found


def by_action(solution) -> dict[int, float]:
    return dict(zip(solution.actions.tolist(), solution.values.tolist(), strict=True))


@pytest.mark.parametrize("variant", VARIANTS)
def test_endings_have_the_values_of_brute_force(variant):
    rules = VARIANTS[variant]
    solver, known, compared = TwoPlayerSolver(rules, 1 << 22), {}, set()
    larger = [(3, 1, 8)] if rules.num_colours == 2 else []  # others have too many tiles to draw
    for left, count, most in [(1, 6, 99), (2, 8, 16), *larger]:
        for game in endings(rules, left, seed=left, count=count, most=most):
            found = solver.solve(game)
            assert by_action(found) == pytest.approx(brute_force(game, known), abs=1e-12)
            assert found.values.tolist() == sorted(found.values.tolist(), reverse=True)
            compared |= {round(value, 9) for value in found.values.tolist()}
    assert len(compared) >= 3


def test_swaps_are_solved():
    """Positions in which a seat may swap, with placements to come."""
    rules, found = Rules(2, board_side=3, num_colours=3, rack_size=2), 0
    solver, known = TwoPlayerSolver(rules, 1 << 22), {}
    for number in range(400):
        game = Game(rules, seed=(4, number))
        while not game.is_over and not (game.phase == "swap" and placements_left(game) <= 2):
            game.play(game.random_action())
        if game.is_over:
            continue
        assert by_action(solver.solve(game)) == pytest.approx(brute_force(game, known), abs=1e-12)
        found += 1
        if found == 4:
            break
    assert found == 4


def test_a_rack_with_a_lowest_colour_is_not_swapped():
    """Three placements before the end, where that swap would pay; the colour is the second one of a tile."""
    game = Game.from_text(
        """ingenious 1
        rules players=2 teams=no side=3 colours=2 rack=2 top=18 sheet=single racks=hidden
        board rrg/2r1/g2gr/gr1g/r1g
        turn 2 to_play=0 phase=swap plays_left=0 held=0 touched=0123 swaps=1
        scores 2,1 0,1
        racks rr rr,rg
        bag gg,rg,gg,rg,gg,gg,rg,rg,rr,rr
        shown - gg
        drawn_since 0,2 0,0
        stream 3495ed1aedcea781
        policy_key 2044b85d0c6200ca
        """.replace("\n        ", "\n")
    )
    found = TwoPlayerSolver(game.rules, 1 << 22).solve(game)
    assert by_action(found) == pytest.approx(brute_force(game, {}), abs=1e-12)


@pytest.mark.nightly
def test_a_first_round_has_the_value_of_brute_force():
    """From the first turn on, in the smallest variant."""
    solver, known = TwoPlayerSolver(TINY, 1 << 24), {}
    for seed in range(3):
        game = Game(TINY, seed=seed)
        game.play(game.random_action())
        if game.is_over:
            continue
        assert by_action(solver.solve(game)) == pytest.approx(brute_force(game, known), abs=1e-12)


def test_a_tiny_variant_is_solved_from_the_deal(monkeypatch):
    """The mean over deals of the best first actions, in parts of any size, with and without symmetries."""
    solver, shares = TwoPlayerSolver(TINY, 1 << 23), []
    monkeypatch.setattr(solved, "CHUNK", 9973)
    value = solver.value(on_progress=shares.append)
    assert 0.5 < value < 1
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] < 1
    assert solver.value() == value
    games = [Game(TINY, seed=seed) for seed in range(60)]
    means = [solver.solve(game).value for game in games]
    assert np.mean(means) == pytest.approx(value, abs=4 * np.std(means) / len(means) ** 0.5)
    with monkeypatch.context() as patched:
        identity = tuple(images[:1] for images in symmetries(TINY))
        patched.setattr(exact_two, "symmetries", lambda _: identity)
        plain = TwoPlayerSolver(TINY, 1 << 26)
    assert plain.solve(games[0]).values == pytest.approx(solver.solve(games[0]).values, abs=1e-12)
    assert plain.states > 0


@pytest.mark.parametrize(("colours", "number"), [(2, 12), (3, 12), (4, 2), (5, 2), (6, 12)])
def test_symmetries_keep_the_start_symbols(colours, number):
    rules = Rules(2, board_side=4, num_colours=colours)
    images = symmetries(rules)
    assert len(images[0]) == number
    board = Game(rules, seed=0).board
    for cells, by_colour, _ in zip(*images, strict=True):
        assert (board[cells[:-1]] == by_colour[board]).all()


def test_a_solver_goes_on_after_its_budget(tmp_path):
    game = Game(TINY, seed=3)
    whole = TwoPlayerSolver(TINY, 1 << 22).solve(game)
    parts, tries, said = TwoPlayerSolver(TINY, 1 << 22), 0, set()
    while True:
        tries += 1
        try:
            found = parts.solve(game, nodes=3000)
        except BudgetError as error:
            said.add(str(error))
            parts.save(tmp_path / "solved.safetensors")
            parts = TwoPlayerSolver(TINY, 1 << 22)
            parts.load(tmp_path / "solved.safetensors")
        else:
            break
    assert tries > 1
    assert said == {"not solved within 3000 nodes"}  # not those left for the last action
    assert found.actions.tolist() == whole.actions.tolist()
    assert found.values.tolist() == whole.values.tolist()


def test_a_full_table_is_said():
    with pytest.raises(BudgetError, match=r"the table is full with \d+ positions"):
        TwoPlayerSolver(TINY, 1).value()


def unseen_brute_force(game: Game) -> dict[int, float]:
    """The mean over the racks that the other seat may have of the values with both racks seen."""
    seat, other = game.to_play, 1 - game.to_play
    hidden = game.unseen(seat)
    racks = [Counter(rack) for rack in set(combinations(sorted(hidden.elements()), len(game.racks[other])))]
    ways = [prod(comb(hidden[tile], number) for tile, number in rack.items()) for rack in racks]
    means = Counter()
    for rack, way in zip(racks, ways, strict=True):
        twin = game.clone()
        twin.deal({other: list(rack.elements())})
        for action, value in brute_force(twin, {}).items():
            means[action] += value * way / sum(ways)
    return dict(means)


@pytest.mark.parametrize("variant", ["two colours", "wins at once", "three colours"])
def test_the_last_two_placements_need_no_sight_of_the_other_rack(variant):
    rules = VARIANTS[variant]
    solver, compared = TwoPlayerSolver(rules, 1 << 20), 0
    for game in endings(rules, 2, seed=8, count=40, most=24):
        if game.phase != "place" or game.state.swaps[0]:
            with pytest.raises(ValueError, match="the other rack must be seen unless"):
                solver.solve_unseen(game)
            continue
        found = by_action(solver.solve_unseen(game))
        assert found == pytest.approx(unseen_brute_force(game), abs=1e-12)
        twin = game.clone()
        twin.reshuffle_hidden(game.to_play, 5)
        assert by_action(solver.solve_unseen(twin)) == found
        compared += 1
        if compared == 6:
            break
    assert compared == 6


def test_what_cannot_be_solved():
    for rules in Rules(3), Rules(1), Rules.partnership():
        with pytest.raises(ValueError, match=f"for two players, not for {rules.num_players}"):
            TwoPlayerSolver(rules)
    solver = TwoPlayerSolver(TINY, 1 << 20)
    with pytest.raises(ValueError, match="this solver is for"):
        solver.solve(Game(Rules(2)))
    game = Game(TINY, seed=1)
    with pytest.raises(ValueError, match="the other rack must be seen unless"):
        solver.solve_unseen(game)
    while not game.is_over:
        game.play(game.random_action())
    with pytest.raises(ValueError, match="the game is over"):
        solver.solve(game)
