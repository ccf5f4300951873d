"""`GameBatch`: the whole game on a batch, the one implementation of the rules that Python code calls."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ingenious_env.errors import InconsistentStateError
from ingenious_env.kernels.compiling import load
from ingenious_env.moves import ActionSpace
from ingenious_env.observation import Layout
from ingenious_env.ranking import rank
from ingenious_env.rules import Rules
from ingenious_env.seeding import check_index, check_seed, fresh_seed
from ingenious_env.state import NO_ACTION, OVER, GameState, row_dtype
from ingenious_env.tables import spec_of
from ingenious_env.threads import address, run_in_shares, share_bounds

if TYPE_CHECKING:
    from ingenious_env.game import Game

PICKLE_VERSION = 3
"""Rises whenever a row's layout or meaning changes."""


@cache
def _kernels() -> Any:
    return load("ingenious_env.kernels.batch")


@cache
def _encodings(rules: Rules, staged: bool) -> tuple[ActionSpace, Layout]:  # noqa: FBT001 - of one caller
    return ActionSpace(rules, staged), Layout(rules)


NOTHING = np.zeros((0, 0), np.int8)
"""Where a mask or an observation is not wanted."""


class GameBatch:
    """B games of the same variant, stepped together; game i is `Game(rules, seed=(seed, i))`.

    Args:
        rules: the variant.
        num_games: B, at least 1.
        seed: whole number from 0 to 2^64 − 1; None takes one from the operating system.
        staged: whether actions are staged (see `ActionSpace`).
        num_threads: rows are shared out to so many threads; the games are the same. Worth it from some
            hundred games on. A process that was forked from one that has used threads must not use them.

    Attributes:
        state: the games themselves (see `state.py`); change nothing there.
        actions: how actions are numbered.
        layout: how observations are laid out.
        final_scores: int8 [B, T, C], the counters with which each row's latest finished game ended.
    """

    def __init__(
        self,
        rules: Rules,
        num_games: int = 1,
        seed: int | None = None,
        *,
        staged: bool = False,
        num_threads: int = 1,
    ) -> None:
        check_index("num_games", num_games, 1)
        self._prepare(GameState.zeros(rules, num_games), staged=staged, num_threads=num_threads)
        self.seed(fresh_seed() if seed is None else seed)

    def _prepare(self, state: GameState, *, staged: bool, num_threads: int) -> None:
        check_index("num_threads", num_threads, 1)
        self.rules = state.rules
        self.state = state
        self.actions, self.layout = _encodings(state.rules, staged)
        self.num_threads = num_threads
        sheets = (state.rules.num_sheets, state.rules.num_colours)
        self.final_scores = np.zeros((state.num_games, *sheets), np.int8)
        self._final = self.final_scores.reshape(len(self), -1)
        self._spec = spec_of(state.rules, state.memory)
        self._seed: int | None = None

    @classmethod
    def from_rows(
        cls,
        rules: Rules,
        rows: NDArray[np.uint64],
        *,
        staged: bool = False,
        num_threads: int = 1,
        copy: bool = True,
    ) -> GameBatch:
        """A batch of these rows of `GameState.memory`, uint64 [B, words]: of copies, or of the very rows."""
        batch = cls.__new__(cls)
        state = GameState(rules, rows.copy() if copy else rows)
        batch._prepare(state, staged=staged, num_threads=num_threads)
        return batch

    def run(self, kernel: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Call a kernel on all rows, shared out to the threads; the results, one a thread."""
        if self.num_threads == 1:
            return [kernel(self._spec, 0, len(self), *arguments)]
        return run_in_shares(kernel, self._spec, len(self), self.num_threads, *arguments)

    # What the games are.

    def __len__(self) -> int:
        """Number of games, B."""
        return self.state.num_games

    @property
    def num_actions(self) -> int:
        """Number of actions, A."""
        return self.actions.size

    @property
    def observation_size(self) -> int:
        """Length of a vector observation, D."""
        return self.layout.size

    @property
    def board(self) -> NDArray[np.int8]:
        """Int8 [B, N]: 0 for an empty cell, or its colour."""
        return _locked(self.state.board[:, :-1])

    @property
    def scores(self) -> NDArray[np.int8]:
        """Int8 [B, T, C]: the counters."""
        return _locked(self.state.scores)

    @property
    def to_play(self) -> NDArray[np.uint8]:
        """Uint8 [B]: the seat to move."""
        return _locked(self.state.to_play)

    @property
    def phase(self) -> NDArray[np.uint8]:
        """Uint8 [B]: `state.PLACE`, `state.SWAP` or `state.OVER`."""
        return _locked(self.state.phase)

    @property
    def plays_left(self) -> NDArray[np.uint8]:
        """Uint8 [B]: placements owed in this turn, bonus plays included."""
        return _locked(self.state.plays_left)

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Bool [B]: whether the game has ended."""
        return np.asarray(self.state.phase == OVER)

    @property
    def ranks(self) -> NDArray[np.int64]:
        """Int64 [B, T]: 1 is best, ties share (Rules 7.3); 0 until the game is over."""
        over, ranks = self.is_over, np.zeros(self.state.scores.shape[:2], np.int64)
        ranks[over] = rank(self.state.scores[over])
        return ranks

    def __getitem__(self, index: int) -> Game:
        """Game `index`, copied out."""
        from ingenious_env.game import Game  # noqa: PLC0415 - a Game is a batch of one, and a batch gives Games

        if not -len(self) <= index < len(self):
            msg = f"the batch has games 0 to {len(self) - 1}, not {index}"
            raise IndexError(msg)
        return Game.from_row(self.rules, self.state.memory[index])

    def __eq__(self, other: object) -> bool:
        """Whether both hold the same games, hidden tiles and futures included."""
        if not isinstance(other, GameBatch):
            return NotImplemented
        return self.rules == other.rules and np.array_equal(self.state.memory, other.state.memory)

    __hash__ = None  # type: ignore[assignment] # games change

    def clone(self) -> GameBatch:
        """A copy with the same futures."""
        copy = self.from_rows(
            self.rules, self.state.memory, staged=self.actions.staged, num_threads=self.num_threads
        )
        copy.final_scores[:] = self.final_scores
        return copy

    def take(self, rows: NDArray[np.int64], into: NDArray[np.uint64] | None = None) -> GameBatch:
        """Copies of some of the games, by their indices, as a batch of their own.

        Args:
            rows: indices [n].
            into: memory for the copies, uint64 [n or more, words of a row], which the new batch then uses.
        """
        if into is None:
            copies = self.state.memory[rows]
        else:
            copies = into[: len(rows)]
            np.take(self.state.memory, rows, axis=0, out=copies, mode="clip")  # by "raise" copied twice
        return self.from_rows(self.rules, copies, staged=self.actions.staged, copy=False)

    def __getstate__(self) -> dict[str, Any]:
        """The games as arrays, with the version of their layout."""
        return {
            "version": PICKLE_VERSION,
            "rules": self.rules,
            "memory": self.state.memory,
            "final_scores": self.final_scores,
            "staged": self.actions.staged,
            "num_threads": self.num_threads,
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Take up saved games; ValueError if another version saved them."""
        version = saved.get("version")
        if version != PICKLE_VERSION:
            msg = f"these games were pickled in version {version!r}, and only {PICKLE_VERSION} can be read"
            raise ValueError(msg)
        expected, found = row_dtype(saved["rules"]).itemsize, saved["memory"].strides[0]
        if found != expected:
            msg = f"a pickled game has {expected} bytes, not {found}"
            raise ValueError(msg)
        state = GameState(saved["rules"], saved["memory"])
        self._prepare(state, staged=saved["staged"], num_threads=saved["num_threads"])
        self.final_scores[:] = saved["final_scores"]

    # What can be done with them.

    def seed(self, seed: int, index: int = 0) -> None:
        """Deal all games anew; row i becomes `Game(rules, seed=(seed, index + i))`."""
        check_index("index", index, 0)
        indices = np.arange(index, index + len(self), dtype=np.uint64)
        self._seed = check_seed(seed)
        self.run(_kernels().seed_games, np.uint64(self._seed), indices)

    def deal(self, chosen: ArrayLike | None = None) -> None:
        """Deal games anew, each out of its own stream as it goes on; chosen, bool [B], all by default."""
        rows = np.ones(len(self), np.bool_) if chosen is None else np.asarray(chosen)
        if rows.dtype != np.bool_ or rows.shape != (len(self),):
            msg = f"chosen must be bool [{len(self)}], not {rows.dtype} {list(rows.shape)}"
            raise ValueError(msg)
        self.run(_kernels().deal_games, np.ascontiguousarray(rows))

    def legal_mask(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Int8 [B, A]: 1 where the seat to move may; all 0 in a finished game."""
        mask = self._room("out", out, self.num_actions)
        self.run(_kernels().write_masks, self.actions.staged, mask)
        return mask

    def observe(
        self, out: NDArray[np.int8] | None = None, *, viewers: ArrayLike | None = None
    ) -> NDArray[np.int8]:
        """Int8 [B, D]: what the viewers, seats [B], may know; the seats to move by default."""
        seats = self._seats(viewers)
        vectors = self._room("out", out, self.observation_size)
        self.run(_kernels().write_observations, seats, vectors)
        return vectors

    def random_actions(
        self, out: NDArray[np.int32] | None = None, *, by_key: bool = False
    ) -> NDArray[np.int32]:
        """Int32 [B]: a uniformly random legal action for each game, `NO_ACTION` for finished ones.

        It follows from the game's stream and position, so that asking twice gives the same answer; `by_key`
        from the `policy_key` instead, which `reshuffle_hidden` leaves alone.
        """
        if out is None:
            out = np.empty(len(self), np.int32)
        elif out.dtype != np.int32 or out.shape != (len(self),) or not out.flags.carray:
            msg = f"out must be a writable contiguous int32 [{len(self)}], not {out.dtype} {list(out.shape)}"
            raise ValueError(msg)
        self.run(_kernels().random_actions, self.actions.staged, by_key, out)
        return out

    def play(
        self,
        actions: ArrayLike,
        auto_reset: bool = False,  # noqa: FBT001, FBT002 - play(actions, True) reads well
        *,
        mask: NDArray[np.int8] | None = None,
        obs: NDArray[np.int8] | None = None,
    ) -> NDArray[np.bool_]:
        """Play one action in each game.

        Args:
            actions: integers [B]; a game that is over takes `NO_ACTION` alone.
            auto_reset: deal finished games anew, out of their own streams.
            mask: int8 [B, A], to be filled as by `legal_mask` after the step.
            obs: int8 [B, D], to be filled as by `observe` after the step.

        Returns:
            bool [B], the games that are over, or were until they were dealt anew; `final_scores` has theirs.

        Raises:
            IllegalActionError: an action is illegal; no game has changed.
            TypeError, ValueError: the array is not of the dtype and shape asked for; no game has changed.
        """
        chosen = self._check_actions(actions)
        mask = NOTHING if mask is None else self._room("mask", mask, self.num_actions)
        obs = NOTHING if obs is None else self._room("obs", obs, self.observation_size)
        done = np.empty(len(self), np.bool_)
        self.play_into(done, chosen, mask, obs, auto_reset=bool(auto_reset))
        return done

    def play_into(
        self,
        done: NDArray[np.bool_],
        actions: NDArray[np.int64],
        mask: NDArray[np.int8],
        obs: NDArray[np.int8],
        *,
        auto_reset: bool = False,
    ) -> None:
        """`play` for a caller whose arrays are its own, step after step: their shapes are not checked.

        Args:
            done: bool [B], what `play` returns.
            actions: int64 [B], which are checked.
            mask: int8 [B, A], or `NOTHING`.
            obs: int8 [B, D], or `NOTHING`.
            auto_reset: deal finished games anew.

        Raises:
            IllegalActionError: an action is illegal; nothing has changed.
        """
        kernels, staged, rest = _kernels(), self.actions.staged, (auto_reset, done, self._final, mask, obs)
        if self.num_threads == 1:  # not by `run`, a detour that a single game would feel
            are_legal = False
            illegal = kernels.play_games(self._spec, 0, len(done), staged, actions, are_legal, *rest)
        else:  # no thread may play its rows before all have been looked at
            check = address(kernels.first_illegal)
            illegal = _first_row(self.run(kernels.play_games, check, staged, actions, *rest))
        if illegal >= 0:
            from ingenious_env.legality import refuse  # noqa: PLC0415 - loaded when something went wrong

            refuse(self, illegal, int(actions[illegal]))

    def random_playouts(self, games: int, seed: int | None = None) -> NDArray[np.int8]:
        """Int8 [games, T, C]: final scores of `Game(rules, seed=(seed, 0))` and on, played at random.

        Nothing in between is kept, and no game of the batch changes. The seed is the batch's own by default.
        """
        check_index("games", games, 1)
        seed = self._own_seed() if seed is None else check_seed(seed)
        return random_playouts(self.rules, games, seed, num_threads=self.num_threads)

    def _own_seed(self) -> int:
        """The seed of the latest deal; for games taken from elsewhere, something of their own."""
        return int(self.state.stream[0]) if self._seed is None else self._seed

    def reshuffle_hidden(
        self, viewers: ArrayLike | None = None, seed: int | None = None, *, by_key: bool = False
    ) -> None:
        """Deal anew all that the viewers, seats [B], cannot know; the seats to move by default.

        All deals that agree with what was seen, tiles shown in swaps included, are equally likely; an offer
        to swap that is open now stays one. The bag's order and the games' streams change, too;
        `policy_key` does not, so that agents choose as before.

        Row i's deal follows from the seed and i, or `by_key` from the seed and the game's `policy_key`.
        """
        seats = self._seats(viewers)
        seed = fresh_seed() if seed is None else check_seed(seed)
        before = self.state.memory.copy()
        failed = _first_row(self.run(_kernels().reshuffle_hidden, seats, np.uint64(seed), by_key))
        if failed >= 0:
            self.state.memory[:] = before
            msg = f"game {failed}: no deal agrees with what was shown in swaps"
            raise InconsistentStateError(msg)

    # What comes in is checked here.

    def _room(self, name: str, out: NDArray[np.int8] | None, width: int) -> NDArray[np.int8]:
        if out is None:
            return np.empty((len(self), width), np.int8)
        if not isinstance(out, np.ndarray) or out.dtype != np.int8 or out.shape != (len(self), width):
            found = f"{out.dtype} {list(out.shape)}" if isinstance(out, np.ndarray) else type(out).__name__
            msg = f"{name} must be int8 [{len(self)}, {width}], not {found}"
            raise ValueError(msg)
        if not out.flags.carray:
            msg = f"{name} must be writable and contiguous"
            raise ValueError(msg)
        return out

    def _seats(self, viewers: ArrayLike | None) -> NDArray[np.int64]:
        if viewers is None:
            return self.state.to_play.astype(np.int64)
        seats = _integers("viewers", viewers, len(self))
        if seats.min() < 0 or seats.max() >= self.rules.num_players:
            msg = f"viewers must be seats from 0 to {self.rules.num_players - 1}"
            raise ValueError(msg)
        return seats

    def _check_actions(self, actions: ArrayLike) -> NDArray[np.int64]:
        return _integers("actions", actions, len(self))


def _first_row(found: list[int]) -> int:
    """The first row of those that the threads have found, each perhaps one; −1 if none has."""
    for row in found:
        if row >= 0:
            return row
    return -1


def _integers(name: str, values: ArrayLike, count: int) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.dtype.kind not in "iu" or array.dtype == np.uint64:
        msg = f"{name} must be integers of at most 64 bits, signed, not {array.dtype}"
        raise TypeError(msg)
    if array.shape != (count,):
        msg = f"{name} must have shape [{count}], not {list(array.shape)}"
        raise ValueError(msg)
    return np.ascontiguousarray(array, dtype=np.int64)


def _locked(view: NDArray[Any]) -> NDArray[Any]:
    view = view.view()
    view.flags.writeable = False
    return view


def random_playouts(rules: Rules, games: int, seed: int, *, num_threads: int = 1) -> NDArray[np.int8]:
    """Int8 [games, T, C]: final scores of `Game(rules, seed=(seed, 0))` and on, played at random."""
    scores = np.empty((games, rules.num_sheets, rules.num_colours), np.int8)
    flat = scores.reshape(games, -1)

    def run(low: int, high: int) -> None:
        room = GameState.zeros(rules, 1).memory
        _kernels().random_playouts(spec_of(rules, room), low, high, np.uint64(seed), flat)

    bounds = share_bounds(games, num_threads).tolist()
    with ThreadPoolExecutor(num_threads) as threads:
        list(threads.map(run, bounds[:-1], bounds[1:]))
    return scores


__all__ = ["NO_ACTION", "GameBatch", "random_playouts"]
