"""Sets of positions: the solved endings of the package, agents' losses in them, damaged files."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from commands import refused
from ingenious_agents import make_agent
from ingenious_agents.commands import score as script
from ingenious_agents.evaluation.positions import read_positions, score, write_positions
from ingenious_agents.search.exact import Solver

from ingenious_env import Rules, View
from scripts import endings


@pytest.fixture(scope="module")
def positions():
    return read_positions(script.ENDINGS)


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
        assert not each.errors


def test_their_values_are_exact(positions):
    solver = Solver(Rules.solitaire(), 1 << 24)
    for each in random.Random(4).sample(positions, 12):  # noqa: S311 - a sample needs no cryptography
        found = solver.solve(each.game())
        for action, value in zip(found.actions.tolist(), found.values.tolist(), strict=True):
            assert each.values[action] == pytest.approx(value, abs=1e-4)


def test_losses_are_those_of_the_chosen_actions(positions):
    """By one position at a time, in the order of the groups."""
    few = positions[::40]
    agent = make_agent("greedy")
    expected = {}
    for each in few:
        action = int(agent.act(View.of(each.game()))[0])
        expected.setdefault(each.group, []).append(max(each.values.values()) - each.values[action])
    found = score("greedy", agent, few)
    assert {each.group: each.losses.tolist() for each in found} == expected
    assert all(each.unit == "spaces" for each in found)
    for each in found:
        error = each.losses.std(ddof=1) / len(each.losses) ** 0.5
        assert each.half_width == pytest.approx(1.96 * error, rel=1e-3)


def test_a_perfect_agent_loses_nothing(positions):
    """And one that plays the worst move loses the whole difference."""
    few = positions[::60]
    by_text = {each.game().to_text(): each for each in few}

    class Knowing:
        def __init__(self, sign):
            self.sign = sign

        def act(self, view):
            chosen = []
            for row in range(len(view)):
                mask = np.flatnonzero(view.take(np.array([row])).legal_mask()[0])
                (mine,) = (each for each in by_text.values() if set(each.values) == set(mask.tolist()))
                chosen.append(max(mine.values, key=lambda action: self.sign * mine.values[action]))
            return np.array(chosen)

    assert all((each.losses == 0).all() for each in score("best", Knowing(1), few))
    worst = np.concatenate([each.losses for each in score("worst", Knowing(-1), few)])
    spans = [max(each.values.values()) - min(each.values.values()) for each in few]
    assert sorted(worst) == pytest.approx(sorted(spans))


def test_a_set_is_written_and_read(positions, tmp_path):
    few = [replace(each, errors=dict.fromkeys(each.values, 0.25)) for each in positions[:3]]
    write_positions(tmp_path / "set.jsonl", few)
    assert read_positions(tmp_path / "set.jsonl") == few


@pytest.mark.parametrize(
    "changed",
    [
        {"format": "ingenious positions 0"},
        {"game": "chess"},
        {"rules": "players=1"},
        {"seed": [1]},
        {"actions": 3},
        {"values": {}},
        {"values": {"1": "x"}},
        {"values": {"1": float("inf")}},
        {"errors": {"1": float("nan")}},
        {"more": 1},
    ],
)
def test_files_that_are_no_sets(changed, tmp_path, capsys):
    line = json.loads(script.ENDINGS.read_text(encoding="utf-8").splitlines()[0])
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(line | changed), encoding="utf-8")
    assert "is no set of positions" in refused(capsys, script, "uniform", "--positions", str(path))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [("", "give an agent or more"), ("nobody", "an agent is one of"), ("planner", "planner")],
)
def test_scores_that_are_not(arguments, complaint, capsys):
    assert complaint in refused(capsys, script, *arguments.split())


def test_actions_that_are_no_game(positions, tmp_path, capsys):
    path = tmp_path / "set.jsonl"
    write_positions(path, [replace(positions[0], actions=(1, 1))])
    said = refused(capsys, script, "uniform", "--positions", str(path))
    assert "the actions of a position are no game" in said
    write_positions(path, [replace(positions[0], values={-1: 1.0})])
    assert "has no value of action" in refused(capsys, script, "uniform", "--positions", str(path))


def test_the_table_is_printed(positions, tmp_path, capsys):
    path = tmp_path / "set.jsonl"
    write_positions(path, positions[:5])
    script.main(["greedy", "--positions", str(path), "--format", "json"])
    (record,) = json.loads(capsys.readouterr().out)["losses"]
    (found,) = score("greedy", make_agent("greedy"), positions[:5])
    assert record["loss"] == pytest.approx(found.losses.mean())
    assert record["positions"] == 5


def test_the_script_makes_such_a_set(tmp_path):
    path = tmp_path / "set.jsonl"
    endings.main(["--count", "2", "--seed", "8", "--memory", "32", "--out", str(path)])
    made = read_positions(path)
    assert [each.group[0] for each in made] == ["2", "2", "3", "3", "4", "4"]
