"""Other engines, played at random as in their documentation, for `__main__.py` to time.

Each function returns a `Play`: called with a number of steps, it plays at least that many and returns the
number played. ImportError means that the peer is not installed.
"""

from __future__ import annotations

import random
from typing import Any

from scripts.benchmark.timing import Play


def aec(env: Any) -> Play:
    """A PettingZoo environment with action masks in its observations, through `agent_iter` and `last`."""
    seeds = iter(range(2**31))

    def play(steps: int) -> int:
        played = 0
        while played < steps:
            env.reset(seed=next(seeds))
            for agent in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                played += 1
        return played

    return play


def moingenious(*, wrapped: bool = True) -> Play:
    """MOMAland's Ingenious for two."""
    from momaland.envs.ingenious import moingenious_v0

    return aec((moingenious_v0.env if wrapped else moingenious_v0.raw_env)(num_agents=2))


def pettingzoo_classic(module: str, **options: Any) -> Play:
    """One of PettingZoo's own board games, with its wrappers."""
    from importlib import import_module

    return aec(import_module(f"pettingzoo.classic.{module}").env(**options))


def openspiel(name: str) -> Play:
    """An OpenSpiel game, one state at a time, observation tensor and mask taken at each step."""
    import pyspiel

    game, generator = pyspiel.load_game(name), random.Random(0)

    def play(steps: int) -> int:
        played = 0
        while played < steps:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(generator.choices(outcomes, chances)[0])
                    continue
                state.observation_tensor()
                state.legal_actions_mask()
                state.apply_action(generator.choice(state.legal_actions()))
                played += 1
        return played

    return play


def pgx(name: str, num_games: int) -> Play:
    """A Pgx game, many at a time, compiled with auto-reset; observation and mask are part of its state."""
    import jax
    import pgx as library
    from pgx.experimental.wrappers import auto_reset

    env, scanned = library.make(name), 16
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> tuple[Any, None]:
        choice, deal = jax.random.split(key)
        scores = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(choice, scores, axis=-1)
        return step(state, actions, jax.random.split(deal, num_games)), None

    rollout = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, scanned))[0])
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), num_games))
    keys = iter(range(2**31))

    def play(steps: int) -> int:
        nonlocal state
        played = 0
        while played < steps:
            state = jax.block_until_ready(rollout(state, jax.random.PRNGKey(next(keys))))
            played += scanned * num_games
        return played

    return play
