"""Gymnasium's and Stable-Baselines3's own kits, the registry, and the examples in the pages."""

import doctest
import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
from gym_helpers import QUICK, SEED, SOLITAIRE, VERSUS, pick_actions
from gymnasium.utils.env_checker import check_env
from helpers import PRESETS
from numpy.testing import assert_array_equal

from ingenious_env import solitaire, vector, versus
from ingenious_env.registration import register_gymnasium
from ingenious_env.spaces import FORMS

presets = pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
all_forms = pytest.mark.parametrize("form", FORMS)
both_actions = pytest.mark.parametrize("actions", ["flat", "staged"])
both_games = pytest.mark.parametrize(("name", "options"), QUICK.values(), ids=QUICK)


def id_of(rules):
    return SOLITAIRE if rules.num_players == 1 else VERSUS


@presets
@both_actions
@all_forms
@pytest.mark.parametrize("with_mask", [False, True])
@pytest.mark.parametrize("illegal", ["random", "lose"])
def test_gymnasium_has_nothing_to_object(rules, form, actions, with_mask, illegal):
    options = {
        "rules": rules,
        "observation": form,
        "actions": actions,
        "mask_in_observation": with_mask,
        "illegal": illegal,
    }
    check_env(gym.make(id_of(rules), **options).unwrapped)


@presets
@both_actions
@all_forms
@pytest.mark.parametrize("with_mask", [False, True])
def test_stable_baselines_has_nothing_to_object(rules, form, actions, with_mask):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    options = {"observation": form, "actions": actions, "mask_in_observation": with_mask}
    env = gym.make(id_of(rules), rules=rules, illegal="random", **options)
    # it advises against all shapes but flat ones and photographs, and takes them
    checker.check_env(env, warn=form == "vector")


@both_games
def test_learning_runs(name, options):
    sb3 = pytest.importorskip("stable_baselines3")
    contrib = pytest.importorskip("sb3_contrib")
    small = {"n_steps": 8, "batch_size": 8, "n_epochs": 1, "device": "cpu"}
    contrib.MaskablePPO("MlpPolicy", gym.make(name, **options), **small).learn(16)
    masked = gym.make(name, mask_in_observation=True, observation="dict", actions="staged", **options)
    contrib.MaskablePPO("MultiInputPolicy", masked, **small).learn(16)
    sb3.PPO("MlpPolicy", gym.make(name, illegal="random", **options), **small).learn(16)


@pytest.mark.parametrize("name", [SOLITAIRE, VERSUS])
def test_the_registry(name):
    before = dict(gym.registry)
    register_gymnasium()
    assert gym.registry == before
    env, envs = gym.make(f"ingenious_env:{name}"), gym.make_vec(f"ingenious_env:{name}", 2)
    assert type(env.unwrapped).__name__ in gym.spec(name).entry_point
    assert type(envs.unwrapped).__name__ in gym.spec(name).vector_entry_point
    env.close()
    envs.close()


def test_importing_the_package_is_light():
    code = "import sys, ingenious_env; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    heavy = {"torch", "stable_baselines3", "ingenious_env.solitaire", "ingenious_env.versus"}
    assert not heavy & set(loaded.stdout.split())


@pytest.mark.parametrize(("page", "lines"), [(solitaire, 6), (versus, 6), (vector, 4)])
def test_the_examples_in_the_pages(page, lines):
    assert doctest.testmod(page) == (0, lines)


@pytest.mark.parametrize("name", [SOLITAIRE, VERSUS])
def test_collected_pictures(name):
    env = gym.make(name, render_mode="ansi_list")
    env.reset(seed=SEED)
    env.step(int(env.unwrapped.action_masks().argmax()))
    assert len(env.render()) == 2


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@both_games
def test_gymnasiums_wrappers_count_episodes(name, options, mode):
    envs = gym.make_vec(name, 4, autoreset_mode=mode, **options)
    envs = gym.wrappers.vector.RecordEpisodeStatistics(envs)
    envs.reset(seed=SEED)
    rng = np.random.default_rng(0)
    totals, counted = np.zeros(4), 0
    for _ in range(60):
        masks = envs.unwrapped.action_masks()
        _, rewards, ended, _, infos = envs.step(pick_actions(masks, rng))
        totals += rewards
        if ended.any():
            assert_array_equal(infos["episode"]["r"][ended], totals[ended])
            totals[ended] = 0
            counted += ended.sum()
    assert counted == envs.episode_count > 4
