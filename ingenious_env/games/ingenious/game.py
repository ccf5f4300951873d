"""`Game`: one game of Ingenious."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.game import BaseGame
from ingenious_env.games.ingenious.rules import Rules
from ingenious_env.games.ingenious.state import NO_TILE, SWAP
from ingenious_env.games.ingenious.tiles import Tile, tile_types


class Game(BaseGame):
    """One game of Ingenious.

    Args:
        rules: the variant; two players by default.
        seed: a whole number from 0 to 2^64 − 1, or such a number and the game's index under it (a bare number
            is index 0); None takes one from the operating system. The same seed gives the same game.
        actions: "flat" or "staged" numbering of actions.
    """

    rules: Rules

    @property
    def turn(self) -> int:
        """Completed turns."""
        return int(self.state.turn[0])

    @property
    def plays_left(self) -> int:
        """Placements still owed in this turn, bonus plays included."""
        return int(self.state.plays_left[0])

    @property
    def board(self) -> NDArray[np.int8]:
        """Int8 [N]: 0 for an empty cell, or its colour, 1 to 6."""
        return np.array(self._batch.board[0])

    @property
    def scores(self) -> NDArray[np.int8]:
        """Int8 [T, C]: the counters of each sheet."""
        return np.array(self._batch.scores[0])

    @property
    def racks(self) -> list[list[Tile]]:
        """Each player's tiles as (low, high) colours, sorted."""
        types = tile_types(self.rules.num_colours)
        return [[types[tile] for tile in rack if tile != NO_TILE] for rack in self.state.racks[0]]

    @property
    def bag(self) -> Counter[Tile]:
        """The tiles in the bag."""
        return Counter(self.bag_order)

    @property
    def bag_order(self) -> list[Tile]:
        """The tiles in the bag in drawing order, valid until the next swap."""
        types = tile_types(self.rules.num_colours)
        return [types[tile] for tile in self.state.bag[0, self.state.drawn[0] :]]

    def unseen(self, player: int) -> Counter[Tile]:
        """The tiles that are neither on the board nor on a rack that the player sees."""
        self._check_player("player", player)
        in_sight = self.racks if self.rules.open_racks else [self.racks[player]]
        types = tile_types(self.rules.num_colours)
        unplaced = Counter(dict(zip(types, self.state.unplaced[0].tolist(), strict=True)))
        return unplaced - Counter(tile for rack in in_sight for tile in rack)

    def __repr__(self) -> str:
        """Variant, scores and whose turn it is."""
        rules = self.rules
        kind = "solitaire" if rules.num_players == 1 else f"{rules.num_players} players"
        doing = (
            "over" if self.is_over else f"seat {self.to_play} to {'choose' if self._swapping else 'place'}"
        )
        return f"<Game: {kind}, side {rules.board_side}, turn {self.turn}, {doing}, {self.scores.tolist()}>"

    @property
    def _swapping(self) -> bool:
        return bool(self.state.phase[0] == SWAP)
