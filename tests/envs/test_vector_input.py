"""The vector environments: illegal actions row by row, and what is not an action, no option and no seed."""

import gymnasium as gym
import numpy as np
import pytest
from gym_helpers import QUICK, memory, pick_actions, start_vector
from gymnasium.vector import AutoresetMode
from numpy.testing import assert_array_equal

from ingenious_env import IllegalActionError
from ingenious_env.envs.vector import SolitaireVectorEnv, VersusVectorEnv

UNEXPECTED = "got an unexpected keyword argument"
MODES = [mode.value for mode in AutoresetMode]


# Illegal actions.


def test_an_illegal_action_raises_and_changes_nothing():
    envs = start_vector()
    before = memory(envs)
    actions = envs.action_masks().argmax(axis=1)
    actions[3] = envs.action_masks()[3].argmin()
    with pytest.raises(IllegalActionError, match="in game 3"):
        envs.step(actions)
    assert_array_equal(memory(envs), before)


@pytest.mark.parametrize("game", QUICK)
def test_illegal_actions_are_replaced_row_by_row(game):
    envs, others = start_vector(game=game, illegal="random"), start_vector(game=game)
    for _ in range(40):
        legal = envs.episodes.batch.random_actions()
        asked = legal.copy()
        asked[1], asked[4] = envs.action_masks()[1].argmin(), -1
        playing = ~envs.episodes.ended
        *_, infos = envs.step(asked)
        others.step(legal)
        assert_array_equal(memory(envs), memory(others))
        wrong = playing & np.array([False, True, False, False, True])
        if wrong.any():
            assert_array_equal(infos["_illegal_action"], wrong)
            assert_array_equal(infos["illegal_action"][wrong], asked[wrong])
            assert_array_equal(infos["played_action"][wrong], legal[wrong])
        else:
            assert "illegal_action" not in infos


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", QUICK)
def test_illegal_actions_lose_row_by_row(game, mode):
    envs = start_vector(game=game, illegal="lose", autoreset_mode=mode)
    rng = np.random.default_rng(0)
    lost = np.array([False, True, False, False, True])
    for _ in range(3):
        actions = pick_actions(envs.action_masks(), rng)
        actions[lost] = 10**6, -1
        before = memory(envs)
        _, rewards, ended, _, infos = envs.step(actions)
        assert_array_equal(ended, lost)
        assert_array_equal(rewards[lost], [-1, -1])
        if mode == "SameStep":
            assert_array_equal(infos["_final_info"], lost)
            infos = infos["final_info"]
            assert envs.action_masks().any(axis=1).all()
        else:
            assert_array_equal((memory(envs) == before).all(axis=1), lost)
            assert not infos["action_mask"][lost].any()
        assert_array_equal(infos["_illegal_action"], lost)
        assert_array_equal(infos["illegal_action"][lost], [10**6, -1])
        assert "played_action" not in infos
        if mode == "NextStep":
            _, rewards, ended, _, infos = envs.step(pick_actions(envs.action_masks(), rng))
            assert not ended.any()
            assert infos["action_mask"].any(axis=1).all()
        elif mode == "Disabled":
            envs.reset(options={"reset_mask": lost})


def test_all_rows_may_lose_at_once():
    envs = start_vector(illegal="lose")
    before = memory(envs)
    _, rewards, ended, _, infos = envs.step(np.full(5, -1))
    assert ended.all()
    assert_array_equal(rewards, np.full(5, -1.0))
    assert_array_equal(infos["result"], np.full(5, -1.0))
    assert_array_equal(memory(envs), before)
    _, _, ended, _, _ = envs.step(np.full(5, -1))
    assert not ended.any()


# Bad input.


def test_the_first_reset_is_needed():
    for mode in MODES:
        with pytest.raises(gym.error.ResetNeeded):
            SolitaireVectorEnv(2, autoreset_mode=mode).step([0, 0])


@pytest.mark.parametrize(
    ("actions", "error"),
    [
        ([0, 0], ValueError),
        (0, ValueError),
        ([[0, 0, 0]], ValueError),
        ([0.0, 0.0, 0.0], TypeError),
        ([True, True, True], TypeError),
        (None, TypeError),
    ],
)
def test_bad_actions(actions, error):
    envs = start_vector(3)
    before = memory(envs)
    with pytest.raises(error):
        envs.step(actions)
    assert_array_equal(memory(envs), before)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"num_envs": 0}, ValueError, "num_envs"),
        ({"num_envs": 1.0}, TypeError, "num_envs"),
        ({"autoreset_mode": "Never"}, ValueError, "NextStep, SameStep, Disabled"),
        ({"render_mode": "human"}, ValueError, "None, ansi, svg, rgb_array"),
        (
            {"colours": 3},
            TypeError,
            rf"{UNEXPECTED} 'colours'; the options are .*num_colours",
        ),
        ({"reward": "fame"}, ValueError, "lowest"),
    ],
)
@pytest.mark.parametrize("vector_class", [SolitaireVectorEnv, VersusVectorEnv])
def test_bad_options(vector_class, options, error, message):
    with pytest.raises(error, match=message):
        vector_class(**options)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"seed": -1}, ValueError, "seed must be from 0"),
        ({"seed": [1, 2]}, ValueError, "one for each of 3 games, not 2"),
        ({"seed": [1, 2, "3"]}, TypeError, "seed must be a whole number"),
        ({"options": {"mask": None}}, ValueError, "the only option of reset is reset_mask"),
        ({"options": {"reset_mask": [True] * 3}}, ValueError, r"reset_mask must be a bool array \[3\]"),
        ({"options": {"reset_mask": np.ones(2, bool)}}, ValueError, r"reset_mask must be a bool array \[3\]"),
        ({"options": {"reset_mask": np.ones(3, int)}}, ValueError, r"reset_mask must be a bool array \[3\]"),
    ],
)
def test_bad_resets(arguments, error, message):
    envs = start_vector(3)
    before = memory(envs)
    with pytest.raises(error, match=message):
        envs.reset(**arguments)
    assert_array_equal(memory(envs), before)
