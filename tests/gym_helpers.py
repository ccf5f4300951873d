"""Helpers of the tests of Gymnasium environments: ways to play, opponents that record or cheat."""

from __future__ import annotations

from dataclasses import dataclass

import gymnasium as gym
import numpy as np
from helpers import VARIANTS

from ingenious_env.envs.versus import VersusEnv
from ingenious_env.policies.view import Uniform

SEED = 5
SOLITAIRE, VERSUS = "ingenious/Solitaire-v0", "ingenious/Versus-v0"
FOR_ONE = {name: rules for name, rules in VARIANTS.items() if rules.num_players == 1}
FOR_MANY = {name: rules for name, rules in VARIANTS.items() if rules.num_players > 1}

SMALL = {"board_side": 4, "num_colours": 3}
QUICK = {"solitaire": (SOLITAIRE, SMALL), "versus": (VERSUS, SMALL | {"rack_size": 3})}
"""Environments with short episodes."""


class Spy:
    """Plays as another policy does, and keeps what it saw and played."""

    def __init__(self, policy=None, log=None):
        self.policy = Uniform() if policy is None else policy
        self.log = [] if log is None else log
        self.views = []

    def act(self, view):
        actions = self.policy.act(view)
        self.views.append(view)
        self.log.extend(actions.tolist())
        return actions


class First:
    """The first legal action: the same move, whether actions are flat or staged."""

    def act(self, view):
        return view.legal_mask().argmax(axis=1)


@dataclass(frozen=True)
class Levels(First):
    """As `First`, with parameters whose names have digits."""

    level1: int = 0
    level2: int = 0


class StagedUniform(Uniform):
    """A random slot, then a random place for its tile."""

    staged = True

    def act(self, view):
        assert view.actions.staged
        return super().act(view)


class Says:
    """The same answer for any input."""

    def __init__(self, answer):
        self.answer = answer

    def act(self, _view):
        return self.answer


def choose(env, rng):
    """A random legal action."""
    return int(rng.choice(np.flatnonzero(env.action_masks())))


def illegal_action(env):
    """The first that is not legal now."""
    return int(np.flatnonzero(env.action_masks() == 0)[0])


def steps_of(env, seed=0):
    """The results of the steps of a random episode."""
    rng = np.random.default_rng(seed)
    while True:
        step = env.step(choose(env, rng))
        yield step
        if step[2]:
            return


def start_versus(seed=SEED, **options):
    """An environment that has been reset."""
    env = VersusEnv(**options)
    env.reset(seed=seed)
    return env


def start_vector(num_envs=5, game="versus", seed=SEED, **options):
    """A quick vector environment that has been reset."""
    name, small = QUICK[game]
    envs = gym.make_vec(name, num_envs, vectorization_mode="vector_entry_point", **(small | options))
    envs.reset(seed=seed)
    return envs


def pick_actions(masks, rng):
    """A random legal action for each row, any for rows that have none."""
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


def play_on(envs, steps, seed=0):
    """The results of the steps."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        yield envs.step(pick_actions(envs.action_masks(), rng))


def plain(value):
    """With lists for arrays of objects, which NumPy compares by truth."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, tuple):
        return tuple(plain(part) for part in value)
    return value.tolist() if isinstance(value, np.ndarray) and value.dtype == object else value


def memory(envs):
    """All that there is of all games."""
    return envs.episodes.batch.state.memory.copy()
