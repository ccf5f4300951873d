"""Networks of PyTorch for the games; needs the `torch` extra.

    import torch
    from ingenious_env import GameBatch, Rules
    from ingenious_env.networks import PlacementNetwork

    batch = GameBatch(Rules.standard(2), 64, seed=0)
    network = PlacementNetwork(batch.rules)
    masks = torch.from_numpy(batch.legal_mask())
    actions, log_probs, values = network.draw(torch.from_numpy(batch.observe()), masks)
    batch.play(actions.numpy(), auto_reset=True)

A learner calls `judge` on stored observations, masks and actions.
"""

from ingenious_env.engine.extras import needs

with needs("ingenious_env.networks", "ingenious-env[torch]"):
    from ingenious_env.networks.placement import Draw, Judgement, PlacementNetwork

__all__ = ["Draw", "Judgement", "PlacementNetwork"]
