"""The placement network in other precisions than float32."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ingenious_env import GameBatch, Rules
from ingenious_env.networks import PlacementNetwork


@pytest.fixture
def double_by_default():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def positions(rules, staged):
    batch = GameBatch(rules, 32, seed=3, staged=staged)
    for _ in range(9):
        batch.play(batch.random_actions(), auto_reset=True)
    return torch.from_numpy(batch.observe()), torch.from_numpy(batch.legal_mask())


def network(rules, staged):
    torch.manual_seed(0)
    return PlacementNetwork(rules, 16, staged=staged)


def learned(network, seen, masks):
    """All results, and that of a step of learning, as float64."""
    drawn = network.draw(seen, masks)
    assert masks.gather(1, drawn.actions[:, None]).all()
    actions = masks.to(torch.float32).argmax(1)
    judged = network.judge(seen, masks, actions)
    loss = judged.log_probs.float().sum() + judged.entropies.float().sum() + judged.values.float().sum()
    loss.backward()
    gradients = [each.grad.double().flatten() for each in network.parameters()]
    logits, values = network(seen, masks)
    legal = torch.where(masks == 1, logits.double(), 0.0)
    return [*(each.detach().double() for each in (*judged, legal, values, network.values(seen)))], gradients


@pytest.mark.parametrize("staged", [False, True])
def test_all_precisions_give_the_same(staged, request):
    rules = Rules(2)
    seen, masks = positions(rules, staged)
    results, gradients = learned(network(rules, staged), seen, masks)

    whole = torch.cat(gradients).norm()

    def agree(found, slopes, within):
        for mine, theirs in zip(found, results, strict=True):
            assert torch.isfinite(mine).all()
            assert (mine - theirs).abs().max() < within * (1 + theirs.abs().max())
        for mine, theirs in zip(slopes, gradients, strict=True):
            assert (mine - theirs).norm() <= within * whole  # that of some weights is all but 0

    agree(*learned(network(rules, staged).double(), seen, masks), 1e-4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        agree(*learned(network(rules, staged), seen, masks), 0.1)
    request.getfixturevalue("double_by_default")
    plain = network(rules, staged)
    plain.load_state_dict({name: each.double() for name, each in network_of_float(rules, staged).items()})
    agree(*learned(plain, seen, masks), 1e-4)


def network_of_float(rules, staged):
    torch.set_default_dtype(torch.float32)
    found = network(rules, staged).state_dict()
    torch.set_default_dtype(torch.float64)
    return found


def test_weights_stay_those_of_the_precision():
    net = network(Rules(2), staged=False).double()
    seen, masks = positions(Rules(2), staged=False)
    learned(net, seen, masks)
    assert {each.grad.dtype for each in net.parameters()} == {torch.float64}
    assert np.isfinite(net.values(seen).detach().numpy()).all()
