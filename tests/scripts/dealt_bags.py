"""Run an example, and print how many bags it trains and rates on, and how many are among both.

    python dealt_bags.py NAME [options of the example, without its seed]

A bag is the rating's if it is dealt while a function of `RATING` runs with the example's own seed; AgileRL's
example calls it with another seed, too, to choose what to rate. An environment of PettingZoo deals a game
when it is made that is never played, as a reset comes first; that one does not count.
"""

from __future__ import annotations

import runpy
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).parents[2]))  # `scripts`

import numpy as np

from ingenious_env import GameBatch
from ingenious_env.envs.pettingzoo import GameAEC

RATING = {"share_of_wins", "mean_results", "mean_result"}
SEED = 0  # the default of the examples

bags = defaultdict[bool, set[bytes]](set)


def callers() -> Iterator[FrameType]:
    """The frames of the call stack."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


def is_rating() -> bool:
    """Return whether a function of `RATING` with the example's own seed is on the call stack."""
    return any(each.f_code.co_name in RATING and each.f_locals["seed"] == SEED for each in callers())


def record(batch: GameBatch, chosen: np.ndarray | None = None) -> None:
    """Note the bags of the chosen games, which have just been dealt."""
    if any(each.f_code is GameAEC.__init__.__code__ for each in callers()):
        return
    rows = slice(None) if chosen is None else np.asarray(chosen)
    dealt = np.hstack([batch.state.racks.reshape(len(batch), -1), batch.state.bag])[rows]
    bags[is_rating()] |= {row.tobytes() for row in dealt}


def seed_rows(batch: GameBatch, chosen: np.ndarray, seeds: np.ndarray, indices: np.ndarray) -> None:
    """Deal by seeds, as the method that this one replaces."""
    _seed_rows(batch, chosen, seeds, indices)
    record(batch, chosen)


def deal(batch: GameBatch, chosen: np.ndarray | None = None) -> None:
    """Deal by the games' streams, as the method that this one replaces."""
    _deal(batch, chosen)
    record(batch, chosen)


_seed_rows, _deal = GameBatch.seed_rows, GameBatch.deal
GameBatch.seed_rows, GameBatch.deal = seed_rows, deal

if __name__ == "__main__":
    name = sys.argv.pop(1)
    runpy.run_module(f"scripts.examples.{name}", run_name="__main__", alter_sys=True)
    counts = map(len, (bags[False], bags[True], bags[False] & bags[True]))
    print("bags: {} of training, {} of rating, {} of both".format(*counts))
