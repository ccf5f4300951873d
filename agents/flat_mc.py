"""Flat Monte Carlo: the best few placements are each played out many times, the most promising the most."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from math import ceil, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.checks import check_least
from ingenious_env.engine import NO_ACTION, GameBatch
from ingenious_env.kernels.compiling import load
from ingenious_env.policies import UTILITIES, View, check_utility
from ingenious_env.seeding import check_seed
from ingenious_env.state import PLACE, GameState
from ingenious_env.tables import spec_of

MARGIN = 0.1
"""What a lead of all spaces of the lowest counter counts beside a win, so that close games are told apart."""


@cache
def _kernels() -> Any:
    return load("agents.kernels.rollouts")


@dataclass(frozen=True)
class FlatMC:
    """Plays its best candidates out, greedily for all seats, over fresh deals of what it cannot know.

    The deals are the same for all candidates. After each of log2(candidates) rounds the worse half drops out.

    Attributes:
        rollouts: how many a move, all candidates together.
        seconds: if more than 0, think so long a move instead.
        candidates: how many placements to try, the best by what they add to the value of the counters.
        rollout: the value of the counters by which all seats play on, a name in `policies.UTILITIES`.
        seed: of the deals and rollouts.
    """

    rollouts: int = 2000
    seconds: float = 0.0
    candidates: int = 10
    rollout: str = "concave"
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the values."""
        check_least(self, 1, "rollouts", "candidates")
        check_least(self, 0, "seconds")
        check_utility(self.rollout, "rollout")
        check_seed(self.seed)

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action whose rollouts went best, game by game."""
        games = view.complete(self.seed)
        actions = np.full(len(view), NO_ACTION, np.int32)
        for row in np.flatnonzero(~games.is_over):
            actions[row] = self.choose(games, int(row))
        return view.encode(actions)

    def search(self, games: GameBatch, row: int) -> Search:
        """A search for one of the games."""
        return Search(games, row, self)

    def choose(self, games: GameBatch, row: int) -> int:
        """The action for one of the games, which are completed views."""
        search = self.search(games, row)
        alive = np.arange(len(search.candidates))
        rounds = max(1, ceil(log2(max(1, len(alive)))))
        began = time.perf_counter()
        for number in range(rounds):
            if len(alive) == 1:
                break
            if self.seconds:
                search.run_until(alive, began + self.seconds * (number + 1) / rounds)
            else:
                search.run(alive, max(1, self.rollouts // (rounds * len(alive))))
            order = np.argsort(-search.means[alive], kind="stable")
            alive = alive[order[: ceil(len(alive) / 2)]]
        return int(search.candidates[alive[0]])


class Search:
    """Rollouts of the candidates of one game.

    Attributes:
        candidates: int32 [K], actions.
        sums: float64 [K, 3], the sum of results, of their squares, and their number.
    """

    def __init__(self, games: GameBatch, row: int, agent: FlatMC) -> None:
        state = GameState.zeros(games.rules, 3)
        state.memory[0] = games.state.memory[row]
        self._memory, self._spec = state.memory, spec_of(games.rules, state.memory)
        self._values = UTILITIES[agent.rollout](games.rules)
        self._seed = np.uint64(agent.seed)
        actions, _, counts = candidate_table(games.take(np.array([row])), self._values, agent.candidates)
        self.candidates = actions[0, : counts[0]]
        self.sums = np.zeros((len(self.candidates), 3))
        self._done = 0

    @property
    def means(self) -> NDArray[np.float64]:
        """Float64 [K]: the mean result of each candidate."""
        return np.asarray(self.sums[:, 0] / np.maximum(1, self.sums[:, 2]))

    def run(self, which: NDArray[np.int64], simulations: int) -> None:
        """Play some of the candidates out over so many deals more."""
        sums = np.zeros((len(which), 3))
        self.simulate(which, self._done, self._done + simulations, sums)
        self.sums[which] += sums
        self._done += simulations

    def simulate(self, which: NDArray[np.int64], first: int, last: int, sums: NDArray[np.float64]) -> None:
        """Add the results of simulations first to last − 1 of some of the candidates to sums."""
        chosen = self.candidates[which]
        _kernels().try_candidates(self._spec, chosen, first, last, self._seed, self._values, MARGIN, sums)

    def run_until(self, which: NDArray[np.int64], end: float) -> None:
        """Play some of the candidates out until the clock says so, at least once."""
        while True:
            self.run(which, 1)
            if time.perf_counter() >= end:
                return


def candidate_table(
    games: GameBatch, values: NDArray[np.float64], most: int
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]:
    """Each game's best flat actions, at most so many, by what they add to the value of the counters.

    Returns:
        actions: int32 [B, K], the best first; a choice to swap is two actions that add nothing.
        gains: float64 [B, K], what they add.
        counts: int64 [B], how many there are of each game, none where it is over.
    """
    room = (len(games), max(2, most))
    actions, gains, counts = np.zeros(room, np.int32), np.zeros(room), np.zeros(len(games), np.int64)
    games.run(_kernels().list_candidates, values, actions, gains, counts)
    counts = np.where(games.phase == PLACE, np.minimum(counts, most), counts)
    return actions, gains, counts
