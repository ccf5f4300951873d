"""Training of a policy network by masked PPO, against ready opponents and its own past selves.

It may begin with the imitation of another agent (see `imitation.py`).

Training proceeds in rounds. A round deals all games anew, learns, evaluates, and adds the current network to
the pool of opponents. A round is determined by the seed and by the state before it.
"""

from __future__ import annotations

import time
from copy import deepcopy
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np

from ingenious_agents.checks import check_positive, check_range
from ingenious_agents.ppo.agent import MAX_HIDDEN, NetworkPolicy
from ingenious_agents.ppo.opponent_pool import Pool
from ingenious_agents.registry import make_agent
from ingenious_agents.training.checkpoint import (
    checked_count,
    checked_curve,
    checked_seconds,
    is_finite_number,
    load_state,
)
from ingenious_agents.training.evaluation import evaluate, met_by
from ingenious_env import Rules
from ingenious_env.compiled.actions import NUMBERINGS
from ingenious_env.engine.extras import needs
from ingenious_env.games.ingenious.definition import POLICIES
from ingenious_env.policies.view import check_plays

with needs("ingenious_agents.ppo.training", "ingenious-env[train]"):
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import VecEnvWrapper

    from ingenious_agents.ppo.imitation import Teacher, imitate
    from ingenious_env.networks.sb3 import PlacementPolicy
    from ingenious_env.sb3 import IngeniousVecEnv, make_vec_env

OPPONENTS = ("greedy", "greedy:utility=concave")
"""The opponents against which a network is rated, during training and at its end."""


@dataclass(frozen=True)
class Settings:
    """The options that determine the trained network, apart from the rules."""

    actions: str = "flat"
    """flat: a slot and the place of its tile at once; or staged: one after the other"""
    opponents: str = "uniform,greedy,concave"
    """members of the pool from the beginning, by the names of Versus-v0, with commas between"""
    selves: int = 10
    """largest number of past selves in the pool"""
    active: int = 3
    """members of the pool that play in a round"""
    rounds: int = 8
    """rounds, after each of which the network is evaluated, and joins the pool"""
    imitate: int = 0
    """of these, the first N learn the moves of --teacher, the others by PPO"""
    teacher: str = "value:candidates=12"
    """agent that --imitate learns from"""
    steps: int = 16_384
    """steps of all games together in a round"""
    num_envs: int = 256
    """games played concurrently"""
    num_steps: int = 64
    """steps in each of them between updates"""
    minibatch: int = 1024
    """steps in a gradient step"""
    epochs: int = 6
    """largest number of passes over the experience in an update"""
    target_kl: float = 0.03
    """KL divergence at which an update ends"""
    learning_rate: float = 2e-3
    """learning rate of Adam at the beginning; it falls to 0"""
    entropy: float = 0.001
    """weight of the entropy bonus"""
    gamma: float = 1.0
    """discount per step"""
    gae_lambda: float = 0.95
    """lambda of generalised advantage estimation"""
    hidden: int = 64
    """units in the hidden layers"""
    seed: int = 0
    """seed of the games and of the network"""
    curve_deals: int = 100
    """deals of each match after a round, each played once from each seat"""

    def check(self) -> None:
        """ValueError if a value is out of its range."""
        unknown = [name for name in self.opponents.split(",") if name not in POLICIES]
        if unknown:
            msg = f"opponents must be of {', '.join(POLICIES)}, with commas between, not {unknown[0]!r}"
            raise ValueError(msg)
        if self.actions not in NUMBERINGS:
            msg = f"actions must be one of {', '.join(NUMBERINGS)}, not {self.actions!r}"
            raise ValueError(msg)
        counts = ("active", "rounds", "steps", "num_envs", "num_steps", "minibatch", "epochs")
        check_range(self, 1, 1_000_000_000, *counts)
        check_range(self, 1, MAX_HIDDEN, "hidden")
        check_range(self, 1, 1_000_000, "curve_deals")
        check_range(self, 0, self.rounds, "imitate")
        check_range(self, 0, 1000, "selves", "entropy")
        check_range(self, 0, 2**32 - 1, "seed")
        check_range(self, 0, 1, "gamma", "gae_lambda")
        check_positive(self, "learning_rate", "target_kl")
        update = self.num_envs * self.num_steps
        if update % self.minibatch == 1 or self.minibatch == 1:  # advantages are divided by their deviation
            msg = (
                f"minibatch must not leave one step over of the {update} in an update: {self.minibatch} does"
            )
            raise ValueError(msg)


def check_device(device: str) -> None:
    """ValueError if PyTorch has no such device; "auto" is a GPU if there is one."""
    if device == "auto":
        return
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        msg = f"device {device!r} cannot be used: {str(error).splitlines()[0]}"
        raise ValueError(msg) from error


class MonitoredVecEnv(VecEnvWrapper):
    """Measures the time of games and opponents, reports results to the pool, and scales rewards."""

    def __init__(self, env: IngeniousVecEnv, pool: Pool | None, unit: float) -> None:
        super().__init__(env)
        self.games = env.env.episodes.batch
        self.pool, self.unit, self.seconds = pool, unit, 0.0

    def reset(self) -> Any:
        """Start all games."""
        return self.venv.reset()

    def step_wait(self) -> Any:
        """Play the actions, up to the learner's next decisions."""
        began = time.perf_counter()
        observations, rewards, done, notes = self.venv.step_wait()
        if self.pool is not None:
            self.pool.record_infos(notes)
        self.seconds += time.perf_counter() - began
        return observations, rewards / self.unit, done, notes


class Progress(BaseCallback):
    """Advances the progress bar, and stops on request."""

    def __init__(self, bar: Any, stop: Event) -> None:
        super().__init__()
        self.bar, self.stop = bar, stop

    def _on_step(self) -> bool:
        self.bar.update(self.training_env.num_envs)
        return not self.stop.is_set()


class Learner:
    """A learner, its opponents, and its progress.

    Args:
        rules: the variant.
        settings: the options of the training.
        device: the PyTorch device that learns (see `check_device`).

    Attributes:
        done: rounds.
        seconds: of training, without evaluations.
        env_seconds: of these, the time of games and opponents.
        curve: steps, seconds, and by opponent the share of wins, its low and its high end.
    """

    def __init__(self, rules: Rules, settings: Settings, device: str = "auto") -> None:
        settings.check()
        check_device(device)
        self.rules, self.settings = rules, settings
        self.done, self.seconds, self.env_seconds = 0, 0.0, 0.0
        self.curve: list[tuple[float, ...]] = []
        self.against = met_by(rules, OPPONENTS)
        self.teacher = None if settings.imitate == 0 else make_agent(settings.teacher)
        if self.teacher is not None:
            check_plays(self.teacher, rules)
        self.pool: Pool | None = None
        if rules.num_sheets > 1:
            members = {name: POLICIES[name] for name in settings.opponents.split(",")}
            self.pool = Pool(members, seed=settings.seed, active=settings.active, most=settings.selves)
        self.env = MonitoredVecEnv(self._make_env(), self.pool, self.unit)
        self.model = MaskablePPO(
            PlacementPolicy,
            self.env,
            learning_rate=lambda _: settings.learning_rate * (1 - self.done / settings.rounds),
            n_steps=settings.num_steps,
            batch_size=settings.minibatch,
            n_epochs=settings.epochs,
            target_kl=settings.target_kl,
            gamma=settings.gamma,
            gae_lambda=settings.gae_lambda,
            ent_coef=settings.entropy,
            policy_kwargs={
                "rules": self.rules,
                "hidden": settings.hidden,
                "staged": settings.actions == "staged",
            },
            seed=settings.seed,
            device=device,
        )

    @property
    def round_steps(self) -> int:
        """Steps of a round: as requested, rounded up to whole updates."""
        update = self.settings.num_envs * self.settings.num_steps
        return -(-self.settings.steps // update) * update

    @property
    def unit(self) -> float:
        """The reward that counts as 1 in learning: in solitaire rewards are spaces of the lowest counter."""
        return float(self.rules.last_space) if self.pool is None else 1.0

    def _make_env(self) -> IngeniousVecEnv:
        args = self.settings
        if self.pool is None:
            return make_vec_env(
                "ingenious/Solitaire-v0", args.num_envs, actions=args.actions, reward="lowest"
            )
        return make_vec_env(
            "ingenious/Versus-v0", args.num_envs, rules=self.rules, actions=args.actions, opponent=self.pool
        )

    def agent(self) -> NetworkPolicy:
        """The current agent."""
        policy = self.model.policy
        assert isinstance(policy, PlacementPolicy)  # noqa: S101 - as made above
        return NetworkPolicy(self.rules, deepcopy(policy.network))

    def learn(self, progress: Progress) -> None:
        """Play one round, and learn from it."""
        number = int(np.random.SeedSequence((self.settings.seed, self.done)).generate_state(1)[0])
        self.model.set_random_seed(number)  # of the games, too
        if self.pool is not None:
            self.pool.draw(self.done)
            self.pool.start_afresh()
        self.model._last_obs = None  # makes `learn` deal all games anew
        began, self.env.seconds = time.perf_counter(), 0.0
        if self.teacher is not None and self.done < self.settings.imitate:
            teacher = Teacher(self.teacher, self.env.games, number)
            imitate(self.model, teacher, self.round_steps, progress.stop, progress.bar.update)
        else:
            self.model.learn(self.round_steps, callback=progress, reset_num_timesteps=False)
        self._took = time.perf_counter() - began

    def conclude(self) -> None:
        """Evaluate the network after the round, and add it to the pool."""
        self.done += 1
        self.seconds += self._took
        self.env_seconds += self.env.seconds
        agent = self.agent()
        found = [
            evaluate(agent, self.rules, self.settings.curve_deals, opponent) for opponent in self.against
        ]
        steps = self.done * self.round_steps
        results = [number for each in found for number in each.best]
        self.curve.append((steps, round(self.seconds, 1), *results))
        for opponent, each in zip(self.against, found, strict=True):
            self.model.logger.record(f"evaluation/{opponent}", each.best[0])
        if self.pool is not None:
            self.pool.add(f"self-{self.done}", self.past_self())
            for name, member in self.pool.members.items():
                self.model.logger.record(f"pool/{name}", member.share)
        self.model.logger.dump(steps)

    def past_self(self) -> NetworkPolicy:
        """The current learner, sampling actions: an equal opponent, unlike its most probable actions."""
        return NetworkPolicy(self.rules, self.agent().network, sample=True)

    @property
    def columns(self) -> tuple[str, ...]:
        """The column names of the learning curve."""
        return (
            "steps",
            "seconds",
            *(f"{each}{end}" for each in self.against for end in ("", " low", " high")),
        )

    def _pool_state(self) -> dict[str, Any]:
        """The state of the opponent pool; empty in solitaire."""
        if self.pool is None:
            return {}
        return {
            "results": self.pool.results,
            "selves": {
                name: member.policy.network.state_dict()
                for name, member in self.pool.members.items()
                if isinstance(member.policy, NetworkPolicy)
            },
        }

    def state(self) -> dict[str, Any]:
        """The state that determines the rest of the training, for `save_checkpoint`."""
        return {
            "policy": self.model.policy.state_dict(),
            "optimizer": self.model.policy.optimizer.state_dict(),
            "done": self.done,
            "seconds": self.seconds,
            "env_seconds": self.env_seconds,
            "curve": self.curve,
            "pool": self._pool_state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a state; an error names what is invalid."""
        load_state(self.model.policy, state, "policy")
        load_state(self.model.policy.optimizer, state, "optimizer")
        self.done = checked_count(state, "done", self.settings.rounds)
        self.model.num_timesteps = self.done * self.round_steps
        self.seconds = checked_seconds(state)
        self.env_seconds = checked_seconds(state, "env_seconds")
        self.curve = checked_curve(state, len(self.columns))
        if self.pool is None:
            return  # solitaire
        selves, results = state["pool"]["selves"], state["pool"]["results"]
        if len(selves) > self.settings.selves or not all(isinstance(name, str) for name in selves):
            msg = f"there must be at most {self.settings.selves} past selves, by name"
            raise ValueError(msg)
        for name in selves:
            past = self.past_self()
            load_state(past.network, selves, name)
            self.pool.add(name, past)
        if set(results) != set(self.pool.members):
            msg = f"there must be results against {', '.join(self.pool.members)}"
            raise ValueError(msg)
        for name, (won, games) in results.items():
            if not (is_finite_number(won) and is_finite_number(games) and 0 <= won <= games > 0):
                msg = f"results against {name} must be 0 <= won <= games, not {won} of {games}"
                raise ValueError(msg)
            self.pool.members[name].won, self.pool.members[name].games = won, games
