"""The environments of TorchRL: its own check, and the games that the engine plays."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensordict")  # `torchrl` would be found: the folder of its tests

from gymnasium.vector import AutoresetMode
from torchrl.envs.utils import check_env_specs

from ingenious_env import Game, GameBatch, IllegalActionError, Rules
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.torchrl import SelfPlayEnv, VectorEnv

ENVIRONMENTS = {
    "two": lambda: SelfPlayEnv(Rules.standard(2), 6, seed=0),
    "three staged": lambda: SelfPlayEnv(Rules.standard(3), 6, staged=True, reward="margin", seed=0),
    "partnership": lambda: SelfPlayEnv(Rules.partnership(), 6, seed=0),
    "loopit": lambda: SelfPlayEnv(LoopitRules(3), 6, reward="score", seed=0),
    "versus": lambda: VectorEnv("ingenious/Versus-v0", 6, opponent="greedy"),
    "solitaire": lambda: VectorEnv("ingenious/Solitaire-v0", 6, reward="lowest"),
    "loopit versus": lambda: VectorEnv("ingenious/Loopit-v0", 6, actions="staged"),
}


@pytest.mark.parametrize("kind", sorted(ENVIRONMENTS))
def test_torchrls_own_check(kind):
    """Of specifications, dtypes, shapes and devices, in rollouts."""
    check_env_specs(ENVIRONMENTS[kind]())


@pytest.mark.parametrize("kind", ["two", "three staged", "partnership", "loopit"])
def test_seats_play_the_games_of_the_batch(kind):
    """Observations, masks, turns and rewards are the engine's; random actions are legal."""
    env = ENVIRONMENTS[kind]()
    env.set_seed(5)
    tensors = env.reset()
    twin = env.batch.clone()
    reward_of = twin.variant.definition.reward(twin.rules, env.reward_of.name)
    rewards_seen = 0
    for _ in range(250):
        assert np.array_equal(tensors["observation"], twin.observe())
        assert np.array_equal(tensors["to_play"], twin.to_play)
        playing = ~twin.is_over
        assert np.array_equal(tensors["action_mask"].numpy()[playing], twin.legal_mask()[playing] == 1)
        assert tensors["action_mask"].numpy()[~playing].all()
        tensors = env.step(env.rand_action(tensors))
        actions = np.where(playing, tensors["action"], NO_ACTION)
        before = twin.scores.copy()
        twin.play(actions)
        over = twin.is_over
        expected = reward_of(before, twin.scores, over & playing)
        assert np.array_equal(tensors["next", "reward"], expected)
        assert np.array_equal(tensors["next", "done"][:, 0], over)
        rewards_seen += int((expected != 0).sum())
        tensors = tensors["next"].exclude("reward")
    assert over.all()
    assert rewards_seen


def test_games_that_are_over_are_dealt_anew_alone():
    """By `_reset`; the others continue."""
    env = ENVIRONMENTS["two"]()
    data = env.rollout(120, break_when_any_done=False)
    done = data["next", "done"][..., 0]
    assert 6 <= int(done.sum()) <= 6 * 4
    occupied = data["observation"][..., : 6 * 91].sum(-1)
    first = occupied == 6
    assert torch.equal(first[:, 1:], done[:, :-1])  # a new game begins just behind the end of one
    assert first[:, 0].all()


def test_the_learner_plays_the_games_of_gymnasium():
    """Step by step those of the vector environment, with the same seed."""
    env = ENVIRONMENTS["versus"]()
    envs = gym.make_vec(
        "ingenious_env:ingenious/Versus-v0", 6, autoreset_mode=AutoresetMode.DISABLED, opponent="greedy"
    )
    env.set_seed(11)
    tensors = env.reset()
    observations, infos = envs.reset(seed=11)
    games = 0
    for _ in range(80):
        assert np.array_equal(tensors["observation"], observations)
        playing = infos["action_mask"].any(axis=1)
        assert np.array_equal(tensors["action_mask"].numpy()[playing], infos["action_mask"][playing] == 1)
        tensors = env.step(env.rand_action(tensors))
        observations, rewards, over, _, infos = envs.step(tensors["action"].numpy())
        assert np.array_equal(tensors["next", "reward"][:, 0], rewards.astype(np.float32))
        assert np.array_equal(tensors["next", "done"][:, 0], over)
        tensors = tensors["next"].exclude("reward")
        if over.any():
            games += int(over.sum())
            tensors["_reset"] = torch.from_numpy(over[:, None])
            tensors = env.reset(tensors)
            observations, infos = envs.reset(options={"reset_mask": over})
    assert games > 12


def test_a_step_behind_the_end_of_a_game():
    """Begins the next one of the learner, and does nothing among all seats."""
    for kind in ("versus", "two"):
        env = ENVIRONMENTS[kind]()
        tensors = env.reset()
        while not tensors["done"].any():
            tensors = env.step(env.rand_action(tensors))["next"]
        row = int(tensors["done"][:, 0].int().argmax())
        last = tensors["observation"][row].clone()
        tensors = env.step(env.rand_action(tensors.exclude("reward")))["next"]
        assert not tensors["reward"][row].any()
        assert bool(tensors["done"][row]) == (kind == "two")
        assert torch.equal(tensors["observation"][row], last) == (kind == "two")


def test_seeds_deal_the_games_of_the_engine():
    """Game i is `Game(rules, (seed, i))`."""
    env = SelfPlayEnv(Rules.standard(2), 3, seed=9)
    for k in range(3):
        assert env.batch[k] == Game(seed=(9, k))
    for seed in (9, 4):
        tensors = env.reset()
        assert np.array_equal(tensors["observation"], [Game(seed=(seed, k)).observe() for k in range(3)])
        env.set_seed(4)
    again = env.reset()
    assert torch.equal(tensors["observation"], again["observation"])
    assert not torch.equal(env.reset()["observation"], again["observation"])  # the next games


def test_tensors_of_earlier_steps_stay_as_they_were():
    """No step writes to what another has given."""
    env = ENVIRONMENTS["two"]()
    tensors = env.reset()
    kept, copies = [], []
    for _ in range(5):
        kept.append(tensors)
        copies.append(tensors.clone())
        tensors = env.step(env.rand_action(tensors.copy()))["next"].exclude("reward")
    for one, other in zip(kept, copies, strict=True):
        assert (one == other).all()


def test_bad_input_is_refused():
    """With what is allowed."""
    with pytest.raises(ValueError, match="reward must be a number for each seat"):
        SelfPlayEnv(reward="vector")
    with pytest.raises(ValueError, match="num_games must be from 1"):
        SelfPlayEnv(num_games=0)
    with pytest.raises(TypeError, match="registered game"):
        SelfPlayEnv("two")
    with pytest.raises(ValueError, match="observations must be vectors"):
        VectorEnv(observation="planes")
    with pytest.raises(ValueError, match="opponent must be"):
        VectorEnv(opponent="nobody")
    env = ENVIRONMENTS["two"]()
    tensors = env.reset()
    tensors["action"] = torch.full((6,), 2666 - 1)
    before = env.batch.clone()
    with pytest.raises(IllegalActionError, match="action 2665 is illegal in game 0"):
        env.step(tensors)
    assert env.batch == before
    assert isinstance(before, GameBatch)


def test_environments_that_are_not_of_this_package_are_refused():
    with pytest.raises(ValueError, match=r"^env_id must be one of .*/Versus-v0.*, not 'CartPole-v1'$"):
        VectorEnv("CartPole-v1", 2)
