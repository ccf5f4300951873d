"""The engine in C of `engine.c`, compiled by the system's C compiler and called through ctypes."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ingenious_env import IllegalActionError, Rules
from scripts.benchmark.timing import Play

SOURCE = Path(__file__).with_name("engine.c")
FLAGS = ("-std=c11", "-O3", "-march=native")
PRESETS = (Rules.solitaire(), *(Rules.standard(players) for players in (2, 3, 4)), Rules.partnership())
NUM_COLOURS, NUM_TILES = 6, 120
FACTS = ("phase", "to_play", "plays_left", "turn", "in_bag")


class Position(NamedTuple):
    """All of the games' positions, uint8.

    Attributes:
        board: [B, N], 0 for an empty cell, else the colour.
        scores: [B, T, 6], the counters.
        racks: [B, P, R], tile types in ascending order, then 255.
        facts: [B, 5], in the order of `FACTS`; phases as in the package.
    """

    board: NDArray[np.uint8]
    scores: NDArray[np.uint8]
    racks: NDArray[np.uint8]
    facts: NDArray[np.uint8]


@cache
def library(*more_flags: str, source: Path = SOURCE) -> ctypes.CDLL:
    """The compiled engine; ImportError if there is no compiler, RuntimeError if it cannot compile."""
    compiler = shutil.which("cc")
    if compiler is None:
        msg = "it needs a C compiler, and there is no command `cc` (Debian, Ubuntu: apt install gcc)"
        raise ImportError(msg)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "engine.so"
        command = [compiler, *FLAGS, *more_flags, "-shared", "-fPIC", "-o", str(path), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - the compiler
        if done.returncode:
            msg = f"{compiler} cannot compile {source.name}:\n{done.stderr}"
            raise RuntimeError(msg)
        loaded = ctypes.CDLL(str(path))
    pointer, number = ctypes.c_void_p, ctypes.c_int
    for name, result, arguments in (
        ("new", pointer, [number, number, number, ctypes.c_uint64]),
        ("free", None, [pointer]),
        ("num_actions", number, [pointer]),
        ("deal", None, [pointer] * 2),
        ("order_bag", ctypes.c_bool, [pointer, number, pointer, number]),
        ("sample", None, [pointer] * 2),
        ("step", number, [pointer, pointer, number, pointer, pointer]),
        ("mask", None, [pointer] * 2),
        ("read", None, [pointer] * 5),
        ("ranks", None, [pointer] * 2),
    ):
        function = getattr(loaded, f"engine_{name}")
        function.restype, function.argtypes = result, arguments
    return loaded


def is_there() -> bool:
    """Return whether the engine can be compiled; if not, a sentence on the standard error says why."""
    try:
        library()
    except (ImportError, RuntimeError) as error:
        sys.stderr.write(f"C: left out, {error}\n")
        return False
    return True


class CEngine:
    """B games of a preset in the C engine, with `GameBatch`'s numbering of cells and actions.

    Args:
        rules: a preset.
        num_games: B.
        seed: of the deals, shuffles and random actions; other ones than the package's for the same seed.
        compiled: what `library` returns; by default without more flags.

    Raises:
        ImportError: there is no C compiler.
        ValueError: the rules are not a preset.
    """

    def __init__(
        self, rules: Rules, num_games: int, seed: int = 0, compiled: ctypes.CDLL | None = None
    ) -> None:
        if rules not in PRESETS:
            msg = f"the C engine plays presets, not {rules!r}"
            raise ValueError(msg)
        self.rules, self.num_games = rules, num_games
        self._library = compiled or library()
        self._engine = self._library.engine_new(rules.num_players, rules.teams, num_games, seed)
        if not self._engine:
            msg = f"no memory for {num_games} games"
            raise MemoryError(msg)
        self.num_actions: int = self._library.engine_num_actions(self._engine)

    def __del__(self) -> None:
        """Free the games."""
        if getattr(self, "_engine", None):
            self._library.engine_free(self._engine)

    def deal(self, orders: ArrayLike) -> None:
        """Deal all games; orders [B, 120]: all tiles of each game, dealt from the first on, rack by rack."""
        tiles = np.ascontiguousarray(orders, np.uint8).reshape(self.num_games, NUM_TILES)
        self._library.engine_deal(self._engine, tiles.ctypes.data)

    def order_bag(self, game: int, order: ArrayLike) -> None:
        """Set the order of what is left in a game's bag; ValueError if these are not the same tiles."""
        tiles = np.ascontiguousarray(order, np.uint8)
        if not self._library.engine_order_bag(self._engine, game, tiles.ctypes.data, len(tiles)):
            msg = f"the bag of game {game} has other tiles"
            raise ValueError(msg)

    def random_actions(self) -> NDArray[np.int32]:
        """Int32 [B]: a uniformly random legal action for each game, −1 for finished ones."""
        actions = np.empty(self.num_games, np.int32)
        self._library.engine_sample(self._engine, actions.ctypes.data)
        return actions

    def play(self, actions: ArrayLike, *, auto_reset: bool = False) -> NDArray[np.bool_]:
        """Play one action in each game, −1 in finished ones.

        Returns:
            bool [B], the games that are over, or were until they were dealt anew.

        Raises:
            IllegalActionError: an action is illegal; no game has changed.
        """
        chosen = np.ascontiguousarray(actions, np.int32)
        done = np.empty(self.num_games, np.bool_)
        wrong = self._library.engine_step(
            self._engine, chosen.ctypes.data, auto_reset, None, done.ctypes.data
        )
        if wrong >= 0:
            msg = f"action {chosen[wrong]} is illegal in game {wrong}"
            raise IllegalActionError(msg)
        return done

    def legal_mask(self) -> NDArray[np.int8]:
        """Int8 [B, A]: 1 where the seat to move may."""
        mask = np.empty((self.num_games, self.num_actions), np.int8)
        self._library.engine_mask(self._engine, mask.ctypes.data)
        return mask

    def read(self) -> Position:
        """All positions."""
        rules = self.rules
        shapes: list[tuple[int, ...]] = [(len(rules.cells),), (rules.num_sheets, NUM_COLOURS)]
        shapes += [(rules.num_players, rules.rack_size), (len(FACTS),)]
        position = Position(*(np.empty((self.num_games, *shape), np.uint8) for shape in shapes))
        self._library.engine_read(self._engine, *(array.ctypes.data for array in position))
        return position

    @property
    def ranks(self) -> NDArray[np.uint8]:
        """Uint8 [B, T]: the ranks of the sheets as they stand, 1 is best."""
        ranks = np.empty((self.num_games, self.rules.num_sheets), np.uint8)
        self._library.engine_ranks(self._engine, ranks.ctypes.data)
        return ranks

    def random_steps(self, *, mask: bool) -> Play:
        """Uniformly random play with new deals, the masks of legal actions written after each step or not."""
        actions, done = np.empty(self.num_games, np.int32), np.empty(self.num_games, np.bool_)
        masks = self.legal_mask()
        engine, sample, step = self._engine, self._library.engine_sample, self._library.engine_step

        def play(steps: int) -> int:
            chosen, into, over = (array.ctypes.data for array in (actions, masks, done))
            rounds = -(-steps // self.num_games)
            for _ in range(rounds):
                sample(engine, chosen)
                step(engine, chosen, 1, into if mask else None, over)
            return rounds * self.num_games

        return play


def random_steps(rules: Rules, num_games: int, num_threads: int, *, mask: bool) -> Play:
    """Random play in a batch; threads share its games once and never wait for each other."""
    shares = [num_games * (k + 1) // num_threads - num_games * k // num_threads for k in range(num_threads)]
    plays = [CEngine(rules, size, seed).random_steps(mask=mask) for seed, size in enumerate(shares) if size]
    if len(plays) == 1:
        return plays[0]
    pool = ThreadPoolExecutor(len(plays))
    return lambda steps: sum(pool.map(lambda play: play(-(-steps // len(plays))), plays))
