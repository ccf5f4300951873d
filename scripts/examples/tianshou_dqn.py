"""Tianshou: DQN on solitaire, with the placement network as the action values.

    pip install -c .ci/constraints.txt -e '.[torch]' tianshou
    python -m scripts.examples.tianshou_dqn

40,000 steps in 169 seconds: a mean lowest counter of 0.1 before, 11.6 after.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ingenious_env.engine.extras import needs

with needs("this example", "ingenious-env[torch] tianshou", ends=True):
    import torch
    from tianshou.algorithm import DQN
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.trainer import OffPolicyTrainerParams
    from torch import nn

    from ingenious_env import Rules
    from ingenious_env.networks import PlacementNetwork

ENV_ID = "ingenious_env:ingenious/Solitaire-v0"


class WithMask(gym.ObservationWrapper[Any, Any, Any]):
    """Observations by Tianshou's names, `obs` and `mask`, and the mask as bool."""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        super().__init__(env)
        actions, vector = env.action_space, env.observation_space["observation"]  # type: ignore[index]
        assert isinstance(actions, spaces.Discrete)  # noqa: S101 - as in all environments of this package
        self.observation_space = spaces.Dict({"obs": vector, "mask": spaces.MultiBinary(int(actions.n))})

    def observation(self, observation: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """The same, renamed."""
        return {"obs": observation["observation"], "mask": observation["action_mask"] == 1}


class ActionValues(nn.Module):
    """A network's logits as action values."""

    def __init__(self) -> None:
        super().__init__()
        self.network = PlacementNetwork(Rules.solitaire())

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Float32 [B, A], and the state."""
        del info
        logits, _ = self.network(torch.as_tensor(np.asarray(obs)))
        return logits, state


def make_env() -> gym.Env[Any, Any]:
    """A game of solitaire, whose rewards sum to its lowest counter in the end."""
    return WithMask(gym.make(ENV_ID, reward="lowest", mask_in_observation=True))


def mean_result(algorithm: DQN[Any], games: int, seed: int) -> float:
    """The mean lowest counter of games by the best actions."""
    envs = DummyVectorEnv([make_env for _ in range(16)])
    envs.seed(seed)
    collector = Collector(algorithm, envs)
    collector.reset()
    return float(collector.collect(n_episode=games).returns.mean())


def main() -> None:
    """Train, and rate before and after."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=40_000)
    parser.add_argument("--games", type=int, default=200, help="of each rating")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    np.random.seed(args.seed)  # noqa: NPY002 - Tianshou's exploration uses this generator
    env = make_env()
    policy = DiscreteQLearningPolicy(
        model=ActionValues(),
        action_space=env.action_space,
        observation_space=env.observation_space,
        eps_training=0.1,
    )
    algorithm = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=0.99,
        n_step_return_horizon=3,
        target_update_freq=500,
    )
    envs = DummyVectorEnv([make_env for _ in range(16)])
    envs.seed(args.seed + 1000)  # and the following ones: other bags than those of the rating
    buffer = VectorReplayBuffer(20_000, 16)
    collector = Collector(algorithm, envs, buffer, exploration_noise=True)
    collector.reset()
    collector.collect(n_step=2_048)

    before, began = mean_result(algorithm, args.games, args.seed), time.perf_counter()
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=args.steps,
            collection_step_num_env_steps=64,
            update_step_num_gradient_steps_per_sample=1 / 16,
            batch_size=256,
        )
    )
    seconds = time.perf_counter() - began
    after = mean_result(algorithm, args.games, args.seed)
    print(f"{args.steps:,} steps in {seconds:.0f} seconds, {args.steps / seconds:,.0f} per second")
    print(f"mean lowest counter in solitaire: {before:.2f} before, {after:.2f} after")


if __name__ == "__main__":
    main()
