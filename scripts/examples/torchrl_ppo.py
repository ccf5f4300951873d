"""TorchRL: its PPO loss, advantages and collector, with the placement network, against ready opponents.

    pip install -c .ci/constraints.txt -e '.[torchrl]' tqdm
    python -m scripts.examples.torchrl_ppo

Half of the games are against uniformly random play and half against greedy play.
65,536 steps in 97 seconds: 17.0 % of the wins against greedy before, 28.0 % after.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.extras import needs

with needs("this example", "ingenious-env[torchrl] tqdm", ends=True):
    import torch
    from tensordict import TensorDict
    from tensordict.nn import (
        ProbabilisticTensorDictModule,
        ProbabilisticTensorDictSequential,
        TensorDictModule,
    )
    from torch import nn
    from torchrl.collectors import Collector
    from torchrl.envs.utils import ExplorationType, set_exploration_type
    from torchrl.modules import MaskedCategorical
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE
    from tqdm import tqdm

    from ingenious_env import Rules, View
    from ingenious_env.networks import PlacementNetwork
    from ingenious_env.policies import Greedy, Uniform
    from ingenious_env.torchrl import VectorEnv


class Mixed:
    """Uniform play in half of the games, greedy play in the others."""

    def act(self, view: View) -> NDArray[np.int64]:
        """The action of the one that the game's key picks, int64 [B]."""
        by_policy = np.stack([policy.act(view) for policy in (Uniform(), Greedy())]).astype(np.int64)
        return by_policy[(view.keys % 2).astype(np.int64), np.arange(len(view))]


class Logits(nn.Module):
    """The logits of a network, for TorchRL's actor.

    Args:
        network: shared with `Value`.
    """

    def __init__(self, network: PlacementNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Float32 [..., A]."""
        logits, _ = self.network(observations.flatten(0, -2))
        return logits.unflatten(0, observations.shape[:-1])


class Value(nn.Module):
    """The values of a network, for TorchRL's critic.

    Args:
        network: shared with `Logits`.
    """

    def __init__(self, network: PlacementNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Float32 [..., 1]."""
        return self.network.values(observations.flatten(0, -2)).unflatten(0, observations.shape[:-1])[
            ..., None
        ]


def share_of_wins(actor: nn.Module, games: int, seed: int) -> float:
    """The share of wins of an actor's best moves against greedy in each row's first game; a draw is ½."""
    env = VectorEnv("ingenious/Versus-v0", games, opponent="greedy")
    env.set_seed(seed)
    with torch.no_grad(), set_exploration_type(ExplorationType.DETERMINISTIC):
        data = env.rollout(200, actor, break_when_any_done=False, break_when_all_done=True)
    done = data["next", "done"][..., 0]
    first = done & (done.cumsum(1) == 1)
    return float((1 + data["next", "reward"][..., 0][first].mean()) / 2)


def main() -> None:
    """Train, and rate before and after."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=65_536)
    parser.add_argument("--num-games", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--games", type=int, default=500, help="of each rating")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    network = PlacementNetwork(Rules.standard(2))
    actor = ProbabilisticTensorDictSequential(
        TensorDictModule(Logits(network), in_keys=["observation"], out_keys=["logits"]),
        ProbabilisticTensorDictModule(
            in_keys={"logits": "logits", "mask": "action_mask"},
            out_keys=["action"],
            distribution_class=MaskedCategorical,
            return_log_prob=True,
        ),
    )
    critic = TensorDictModule(Value(network), in_keys=["observation"], out_keys=["state_value"])
    loss_of = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.001, critic_coeff=0.5)
    advantages = GAE(gamma=1.0, lmbda=0.95, value_network=critic, average_gae=True)
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-3)
    env = VectorEnv("ingenious/Versus-v0", args.num_games, opponent=Mixed())
    env.set_seed(args.seed + 1)  # other bags than those of the rating
    batch = 64 * args.num_games
    collector = Collector(env, actor, frames_per_batch=batch, total_frames=args.steps)

    before, began = share_of_wins(actor, args.games, args.seed), time.perf_counter()
    with tqdm(total=args.steps, unit="step") as bar:
        for data in collector:
            optimizer.param_groups[0]["lr"] = 2e-3 * (1 - bar.n / args.steps)
            for _ in range(args.epochs):
                with torch.no_grad():
                    advantages(data)
                flat: TensorDict = data.reshape(-1)
                for rows in torch.randperm(len(flat)).split(1024):
                    losses = loss_of(flat[rows])
                    loss = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                    optimizer.zero_grad()
                    loss.backward()
                    nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                    optimizer.step()
            bar.update(data.numel())
    collector.shutdown()
    seconds = time.perf_counter() - began
    after = share_of_wins(actor, args.games, args.seed)
    print(f"{args.steps:,} steps in {seconds:.0f} seconds, {args.steps / seconds:,.0f} per second")
    print(f"wins against greedy: {before:.1%} before, {after:.1%} after")


if __name__ == "__main__":
    main()
