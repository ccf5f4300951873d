"""Each method of `VecEnv`, next to Stable-Baselines3's own `DummyVecEnv` of the same environments."""

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from helpers import COPIES
from stable_baselines3.common.env_util import make_vec_env as make_dummy
from stable_baselines3.common.vec_env import VecVideoRecorder

from ingenious_env.sb3 import make_vec_env

SMALL = {"board_side": 3, "num_colours": 2, "rack_size": 2}
CASES = {
    "versus": ("ingenious/Versus-v0", {**SMALL, "opponent": "greedy", "reward": "score"}),
    "solitaire": ("ingenious/Solitaire-v0", {**SMALL, "reward": "lowest"}),
    "dict": ("ingenious/Versus-v0", {**SMALL, "mask_in_observation": True, "seat": 1}),
    "illegal": ("ingenious/Versus-v0", {**SMALL, "illegal": "random", "actions": "staged"}),
    "lose": ("ingenious/Solitaire-v0", {**SMALL, "illegal": "lose"}),
    "loopit": ("ingenious/Loopit-v0", {"actions": "staged", "max_episode_steps": 7}),
}
GAMES = 3


def plain(value):
    """Anything, as something that can be compared; without the time, and without our own key of a game."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items() if name not in ("t", "key")}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, value.tobytes()
    return value.item() if isinstance(value, np.generic) else value


@pytest.fixture(params=CASES)
def both(request):
    """Ours and theirs, at the beginning of the same games."""
    name, options = CASES[request.param]
    options = {**options, "render_mode": "rgb_array"}
    ours = make_vec_env(name, GAMES, seed=5, **options)
    theirs = make_dummy(f"ingenious_env:{name}", GAMES, env_kwargs=options)
    theirs._seeds = [5] * GAMES
    theirs.set_options([{"index": row} for row in range(GAMES)])
    yield ours, theirs
    ours.close()
    theirs.close()


def test_before_the_first_reset(both):
    for ask in (
        lambda env: env.env_method("action_masks"),
        lambda env: env.reset_infos,
        lambda env: (env.num_envs, env.render_mode, env.metadata["render_fps"]),
        lambda env: (env.observation_space, env.action_space),
    ):
        ours, theirs = map(ask, both)
        assert plain(ours) == plain(theirs)


def test_episodes_are_the_same(both):
    """Observations, rewards, ends, infos of resets and steps, masks and pictures, over some episodes."""
    ours, theirs = both
    illegal = ours.env.episodes.illegal != "raise"
    rng, ended = np.random.default_rng(1), 0
    assert plain(ours.reset()) == plain(theirs.reset())
    assert plain(ours.reset_infos) == plain(theirs.reset_infos)
    for step in range(60):
        masks = theirs.env_method("action_masks")
        assert plain(ours.env_method("action_masks")) == plain(masks)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        if illegal and step % 4 == 0:
            actions[step % GAMES] = rng.integers(theirs.action_space.n)
        mine, other = ours.step(actions), theirs.step(actions)
        assert plain(mine) == plain(other)
        assert plain(ours.reset_infos) == plain(theirs.reset_infos)
        if step % 20 == 0:
            assert plain(ours.get_images()) == plain(theirs.get_images())
            assert plain(ours.render()) == plain(theirs.render())
            assert plain(ours.env_method("render", indices=[2])) == plain(
                theirs.env_method("render", indices=[2])
            )
        ended += int(mine[2].sum())
    assert ended > GAMES


def test_single_games_can_be_reset(both):
    ours, theirs = both
    ours.reset(), theirs.reset()
    for options in ({}, {"seed": 9}):
        assert plain(ours.env_method("reset", indices=[1], **options)) == plain(
            theirs.env_method("reset", indices=[1], **options)
        )
        assert plain(ours.env_method("action_masks")) == plain(theirs.env_method("action_masks"))


def test_attributes_are_those_of_the_games(both):
    ours, theirs = both
    ours.reset(), theirs.reset()
    names = ["render_mode", "observation_space", "action_space", "reward_space", "game", "seat", "nonsense"]
    for name in [*names, "action_masks"]:
        assert ours.has_attr(name) == theirs.has_attr(name)
    for name in [name for name in names if theirs.has_attr(name)]:
        for indices in (None, 1, [0, 2]):
            assert ours.get_attr(name, indices) == theirs.get_attr(name, indices)
            mine, other = (env.env_method("get_wrapper_attr", name, indices=indices) for env in both)
            assert mine == other
    for env in both:
        with pytest.raises(AttributeError, match="nonsense"):
            env.get_attr("nonsense")
        with pytest.raises(AttributeError, match="nonsense"):
            env.env_method("nonsense")
        env.set_attr("note", 3)
        env.set_attr("note", 4, indices=[1])
        assert env.get_attr("note") == [3, 4, 3]
        assert env.env_method("has_wrapper_attr", "note") == [True] * GAMES
    assert [plain(masks()) for masks in ours.get_attr("action_masks")] == plain(
        ours.env_method("action_masks")
    )


def test_what_cannot_be_done_is_refused():
    env = make_vec_env("ingenious/Versus-v0", 2, **SMALL)
    with pytest.raises(ValueError, match="reset takes no options here"):
        env.set_options({"index": 3})
    env.set_options({})
    with pytest.raises(AttributeError, match="seat cannot be set"):
        env.set_attr("seat", 1)
    with pytest.raises(ValueError, match="it can be set for all of them only"):
        env.set_attr("render_mode", "svg", indices=0)
    env.reset()
    with pytest.warns(UserWarning, match="pictures need render_mode='rgb_array', not None"):
        assert env.get_images() == [None, None]


def test_videos_can_be_recorded(tmp_path):
    pytest.importorskip("moviepy")
    env = make_vec_env("ingenious/Versus-v0", 2, render_mode="rgb_array", **SMALL)
    recorder = VecVideoRecorder(env, str(tmp_path), lambda step: step == 0, video_length=3)
    recorder.reset()
    for _ in range(4):
        masks = recorder.env_method("action_masks")
        recorder.step(np.array([mask.argmax() for mask in masks]))
    recorder.close()
    assert [path.suffix for path in tmp_path.iterdir()] == [".mp4"]


# The same limit of steps in Gymnasium's own environments.


@pytest.mark.parametrize("mode", list(gym.vector.AutoresetMode))
def test_a_limit_of_steps_is_that_of_single_environments(mode):
    """Observations, rewards, masks and flags, next to those of `make(max_episode_steps=)`."""
    options = {**SMALL, "max_episode_steps": 3, "opponent": "greedy"}
    envs = gym.make_vec("ingenious_env:ingenious/Versus-v0", 2, autoreset_mode=mode, **options)
    single = [gym.make("ingenious_env:ingenious/Versus-v0", **options) for _ in range(2)]
    observations, infos = envs.reset(seed=4)
    waiting, cut = [False, False], 0
    now = [env.reset(seed=4, options={"index": row}) for row, env in enumerate(single)]
    for _ in range(24):
        actions = np.array([max(int(info["action_mask"].argmax()), 0) for _, info in now])
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        for row, env in enumerate(single):
            if waiting[row]:  # the step that begins the next episode
                now[row], waiting[row] = env.reset(), False
                assert (rewards[row], terminated[row], truncated[row]) == (0, False, False)
            else:
                *seen, reward, over, late, info = env.step(actions[row])
                assert (rewards[row], terminated[row], truncated[row]) == (reward, over, late)
                now[row], cut = (*seen, info), cut + late
                if over or late:
                    if mode is gym.vector.AutoresetMode.SAME_STEP:
                        assert np.array_equal(infos["final_obs"][row], seen[0])
                        final = infos["final_info"]["action_mask"][row]
                        assert np.array_equal(final, info["action_mask"])
                        now[row] = env.reset()
                    else:
                        waiting[row] = mode is gym.vector.AutoresetMode.NEXT_STEP
            assert np.array_equal(observations[row], now[row][0])
            assert np.array_equal(infos["action_mask"][row], now[row][1]["action_mask"])
        done = terminated | truncated
        over = done & (mode is not gym.vector.AutoresetMode.SAME_STEP)
        assert np.array_equal(envs.unwrapped.action_masks().any(axis=1), ~over)
        if mode is gym.vector.AutoresetMode.DISABLED and done.any():
            with pytest.raises(gym.error.ResetNeeded):
                envs.step(actions)
            observations, infos = envs.reset(options={"reset_mask": done})
            for row in np.flatnonzero(done):
                now[row] = single[row].reset()
                assert np.array_equal(observations[row], now[row][0])
    assert cut > 3
    with pytest.raises(ValueError, match="max_episode_steps must be from 1 to"):
        gym.make_vec("ingenious_env:ingenious/Versus-v0", 2, max_episode_steps=0)


@pytest.mark.parametrize("copied", COPIES)
def test_copies_have_the_same_future(copied):
    env = make_vec_env("ingenious/Versus-v0", GAMES, seed=5, **SMALL)
    env.reset()
    twin = copied(env)
    for _ in range(30):
        actions = np.stack(env.env_method("action_masks")).argmax(axis=1)
        assert plain(twin.step(actions)) == plain(env.step(actions))
