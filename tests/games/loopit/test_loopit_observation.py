"""Observations compared with the public `Game`, section by section, at every step."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from loopit_helpers import (
    OWN,
    STANDARD,
    VARIANTS,
    batch_at,
    every_variant,
    make,
    mixed_actions,
    position,
    tile,
)

from ingenious_env import GameBatch
from ingenious_env.games.loopit import Game, Lay
from ingenious_env.games.loopit.observation import Layout


def sections(game: Game, viewer: int) -> dict[str, np.ndarray]:
    vector, layout = game.observe(viewer), Layout(game.rules)
    assert (vector >= 0).all()
    assert (vector <= layout.highs).all()
    return {
        name: vector[part.start : part.stop].reshape(part.shape) for name, part in layout.sections.items()
    }


def compare(game: Game, viewer: int) -> None:
    rules, seen = game.rules, sections(game, viewer)
    board, (rows, columns) = game.board, rules.material.shape
    seen_ends, seen_values = seen.pop("ends"), seen.pop("values")
    for row in range(rows):
        for column in range(columns):
            ends, value = board.get((row, column), ("", 0))
            cell = row * columns + column
            assert seen_ends[:, cell].tolist() == [int(end in ends) for end in "NESW"]
            assert seen_values[cell] == value
    rack = [[*(int(end in ends) for end in "NESW"), value] for ends, value in game.racks[viewer]]
    assert seen.pop("rack").tolist() == rack + [[0] * 5] * (rules.rack_size - len(rack))
    hidden = [*game.bag_order, *game.put_out]
    hidden += [each for seat, other in enumerate(game.racks) if seat != viewer for each in other]
    assert sorted(game.unseen(viewer).elements()) == sorted(hidden)
    assert seen.pop("unseen").tolist() == [hidden.count(each) for each in rules.material.types]
    players = rules.num_players
    seats = [(viewer + k) % players for k in range(players)]
    assert seen.pop("scores").tolist() == [
        [game.scores[seat] // 100, game.scores[seat] % 100] for seat in seats
    ]
    assert seen.pop("rack_sizes").tolist() == [len(game.racks[seat]) for seat in seats]
    mine = viewer == game.to_play
    held = int(game.state.held[0])
    assert seen.pop("held").tolist() == [int(mine and held == slot + 1) for slot in range(rules.rack_size)]
    assert seen.pop("to_play").tolist() == [int(seat == game.to_play) for seat in seats]
    assert seen.pop("laid").tolist() == [game.laid]
    assert seen.pop("stuck").tolist() == [int(mine and game.phase == "throw")]
    left = rules.num_rounds - game.turn // players if rules.num_rounds else 0
    assert seen.pop("rounds_left").tolist() == [left]
    assert seen.pop("bag").tolist() == [min(127, len(game.bag_order))]
    assert not seen, "sections that nothing was asked of"


@pytest.mark.parametrize("staged", [False, True], ids=["flat", "staged"])
@every_variant
def test_every_section_at_every_step(name, staged):
    rules = VARIANTS[name]
    every = max(1, rules.num_tiles // 25)
    batch, rng, step, phases = GameBatch(rules, 1, 6, staged=staged), np.random.default_rng(6), 0, set()
    while not batch.is_over[0]:
        game = batch[0]
        phases.add(game.phase)
        if step % every == 0 or game.phase == "throw":
            for viewer in range(rules.num_players):
                compare(game, viewer)
        batch.play(mixed_actions(batch, rng, 0.6))
        step += 1
    for viewer in range(rules.num_players):
        compare(batch[0], viewer)
    assert name != "few patterns" or "throw" in phases


@pytest.mark.parametrize("name", ["three, fixed", "4 x 7", "corner"])
def test_planes_and_named_arrays(name):
    rules = (STANDARD | OWN)[name]
    batch = batch_at(rules, 5, 9, seed=2)
    vectors, layout = batch.observe(), batch.layout
    planes, named = layout.planes(vectors), layout.named(vectors)
    rows, columns = rules.material.shape
    cells = rows * columns
    assert planes.shape == (5, 6 + vectors.shape[1] - 5 * cells, rows, columns)
    assert layout.planes_shape == planes.shape[1:]
    for number in range(5):
        game = batch[number]
        for row in range(rows):
            for column in range(columns):
                ends, value = game.board.get((row, column), ("", 0))
                expected = [*(int(end in ends) for end in "NESW"), value]
                assert planes[number, :5, row, column].tolist() == expected
                assert [
                    *named["ends"][number, :, row, column],
                    named["values"][number, row, column],
                ] == expected
                assert planes[number, 5, row, column] == rules.material.factors[row][column]
                assert planes[number, 6:, row, column].tolist() == vectors[number, 5 * cells :].tolist()
        viewer = game.to_play
        order = [(viewer + k) % rules.num_players for k in range(rules.num_players)]
        assert named["scores"][number].tolist() == [game.scores[seat] for seat in order]
    assert named["scores"].dtype == np.int16
    assert list(named) == list(layout.sections)
    for section, part in layout.sections.items():
        if section != "scores":
            assert np.array_equal(named[section].reshape(5, -1), vectors[:, part.start : part.stop])
    assert (layout.planes(vectors) <= layout.plane_highs()).all()


@every_variant
def test_bounds_are_as_documented(name):
    """Each is the highest entry that there may be, and at least 1."""
    rules = VARIANTS[name]
    highest = max(value for _, value in rules.tiles)
    rounds = {2: 13, 3: 9, 4: 7}[rules.num_players] if rules.fixed_rounds else 1
    assert {section: part.high for section, part in Layout(rules).sections.items()} == {
        "ends": 1,
        "values": highest,
        "rack": highest,
        "unseen": max(Counter(rules.tiles).values()),
        "scores": 127,
        "rack_sizes": rules.rack_size,
        "held": 1,
        "to_play": 1,
        "laid": rules.tiles_per_turn,
        "stuck": 1,
        "rounds_left": rounds,
        "bag": min(127, len(rules.tiles)),
    }


def test_sizes_are_as_documented():
    assert [Layout(STANDARD[name]).size for name in ("two", "three", "four")] == [968, 972, 976]
    assert [Layout(STANDARD[name]).planes_shape for name in ("two", "three", "four")] == [
        (129, 13, 13),
        (133, 13, 13),
        (137, 13, 13),
    ]
    assert (GameBatch(STANDARD["two"]).num_actions, GameBatch(STANDARD["two"], staged=True).num_actions) == (
        848,
        177,
    )


@pytest.mark.parametrize("score", [99, 100, 101, 999, 12_799])
def test_high_scores(score):
    game = position({(2, 2): "NESW1", (1, 2): "S1"}, ["N1 N2", "S1 S2"], rack=2, scores=(score, 5))
    for viewer, expected in ((0, [score, 5]), (1, [5, score])):
        batch = GameBatch.from_rows(game.rules, game.state.memory)
        vector = batch.observe(viewers=[viewer])
        assert batch.layout.named(vector)["scores"][0].tolist() == expected
        assert sections(game, viewer)["scores"].tolist() == [[each // 100, each % 100] for each in expected]


def test_a_picked_slot_shows_to_its_owner_alone():
    game = position({(2, 2): "NESW1"}, ["N1 N2 N3", "S1 S2 S3"], rack=3)
    staged = Game.from_row(game.rules, game.state.memory[0], staged=True)
    before = staged.observe(1)
    staged.play(2)
    assert sections(staged, 0)["held"].tolist() == [0, 0, 1]
    assert np.array_equal(staged.observe(1), before)


def test_a_seat_that_can_lay_nothing_shows_to_itself_alone():
    """The position is the same to the other seat, whether the one to move can lay a tile or cannot."""
    views = []
    for rack, phase in (("N1 N2", "throw"), ("S1 N2", "lay")):
        bag = "S1" if "S1" not in rack else "N1"
        game = position({(2, 2): "N1"}, [rack, "S2 S3"], bag, rack=2, phase=phase)
        assert sections(game, 0)["stuck"].tolist() == [int(phase == "throw")]
        views.append(game.observe(1))
    assert np.array_equal(*views)


def test_which_of_its_tiles_were_drawn_first_does_not_show():
    game = position({(2, 2): "NESW1"}, ["N1 S2 E3", "W1 W1 W1"], "N9 E1 S1", rack=3)
    make(game, Lay(tile("N1"), (3, 2)), "stop")
    rack = [("E", 3), ("N", 9), ("S", 2)]
    assert sorted(game.racks[0]) == rack
    assert game.racks[0] == [("S", 2), ("E", 3), ("N", 9)]  # by value
