"""The training script end to end, briefly: files, resuming, refusing what is not a checkpoint."""

from __future__ import annotations

import csv
import json
import pickle
import re
import shutil
import signal
import xml.etree.ElementTree as ET
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from commands import killed_once_saved, refused
from helpers import batch_at
from safetensors import safe_open
from tqdm import tqdm

pytest.importorskip("sb3_contrib")

import torch
from ingenious_agents import make_agent, play_match
from ingenious_agents.commands import match
from ingenious_agents.folders import locked_folder
from ingenious_agents.ppo.agent import NetworkPolicy
from ingenious_agents.ppo.training import Learner, Progress, Settings
from ingenious_agents.training.checkpoint import checkpoint_in
from ingenious_agents.training.evaluation import NOBODY, evaluate
from ingenious_agents.training.settings import settings_of
from stable_baselines3.common.logger import configure

from ingenious_env import GameBatch, Rules
from ingenious_env.engine.files import write_arrays
from ingenious_env.engine.state import PLACE
from ingenious_env.networks import PlacementNetwork
from ingenious_env.policies.view import View
from scripts import train_ppo

SHORT = ["--rounds", "2", "--steps", "128", "--num-envs", "8", "--num-steps", "8", "--hidden", "16"]
QUICK = [*SHORT, "--minibatch", "32", "--epochs", "1", "--curve-deals", "2", "--deals", "3", "--active", "2"]


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("the file's code was executed",))


def run(folder: Path, *options: str) -> dict[str, torch.Tensor]:
    """Train briefly; the weights."""
    is_solitaire = ("--players", "1") in pairwise(options)
    quick = QUICK[:-2] if is_solitaire else QUICK  # there are no opponents of which some are active
    train_ppo.main([*quick, "--folder", str(folder), *options])
    return NetworkPolicy.load(folder / "agent.safetensors").network.state_dict()


def again_in(folder: Path) -> list[str]:
    """The training resumed from the checkpoint of a folder."""
    return [*QUICK, "--folder", str(folder), "--resume"]


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one.keys() | other.keys())


def curve_of(folder: Path) -> list[list[str]]:
    """The curve, but for its seconds."""
    rows = csv.reader((folder / "curve.csv").read_text().splitlines())
    return [[each for name, each in enumerate(row) if name != 1] for row in rows]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files of a few seconds of training."""
    folder = tmp_path_factory.mktemp("ppo")
    run(folder)
    return folder


def test_it_trains_rates_and_draws(folder, capsys):
    names = {
        "agent.safetensors",
        "board.svg",
        "card.md",
        "checkpoint.pt",
        "curve.csv",
        "curve.svg",
        "tensorboard",
        ".lock",
    }
    assert names == {path.name for path in folder.iterdir()}
    for name in ("board.svg", "curve.svg"):
        ET.parse(folder / name)
    rows = list(csv.DictReader((folder / "curve.csv").read_text().splitlines()))
    assert [row["steps"] for row in rows] == ["128", "256"]
    card = (folder / "card.md").read_text()
    assert "| command | `python -m scripts.train_ppo --active 2 --rounds 2 --steps 128" in card
    for opponent in train_ppo.OPPONENTS:
        assert f"| {opponent} " in card
        assert 0 <= float(rows[0][f"{opponent} low"]) <= float(rows[0][opponent]) <= 1
    weights = sha256((folder / "agent.safetensors").read_bytes()).hexdigest()[:16]
    assert re.search(rf"\| weights +\| {weights} +\|", card)
    assert b"evaluation/greedy" in next((folder / "tensorboard").iterdir()).read_bytes()
    agent = make_agent(f"ppo:path={folder / 'agent.safetensors'}")
    assert play_match(Rules(), [agent, make_agent("uniform")], 2).games == 4
    match.main([f"ppo:path={folder / 'agent.safetensors'}", "uniform", "--deals", "3"])
    printed = capsys.readouterr().out
    assert "6 games" in printed
    assert "uniform" in printed


@pytest.mark.parametrize(
    "options",
    [
        ["--players", "1"],
        ["--players", "1", "--actions", "staged"],
        ["--actions", "staged"],
        ["--players", "3", "--opponents", "uniform", "--selves", "0"],
        ["--players", "4", "--partnership"],
        ["--imitate", "1"],
        ["--imitate", "2", "--players", "1", "--teacher", "greedy"],
        ["--imitate", "1", "--players", "4", "--partnership", "--actions", "staged"],
    ],
)
def test_every_variant_is_trained(options, tmp_path):
    run(tmp_path, *options)
    agent = make_agent(f"ppo:path={tmp_path / 'agent.safetensors'}")
    rules = agent.policy.rules
    assert rules == train_ppo.parse(options).rules
    assert agent.staged == ("staged" in options)
    others = [make_agent("uniform")] * (rules.num_sheets - 1)
    assert play_match(rules, [agent, *others], 2).games == 2 * rules.num_sheets


def test_the_same_seed_is_the_same_network(folder, tmp_path):
    weights = run(tmp_path / "again")
    assert same(weights, NetworkPolicy.load(folder / "agent.safetensors").network.state_dict())
    assert curve_of(tmp_path / "again") == curve_of(folder)
    assert not same(weights, run(tmp_path / "other", "--seed", "1"))


@pytest.mark.parametrize("imitated", [0, 3, 4])
def test_an_interrupted_training_goes_on_to_the_same_network(imitated, tmp_path, monkeypatch, capsys):
    teacher = ("--teacher", "greedy") if imitated else ()
    longer = ("--rounds", "4", "--selves", "1", "--imitate", str(imitated), *teacher)
    whole, calls, learn = run(tmp_path / "whole", *longer), [], torch.optim.Adam.step

    def interrupted(self, *arguments):
        calls.append(arguments)
        if len(calls) == 11:  # of four steps a round
            signal.raise_signal(signal.SIGINT)
        return learn(self, *arguments)

    monkeypatch.setattr(torch.optim.Adam, "step", interrupted)
    run(tmp_path / "part", *longer)
    assert "stopped early" in capsys.readouterr().out
    assert len(calls) < 16
    assert len(curve_of(tmp_path / "part")) == 1 + 2
    assert same(run(tmp_path / "part", *longer, "--resume"), whole)
    assert curve_of(tmp_path / "part") == curve_of(tmp_path / "whole")
    assert re.search(r"\| rounds +\| 4, 512 steps +\|", (tmp_path / "part" / "card.md").read_text())


def test_an_interruption_once_all_is_learned_does_not_stop_early(tmp_path, monkeypatch, capsys):
    save = train_ppo.save

    def interrupted(args, learner):
        if learner.done == args.rounds:
            signal.raise_signal(signal.SIGINT)
        save(args, learner)

    monkeypatch.setattr(train_ppo, "save", interrupted)
    run(tmp_path)
    assert "stopped early" not in capsys.readouterr().out


def test_stopped_in_its_first_round_a_training_leaves_what_was_there(folder, monkeypatch, capsys):
    before = (folder / "checkpoint.pt").read_bytes()
    signals = iter([signal.SIGINT])
    monkeypatch.setattr(torch.optim.Adam, "step", lambda *_: [signal.raise_signal(each) for each in signals])
    train_ppo.main([*QUICK, "--folder", str(folder)])
    assert "nothing to rate" in capsys.readouterr().out
    assert (folder / "checkpoint.pt").read_bytes() == before


def test_past_selves_explore_as_the_policy_would_have_it():
    """Of many equal positions each action is drawn as often as by its logit."""
    torch.manual_seed(3)
    batch = GameBatch(Rules(board_side=3, num_colours=3, rack_size=2), 1, 4)
    network = PlacementNetwork(batch.rules, 8, staged=False)
    crowd = batch.take(np.zeros(4000, np.int64))
    found = np.bincount(NetworkPolicy(batch.rules, network, sample=True).act(View(crowd)))
    logits = network(torch.from_numpy(batch.observe()))[0][0]
    legal = torch.from_numpy(batch.legal_mask()[0] == 1)
    expected = 4000 * logits.masked_fill(~legal, -torch.inf).softmax(0).detach().numpy()[: len(found)]
    seen = expected > 0
    assert found[~seen].sum() == 0
    chi = ((found - expected)[seen] ** 2 / expected[seen]).sum()
    freedom = seen.sum() - 1
    assert abs(chi - freedom) < 4 * (2 * freedom) ** 0.5


def test_two_stages_have_the_chances_of_one():
    """To a network that does not mind whether a tile is held."""
    torch.manual_seed(1)
    rules = Rules(board_side=4, num_colours=3, rack_size=3)
    flat, staged = PlacementNetwork(rules, 8), PlacementNetwork(rules, 8, staged=True)
    for layer in (flat.view[0], flat.choice[0]):
        layer.weight.data[:, -1] = 0  # of the input of this
    staged.load_state_dict(flat.state_dict())
    batch = batch_at(rules, 40, 6)  # the first round is over
    batch = batch.take(np.flatnonzero(batch.phase == PLACE))

    def chances(network, games):
        logits, _ = network(torch.from_numpy(games.observe()), torch.from_numpy(games.legal_mask()))
        return logits.softmax(1)

    whole, ways = chances(flat, batch), batch.actions.num_placements
    assert (whole[:, : rules.rack_size * ways].reshape(-1, 2, ways // 2)[:, 1] == 0).all(1).any()  # doubles
    picking = GameBatch.from_rows(rules, batch.state.memory, staged=True)
    picks = chances(staged, picking)
    for slot in range(rules.rack_size):
        rows = np.flatnonzero(picking.legal_mask()[:, slot])
        held = picking.take(rows)
        held.play(np.full(len(rows), slot))
        places = chances(staged, held)[:, rules.rack_size : rules.rack_size + ways]
        assert torch.allclose(
            picks[rows, slot, None] * places, whole[rows, slot * ways : (slot + 1) * ways], atol=1e-6
        )


def test_a_checkpoint_holds_the_pool_and_how_it_fares(tmp_path):
    options = (
        "--rounds",
        "1",
        "--num-steps",
        "48",
        "--steps",
        "384",
        "--minibatch",
        "192",
    )  # two games or so
    run(tmp_path, *options)
    args = train_ppo.parse([*QUICK, *options, "--folder", str(tmp_path), "--resume"])
    again = Learner(args.rules, settings_of(Settings, args))
    with checkpoint_in(tmp_path, args, train_ppo.MAY_CHANGE) as state:
        again.restore(state)
    assert list(again.pool.members) == ["uniform", "greedy", "concave", "self-1"]
    games = {name: games for name, (_, games) in again.pool.results.items()}
    assert sum(games.values()) > 4 * 4 + 8  # each counts as four from the beginning
    past = again.pool.members["self-1"].policy
    assert past.sample
    assert same(past.network.state_dict(), again.agent().network.state_dict())


def test_a_killed_training_goes_on_to_the_same_network(tmp_path):
    longer = ("--rounds", "6")
    killed_once_saved("train_ppo", [*QUICK, *longer, "--folder", str(tmp_path / "part")])
    resumed = run(tmp_path / "part", *longer, "--resume")
    assert same(resumed, run(tmp_path / "whole", *longer))
    assert curve_of(tmp_path / "part") == curve_of(tmp_path / "whole")


@pytest.mark.nightly
def test_it_learns():
    """One round lifts the lowest counter in solitaire, beyond what the two evaluations leave uncertain."""
    settings = Settings(rounds=1, steps=16_384, num_envs=64, num_steps=32, epochs=3, minibatch=512, seed=3)
    learner = Learner(Rules.solitaire(), settings)
    learner.model.set_logger(configure(None, []))
    before = evaluate(learner.agent(), learner.rules, 200, NOBODY)
    learner.learn(Progress(tqdm(disable=True), Event()))
    after = evaluate(learner.agent(), learner.rules, 200, NOBODY)
    assert after.best[1] > before.best[2] + 1
    assert after.best[2] - after.best[1] < 0.9 * (after.plain[2] - after.plain[1])  # luck-adjusted


@pytest.mark.nightly
def test_the_quick_preset_learns_to_win_against_greedy(tmp_path, capsys):
    """Untrained networks win at most 16 % against greedy."""
    train_ppo.main(["--folder", str(tmp_path)])
    share = re.search(r"against greedy: ([\d.]+)%", capsys.readouterr().out)
    assert float(share[1]) > 35


def test_an_agent_is_saved_whole(tmp_path):
    agent = NetworkPolicy(Rules(), PlacementNetwork(Rules(), 8, staged=True))
    agent.save(tmp_path / "agent.safetensors")
    again = NetworkPolicy.load(tmp_path / "agent.safetensors")
    batch = GameBatch(Rules(), 32, 0, staged=True)
    for _ in range(40):
        actions = agent.act(View(batch))
        assert np.array_equal(actions, again.act(View(batch)))
        assert batch.legal_mask()[np.arange(32), actions].all()
        batch.play(actions, auto_reset=True)
    with pytest.raises(ValueError, match="plays staged actions of players=2"):
        agent.act(View(GameBatch(Rules(), 2, 0)))


def test_foreign_and_tampered_files_are_refused_unexecuted(tmp_path, folder):
    path, whole = tmp_path / "agent.safetensors", (folder / "agent.safetensors").read_bytes()
    for content in (b"", b"hello", pickle.dumps(Bomb()), pickle.dumps(1), whole[:-200]):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="holds no PPO agent"):
            NetworkPolicy.load(path)
    with safe_open(folder / "agent.safetensors", framework="numpy") as file:
        header = json.loads(file.metadata()["header"])
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    write_arrays(path, {**header, "format": "ingenious-ppo 9"}, arrays)
    with pytest.raises(ValueError, match="its format is 'ingenious-ppo 9'"):
        NetworkPolicy.load(path)
    less, wide = dict(list(arrays.items())[:-1]), {**header, "hidden": 17}
    for changed, held in ((header, less), (wide, arrays), ({**header, "hidden": 1e99}, arrays)):
        write_arrays(path, changed, held)
        with pytest.raises(ValueError, match="holds no PPO agent"):
            NetworkPolicy.load(path)


@pytest.mark.parametrize("content", [b"", b"hello", pickle.dumps({"policy": 1})])
def test_foreign_checkpoints_are_refused(tmp_path, content, capsys):
    (tmp_path / "checkpoint.pt").write_bytes(content)
    assert "is not a checkpoint of this training" in refused(capsys, train_ppo, *again_in(tmp_path))
    assert (tmp_path / "checkpoint.pt").read_bytes() == content


def test_a_checkpoint_with_code_in_it_executes_nothing(tmp_path, capsys):
    torch.save({"policy": Bomb()}, tmp_path / "checkpoint.pt")
    assert "is not a checkpoint of this training" in refused(capsys, train_ppo, *again_in(tmp_path))


@pytest.mark.parametrize(
    "changes",
    [
        {"done": -1},
        {"done": 3},
        {"done": 1.5},
        {"seconds": float("inf")},
        {"env_seconds": -1.0},
        {"curve": [(1.0, 2.0)]},
        {"curve": [(float("nan"),) * 8]},
        {"pool": {"selves": {}, "results": {"greedy": (5.0, 1.0)}}},
        {"pool": {"selves": {}, "results": {"nobody": (0.0, 1.0)}}},
    ],
)
def test_tampered_checkpoints_are_refused(changes, folder, tmp_path, capsys):
    saved = torch.load(folder / "checkpoint.pt", weights_only=True)
    torch.save({**saved, "state": {**saved["state"], **changes}}, tmp_path / "checkpoint.pt")
    assert "is not a checkpoint of this training" in refused(capsys, train_ppo, *again_in(tmp_path))


def test_weights_that_are_no_numbers_are_refused(folder, tmp_path, capsys):
    saved = torch.load(folder / "checkpoint.pt", weights_only=True)
    next(iter(saved["state"]["policy"].values())).fill_(torch.nan)
    torch.save(saved, tmp_path / "checkpoint.pt")
    assert "not all numbers of policy are finite" in refused(capsys, train_ppo, *again_in(tmp_path))
    agent = NetworkPolicy.load(folder / "agent.safetensors")
    agent.network.view[0].weight.data[0, 0] = torch.inf
    agent.save(tmp_path / "agent.safetensors")
    with pytest.raises(ValueError, match="not all of its numbers are finite"):
        NetworkPolicy.load(tmp_path / "agent.safetensors")


def test_killed_before_its_last_agent_a_training_goes_on_to_the_same_one(folder, tmp_path):
    """The checkpoint of the last round is there, the agent is still that of the round before."""
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    agent = NetworkPolicy.load(folder / "agent.safetensors")
    agent.network.view[0].weight.data += 1
    agent.save(copy / "agent.safetensors")
    run(copy, "--resume")
    assert (copy / "agent.safetensors").read_bytes() == (folder / "agent.safetensors").read_bytes()


def test_two_trainings_do_not_share_a_folder(folder, capsys):
    before = (folder / "checkpoint.pt").read_bytes()
    with locked_folder(folder, "--folder"):
        assert "is being written by another process" in refused(capsys, train_ppo, *again_in(folder))
    assert (folder / "checkpoint.pt").read_bytes() == before


def test_a_folder_that_cannot_be_written_is_noticed_first(tmp_path, capsys, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(Learner, "learn", lambda *_: pytest.fail("it began to learn"))
    assert "File exists" in refused(capsys, train_ppo, *QUICK, "--folder", str(tmp_path / "file"))
    assert "Not a directory" in refused(capsys, train_ppo, *QUICK, "--folder", str(tmp_path / "file" / "a"))


def test_what_a_killed_training_left_half_written_is_cleared_away(tmp_path):
    left = tmp_path / ".agent.safetensors.17-ab12.part"
    left.touch()
    with locked_folder(tmp_path, "--folder"):
        assert not left.exists()


def test_a_checkpoint_of_other_options_is_refused(folder, tmp_path, capsys):
    before = (folder / "checkpoint.pt").read_bytes()
    again = again_in(folder)
    assert "was trained with --epochs 1, not 2" in refused(capsys, train_ppo, *again, "--epochs", "2")
    assert "was trained with --players 2, not 3" in refused(capsys, train_ppo, *again, "--players", "3")
    assert (folder / "checkpoint.pt").read_bytes() == before
    assert "there is no checkpoint" in refused(capsys, train_ppo, *again_in(tmp_path))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--players", "5"], "--players must be a whole number from 1 to 4"),
        (["--game", "loopit"], "--game must be ingenious"),
        (["--minibatch", "1"], "--minibatch must not leave one step"),
        (["--minibatch", "21"], "--minibatch must not leave one step over of the 64 in an update"),
        (["--device", "cuda"], "--device 'cuda' cannot be used"),
        (["--device", "tpu"], "--device 'tpu' cannot be used"),
        (["--opponents", "greedy,perfect"], "--opponents must be of uniform, greedy, lowest, concave"),
        (["--actions", "both"], "--actions must be one of flat, staged"),
        (["--rounds", "0"], "--rounds must be from 1 to"),
        (["--steps", "many"], "--steps must be a whole number"),
        (["--selves", "-1"], "--selves must be from 0 to"),
        (["--learning-rate", "0"], "--learning-rate must be more than 0"),
        (["--target-kl", "0"], "--target-kl must be more than 0"),
        (["--gamma", "1.5"], "--gamma must be from 0 to 1"),
    ],
)
def test_options_that_make_no_sense(options, complaint, tmp_path, capsys):
    assert complaint in refused(capsys, train_ppo, *SHORT, *options, "--folder", str(tmp_path))
    assert "an agent is one of" in refused(capsys, match, "greedy", "nobody")
