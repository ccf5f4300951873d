"""RLlib: its PPO on the new API, multi-agent with masks, by self-play; on one machine or on a Ray cluster.

    pip install -c .ci/constraints.txt -e '.[torch]' 'ray[rllib]' tqdm
    python -m scripts.examples.rllib_ppo
    python -m scripts.examples.rllib_ppo --address auto --workers 32    # on a running cluster

One network plays all seats.
65,536 steps in 104 seconds: 0.0 % of the wins against greedy before, 45.0 % after.
"""

from __future__ import annotations

import argparse
import logging
import time
from typing import Any

import gymnasium as gym
import numpy as np

from ingenious_env.engine.extras import needs

with needs("this example", "ingenious-env[torch] ray[rllib] tqdm", ends=True):
    import ray
    import torch
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.tune.registry import register_env
    from tqdm import tqdm

    from ingenious_env import Rules, ingenious_v0
    from ingenious_env.networks import PlacementNetwork

ENV_ID = "ingenious_env:ingenious/Versus-v0"
WAIT = 600.0  # seconds for a worker's steps; after RLlib's 60, those of a slow or compiling one are discarded
ILLEGAL = -1e9  # RLlib needs finite logits, also where a game is over and nothing is legal


class PlacementModule(TorchRLModule, ValueFunctionAPI):
    """The placement network as a module of RLlib."""

    def setup(self) -> None:
        """Make the network."""
        self.network = PlacementNetwork(Rules.standard(2))

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        logits, _values = self.network(seen["observation"], seen["action_mask"])
        return {Columns.ACTION_DIST_INPUTS: logits.clamp(min=ILLEGAL)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Float32 [B]."""
        del embeddings
        return self.network.values(batch[Columns.OBS]["observation"])


def make_env(_: Any) -> PettingZooEnv:
    """A game of two, with the mask in the observation; RLlib's check of environments plays illegal moves."""
    return PettingZooEnv(ingenious_v0.env(mask_in_observation=True, illegal="random"))


def share_of_wins(network: PlacementNetwork, games: int, seed: int) -> float:
    """The share of wins of a network against greedy play; a draw is half a win."""
    envs = gym.make_vec(ENV_ID, games, opponent="greedy", autoreset_mode="Disabled")
    observations, infos = envs.reset(seed=seed)
    results, over = np.zeros(games), np.zeros(games, bool)
    while not over.all():
        with torch.no_grad():
            logits, _ = network(torch.from_numpy(observations), torch.from_numpy(infos["action_mask"]))
        observations, _, ended, _, infos = envs.step(logits.argmax(dim=1).numpy())
        if ended.any():
            first = ended & ~over  # the next game of a row is played, but not counted
            results[first] = infos["result"][first]
            over |= ended
            observations, infos = envs.reset(options={"reset_mask": ended})
    return float((1 + results.mean()) / 2)


def main() -> None:
    """Train, and rate before and after."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=65_536, help="moves, of both seats")
    parser.add_argument("--batch", type=int, default=8_192, help="steps between updates")
    parser.add_argument("--workers", type=int, default=0, help="processes that play; 0 plays in this one")
    parser.add_argument("--address", help="of a Ray cluster; without it, one is started here")
    parser.add_argument("--games", type=int, default=1000, help="of each rating")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.set_num_threads(1)
    ray.init(address=args.address, include_dashboard=False, logging_level=logging.ERROR)
    register_env("ingenious", make_env)
    config = (
        PPOConfig()
        .environment("ingenious")
        .env_runners(num_env_runners=args.workers, num_envs_per_env_runner=16, sample_timeout_s=WAIT)
        .multi_agent(policies={"learner"}, policy_mapping_fn=lambda *_, **__: "learner")
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={"learner": RLModuleSpec(module_class=PlacementModule)}
            )
        )
        .training(
            train_batch_size_per_learner=args.batch,
            minibatch_size=min(512, args.batch),
            num_epochs=4,
            lr=[[0, 2e-3], [args.steps, 1e-4]],
            gamma=1.0,
            lambda_=0.95,
            clip_param=0.2,
            use_kl_loss=False,
            entropy_coeff=0.001,
            vf_loss_coeff=0.5,
            grad_clip=0.5,
        )
        .debugging(seed=args.seed + 1, log_level="ERROR")  # other bags than those of the rating
    )
    algorithm = config.build_algo()
    module = algorithm.get_module("learner")
    assert isinstance(module, PlacementModule)  # noqa: S101 - as configured
    network = module.network
    before, began, steps = share_of_wins(network, args.games, args.seed), time.perf_counter(), 0
    with tqdm(total=args.steps, unit="step") as bar:
        while steps < args.steps:
            found = algorithm.train()["env_runners"]
            bar.update(int(found["num_env_steps_sampled_lifetime"]) - steps)
            steps = int(found["num_env_steps_sampled_lifetime"])
    seconds = time.perf_counter() - began
    after = share_of_wins(network, args.games, args.seed)
    algorithm.stop()
    print(f"{steps:,} steps in {seconds:.0f} seconds, {steps / seconds:,.0f} per second")
    print(f"wins against greedy: {before:.1%} before, {after:.1%} after")


if __name__ == "__main__":
    main()
