"""`Game`: one game of Loopit."""

from __future__ import annotations

from collections import Counter

from ingenious_env.core.game import BaseGame
from ingenious_env.games.loopit.material import Square, Tile
from ingenious_env.games.loopit.rules import Rules
from ingenious_env.games.loopit.state import NO_TILE


class Game(BaseGame):
    """One game of Loopit.

    Args:
        rules: the variant; two players by default.
        seed: a whole number from 0 to 2^64 − 1, or such a number and the game's index under it (a bare number
            is index 0); None takes one from the operating system. The same seed is the same game everywhere.
        actions: "flat" or "staged" numbering of actions.
    """

    rules: Rules

    @property
    def turn(self) -> int:
        """Completed turns, those passed with an empty rack included."""
        return int(self.state.turn[0])

    @property
    def laid(self) -> int:
        """Tiles laid in this turn."""
        return int(self.state.laid[0])

    @property
    def board(self) -> dict[Square, Tile]:
        """The tiles on the board by (row, column), each as (line ends, value)."""
        material, board = self.rules.material, self.state.board[0, :-1]
        return {
            material.square(cell): material.types[tile - 1]
            for cell, tile in enumerate(board.tolist())
            if tile
        }

    @property
    def scores(self) -> list[int]:
        """The score of each player."""
        return [int(score) for score in self.state.scores[0]]

    @property
    def racks(self) -> list[list[Tile]]:
        """Each player's tiles as (line ends, value), sorted."""
        types = self.rules.material.types
        return [[types[tile] for tile in rack if tile != NO_TILE] for rack in self.state.racks[0]]

    @property
    def bag(self) -> Counter[Tile]:
        """The tiles in the bag."""
        return Counter(self.bag_order)

    @property
    def bag_order(self) -> list[Tile]:
        """The tiles in the bag in drawing order, as long as no rack is thrown back."""
        types = self.rules.material.types
        return [types[tile] for tile in self.state.bag[0, self.state.drawn[0] :]]

    @property
    def put_out(self) -> list[Tile]:
        """The tiles that were put out of the game, which nobody sees (LOOPIT.md 2.2)."""
        types = self.rules.material.types
        return [types[tile] for tile in self.state.out[0] if tile != NO_TILE]

    def unseen(self, player: int) -> Counter[Tile]:
        """The tiles that the player does not see: in the bag, on other racks, put out."""
        self._check_player("player", player)
        unplaced = dict(zip(self.rules.material.types, self.state.unplaced[0].tolist(), strict=True))
        return Counter(unplaced) - Counter(self.racks[player])

    def __repr__(self) -> str:
        """Variant, standing and whose turn it is."""
        doing = "over" if self.is_over else f"seat {self.to_play} to {self.phase}"
        kind = f"{self.rules.num_players} players, {'fixed' if self.rules.fixed_rounds else 'free'} rounds"
        return f"<Game: Loopit, {kind}, turn {self.turn}, {doing}, {self.scores}>"
