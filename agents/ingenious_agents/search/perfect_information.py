"""Perfect-information bound: the best play of one solitaire bag whose order is known.

A beam search in which every position is evaluated by greedy play with the tiles that will be drawn: of all
positions with the same number of tiles on the board, those with the best results are kept. It is a lower
bound of the best result of a player who knows the bag; a wider beam may find more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.checks import MAX_CANDIDATES, check_range
from ingenious_env import GameBatch, Rules, View
from ingenious_env.games.ingenious.opponents.utilities import UTILITIES
from ingenious_env.games.ingenious.ranking import worth
from ingenious_env.policies.greedy import Greedy, candidate_table

COMPLETING_POLICY = Greedy("concave")
MAX_WIDTH = 1_000_000


@dataclass(frozen=True)
class BeamResult:
    """The best play found of a bag.

    Attributes:
        actions: the flat actions, from the first on.
        scores: int8 [C], the counters at the end.
    """

    actions: list[int]
    scores: NDArray[np.int8]


def best_line(rules: Rules, seed: int, index: int, *, width: int = 64, candidates: int = 16) -> BeamResult:
    """The best play that a beam finds of `Game(rules, (seed, index))`, for one player.

    Args:
        rules: a variant for one player.
        seed: of the game.
        index: of the game under that seed.
        width: positions kept after each tile.
        candidates: placements tried in each position, the best by what they add to the counters.

    Raises:
        ValueError: the variant has more than one player, or a number is not positive.
    """
    if rules.num_players != 1:
        msg = f"only solitaire can be played knowing the bag, not a game of {rules.num_players} players"
        raise ValueError(msg)
    Clairvoyant(width, candidates)  # which checks them
    beam = GameBatch(rules, 1, 0)
    beam.seed(seed, index)
    lines: list[list[int]] = [[]]  # the actions that led to each position of the beam
    most, best, promising = -1, [], beam
    while True:
        rows, actions = _placements(beam, candidates)
        after = beam.take(rows)
        after.play(actions)
        kept = _distinct(after)
        results = _results(after.take(kept))
        order = np.argsort(-results, kind="stable")[:width]
        kept, results = kept[order], results[order]
        lines = [[*lines[row], int(action)] for row, action in zip(rows[kept], actions[kept], strict=True)]
        after = after.take(kept)
        if results[0] > most:
            most, best, promising = int(results[0]), lines[0], after.take(np.zeros(1, np.int64))
        running = np.flatnonzero(~after.is_over)
        if not len(running):
            break
        beam, lines = after.take(running), [lines[row] for row in running]
    while not promising.is_over[0]:
        action = COMPLETING_POLICY.act(View(promising))
        best = [*best, int(action[0])]
        promising.play(action)
    return BeamResult(best, promising.scores[0, 0].copy())


def _placements(beam: GameBatch, candidates: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows and actions of the placements to try."""
    actions, _, counts = candidate_table(beam, UTILITIES[COMPLETING_POLICY.utility](beam.rules), candidates)
    rows, columns = np.nonzero(np.arange(actions.shape[1]) < counts[:, None])
    return rows, actions[rows, columns].astype(np.int64)


def _distinct(games: GameBatch) -> NDArray[np.int64]:
    """The first row of each position: tiles laid in another order may lead to the same counters."""
    seen = np.concatenate([games.board, games.scores[:, 0]], axis=1).astype(np.int64)
    _, first = np.unique(seen @ _weights(seen.shape[1]), return_index=True)
    return np.sort(first)


@cache
def _weights(numbers: int) -> NDArray[np.int64]:
    return np.random.default_rng(1).integers(-(2**55), 2**55, numbers)


def _results(games: GameBatch) -> NDArray[np.int64]:
    """The results of greedy play from each game, higher for the better (RULES.md 7.3)."""
    games = games.clone()
    while not games.is_over.all():
        games.play(COMPLETING_POLICY.act(View(games)))
    return worth(games.scores[:, 0])


@dataclass(frozen=True)
class Clairvoyant:
    """A contestant of solitaire studies that knows the order of the bag, unlike an agent.

    Attributes:
        width: positions kept after each tile.
        candidates: number of placements tried in each.
    """

    width: int = 64
    candidates: int = 16

    def __post_init__(self) -> None:
        """Check the values."""
        check_range(self, 1, MAX_WIDTH, "width")
        check_range(self, 1, MAX_CANDIDATES, "candidates")

    def line(self, rules: Rules, seed: int, index: int) -> BeamResult:
        """The best play that it finds of `Game(rules, (seed, index))` (see `best_line`)."""
        return best_line(rules, seed, index, width=self.width, candidates=self.candidates)
