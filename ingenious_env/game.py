"""`Game`: one game behind a friendly face; underneath, a batch of one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env import consistency, notation
from ingenious_env.engine import NO_ACTION, GameBatch
from ingenious_env.errors import IllegalActionError
from ingenious_env.moves import Half, Move, Place
from ingenious_env.rules import Rules
from ingenious_env.seeding import Seed, check_index, fresh_seed, split_seed
from ingenious_env.state import NO_TILE, PHASES, SWAP, GameState
from ingenious_env.tiles import Tile, tile_types


class Game:
    """One game of Ingenious.

    Args:
        rules: the variant; two players by default.
        seed: a whole number from 0 to 2^64 − 1, or such a number and the game's index under it (a bare number
            is index 0); None takes one from the operating system. The same seed is the same game everywhere.
    """

    def __init__(self, rules: Rules | None = None, seed: Seed | None = None) -> None:
        self._batch = GameBatch(Rules() if rules is None else rules, 1, 0)
        self.seed(fresh_seed() if seed is None else seed)

    @classmethod
    def from_row(cls, rules: Rules, row: NDArray[np.uint64], *, copy: bool = True) -> Game:
        """The game in this row of `GameState.memory`: a copy, or the very row."""
        game = cls.__new__(cls)
        game._batch = GameBatch.from_rows(rules, row[None], copy=copy)
        return game

    def seed(self, seed: Seed) -> None:
        """Start over as `Game(rules, seed)`."""
        self._batch.seed(*split_seed(seed))

    # The position.

    @property
    def rules(self) -> Rules:
        """The variant played."""
        return self._batch.rules

    @property
    def state(self) -> GameState:
        """The game as a batch of one; change nothing there."""
        return self._batch.state

    @property
    def to_play(self) -> int:
        """The seat to move; once the game is over, the seat that moved last."""
        return int(self.state.to_play[0])

    @property
    def phase(self) -> str:
        """What is to be done: "place", "swap" (choose to swap or to keep), or nothing, "over"."""
        return PHASES[self.state.phase[0]]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

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
        return np.asarray(self._batch.board[0])

    @property
    def scores(self) -> NDArray[np.int8]:
        """Int8 [T, C]: the counters of each sheet."""
        return np.asarray(self._batch.scores[0])

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
        """The tiles in the bag in the order in which they will be drawn, as long as nobody swaps."""
        types = tile_types(self.rules.num_colours)
        return [types[tile] for tile in self.state.bag[0, self.state.drawn[0] :]]

    @property
    def ranks(self) -> NDArray[np.int64] | None:
        """Int64 [T]: 1 is best, ties share (Rules 7.3); None until the game is over."""
        return self._batch.ranks[0] if self.is_over else None

    def unseen(self, player: int) -> Counter[Tile]:
        """The tiles that the player sees neither on the board nor on a rack."""
        self._check_player("player", player)
        in_sight = self.racks if self.rules.open_racks else [self.racks[player]]
        types = tile_types(self.rules.num_colours)
        unplaced = Counter(dict(zip(types, self.state.unplaced[0].tolist(), strict=True)))
        return unplaced - Counter(tile for rack in in_sight for tile in rack)

    # Moving.

    def legal_mask(self) -> NDArray[np.int8]:
        """Int8 [A]: 1 where the action is legal; all 0 once the game is over."""
        return np.asarray(self._batch.legal_mask()[0])

    def legal_actions(self) -> NDArray[np.int64]:
        """The legal actions, ascending; none once the game is over."""
        return np.flatnonzero(self.legal_mask())

    def move(self, action: int) -> Move:
        """The move that an action stands for now.

        Raises:
            IllegalActionError: it stands for none: the slot is empty, the number unknown or the game over.
        """
        space = self._batch.actions
        action = check_index("action", action, -(2**63), 2**63 - 1)
        if action in (space.keep, space.swap) and not self.is_over:
            return "keep" if action == space.keep else "swap"
        if self.is_over or not 0 <= action < space.size:
            reason = "the game is over" if self.is_over else f"actions are 0 to {space.size - 1}"
            msg = f"action {action} is no move: {reason}"
            raise IllegalActionError(msg)
        slot, turned, pair = space.split(action)
        rack = self.racks[self.to_play]
        if slot >= len(rack):
            msg = f"action {action} is no move: slot {slot} of the rack is empty"
            raise IllegalActionError(msg)
        colours = rack[slot][::-1] if turned else rack[slot]
        first, second = (tuple(self.rules.cells[cell].tolist()) for cell in self.rules.geometry.pairs[pair])
        return Place((first, colours[0]), (second, colours[1]))

    def action(self, move: Move) -> int:
        """The action of a move; the halves of a placement may come in either order.

        Raises:
            IllegalActionError: the tile is not on the rack, or the cells are no pair that can hold one.
            TypeError: it is no move.
        """
        space = self._batch.actions
        if isinstance(move, str):
            if move not in ("keep", "swap"):
                msg = f'a move is a Place, "swap" or "keep", not {move!r}'
                raise TypeError(msg)
            return space.keep if move == "keep" else space.swap
        halves = _halves(move)
        index, pairs = self.rules.geometry.index, self.rules.geometry.pairs
        missing = [cell for cell, _ in halves if cell not in index]
        if missing:
            msg = f"cell {missing[0]} is not on the board of side {self.rules.board_side}"
            raise IllegalActionError(msg)
        (cell_1, colour_1), (cell_2, colour_2) = sorted((index[cell], colour) for cell, colour in halves)
        pair = np.flatnonzero((pairs == (cell_1, cell_2)).all(axis=1))
        if not len(pair):
            msg = f"cells {halves[0][0]} and {halves[1][0]} are not two adjacent cells that can hold a tile"
            raise IllegalActionError(msg)
        tile = (min(colour_1, colour_2), max(colour_1, colour_2))
        rack = self.racks[self.to_play]
        if tile not in rack:
            msg = f"tile {tile} is not on the rack of seat {self.to_play}, which holds {rack}"
            raise IllegalActionError(msg)
        return space.join(rack.index(tile), int(colour_1 > colour_2), int(pair[0]))

    def play(self, action: int) -> None:
        """Play an action.

        Raises:
            IllegalActionError: it is not legal now; the game is as it was.
            TypeError: it is no whole number.
        """
        action = check_index("action", action, -(2**63), 2**63 - 1)
        if action == NO_ACTION:
            msg = f"action {action} is illegal: actions are 0 to {self._batch.num_actions - 1}"
            raise IllegalActionError(msg)
        self._batch.play(np.array([action]))

    def random_action(self) -> int:
        """A uniformly random legal action out of the game's own stream; the same one if asked again."""
        action = int(self._batch.random_actions()[0])
        if action == NO_ACTION:
            msg = "the game is over: there is no legal action"
            raise IllegalActionError(msg)
        return action

    # Knowing and not knowing.

    def observe(self, player: int | None = None) -> NDArray[np.int8]:
        """Int8 [D]: what a player may know, the one to move by default (see `observation.py`)."""
        viewer = self.to_play if player is None else self._check_player("player", player)
        return np.asarray(self._batch.observe(viewers=[viewer])[0])

    def reshuffle_hidden(self, viewer: int | None = None, seed: int | None = None) -> None:
        """Deal anew all that the viewer, the player to move by default, cannot know; change nothing else."""
        seat = self.to_play if viewer is None else self._check_player("viewer", viewer)
        self._batch.reshuffle_hidden([seat], seed)

    def check_consistency(self) -> None:
        """Recompute all that can be recomputed; InconsistentStateError says what is wrong."""
        consistency.check(self.state)

    def _check_player(self, name: str, player: int) -> int:
        return check_index(name, player, 0, self.rules.num_players - 1)

    # Copies and pictures.

    def clone(self) -> Game:
        """A copy with the same future."""
        return self.from_row(self.rules, self.state.memory[0])

    def __eq__(self, other: object) -> bool:
        """Whether both are the same game, hidden tiles and future included."""
        return self._batch == other._batch if isinstance(other, Game) else NotImplemented

    __hash__ = None  # type: ignore[assignment] # games change

    def to_text(self) -> str:
        """The game, its hidden tiles and its future included, in the package's notation."""
        return notation.state_to_text(self.state)

    @classmethod
    def from_text(cls, text: str) -> Game:
        """The game that `to_text` wrote; ValueError says what is wrong with the text."""
        state = notation.text_to_state(text)
        return cls.from_row(state.rules, state.memory[0])

    def __repr__(self) -> str:
        """Variant, standing and whose turn it is."""
        rules = self.rules
        kind = "solitaire" if rules.num_players == 1 else f"{rules.num_players} players"
        doing = (
            "over" if self.is_over else f"seat {self.to_play} to {'choose' if self._swapping else 'place'}"
        )
        return f"<Game: {kind}, side {rules.board_side}, turn {self.turn}, {doing}, {self.scores.tolist()}>"

    @property
    def _swapping(self) -> bool:
        return bool(self.state.phase[0] == SWAP)

    def _repr_svg_(self) -> str:
        from ingenious_env.render import svg  # noqa: PLC0415 - drawn in notebooks alone

        return svg.render(self)


def _halves(move: Any) -> tuple[Half, Half]:
    try:
        first, second = (((int(q), int(r)), int(colour)) for (q, r), colour in move)
    except (TypeError, ValueError):
        msg = f'a move is Place(((q, r), colour), ((q, r), colour)), "swap" or "keep", not {move!r}'
        raise TypeError(msg) from None
    return first, second
