"""The vector environments as a `VecEnv` of Stable-Baselines3; needs the `train` extra.

    from ingenious_env.sb3 import make_vec_env
    from sb3_contrib import MaskablePPO

    env = make_vec_env("ingenious/Versus-v0", 64, opponent="uniform", actions="staged", reward="score")
    MaskablePPO("MlpPolicy", env).learn(100_000)

It behaves like Stable-Baselines3's own `DummyVecEnv` of the same id, with these differences: game i is
`Game(rules, (seed, i))` for one seed, `reset` takes no options, and there are no wrappers. Masks are returned
by `env_method("action_masks")`, which sb3-contrib's MaskablePPO calls. At the end of a game its info also has
its `key`, as in its opponents' views (`View.keys`).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from ingenious_env.engine.extras import needs
from ingenious_env.engine.pickling import OwnsArrays
from ingenious_env.envs.registration import check_is_vectorised
from ingenious_env.envs.spaces import pick
from ingenious_env.envs.vector import GameVectorEnv

with needs("ingenious_env.sb3", "ingenious-env[train]"):
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv


def make_vec_env(env_id: str, num_envs: int, *, seed: int | None = None, **options: Any) -> IngeniousVecEnv:
    """A batch of `ingenious/Solitaire-v0`, `ingenious/Versus-v0` or `ingenious/Loopit-v0`.

    Args:
        env_id: one of these.
        num_envs: B.
        seed: of the first reset; see `IngeniousVecEnv.seed`.
        options: of that environment; a learner needs scalar rewards, so `reward` must not be "vector".

    Raises:
        TypeError, ValueError: there is no such environment here, or no such option or value.
    """
    check_is_vectorised(env_id, options)
    env = gym.make_vec(env_id, num_envs=num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
    assert isinstance(env, GameVectorEnv)  # noqa: S101 - as checked
    vec_env = IngeniousVecEnv(env)
    vec_env.seed(seed)
    return vec_env


PER_GAME = ("action_masks", "render", "reset", "get_wrapper_attr", "has_wrapper_attr")
"""Methods of a single environment that `env_method` calls for single games."""


class IngeniousVecEnv(OwnsArrays, VecEnv):
    """One of the vector environments, in `SAME_STEP` mode, with Stable-Baselines3's interface."""

    def __init__(self, env: GameVectorEnv) -> None:
        if env.autoreset_mode is not AutoresetMode.SAME_STEP:
            msg = f"autoreset_mode must be SAME_STEP, for Stable-Baselines3, not {env.autoreset_mode.name}"
            raise ValueError(msg)
        if env.episodes.reward_space.shape:
            msg = "reward must be a number, for Stable-Baselines3, not a vector"
            raise ValueError(msg)
        self.env = env
        self._actions: NDArray[np.int64] = np.zeros(env.num_envs, np.int64)
        self._masks = env.action_masks()
        self._returns = np.zeros(env.num_envs)
        self._lengths = np.zeros(env.num_envs, np.int64)
        self._attributes: dict[str, dict[int, Any]] = {}  # by name and game, the values that `set_attr` set
        self._begun = time.monotonic()
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)
        self.metadata = dict(env.metadata)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the next reset: game i becomes `Game(rules, (seed, i))`."""
        self._seeds = [seed] * self.num_envs
        return list(self._seeds)

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Refuse options of `reset`: there are none, as each game has its index."""
        given = options if isinstance(options, list) else [options or {}]
        if any(given):
            msg = f"reset takes no options here, not {options!r}: seed(s) begins Game(rules, (s, i)) in row i"
            raise ValueError(msg)

    def reset(self) -> Any:
        """Start all games; observations [B, …]."""
        observations, infos = self.env.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._masks = infos["action_mask"].copy()  # infos are returned to the caller
        self._returns[:] = self._lengths[:] = 0
        self.reset_infos = _rows_of(infos, self.num_envs)
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Store the actions [B] for `step_wait`."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the stored actions: observations, rewards, games that ended, and an info for each game."""
        keys = self.env.episodes.batch.state.policy_key.copy()
        observations, rewards, terminated, truncated, infos = self.env.step(self._actions)
        done = terminated | truncated
        self._masks = infos["action_mask"].copy()  # infos are returned to the caller
        self._returns += rewards
        self._lengths += 1
        notes = _rows_of(infos, self.num_envs)
        if done.any():
            last = _rows_of(infos["final_info"], self.num_envs)
            took = round(time.monotonic() - self._begun, 6)
            for row in np.flatnonzero(done).tolist():
                self.reset_infos[row], notes[row] = notes[row], last[row]
                notes[row]["terminal_observation"] = infos["final_obs"][row]
                notes[row]["key"] = int(keys[row])
                total, length = float(self._returns[row]), int(self._lengths[row])
                notes[row]["episode"] = {"r": total, "l": length, "t": took}
            self._returns[done] = self._lengths[done] = 0
        for row, note in enumerate(notes):
            note["TimeLimit.truncated"] = bool(truncated[row] and not terminated[row])
        return observations, rewards.astype(np.float32), done, notes

    def close(self) -> None:
        """Close the environment."""
        self.env.close()

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """The positions as pixels, uint8 [H, W, 3]; None, with a warning, if `render_mode` is another."""
        if self.render_mode != "rgb_array":
            warnings.warn(f"pictures need render_mode='rgb_array', not {self.render_mode!r}", stacklevel=2)
            return [None] * self.num_envs
        return list(self.env.render() or ())

    def has_attr(self, attr_name: str) -> bool:
        """Return whether the games have an attribute."""
        try:
            self.get_attr(attr_name, 0)
        except AttributeError:
            return False
        return True

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of games, as of a single environment, or of the environment they share."""
        rows, own = self._rows(indices), self._attributes.get(attr_name, {})
        if own and all(row in own for row in rows):
            return [own[row] for row in rows]
        env = self.env
        if attr_name == "game":
            batch = env.episodes.batch
            game = batch.variant.definition.game
            return [game.from_row(batch.variant, batch.state.memory[row], copy=False) for row in rows]
        if attr_name == "seat" and hasattr(env, "seats"):
            return [int(env.seats[row]) for row in rows]
        if attr_name in ("observation_space", "action_space"):
            return [getattr(env, f"single_{attr_name}")] * len(rows)
        if attr_name in PER_GAME:
            return [partial(self._method, attr_name, row) for row in rows]
        return [getattr(env, attr_name)] * len(rows)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of games; attributes of the environment can only be set for all games."""
        rows = self._rows(indices)
        if attr_name in ("game", "seat", "observation_space", "action_space", *PER_GAME):
            msg = f"{attr_name} cannot be set"
            raise AttributeError(msg)
        if not hasattr(self.env, attr_name):
            self._attributes.setdefault(attr_name, {}).update(dict.fromkeys(rows, value))
        elif len(rows) == self.num_envs:
            setattr(self.env, attr_name, value)
        else:
            msg = f"the games share {attr_name}: it can be set for all of them only"
            raise ValueError(msg)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Call a method of single games, `PER_GAME`, or one of the environment that answers for each game."""
        rows = self._rows(indices)
        if method_name == "action_masks":
            masks = self._masks.copy()  # owned by the caller
            return [masks[row] for row in rows]
        if method_name == "render":
            pictures = self.env.render()
            return [None if pictures is None else pictures[row] for row in rows]
        if method_name in PER_GAME:
            return [self._method(method_name, row, *args, **kwargs) for row in rows]
        answers = getattr(self.env, method_name)(*args, **kwargs)
        return [answers[row] for row in rows]

    def _method(self, name: str, row: int, *args: Any, **kwargs: Any) -> Any:
        """The result for one game."""
        if name == "get_wrapper_attr":
            return self.get_attr(args[0], row)[0]
        if name == "has_wrapper_attr":
            return self.has_attr(args[0])
        if name == "reset":
            return self._reset_one(row, *args, **kwargs)
        return self.env_method(name, *args, indices=row, **kwargs)[0]

    def _reset_one(
        self, row: int, *, seed: int | None = None, options: Any = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start one game anew; its first observation and info."""
        self.set_options(options)
        seeds = [seed if each == row else None for each in range(self.num_envs)]
        chosen = {"reset_mask": np.arange(self.num_envs) == row}
        observations, infos = self.env.reset(seed=seeds, options=chosen)
        self._masks = infos["action_mask"].copy()  # infos are returned to the caller
        self._returns[row] = self._lengths[row] = 0
        self.reset_infos[row] = _rows_of(infos, self.num_envs)[row]
        return pick(observations, row), self.reset_infos[row]

    def env_is_wrapped(
        self, wrapper_class: type[gym.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """Always false: games have no wrappers, and their infos have the entries of a Monitor."""
        return [issubclass(wrapper_class, Monitor)] * len(self._rows(indices))

    def _rows(self, indices: Any) -> list[int]:
        return [int(row) for row in self._get_indices(indices)]


def _rows_of(infos: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Infos of a vector environment as an info for each game, with numbers as Python's own."""
    rows: list[dict[str, Any]] = [{} for _ in range(count)]
    for name, values in infos.items():
        if name.startswith("_") or name in ("final_obs", "final_info"):
            continue
        has = infos[f"_{name}"]
        entries = values.tolist() if values.ndim == 1 else values
        for row in np.flatnonzero(has).tolist():
            rows[row][name] = entries[row]
    return rows


__all__ = ["IngeniousVecEnv", "make_vec_env"]
