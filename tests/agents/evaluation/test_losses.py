"""Losses of agents: by hand, in exact sets, with actions that are rolled out on demand, and the command."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from commands import refused
from ingenious_agents import make_agent
from ingenious_agents.commands import score as script
from ingenious_agents.evaluation.losses import (
    PositionError,
    Score,
    Values,
    mean_by_game,
    score,
    tables,
)
from ingenious_agents.evaluation.positions import (
    ENDINGS,
    Position,
    Rollouts,
    estimated,
    path_of,
    read_positions,
    write_positions,
)

from ingenious_env import IllegalActionError, Rules, View

SMALL = Rules(2, board_side=3, num_colours=2, rack_size=2)
NUMBER = 16


class Chooses:
    """Given actions of the positions of a set, in their order."""

    def __init__(self, actions):
        self.left = list(actions)

    def act(self, view):
        mine, self.left = self.left[: len(view)], self.left[len(view) :]
        return np.array(mine)


@pytest.fixture(scope="module")
def endings():
    return read_positions(path_of("ingenious", "solitaire", ENDINGS))[::40]


def small_positions(indices):
    """Positions of a small variant with the values of all actions by rollouts of `greedy`."""
    bare = [Position(SMALL, (5, index), (), "deals", {}) for index in indices]
    actions = [each.game().legal_actions().tolist() for each in bare]
    return estimated(bare, actions, make_agent("greedy"), Rollouts("greedy", "", NUMBER))


# By hand.


def by_hand(losses, games):
    losses = np.array(losses)
    lacks = np.zeros(len(losses), bool)
    return Score("one", "all", losses, losses, np.array(games), lacks, "win", 0.1, 0.01)


def test_means_and_intervals_by_hand():
    """A game with two positions counts as one observation of its sum."""
    found = mean_by_game(np.array([1.0, 2.0, 3.0, 6.0]), np.array([0, 1, 2, 3]))
    assert found.value == 3
    assert found.error == pytest.approx(np.std([1, 2, 3, 6], ddof=1) / 2)
    assert found.half_width == pytest.approx(1.96 * found.error, rel=1e-3)
    together = mean_by_game(np.array([1.0, 2.0, 3.0, 6.0]), np.array([0, 0, 1, 1]))
    assert (together.value, together.error) == (3, pytest.approx((2 * (3**2 + 3**2)) ** 0.5 / 4))
    assert mean_by_game(np.array([1.0, 2.0]), np.array([4, 4])).error == np.inf


def test_halves_share_no_game():
    one, other = by_hand([1.0, 1.0, 5.0, 3.0, 2.0], [7, 7, 9, 11, 20]).halves
    assert (one.value, other.value) == (5 / 3, 3.5)
    with pytest.raises(ValueError, match="no halves"):
        _ = by_hand([1.0, 2.0], [3, 3]).halves


def test_the_tables_by_hand():
    scores = [by_hand([0.0, 0.0, 4.0, 2.0], [0, 1, 2, 3]), by_hand([1.0], [0])]
    losses, halves = (table.records for table in tables(scores))
    assert (losses[0]["loss"], losses[0]["best"], losses[0]["positions"]) == (1.5, 0.5, 4)
    assert losses[0]["half_width"] == pytest.approx(1.96 * np.std([0, 0, 4, 2], ddof=1) / 2, rel=1e-3)
    (only,) = halves
    assert (only["one"], only["other"]) == (2, 1)
    assert only["difference_in_errors"] == pytest.approx(1 / (2**2 + 1**2) ** 0.5)


# Exact values.


def test_losses_are_those_of_the_chosen_actions(endings):
    """By one position at a time, in the order of the groups."""
    agent, expected = make_agent("greedy"), {}
    for each in endings:
        action = int(agent.act(View.of(each.game()))[0])
        expected.setdefault(each.group, []).append(max(each.values.values()) - each.values[action])
    found = score("greedy", agent, Values(endings))
    assert {each.group: each.losses.tolist() for each in found} == expected
    assert all(each.unit == "spaces" and not each.rolled_out.any() for each in found)
    for each in found:
        error = each.losses.std(ddof=1) / len(each.losses) ** 0.5
        assert each.mean.half_width == pytest.approx(1.96 * error, rel=1e-3)


def test_a_perfect_agent_loses_nothing(endings):
    """And one that plays the worst move loses the whole difference."""
    best = [max(each.values, key=each.values.get) for each in endings]
    worst = [min(each.values, key=each.values.get) for each in endings]
    found = score("best", Chooses(best), Values(endings))
    assert all((each.losses == 0).all() and each.best == 1 for each in found)
    lost = np.concatenate([each.losses for each in score("worst", Chooses(worst), Values(endings))])
    spans = [max(each.values.values()) - min(each.values.values()) for each in endings]
    assert lost.tolist() == pytest.approx(spans)


def test_an_exact_set_that_lacks_an_action(endings):
    values = {action: value for action, value in endings[0].values.items() if action != 120}
    assert len(values) == len(endings[0].values) - 1
    with pytest.raises(PositionError, match="no value of action 120"):
        score("one", Chooses([120]), Values([replace(endings[0], values=values)]))


# Rollouts on demand.


def test_values_on_demand_are_those_of_the_set():
    """Whichever actions a set has, and in whichever order they are asked for."""
    whole = small_positions(range(6))
    few = [replace(each, values=dict(list(each.values.items())[:1])) for each in whole]
    values = Values(few)
    for place in (3, 0, -1, 3):
        actions = [list(each.values)[place] for each in whole]
        found, lacks = values.of(actions)
        assert found.tolist() == [each.values[action] for each, action in zip(whole, actions, strict=True)]
        assert lacks.tolist() == [place != 0] * 6
    turned = Values(few[::-1]).of(actions[::-1])[0]
    assert turned.tolist() == found[::-1].tolist()


def test_each_action_is_rolled_out_once(monkeypatch):
    whole = small_positions(range(3))
    values = Values([replace(each, values=dict(list(each.values.items())[:1])) for each in whole])
    actions = [list(each.values)[-1] for each in whole]
    first = values.of(actions)[0]
    monkeypatch.setattr("ingenious_agents.evaluation.losses.estimated", None)
    assert (values.of(actions)[0] == first).all()


def test_losses_are_from_the_best_value_of_the_set():
    """Not from that of an action that was rolled out later, so that no agent changes another's loss."""
    (one,) = small_positions([4])
    ranked = sorted(one.values, key=one.values.get)
    assert one.values[ranked[-1]] > one.values[ranked[0]]
    values = Values([replace(one, values={ranked[0]: one.values[ranked[0]]})])
    for action in (ranked[0], ranked[-1], ranked[0]):
        (found,) = score("one", Chooses([action]), values)
        assert found.losses[0] == pytest.approx(one.rollouts.best - one.values[action])
        assert found.from_highest[0] == pytest.approx(one.values[ranked[0]] - one.values[action])
        assert found.best == 1
        assert found.rolled_out[0] == (action != ranked[0])


def test_positions_are_estimated_as_one_at_a_time():
    """With standard errors of shares, which are smaller where games are tied."""
    together = small_positions(range(4))
    assert together == [one for index in range(4) for one in small_positions([index])]
    exactly = 0
    for each in together:
        assert each.rollouts.errors.keys() == each.values.keys()
        for action, value in each.values.items():
            most = (value * (1 - value) / (NUMBER - 1)) ** 0.5
            assert each.rollouts.errors[action] <= most + 1e-4
            exactly += each.rollouts.errors[action] >= most - 1e-4 > 0
    assert exactly > 4


# The command.


def test_the_tables_are_printed(endings, tmp_path, capsys):
    path = tmp_path / "set.jsonl"
    write_positions(path, endings[:5])
    script.main(["greedy", "--positions", str(path), "--format", "json"])
    printed = json.loads(capsys.readouterr().out)
    (found,) = score("greedy", make_agent("greedy"), Values(endings[:5]))
    (record,) = printed["losses"]
    assert record["loss"] == pytest.approx(found.losses.mean())
    assert record["positions"] == 5
    (record,) = printed["halves"]
    assert record["one"] == pytest.approx(found.losses[::2].mean())


def test_estimates_have_their_columns(tmp_path, capsys):
    path = tmp_path / "set.jsonl.gz"
    few = [replace(each, values=dict([*each.values.items()][:1])) for each in small_positions(range(3))]
    write_positions(path, few)
    script.main(["uniform", "greedy", "--positions", str(path)])
    printed = capsys.readouterr().out
    assert "at most" in printed
    assert "rolled out" in printed


def test_positions_that_are_none(endings, tmp_path, capsys):
    path = tmp_path / "set.jsonl"
    write_positions(path, [replace(endings[0], actions=(1, 1))])
    said = refused(capsys, script, "uniform", "--positions", str(path))
    assert "the actions of a position are not a game" in said
    write_positions(path, [replace(endings[0], values={-1: 1.0})])
    assert "has no value of action" in refused(capsys, script, "uniform", "--positions", str(path))


def test_rollouts_that_cannot_be_repeated(tmp_path, capsys):
    """By a network that has changed since, or a policy that does not play the variant."""
    path = tmp_path / "set.jsonl"
    (one,) = small_positions([0])
    for rollouts, complaint in (
        (Rollouts("greedy", "5e0c", NUMBER), "with other weights"),
        (Rollouts("value", "", NUMBER), "a value network is shipped"),
        (Rollouts("planner", "", NUMBER), "planner"),
        (Rollouts("value:path=nowhere", "", NUMBER), "nowhere"),
    ):
        write_positions(path, [replace(one, rollouts=rollouts)])
        assert complaint in refused(capsys, script, "uniform", "--positions", str(path))


def test_illegal_actions_name_their_agent():
    (one,) = small_positions([0])
    with pytest.raises(IllegalActionError, match=r"^one: action 100000 is illegal: [^.]*$"):
        score("one", Chooses([100_000]), Values([one]))
    with pytest.raises(IllegalActionError, match=r"^one: must choose an action for each game"):
        score("one", Chooses([]), Values([one]))
