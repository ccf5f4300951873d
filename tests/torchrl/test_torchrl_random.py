"""All of TorchRL's ways of drawing at random: legal actions, or with the wrapper of the page."""

import pytest

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # TorchRL's own
torch = pytest.importorskip("torch")
pytest.importorskip("tensordict")  # `torchrl` would be found: the folder of its tests

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of TorchRL itself, on import
    import torchrl.collectors
from torchrl.envs import (
    ActionMask,
    Compose,
    ParallelEnv,
    RewardSum,
    SerialEnv,
    StepCounter,
    TransformedEnv,
)
from torchrl.envs.utils import RandomPolicy, step_mdp
from torchrl.modules import MaskedCategorical

from ingenious_env import IllegalActionError, Rules
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.torchrl import SelfPlayEnv, VectorEnv, random_legal

Collector = getattr(torchrl.collectors, "SyncDataCollector", None) or torchrl.collectors.Collector
STEPS, GAMES = 30, 3
SMALL = {"board_side": 3, "num_colours": 2, "rack_size": 2}  # games end within the steps


def self_play():
    return SelfPlayEnv(Rules(2, **SMALL), GAMES, seed=1)


def staged():
    return SelfPlayEnv(LoopitRules(3, rack_size=2), GAMES, staged=True, seed=1)


def versus():
    return VectorEnv("ingenious/Versus-v0", GAMES, **SMALL)


def solitaire():
    return VectorEnv("ingenious/Solitaire-v0", GAMES, **SMALL)


def loopit():
    return VectorEnv("ingenious/Loopit-v0", GAMES, actions="staged")


ENVIRONMENTS = [self_play, staged, versus, solitaire, loopit]


def rollout(env, policy=None):
    return env.rollout(STEPS, policy, break_when_any_done=False)


def collected(env, policy):
    collector = Collector(env, policy, frames_per_batch=10 * GAMES, total_frames=STEPS * GAMES)
    try:
        return torch.cat([batch.clone() for batch in collector], -1)
    finally:
        collector.shutdown()


def stepped(env, draw):
    tensors, found = env.reset(), []
    for _ in range(STEPS):
        tensors = env.step(draw(env, tensors))
        found.append(tensors)
        tensors = env.maybe_reset(step_mdp(tensors))
    return torch.stack(found, -1)


def masked(tensordict):
    mask = tensordict["action_mask"]
    return tensordict.set("action", MaskedCategorical(torch.zeros(mask.shape), mask=mask).sample())


LEGAL = {
    "rollout": lambda make: rollout(make()),
    "rand_action": lambda make: stepped(make(), lambda env, tensors: env.rand_action(tensors)),
    "rand_action of no mask": lambda make: stepped(
        make(), lambda env, tensors: tensors.update(env.rand_action())
    ),
    "step counter": lambda make: rollout(TransformedEnv(make(), StepCounter())),
    "action mask": lambda make: rollout(TransformedEnv(make(), ActionMask())),
    "transforms": lambda make: rollout(
        TransformedEnv(make(), Compose(ActionMask(), StepCounter(), RewardSum()))
    ),
    "masked categorical": lambda make: rollout(make(), masked),
    "collector": lambda make: collected(make(), random_legal),
    "collector of transforms": lambda make: collected(
        TransformedEnv(make(), Compose(ActionMask(), StepCounter())), random_legal
    ),
    "serial": lambda make: rollout(SerialEnv(2, make), random_legal),
    "transformed serial": lambda make: rollout(
        TransformedEnv(SerialEnv(2, make), StepCounter()), random_legal
    ),
    "masks inside serial": lambda make: rollout(
        SerialEnv(2, lambda: TransformedEnv(make(), ActionMask())), random_legal
    ),
}


@pytest.mark.parametrize("way", LEGAL)
@pytest.mark.parametrize("make", ENVIRONMENTS, ids=lambda make: make.__name__)
def test_random_actions_are_legal(make, way):
    """As they are played without an error, and as the masks say that go with them."""
    data = LEGAL[way](make)
    assert data["action_mask"].gather(-1, data["action"][..., None]).all()
    assert len(data["action"].unique()) > 3


@pytest.mark.nightly
def test_processes_draw_legal_actions():
    for env in (ParallelEnv(2, self_play), ParallelEnv(2, loopit)):
        data = rollout(env, random_legal)
        assert data["action_mask"].gather(-1, data["action"][..., None]).all()
        env.close()


@pytest.mark.parametrize("make", ENVIRONMENTS, ids=lambda make: make.__name__)
def test_draws_without_a_mask_say_what_to_put_in_front(make):
    """As documented: collectors and batched environments without a policy."""
    draws = [
        lambda: collected(make(), None),
        lambda: collected(make(), RandomPolicy(make().action_spec)),
        lambda: rollout(SerialEnv(2, make)),
    ]
    for draw in draws:
        with pytest.raises(IllegalActionError, match="give them random_legal as policy"):
            draw()


def test_action_mask_outside_of_a_batched_environment_draws_from_masks_of_ended_games():
    """These have no legal action, or are those of the game before; the documented place is inside."""
    with pytest.raises((RuntimeError, IllegalActionError), match=r"invalid multinomial|is illegal"):
        rollout(TransformedEnv(SerialEnv(2, self_play), ActionMask()))


def test_random_actions_are_uniform():
    """Each legal action with the same chance, by both ways."""
    env = self_play()
    tensors = env.reset()
    legal = tensors["action_mask"][0]
    for draw in (random_legal, env.rand_action):
        counts = torch.zeros(legal.shape)
        for _ in range(3000):
            counts[draw(tensors)["action"][0]] += 1
        expected = 3000 / int(legal.sum())
        assert not counts[~legal].any()
        assert ((counts[legal] - expected) ** 2 / expected).sum() < 2.5 * int(legal.sum())
