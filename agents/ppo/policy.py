"""The policy network as a policy of sb3-contrib's MaskablePPO."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from agents.ppo.network import GameNetwork
from ingenious_env import Rules


class GamePolicy(MaskableActorCriticPolicy):
    """A masked actor-critic policy whose logits come straight from a `GameNetwork`."""

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Any,
        *,
        rules: Rules,
        hidden: int = 64,
        staged: bool = True,
        **kwargs: Any,
    ) -> None:
        self._rules, self._hidden, self._staged = rules, hidden, staged
        super().__init__(observation_space, action_space, lr_schedule, **{**kwargs, "ortho_init": False})

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = GameNetwork(self._rules, self._hidden, staged=self._staged)  # type: ignore[assignment]

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = nn.Identity()  # the extractor's latent is the logits
        options = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **options)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        own = {"rules": self._rules, "hidden": self._hidden, "staged": self._staged}
        return {**super()._get_constructor_parameters(), **own}
