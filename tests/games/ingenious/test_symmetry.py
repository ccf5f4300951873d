"""The game knows neither up from down nor red from green: 12 board symmetries × 720 colour relabellings."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from helpers import PRESETS, batch_at, mixed_actions

from ingenious_env import GameBatch, Rules
from ingenious_env.compiled.bag import NO_TILE
from ingenious_env.engine.state import NO_ACTION, GameState
from ingenious_env.games.ingenious.tiles import tile_types


class Images:
    """One game in all its images, and the images of its actions.

    A relabelling says what colour each colour becomes, both counted from 0. The racks are sorted by tile
    type, so that a tile's slot changes with its colours.
    """

    def __init__(self, batch: GameBatch) -> None:
        self.rules = batch.rules
        colours = self.rules.num_colours
        relabellings = np.array(list(permutations(range(colours))))
        self.cell_maps = np.repeat(self.rules.geometry.symmetries, len(relabellings), axis=0)
        self.relabellings = np.tile(relabellings, (len(self.rules.geometry.symmetries), 1))
        self.count = len(self.relabellings)
        types = list(tile_types(colours))
        numbers = {tile: number for number, tile in enumerate(types)}
        self.tile_maps = np.array(
            [
                [numbers[min(to[a - 1], to[b - 1]) + 1, max(to[a - 1], to[b - 1]) + 1] for a, b in types]
                for to in relabellings
            ]
        )
        self.tile_maps = np.tile(self.tile_maps, (len(self.rules.geometry.symmetries), 1))

    def of(self, state: GameState) -> GameState:
        """The images of a batch of one: every field that does not follow from the board is mapped by hand."""
        images = GameState(self.rules, np.repeat(state.memory, self.count, axis=0))
        rows = np.arange(self.count)[:, None]
        board = state.board[0, :-1]
        to_colour = np.column_stack([np.zeros(self.count, np.int8), self.relabellings + 1])
        images.board[rows, self.cell_maps] = to_colour[:, board]
        images.points[rows[..., None], self.relabellings[..., None], self.cell_maps[:, None]] = state.points[
            0
        ]
        images.open_pairs[:] = self._pairs(state.open_pairs[0])
        for sheet in range(self.rules.num_sheets):
            images.scores[rows, sheet, self.relabellings] = state.scores[0, sheet]
        tile_maps = np.column_stack(
            [self.tile_maps, np.full((self.count, NO_TILE - self.tile_maps.shape[1] + 1), NO_TILE)]
        )
        images.racks[:] = np.sort(tile_maps[:, state.racks[0]], axis=2)
        drawn = int(state.drawn[0])
        images.bag[:, drawn:] = self.tile_maps[:, state.bag[0, drawn:]]
        images.unplaced[rows, self.tile_maps] = state.unplaced[0]
        for seat in range(self.rules.num_players):
            images.shown[rows, seat, self.tile_maps] = state.shown[0, seat]
        images.touched[:] = self._symbols(int(state.touched[0]))
        return images

    def _pairs(self, open_pairs: np.ndarray) -> np.ndarray:
        """The images of a set of pairs, as words of 64 bits."""
        pairs = self.rules.geometry.pairs
        bits = np.unpackbits(open_pairs.view(np.uint8), bitorder="little")
        images = np.zeros((self.count, len(bits)), np.uint8)
        numbers = self._pair_numbers(self.cell_maps[:, pairs])
        images[np.arange(self.count)[:, None], numbers] = bits[: len(pairs)]
        return np.packbits(images, axis=1, bitorder="little").view(np.uint64)

    def _pair_numbers(self, cells: np.ndarray) -> np.ndarray:
        """The numbers of pairs of cells [..., 2], given in either order."""
        pairs = self.rules.geometry.pairs.astype(np.int64)
        ends, width = np.sort(cells, axis=-1).astype(np.int64), self.rules.geometry.num_cells
        return np.searchsorted(pairs[:, 0] * width + pairs[:, 1], ends[..., 0] * width + ends[..., 1])

    def _symbols(self, touched: int) -> np.ndarray:
        """The images of a set of start symbols; they keep their cells, regardless of colours."""
        cells = self.rules.geometry.symbol_cells
        images = np.zeros(self.count, np.uint8)
        for symbol, cell in enumerate(cells):
            if touched >> symbol & 1:
                images |= 1 << np.searchsorted(np.sort(cells), self.cell_maps[:, cell]).astype(np.uint8)
        order = np.argsort(cells)  # from the order of the cells back to the clockwise one
        return sum(((images >> place) & 1) << symbol for place, symbol in enumerate(order)).astype(np.uint8)

    def of_action(self, state: GameState, images: GameState, action: int, space) -> np.ndarray:
        """The action in each image."""
        if action >= space.keep:
            return np.full(self.count, action)
        slot, turned, pair = space.split(action)
        tile = int(state.racks[0, state.to_play[0], slot])
        types = np.array(tile_types(self.rules.num_colours)) - 1
        low, high = types[tile]
        colours = (high, low) if turned else (low, high)
        cells = self.cell_maps[:, self.rules.geometry.pairs[pair]]
        new_colours = self.relabellings[:, colours]
        forward = cells[:, 0] < cells[:, 1]
        first, second = np.where(forward, new_colours.T, new_colours.T[::-1])
        racks = images.racks[np.arange(self.count), images.to_play]
        slots = (racks == self.tile_maps[:, tile, None]).argmax(axis=1)
        placements = self._pair_numbers(cells) + (first > second) * self.rules.geometry.num_pairs
        return slots * space.num_placements + placements


def play_in_all_images(rules: Rules, start: int, steps: int, seed: int) -> int:
    """Play a game and all its images in parallel; returns the number of steps."""
    batch = batch_at(rules, 1, start, seed=seed)
    images = Images(batch)
    crowd = GameBatch.from_rows(rules, images.of(batch.state).memory)
    rng = np.random.default_rng(seed)
    for step in range(steps):
        action = int(mixed_actions(batch, rng)[0])
        if action == NO_ACTION:
            return step
        if action == batch.actions.swap:
            action = batch.actions.keep  # a swap shakes the bag, tile by tile in the order of their types
        legal = batch.legal_mask().sum()
        assert (crowd.legal_mask().sum(axis=1) == legal).all()
        mapped = images.of_action(batch.state, crowd.state, action, batch.actions)
        crowd.play(mapped)
        batch.play([action])
        assert np.array_equal(crowd.state.memory, images.of(batch.state).memory)
    return steps


@pytest.mark.parametrize("name", PRESETS)
def test_all_8640_images_of_a_game(name):
    assert play_in_all_images(PRESETS[name], 0, 3, seed=5) == 3
    assert play_in_all_images(PRESETS[name], 30, 4, seed=6) == 4


@pytest.mark.parametrize(
    "rules", [Rules(2, board_side=4, num_colours=3, counter_top=4), Rules(3, board_side=5, num_colours=4)]
)
def test_all_images_of_whole_small_games(rules):
    for seed in range(3):
        assert play_in_all_images(rules, 0, 100, seed) >= 4
