"""The policy network of the PPO agent: it scores each slot and each placement by what the game says of them.

All placements share one small network. Its inputs are what the two halves would score and where the counters
of their colours stand, so that what is learned on one pair holds on every other. Actions must be staged: a
slot is scored by the best that its tile could score anywhere, a placement for the slot that was picked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from ingenious_env.observation import Layout
from ingenious_env.rules import Rules

SCALE = 6.0  # points of a good half; keeps the inputs near one


class GameNetwork(nn.Module):
    """Logits of all staged actions, and a latent for the value, from vector observations.

    Letters: B observations, R slots, C colours, K pairs, H hidden units.
    """

    pairs: torch.Tensor

    def __init__(self, rules: Rules, hidden: int = 64) -> None:
        super().__init__()
        self.rules = rules
        self.layout = Layout(rules)
        sections = self.layout.sections
        self.num_flat = self.layout.size - sections["points"].stop
        self.register_buffer(
            "pairs", torch.from_numpy(rules.geometry.pairs.astype(np.int64)), persistent=False
        )
        self.context = nn.Sequential(
            nn.Linear(self.num_flat, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()
        )
        # of a placement: the points of both halves, where both counters stand, and both together
        self.placement = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
        self.slot = nn.Sequential(nn.Linear(4 + hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.choice = nn.Linear(hidden, 2)
        self.value = nn.Sequential(nn.Linear(hidden + 2 * rules.num_colours, hidden), nn.ReLU())
        self.latent_dim_pi = rules.rack_size + 2 * rules.geometry.num_pairs + 2
        self.latent_dim_vf = hidden

    def _section(self, observations: torch.Tensor, name: str) -> torch.Tensor:
        part = self.layout.sections[name]
        return observations[:, part.start : part.stop].unflatten(1, part.shape)

    def _flat(self, observations: torch.Tensor) -> torch.Tensor:
        flat = observations[:, self.layout.sections["points"].stop :]
        return self.context(flat / SCALE)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits [B, A] and value latents [B, H]."""
        context = self._flat(observations)
        return self._logits(observations, context), self._values(observations, context)

    def forward_actor(self, observations: torch.Tensor) -> torch.Tensor:
        """Logits [B, A]."""
        return self._logits(observations, self._flat(observations))

    def forward_critic(self, observations: torch.Tensor) -> torch.Tensor:
        """Value latents [B, H]."""
        return self._values(observations, self._flat(observations))

    def _values(self, observations: torch.Tensor, context: torch.Tensor) -> torch.Tensor:
        best = self._section(observations, "points").amax(dim=2) / SCALE
        own = self._section(observations, "scores")[:, 0] / self.rules.last_space
        return self.value(torch.cat([context, best, own], dim=1))

    def _logits(self, observations: torch.Tensor, context: torch.Tensor) -> torch.Tensor:
        rack = self._section(observations, "racks")[:, 0]  # [B, R, 2, C]
        own = self._section(observations, "scores")[:, 0] / self.rules.last_space  # [B, C]
        standing = torch.einsum("brhc,bc->brh", rack, own)  # [B, R, 2]
        points = self._section(observations, "points") / SCALE
        empty = 1 - self._section(observations, "board").sum(dim=1)  # [B, N]
        is_open = empty[:, self.pairs].prod(dim=2)  # [B, K]
        at_pairs = points[:, :, self.pairs]  # [B, C, K, 2]
        slots = self._slot_logits(rack, standing, at_pairs, is_open, context)
        placements = self._placement_logits(observations, rack, standing, at_pairs)
        return torch.cat([slots, placements, self.choice(context)], dim=1)

    def _slot_logits(
        self,
        rack: torch.Tensor,
        standing: torch.Tensor,
        at_pairs: torch.Tensor,
        is_open: torch.Tensor,
        context: torch.Tensor,
    ) -> torch.Tensor:
        """What each slot's tile could score at its best pair, and where its colours stand: [B, R]."""
        by_half = torch.einsum("brhc,bcke->brhke", rack, at_pairs)  # [B, R, half, K, end]
        straight = by_half[:, :, 0, :, 0] + by_half[:, :, 1, :, 1]
        turned = by_half[:, :, 1, :, 0] + by_half[:, :, 0, :, 1]
        best = torch.maximum(straight, turned) * is_open[:, None, :]
        where = best.argmax(dim=2, keepdim=True)
        gains = torch.cat(
            [by_half[:, :, half, :, end].gather(2, where) for half, end in ((0, 0), (1, 1))], dim=2
        )
        inputs = torch.cat([gains, standing, context[:, None, :].expand(-1, rack.shape[1], -1)], dim=2)
        return self.slot(inputs).squeeze(2)

    def _placement_logits(
        self, observations: torch.Tensor, rack: torch.Tensor, standing: torch.Tensor, at_pairs: torch.Tensor
    ) -> torch.Tensor:
        """Placements of the tile in the slot that is held, straight then turned: [B, 2 K]."""
        held = self._section(observations, "held")  # [B, R]
        tile = torch.einsum("br,brhc->bhc", held, rack)
        where = torch.einsum("br,brh->bh", held, standing)  # [B, 2]
        by_half = torch.einsum("bhc,bcke->bhke", tile, at_pairs)
        straight = torch.stack([by_half[:, 0, :, 0], by_half[:, 1, :, 1]], dim=-1)
        turned = torch.stack([by_half[:, 0, :, 1], by_half[:, 1, :, 0]], dim=-1)
        gains = torch.cat([straight, turned], dim=1)  # [B, 2 K, low and high half]
        level = where[:, None, :].expand(-1, gains.shape[1], -1)
        inputs = torch.cat([gains, level, gains * (1 - level)], dim=2)
        return self.placement(inputs).squeeze(2)


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
        **kwargs: Any,
    ) -> None:
        self._rules, self._hidden = rules, hidden
        super().__init__(observation_space, action_space, lr_schedule, **{**kwargs, "ortho_init": False})

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = GameNetwork(self._rules, self._hidden)  # type: ignore[assignment]

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = nn.Identity()  # the extractor's latent is the logits
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "rules": self._rules, "hidden": self._hidden}
