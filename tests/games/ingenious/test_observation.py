"""Observations against the reference's idea of what a player sees, section by section."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import PRESETS, VARIANTS, batch_at, mixed_actions, reference_of
from reference import ReferenceGame, place_points

from ingenious_env import Game, GameBatch, Rules
from ingenious_env.envs.spaces import Encoder
from ingenious_env.games.ingenious.observation import Layout


def sections(game: Game, viewer: int) -> dict[str, np.ndarray]:
    vector = game.observe(viewer)
    return {
        name: vector[part.start : part.stop].reshape(part.shape)
        for name, part in Layout(game.rules).sections.items()
    }


def rack_of(one_hot: np.ndarray) -> list[tuple[int, int]]:
    """The tiles of a rack [R, 2, C], checked to be one-hot."""
    used = one_hot.any(axis=(1, 2))
    assert (one_hot.sum(axis=2) == used[:, None]).all()
    assert (np.diff(used.astype(int)) <= 0).all()
    return [tuple((slot.argmax(axis=1) + 1).tolist()) for slot in one_hot[used]]


def of_the_board(rules: Rules, reference: ReferenceGame) -> dict[str, list[list[int]]]:
    """The sections that are the same for each viewer: colours of cells, and the points a half would score."""
    board, cells = reference.board, [tuple(place) for place in rules.cells.tolist()]
    colours = range(1, rules.num_colours + 1)

    def points(cell, colour):
        # the other half lies off the board, so that all six directions count
        half = frozenset({(cell, colour), ((99, 99), 0)})
        return 0 if cell in board else place_points(board, half)[colour]

    return {
        "board": [[int(board.get(cell) == colour) for cell in cells] for colour in colours],
        "points": [[points(cell, colour) for cell in cells] for colour in colours],
    }


def compare(
    game: Game, reference: ReferenceGame, viewer: int, shown: list, draws: list, common: dict
) -> None:
    rules, seen = game.rules, sections(game, viewer)
    players, colours = rules.num_players, rules.num_colours
    for section, wanted in common.items():
        assert seen.pop(section).tolist() == wanted, section
    seats = [(viewer + k) % players for k in range(players)]
    racks = [rack_of(rack) for rack in seen.pop("racks")]
    assert racks == [reference.racks[seat] for seat in (seats if rules.open_racks else [viewer])]
    sheets = [(viewer + k) % rules.num_sheets for k in range(rules.num_sheets)]
    assert sheets[0] == reference.sheet_of(viewer)
    assert seen.pop("scores").tolist() == [reference.scores[sheet] for sheet in sheets]
    types = [(low, high) for low in range(1, colours + 1) for high in range(low, colours + 1)]
    unseen = reference.unseen(viewer)
    if rules.open_racks:
        for seat in seats[1:]:
            unseen -= type(unseen)(reference.racks[seat])
    assert seen.pop("unseen").tolist() == [unseen[tile] for tile in types]
    assert seen.pop("shown").tolist() == [[shown[seat].count(tile) for tile in types] for seat in seats]
    assert seen.pop("drawn_since").tolist() == [
        [min(rules.rack_size, draws[shower][drawer]) for drawer in seats] for shower in seats
    ]
    moves = viewer == reference.to_play
    assert seen.pop("to_play").tolist() == [int(seat == reference.to_play) for seat in seats]
    assert seen.pop("first_round").tolist() == [reference.turn < players]
    in_first = [int(reference.turn < players and symbol in reference.touched) for symbol in reference.symbols]
    assert seen.pop("touched").tolist() == in_first
    assert seen.pop("may_swap").tolist() == [int(moves and reference.phase == "swap")]
    assert seen.pop("plays_left").tolist() == [reference.plays_left if moves else 0]
    assert seen.pop("bag").tolist() == [min(127, len(reference.deck))]
    assert not seen.pop("held").any()
    assert not seen, "sections that nothing was asked of"


class Witness:
    """Tracks the tiles shown and drawn, from the reference only."""

    def __init__(self, reference: ReferenceGame) -> None:
        players = reference.num_players
        self.reference = reference
        self.shown: list[list] = [[] for _ in range(players)]
        self.draws = [[0] * players for _ in range(players)]
        self.swaps = 0

    def make(self, move, new_deck) -> None:
        reference, seat = self.reference, self.reference.to_play
        old = list(reference.racks[seat])
        reference.make(move, new_deck)
        if move == "swap":
            for other, tiles in enumerate(self.shown):
                if other != seat and self.draws[other][seat]:
                    for tile in old:
                        if tile in tiles:
                            tiles.remove(tile)
            self.shown[seat] = old
            self._draw(seat, reference.rack_size)
            self.draws[seat] = [0] * len(self.draws)
            self.swaps += 1
            return
        placed = [] if move == "keep" else [tuple(sorted(colour for _, colour in move))]
        for tile in placed:
            for draws, tiles in zip(self.draws, self.shown, strict=True):
                if draws[seat] and tile in tiles:
                    tiles.remove(tile)
        if self.swaps:
            self._draw(seat, len(reference.racks[seat]) - len(old) + len(placed))

    def _draw(self, seat: int, count: int) -> None:
        for since in self.draws:
            since[seat] = min(255, since[seat] + count)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_section_at_every_step(name):
    rules = VARIANTS[name]
    swaps = 0
    for seed in range(8 if name in ("two", "three", "four") else 3):
        game = Game(rules, (21, seed))
        witness = Witness(reference_of(game))
        rng = np.random.default_rng(seed)
        while True:
            common = of_the_board(rules, witness.reference)
            for viewer in range(rules.num_players):
                compare(game, witness.reference, viewer, witness.shown, witness.draws, common)
            if game.is_over:
                break
            greedy = int(mixed_actions(GameBatch.from_rows(rules, game.state.memory), rng, 0.5)[0])
            move = game.move(greedy)
            game.play(greedy)
            if isinstance(move, str):
                witness.make(move, game.bag_order if move == "swap" else None)
            else:
                witness.make(frozenset(move), None)
        swaps += witness.swaps
    if name in ("two", "three", "four"):
        assert swaps > 0


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("form", ["vector", "planes", "dict"])
def test_observations_lie_in_their_spaces(name, form):
    rules = VARIANTS[name]
    encode = Encoder(Layout(rules), form)
    for staged in (False, True):
        for moves in (0, 5, 20, 60):
            batch = batch_at(rules, 8, moves, staged=staged, seed=moves)
            for vector in batch.observe():
                assert encode.space.contains(encode.single(vector))


@pytest.mark.parametrize("name", PRESETS)
def test_planes_and_dict_say_the_same_as_the_vector(name):
    rules = PRESETS[name]
    layout = Layout(rules)
    batch = batch_at(rules, 6, 15)
    vectors = batch.observe()
    named, planes = layout.named(vectors), layout.planes(vectors)
    assert np.array_equal(named["board"], batch.board)
    assert list(named) == list(layout.sections)
    for name_, part in layout.sections.items():
        if name_ != "board":
            assert np.array_equal(named[name_].reshape(6, -1), vectors[:, part.start : part.stop])
    n, colours = rules.board_side, rules.num_colours
    points = vectors[:, layout.sections["board"].stop : layout.sections["points"].stop].reshape(
        6, colours, -1
    )
    rest = vectors[:, layout.sections["points"].stop :]
    on_board = np.zeros((2 * n - 1, 2 * n - 1), bool)
    for cell, (q, r) in enumerate(rules.cells.tolist()):
        row, column = r + n - 1, q + n - 1
        on_board[row, column] = True
        one_hot = planes[:, : colours + 1, row, column]
        expected = [
            [*(colour == c for c in range(1, colours + 1)), colour == 0] for colour in batch.board[:, cell]
        ]
        assert one_hot.tolist() == np.array(expected).astype(int).tolist()
        assert np.array_equal(planes[:, colours + 1 : 2 * colours + 1, row, column], points[:, :, cell])
        assert np.array_equal(planes[:, 2 * colours + 1 :, row, column], rest)
    assert not planes[:, :, ~on_board].any()
    assert planes.shape[1:] == layout.planes_shape
    vectors[:] = 99
    assert not (named["scores"] == 99).any()


@pytest.mark.parametrize("colours", [3, 6])
def test_the_highest_entries_of_the_planes(colours):
    """1 in the planes of colours and of empty cells, off the board too; points as far as a line goes."""
    layout = Layout(Rules(2, board_side=4, num_colours=colours))
    highs = layout.plane_highs()
    off_board = np.ones(layout.planes_shape[1:], bool)
    off_board[tuple((layout.rules.cells + 3).T[::-1])] = False
    assert (highs[: colours + 1] == 1).all()
    assert layout.named_highs()["plays_left"].tolist() == [1 + 2 * colours]
    assert (highs[colours + 1 : 2 * colours + 1, ~off_board] == 6 * 3).all()
    assert (highs[:, off_board] == 1).all()


@pytest.mark.parametrize("form", ["vector", "planes", "dict"])
def test_every_form_is_a_copy(form):
    batch = batch_at(Rules(), 2, 5)
    vectors = batch.observe()
    encoded = batch.layout.encode(vectors, form)
    for part in encoded.values() if form == "dict" else [encoded]:
        assert not np.shares_memory(part, vectors)


def test_a_picked_slot_shows_to_its_owner_alone():
    batch = GameBatch(Rules(), 1, 0, staged=True)
    part = batch.layout.sections["held"]
    batch.play([5])
    assert batch.observe()[0, part.start : part.stop].tolist() == [0, 0, 0, 0, 0, 1]
    assert not batch.observe(viewers=[1])[0, part.start : part.stop].any()


def test_equal_information_is_an_equal_observation():
    """Two games in which seat 0 holds the same tiles, drawn in another order, look the same to it."""
    rules = Rules.standard(2)
    batch = GameBatch(rules, 1, 0)
    bag = batch.state.bag
    assert not bag[0, : batch.state.drawn[0]].any()
    assert (np.diff(batch.state.racks[0].astype(int)) >= 0).all()
