"""Stable-Baselines3 models as agents, and opponent pools in their training; needs the `train` extra."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.ppo.opponent_pool import Pool
from ingenious_env import View
from ingenious_env.engine.definition import AnyRules, variant_of
from ingenious_env.engine.extras import needs
from ingenious_env.policies.view import flat_actions

with needs("ingenious_agents.ppo.sb3", "ingenious-env[train]"):
    from stable_baselines3.common.callbacks import BaseCallback


class ModelAgent:
    """Plays the most probable actions of a model that takes masks and vector observations, as MaskablePPO.

    Args:
        model: not copied, so that training it further changes the agent.
        staged: whether it was trained with staged actions; False infers it from the number of actions.
    """

    def __init__(self, model: Any, *, staged: bool = False) -> None:
        self.model, self.staged = model, staged

    def check(self, rules: AnyRules) -> None:
        """ValueError if the model has other numbers of actions or observations than the variant."""
        variant = variant_of(rules)
        known, seen = int(self.model.action_space.n), self.model.observation_space.shape
        flat, staged, size = variant.flat_actions.size, variant.staged_actions.size, variant.observation.size
        if known not in (flat, staged):
            msg = f"the model has {known} actions, and this variant {flat} flat ones and {staged} staged ones"
            raise ValueError(msg)
        if seen != (size,):
            msg = f"the model takes observations {seen}, and this variant has vectors of {size}"
            raise ValueError(msg)

    def act(self, view: View) -> NDArray[np.int64]:
        """The most probable legal action of each game, int64 [B].

        Raises:
            ValueError: as `check`, or the actions of the view are staged and those of the model are not.
        """
        self.check(view.rules)
        known = int(self.model.action_space.n)
        if view.actions.size != known:
            if view.actions.staged:
                msg = f"the model has {known} flat actions, and the view {view.actions.size} staged ones"
                raise ValueError(msg)
            return np.asarray(flat_actions(ModelAgent(self.model, staged=True), view), np.int64)
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
        self.pool.draw()  # further ones than before, by whichever callback
        self.rollouts += 1

    def _on_step(self) -> bool:
        self.pool.record_infos(self.locals["infos"])
        return True


__all__ = ["ModelAgent", "PoolCallback"]
