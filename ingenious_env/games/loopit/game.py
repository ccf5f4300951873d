"""`Game`: one game of Loopit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from ingenious_env.engine.dealing import exchange, racks_by_seat, tile_numbers
from ingenious_env.engine.game import BaseGame
from ingenious_env.games.loopit.material import Square, Tile
from ingenious_env.games.loopit.rules import Rules
from ingenious_env.games.loopit.state import NO_TILE


class Game(BaseGame):
    """One game of Loopit.

    Args:
        rules: the variant; two players by default.
        seed: a whole number from 0 to 2^64 − 1, or such a number and the game's index under it (a bare number
            is index 0); None takes one from the operating system. The same seed gives the same game.
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
        """The tiles in the bag in drawing order, valid until a rack is thrown back."""
        types = self.rules.material.types
        return [types[tile] for tile in self.state.bag[0, self.state.drawn[0] :]]

    def deal(
        self,
        racks: Mapping[int, Sequence[Tile]] | Sequence[Sequence[Tile] | None],
        *,
        start: Tile | None = None,
        put_out: Sequence[Tile] | None = None,
    ) -> None:
        """Put these tiles on the racks, as many as there are, at the deal or later; change nothing else.

        They are taken from the bag and from the places given; the tiles given up go where they came from. At
        the deal, the legal actions of seat 0 follow from the tiles.

        Args:
            racks: by seat, or one for each seat, None for an unchanged one.
            start: the tile on the start square, at the deal only.
            put_out: the tiles put out of the game (LOOPIT.md 2.2), at the deal only.

        Raises:
            ValueError: there are other numbers of tiles or not enough of a type, or the position contradicts
                the racks, as where a seat has a choice that it would not have; the game is as it was.
        """
        if self.turn or self.laid or self.state.held[0]:
            if start is not None or put_out is not None:
                msg = "the start tile and the tiles put out can be chosen at the deal only"
                raise ValueError(msg)
            super().deal(racks)
            return
        types, seats = self.rules.material.types, racks_by_seat(racks, self.rules.num_players)
        given = {f"the rack of seat {seat}": rack for seat, rack in seats.items()}
        given |= {} if start is None else {"the start square": [start]}
        given |= {} if put_out is None else {"what is put out": put_out}
        wanted = {name: tile_numbers(types, tiles) for name, tiles in given.items()}

        state, bag = self.state, self._undrawn.copy()
        first = state.board[0, [self.rules.material.cell(self.rules.material.start)]] - 1
        hands = {"what is put out": state.out[0, : self.rules.num_out].copy()}
        hands |= {f"the rack of seat {seat}": rack.copy() for seat, rack in enumerate(state.racks[0])}
        hands["the start square"] = first
        exchange(bag, hands, wanted, types)
        order = np.concatenate([hand[hand != NO_TILE] for hand in hands.values()] + [bag])
        game = self.clone()
        game._batch.deal_in_order(order[None])
        self._become(game)

    @property
    def put_out(self) -> list[Tile]:
        """The tiles that were put out of the game, hidden from all players (LOOPIT.md 2.2)."""
        types = self.rules.material.types
        return [types[tile] for tile in self.state.out[0] if tile != NO_TILE]

    def unseen(self, player: int) -> Counter[Tile]:
        """The tiles that the player does not see: in the bag, on other racks, put out."""
        self._check_player("player", player)
        unplaced = dict(zip(self.rules.material.types, self.state.unplaced[0].tolist(), strict=True))
        return Counter(unplaced) - Counter(self.racks[player])

    def __repr__(self) -> str:
        """Variant, scores and whose turn it is."""
        doing = "over" if self.is_over else f"seat {self.to_play} to {self.phase}"
        kind = f"{self.rules.num_players} players, {'fixed' if self.rules.fixed_rounds else 'free'} rounds"
        return f"<Game: Loopit, {kind}, turn {self.turn}, {doing}, {self.scores}>"
