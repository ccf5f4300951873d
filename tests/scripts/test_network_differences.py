"""Errors of networks in differences between placements: synthetic sets, and that of the repository."""

from __future__ import annotations

import numpy as np
import pytest
from ingenious_agents.value.search import ValueSearch

from ingenious_env import GameBatch, Rules
from ingenious_env.policies.value import best_actions, shipped_network
from scripts import differences
from scripts.differences import RULES, Args, Case, errors_of, load, main, rolled_out, values_of


def synthetic(monkeypatch, error, noise, positions=4000, placements=6):
    """A set whose network has errors of this deviation, with halves of rollouts of this one."""
    random = np.random.default_rng(1)
    truth = random.normal(0, 0.3, (positions, placements)) + random.normal(0, 5, (positions, 1))
    values = truth + random.normal(0, error, truth.shape) + random.normal(0, 1, (positions, 1))
    halves = truth[:, None] + random.normal(0, noise, (positions, 2, placements))
    monkeypatch.setattr(differences, "values_of", lambda _network, case: values[case.seed[1]])
    return [Case((0, number), [], [], half) for number, half in enumerate(halves)]


@pytest.mark.parametrize("noise", [0.0, 0.4])
def test_the_error_is_that_of_the_network_alone(noise, monkeypatch):
    """Whatever the rollouts' own error, and whatever all placements of a position have in common."""
    found = errors_of(shipped_network(RULES), synthetic(monkeypatch, 0.2, noise))
    assert found.error == pytest.approx(0.04, abs=0.003)
    assert abs(found.error - 0.04) < 2 * found.half_width
    assert found.variance == pytest.approx(0.09, abs=0.006)
    perfect = errors_of(shipped_network(RULES), synthetic(monkeypatch, 0.0, noise))
    assert perfect.error == pytest.approx(0.0, abs=1e-12 if noise == 0 else 0.006)


def test_the_set_of_the_repository():
    cases = load()
    assert len(cases) == 150
    assert {len(case.tried) for case in cases} <= {*range(2, 9)}
    lengths = [len(case.actions) for case in cases]
    assert min(lengths) < 5
    assert max(lengths) > 30
    gaps = []
    for case in cases:
        game = case.game()
        assert not game.is_over
        assert game.legal_mask()[case.tried].all()
        first, second = case.halves - case.halves.mean(axis=1, keepdims=True)
        gaps += (first - second).tolist()
    assert 0.05 < np.std(gaps) < 0.6  # of means of 192 games each


def test_halves_are_means_of_games_played_by_the_network():
    """By that of the time when the set was made, the shipped one."""
    case, runs, search = load()[30], 150, ValueSearch(**differences.ROLLOUTS)
    network = shipped_network(RULES)
    made = rolled_out(case, search, runs)
    assert made.tried[:3] == case.tried[:3]
    for place in (0, len(made.tried) - 1):
        games = GameBatch.from_rows(RULES, np.repeat(case.game().state.memory, runs, axis=0))
        games.reshuffle_hidden(seed=7)
        games.play(np.full(runs, made.tried[place], np.int32))
        while not games.is_over.all():
            games.play(best_actions(network, games, 12)[0])
        lowest = np.sort(games.scores[:, 0], axis=1)[:, :4]
        results = lowest @ np.array([1, 0.2, 0.1, 0.05]) / 1.35
        gap = made.halves[:, place] - results.mean()
        assert (np.abs(gap) < 4.5 * results.std() * (2 / runs) ** 0.5).all()
    assert (made.halves[0] != made.halves[1]).any()


def test_values_are_those_of_the_network():
    case = load()[20]
    games = GameBatch.from_rows(RULES, case.game().state.memory)
    action, value = best_actions(shipped_network(RULES), games, 5000)
    values = dict(zip(case.tried, values_of(shipped_network(RULES), case).tolist(), strict=True))
    if action[0] in values:
        assert values[action[0]] == pytest.approx(value[0])
    assert max(values.values()) <= value[0] + 1e-6


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(differences, "SET", tmp_path / "set.jsonl")
    main(["--make", "--positions", "4", "--rollouts", "3"])
    again = (tmp_path / "set.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    main(["--make", "--positions", "4", "--rollouts", "3"])
    assert (tmp_path / "set.jsonl").read_text(encoding="utf-8").splitlines()[1:] == again
    assert len(again) == 4
    output = capsys.readouterr().out
    assert "| shipped" in output
    found = errors_of(shipped_network(RULES), load())
    assert f"{found.error:.4f} ± {found.half_width:.4f}" in output
    with pytest.raises(ValueError, match="name no file"):
        Args((tmp_path / "any",), make=True).check()
    with pytest.raises(ValueError, match="without --make these would be ignored: --rollouts, --seed"):
        Args(rollouts=3, seed=5).check()
    with pytest.raises(ValueError, match="another variant"):
        differences.checked(shipped_network(Rules()))
