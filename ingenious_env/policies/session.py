"""`Session`: a game that policies and people play move by move, with its history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from copy import copy
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Self

from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.checks import check_index
from ingenious_env.engine.definition import AnyRules, Move, definition_of
from ingenious_env.engine.records import Record
from ingenious_env.engine.seeding import Seed, fresh_seed, split_seed
from ingenious_env.policies.thinking import stoppable
from ingenious_env.policies.view import Policy, View, begin_games, check_plays, check_policy, flat_action


@dataclass(frozen=True)
class Turn:
    """One move of a session.

    Attributes:
        seat: the mover.
        action: flat.
        move: the move of the action.
    """

    seat: int
    action: int
    move: Move


class Session:
    """A game in progress, its players and its history.

    A session is used by one thread at a time; only the threads that `think` starts run concurrently.

    Args:
        rules: the variant.
        seed: of the game, as for `Game`; None takes one from the operating system.
        players: by seat, a policy, or None for a person, whose moves are given to `play`; people by default.

    Raises:
        ValueError: there are not as many players as seats, or a policy does not play these rules.
        TypeError: a player is neither a policy nor None.
    """

    def __init__(
        self, rules: AnyRules, seed: Seed | None = None, players: Sequence[Policy | None] | None = None
    ) -> None:
        pair = split_seed(fresh_seed() if seed is None else seed)
        self._set_up(definition_of(rules).game(rules, pair), pair, players)

    def _set_up(
        self, game: Any, seed: tuple[int, int] | None, players: Sequence[Policy | None] | None
    ) -> None:
        rules = game.rules
        players = [None] * rules.num_players if players is None else list(players)
        if len(players) != rules.num_players:
            msg = f"there must be a player for each of {rules.num_players} seats, not {len(players)}"
            raise ValueError(msg)
        for player in players:
            if player is not None:
                check_policy(player, ["None for a person"])
                check_plays(player, rules)
        self.rules, self.players = rules, players
        self.seed, self._game = seed, game
        self._turns: list[Turn] = []
        self._positions: list[Any] = []  # before each turn
        self._thinking: Thinking | None = None
        self._begin()

    @classmethod
    def from_record(cls, record: Record, players: Sequence[Policy | None] | None = None) -> Session:
        """A session with the moves of a record played; IllegalActionError names the first illegal one."""
        session = cls(record.rules, record.seed, players)
        record.replay()  # reports an illegal move before any is played
        for move in record.moves:
            session.play(session._game.action(move))
        return session

    @classmethod
    def from_game(cls, game: Any, players: Sequence[Policy | None] | None = None) -> Session:
        """A session that continues a position; it has no record, as the seed of its deal is unknown.

        A slot that is picked in a staged game is put back.
        """
        start = GameBatch.from_rows(game.rules, game.state.memory)
        start.state.held[:] = 0
        session = cls.__new__(cls)
        session._set_up(start[0], None, players)
        return session

    def copy(self) -> Self:
        """A session with the same history and the same players; moves in one do not affect the other."""
        made = copy(self)
        made._game, made._turns, made._positions = self.game, [*self._turns], [*self._positions]
        made._thinking = None
        return made

    # The position.

    @property
    def game(self) -> Any:
        """A copy of the game."""
        return self._game.clone()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._game.is_over)

    @property
    def to_play(self) -> int:
        """The seat to move."""
        return int(self._game.to_play)

    @property
    def is_waiting(self) -> bool:
        """Whether a person is to move."""
        return not self.is_over and self.players[self.to_play] is None

    # The history.

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All moves, from the first on."""
        return tuple(self._turns)

    def at(self, number: int) -> Any:
        """A copy of the game after a number of moves; ValueError if there are fewer."""
        return self._at(number).clone()

    def has_private_choice(self, number: int) -> bool:
        """Return whether a choice hidden from others is legal after a number of moves; ValueError as `at`."""
        return bool(self._at(number).has_private_choice)

    def _at(self, number: int) -> Any:
        number = check_index("number", number, 0, len(self._turns))
        return self._game if number == len(self._turns) else self._positions[number]

    @property
    def record(self) -> Record:
        """The game so far as a record; ValueError if it began with a position (`from_game`)."""
        if self.seed is None:
            msg = "this game began with a position, not with a deal, so it has no record"
            raise ValueError(msg)
        return Record(self.rules, self.seed, tuple(turn.move for turn in self._turns))

    # Moves.

    def play(self, action: int) -> Turn:
        """Play a flat action for the seat to move.

        Raises:
            IllegalActionError: it is not legal now; nothing has changed.
        """
        before = self._game.clone()
        self._game.play(action)
        turn = Turn(int(before.to_play), int(action), before.move(action))
        self._positions.append(before)
        self._turns.append(turn)
        self._abandon()
        return turn

    def advance(self) -> Turn:
        """Play the choice of the policy of the seat to move; ValueError if a person is to move."""
        return self.play(self._choose())

    def run(self) -> Iterator[Turn]:
        """Continue to the end of the game, or to the next decision of a person, move by move."""
        while not self.is_over and not self.is_waiting:
            yield self.advance()

    def take_back(self, number: int = 1) -> None:
        """Take back the last moves; ValueError if there are fewer, and nothing has changed."""
        if not self._turns:
            msg = "there is no move to take back"
            raise ValueError(msg)
        number = check_index("number", number, 1, len(self._turns))
        self._game = self._positions[-number].clone()  # copies of the session share the positions
        del self._positions[-number:], self._turns[-number:]
        self._abandon()
        self._begin()

    # Thinking concurrently.

    def think(self) -> Thinking:
        """Start the choice of the policy of the seat to move in a thread; ValueError as `advance`.

        It is stopped by a move, by taking one back, and by another call.
        """
        self._abandon()
        policy, view = self._policy(), View.of(self._game)
        self._thinking = Thinking(policy, view)
        return self._thinking

    def finish(self, thinking: Thinking) -> Turn | None:
        """Wait for a policy's choice, and play it; None if the position has changed since."""
        action = thinking.result()
        return self.play(action) if thinking is self._thinking else None

    def _choose(self) -> int:
        return flat_action(self._policy(), View.of(self._game))

    def _policy(self) -> Policy:
        policy = None if self.is_over else self.players[self.to_play]
        if policy is None:
            why = "the game is over" if self.is_over else f"a person plays seat {self.to_play}"
            msg = f"no policy is to move: {why}"
            raise ValueError(msg)
        return policy

    def _abandon(self) -> None:
        if self._thinking is not None:
            self._thinking.stop()
            self._thinking = None

    def _begin(self) -> None:
        """Notify policies with memory that a game begins, or begins again after moves were taken back."""
        keys = self._game.state.policy_key.copy()
        for policy in {id(policy): policy for policy in self.players if policy is not None}.values():
            begin_games(policy, keys)


class Thinking(Future[int]):
    """A policy's choice in a position; its result is a flat action."""

    def __init__(self, policy: Policy, view: View) -> None:
        super().__init__()
        self._flag = Event()
        self.set_running_or_notify_cancel()
        Thread(target=self._run, args=(policy, view), daemon=True).start()

    def stop(self) -> None:
        """Ask the policy to decide from its results so far; one without a search continues."""
        self._flag.set()

    def _run(self, policy: Policy, view: View) -> None:
        try:
            with stoppable(self._flag):
                self.set_result(flat_action(policy, view))
        except BaseException as error:  # passed on by the future
            self.set_exception(error)
