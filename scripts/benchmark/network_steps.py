"""Gradient steps of the policy network, for `__main__.py` to time; ImportError without PyTorch."""

from __future__ import annotations

import numpy as np

from ingenious_env import GameBatch, Rules
from scripts.benchmark.timing import Play, repeat

GAMES = 1024


def gradient_steps(rules: Rules, *, listed: bool) -> Play:
    """Steps on games in the middle: forward and backward, of log-probabilities, entropies and values.

    Args:
        rules: the variant.
        listed: from the logits of all placements, by PyTorch, and not by the compiled head.
    """
    import torch

    from ingenious_env.networks import PlacementNetwork

    torch.manual_seed(0)
    torch.set_num_threads(1)
    network, batch = PlacementNetwork(rules), GameBatch(rules, GAMES, seed=0)
    for _ in range(20):
        batch.play(batch.random_actions(), auto_reset=True)
    observations, masks = (torch.from_numpy(each) for each in (batch.observe(), batch.legal_mask()))
    actions = torch.from_numpy(batch.random_actions().astype(np.int64))

    def step() -> None:
        network.zero_grad()
        if listed:
            logits, values = network(observations)
            every = logits.masked_fill(masks == 0, -1e9).log_softmax(dim=1)
            log_probs = every.gather(1, actions[:, None])[:, 0]
            entropies = -(every.exp() * every).sum(dim=1)
        else:
            log_probs, entropies, values = network.judge(observations, masks, actions)
        (log_probs.mean() + entropies.mean() + values.mean()).backward()

    return repeat(step)
