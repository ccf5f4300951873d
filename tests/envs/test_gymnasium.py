"""Gymnasium's and Stable-Baselines3's own kits, the registry, and the examples in the pages."""

import doctest
import subprocess
import sys
from importlib.util import find_spec

import gymnasium as gym
import numpy as np
import pytest
from gym_helpers import QUICK, SEED, SOLITAIRE, VERSUS, memory, pick_actions, plain
from gymnasium.utils.env_checker import check_env
from helpers import PRESETS
from numpy.testing import assert_array_equal, assert_equal

from ingenious_env.compiled.threads import Pace
from ingenious_env.engine.observation import FORMS
from ingenious_env.envs import solitaire, vector, versus
from ingenious_env.envs.registration import register_environments

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
    check_env(gym.make(id_of(rules), **options).unwrapped, skip_render_check=find_spec("pygame") is None)


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
    register_environments()
    assert gym.registry == before
    env, envs = gym.make(f"ingenious_env:{name}"), gym.make_vec(f"ingenious_env:{name}", 2)
    assert type(env.unwrapped).__name__ in gym.spec(name).entry_point
    assert type(envs.unwrapped).__name__ in gym.spec(name).vector_entry_point
    env.close()
    envs.close()


def test_importing_the_package_is_light():
    code = "import sys, ingenious_env; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    heavy = {"torch", "stable_baselines3", "ingenious_env.envs.solitaire", "ingenious_env.envs.versus"}
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


@pytest.mark.parametrize("name", [SOLITAIRE, VERSUS])
def test_an_unknown_option_reads_as_libraries_expect_it(name):
    """They try an option, and drop it if the error has this text."""
    expected = r"got an unexpected keyword argument 'max_cycles'"
    with pytest.raises(TypeError, match=expected):
        gym.make(name, max_cycles=5)
    with pytest.raises(TypeError, match=expected):
        gym.make_vec(name, num_envs=2, max_cycles=5)
    for kind in (solitaire.SolitaireEnv, versus.VersusEnv, vector.SolitaireVectorEnv, vector.VersusVectorEnv):
        with pytest.raises(TypeError, match=expected):
            kind(max_cycles=5)


@both_games
@pytest.mark.parametrize("num_threads", [2, 3])
def test_threads_play_the_same_episodes(name, options, num_threads, monkeypatch):
    monkeypatch.setattr(Pace, "shares", lambda _pace, _now: True)  # even where it does not pay
    one, many = (gym.make_vec(name, 9, num_threads=threads, **options) for threads in (1, num_threads))
    rng = np.random.default_rng(0)
    for envs in (one, many):
        envs.reset(seed=SEED)
    for _ in range(60):
        actions = pick_actions(one.unwrapped.action_masks(), rng)
        assert_equal(plain(many.step(actions)), plain(one.step(actions)))
        assert_array_equal(memory(many.unwrapped), memory(one.unwrapped))


def test_the_number_of_threads_is_checked():
    with pytest.raises(ValueError, match="num_threads must be from 1"):
        gym.make_vec(SOLITAIRE, 2, num_threads=0)
    with pytest.raises(TypeError, match="num_threads must be a whole number"):
        gym.make_vec(SOLITAIRE, 2, num_threads=1.5)
