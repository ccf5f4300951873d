"""`BaseGame`: one game as an object, implemented as a batch of one. Each game derives its own `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.actions import NUMBERINGS, ActionSpace
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.checks import check_action, check_choice, check_index
from ingenious_env.engine.dealing import draw_first, exchange, racks_by_seat, tile_numbers
from ingenious_env.engine.definition import AnyDefinition, AnyRules, Move, Tile, Variant
from ingenious_env.engine.records import Record
from ingenious_env.engine.seeding import Seed, fresh_seed, split_seed
from ingenious_env.engine.state import NO_ACTION, OVER, GameState
from ingenious_env.engine.trail import Trail
from ingenious_env.errors import IllegalActionError, InconsistentStateError


class BaseGame:
    """One game.

    Args:
        rules: the variant; the game's default by default.
        seed: a whole number from 0 to 2^64 − 1, or such a number and the game's index under it (a bare number
            is index 0); None takes one from the operating system. The same seed gives the same game.
        actions: "flat" or "staged" numbering of actions.
    """

    definition: ClassVar[AnyDefinition]
    """The definition of the game."""

    def __init__(
        self, rules: AnyRules | None = None, seed: Seed | None = None, *, actions: str = "flat"
    ) -> None:
        check_choice("actions", actions, NUMBERINGS)
        rules = self.definition.rules() if rules is None else rules
        if not isinstance(rules, self.definition.rules):
            wanted = self.definition.rules.__name__
            msg = f"rules must be a {wanted} or None, not {rules!r}; a seed is given as seed=…"
            raise TypeError(msg)
        self._batch = GameBatch(rules, 1, 0, staged=actions == "staged")
        self._seed: tuple[int, int] | None = None
        self._history: list[int] = []
        self._before: bytes | None = None  # the row before the last tile was laid
        self.seed(fresh_seed() if seed is None else seed)

    @classmethod
    def from_row(
        cls, rules: AnyRules | Variant, row: NDArray[np.uint64], *, staged: bool = False, copy: bool = True
    ) -> Self:
        """The game in this row of `GameState.memory`, uint64 [words]: a copy, or the row itself.

        Raises:
            ValueError: as `GameBatch.from_rows`.
        """
        game = cls.__new__(cls)
        game._seed, game._history, game._before = None, [], None
        game._batch = GameBatch.from_rows(rules, row[None], staged=staged, copy=copy)
        return game

    def seed(self, seed: Seed) -> None:
        """Start over as `Game(rules, seed)`."""
        self._seed, self._history, self._before = split_seed(seed), [], None
        self._batch.seed(*self._seed)

    # The position.

    @property
    def rules(self) -> Any:
        """The variant played."""
        return self._batch.rules

    @property
    def actions(self) -> ActionSpace:
        """The numbering of actions."""
        return self._batch.actions

    @property
    def state(self) -> GameState:
        """The game as a batch of one, read-only by convention."""
        return self._batch.state

    @property
    def to_play(self) -> int:
        """The seat to move; once the game is over, the seat that moved last."""
        return int(self.state.to_play[0])

    @property
    def phase(self) -> str:
        """The name of the phase, one of the definition's `phases`; the last is "over"."""
        return self.definition.phases[self.state.phase[0]]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.phase[0] == OVER)

    @property
    def ranks(self) -> NDArray[np.int64] | None:
        """Int64 [T]: 1 is best, ties share; None until the game is over."""
        return self._batch.ranks[0] if self.is_over else None

    # Moves.

    def legal_mask(self) -> NDArray[np.int8]:
        """Int8 [A]: 1 where the action is legal; all 0 once the game is over."""
        return np.asarray(self._batch.legal_mask()[0])

    def legal_actions(self) -> NDArray[np.int64]:
        """The legal actions, ascending; none once the game is over."""
        return np.flatnonzero(self.legal_mask())

    @property
    def has_private_choice(self) -> bool:
        """Whether the seat to move may make a choice that others cannot see.

        Its moves up to this choice must not be shown to them before the turn is over: that the turn continues
        instead of ending reveals something about its rack.
        """
        private = [name for name, choice in self.definition.choices.items() if choice.is_private]
        if self.is_over or not private:
            return False
        mask = self.legal_mask()
        return any(mask[self.actions.choice(name)] for name in private)

    def move(self, action: int) -> Move:
        """The move that an action means now.

        Raises:
            IllegalActionError: it means none: the slot is empty, the number unknown or the game over.
        """
        action = check_action(action)
        size = self._batch.num_actions
        if self.is_over or not 0 <= action < size:
            reason = "the game is over" if self.is_over else f"actions are 0 to {size - 1}"
            msg = f"action {action} is not a move: {reason}"
            raise IllegalActionError(msg)
        return self.definition.move(self, action)

    def action(self, move: Move) -> int:
        """The action of a move; staged, the move is given in full even if a slot is picked.

        Raises:
            IllegalActionError: there is no such action now, even if the rules allow the move.
            TypeError: it is not a move.
        """
        return self.definition.action(self, move)

    def play(self, action: int) -> None:
        """Play an action.

        Raises:
            IllegalActionError: it is not legal now; the game is as it was.
            TypeError: it is not a whole number.
        """
        number = check_action(action)
        if number == NO_ACTION:
            msg = f"action {number} is illegal: actions are 0 to {self._batch.num_actions - 1}"
            raise IllegalActionError(msg)
        before, actions = self.state.memory.tobytes(), self._batch.actions
        self._batch.play(np.array([number]))
        self._history.append(number)
        if actions.first_placement <= number < actions.first_choice:
            self._before = before

    def random_action(self) -> int:
        """A uniformly random legal action from the game's own stream; repeated calls return the same one."""
        action = int(self._batch.random_actions()[0])
        if action == NO_ACTION:
            msg = "the game is over: there is no legal action"
            raise IllegalActionError(msg)
        return action

    @property
    def history(self) -> tuple[int, ...]:
        """The actions played so far, as this game numbers them.

        They begin at the deal, or where the game was made from a row, a text or a game of a batch.
        """
        return tuple(self._history)

    @property
    def trail(self) -> Trail:
        """The tiles laid in the history, and the score of the last one, for pictures."""
        placements = (self.actions.placement_of(action) for action in self._history)
        tiles = [placement for placement in placements if placement is not None]
        last = None
        if self._before is not None:
            state = GameState(self.rules, np.frombuffer(self._before, np.uint64)[None])
            last = int(state.to_play[0]), state.scores[0]
        return Trail.of(self._batch.variant, tiles, last, self.state.scores[0])

    @property
    def record(self) -> Record:
        """The game so far, from its deal on (see `Record`).

        Raises:
            ValueError: a seed and moves do not lead here: the game was made from a row, a text or a batch, an
                environment plays it, or its tiles were dealt anew or its state changed.
        """
        msg = "this game has no record: it was not made by Game(rules, seed), or was changed since"
        if self._seed is None:
            raise ValueError(msg)
        try:
            record = Record.of_actions(self.rules, self._seed, self._history, staged=self.actions.staged)
        except IllegalActionError:
            raise ValueError(msg) from None
        flat = GameBatch.from_rows(self._batch.variant, self.state.memory)
        flat.state.held[:] = 0  # a slot that is picked is not a move yet
        if record.replay()._batch != flat:
            raise ValueError(msg)
        return record

    # Hidden information.

    def observe(self, player: int | None = None) -> NDArray[Any]:
        """[D]: the observation of a player, the one to move by default (see the game's `observation.py`)."""
        viewer = self.to_play if player is None else self._check_player("player", player)
        return np.asarray(self._batch.observe(viewers=[viewer])[0])

    def reshuffle_hidden(self, viewer: int | None = None, seed: int | None = None) -> None:
        """Resample all that the viewer, the player to move by default, cannot know, as in `GameBatch`."""
        seat = self.to_play if viewer is None else self._check_player("viewer", viewer)
        self._batch.reshuffle_hidden([seat], seed)

    def deal(self, racks: Mapping[int, Sequence[Tile]] | Sequence[Sequence[Tile] | None]) -> None:
        """Put these tiles on the racks, as many as there are, at the deal or later; change nothing else.

        They are taken from the bag and from the racks given; the tiles given up go where they came from.

        Args:
            racks: by seat, or one for each seat, None for an unchanged one.

        Raises:
            ValueError: there are other numbers of tiles or not enough of a type, or the position contradicts
                the racks, as where a seat has a choice that it would not have; the game is as it was.
        """
        seats = racks_by_seat(racks, self.rules.num_players)
        types = self._batch.variant.tile_types
        wanted = {f"the rack of seat {seat}": tile_numbers(types, rack) for seat, rack in seats.items()}
        game = self.clone()
        hands = {f"the rack of seat {seat}": game.state.racks[0, seat] for seat in seats}
        exchange(game._undrawn, hands, wanted, types)
        self._become(game)

    def next_draws(self, tiles: Sequence[Tile]) -> None:
        """Order the bag so that these tiles are drawn next, the first one first; change nothing else.

        Tiles returned to the bag before that, as from a rack that is thrown back, cause it to be shuffled.

        Raises:
            ValueError: the bag does not hold them; the game is as it was.
        """
        types = self._batch.variant.tile_types
        numbers = tile_numbers(types, tiles)
        draw_first(self._undrawn, numbers, types)

    @property
    def _undrawn(self) -> NDArray[np.uint8]:
        """The types in the bag in drawing order, a view."""
        bag: NDArray[np.uint8] = self.state.bag[0, self.state.drawn[0] :]
        return bag

    def _become(self, game: Self) -> None:
        """Adopt the tiles of a changed copy; ValueError if the position is impossible."""
        try:
            game.check_consistency()
        except InconsistentStateError as error:
            msg = f"the position contradicts these tiles: {error}"
            raise ValueError(msg) from None
        self.state.memory[:] = game.state.memory

    def check_consistency(self) -> None:
        """Recompute all derived values; InconsistentStateError with the first fault."""
        self.definition.check(self.state)

    def _check_player(self, name: str, player: int) -> int:
        return check_index(name, player, 0, self.rules.num_players - 1)

    # Copies, text and pictures.

    def clone(self) -> Self:
        """A copy with the same future."""
        copy = self.from_row(self._batch.variant, self.state.memory[0], staged=self._batch.actions.staged)
        copy._seed, copy._history, copy._before = self._seed, self._history.copy(), self._before
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """`clone`, as the copy shares no mutable state."""
        del memo
        return self.clone()

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same game, hidden tiles and future included."""
        return self._batch == other._batch if isinstance(other, BaseGame) else NotImplemented

    __hash__ = None  # type: ignore[assignment] # games change

    def to_text(self) -> str:
        """The game, its hidden tiles and its future included, in the game's notation."""
        return self.definition.state_to_text(self.state)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The game that `to_text` wrote; ValueError if the text is malformed."""
        state = cls.definition.text_to_state(text)
        return cls.from_row(state.rules, state.memory[0])

    def _repr_svg_(self) -> str:
        return self.definition.draw_svg(self, viewer=None)
