"""Optimised bags whose order is known, and their bound, against brute force on the engine."""

from __future__ import annotations

import numpy as np
import pytest
from ingenious_agents.search.known_bag import LONGEST, SHORTEST, improve, steps_of, upper_bound

from ingenious_env import Game, GameBatch, Rules

TINY = {
    "two colours": Rules(1, board_side=3, num_colours=2),
    "three colours": Rules(1, board_side=3, num_colours=3),
    "stop at 4": Rules(1, board_side=3, num_colours=2, counter_top=4),
    "one sheet to 5": Rules(1, board_side=3, num_colours=3, counter_top=5, double_sheet=False),
}
OTHERS = [
    Rules.solitaire(),
    Rules(1, board_side=3),
    Rules(1, board_side=3, num_colours=2, rack_size=2),
    Rules(1, board_side=4, num_colours=4, rack_size=3),
    Rules(1, rack_size=6, counter_top=7, double_sheet=False),
    Rules(1, board_side=7, num_colours=5),
]


@pytest.mark.parametrize(
    ("options", "error", "complaint"),
    [
        ({"steps": 0}, ValueError, "steps must be from 1 to"),
        ({"steps": -5}, ValueError, "steps must be from 1 to"),
        ({"steps": 2.5}, TypeError, "steps must be a whole number"),
        ({"number": -1}, ValueError, "number must be from 0 to"),
        ({"number": 0.5}, TypeError, "number must be a whole number"),
        ({"goal": -1}, ValueError, "goal must be from 0 to"),
    ],
)
def test_rounds_that_are_not(options, error, complaint):
    with pytest.raises(error, match=complaint):
        improve(TINY["two colours"], (0, 0), **options)


def fixed_symmetries(rules: Rules) -> list[np.ndarray]:
    """The symmetries of the board that leave every start symbol's colour in place."""
    colours = dict(zip(rules.geometry.symbol_cells, rules.start_symbols.values(), strict=True))
    return [
        image
        for image in rules.geometry.symmetries
        if all(colours[int(image[cell])] == colour for cell, colour in colours.items())
    ]


def optimum(rules: Rules, seed: tuple[int, int]) -> int:
    """The best lowest counter of a bag, by trying every placement of every tile, one level after the other.

    Positions that are equal, or equal after a symmetry that keeps the start symbols, are tried once.
    """
    symmetries = fixed_symmetries(rules)
    batch, best = GameBatch(rules, 1, 0), 0
    batch.seed(*seed)
    while True:
        rows, actions = np.nonzero(batch.legal_mask())
        batch = batch.take(rows)
        batch.play(actions)
        best = max(best, int(batch.scores[batch.is_over].min(axis=2).max(initial=0)))
        running = np.flatnonzero(~batch.is_over)
        if not len(running):
            return best
        batch = batch.take(running)
        boards = np.array([batch.board[:, image] for image in symmetries]).astype(np.uint8)
        weights = np.random.default_rng(1).integers(1, 2**62, boards.shape[2])
        boards = (boards * weights).sum(axis=2).min(axis=0)  # one number for all images of a board
        keys = np.column_stack([boards, batch.scores[:, 0]])
        batch = batch.take(np.sort(np.unique(keys, axis=0, return_index=True)[1]))


@pytest.mark.parametrize("name", TINY)
def test_the_optimum_of_tiny_bags_is_found_and_is_not_above_the_bound(name):
    rules = TINY[name]
    for bag in range(3):
        best = optimum(rules, (5, bag))
        assert best <= upper_bound(rules, (5, bag))
        assert max(improve(rules, (5, bag), number, steps=20_000).lowest for number in range(3)) == best


@pytest.mark.parametrize(("bag", "lowest"), [(113, 2), (146, 2), (365, 4)])
def test_a_double_scores_a_cell_next_to_both_halves_twice(bag, lowest):
    """Bags whose best lines end above what the halves on the board would be worth if each counted once."""
    rules = Rules(1, board_side=3, num_colours=4)
    assert lowest <= improve(rules, (5, bag), 0, steps=20_000).lowest <= upper_bound(rules, (5, bag))


@pytest.mark.parametrize("rules", OTHERS, ids=str)
def test_a_line_is_a_whole_game_with_its_lowest_counter(rules):
    for bag in range(3):
        found = improve(rules, (7, bag), 1, steps=4000)
        game = Game(rules, (7, bag))
        for action in found.actions:
            game.play(action)
        assert game.is_over
        assert game.scores.min() == found.lowest <= upper_bound(rules, (7, bag))
        again = improve(rules, (7, bag), 1, steps=4000)
        assert (again.actions, again.lowest) == (found.actions, found.lowest)


def test_rounds_are_longer_and_longer_up_to_a_limit():
    assert [steps_of(number) for number in range(3)] == [SHORTEST, 2 * SHORTEST, 4 * SHORTEST]
    assert steps_of(1000) == LONGEST


def test_the_bound_of_a_bag_by_hand():
    """Of the 42 tiles that fit, those with the rarest colour: 8 halves on separate tiles, and one symbol.

    1 + 2 + 3 + 4 + 5, then 6, of which the stop at 18 leaves 3, and 7 + 8.
    """
    game = Game(Rules.solitaire(), (1, 7))
    laid = [*game.racks[0], *game.bag_order][:42]
    halves = [sum(tile.count(colour) for tile in laid) for colour in range(1, 7)]
    assert min(halves) == 8
    assert (3, 3) not in laid
    assert halves[2] == 8
    assert upper_bound(Rules.solitaire(), (1, 7)) == 18 + 7 + 8


def test_only_solitaire_has_known_bags():
    with pytest.raises(ValueError, match="not a game of 2 players"):
        improve(Rules(), (0, 0))
    with pytest.raises(ValueError, match="not a game of 3 players"):
        upper_bound(Rules(3), (0, 0))
