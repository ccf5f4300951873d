"""The placement network as a policy of sb3-contrib's MaskablePPO; needs the `train` extra.

For example:

    from ingenious_env import Rules
    from ingenious_env.networks.sb3 import PlacementPolicy
    from ingenious_env.sb3 import make_vec_env
    from sb3_contrib import MaskablePPO

    env = make_vec_env("ingenious/Versus-v0", 256, opponent="uniform")
    MaskablePPO(PlacementPolicy, env, policy_kwargs={"rules": Rules.standard(2)}).learn(131_072)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ingenious_env.engine.extras import needs
from ingenious_env.games.ingenious.rules import Rules

with needs("ingenious_env.networks.sb3", "ingenious-env[train]"):
    import torch
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from torch import nn

    from ingenious_env.networks.placement import PlacementNetwork


class Extractor(nn.Module):
    """A network whose logits and values serve as Stable-Baselines3's latents.

    Args:
        network: the network.
    """

    def __init__(self, network: PlacementNetwork) -> None:
        super().__init__()
        self.network = network
        self.latent_dim_pi, self.latent_dim_vf = network.num_actions, 1

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits [B, A] and values [B, 1]."""
        logits, values = self.network(observations)
        return logits, values[:, None]

    def forward_actor(self, observations: torch.Tensor) -> torch.Tensor:
        """Logits [B, A]."""
        return self.network(observations)[0]  # type: ignore[no-any-return] # modules are called untyped

    def forward_critic(self, observations: torch.Tensor) -> torch.Tensor:
        """Values [B, 1]."""
        return self.network.values(observations)[:, None]


class PlacementPolicy(MaskableActorCriticPolicy):
    """A masked actor-critic policy that is a `PlacementNetwork`.

    Where masks are given, as in training, it computes only what is needed, without the lists of all
    probabilities that Stable-Baselines3 makes three times per step.

    Args:
        observation_space: of the environment.
        action_space: of the environment.
        lr_schedule: of Stable-Baselines3.
        rules: of the environment.
        hidden: as in `PlacementNetwork`.
        staged: whether the environment's actions are staged.
        kwargs: of the policy above.

    Raises:
        TypeError: as `PlacementNetwork`.
        ValueError: the spaces are not those of vector observations and of actions by these rules.
    """

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Any,
        *,
        rules: Rules,
        hidden: int = 64,
        staged: bool = False,
        **kwargs: Any,
    ) -> None:
        self._rules, self._hidden, self._staged = rules, hidden, staged
        super().__init__(observation_space, action_space, lr_schedule, **{**kwargs, "ortho_init": False})

    @property
    def network(self) -> PlacementNetwork:
        """The network."""
        network = self.mlp_extractor.network
        assert isinstance(network, PlacementNetwork)  # noqa: S101 - as built below
        return network

    def _build_mlp_extractor(self) -> None:
        network = PlacementNetwork(self._rules, self._hidden, staged=self._staged)
        seen, actions = (network.layout.size,), network.num_actions
        if self.observation_space.shape != seen or getattr(self.action_space, "n", None) != actions:
            kind = "staged" if self._staged else "flat"
            msg = (
                f"for {self._rules!r} and {kind} actions the placement network takes vector observations "
                f"{seen} and chooses among {actions} actions; the environment has "
                f"{self.observation_space} and {self.action_space}. Give the "
                "environment's rules as policy_kwargs={'rules': …}"
            )
            raise ValueError(msg)
        self.mlp_extractor = Extractor(network)  # type: ignore[assignment]

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net, self.value_net = nn.Identity(), nn.Identity()  # type: ignore[assignment] # as above
        options = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **options)

    def forward(
        self,
        obs: torch.Tensor,
        deterministic: bool = False,  # noqa: FBT001, FBT002 - as in Stable-Baselines3
        action_masks: NDArray[Any] | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values and log-probabilities of a batch."""
        if deterministic or action_masks is None:
            return super().forward(obs, deterministic, action_masks)
        masks = torch.from_numpy(np.asarray(action_masks)).reshape(len(obs), -1).to(obs.device)
        drawn = self.network.draw(self._features(obs), masks)
        return drawn.actions, drawn.values[:, None], drawn.log_probs

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values, log-probabilities of actions, and entropies."""
        if action_masks is None:
            return super().evaluate_actions(obs, actions, action_masks)
        masks = torch.as_tensor(action_masks, device=obs.device).reshape(len(obs), -1)
        found = self.network.judge(self._features(obs), masks, actions.long())
        return found.values[:, None], found.log_probs, found.entropies

    def _features(self, obs: torch.Tensor) -> torch.Tensor:
        features = self.extract_features(obs)
        assert isinstance(features, torch.Tensor)  # noqa: S101 - policy and value share them
        return features

    def _get_constructor_parameters(self) -> dict[str, Any]:
        own = {"rules": self._rules, "hidden": self._hidden, "staged": self._staged}
        return {**super()._get_constructor_parameters(), **own}


__all__ = ["Extractor", "PlacementPolicy"]
