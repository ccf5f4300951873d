"""The vector environments as Stable-Baselines3 takes them; needs the `train` extra.

    from ingenious_env.sb3 import make_vec_env
    from sb3_contrib import MaskablePPO

    env = make_vec_env("ingenious/Versus-v0", num_envs=64, opponent="greedy", actions="staged")
    MaskablePPO("MlpPolicy", env).learn(100_000)

Masks come through `env_method("action_masks")`, where sb3-contrib's MaskablePPO looks for them. At the end of
a game its info also has its `key`, as in its opponents' views (`View.keys`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from ingenious_env.envs.registration import register_environments
from ingenious_env.envs.vector import GameVectorEnv


def make_vec_env(env_id: str, num_envs: int, *, seed: int | None = None, **options: Any) -> IngeniousVecEnv:
    """A batch of `ingenious/Solitaire-v0` or `ingenious/Versus-v0`.

    Args:
        env_id: one of these.
        num_envs: B.
        seed: of the first reset; see `IngeniousVecEnv.seed`.
        options: that environment's; a learner takes numbers as rewards, so `reward` must not be "vector".
    """
    register_environments()
    env = gym.make_vec(env_id, num_envs=num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
    assert isinstance(env, GameVectorEnv)  # noqa: S101 - both ids have one
    vec_env = IngeniousVecEnv(env)
    vec_env.seed(seed)
    return vec_env


class IngeniousVecEnv(VecEnv):
    """One of the vector environments, in `SAME_STEP` mode, behind Stable-Baselines3's interface."""

    def __init__(self, env: GameVectorEnv) -> None:
        if env.autoreset_mode is not AutoresetMode.SAME_STEP:
            msg = f"autoreset_mode must be SAME_STEP, for Stable-Baselines3, not {env.autoreset_mode.name}"
            raise ValueError(msg)
        if env.episodes.reward_space.shape:
            msg = "reward must be a number, for Stable-Baselines3, not a vector"
            raise ValueError(msg)
        self.env = env
        self._actions: NDArray[np.int64] = np.zeros(env.num_envs, np.int64)
        self._masks = np.zeros((env.num_envs, 0), np.int8)
        self._returns = np.zeros(env.num_envs)
        self._lengths = np.zeros(env.num_envs, np.int64)
        self._begun = time.monotonic()
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the next reset: game i becomes `Game(rules, (seed, i))`."""
        self._seeds = [seed] * self.num_envs
        return list(self._seeds)

    def reset(self) -> Any:
        """Start all games; observations [B, …]."""
        observations, infos = self.env.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._masks = infos["action_mask"]
        self._returns[:] = self._lengths[:] = 0
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the actions [B] for `step_wait`."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play them: observations, rewards, games that ended, and an info for each game."""
        keys = self.env.episodes.batch.state.policy_key.copy()
        observations, rewards, done, _, infos = self.env.step(self._actions)
        self._masks = infos["action_mask"]
        self._returns += rewards
        self._lengths += 1
        notes: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(done):
            final = infos["final_info"]
            known = {name for name in final if not name.startswith("_")} - {"action_mask"}
            notes[row] = {name: final[name][row] for name in known if final[f"_{name}"][row]}
            notes[row]["terminal_observation"] = infos["final_obs"][row]
            notes[row]["key"] = int(keys[row])
            took = round(time.monotonic() - self._begun, 6)
            notes[row]["episode"] = {"r": float(self._returns[row]), "l": int(self._lengths[row]), "t": took}
        self._returns[done] = self._lengths[done] = 0
        return observations, rewards.astype(np.float32), done, notes

    def close(self) -> None:
        """Close the environment."""
        self.env.close()

    def has_attr(self, attr_name: str) -> bool:
        """Whether the environment has it."""
        return hasattr(self.env, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the environment, once for each of the games asked for."""
        return [getattr(self.env, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the environment: for all games, as they share it."""
        if len(self._rows(indices)) != self.num_envs:
            msg = f"the games share {attr_name}: it can be set for all of them alone"
            raise ValueError(msg)
        setattr(self.env, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Call a method that answers for each game; the answers of those asked for."""
        answers = (
            self._masks.copy()
            if method_name == "action_masks"
            else getattr(self.env, method_name)(*args, **kwargs)
        )
        return [answers[row] for row in self._rows(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gym.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """The games are never wrapped one by one; what a Monitor would tell of episodes, their infos have."""
        return [issubclass(wrapper_class, Monitor)] * len(self._rows(indices))

    def _rows(self, indices: Any) -> list[int]:
        return [int(row) for row in self._get_indices(indices)]
