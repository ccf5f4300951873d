"""The policy network of the PPO agent: it scores placements as sums over their halves and cells.

All colours share their weights:

    each colour's inputs, those for all ── H ── V: its features ──┬─ sum ─┬─ H ── value
                                                       …, others ─┘       └─ H ── keep or swap
    a colour's features, its points on a cell, the cell's empty neighbours ── U ── lay, cover

A placement's logit is the sum of terms for laying each half, for covering both cells whatever the colour, and
for giving the tile up. Staged, a slot's logit is the log-sum-exp over all places of its tile, so that the two
choices together have about the probability of the one. They differ in the first round, where places count
that the rules still forbid (RULES.md 3.2), and as the network has an input for a tile that is held.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn

from ingenious_env import Rules
from ingenious_env.games.ingenious.moves import IngeniousActions
from ingenious_env.games.ingenious.observation import Layout
from ingenious_env.games.ingenious.tiles import tile_types

SCALE = 6.0  # points of a good half; keeps the inputs near one
LEVELS = 8  # of points that open cells are counted by: at least 1, …, at least 8
VIEW, UNITS = 32, 8  # features of a colour, and of a half tile on a cell
CLOSED = -1e9  # for a pair that is not open


class Inputs(NamedTuple):
    """An observation as the inputs of the network.

    Letters: B observations, R slots, T sheets, C colours, N cells, K pairs.

    Attributes:
        by_colour: float32 [B, C, inputs of a colour].
        of_all: float32 [B, inputs for all together].
        points: float32 [B, C, N], what a half would score, over SCALE.
        room: float32 [B, N], a cell's empty neighbours, over six.
        is_open: bool [B, K], both cells of the pair are empty.
        rack: float32 [B, R, 2, C], the tiles' colours, one-hot.
        held: float32 [B, R], the slot just picked, one-hot.
    """

    by_colour: torch.Tensor
    of_all: torch.Tensor
    points: torch.Tensor
    room: torch.Tensor
    is_open: torch.Tensor
    rack: torch.Tensor
    held: torch.Tensor


class GameNetwork(nn.Module):
    """Logits of all actions, and a latent for the value, from vector observations."""

    pairs: torch.Tensor
    beside: torch.Tensor
    of_type: torch.Tensor

    def __init__(self, rules: Rules, hidden: int = 64, *, staged: bool = True) -> None:
        super().__init__()
        self.rules, self.staged = rules, staged
        self.layout = Layout(rules)
        geometry = rules.geometry
        pairs = torch.tensor(geometry.pairs).long()
        beside = torch.zeros(geometry.num_cells, geometry.num_cells)
        beside[pairs[:, 0], pairs[:, 1]] = beside[pairs[:, 1], pairs[:, 0]] = 1 / 6
        self.register_buffer("pairs", pairs, persistent=False)
        self.register_buffer("beside", beside, persistent=False)
        colours = range(1, rules.num_colours + 1)
        shows = [[colour in tile for colour in colours] for tile in tile_types(rules.num_colours)]
        self.register_buffer("of_type", torch.tensor(shows).float(), persistent=False)
        of_each, of_all = 3 + 2 * rules.num_sheets + LEVELS, 6 + rules.num_sheets * rules.num_colours
        self.view = nn.Sequential(
            nn.Linear(of_each + of_all, hidden), nn.ReLU(), nn.Linear(hidden, VIEW), nn.ReLU()
        )
        self.viewed, self.scored = nn.Linear(VIEW, UNITS), nn.Linear(3, UNITS, bias=False)
        self.verdicts = nn.Linear(UNITS, 2)
        self.part = nn.Sequential(nn.Linear(VIEW, UNITS), nn.ReLU(), nn.Linear(UNITS, 1))
        self.choice = nn.Sequential(nn.Linear(VIEW + of_all, hidden), nn.ReLU(), nn.Linear(hidden, 2))
        self.value = nn.Sequential(nn.Linear(VIEW + of_all, hidden), nn.ReLU())
        self.latent_dim_pi = IngeniousActions.of(rules, staged=staged).size
        self.latent_dim_vf = hidden

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits [B, A] and value latents [B, H]."""
        inputs = self._inputs(observations)
        views = self._views(inputs)
        return self._logits(inputs, views), self._values(inputs, views)

    def forward_actor(self, observations: torch.Tensor) -> torch.Tensor:
        """Logits [B, A]."""
        inputs = self._inputs(observations)
        return self._logits(inputs, self._views(inputs))

    def forward_critic(self, observations: torch.Tensor) -> torch.Tensor:
        """Value latents [B, H]."""
        inputs = self._inputs(observations)
        return self._values(inputs, self._views(inputs))

    def _inputs(self, observations: torch.Tensor) -> Inputs:
        section = {
            name: observations[:, part.start : part.stop].reshape(-1, *part.shape)
            for name, part in self.layout.sections.items()
        }
        points, rack = section["points"] / SCALE, section["racks"][:, 0]
        scores = section["scores"] / self.rules.last_space  # [B, T, C]
        lead = scores - scores.amin(dim=2, keepdim=True)  # over the sheet's own lowest
        empty = 1 - section["board"].sum(dim=1)
        room = empty @ self.beside
        reachable = (empty * (room > 0))[:, None]
        counts = [((points * SCALE >= level) * reachable).sum(dim=2) for level in range(1, LEVELS + 1)]
        tiles = rack.sum(dim=(1, 2)) / 3
        unseen = section["unseen"] @ self.of_type / 20
        by_colour = torch.stack([*scores.unbind(1), *lead.unbind(1), tiles, unseen], dim=2)
        by_colour = torch.cat([by_colour, torch.stack(counts, dim=2) / 10, points.amax(dim=2)[..., None]], 2)
        is_open = empty[:, self.pairs].amin(dim=2) > 0
        last = [section["bag"] / 60, section["plays_left"] / 2, section["first_round"], section["may_swap"]]
        last += [is_open.sum(dim=1, keepdim=True) / 100, section["held"].sum(dim=1, keepdim=True)]
        of_all = torch.cat([scores.sort(dim=2).values.flatten(1), *last], dim=1)
        return Inputs(by_colour, of_all, points, room, is_open, rack, section["held"])

    def _views(self, inputs: Inputs) -> torch.Tensor:
        """The features of each colour, [B, C, V]."""
        everywhere = inputs.of_all[:, None].expand(-1, self.rules.num_colours, -1)
        views: torch.Tensor = self.view(torch.cat([inputs.by_colour, everywhere], dim=2))
        return views

    def _together(self, inputs: Inputs, views: torch.Tensor) -> torch.Tensor:
        """The sum of all colours' features, and the inputs for all together, [B, V + inputs for all]."""
        return torch.cat([views.sum(dim=1), inputs.of_all], dim=1)

    def _values(self, inputs: Inputs, views: torch.Tensor) -> torch.Tensor:
        values: torch.Tensor = self.value(self._together(inputs, views))
        return values

    def _logits(self, inputs: Inputs, views: torch.Tensor) -> torch.Tensor:
        choice = self.choice(self._together(inputs, views))
        placements = self._placements(inputs, views)  # [B, R, 2 K]
        if not self.staged:
            return torch.cat([placements.flatten(1), choice], dim=1)
        slots = placements.logsumexp(dim=2)
        held = torch.einsum("br,brk->bk", inputs.held, placements)
        return torch.cat([slots, held, choice], dim=1)

    def _placements(self, inputs: Inputs, views: torch.Tensor) -> torch.Tensor:
        """Logits of all placements, straight then turned: [B, R, 2 K]."""
        room = inputs.room[:, None].expand_as(inputs.points)
        scored = self.scored(torch.stack([inputs.points, inputs.points.clamp(max=1 / SCALE), room], dim=3))
        verdicts = self.verdicts((scored + self.viewed(views)[:, :, None]).relu())
        lay, cover = verdicts.unbind(dim=3)  # [B, C, N]
        covered = cover.sum(dim=1)[:, self.pairs].sum(dim=2)  # [B, K]
        by_half = torch.einsum("brhc,bcke->bhrke", inputs.rack, lay[:, :, self.pairs])
        low, high = by_half.unbind(dim=1)  # [B, R, K, end]
        ways = [low[..., 0] + high[..., 1], low[..., 1] + high[..., 0]]
        closed = CLOSED * (1 - inputs.is_open.float())
        parted = self.part(torch.einsum("brhc,bcv->brv", inputs.rack, views))  # [B, R, 1]
        extra = (covered + closed)[:, None] + parted
        doubles = inputs.rack.prod(dim=2).sum(dim=2)[..., None]  # [B, R, 1]; turned, they would lie as before
        return torch.cat([ways[0] + extra, ways[1] + extra + CLOSED * doubles], dim=2)
