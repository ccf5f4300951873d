"""Imitation: a policy network learns which actions another agent chooses, before it learns by PPO.

The agent plays the learner's seat of the training's own environment, so that the network sees positions,
masks and rewards as later. Some moves are random, so that positions occur that the agent itself would avoid;
the action to be learned is the agent's in any case. The value head learns the returns of these games.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env import GameBatch, Policy, View
from ingenious_env.engine.extras import needs
from ingenious_env.policies.view import begin_games, flat_actions

with needs("ingenious_agents.ppo.imitation", "ingenious-env[train]"):
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

EXPLORED = 0.1
"""Share of moves that are random."""


class Teacher:
    """An agent at the learner's seat of a batch of games.

    Args:
        policy: of the agent.
        games: of the environment, flat or staged.
        seed: of the moves that are random.
    """

    def __init__(self, policy: Policy, games: GameBatch, seed: int) -> None:
        self._policy, self._games = policy, games
        self._rng = np.random.default_rng(seed)
        self._wanted = np.zeros(len(games), np.int32)  # flat actions, of which slots have been picked
        self._played = self._wanted.copy()
        self._keys = np.zeros(len(games), np.uint64)

    def act(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The agent's action in each game, int32 [B], and the one to be played, which may be a random one.

        In a random move that is staged, the second action to be learned is the one played, as the agent did
        not choose the slot.
        """
        state = self._games.state
        held = state.held > 0
        rows = np.flatnonzero(~held)
        if len(rows):
            new = rows[state.policy_key[rows] != self._keys[rows]]
            self._keys[new] = state.policy_key[new]
            begin_games(self._policy, self._keys[new])
            whole = GameBatch.from_rows(self._games.variant, state.memory[rows])
            self._wanted[rows] = flat_actions(self._policy, View(whole))
            explored = self._rng.random(len(rows)) < EXPLORED
            self._played[rows] = np.where(explored, whole.random_actions(), self._wanted[rows])
        self._wanted[held] = self._played[held]
        view = View(self._games)
        return view.encode(self._wanted.copy()), view.encode(self._played.copy())


def imitate(
    model: MaskablePPO, teacher: Teacher, steps: int, stop: Event, advance: Callable[[int], object]
) -> None:
    """Let an agent play, and learn its actions and returns.

    Args:
        model: of an environment of `ingenious_env.sb3`; its buffer, batch size, epochs and learning rate are
            used.
        teacher: of the environment's games.
        steps: of all games together, in whole fillings of the buffer.
        stop: ends the loop when set.
        advance: called with the number of steps after each step of all games.
    """
    env, buffer = model.get_env(), model.rollout_buffer
    assert env is not None  # noqa: S101 - learners have one
    assert isinstance(buffer, MaskableRolloutBuffer)  # noqa: S101 - of vector observations
    observations: Any = env.reset()
    starts = np.ones(env.num_envs, np.bool_)

    def values() -> torch.Tensor:
        with torch.no_grad():
            return model.policy.predict_values(model.policy.obs_to_tensor(observations)[0])

    for _ in range(steps // (model.n_steps * env.num_envs)):
        buffer.reset()
        for _ in range(model.n_steps):
            masks = np.stack(env.env_method("action_masks"))
            wanted, played = teacher.act()
            following, rewards, done, _ = env.step(played)
            buffer.add(
                observations,
                wanted[:, None],
                rewards,
                starts,
                values(),
                torch.zeros(env.num_envs),
                action_masks=masks,
            )
            observations, starts = following, done
            model.num_timesteps += env.num_envs
            advance(env.num_envs)
            if stop.is_set():
                return
        buffer.compute_returns_and_advantage(last_values=values(), dones=starts)
        _fit(model, buffer)


def _fit(model: MaskablePPO, buffer: MaskableRolloutBuffer) -> None:
    """Learn the actions and the returns in a buffer."""
    policy = model.policy
    policy.set_training_mode(True)
    rate = float(model.lr_schedule(1.0))  # the learner changes it from round to round
    for group in policy.optimizer.param_groups:
        group["lr"] = rate
    for _ in range(model.n_epochs):
        for batch in buffer.get(model.batch_size):
            values, log_chances, _ = policy.evaluate_actions(
                batch.observations, batch.actions.long().flatten(), action_masks=batch.action_masks
            )
            errors = torch.nn.functional.mse_loss(values.flatten(), batch.returns)
            loss = -log_chances.mean() + model.vf_coef * errors
            policy.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), model.max_grad_norm)
            policy.optimizer.step()
