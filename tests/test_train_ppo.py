"""The training script end to end, briefly: files, resuming, refusing what is no checkpoint."""

from __future__ import annotations

import csv
import pickle
import xml.etree.ElementTree as ET
import zipfile

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from agents import make_agent, play_match
from agents.networks import GameNetwork
from agents.ppo import NetworkPolicy
from ingenious_env import GameBatch, Rules
from ingenious_env.policies import View
from scripts import match, train_ppo

SHORT = ["--games", "3", "--num-envs", "8", "--num-steps", "8", "--hidden", "16"]


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("the file's code was executed",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What a few seconds of training leave behind."""
    folder = tmp_path_factory.mktemp("ppo")
    train_ppo.main(["--minutes", "0.05", "--folder", str(folder), *SHORT])
    return folder


def test_it_trains_rates_and_draws(folder, capsys):
    assert {"agent.npz", "board.svg", "checkpoint.pt", "curve.csv"} == {
        path.name for path in folder.iterdir()
    }
    ET.parse(folder / "board.svg")
    rows = list(csv.DictReader((folder / "curve.csv").read_text().splitlines()))
    assert float(rows[0]["seconds"]) < 0.1
    agent = make_agent(f"ppo:path={folder / 'agent.npz'}")
    assert play_match(Rules(), [agent, make_agent("uniform")], 2).games == 4
    match.main([f"ppo:path={folder / 'agent.npz'}", "uniform", "--games", "3"])
    printed = capsys.readouterr().out
    assert "6 games" in printed
    assert "uniform" in printed


def test_it_goes_on_from_its_checkpoint(folder, capsys):
    before = torch.load(folder / "checkpoint.pt", weights_only=True)
    train_ppo.main(["--minutes", "0.08", "--folder", str(folder), "--resume", *SHORT])
    after = torch.load(folder / "checkpoint.pt", weights_only=True)
    assert after["steps"] > before["steps"]
    assert after["curve"][: len(before["curve"])] == before["curve"]
    assert "uniform" in capsys.readouterr().out


def test_an_agent_is_saved_whole(tmp_path):
    agent = NetworkPolicy(Rules(), GameNetwork(Rules(), 8))
    agent.save(tmp_path / "agent.npz")
    again = NetworkPolicy.load(tmp_path / "agent.npz")
    batch = GameBatch(Rules(), 32, 0, staged=True)
    for _ in range(40):
        actions = agent.act(View(batch))
        assert np.array_equal(actions, again.act(View(batch)))
        assert batch.legal_mask()[np.arange(32), actions].all()
        batch.play(actions, auto_reset=True)
    with pytest.raises(ValueError, match="plays staged actions of players=2"):
        agent.act(View(GameBatch(Rules(), 2, 0)))


def test_foreign_and_tampered_files_are_refused_unexecuted(tmp_path, folder):
    path = tmp_path / "agent.npz"
    bomb = np.empty(1, object)
    bomb[0] = Bomb()
    np.savez(path, header=bomb, allow_pickle=True)
    with pytest.raises(ValueError, match="holds no PPO agent"):
        NetworkPolicy.load(path)
    for content in (b"", b"hello", pickle.dumps(1), (folder / "agent.npz").read_bytes()[:-200]):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="holds no PPO agent"):
            NetworkPolicy.load(path)
    np.savez(path, header=np.array('{"format": "ingenious-ppo 9"}'))
    with pytest.raises(ValueError, match="its format is 'ingenious-ppo 9'"):
        NetworkPolicy.load(path)
    NetworkPolicy(Rules(), GameNetwork(Rules(), 8)).save(path)
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(tmp_path / "less.npz", "w") as less:
        for name in whole.namelist()[:-1]:
            less.writestr(name, whole.read(name))
    with pytest.raises(ValueError, match="holds no PPO agent"):
        NetworkPolicy.load(tmp_path / "less.npz")


@pytest.mark.parametrize("content", [b"", b"hello", pickle.dumps({"policy": 1})])
def test_foreign_checkpoints_are_refused(tmp_path, content):
    (tmp_path / "checkpoint.pt").write_bytes(content)
    with pytest.raises(ValueError, match="is no checkpoint of this training"):
        train_ppo.main(["--minutes", "0.02", "--folder", str(tmp_path), "--resume", *SHORT])
    assert (tmp_path / "checkpoint.pt").read_bytes() == content


def test_a_checkpoint_with_code_in_it_executes_nothing(tmp_path):
    torch.save({"policy": Bomb()}, tmp_path / "checkpoint.pt")
    with pytest.raises(ValueError, match="is no checkpoint of this training"):
        train_ppo.main(["--minutes", "0.02", "--folder", str(tmp_path), "--resume", *SHORT])


def test_bad_options(tmp_path, capsys):
    for options in (["--players", "5"], ["--opponent", "perfect"], ["--minutes", "0"], ["--minutes", "soon"]):
        with pytest.raises(SystemExit):
            train_ppo.main([*options, "--folder", str(tmp_path)])
        assert options[0] in capsys.readouterr().err
    with pytest.raises(ValueError, match="there is no checkpoint"):
        train_ppo.main(["--resume", "--folder", str(tmp_path)])
    with pytest.raises(SystemExit):
        match.main(["greedy", "nobody"])
    assert "an agent is one of" in capsys.readouterr().err
