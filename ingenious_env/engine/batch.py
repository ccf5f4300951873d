"""`GameBatch`: many games of one variant, stepped together by the kernels of their game."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ingenious_env.compiled.kernel import ALL_STEPS, Kernel
from ingenious_env.compiled.threads import run_in_shares, share_bounds
from ingenious_env.engine.checks import (
    MAX_WORD,
    check_index,
    check_integers,
    check_output,
    kernel_input,
    read_only,
)
from ingenious_env.engine.dealing import check_has_tiles
from ingenious_env.engine.definition import AnyRules, Variant, variant_of
from ingenious_env.engine.seeding import check_seed, fresh_seed
from ingenious_env.engine.state import NO_ACTION, OVER, GameState
from ingenious_env.errors import IllegalActionError, InconsistentStateError

PICKLE_VERSION = 4
"""Version of the pickled form of `GameBatch`; a game's `row_version` is stored next to it."""

NOTHING = np.zeros((0, 0), np.int8)
"""The placeholder for a mask or an observation that is not requested."""
SPARE_ENTRIES = 1 << 12
"""After the vector in an observation kernel's test."""


class GameBatch:
    """B games of the same variant, stepped together; game i is `Game(rules, seed=(seed, i))`.

    Args:
        rules: the variant.
        num_games: B, at least 1.
        seed: whole number from 0 to 2^64 − 1; None takes one from the operating system.
        staged: whether actions are staged (see `ActionSpace`).
        num_threads: threads that share the rows; the games are the same. Useful for hundreds of games. A
            process forked from one that has used threads must not use them.

    Attributes:
        state: the games themselves (see `GameState`), read-only by convention.
        actions: how actions are numbered.
        layout: how observations are laid out.
        final_scores: [B, T, …], the scores with which each row's latest finished game ended; `play` writes
            into this array.
    """

    def __init__(
        self,
        rules: AnyRules,
        num_games: int = 1,
        seed: int | None = None,
        *,
        staged: bool = False,
        num_threads: int = 1,
    ) -> None:
        num_games = check_index("num_games", num_games, 1)
        variant = variant_of(rules)
        words = variant.row_dtype.itemsize // 8
        self._prepare(
            variant, np.zeros((num_games, words), np.uint64), staged=staged, num_threads=num_threads
        )
        self.seed(fresh_seed() if seed is None else seed)

    def _prepare(
        self, variant: Variant, memory: NDArray[np.uint64], *, staged: bool, num_threads: int
    ) -> None:
        self.num_threads = check_index("num_threads", num_threads, 1)
        self.variant = variant
        self.rules: Any = variant.rules  # of a type that its readers know
        self.state = GameState(variant.rules, memory, variant.row_dtype)
        self.actions = variant.staged_actions if staged else variant.flat_actions
        self.layout = variant.observation
        self._spec = variant.description.for_games(memory)
        self._kernels = variant.definition.kernels
        dtype, shape = variant.scores
        self.final_scores = np.zeros((len(memory), *shape), dtype)
        self._final = self.final_scores.reshape(len(memory), -1).view(np.uint8)
        self._seed: int | None = None

    @classmethod
    def from_rows(
        cls,
        rules: AnyRules | Variant,
        rows: NDArray[np.uint64],
        *,
        staged: bool = False,
        num_threads: int = 1,
        copy: bool = True,
    ) -> GameBatch:
        """A batch of rows of `GameState.memory`, uint64 [B, words]: copies, or the rows themselves.

        Raises:
            ValueError: rows are not of the variant's dtype and width, or the rows themselves are not a
                writable contiguous array.
        """
        batch = cls.__new__(cls)
        variant = rules if isinstance(rules, Variant) else variant_of(rules)
        words = variant.row_dtype.itemsize // 8
        if rows.dtype != np.uint64 or rows.ndim != 2 or rows.shape[1] != words:
            msg = f"rows of this variant must be uint64 [B, {words}], not {rows.dtype} {list(rows.shape)}"
            raise ValueError(msg)
        memory = rows.copy() if copy else check_output("rows", rows, np.uint64, rows.shape)
        batch._prepare(variant, memory, staged=staged, num_threads=num_threads)
        return batch

    def run(self, kernel: Kernel, *arguments: Any) -> int:
        """Call a row kernel on all rows; returns the first row it stopped at, or `ALL_ROWS`.

        With one thread, a kernel of one step (see `play_into`).
        """
        if self.num_threads == 1:
            return int(kernel.compiled(self._spec, 0, len(self), *arguments))
        return run_in_shares(kernel, self._spec, len(self), self.num_threads, *arguments)

    # Positions.

    def __len__(self) -> int:
        """Number of games, B."""
        return len(self.state.memory)

    @property
    def num_actions(self) -> int:
        """Number of actions, A."""
        return self.actions.size

    @property
    def observation_size(self) -> int:
        """Length of a vector observation, D."""
        return self.layout.size

    @property
    def board(self) -> NDArray[Any]:
        """Int8 [B, N], a read-only view: 0 for an empty cell, or its content."""
        return read_only(self.state.board[:, :-1])

    @property
    def scores(self) -> NDArray[Any]:
        """[B, T, …], a read-only view: the scores of each sheet."""
        return read_only(self.state.scores)

    @property
    def to_play(self) -> NDArray[np.uint8]:
        """Uint8 [B], a read-only view: the seat to move."""
        return read_only(self.state.to_play)

    @property
    def phase(self) -> NDArray[np.uint8]:
        """Uint8 [B], a read-only view: `PLACE`, `CHOOSE` or `OVER` of `engine.state`."""
        return read_only(self.state.phase)

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Bool [B]: whether the game has ended."""
        return np.asarray(self.state.phase == OVER)

    @property
    def ranks(self) -> NDArray[np.int64]:
        """Int64 [B, T]: 1 is best, ties share; 0 until the game is over."""
        over, ranks = self.is_over, np.zeros(self.state.scores.shape[:2], np.int64)
        ranks[over] = self.variant.definition.rank(self.state.scores[over])
        return ranks

    def __getitem__(self, index: int) -> Any:
        """Game `index`, a copy, as an object of the game's class."""
        if not -len(self) <= index < len(self):
            msg = f"the batch has games 0 to {len(self) - 1}, not {index}"
            raise IndexError(msg)
        return self.variant.definition.game.from_row(self.variant, self.state.memory[index])

    def __eq__(self, other: object) -> bool:
        """Return whether both hold the same games, hidden tiles and futures included."""
        if not isinstance(other, GameBatch):
            return NotImplemented
        return self.rules == other.rules and np.array_equal(self.state.memory, other.state.memory)

    __hash__ = None  # type: ignore[assignment] # games change

    # Copies.

    def clone(self) -> GameBatch:
        """A copy with the same futures."""
        copy = self.from_rows(
            self.variant, self.state.memory, staged=self.actions.staged, num_threads=self.num_threads
        )
        copy.final_scores[:], copy._seed = self.final_scores, self._seed
        return copy

    def take(self, rows: NDArray[np.int64], into: NDArray[np.uint64] | None = None) -> GameBatch:
        """Copies of some of the games, by their indices, as a new batch.

        Args:
            rows: indices [n], n at least 1; a row may be named several times.
            into: memory for the copies, uint64 [n or more, words of a row], which the new batch then uses.

        Raises:
            IndexError: there is no such row.
            ValueError: there are no indices, as a batch has one game or more.
        """
        if not np.size(rows):
            msg = "rows must be one or more indices; a batch has at least one game"
            raise ValueError(msg)
        if into is None:
            copies = self.state.memory[rows]
        else:
            if len(rows) and not (rows.min() >= 0 and rows.max() < len(self)):
                msg = f"the batch has rows 0 to {len(self) - 1}, not {rows.min()} to {rows.max()}"
                raise IndexError(msg)
            copies = into[: len(rows)]
            np.take(self.state.memory, rows, axis=0, out=copies, mode="clip")  # "raise" copies twice
        return self.from_rows(self.variant, copies, staged=self.actions.staged, copy=False)

    def put(self, rows: ArrayLike, games: GameBatch) -> None:
        """Copy games with their futures into rows: those that `take` returned, or any others.

        Args:
            rows: indices [n] of this batch, each once.
            games: n games of the same variant.

        Raises:
            IndexError, TypeError, ValueError: there is no such row, a row is named twice, or the games are of
                another number or variant; nothing has changed.
        """
        if not isinstance(games, GameBatch) or games.rules != self.rules:
            found = games.rules if isinstance(games, GameBatch) else games
            msg = f"games must be a GameBatch of {self.rules!r}, not {found!r}"
            raise (ValueError if isinstance(games, GameBatch) else TypeError)(msg)
        indices = check_integers("rows", rows, len(games))
        if indices.min() < 0 or indices.max() >= len(self):
            msg = f"the batch has rows 0 to {len(self) - 1}, not {indices.min()} to {indices.max()}"
            raise IndexError(msg)
        if np.bincount(indices).max() > 1:
            msg = f"row {np.bincount(indices).argmax()} is named twice"
            raise ValueError(msg)
        self.state.memory[indices] = games.state.memory

    def __getstate__(self) -> dict[str, Any]:
        """The games as arrays, with the version of their layout."""
        return {
            "version": (PICKLE_VERSION, self.variant.definition.row_version),
            "rules": self.rules,
            "memory": self.state.memory,
            "final_scores": self.final_scores,
            "staged": self.actions.staged,
            "num_threads": self.num_threads,
            "seed": self._seed,
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore saved games; ValueError if another version saved them."""
        variant = variant_of(saved["rules"])
        version, expected = saved.get("version"), (PICKLE_VERSION, variant.definition.row_version)
        if version != expected:
            msg = f"these games were pickled in version {version!r}, and only {expected} can be read"
            raise ValueError(msg)
        memory = np.array(saved["memory"], np.uint64, order="C")  # not memory that others share
        size, found = variant.row_dtype.itemsize, memory.strides[0]
        if found != size:
            msg = f"a pickled game has {size} bytes, not {found}"
            raise ValueError(msg)
        self._prepare(variant, memory, staged=saved["staged"], num_threads=saved["num_threads"])
        self.final_scores[:] = saved["final_scores"]
        self._seed = saved.get("seed")  # older ones lack it

    # Play.

    def seed(self, seed: int, index: int = 0) -> None:
        """Deal all games anew; row i becomes `Game(rules, seed=(seed, index + i))`.

        Raises:
            TypeError, ValueError: a seed or an index is not a whole number from 0 to 2^64 − 1.
        """
        first = check_index("index", index, 0, MAX_WORD + 1 - len(self))
        number = check_seed(seed)
        indices = np.arange(first, first + len(self), dtype=np.uint64)
        self.seed_rows(np.ones(len(self), np.bool_), np.full(len(self), number, np.uint64), indices)
        self._seed = number

    def seed_rows(
        self, chosen: NDArray[np.bool_], seeds: NDArray[np.uint64], indices: NDArray[np.uint64]
    ) -> None:
        """Deal the chosen games anew, all arrays [B]; row i becomes `Game(rules, (seeds[i], indices[i]))`."""
        self.run(self._kernels.seed_games, chosen, seeds, indices)

    def deal(self, chosen: ArrayLike | None = None) -> None:
        """Deal games anew, each continuing its own stream; chosen, bool [B], all by default."""
        rows = np.ones(len(self), np.bool_) if chosen is None else np.asarray(chosen)
        if rows.dtype != np.bool_ or rows.shape != (len(self),):
            msg = f"chosen must be bool [{len(self)}], not {rows.dtype} {list(rows.shape)}"
            raise ValueError(msg)
        self.run(self._kernels.deal_games, kernel_input(rows, np.bool_))

    def deal_in_order(self, orders: ArrayLike) -> None:
        """Deal all games anew with the given drawing orders of their tiles; their streams continue.

        Tiles are drawn as in any deal: what is put out of the game first, then rack by rack.

        Args:
            orders: types [B, M], all tiles of the game in each row.

        Raises:
            TypeError, ValueError: the array is not of this form; no game has changed.
        """
        check_has_tiles(self.variant.tile_types)
        counts = list(self.variant.tiles.values())
        tiles = np.repeat(np.arange(len(counts)), counts)
        rows = np.asarray(orders)
        if rows.dtype.kind not in "iu":
            msg = f"orders must be integers, not {rows.dtype}"
            raise TypeError(msg)
        if rows.shape != (len(self), len(tiles)):
            msg = f"orders must have shape {[len(self), len(tiles)]}, not {list(rows.shape)}"
            raise ValueError(msg)
        wrong = (np.sort(rows, axis=1) != tiles).any(axis=1)
        if wrong.any():
            msg = f"row {wrong.argmax()} of orders must have each type as often as the game has it: {counts}"
            raise ValueError(msg)
        self.run(self._kernels.deal_in_order, rows.astype(np.uint8))

    def legal_mask(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Int8 [B, A]: 1 where the seat to move may; all 0 in a finished game."""
        mask = self._output("out", out, self.num_actions)
        self.run(self._kernels.write_masks, self.actions.staged, mask)
        return mask

    def observe(self, out: NDArray[Any] | None = None, *, viewers: ArrayLike | None = None) -> NDArray[Any]:
        """[B, D] of `layout`: the observations of the viewers, seats [B]; the seats to move by default."""
        seats = self._seats(viewers)
        if not self.variant.writes_its_layout:
            self._check_observation(seats)
        vectors = self._output("out", out, self.observation_size, self.layout.dtype)
        self.run(self._kernels.write_observations, seats, vectors)
        return vectors

    def _check_observation(self, seats: NDArray[np.int64]) -> None:
        """Compare the entries that the kernel writes with the layout, once per variant, in a larger array.

        Raises:
            ValueError: it writes other entries, and would write past the end of a caller's array.
        """
        size, kernel = self.observation_size, self._kernels.write_observations
        filled = [np.full((1, size + SPARE_ENTRIES), value, self.layout.dtype) for value in (85, 42)]
        for vector in filled:
            kernel.compiled(self._spec, 0, 1, seats[:1], vector)
        left = ((filled[0] == 85) & (filled[1] == 42))[0]
        if left[:size].any() or not left[size:].all():
            written = np.flatnonzero(~left)
            msg = (
                f"the observation kernel of {self.variant.definition.name} writes {len(written)} entries, "
                f"the last one at {written.max(initial=-1)}, and its layout has {size}"
            )
            raise ValueError(msg)
        self.variant.writes_its_layout = True

    def random_actions(
        self, out: NDArray[np.int32] | None = None, *, by_key: bool = False
    ) -> NDArray[np.int32]:
        """Int32 [B]: a uniformly random legal action for each game, `NO_ACTION` for finished ones.

        It follows from the game's stream and position, so that repeated calls agree; `by_key` from the
        `policy_key` instead, which `reshuffle_hidden` does not change.
        """
        out = (
            np.empty(len(self), np.int32) if out is None else check_output("out", out, np.int32, (len(self),))
        )
        self.run(self._kernels.random_actions, self.actions.staged, by_key, out)
        return out

    def play(
        self,
        actions: ArrayLike,
        auto_reset: bool = False,  # noqa: FBT001, FBT002 - play(actions, True) reads well
        *,
        mask: NDArray[np.int8] | None = None,
        obs: NDArray[Any] | None = None,
    ) -> NDArray[np.bool_]:
        """Play one action in each game.

        Args:
            actions: integers [B]; a game that is over takes `NO_ACTION` only.
            auto_reset: deal finished games anew, with their own streams.
            mask: int8 [B, A], to be filled as by `legal_mask` after the step.
            obs: [B, D], to be filled as by `observe` after the step.

        Returns:
            bool [B], the games that are over, or were until they were dealt anew; `final_scores` has theirs.

        Raises:
            IllegalActionError: an action is illegal; no game has changed.
            TypeError, ValueError: the array is not of the dtype and shape asked for; no game has changed.
        """
        chosen = check_integers("actions", actions, len(self))
        mask = NOTHING if mask is None else self._output("mask", mask, self.num_actions)
        obs = (
            self.no_observation
            if obs is None
            else self._output("obs", obs, self.observation_size, self.layout.dtype)
        )
        done = np.empty(len(self), np.bool_)
        self.play_into(done, chosen, mask, obs, auto_reset=bool(auto_reset))
        return done

    @property
    def no_observation(self) -> NDArray[Any]:
        """The placeholder for an observation that is not requested."""
        return self.layout.nothing

    def play_into(
        self,
        done: NDArray[np.bool_],
        actions: NDArray[np.int64],
        mask: NDArray[np.int8],
        obs: NDArray[Any],
        *,
        auto_reset: bool = False,
    ) -> None:
        """`play` for a caller that reuses its own arrays: their shapes are not checked.

        Args:
            done: bool [B], what `play` returns.
            actions: int64 [B], which are checked.
            mask: int8 [B, A], or `NOTHING`.
            obs: [B, D], or `no_observation`.
            auto_reset: deal finished games anew.

        Raises:
            IllegalActionError: an action is illegal; nothing has changed.
        """
        if obs.size and not self.variant.writes_its_layout:
            self._check_observation(self._seats(None))
        staged, kernel = self.actions.staged, self._kernels.play_moves
        rest: tuple[Any, ...] = (None, done, self._final, None, None)
        if auto_reset or mask.size or obs.size:
            kernel, rest = self._kernels.play_games, (auto_reset, done, self._final, mask, obs)
        if self.num_threads == 1:  # not by `run`, whose overhead matters for a single game
            illegal = kernel.compiled(self._spec, 0, len(done), ALL_STEPS, staged, actions, *rest)
        else:
            illegal = self.run(kernel, staged, actions, *rest)
        if illegal >= 0:
            self._refuse(illegal, int(actions[illegal]))

    def _refuse(self, row: int, action: int) -> None:
        game = self.take(np.array([row]))
        code = np.zeros(1, np.int64)
        game.run(self._kernels.explain_actions, self.actions.staged, np.array([action]), code)
        reason = self.variant.definition.reason(game, action, int(code[0]))
        where = f" in game {row}" if len(self) > 1 else ""
        msg = f"action {action} is illegal{where}: {reason}. The action mask shows what is legal"
        raise IllegalActionError(msg, reason, action)

    def random_playouts(self, games: int, seed: int | None = None) -> NDArray[Any]:
        """[games, T, …]: final scores of `Game(rules, seed=(seed, 0))` onwards, played at random.

        Only the scores are kept, and no game of the batch changes. The seed is the batch's by default.
        """
        games = check_index("games", games, 1)
        seed = self._own_seed() if seed is None else check_seed(seed)
        dtype, shape = self.variant.scores
        scores = np.empty((games, *shape), dtype)
        final = scores.reshape(games, -1).view(np.uint8)

        def run(low: int, high: int) -> None:
            row = np.zeros((1, self.state.memory.shape[1]), np.uint64)  # of each thread, to play in
            spec = self.variant.description.for_games(row)
            self._kernels.random_playouts(spec, low, high, np.uint64(seed), final)

        bounds = share_bounds(games, self.num_threads).tolist()
        with ThreadPoolExecutor(self.num_threads) as threads:
            list(threads.map(run, bounds[:-1], bounds[1:]))
        return scores

    def _own_seed(self) -> int:
        """The seed of the latest deal; for games from elsewhere, derived from their rows."""
        return int(self.state.stream[0]) if self._seed is None else self._seed

    def reshuffle_hidden(
        self, viewers: ArrayLike | None = None, seed: int | None = None, *, by_key: bool = False
    ) -> None:
        """Resample all that the viewers, seats [B], cannot know; the seats to move by default.

        All deals consistent with what was seen are equally likely; a choice that is open now stays open, and
        a slot that is picked stays one that may be picked. The bag's order and the games' streams change,
        too; `policy_key` does not, so that policies choose as before.

        Row i's deal follows from the seed and i, or `by_key` from the seed and the game's `policy_key`.
        """
        seats = self._seats(viewers)
        number = fresh_seed() if seed is None else check_seed(seed)
        before = self.state.memory.copy()
        failed = self.run(self._kernels.reshuffle_hidden, seats, np.uint64(number), by_key)
        if failed >= 0:
            self.state.memory[:] = before
            msg = f"game {failed}: no deal agrees with what was shown"
            raise InconsistentStateError(msg)

    # Input.

    def _output(self, name: str, out: NDArray[Any] | None, width: int, dtype: Any = np.int8) -> NDArray[Any]:
        shape = (len(self), width)
        return np.empty(shape, dtype) if out is None else check_output(name, out, dtype, shape)

    def _seats(self, viewers: ArrayLike | None) -> NDArray[np.int64]:
        if viewers is None:
            return self.state.to_play.astype(np.int64)
        seats = check_integers("viewers", viewers, len(self))
        if seats.min() < 0 or seats.max() >= self.rules.num_players:
            msg = f"viewers must be seats from 0 to {self.rules.num_players - 1}"
            raise ValueError(msg)
        return seats


__all__ = ["NOTHING", "NO_ACTION", "GameBatch"]
