"""Sequential halving: a few candidates are simulated, and the worse half is eliminated round after round."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.checks import MAX_CANDIDATES, MAX_ROLLOUTS, MAX_SECONDS, check_range
from ingenious_env import GameBatch, View
from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.facts import Unit
from ingenious_env.engine.seeding import check_seed
from ingenious_env.engine.state import spec_of
from ingenious_env.policies.advice import Advice, completed
from ingenious_env.policies.thinking import is_stopped

LOOK_EVERY = 8
"""Simulations of all candidates after which a search checks whether it is stopped."""


@dataclass(frozen=True)
class Halving(ABC):
    """Plays the candidate with the best mean over simulations, each with a fresh deal of hidden tiles.

    The deals are the same for all candidates. After each of log2(candidates) rounds the worse half is
    eliminated. Stopped (see `ingenious_env/policies/thinking.py`), it plays the best candidate so far.

    Attributes:
        rollouts: number of rollouts per move, of all candidates together.
        seconds: if more than 0, the time per move instead.
        candidates: number of placements to try.
        seed: of the deals and rollouts.
    """

    rollouts: int = 2000
    seconds: float = 0.0
    candidates: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the values."""
        check_range(self, 1, MAX_ROLLOUTS, "rollouts")
        check_range(self, 1, MAX_CANDIDATES, "candidates")
        check_range(self, 0, MAX_SECONDS, "seconds")
        check_seed(self.seed)

    def act(self, view: View) -> NDArray[np.int32]:
        """Int32 [B]: the action with the best rollouts in each game."""
        games = view.complete(self.seed)
        actions = np.full(len(view), NO_ACTION, np.int32)
        for row in np.flatnonzero(~games.is_over):
            actions[row] = self.choose(games, int(row))
        return view.encode(actions)

    @abstractmethod
    def search(self, games: GameBatch, row: int) -> Search:
        """A search for one of the games."""

    @abstractmethod
    def unit(self, rules: AnyRules) -> Unit:
        """The unit of the results of simulations."""

    def choose(self, games: GameBatch, row: int) -> int:
        """The action for one of the games, which are completed views."""
        search = self.search(games, row)
        return int(search.candidates[self.halve(search)])

    def advise(self, view: View, limit: int = 20) -> Advice:
        """The candidates by the means of their simulations; the first is the one that `act` plays.

        It may have a lower mean than one that was eliminated before, after fewer simulations. Errors of
        candidates are correlated, as their deals are the same.
        """
        games = completed(view, limit, self.seed)
        search = self.search(games, 0)
        best = self.halve(search)
        if not search.sums[best, 2]:  # the only candidate, which needs no simulations to choose
            self.simulate(search, np.array([best]), time.perf_counter(), 1, 1)
        order = np.argsort(-search.means, kind="stable")
        order = np.concatenate([[best], order[order != best]])[:limit]
        return Advice(
            search.candidates[order], search.means[order], search.errors[order], self.unit(games.rules)
        )

    def halve(self, search: Search) -> int:
        """Run a search; returns the place of the remaining candidate."""
        alive = np.arange(len(search.candidates))
        rounds = max(1, ceil(log2(max(1, len(alive)))))
        began = time.perf_counter()
        for number in range(rounds):
            if len(alive) == 1 or (number > 0 and is_stopped()):
                break
            self.simulate(search, alive, began, number + 1, rounds)
            order = np.argsort(-search.means[alive], kind="stable")
            alive = alive[order[: ceil(len(alive) / 2)]]
        return int(alive[0])

    def simulate(
        self, search: Search, alive: NDArray[np.int64], began: float, number: int, rounds: int
    ) -> None:
        """Run a round, counted from 1, of a search that began at that time."""
        if self.seconds:
            search.run_until(alive, began + self.seconds * number / rounds)
        else:
            search.run(alive, max(1, self.rollouts // (rounds * len(alive))))


class Search(ABC):
    """Simulations of the candidates of one game.

    Attributes:
        candidates: int32 [K], actions.
        sums: float64 [K, 3], the sum of results, of their squares, and their number.
    """

    def __init__(self, games: GameBatch, row: int) -> None:
        self._memory = games.state.memory[row : row + 1].copy()
        self._spec = spec_of(games.rules, self._memory)
        self.candidates = self.find_candidates(games, row)
        self.sums = np.zeros((len(self.candidates), 3))
        self._done = 0

    @abstractmethod
    def find_candidates(self, games: GameBatch, row: int) -> NDArray[np.int32]:
        """Int32 [K]: the actions to try, of one of the games; the most promising first."""

    @property
    def means(self) -> NDArray[np.float64]:
        """Float64 [K]: the mean result of each candidate."""
        return np.asarray(self.sums[:, 0] / np.maximum(1, self.sums[:, 2]))

    @property
    def errors(self) -> NDArray[np.float64]:
        """Float64 [K]: the standard error of each mean, nan of fewer than two results."""
        number = self.sums[:, 2]
        squares = np.maximum(0, self.sums[:, 1] - self.sums[:, 0] * self.means)
        return np.where(number > 1, np.sqrt(squares / np.maximum(1, number * (number - 1))), np.nan)

    def run(self, which: NDArray[np.int64], simulations: int) -> None:
        """Run more simulations of some of the candidates, fewer if the search is stopped."""
        sums, end = np.zeros((len(which), 3)), self._done + simulations
        while self._done < end:
            upto = min(end, self._done + LOOK_EVERY)
            self.simulate(which, self._done, upto, sums)
            self._done = upto
            if is_stopped():
                break
        self.sums[which] += sums

    @abstractmethod
    def simulate(self, which: NDArray[np.int64], first: int, last: int, sums: NDArray[np.float64]) -> None:
        """Add the results of simulations first to last − 1 of some of the candidates to sums, one by one."""

    def run_until(self, which: NDArray[np.int64], end: float) -> None:
        """Simulate some of the candidates until a time, at least once."""
        while True:
            self.run(which, 1)
            if time.perf_counter() >= end or is_stopped():
                return
