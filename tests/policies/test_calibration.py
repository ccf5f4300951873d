"""Calibration: the curve against its formula, in files, and of the shipped networks."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from ingenious_env import GameBatch, Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.files import write_arrays
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.calibration import Calibration
from ingenious_env.policies.value import (
    Value,
    ValueNetwork,
    best_actions,
    highest_value,
    model_of,
    progress_of,
    shipped_network,
)
from ingenious_env.policies.view import View

NUMBERS = (-0.5, 1.25, -0.75, 0.5, 1.0)
SHIPPED = [
    rules
    for game in (definition_of(Rules()), definition_of(LoopitRules()))
    for rules in game.value_model.variants.values()
]


def by_hand(numbers, value, progress):
    a, b, c, d, e = numbers
    logit = math.log(value / (1 - value))
    exponent = a + b * logit + c * progress + d * progress * logit + e * progress**2
    return 1 / (1 + math.exp(-exponent))


def test_the_curve_is_the_formula():
    values, progress = np.array([0.01, 0.3, 0.5, 0.97]), np.array([0.0, 0.25, 0.8, 1.0])
    found = Calibration(NUMBERS).shares(values[:, None], progress)
    wanted = [[by_hand(NUMBERS, value, part) for part in progress] for value in values]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_sure_values_are_not_quite_sure():
    found = Calibration(NUMBERS).shares([0.0, 1e-9, 1.0], 0.5)
    assert found[0] == found[1] > 0
    assert found[2] < 1


def test_it_never_changes_an_order():
    rng = np.random.default_rng(1)
    values = np.sort(rng.random(500))
    for progress in (0.0, 0.4, 1.0):
        assert (np.diff(Calibration(NUMBERS).shares(values, progress)) >= 0).all()


@pytest.mark.parametrize(
    "numbers",
    [(0, 1, 0, 0), (0, 1, 0, 0, 0, 0), (0, math.nan, 0, 0, 0), (0, -1, 0, 0, 0), (0, 1, 0, -1, 0)],
    ids=str,
)
def test_other_numbers_are_refused(numbers):
    with pytest.raises(ValueError, match="calibration"):
        Calibration(numbers)


def test_it_is_kept_in_the_file(tmp_path):
    network, path = shipped_network(Rules()), tmp_path / "agent.safetensors"
    changed = replace(network, calibration=Calibration(NUMBERS))
    changed.save(path)
    loaded = ValueNetwork.load(path)
    assert loaded.calibration == Calibration(NUMBERS)
    assert (loaded.weights == network.weights).all()
    replace(network, calibration=None).save(path)
    assert ValueNetwork.load(path).calibration is None


@pytest.mark.parametrize("numbers", [[0, -1, 0, 0, 0], [1], "12345", 5, [None] * 5], ids=str)
def test_a_file_with_another_one_is_refused(tmp_path, numbers):
    path, rules = tmp_path / "agent.safetensors", Rules()
    header = {
        "format": model_of(rules).form,
        "rules": definition_of(rules).rules_to_text(rules),
        "calibration": numbers,
    }
    write_arrays(path, header, {"weights": shipped_network(rules).weights})
    with pytest.raises(ValueError, match=re.escape(str(path))):
        ValueNetwork.load(path)


def test_without_one_nothing_is_promised():
    network = replace(shipped_network(Rules()), calibration=None)
    assert network.calibrated(np.array([0.5]), 0.5) is None


@pytest.mark.parametrize("rules", SHIPPED, ids=lambda rules: definition_of(rules).rules_to_text(rules))
def test_shipped_networks_have_one(rules):
    """In the unit of the values, on the progress of the position: against the formula."""
    network = shipped_network(rules)
    batch = GameBatch(rules, 1, 3)
    for _ in range(9):
        batch.play(batch.random_actions())
    highest = 1.0 if rules.num_players > 1 else 36.0
    assert highest_value(rules) == highest
    tiles = tiles_on_board(batch)
    progress = tiles / most_tiles(rules)
    assert progress_of(batch).tolist() == [pytest.approx(progress)]
    values = np.array([0.2, 0.6]) * highest
    wanted = [highest * by_hand(network.calibration.coefficients, share, progress) for share in (0.2, 0.6)]
    np.testing.assert_allclose(Value().calibrated(View(batch), values), wanted, rtol=1e-12)


def tiles_on_board(batch):
    if isinstance(batch.rules, LoopitRules):
        return int((batch.state.values[0][:-1] > 0).sum())
    return (int((batch.board[0].reshape(-1) > 0).sum()) - 6) // 2  # the start symbols fill six cells


def most_tiles(rules):
    """By the rules: 91, 127 or 169 cells, six of them start symbols; or all tiles of the game."""
    if isinstance(rules, LoopitRules):
        return rules.num_tiles
    side = rules.board_side
    return (3 * side * (side - 1) + 1 - 6) // 2


def test_openings_of_two_are_even():
    """By symmetry a seat wins half of all games: so the chances of openings have to be about a half."""
    rules = Rules()
    network, games = shipped_network(rules), GameBatch(rules, 60, 5)
    claims, chances = [], []
    for _ in range(12):
        actions, values = best_actions(network, View(games).complete(), 200)
        claims.append(values.mean())
        chances.append(network.calibrated(values, progress_of(games)).mean())
        games.play(actions)
    assert np.mean(claims) > 0.58
    assert abs(np.mean(chances) - 0.5) < 0.04
