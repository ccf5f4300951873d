"""Stable-Baselines3 models as agents, and opponent pools in their training; needs the `train` extra."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.callbacks import BaseCallback

from agents.ppo.opponent_pool import Pool
from ingenious_env import View


class ModelAgent:
    """Plays the most probable actions of a model that takes masks and vector observations, as MaskablePPO.

    Args:
        model: not copied, so that training it further changes the agent.
        staged: whether it was trained with staged actions.
    """

    def __init__(self, model: Any, *, staged: bool = False) -> None:
        self.model, self.staged = model, staged

    def act(self, view: View) -> NDArray[np.int64]:
        """The most probable legal action of each game, int64 [B]."""
        actions, _ = self.model.predict(view.observe(), action_masks=view.legal_mask(), deterministic=True)
        return np.asarray(actions)


class PoolCallback(BaseCallback):
    """Reports the results of the learner's games to a pool, which draws opponents anew before each rollout.

    Args:
        pool: the opponent of the environments, made by `ingenious_env.sb3.make_vec_env`.
    """

    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self.pool, self.rollouts = pool, 0

    def _on_rollout_start(self) -> None:
        self.pool.draw(self.rollouts)
        self.rollouts += 1

    def _on_step(self) -> bool:
        self.pool.hear(self.locals["infos"])
        return True
