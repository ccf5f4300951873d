"""Datasets of games: what is stored is what the environment gives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from commands import refused

minari = pytest.importorskip("minari")
pytest.importorskip("h5py")

from ingenious_agents.commands import dataset as script
from ingenious_agents.folders import locked_folder

from ingenious_env import Rules
from ingenious_env.games.loopit import Rules as LoopitRules


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of Minari's datasets."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return tmp_path / "datasets"


def made(capsys, *arguments):
    """The dataset that a command makes."""
    script.main([*arguments])
    return minari.load_dataset(capsys.readouterr().out.partition(":")[0])


def left_in(folder):
    """The names in the folder, apart from that of the lock."""
    return [path.name for path in folder.iterdir() if path.name != ".lock"]


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


@pytest.mark.parametrize("by_option", [True, False])
def test_the_folder_may_be_relative(tmp_path, capsys, monkeypatch, by_option):
    """As the help shows it; it is printed as it is given."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINARI_DATASETS_PATH", "elsewhere" if by_option else "datasets")
    chosen = ["--folder", "datasets"] if by_option else []
    script.main(["--agent", "greedy", "--games", "1", *chosen])
    assert capsys.readouterr().out.endswith(f"in {Path('datasets', 'ingenious', 'greedy-v0')}\n")
    assert sorted(left_in(tmp_path)) == ["datasets"]
    assert left_in(tmp_path / "datasets") == ["ingenious"]
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    assert minari.load_dataset("ingenious/greedy-v0").total_episodes == 1


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
    """To less than a fifth of the size of the masks."""
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


def test_an_interrupted_one_leaves_nothing(folder, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(script, "episode", interrupted)
    with pytest.raises(SystemExit) as ended:
        script.main(["--agent", "greedy", "--games", "2"])
    assert ended.value.code == 1
    assert capsys.readouterr().err.splitlines()[-1] == "ingenious dataset: interrupted"
    assert left_in(folder) == []
    assert os.environ["MINARI_DATASETS_PATH"] == str(folder)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--agent", "nobody"), "nobody"),
        (("--reward", "fame"), "fame"),
        (("--name", "no version"), "--name must be such as group/name-v0"),
        (("--name", "noversion"), "--name must be such as group/name-v0"),
        (("--name", "../up-v0"), "--name must be such as group/name-v0"),
        (("--name", "/up-v0"), "--name must be such as group/name-v0"),
        (("--game", "loopit", "--partnership"), "--partnership is for ingenious"),
    ],
)
def test_bad_options_are_refused_before_a_game_is_played(folder, capsys, monkeypatch, arguments, reason):
    monkeypatch.setattr(script, "played", None)
    with pytest.raises(SystemExit) as ended:
        script.main([*arguments, "--games", "1"])
    assert ended.value.code == 2
    assert reason in capsys.readouterr().err
    assert not folder.exists()


def test_none_is_put_inside_another(folder, capsys):
    made(capsys, "--agent", "greedy", "--games", "1", "--name", "one-v0")
    for name in ("one-v0/two-v0", "one-v0/data/two-v0", "one-v0/data/main_data/two-v0"):
        assert "there is a dataset one-v0" in refused(capsys, script, "--agent", "greedy", "--name", name)
    (folder / "taken").touch()
    assert "there is a dataset taken" in refused(
        capsys, script, "--agent", "greedy", "--name", "taken/two-v0"
    )
    assert sorted(left_in(folder)) == ["one-v0", "taken"]


LIMITED = """
import resource, sys
from ingenious_agents.commands import dataset
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
dataset.main(["--agent", "greedy", "--games", "40", "--folder", {folder!r}])
"""


@pytest.mark.parametrize("limit", [0, 100, 5000, 200_000])
def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path, limit):
    """As a limit of the size of files stands for it."""
    pytest.importorskip("resource")
    code = LIMITED.format(limit=limit, folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if "ingenious_env: compiling" not in line]
    assert done.returncode == 1, done.stderr
    assert "File too large" in lines[-1].rpartition("\r")[2]
    assert "Traceback" not in done.stderr
    assert left_in(tmp_path) == []


def test_what_a_killed_one_left_is_swept(folder, capsys):
    left = folder / ".dataset.1-killed.part"
    (left / "ingenious").mkdir(parents=True)
    (left / "ingenious" / "file").touch()
    made(capsys, "--agent", "greedy", "--games", "1", "--name", "mine-v0")
    assert left_in(folder) == ["mine-v0"]


def test_two_do_not_share_a_folder(folder, capsys):
    with locked_folder(folder, "--folder"):
        assert "is being written by another process" in refused(capsys, script, "--agent", "greedy")
    assert left_in(folder) == []


def test_episodes_are_written_one_by_one(folder, capsys, monkeypatch):
    """Those of one batch are held in memory, not all."""
    monkeypatch.setattr(script, "TOGETHER", 2)
    alive, most = 0, 0

    class Counted(script.EpisodeBuffer):
        def __init__(self, *arguments, **options):
            nonlocal alive, most
            super().__init__(*arguments, **options)
            alive += 1
            most = max(most, alive)

        def __del__(self):
            nonlocal alive
            alive -= 1

    monkeypatch.setattr(script, "EpisodeBuffer", Counted)
    assert made(capsys, "--agent", "greedy", "--games", "12").total_episodes == 12
    assert most <= 2
