"""The Stable-Baselines3 adapter: what the collector sees is what happened."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from gymnasium.vector import AutoresetMode
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.monitor import Monitor

from ingenious_env.envs.vector import VersusVectorEnv
from ingenious_env.policies.greedy import Greedy
from ingenious_env.sb3 import IngeniousVecEnv, make_vec_env

ENVIRONMENTS = [
    ("ingenious/Solitaire-v0", {}),
    ("ingenious/Versus-v0", {"opponent": "greedy", "reward": "score"}),
    ("ingenious/Versus-v0", {"num_players": 3, "actions": "staged"}),
]


@pytest.mark.parametrize(("name", "options"), ENVIRONMENTS)
def test_steps_are_those_of_the_vector_environment(name, options):
    env = make_vec_env(name, 6, **options)
    plain = gym.make_vec(name, num_envs=6, autoreset_mode=AutoresetMode.SAME_STEP, **options)
    env.seed(5)
    assert np.array_equal(env.reset(), plain.reset(seed=5)[0])
    rng, returns, lengths, ended = np.random.default_rng(0), np.zeros(6), np.zeros(6, int), 0
    earlier = []
    for _ in range(180):
        masks = get_action_masks(env)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        observations, rewards, done, notes = env.step(actions)
        expected, gains, over, _, infos = plain.step(actions)
        assert np.array_equal(observations, expected)
        assert np.array_equal(rewards, gains.astype(np.float32))
        assert rewards.dtype == np.float32
        assert np.array_equal(done, over)
        masks_after = get_action_masks(env)
        assert np.array_equal(masks_after, infos["action_mask"])
        returns, lengths = returns + gains, lengths + 1
        for row in range(6):
            assert ("episode" in notes[row]) == done[row]
            assert notes[row]["action_mask"].sum() == (0 if done[row] else masks_after[row].sum())
            if done[row]:
                assert notes[row]["episode"]["r"] == pytest.approx(returns[row])
                assert notes[row]["episode"]["l"] == lengths[row]
                assert np.array_equal(notes[row]["terminal_observation"], infos["final_obs"][row])
                assert np.array_equal(notes[row]["scores"], infos["final_info"]["scores"][row])
                returns[row] = lengths[row] = 0
                ended += 1
        earlier.append((observations, observations.copy()))
    assert ended >= 6
    for held, copied in earlier:  # the collector keeps observations while it steps on
        assert np.array_equal(held, copied)


def test_a_game_that_ends_is_known_by_its_key():
    class Noting(Greedy):
        def act(self, view):
            seen.append(view.keys.copy())
            return super().act(view)

    seen, ended = [], []
    env = make_vec_env("ingenious/Versus-v0", 4, opponent=Noting())
    env.seed(2)
    env.reset()
    while len(ended) < 12:
        actions = [int(np.flatnonzero(mask)[0]) for mask in get_action_masks(env)]
        ended += [note["key"] for note in env.step(np.array(actions))[3] if "key" in note]
    assert len(set(ended)) == len(ended)
    turns = Counter(np.concatenate(seen).tolist())
    assert min(turns[key] for key in ended) >= 10  # each opponent had that many turns in the game
    assert len(turns) <= len(ended) + 4 + 2  # of games under way, and two that may end at once


def test_what_stable_baselines_asks_for():
    env = make_vec_env("ingenious/Versus-v0", 3)
    assert is_masking_supported(env)
    assert env.has_attr("action_masks")
    assert not env.has_attr("nonsense")
    assert env.get_attr("num_envs") == [3, 3, 3]
    assert env.get_attr("num_envs", 1) == [3]
    assert env.env_is_wrapped(gym.Wrapper) == [False] * 3
    assert env.env_is_wrapped(Monitor, indices=[1, 2]) == [True] * 2
    env.reset()
    assert len(env.env_method("action_masks", indices=[0, 2])) == 2
    env.set_attr("note", 7)
    assert env.get_attr("note") == [7, 7, 7]
    with pytest.raises(ValueError, match="can be set for all of them only"):
        env.set_attr("reward_space", 8, indices=[0])
    env.set_attr("note", 8, indices=[0])
    assert env.get_attr("note") == [8, 7, 7]
    env.set_attr("other", 5, indices=[1])
    for each in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert each.get_attr("other", 1) == [5]
        for missing in (None, 0, [0, 1]):
            with pytest.raises(AttributeError):
                each.get_attr("other", missing)
    env.close()


def test_environments_that_are_not_of_this_package_are_refused():
    with pytest.raises(
        ValueError, match=r"^env_id must be one of .*ingenious/Versus-v0.*, not 'CartPole-v1'$"
    ):
        make_vec_env("CartPole-v1", 2)
    with pytest.raises(TypeError, match="vectorization_mode is not an option here"):
        make_vec_env("ingenious/Versus-v0", 2, vectorization_mode="sync")
    with pytest.raises(gym.error.UnregisteredEnv):
        make_vec_env("ingenious/Chess-v0", 2)
    assert make_vec_env("ingenious_env:ingenious/Versus-v0", 2).num_envs == 2


def test_a_seed_is_of_the_first_reset():
    env = make_vec_env("ingenious/Versus-v0", 3, seed=5)
    other = make_vec_env("ingenious/Versus-v0", 3)
    other.seed(5)
    assert np.array_equal(env.reset(), other.reset())


@pytest.mark.parametrize("again", [False, True])
def test_each_further_reset_deals_new_games(again):
    """As collectors reset more than once; only a new seed deals the same games again."""
    env = make_vec_env("ingenious/Versus-v0", 4, seed=5)
    dealt = []
    for _ in range(4):
        if again:
            env.seed(5)
        env.reset()
        dealt.append(env.env.episodes.batch.state.policy_key.tolist())
    assert len({key for keys in dealt for key in keys}) == (4 if again else 16)


def test_evaluation_takes_its_episodes_as_they_are(recwarn):
    env = make_vec_env("ingenious/Solitaire-v0", 4, seed=1, reward="lowest")
    model = MaskablePPO("MlpPolicy", env, n_steps=16)
    lowest, _ = evaluate_policy(model, env, 6, return_episode_rewards=True)
    assert all(0 <= each <= 36 for each in lowest)
    assert not recwarn.list


def test_rewards_must_be_numbers():
    with pytest.raises(ValueError, match="reward must be a number, for Stable-Baselines3, not a vector"):
        make_vec_env("ingenious/Versus-v0", 2, reward="vector")


def test_the_mode_must_be_same_step():
    with pytest.raises(ValueError, match="autoreset_mode must be SAME_STEP"):
        IngeniousVecEnv(VersusVectorEnv(2))


def test_masked_ppo_learns_from_it():
    env = make_vec_env("ingenious/Versus-v0", 4, actions="staged")
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=0)
    before = [parameter.clone() for parameter in model.policy.parameters()]
    model.learn(128)
    assert any(not old.equal(new) for old, new in zip(before, model.policy.parameters(), strict=True))


def test_plain_ppo_takes_the_masked_observation():
    env = make_vec_env("ingenious/Solitaire-v0", 4, mask_in_observation=True, illegal="random")
    PPO("MultiInputPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=0).learn(64)
