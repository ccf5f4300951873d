"""`PlacementNetwork`: a policy and a value that score placements as sums over their halves and cells.

All colours share their weights:

    each colour's inputs, those for all ── H ── V: its features ──┬─ sum ─┬─ H ── value
                                                       …, others ─┘       └─ H ── keep or swap
    a colour's features, its points on a cell, the cell's empty neighbours ── U ── lay, cover

A placement's logit is the sum of terms for laying each half, for covering both cells regardless of colour,
and for giving the tile up. Staged, a slot's logit is the log-sum-exp over all places of its tile, so that the
two choices together have about the probability of the one. They differ in the first round, where it also
counts places that the rules still forbid (RULES.md 3.2), and as the network has an input for a tile that is
held.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn

from ingenious_env.games.ingenious.moves import CHOICES, IngeniousActions
from ingenious_env.games.ingenious.observation import Layout
from ingenious_env.games.ingenious.rules import Rules
from ingenious_env.games.ingenious.tiles import tile_types
from ingenious_env.networks.head import Terms, chances, drawn
from ingenious_env.networks.kernels import UNITS

SCALE = 6.0  # points of a good half; keeps the inputs near one
LEVELS = 8  # of points that open cells are counted by: at least 1, …, at least 8
VIEW = 32  # features of a colour
CLOSED = -1e9  # for a pair that is not open
NUM_CHOICES = len(CHOICES)


class Inputs(NamedTuple):
    """An observation as the inputs of the network.

    Letters: B observations, R slots, T sheets, C colours, N cells, K pairs.

    Attributes:
        by_colour: float32 [B, C, inputs of a colour].
        of_all: float32 [B, inputs for all together].
        points: float32 [B, C, N], the points of a half, over SCALE.
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


class Evaluation(NamedTuple):
    """The parts of a flat policy from which the compiled head evaluates or draws actions.

    Attributes:
        terms: of the placements.
        masks: int8 [B, A].
        choices: float32 [B, 2], log-probabilities of the choices after the placements, if available.
        is_choice: bool [B], whether they are.
        values: float32 [B], of the positions.
    """

    terms: Terms
    masks: torch.Tensor
    choices: torch.Tensor
    is_choice: torch.Tensor
    values: torch.Tensor


class Judgement(NamedTuple):
    """Log-probabilities, entropies and values of a batch.

    Attributes:
        log_probs: float32 [B], of the actions.
        entropies: float32 [B], of the policy.
        values: float32 [B], of the positions.
    """

    log_probs: torch.Tensor
    entropies: torch.Tensor
    values: torch.Tensor


class Draw(NamedTuple):
    """Actions drawn from a policy.

    Attributes:
        actions: int64 [B].
        log_probs: float32 [B], of the actions.
        values: float32 [B], of the positions.
    """

    actions: torch.Tensor
    log_probs: torch.Tensor
    values: torch.Tensor


class PlacementNetwork(nn.Module):
    """A policy and a value of Ingenious, from vector observations; some 7,000 weights.

    Letters: B games, D length of an observation, A actions. Its methods raise ValueError for arrays of
    another width, which belong to another variant.

    Args:
        rules: the variant.
        hidden: units in the hidden layers.
        staged: whether actions are staged.

    Raises:
        TypeError: the rules are those of another game.
    """

    pairs: torch.Tensor
    short_pairs: torch.Tensor
    adjacency: torch.Tensor
    of_type: torch.Tensor

    def __init__(self, rules: Rules, hidden: int = 64, *, staged: bool = False) -> None:
        super().__init__()
        if not isinstance(rules, Rules):
            msg = f"rules must be Rules of Ingenious, the only game of the placement network, not {rules!r}"
            raise TypeError(msg)
        self.rules, self.hidden, self.staged = rules, hidden, staged
        self.layout = Layout(rules)
        geometry = rules.geometry
        pairs = torch.tensor(geometry.pairs).long()
        adjacency = torch.zeros(geometry.num_cells, geometry.num_cells)
        adjacency[pairs[:, 0], pairs[:, 1]] = adjacency[pairs[:, 1], pairs[:, 0]] = 1 / 6
        self.register_buffer("pairs", pairs, persistent=False)
        self.register_buffer("short_pairs", pairs.to(torch.int16), persistent=False)
        self.register_buffer("adjacency", adjacency, persistent=False)
        colours = range(1, rules.num_colours + 1)
        shows = [[colour in tile for colour in colours] for tile in tile_types(rules.num_colours)]
        self.register_buffer("of_type", torch.tensor(shows).to(adjacency), persistent=False)
        of_each, of_all = 3 + 2 * rules.num_sheets + LEVELS, 6 + rules.num_sheets * rules.num_colours
        self.view = nn.Sequential(
            nn.Linear(of_each + of_all, hidden), nn.ReLU(), nn.Linear(hidden, VIEW), nn.ReLU()
        )
        self.viewed, self.scored = nn.Linear(VIEW, UNITS), nn.Linear(3, UNITS, bias=False)
        self.verdicts = nn.Linear(UNITS, 2)
        self.part = nn.Sequential(nn.Linear(VIEW, UNITS), nn.ReLU(), nn.Linear(UNITS, 1))
        self.choice = nn.Sequential(nn.Linear(VIEW + of_all, hidden), nn.ReLU(), nn.Linear(hidden, 2))
        self.value = nn.Sequential(nn.Linear(VIEW + of_all, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.num_actions = IngeniousActions.of(rules, staged=staged).size

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Float32 [B, A] logits and [B] values.

        Args:
            observations: [B, D], of any number type.
            masks: [B, A], true or not 0 where an action is legal; the logits of others become −inf.
        """
        inputs = self._inputs(observations)
        if masks is not None:
            self._check_masks(masks, len(observations))
        views = self._views(inputs)
        logits = self._logits(inputs, views)
        if masks is not None:
            logits = logits.masked_fill(masks == 0, -torch.inf)
        return logits, self._values(inputs, views)

    def values(self, observations: torch.Tensor) -> torch.Tensor:
        """Float32 [B]: the values only."""
        inputs = self._inputs(observations)
        return self._values(inputs, self._views(inputs))

    def judge(self, observations: torch.Tensor, masks: torch.Tensor, actions: torch.Tensor) -> Judgement:
        """Log-probabilities of actions, entropies and values, faster on a CPU than from `forward`.

        Args:
            observations: [B, D], of any number type.
            masks: [B, A], true or not 0 where an action is legal, at least one in each game.
            actions: int64 [B], legal ones.
        """
        if self.staged or observations.device.type != "cpu":
            logits, values = self(observations, masks)
            policy = torch.distributions.Categorical(logits=logits, validate_args=False)
            log_probs = policy.logits.clamp(min=CLOSED)  # or 0 · −inf in the entropy
            entropies = -(policy.probs * log_probs).sum(dim=1)
            return Judgement(policy.log_prob(actions), entropies, values)
        terms, masks, choices, is_choice, values = self._evaluate(observations, masks)
        placements = masks.shape[1] - NUM_CHOICES
        log_probs, entropies = chances(terms, masks, self.short_pairs, actions.clamp(max=placements - 1))
        chosen = choices.gather(1, (actions - placements).clamp(min=0)[:, None])[:, 0]
        return Judgement(
            torch.where(is_choice, chosen, log_probs),
            torch.where(is_choice, -(choices.exp() * choices).sum(dim=1), entropies),
            values,
        )

    @torch.no_grad()
    def draw(self, observations: torch.Tensor, masks: torch.Tensor) -> Draw:
        """Actions sampled from the policy, by PyTorch's random numbers; the rest as in `judge`."""
        if self.staged or observations.device.type != "cpu":
            logits, values = self(observations, masks)
            policy = torch.distributions.Categorical(logits=logits, validate_args=False)
            actions = policy.sample()
            return Draw(actions, policy.log_prob(actions), values)
        terms, masks, choices, is_choice, values = self._evaluate(observations, masks)
        placements = masks.shape[1] - NUM_CHOICES
        random = torch.rand(len(masks), dtype=torch.float64)
        actions, log_probs = drawn(terms, masks, self.short_pairs, random)
        chosen = (random > choices[:, 0].exp()).long()
        return Draw(
            torch.where(is_choice, placements + chosen, actions),
            torch.where(is_choice, choices.gather(1, chosen[:, None])[:, 0], log_probs),
            values,
        )

    def _evaluate(self, observations: torch.Tensor, masks: torch.Tensor) -> Evaluation:
        inputs = self._inputs(observations)
        self._check_masks(masks, len(observations))
        views = self._views(inputs)
        masks = masks.to(torch.int8)
        choices = self.choice(self._together(inputs, views)).log_softmax(dim=1)
        is_choice = masks[:, -NUM_CHOICES] != 0
        return Evaluation(self._terms(inputs, views), masks, choices, is_choice, self._values(inputs, views))

    def _check_masks(self, masks: torch.Tensor, games: int) -> None:
        if masks.shape != (games, self.num_actions):
            kind = "staged" if self.staged else "flat"
            msg = (
                f"masks must have the shape {[games, self.num_actions]}, by the network's {kind} actions, "
                f"not {list(masks.shape)}"
            )
            raise ValueError(msg)

    def _inputs(self, observations: torch.Tensor) -> Inputs:
        if observations.dim() != 2 or observations.shape[1] != self.layout.size:
            msg = (
                f"observations must have the shape [B, {self.layout.size}], vectors of the network's rules, "
                f"not {list(observations.shape)}"
            )
            raise ValueError(msg)
        observations = observations.to(self.adjacency.dtype)
        section = {
            name: observations[:, part.start : part.stop].reshape(-1, *part.shape)
            for name, part in self.layout.sections.items()
        }
        points, rack = section["points"] / SCALE, section["racks"][:, 0]
        scores = section["scores"] / self.rules.last_space  # [B, T, C]
        lead = scores - scores.amin(dim=2, keepdim=True)  # over the sheet's own lowest
        empty = 1 - section["board"].sum(dim=1)
        room = empty @ self.adjacency
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
        values: torch.Tensor = self.value(self._together(inputs, views))[:, 0]
        return values

    def _terms(self, inputs: Inputs, views: torch.Tensor) -> Terms:
        """The inputs of the compiled head."""
        return Terms(
            inputs.points,
            inputs.room,
            self.viewed(views),
            self.scored.weight.t(),
            self.verdicts.weight,
            self.verdicts.bias,
            self._parts(inputs, views)[..., 0],
            inputs.rack.argmax(dim=3),
        )

    def _parts(self, inputs: Inputs, views: torch.Tensor) -> torch.Tensor:
        """The term of each slot in the logits of its placements, [B, R, 1]."""
        parts: torch.Tensor = self.part(torch.einsum("brhc,bcv->brv", inputs.rack, views))
        return parts

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
        extra = (covered + closed)[:, None] + self._parts(inputs, views)
        doubles = inputs.rack.prod(dim=2).sum(dim=2)[..., None]  # [B, R, 1]; they have one orientation
        return torch.cat([ways[0] + extra, ways[1] + extra + CLOSED * doubles], dim=2)
