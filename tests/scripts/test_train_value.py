"""Training a value network: it learns, is reproducible, and can be resumed."""

from __future__ import annotations

import re
import shlex
import signal
import xml.etree.ElementTree as ET
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from commands import killed_once_saved, refused
from sampled import nightly_but

pytest.importorskip("torch")

import torch
from ingenious_agents.commands import match, solitaire
from ingenious_agents.executors import SerialExecutor
from ingenious_agents.folders import locked_folder
from ingenious_agents.provenance import command_of, option_name
from ingenious_agents.training.evaluation import EVALUATION_SEED
from ingenious_agents.value.self_play import SelfPlay
from ingenious_agents.value.training import Learner, Settings, played_batches, shares_of
from safetensors.numpy import load_file

from ingenious_env import Rules
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.value import ValueNetwork
from scripts import field as field_script
from scripts import train_ppo, train_value

SMALL = ["--players", "1", "--games", "60", "--batch", "20", "--minibatch", "100"]
QUICK = [*SMALL, "--deals", "5", "--evaluations", "1"]


def again_in(folder: Path) -> list[str]:
    """The training resumed from the checkpoint of a folder."""
    return [*QUICK, "--folder", str(folder), "--resume"]


@pytest.fixture(autouse=True)
def _short_curves(monkeypatch):
    """Few deals for each point of a learning curve: no test asks how exact it is."""
    monkeypatch.setattr(train_value, "CURVE_DEALS", 4)


def run(folder, *options: str) -> ValueNetwork:
    train_value.main([*QUICK, "--folder", str(folder), *options])
    return ValueNetwork.load(folder / "agent.safetensors")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The files of a second of training."""
    folder = tmp_path_factory.mktemp("value")
    run(folder)
    return folder


def test_the_same_seed_is_the_same_network(tmp_path):
    network = run(tmp_path / "one", "--threads", "1")
    assert np.array_equal(network.weights, run(tmp_path / "two", "--threads", "2").weights)
    assert not np.array_equal(network.weights, run(tmp_path / "other", "--seed", "1").weights)


@pytest.mark.parametrize("at", ["play", "learn"])
def test_an_interrupted_training_goes_on_to_the_same_network(at, tmp_path, monkeypatch):
    whole, calls = run(tmp_path / "whole"), []
    owner, name = (SelfPlay, "play") if at == "play" else (torch.optim.Adam, "step")
    act, stops_at = getattr(owner, name), 2 if at == "play" else 12  # 20 games take eight steps or so

    def interrupted(self, *arguments):
        calls.append(arguments)
        if len(calls) == stops_at:
            signal.raise_signal(signal.SIGINT)
        return act(self, *arguments)

    monkeypatch.setattr(owner, name, interrupted)
    part = run(tmp_path / "part")
    stopped_after = len(calls)
    assert not np.array_equal(part.weights, whole.weights)
    assert np.array_equal(run(tmp_path / "part", "--resume").weights, whole.weights)
    assert len(calls) > stopped_after


def test_an_interruption_in_the_last_batch_does_not_stop_early(tmp_path, monkeypatch, capsys):
    learn, calls = Learner.learn, []

    def interrupted(self, *arguments):
        calls.append(arguments)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        learn(self, *arguments)

    monkeypatch.setattr(Learner, "learn", interrupted)
    run(tmp_path)
    assert len(calls) == 3
    assert "stopped early" not in capsys.readouterr().out


def test_a_second_interrupt_leaves_the_last_checkpoint(tmp_path, capsys, monkeypatch):
    run(tmp_path)
    saved = (tmp_path / "checkpoint.pt").read_bytes()

    def interrupted(*_arguments):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Learner, "learn", interrupted)
    with pytest.raises(SystemExit) as stopped:
        run(tmp_path)
    assert stopped.value.code == 1
    assert capsys.readouterr().err.splitlines()[-1] == "python -m scripts.train_value: interrupted"
    assert (tmp_path / "checkpoint.pt").read_bytes() == saved


def test_a_killed_training_goes_on_to_the_same_network(tmp_path):
    """Killed as soon as there is a checkpoint, so that nothing can be put in order any more."""
    longer = ("--games", "100", "--evaluations", "5")
    killed_once_saved("train_value", [*QUICK, "--folder", str(tmp_path / "part"), *longer])
    resumed = run(tmp_path / "part", "--resume", *longer)
    assert np.array_equal(resumed.weights, run(tmp_path / "whole", *longer).weights)


@pytest.mark.parametrize(("games", "warm"), [(100_000, 2000), (8000, 800)])
def test_the_learning_rate_rises_and_falls(games, warm):
    training = Learner(Rules(), Settings(games=games, batch=200, learning_rate=0.5))
    rates = {}
    for done in (0, warm // 2 - 200, warm - 200, games // 2, games - 200):
        training.done = done
        rates[done] = training.learning_rate / (0.5 * (1 - done / games))
    assert list(rates.values()) == pytest.approx([200 / warm, 0.5, 1, 1, 1])


def test_a_budget_gives_way_to_what_is_given():
    assert train_value.parse([]).games == 40_000
    assert train_value.parse(["--budget", "full"]).games == 600_000
    assert train_value.parse(["--budget", "full", "--games", "7"]).games == 7


@pytest.mark.parametrize("module", [train_value, train_ppo])
def test_the_commands_of_earlier_cards_train_as_before(module):
    earlier, now = (module.parse([option, "full"]) for option in ("--preset", "--budget"))
    assert earlier == now != module.parse([])


LOOPIT = ["--game", "loopit", "--games", "40", "--batch", "10", "--candidates", "3", "--deals", "2"]


@pytest.mark.nightly
def test_loopit_is_trained_by_the_same_command(tmp_path):
    """On any number of threads; after a stop, it resumes to the same network."""

    def train(folder, *options):
        train_value.main([*LOOPIT, "--evaluations", "1", "--folder", str(tmp_path / folder), *options])
        return ValueNetwork.load(tmp_path / folder / "agent.safetensors")

    whole = train("whole", "--threads", "1")
    assert whole.rules == LoopitRules(2)
    assert np.array_equal(train("two", "--threads", "2").weights, whole.weights)
    fixed = train("fixed", "--players", "3", "--fixed-rounds")
    assert fixed.rules == LoopitRules(3, fixed_rounds=True)
    card = (tmp_path / "whole" / "card.md").read_text()
    assert card.startswith("# Value network: players=2 rounds=free rack=5 turn=3 material=standard\n")
    assert re.findall(r"^\| (planner|greedy|tree:rollouts=200) +\| \d", card, re.MULTILINE) == [
        "planner",
        "greedy",
        "tree:rollouts=200",
    ]
    assert re.search(r"\| games +\| seconds +\| share of wins against planner +\| low +\| high +\|", card)
    assert ET.fromstring((tmp_path / "whole" / "board.svg").read_text()).tag.endswith("svg")


def test_an_interrupted_training_of_loopit_goes_on_to_the_same_network(tmp_path, monkeypatch):
    command = [*LOOPIT, "--evaluations", "1", "--folder"]
    train_value.main([*command, str(tmp_path / "whole")])
    play, calls = SelfPlay.play, []

    def interrupted(self, *arguments):
        calls.append(arguments)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
        return play(self, *arguments)

    monkeypatch.setattr(SelfPlay, "play", interrupted)
    train_value.main([*command, str(tmp_path / "part")])
    assert len(calls) == 2
    train_value.main([*command, str(tmp_path / "part"), "--resume"])
    networks = [
        ValueNetwork.load(tmp_path / name / "agent.safetensors").weights for name in ("whole", "part")
    ]
    assert np.array_equal(*networks)


def test_loopit_has_defaults_of_its_own():
    quick, full = (
        train_value.parse(["--game", "loopit", "--budget", budget]) for budget in ("quick", "full")
    )
    assert (quick.games, full.games) == (10_000, 100_000)
    assert (quick.minibatch, quick.learning_rate, quick.candidates, quick.td_lambda) == (128, 3e-3, 32, 0.8)
    assert train_value.parse(["--game", "loopit", "--games", "7"]).games == 7


def test_alone_other_defaults_hold_and_give_way_to_what_is_given():
    alone, two = train_value.parse(["--players", "1"]), train_value.parse([])
    assert (alone.td_lambda, alone.minibatch) == (1, 256)
    assert (two.td_lambda, two.minibatch) == (0.8, 512)
    assert alone.epsilon == two.epsilon == 0.1
    assert train_value.parse(["--players", "1", "--td-lambda", "0.9"]).td_lambda == 0.9
    assert train_value.parse(["--players", "1", "--epsilon", "0"]).epsilon == 0


@pytest.mark.parametrize("module", [train_value, train_ppo])
@pytest.mark.parametrize(
    "options", ["", "--budget full", "--players 1", "--partnership --budget full --seed 3"]
)
def test_the_command_on_a_card_trains_so_again(module, options):
    by_default = module.parse(options.split())
    for field in fields(by_default):
        if field.name == "players" and by_default.partnership:
            continue  # is only for four
        value = getattr(module.Args(), field.name)  # the default of the class, before budget and variant
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        given = [option_name(field.name), str(value)] if is_number else []
        args = module.parse([*given, *options.split()])
        assert module.parse(command_of(module.PROG, args).split()[3:]) == args


def test_a_command_on_a_card_is_quoted_for_a_shell():
    args = train_ppo.parse(
        ["--players", "4", "--imitate", "1", "--teacher", "value:path=my runs/it's.safetensors"]
    )
    words = shlex.split(command_of(train_ppo.PROG, args))
    assert words[-1] == "value:path=my runs/it's.safetensors"
    assert train_ppo.parse(words[3:]) == args


@pytest.mark.parametrize(
    ("module", "options", "complaint"),
    [
        (
            train_ppo,
            "--players 1 --opponents uniform --active 2",
            "with --players 1 these would be ignored: --opponents, --active",
        ),
        (train_ppo, "--players 1 --selves 3", "with --players 1 these would be ignored: --selves"),
        (train_ppo, "--teacher nonsense", "without --imitate N these would be ignored: --teacher"),
        (train_value, "--ray --threads 1", "with --ray these would be ignored: --threads"),
        (field_script, "two --show --deals 3", "with --show these would be ignored: --deals"),
    ],
)
def test_options_without_effect_are_refused(module, options, complaint, capsys):
    assert complaint in refused(capsys, module, *options.split())


def test_a_training_leaves_its_card_its_curve_and_a_board(tmp_path, capsys):
    """And shows the progress of the games and of the rating."""
    run(tmp_path, "--evaluations", "3")
    bars = capsys.readouterr().err
    assert "training: 100%" in bars
    assert "rating:   0%" in bars
    names = {"agent.safetensors", "board.svg", "card.md", "checkpoint.pt", "curve.csv", "curve.svg", ".lock"}
    assert {path.name for path in tmp_path.iterdir()} == names
    for name in ("board.svg", "curve.svg"):
        ET.parse(tmp_path / name)
    card = (tmp_path / "card.md").read_text()
    options = "--players 1 --games 60 --batch 20 --minibatch 100 --evaluations 3 --deals 5"
    assert re.search(rf"\| command +\| `python -m scripts.train_value {options}` +\|", card)
    names, *rows = (tmp_path / "curve.csv").read_text().splitlines()
    assert names == "games,seconds,nobody,nobody low,nobody high"
    assert re.findall(r"^\| (\d+) +\| [\d.]+ +\|", card, re.MULTILINE) == [row.split(",")[0] for row in rows]
    assert re.search(r"\| nobody +\| lowest counter", card)
    weights = load_file(tmp_path / "agent.safetensors")["weights"]
    assert re.search(rf"\| weights +\| {sha256(weights.tobytes()).hexdigest()[:16]} +\|", card)


def test_it_learns(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(train_value, "CURVE_DEALS", 40)
    options = ("--games", "1500", "--batch", "100", "--candidates", "8", "--td-lambda", "0.95")
    run(tmp_path, *options, "--minibatch", "200")
    curve = np.loadtxt(tmp_path / "curve.csv", delimiter=",", skiprows=1, ndmin=2)
    assert curve[-1, 0] == 1500
    assert curve[-1, 2] > 10  # uniform 1.4, a network that knows nothing about 5
    assert "lowest counter" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--players", "5"], "--players must be a whole number from 1 to 4"),
        (["--partnership", "--players", "3"], "--partnership is for 4 players, not 3"),
        (["--seed", "-1"], "--seed must be from 0 to 4294967295, not -1"),
        (["--games", "0"], "--games must be from 1 to"),
        (["--games", "1e3"], "--games must be a whole number, not '1e3'"),
        (["--lag", "-1"], "--lag must be from 0 to"),
        (["--workers", "2"], "--workers needs --ray"),
        (["--td-lambda", "1.5"], "--td-lambda must be from 0 to 1"),
        (["--learning-rate", "0"], "--learning-rate must be more than 0"),
        (["--game", "chess"], "invalid choice 'chess'"),
        (["--fixed-rounds"], "--fixed-rounds is for loopit, not ingenious"),
        (["--side", "2"], "--side must be from 3 to 10, not 2"),
        (["--players", "2", "--rack", "1"], "--rack must be from 2 to 6, not 1"),
        (["--game", "loopit", "--rack", "4"], "--side, --colours, --rack, --counter-top are for ingenious"),
        (["--game", "loopit", "--players", "1"], "--players 1 is for ingenious, not loopit"),
        (["--game", "loopit", "--partnership"], "--partnership is for ingenious, not loopit"),
    ],
)
def test_options_that_make_no_sense(options, complaint, capsys):
    assert complaint in refused(capsys, train_value, *options)


TINY = ["--side", "3", "--colours", "2"]


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        (TINY, Rules(1, board_side=3, num_colours=2)),
        (["--players", "2", *TINY, "--rack", "2"], Rules(2, board_side=3, num_colours=2, rack_size=2)),
    ],
)
def test_a_small_variant_is_trained_resumed_and_played(options, rules, tmp_path, capsys):
    """By the agent with the path of its file, which refuses other variants."""
    network = run(tmp_path / "whole", *options)
    assert network.rules == rules
    longer = ["--games", "100", "--evaluations", "5"]
    killed_once_saved("train_value", [*QUICK, *options, *longer, "--folder", str(tmp_path / "part")])
    resumed = run(tmp_path / "part", *options, *longer, "--resume")
    assert np.array_equal(resumed.weights, run(tmp_path / "longer", *options, *longer).weights)
    again = [*again_in(tmp_path / "part"), *options, *longer, "--counter-top", "9"]
    assert "was trained with --counter-top 18, not 9" in refused(capsys, train_value, *again)
    card, sizes = (tmp_path / "whole" / "card.md").read_text(), options[options.index("--side") :]
    assert all(words in card for words in (" ".join(sizes), "side=3 colours=2"))
    assert "luck-adjusted" not in card
    agent, log = f"value:path={tmp_path}/whole/agent.safetensors", str(tmp_path / "log.jsonl")
    if rules.num_players == 1:
        play, words = solitaire, [agent, "--deals", "3", "--processes", "1", "--out", log]
    else:
        play, words = match, [agent, "greedy", "--deals", "3"]
    play.main([*words, *sizes])
    assert f"| {agent} |" in capsys.readouterr().out
    words[-1] = str(tmp_path / "other.jsonl") if play is solitaire else "3"
    said = refused(capsys, play, *words, *sizes[:-1], "3")
    assert "this network plays players=" in said


def test_checkpoints_that_do_not_fit(tmp_path, capsys):
    again = again_in(tmp_path)
    assert "there is no checkpoint" in refused(capsys, train_value, *again)
    run(tmp_path)
    assert "was trained with --seed 0, not 3" in refused(capsys, train_value, *again, "--seed", "3")
    assert "with --epsilon 0.1, not 0.2" in refused(capsys, train_value, *again, "--epsilon", "0.2")
    assert "was trained with --lag 0, not 1" in refused(capsys, train_value, *again, "--lag", "1")
    torch.save({"network": {}}, tmp_path / "checkpoint.pt")
    assert "is not a checkpoint of this training" in refused(capsys, train_value, *again)


@pytest.mark.parametrize(
    "changes",
    [
        {"done": -20},
        {"done": 30},
        {"done": 80},
        {"seconds": float("inf")},
        {"learning_seconds": -1.0},
        {"curve": [(60, 1.0, 2.0)]},
        {"curve": [(60, 1.0, 2.0, 3.0, float("nan"))]},
        {"played_by": []},
        {"network": {}},
    ],
)
def test_tampered_checkpoints_are_refused(changes, trained, tmp_path, capsys):
    saved = torch.load(trained / "checkpoint.pt", weights_only=True)
    torch.save({**saved, "state": {**saved["state"], **changes}}, tmp_path / "checkpoint.pt")
    assert "is not a checkpoint of this training" in refused(capsys, train_value, *again_in(tmp_path))


def test_weights_that_are_no_numbers_are_refused(trained, tmp_path, capsys):
    saved = torch.load(trained / "checkpoint.pt", weights_only=True)
    next(iter(saved["state"]["control"].values())).fill_(torch.nan)
    torch.save(saved, tmp_path / "checkpoint.pt")
    assert "not all numbers of control are finite" in refused(capsys, train_value, *again_in(tmp_path))


def test_two_trainings_do_not_share_a_folder(trained, capsys):
    with locked_folder(trained, "--folder"):
        assert "is being written by another process" in refused(capsys, train_value, *again_in(trained))


# Workers that are behind.


def test_batches_are_played_by_the_network_some_updates_back():
    """With a lag of 2, batch b by the weights after b − 2 updates, on any number of workers."""
    settings = Settings(games=120, batch=20, minibatch=100, candidates=4, td_lambda=1.0, lag=2)
    learner = Learner(Rules.solitaire(), settings)
    versions, played = [learner.value_network().weights], []

    class Noted(SerialExecutor):
        def submit(self, function, /, weights, seed, first, count):
            played.append((first // 20, weights))
            return super().submit(function, weights, seed, first, count)

    for games in played_batches(learner, Noted(), 3):
        learner.learn(games)
        versions.append(learner.value_network().weights)
    assert [batch for batch, _ in played] == [each for batch in range(6) for each in [batch] * 3]
    for batch, weights in played:
        assert np.array_equal(weights, versions[max(0, batch - 2)])
    assert not np.array_equal(versions[2], versions[3])


@pytest.mark.parametrize(
    ("workers", "lag", "batch", "shares"),
    [
        (1, 0, 200, 1),
        (4, 0, 200, 4),
        (4, 1, 200, 2),
        (5, 1, 200, 3),
        (4, 9, 200, 1),
        (100, 0, 200, 20),
        (8, 0, 5, 1),
    ],
)
def test_all_workers_have_a_share_of_the_batches_in_flight(workers, lag, batch, shares):
    assert shares_of(workers, lag, batch) == shares


@pytest.mark.parametrize("lag", nightly_but(["3"], ["1", "3"]))
def test_a_training_with_a_lag_goes_on_to_the_same_network(lag, tmp_path, monkeypatch):
    options = ("--games", "160", "--lag", lag)
    whole, calls = run(tmp_path / "whole", *options), []
    learn = Learner.learn

    def interrupted(self, games):
        calls.append(games)
        if len(calls) == 4:
            signal.raise_signal(signal.SIGINT)
        learn(self, games)

    monkeypatch.setattr(Learner, "learn", interrupted)
    part = run(tmp_path / "part", *options)
    assert len(calls) == 4
    assert not np.array_equal(part.weights, whole.weights)
    again = run(tmp_path / "part", "--resume", *options, "--threads", "3")
    assert np.array_equal(again.weights, whole.weights)
    assert not np.array_equal(run(tmp_path / "without", "--games", "160").weights, whole.weights)


def test_no_deal_of_a_training_is_one_of_an_evaluation():
    seeds = {Learner(Rules(), Settings(seed=seed)).deals for seed in range(50)}
    assert len(seeds) == 50
    assert not seeds & {*range(1000), EVALUATION_SEED}


class Harmful:
    def __reduce__(self):
        return print, ("this must not be printed",)


def test_code_in_a_checkpoint_is_not_executed(tmp_path, capsys):
    torch.save({"args": {}, "state": Harmful()}, tmp_path / "checkpoint.pt")
    with pytest.raises(SystemExit):
        train_value.main(again_in(tmp_path))
    said = capsys.readouterr()
    assert "is not a checkpoint of this training" in said.err
    assert "this must not be printed" not in said.out
