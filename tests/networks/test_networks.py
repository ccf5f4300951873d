"""The policy network: its compiled head against PyTorch's own softmax over all placements."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from helpers import batch_at

from ingenious_env import GameBatch, Rules
from ingenious_env.engine.state import CHOOSE
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.networks import Judgement, PlacementNetwork

VARIANTS = {
    "two": Rules.standard(2),
    "three": Rules.standard(3),
    "partnership": Rules.partnership(),
    "solitaire": Rules.solitaire(),
    "small": Rules(2, board_side=3, num_colours=3, rack_size=2),
}


def a_network(rules, *, staged=False, scale=3.0):
    """A network that prefers some placements to others by far."""
    torch.manual_seed(7)
    network = PlacementNetwork(rules, 16, staged=staged)
    with torch.no_grad():
        for weights in network.parameters():
            weights.mul_(scale)
    return network


def a_batch(rules, *, staged=False):
    """Games in all stages: first rounds, choices to swap, ends; and a random action in each."""
    parts = [batch_at(rules, 40, moves, seed=moves) for moves in range(0, 40, 3)]
    rows = np.concatenate([part.state.memory[~part.is_over] for part in parts])
    batch = GameBatch.from_rows(rules, rows, staged=staged)
    if staged:
        batch.play(batch.random_actions())
        batch = batch.take(np.flatnonzero(~batch.is_over))
    tensors = [torch.from_numpy(each) for each in (batch.observe(), batch.legal_mask())]
    return batch, (*tensors, torch.from_numpy(batch.random_actions().astype(np.int64)))


def listed(network, observations, masks, actions):
    """The same from the logits of all actions."""
    logits, values = network(observations)
    log_probs = logits.masked_fill(masks == 0, -1e9).log_softmax(
        dim=1
    )  # with −inf, no derivative is a number
    entropies = -(log_probs.exp() * log_probs).sum(dim=1)
    return Judgement(log_probs.gather(1, actions[:, None])[:, 0], entropies, values)


def derivatives(network, judge, tensors):
    """Of a loss with another weight for each game's log-probability, entropy and value."""
    network.zero_grad()
    found = judge(*tensors)
    weights = torch.randn(3, len(tensors[0]), generator=torch.Generator().manual_seed(1))
    sum((weight * each).sum() for weight, each in zip(weights, found, strict=True)).backward()
    return found, {name: each.grad.clone() for name, each in network.named_parameters()}


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("kind", sorted(VARIANTS))
def test_judgements_and_their_derivatives_are_those_of_the_logits(kind, staged):
    """Log-probabilities, entropies and values; of all weights."""
    rules = VARIANTS[kind]
    network = a_network(rules, staged=staged)
    batch, tensors = a_batch(rules, staged=staged)
    if kind == "two" and not staged:
        assert (batch.phase == CHOOSE).any()
        assert (batch.state.turn < 2).any()
    found, by_weight = derivatives(network, network.judge, tensors)
    expected, expected_by_weight = derivatives(network, lambda *each: listed(network, *each), tensors)
    for one, other in zip(found, expected, strict=True):
        assert torch.allclose(one, other, atol=2e-4, rtol=1e-4)
    largest = max(float(each.abs().max()) for each in expected_by_weight.values())
    for name, gradient in by_weight.items():
        # A unit all but at 0 may be rectified in one and not in the other: of millions, a few are.
        assert torch.allclose(gradient, expected_by_weight[name], atol=2e-3 * largest, rtol=1e-3), name
    assert found.entropies.min() > -1e-4
    assert found.log_probs.min() < -5  # some were unlikely


@pytest.mark.parametrize("scale", [1.0, 3.0])
@pytest.mark.parametrize("kind", ["small", "two"])
def test_actions_are_drawn_as_often_as_the_logits_say(kind, scale):
    """Of one position many times over, by a chi-squared statistic; placements and choices."""
    rules, games = VARIANTS[kind], 5_000
    network = a_network(rules, scale=scale)
    batch, _ = a_batch(rules)
    rows = [int(np.flatnonzero(batch.phase == phase)[3]) for phase in sorted(set(batch.phase.tolist()))]
    torch.manual_seed(3)
    for row in rows:
        crowd = batch.take(np.full(games, row))
        observations, masks = (torch.from_numpy(each) for each in (crowd.observe(), crowd.legal_mask()))
        drawn = network.draw(observations, masks)
        logits, values = network(observations[:1], masks[:1])
        expected = games * logits[0].softmax(0).detach().numpy()
        found = np.bincount(drawn.actions, minlength=len(expected))
        assert found[masks[0].numpy() == 0].sum() == 0
        common = expected >= 5
        rest = expected[~common].sum(), found[~common].sum()
        chi = ((found - expected)[common] ** 2 / expected[common]).sum()
        chi += (rest[0] - rest[1]) ** 2 / max(rest[0], 1.0)
        freedom = int(common.sum())
        assert abs(chi - freedom) < 5 * (2 * freedom) ** 0.5 + 5
        again = network.judge(observations, masks, drawn.actions)
        assert torch.allclose(drawn.log_probs, again.log_probs, atol=1e-5)
        assert torch.allclose(drawn.values, values.expand(games), atol=1e-5)


def test_draws_follow_from_pytorchs_seed():
    """They differ with another one."""
    network = a_network(VARIANTS["two"])
    _, (observations, masks, _) = a_batch(VARIANTS["two"])
    found = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        found.append(network.draw(observations, masks).actions)
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32"])
def test_masks_of_any_type_say_the_same(dtype):
    """As trainers have them."""
    network = a_network(VARIANTS["two"])
    _, (observations, masks, actions) = a_batch(VARIANTS["two"])
    expected = network.judge(observations, masks, actions)
    others = masks.to(getattr(torch, dtype))
    for one, other in zip(network.judge(observations.float(), others, actions), expected, strict=True):
        assert torch.equal(one, other)
    assert torch.equal(network(observations, others)[0], network(observations, masks)[0])


def test_extreme_weights_give_finite_numbers():
    """Where one placement is almost certain."""
    network = a_network(VARIANTS["two"], scale=30.0)
    _, tensors = a_batch(VARIANTS["two"])
    found, by_weight = derivatives(network, network.judge, tensors)
    assert all(each.isfinite().all() for each in (*found, *by_weight.values()))
    drawn = network.draw(*tensors[:2])
    assert drawn.log_probs.isfinite().all()
    assert (tensors[1].gather(1, drawn.actions[:, None]) == 1).all()


def test_another_game_is_refused():
    with pytest.raises(
        TypeError, match="Rules of Ingenious, the only game of the placement network, not Rules"
    ):
        PlacementNetwork(LoopitRules(2))


@pytest.mark.parametrize("staged", [False, True])
def test_arrays_of_another_variant_are_refused(staged):
    """By each method: their sections would be misread, and the head would read beyond the masks."""
    network, rules = a_network(VARIANTS["two"], staged=staged), VARIANTS["two"]
    _, (observations, masks, actions) = a_batch(rules, staged=staged)
    size, num_actions = observations.shape[1], masks.shape[1]
    methods = {
        "forward": network,
        "judge": lambda seen, mask: network.judge(seen, mask, actions[: len(seen)]),
        "draw": network.draw,
        "values": lambda seen, _: network.values(seen),
    }
    for name, method in methods.items():
        for seen in (observations[:, :-1], torch.nn.functional.pad(observations, (0, 1)), observations[0]):
            with pytest.raises(ValueError, match=rf"shape \[B, {size}\]"):
                method(seen, masks)
        if name == "values":
            continue
        for mask in (masks[:, :-1], torch.nn.functional.pad(masks, (0, 1)), masks[:-1]):
            with pytest.raises(
                ValueError, match=rf"masks must have the shape \[{len(masks)}, {num_actions}\]"
            ):
                method(observations, mask)


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({"open_racks": True}, Rules()),
        ({"num_players": 4, "board_side": 6}, Rules()),
        ({"num_players": 4}, Rules.partnership()),
        ({"observation": "planes"}, Rules()),
        ({"observation": "dict"}, Rules()),
        ({"actions": "staged"}, Rules()),
        ({"num_players": 3}, Rules()),
    ],
)
def test_a_policy_of_other_spaces_is_refused(options, rules):
    """Before anything is learned."""
    pytest.importorskip("sb3_contrib")
    import gymnasium as gym

    from ingenious_env.networks.sb3 import PlacementPolicy

    env = gym.make("ingenious_env:ingenious/Versus-v0", **options)
    with pytest.raises(ValueError, match=r"vector observations .* the environment has"):
        PlacementPolicy(env.observation_space, env.action_space, lambda _: 1e-3, rules=rules)
