"""Models of Stable-Baselines3 as agents, and pools beside their training; needs the `train` extra."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.callbacks import BaseCallback

from agents.pool import Pool
from ingenious_env.policies import View


class ModelAgent:
    """Plays the likeliest actions of a model that takes masks and vector observations, as MaskablePPO does.

    Args:
        model: it goes on to learn, if it does, under the agent's hands.
        staged: whether it was trained with staged actions.
    """

    def __init__(self, model: Any, *, staged: bool = False) -> None:
        self.model, self.staged = model, staged

    def act(self, view: View) -> NDArray[np.int64]:
        """The likeliest legal action of each game, int64 [B]."""
        actions, _ = self.model.predict(view.observe(), action_masks=view.legal_mask(), deterministic=True)
        return np.asarray(actions)


class PoolCallback(BaseCallback):
    """Tells a pool how the learner's games end, and has it draw opponents anew before each rollout.

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
