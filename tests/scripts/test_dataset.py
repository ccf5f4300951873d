"""Datasets of games: what is stored is what the environment gives."""

from __future__ import annotations

import os

import numpy as np
import pytest

minari = pytest.importorskip("minari")
pytest.importorskip("h5py")

from ingenious_env import Rules
from ingenious_env.games.loopit import Rules as LoopitRules
from scripts import dataset as script


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of Minari's datasets."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return tmp_path / "datasets"


def made(capsys, *arguments):
    """The dataset that a command makes."""
    script.main([*arguments])
    return minari.load_dataset(capsys.readouterr().out.partition(":")[0])


CASES = {
    "two": (("--agent", "greedy"), "ingenious/greedy-v0", Rules.standard(2)),
    "partnership": (("--partnership", "--agent", "concave"), "ingenious/concave-v0", Rules.partnership()),
    "solitaire": (
        ("--players", "1", "--agent", "lowest", "--actions", "flat"),
        "ingenious/lowest-v0",
        Rules.solitaire(),
    ),
    "loopit": (
        ("--game", "loopit", "--fixed-rounds", "--agent", "greedy"),
        "loopit/greedy-v0",
        LoopitRules(2, fixed_rounds=True),
    ),
    "value": (("--agent", "value", "--reward", "margin", "--name", "mine-v3"), "mine-v3", Rules.standard(2)),
}


@pytest.mark.parametrize("name", CASES)
def test_an_episode_is_what_its_environment_gives(folder, capsys, name):
    """From its seed and its actions: observations, masks, rewards and the end; one after the other."""
    arguments, dataset_id, rules = CASES[name]
    found = made(capsys, *arguments, "--games", "5", "--seed", "40")
    assert found.spec.dataset_id == dataset_id
    assert found.total_episodes == 5
    env = found.recover_environment()
    assert env.unwrapped.game.rules == rules
    for number, episode in enumerate(found.iterate_episodes()):
        observation, _ = env.reset(seed=40 + number)
        seen = episode.observations
        for step, action in enumerate(episode.actions):
            assert np.array_equal(seen["observation"][step], observation["observation"])
            assert np.array_equal(seen["action_mask"][step], observation["action_mask"])
            assert seen["action_mask"][step][action] == 1
            observation, reward, ended, _, _ = env.step(action)
            assert reward == episode.rewards[step]
            assert ended == episode.terminations[step]
        assert ended
        assert np.array_equal(seen["observation"][-1], observation["observation"])
        assert len(seen["action_mask"]) == len(episode.actions) + 1 == len(episode.rewards) + 1
        assert not seen["action_mask"][-1].any()
        assert not episode.truncations.any()


def test_more_games_than_are_played_together(folder, capsys, monkeypatch):
    """The same episodes, however many rows there are."""
    monkeypatch.setattr(script, "TOGETHER", 3)
    parts = made(capsys, "--agent", "greedy", "--games", "7", "--name", "parts-v0")
    monkeypatch.setattr(script, "TOGETHER", 256)
    whole = made(capsys, "--agent", "greedy", "--games", "7", "--name", "whole-v0")
    for one, other in zip(parts.iterate_episodes(), whole.iterate_episodes(), strict=True):
        assert np.array_equal(one.actions, other.actions)
        assert np.array_equal(one.observations["observation"], other.observations["observation"])


def test_it_is_compressed(folder, capsys):
    """To less than a fifth of what the masks alone have."""
    found = made(capsys, "--agent", "greedy", "--games", "20")
    masks = sum(episode.observations["action_mask"].nbytes for episode in found.iterate_episodes())
    assert sum(path.stat().st_size for path in folder.rglob("*.hdf5")) < masks / 5


def test_what_is_there_is_not_touched(folder, capsys):
    made(capsys, "--agent", "greedy", "--games", "2")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(SystemExit) as ended:
        script.main(["--agent", "greedy", "--games", "3"])
    assert ended.value.code == 2
    assert "there is a dataset ingenious/greedy-v0 in" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_interrupted_one_leaves_nothing(folder, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(script, "pack", interrupted)
    with pytest.raises(KeyboardInterrupt):
        script.main(["--agent", "greedy", "--games", "2"])
    assert list(folder.iterdir()) == []
    assert os.environ["MINARI_DATASETS_PATH"] == str(folder)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--agent", "nobody"), "nobody"),
        (("--reward", "fame"), "fame"),
        (("--name", "no version"), "no version"),
        (("--game", "loopit", "--partnership"), "--partnership is for ingenious"),
    ],
)
def test_bad_options_are_refused(folder, capsys, arguments, reason):
    with pytest.raises(SystemExit) as ended:
        script.main([*arguments, "--games", "1"])
    assert ended.value.code == 2
    assert reason in capsys.readouterr().err
    assert not [path for path in folder.rglob("*") if path.is_file()]
