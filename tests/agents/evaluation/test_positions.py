"""Sets of positions: the solved endings of the package, files that are read, written and refused."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from commands import refused
from ingenious_agents.commands import score as script
from ingenious_agents.evaluation.positions import (
    DISAGREEMENTS,
    ENDINGS,
    FOLDER,
    Rollouts,
    path_of,
    read_positions,
    set_of,
    write_positions,
)
from ingenious_agents.search.exact import Solver

from ingenious_env import Rules
from ingenious_env.games.loopit import Rules as LoopitRules
from scripts import endings

SOLVED = path_of("ingenious", "solitaire", ENDINGS)


@pytest.fixture(scope="module")
def positions():
    return read_positions(SOLVED)


def test_the_endings_are_those_of_the_page(positions):
    """As many of each kind, of different games, with all legal placements, at the right time of the game."""
    groups = [each.group for each in positions]
    assert {group: groups.count(group) for group in groups} == {
        f"{left} placements left": len(positions) // 3 for left in endings.PLACEMENTS_LEFT[1]
    }
    assert len({each.seed for each in positions}) == len(positions)
    for each in positions[::7]:
        game = each.game()
        assert set(each.values) == set(map(int, game.legal_actions()))
        assert f"{endings.placements_left(game)} placements" <= each.group
        assert each.rollouts is None


def test_their_values_are_exact(positions):
    solver = Solver(Rules.solitaire(), 1 << 24)
    for each in random.Random(4).sample(positions, 12):  # noqa: S311 - a sample needs no cryptography
        found = solver.solve(each.game())
        for action, value in zip(found.actions.tolist(), found.values.tolist(), strict=True):
            assert each.values[action] == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("name", ["set.jsonl", "set.jsonl.gz"])
def test_a_set_is_written_and_read(name, positions, tmp_path):
    few = positions[:3]
    write_positions(tmp_path / name, few)
    assert read_positions(tmp_path / name) == few
    errors = dict.fromkeys(few[0].values, 0.25)
    few = [replace(few[0], rollouts=Rollouts("value", "5e0c", 64, 17.5, errors))]
    write_positions(tmp_path / name, few)
    assert read_positions(tmp_path / name) == few
    content = (tmp_path / name).read_bytes()
    write_positions(tmp_path / name, few)
    assert (tmp_path / name).read_bytes() == content, "the same set is another file"


def test_the_best_value(positions):
    exact = positions[0]
    assert exact.best == max(exact.values.values())
    assert replace(exact, rollouts=Rollouts("value", "", 64, 3.25)).best == 3.25


ROLLOUTS = {"policy": "value", "network": "5e0c", "number": 64, "best": 0.5, "errors": {"1": 0.1}}


@pytest.mark.parametrize(
    "changed",
    [
        {"format": "ingenious positions 0"},
        {"game": "chess"},
        {"rules": "players=1"},
        {"seed": [1]},
        {"seed": ["a", 2]},
        {"seed": [1.5, 2]},
        {"seed": [-1, 2]},
        {"actions": 3},
        {"actions": ["x"]},
        {"actions": [1.5]},
        {"actions": [1 << 70]},
        {"values": {}},
        {"values": {"1": "x"}},
        {"values": {"1": float("inf")}},
        {"more": 1},
        {"rollouts": 3},
        {"rollouts": {"policy": "value"}},
        {"rollouts": ROLLOUTS | {"more": 1}},
        {"rollouts": ROLLOUTS | {"number": 7}},
        {"rollouts": ROLLOUTS | {"number": 64.0}},
        {"rollouts": ROLLOUTS | {"number": 1 << 40}},
        {"rollouts": ROLLOUTS | {"best": float("nan")}},
        {"rollouts": ROLLOUTS | {"errors": {"1": float("nan")}}},
        {"rollouts": ROLLOUTS | {"policy": 3}},
        {"rollouts": ROLLOUTS | {"policy": "process:command=touch run"}},
        {"rollouts": ROLLOUTS | {"policy": "os.system"}},
    ],
)
def test_files_that_are_no_sets(changed, tmp_path, capsys):
    line = json.loads(SOLVED.read_text(encoding="utf-8").splitlines()[0])
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(line | changed), encoding="utf-8")
    assert "is not a set of positions" in refused(capsys, script, "uniform", "--positions", str(path))


def test_sets_of_several_kinds(positions, tmp_path, capsys):
    path = tmp_path / "set.jsonl"
    write_positions(path, [positions[0], replace(positions[1], rollouts=Rollouts("greedy", "", 64))])
    assert "2 variants or kinds" in refused(capsys, script, "uniform", "--positions", str(path))
    path.write_text("", encoding="utf-8")
    assert "has no positions" in refused(capsys, script, "uniform", "--positions", str(path))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("", "give an agent or more"),
        ("nobody", "an agent is one of"),
        ("planner --players 1", "planner"),
        (
            "uniform --players 2 --game loopit --fixed-rounds",
            "there is no set of disagreements or endings of",
        ),
        ("uniform --players 3 --endings", "there is no set of endings of"),
        (
            "uniform --positions x --partnership",
            "with --positions these would be ignored: --partnership",
        ),
        ("uniform --positions x --players 3", "with --positions these would be ignored: --players"),
        ("uniform --endings --positions x", "--endings and --positions exclude each other"),
    ],
)
def test_scores_that_are_not(arguments, complaint, capsys):
    assert complaint in refused(capsys, script, *arguments.split())


def test_sets_of_the_package():
    assert set_of(Rules.solitaire()) == SOLVED
    assert set_of(Rules()) == path_of("ingenious", "two", DISAGREEMENTS)
    assert set_of(Rules(), (ENDINGS,)) == path_of("ingenious", "two", ENDINGS)
    assert set_of(LoopitRules(2)) == path_of("loopit", "two", DISAGREEMENTS)
    with pytest.raises(ValueError, match="ingenious for two players"):
        set_of(Rules(2, board_side=3))
    assert {path.suffix for path in FOLDER.iterdir()} == {".jsonl", ".gz"}


def test_the_script_makes_endings(tmp_path):
    path = tmp_path / "set.jsonl"
    endings.main(["--count", "2", "--seed", "8", "--memory", "32", "--out", str(path)])
    made = read_positions(path)
    assert [each.group[0] for each in made] == ["2", "2", "3", "3", "4", "4"]
