"""Pictures of environments: text, SVG, pixels, videos and windows."""

import copy
import pickle
import re
import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("pylunasvg")
pytest.importorskip("pygame")
pytest.importorskip("moviepy")

import ingenious_env  # noqa: F401 - registers the environments
from ingenious_env import Game, Rules, ingenious_v0, loopit_v0
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.render import draw, window
from ingenious_env.render.pixels import to_array

IDS = ["ingenious/Versus-v0", "ingenious/Solitaire-v0", "ingenious/Loopit-v0"]
MAKERS = {"ingenious": (ingenious_v0, Game), "loopit": (loopit_v0, Loopit)}


@pytest.fixture(autouse=True)
def no_display(monkeypatch):
    """SDL draws into memory."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


class Recorder:
    """A uniform policy that notes each action that it plays."""

    def __init__(self):
        self.played = []

    def act(self, view):
        actions = (
            view.random_actions() if hasattr(view, "random_actions") else view.legal_mask().argmax(axis=1)
        )
        self.played += actions.tolist()
        return actions


@pytest.mark.parametrize("actions", ["flat", "staged"])
@pytest.mark.parametrize("kind", MAKERS)
def test_aec_draws_the_tiles_that_were_laid(kind, actions):
    module, make = MAKERS[kind]
    env = module.env(render_mode="svg", actions=actions)
    for seed in (3, 4):
        env.reset(seed=seed)
        game = make(seed=seed)
        for number in range(30):
            if number % 6 == 0:
                assert env.render() == game.definition.draw_svg(game, viewer=None)
            move = game.move(game.random_action())
            while True:
                whole = game.action(move)
                raw = env.unwrapped
                held = int(raw._batch.state.held[0])
                space = raw._batch.actions
                action = int(space.from_flat(np.array([whole]), np.array([held]))[0])
                env.step(action)
                if not (space.staged and action < space.first_placement):
                    break
            game.play(whole)
            if game.is_over:
                break


@pytest.mark.parametrize("actions", ["flat", "staged"])
@pytest.mark.parametrize("env_id", IDS)
def test_gymnasium_draws_the_tiles_that_were_laid(env_id, actions):
    """Those of opponents, too: against a game that is played from their notes."""
    recorder = Recorder()
    options = {} if "Solitaire" in env_id else {"opponent": recorder, "seat": 0}
    env = gym.make(env_id, render_mode="svg", actions=actions, disable_env_checker=True, **options)
    env.reset(seed=5)
    raw = env.unwrapped
    game = type(raw.game)(raw.game.rules, 5)
    assert env.render() == game.definition.draw_svg(game, viewer=0)
    for number in range(12):
        recorder.played.clear()
        while True:
            action = int(np.flatnonzero(env.get_wrapper_attr("action_masks")())[-1])
            held, space = int(raw.episodes.batch.state.held[0]), raw.episodes.batch.actions
            _, _, over, _, _ = env.step(action)
            if not (space.staged and action < space.first_placement):
                break
        if space.staged and action < space.first_choice:
            whole = space.flat.join_placement(held - 1, action - space.first_placement)
        else:
            whole = action - space.first_choice + space.flat.first_choice if space.staged else action
        for each in (whole, *recorder.played):
            game.play(each)
        assert env.render() == game.definition.draw_svg(game, viewer=0), number
        if over:
            break


def test_a_new_episode_begins_with_an_empty_board():
    envs = gym.make_vec(
        "ingenious/Solitaire-v0", num_envs=3, render_mode="svg", vectorization_mode="vector_entry_point"
    )
    envs.reset(seed=1)
    for _ in range(4):
        envs.step(envs.action_masks().argmax(axis=1))
    assert all("-last" in picture for picture in envs.render())
    envs.reset(seed=2, options={"reset_mask": np.array([False, True, False])})
    assert ["-last" in picture for picture in envs.render()] == [True, False, True]
    assert envs.render()[1] == draw(Game(Rules.solitaire(), (2, 1)), "svg", 0)


@pytest.mark.parametrize("env_id", IDS)
def test_pixels(env_id):
    env = gym.make(env_id, render_mode="rgb_array")
    env.reset(seed=2)
    frame = env.render()
    assert frame.dtype == np.uint8
    assert frame.ndim == 3
    assert frame.shape[0] % 2 == frame.shape[1] % 2 == 0
    twin = gym.make(env_id, render_mode="svg")
    twin.reset(seed=2)
    assert np.array_equal(frame, to_array(twin.render()))
    envs = gym.make_vec(env_id, num_envs=2, render_mode="rgb_array", vectorization_mode="vector_entry_point")
    envs.reset(seed=2)
    first, second = envs.render()
    assert first.shape == second.shape == frame.shape
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("env_id", IDS)
def test_record_video_writes_what_browsers_play(env_id, tmp_path):
    """H.264 with half the colour resolution: 4:2:0."""
    import imageio_ffmpeg
    from gymnasium.wrappers import RecordVideo

    env = RecordVideo(
        gym.make(env_id, render_mode="rgb_array"), str(tmp_path / "videos"), disable_logger=True
    )
    env.reset(seed=3)
    for _ in range(6):
        env.step(int(np.flatnonzero(env.get_wrapper_attr("action_masks")())[0]))
    env.close()
    (video,) = tmp_path.glob("videos/*.mp4")
    program = imageio_ffmpeg.get_ffmpeg_exe()
    errors = subprocess.run([program, "-i", str(video)], capture_output=True, text=True, check=False).stderr
    assert re.search(r"Video: h264 .*yuv420p", errors)
    assert re.search(r"Duration: 00:00:03\.50", errors)  # seven frames, two per second


def test_a_window_of_gymnasium(monkeypatch):
    from gymnasium.wrappers import HumanRendering

    env = gym.make("ingenious/Versus-v0", render_mode="rgb_array")
    env = HumanRendering(env)
    monkeypatch.setitem(env.metadata, "render_fps", 1000)  # the class's own
    env.reset(seed=1)
    env.step(int(env.get_wrapper_attr("action_masks")().argmax()))
    assert env.render() is None
    env.close()
    env = gym.make("ingenious/Solitaire-v0", render_mode="human")
    env.reset(seed=1)
    env.close()


def test_a_window_of_pettingzoo(monkeypatch):
    frames = []
    monkeypatch.setattr(window.Window, "show", lambda _self, frame: frames.append(frame))
    env = ingenious_v0.env(render_mode="human")
    assert "human" in env.metadata["render_modes"]
    env.reset(seed=1)
    game = Game(seed=1)
    for _ in range(3):
        action = game.random_action()
        game.play(action)
        env.step(action)
        assert np.array_equal(frames[-1], draw(game, "rgb_array", None))
    assert len(frames) == 3
    env.close()


def test_a_window_shows_frames_in_their_own_time():
    import pygame

    shown = window.Window("frames", 50)
    frame = np.random.default_rng(0).integers(0, 256, (40, 60, 3), np.uint8)
    shown.show(frame)
    assert np.array_equal(pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1), frame)
    began = pygame.time.get_ticks()
    for _ in range(5):
        shown.show(frame)
    assert pygame.time.get_ticks() - began >= 80
    shown.close()
    assert not pygame.display.get_init()
    shown.close()
    shown.show(frame)
    shown.close()


def forbid_windows(why, monkeypatch):
    if why == "no pygame":
        monkeypatch.setitem(sys.modules, "pygame", None)
    elif why == "no such driver":
        monkeypatch.setenv("SDL_VIDEODRIVER", "nothing of the kind")
    else:  # SDL then draws into memory, and says nothing
        for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
            monkeypatch.delenv(name, raising=False)
        # whichever driver this system has, it is taken for one that shows nothing
        monkeypatch.setattr(window, "UNSEEN", (*window.UNSEEN, "cocoa", "windows", "KMSDRM"))


@pytest.mark.parametrize("why", ["no pygame", "no such driver", "no display"])
def test_text_where_there_can_be_no_window(why, monkeypatch, capsys):
    forbid_windows(why, monkeypatch)
    env = loopit_v0.env(render_mode="human")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="no window, so text: "):
        env.step(int(env.unwrapped.game.legal_actions()[0]))
    assert "Player 0's turn" in capsys.readouterr().out


@pytest.mark.parametrize("why", ["no such driver", "no display"])
@pytest.mark.parametrize("name", IDS)
def test_text_from_gymnasium_where_there_is_no_display(name, why, monkeypatch, capsys):
    forbid_windows(why, monkeypatch)
    env = gym.make(name, render_mode="human")
    with pytest.warns(UserWarning, match="no window, so text: "):
        _, info = env.reset(seed=1)
    reference = gym.make(name, render_mode="ansi")
    reference.reset(seed=1)
    assert capsys.readouterr().out == reference.render() + "\n\n"
    with pytest.warns(UserWarning, match="no window, so text: "):
        env.step(int(info["action_mask"].argmax()))
    reference.step(int(info["action_mask"].argmax()))
    assert capsys.readouterr().out == reference.render() + "\n\n"


def test_copies_draw_the_same_and_go_their_own_way():
    env = ingenious_v0.env(render_mode="svg").unwrapped
    env.reset(seed=3)
    env.step(int(env.game.legal_actions()[0]))
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    before = env.render()
    for each in copies:
        assert each.render() == before
        each.step(int(each.game.legal_actions()[5]))
        assert each.render() != before
    assert env.render() == before


def test_stable_baselines_own_helpers():
    """As its documentation has them."""
    pytest.importorskip("sb3_contrib")
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env("ingenious_env:ingenious/Solitaire-v0", n_envs=2)
    envs.reset()
    assert envs.render(mode="rgb_array").ndim == 3
    envs.close()
    model = MaskablePPO("MlpPolicy", "ingenious_env:ingenious/Solitaire-v0", n_steps=32, batch_size=32)
    model.learn(64)
