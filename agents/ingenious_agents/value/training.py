"""Training of value networks: self-play in batches, TD(λ) targets on positions after a move, one learner.

A batch of games is played in shares by an executor's workers, and the learner updates the network on all of
them. The games are determined by the deals and by the network that plays them; so neither the number of
workers, nor the death of one, nor an interruption changes what is learned.

Workers wait while the learner learns, unless `lag` is more than 0: then batch b is played by the network
after b − lag updates, and the workers are at most `lag` updates behind.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.checks import MAX_CANDIDATES, check_positive, check_range
from ingenious_agents.training.checkpoint import checked_count, checked_curve, checked_seconds, load_state
from ingenious_agents.training.evaluation import Estimate, deals_of_training
from ingenious_agents.value.network import as_played, networks_for
from ingenious_agents.value.self_play import Experience, PlayedGames, SelfPlay, experience_of, joined
from ingenious_env.compiled.threads import share_bounds
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.extras import needs
from ingenious_env.policies.value import ValueNetwork, check_candidates, model_of

with needs("ingenious_agents.value.training", "ingenious-env[train]"):
    import torch
    from torch import nn

WARM_UP = 2000  # games, or a tenth of all, in which the learning rate rises
MAX_GAMES = 1_000_000_000
MAX_LAG = 1000
MIN_SHARE = 10  # games, which take a few times as long as the overhead of a task
CURVE = ("games", "seconds", "result", "low", "high")


@dataclass(frozen=True)
class Settings:
    """The options that determine the trained network, apart from the rules."""

    games: int = 40_000
    """total games of self-play; in Loopit 10000 (quick) or 100000 (full)"""
    batch: int = 200
    """games between two updates"""
    passes: int = 1
    """passes over the experience of a batch"""
    minibatch: int = 512
    """positions in a gradient step; in solitaire 256, in Loopit 128"""
    learning_rate: float = 1e-2
    """highest learning rate of Adam; it rises for a while, then falls to 0; in Loopit 3e-3"""
    td_lambda: float = 0.8
    """lambda of TD(lambda): 1 learns from outcomes only, 0 from the next value only; in solitaire 1"""
    epsilon: float = 0.1
    """probability of a random placement, or in Loopit of a random turn"""
    weak_starts: float = 0.0
    """share of games whose first turns weak players make, so that the network knows such positions, too"""
    candidates: int = 16
    """placements evaluated per move in training, the best by a utility; in Loopit plans, 32"""
    lag: int = 0
    """updates by which the playing network is behind the learning one, so that workers need not wait"""
    seed: int = 0
    """seed of the games and of the network"""

    def check(self) -> None:
        """ValueError if a number is out of its range."""
        check_range(self, 1, MAX_GAMES, "games")
        check_range(self, 1, 1_000_000, "batch", "minibatch")
        check_range(self, 1, 1000, "passes")
        check_range(self, 0, 1, "td_lambda", "epsilon", "weak_starts")
        check_range(self, 1, MAX_CANDIDATES, "candidates")
        check_range(self, 0, MAX_LAG, "lag")
        check_range(self, 0, 2**32 - 1, "seed")
        check_positive(self, "learning_rate")


class Learner:
    """A network, its control variate and their optimiser, and their progress.

    Attributes:
        deals: the seed of the games.
        done: games learned from.
        seconds: of the training, without evaluations.
        learning_seconds: of these, the time of updates.
        curve: games, seconds and the result of an evaluation: mean, low and high.
        played_by: the weights after the last updates, `lag` + 1 or fewer, the latest last.
    """

    def __init__(self, rules: AnyRules, settings: Settings) -> None:
        settings.check()
        check_candidates(rules, settings.candidates)
        self.rules, self.settings = rules, settings
        torch.manual_seed(settings.seed)
        self.network, self.control = networks_for(rules)
        weights = [*self.network.parameters(), *self.control.parameters()]
        self.optimizer = torch.optim.Adam(weights, lr=settings.learning_rate, fused=True)
        self.unit = model_of(rules).architecture(rules).unit
        self.deals = deals_of_training(settings.seed)
        self.done, self.seconds, self.learning_seconds = 0, 0.0, 0.0
        self.curve: list[tuple[float, ...]] = []
        self.played_by = deque([self.value_network().weights], maxlen=settings.lag + 1)

    def value_network(self) -> ValueNetwork:
        """The current network, for agents."""
        return as_played(self.rules, self.network)

    @property
    def self_play(self) -> SelfPlay:
        """Self-play settings."""
        settings = self.settings
        return SelfPlay(self.rules, settings.candidates, settings.epsilon, settings.weak_starts)

    @property
    def is_done(self) -> bool:
        """Whether all games are learned from."""
        return self.done >= self.settings.games

    @property
    def updates(self) -> int:
        """Batches learned from."""
        return self.done // self.settings.batch

    def weights_for(self, batch: int) -> NDArray[np.float32]:
        """The weights that play a batch, at most `lag` ahead of the next one to learn from."""
        age = self.updates - max(0, batch - self.settings.lag)
        return self.played_by[-1 - age]

    @property
    def learning_rate(self) -> float:
        """The rate of the next games: it rises, as first steps at full rate can kill units, then falls."""
        games, ready = self.settings.games, self.done + self.settings.batch
        rising = min(1.0, ready / min(WARM_UP, games / 10))
        return self.settings.learning_rate * rising * (1 - self.done / games)

    def control_of(self, inputs: NDArray[np.float32], excess: NDArray[np.float32]) -> NDArray[np.float32]:
        """The control variate in units of values (see `ControlVariate` of `self_play.py`)."""
        with torch.no_grad():
            control = self.control(torch.from_numpy(inputs), torch.from_numpy(excess))
        return np.asarray(control.numpy() * np.float32(self.unit))

    def learn(self, games: PlayedGames) -> None:
        """Update the network on a batch of games."""
        began = time.monotonic()
        self._descend(experience_of(games, self.settings.td_lambda, self.control_of))
        self.done += self.settings.batch
        self.played_by.append(self.value_network().weights)
        self.learning_seconds += time.monotonic() - began

    def _descend(self, experience: Experience) -> None:
        """Some passes over experience, in an order determined by the seed and the games done."""
        loss_of: nn.Module = nn.MSELoss() if self.rules.num_sheets == 1 else nn.BCEWithLogitsLoss()
        inputs, excess = torch.from_numpy(experience.inputs), torch.from_numpy(experience.excess)
        targets = torch.from_numpy(experience.targets) / self.unit
        changes = torch.from_numpy(experience.changes) / self.unit
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate
        order = np.random.default_rng((self.settings.seed, self.done))
        for _ in range(self.settings.passes):
            shuffled = torch.from_numpy(order.permutation(len(inputs)))
            for chosen in torch.split(shuffled, self.settings.minibatch):
                some = inputs[chosen]
                loss = loss_of(self.network(some), targets[chosen])
                loss = loss + nn.functional.mse_loss(self.control(some, excess[chosen]), changes[chosen])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()

    def add_evaluation(self, found: Estimate) -> None:
        """Add a point to the curve."""
        self.curve.append((self.done, round(self.seconds, 1), *found))

    # Checkpoints.

    def state(self) -> dict[str, Any]:
        """The state that determines the rest of the training, for `save_checkpoint`."""
        return {
            "network": self.network.state_dict(),
            "control": self.control.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "played_by": [torch.from_numpy(weights) for weights in self.played_by],
            "done": self.done,
            "seconds": self.seconds,
            "learning_seconds": self.learning_seconds,
            "curve": self.curve,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a state; an error names what is invalid."""
        load_state(self.network, state, "network")
        load_state(self.control, state, "control")
        load_state(self.optimizer, state, "optimizer")
        batch, games = self.settings.batch, self.settings.games
        self.done = checked_count(state, "done", -(-games // batch) * batch)
        if self.done % batch:
            msg = f"done must be a multiple of {batch}, not {self.done}"
            raise ValueError(msg)
        self.seconds = checked_seconds(state)
        self.learning_seconds = checked_seconds(state, "learning_seconds")
        self.curve = checked_curve(state, len(CURVE))
        wanted = min(self.updates, self.settings.lag) + 1
        if len(state["played_by"]) != wanted:
            msg = f"played_by must hold {wanted} networks, not {len(state['played_by'])}"
            raise ValueError(msg)
        self.played_by.clear()
        for weights in state["played_by"]:
            self.played_by.append(ValueNetwork(self.rules, weights.numpy()).weights)


def shares_of(workers: int, lag: int, batch: int) -> int:
    """The shares of a batch that keep all workers busy, of at least `MIN_SHARE` games.

    With a lag, `lag` more batches are played at a time.
    """
    return max(1, min(-(-workers // (lag + 1)), batch // MIN_SHARE))


def played_batches(learner: Learner, executor: Executor, shares: int) -> Iterator[PlayedGames]:
    """The batches that a learner lacks; it must learn from each before requesting the next.

    Args:
        learner: of the batches.
        executor: of the shares of games.
        shares: of each batch; more than the executor's workers have no use.
    """
    batch, games, play = learner.settings.batch, learner.settings.games, learner.self_play
    bounds = share_bounds(batch, shares).tolist()
    sent: deque[list[Future[PlayedGames]]] = deque()
    number = learner.updates
    try:
        while not learner.is_done:
            while number <= learner.updates + learner.settings.lag and number * batch < games:
                weights, first = learner.weights_for(number), number * batch
                sent.append(
                    [
                        executor.submit(play.play, weights, learner.deals, first + low, high - low)
                        for low, high in pairwise(bounds)
                        if high > low
                    ]
                )
                number += 1
            yield joined([future.result() for future in sent.popleft()])
    finally:
        for future in [each for shares_of_batch in sent for each in shares_of_batch]:
            future.cancel()
