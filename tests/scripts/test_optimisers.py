"""The examples of optimisers: an interrupted run continues to the same result, and their agents and files."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from xml.etree import ElementTree

import numpy as np
import pytest
from filelock import FileLock
from ingenious_agents import evaluate, make_agent

from ingenious_env import Game, GameBatch, Rules, View

CMA = ["--generations", "3", "--population", "4", "--bags", "3", "--fresh", "4"]
OPTUNA = ["--trials", "4", "--games", "400", "--bags", "3", "--fresh", "4"]


@pytest.fixture
def cma():
    pytest.importorskip("cma")
    return import_module("scripts.examples.cma_utility")


@pytest.fixture
def sweep(monkeypatch):
    """The example of Optuna, with networks that follow from the options in place of trained ones."""
    pytest.importorskip("optuna")
    pytest.importorskip("torch")
    module = import_module("scripts.examples.optuna_value")
    from ingenious_env.games.ingenious.opponents.value import architecture
    from ingenious_env.policies.value import ValueNetwork

    def train(folder, games, options):
        digits = [int(1e6 * value) for value in options.values()]
        weights = np.random.default_rng([games, *digits]).normal(
            0, 0.2, architecture(Rules.solitaire()).num_weights
        )
        ValueNetwork(Rules.solitaire(), weights.astype(np.float32)).save(folder / "agent.safetensors")

    monkeypatch.setattr(module, "train", train)
    return module


def run(module, monkeypatch, capsys, words, folder):
    """The example's last lines, without the time."""
    monkeypatch.setattr(sys, "argv", ["example", *words, "--folder", str(folder)])
    capsys.readouterr()
    module.main()
    _, *lines = capsys.readouterr().out.splitlines()
    ElementTree.fromstring((folder / "objective.svg").read_bytes())
    return lines


def interrupted(module, monkeypatch, after: int):
    """Make the evaluation after some others end as by Ctrl-C; returns the list of the bags of each."""
    played = []

    def once(agent, bags, **options):
        if len(played) == after:
            raise KeyboardInterrupt
        played.append(bags)
        return evaluate(agent, bags, **options)

    monkeypatch.setattr(module, "evaluate", once)
    return played


def check_continues(module, monkeypatch, capsys, words, tmp_path, after, rest):
    """An interrupted run continues to the result of another one, with as many evaluations as it lacked."""
    whole = run(module, monkeypatch, capsys, words, tmp_path / "whole")
    interrupted(module, monkeypatch, after)
    with pytest.raises(SystemExit, match=r"interrupted: .* the same command continues from there"):
        run(module, monkeypatch, capsys, words, tmp_path / "pieces")
    played = interrupted(module, monkeypatch, -1)
    assert run(module, monkeypatch, capsys, words, tmp_path / "pieces") == whole
    assert len(played) == rest
    svg = [(tmp_path / name / "objective.svg").read_text() for name in ("whole", "pieces")]
    assert len(svg[0].split("<path")) == len(svg[1].split("<path"))


def test_cma_continues(cma, monkeypatch, capsys, tmp_path):
    check_continues(cma, monkeypatch, capsys, CMA, tmp_path, 6, 3 * 4 - 6 + 2)
    logs = [(tmp_path / name / "log.jsonl").read_text() for name in ("whole", "pieces")]
    assert logs[0] == logs[1]
    torn = tmp_path / "pieces" / "log.jsonl"
    torn.write_text(logs[0][:-9])  # as a killed process leaves it
    played = interrupted(cma, monkeypatch, -1)
    run(cma, monkeypatch, capsys, CMA, tmp_path / "pieces")
    assert len(played) == 1 + 2
    assert torn.read_text() == logs[0]


def test_optuna_continues(sweep, monkeypatch, capsys, tmp_path):
    check_continues(sweep, monkeypatch, capsys, OPTUNA, tmp_path, 2, 4 - 2 + 2)
    longer = [*OPTUNA, "--trials", "5"]
    played = interrupted(sweep, monkeypatch, -1)
    run(sweep, monkeypatch, capsys, longer, tmp_path / "whole")
    assert len(played) == 1 + 2


@pytest.mark.parametrize("rated", [0, 1])
@pytest.mark.parametrize(("name", "words", "tried"), [("cma", CMA, 3 * 4), ("sweep", OPTUNA, 4)])
def test_an_interruption_of_the_rating_at_the_end_is_one_sentence(
    name, words, tried, rated, request, monkeypatch, capsys, tmp_path
):
    module = request.getfixturevalue(name)
    played = interrupted(module, monkeypatch, tried + rated)
    with pytest.raises(SystemExit, match=r"interrupted: .* the same command continues from there"):
        run(module, monkeypatch, capsys, words, tmp_path)
    assert len(played) == tried + rated


def test_the_first_trial_has_the_defaults_of_the_training(sweep, monkeypatch, capsys, tmp_path):
    from scripts.train_value import parse

    defaults = parse(["--players", "1"])
    for name, value in sweep.DEFAULTS.items():
        assert getattr(defaults, name.replace("-", "_")) == value
    run(sweep, monkeypatch, capsys, OPTUNA, tmp_path)
    study = sweep.opened(tmp_path, {"games": 400, "bags": 3, "seed": 0})
    assert study.trials[0].params == sweep.DEFAULTS
    assert study.trials[1].params != sweep.DEFAULTS


def test_a_training_continues_from_its_checkpoint(monkeypatch, tmp_path):
    pytest.importorskip("optuna")
    module, commands = import_module("scripts.examples.optuna_value"), []

    def called(command, **_):
        commands.append(command)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(module.subprocess, "run", called)
    module.train(tmp_path, 400, {"epsilon": 0.5})
    (tmp_path / "checkpoint.pt").touch()
    module.train(tmp_path, 400, {"epsilon": 0.5})
    assert commands[1] == [*commands[0], "--resume"]
    assert commands[0][commands[0].index("--epsilon") + 1] == "0.5"


@pytest.mark.parametrize("name", ["cma", "sweep"])
def test_a_folder_belongs_to_one_run(name, request, monkeypatch, capsys, tmp_path):
    module, words = request.getfixturevalue(name), {"cma": CMA, "sweep": OPTUNA}[name]
    run(module, monkeypatch, capsys, words, tmp_path)
    with pytest.raises(SystemExit, match="give another --folder"):
        run(module, monkeypatch, capsys, [*words, "--bags", "5"], tmp_path)
    with FileLock(tmp_path / "lock"), pytest.raises(SystemExit, match="written by another process"):
        run(module, monkeypatch, capsys, words, tmp_path)


# The utility.


def by_hand(game: Game, parameters) -> float:
    """The utility of a position, cell by cell."""
    geometry, colours = game.rules.geometry, game.rules.num_colours
    board = game.board.tolist()
    is_open = [
        colour == 0 and any(other < len(board) and board[other] == 0 for other in geometry.neighbours[cell])
        for cell, colour in enumerate(board)
    ]
    supply = [
        2 * game.rules.num_tiles / colours + 1 - board.count(colour) for colour in range(1, colours + 1)
    ]
    ends = []
    for colour in range(colours):
        points = sorted(
            int(game.state.points[0, colour, cell]) if is_open[cell] else 0 for cell in range(len(board))
        )
        features = [*points[-4:], sum(points) / len(points), sum(each > 2 for each in points) / len(points)]
        left = supply[colour] / sum(supply) * sum(is_open) / 10
        end = int(game.scores[0][colour])
        end += sum(weight * feature for weight, feature in zip(parameters[:6], features, strict=True))
        end += left * (parameters[12] + sum(np.multiply(parameters[6:12], features)))
        ends.append(end)
    concavity = 0.5 * np.exp(parameters[13])
    return -float(np.log(sum(np.exp(-concavity * end) for end in ends)) / concavity)


@pytest.mark.parametrize("moves", [0, 5, 20])
def test_the_utility_of_a_position(cma, moves):
    game = Game(Rules.solitaire(), 5)
    for _ in range(moves):
        game.play(int(make_agent("greedy").act(View.of(game))[0]))
    parameters = np.random.default_rng(moves).normal(0, 0.3, cma.NUM_PARAMETERS)
    (found,) = cma.Utility(tuple(parameters)).utilities(View.of(game))
    assert found == pytest.approx(by_hand(game, parameters))


def test_the_placement_of_the_highest_utility_is_played(cma):
    """Of those that it tries, in each game of a batch."""
    parameters = tuple(np.random.default_rng(1).normal(0, 0.3, cma.NUM_PARAMETERS))
    agent, games = cma.Utility(parameters), GameBatch(Rules.solitaire(), 4, 7)
    for _ in range(12):
        chosen = agent.act(View(games))
        rows, actions = agent.placements(View(games))
        for row in range(4):
            ends = {}
            for action in actions[rows == row].tolist():
                game = games[row]
                game.play(action)
                ends[action] = by_hand(game, parameters)
            assert ends[int(chosen[row])] == pytest.approx(max(ends.values()))
            assert len(ends) == cma.TRIED
        games.play(chosen)


def test_the_tuned_utility_plays_by_its_name(cma, tmp_path):
    parameters = np.random.default_rng(2).normal(0, 0.1, cma.NUM_PARAMETERS).tolist()
    (tmp_path / "utility.json").write_text(json.dumps(parameters))
    agent = make_agent(f"scripts.examples.cma_utility.Tuned:path={tmp_path / 'utility.json'}")
    one, other = (evaluate(each, 5, adjusted=False) for each in (agent, cma.Utility(tuple(parameters))))
    assert one.lowest.tolist() == other.lowest.tolist()
