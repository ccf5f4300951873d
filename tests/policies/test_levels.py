"""Opponents of ten strengths, and the random choices that policies make."""

from __future__ import annotations

import numpy as np
import pytest
from ingenious_agents import play_match

from ingenious_env import GameBatch, Rules, View
from ingenious_env.compiled.phases import NO_ACTION
from ingenious_env.engine.definition import definitions
from ingenious_env.policies.chance import fractions, noise, words
from ingenious_env.policies.levels import DEFAULT, STRENGTHS, Level, looseness
from ingenious_env.policies.value import Value, compared_actions, shipped_network

KEYS = np.arange(4000, dtype=np.uint64)


def test_there_are_ten_levels_for_each_preset_of_both_games():
    assert len(STRENGTHS) == 10
    assert len({each.title for each in STRENGTHS}) == 10
    assert 1 < DEFAULT < 10
    for game in ("ingenious", "loopit"):
        for preset in definitions()[game].presets.values():
            for number in range(1, 11):
                Level(number).check(preset.rules)


TABLES = [(game, preset) for game in ("ingenious", "loopit") for preset in definitions()[game].presets]


@pytest.mark.parametrize(("game", "preset"), TABLES)
def test_who_knows_values_is_stronger_than_who_takes_points(game, preset):
    """At all tables, however little a placement changes there; levels 1 to 5 differ in random moves only."""
    rules = definitions()[game].presets[preset].rules
    found = outcomes(rules, Level(6), Level(5), 24)
    assert found[0] > found[1]


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "preset"), TABLES)
@pytest.mark.parametrize("number", range(2, 11))
def test_each_level_is_stronger_than_the_one_below(game, preset, number):
    found = outcomes(definitions()[game].presets[preset].rules, Level(number), Level(number - 1), 100)
    assert found[0] > found[1]


def outcomes(rules, one, other, deals):
    """The share of wins of a policy on one sheet, and an even one; alone the lowest counters of both."""
    if rules.num_players == 1:
        return tuple(lowest_counters(rules, policy, deals).mean() for policy in (one, other))
    match = play_match(rules, [one] + [other] * (rules.num_sheets - 1), deals, seed=11)
    return match.share(0), 1 / rules.num_sheets


def lowest_counters(rules, policy, deals):
    games = GameBatch(rules, deals, 11)
    while not games.is_over.all():
        games.play(np.where(games.is_over, NO_ACTION, policy.act(View(games))))
    return games.scores[:, 0].min(axis=1)


def test_temperatures_are_those_of_the_table():
    """As they are for two players, and in variants that are none of a preset's sizes."""
    assert Level(6).policy(Rules()) == Value(0.031)
    assert Level(6).policy(Rules.standard(4)) == Value(0.031 * looseness(Rules.standard(4)))
    assert looseness(Rules.standard(4)) < looseness(Rules.standard(3)) < looseness(Rules()) == 1
    assert Level(10).policy(Rules.partnership()) == Value(0.0)
    assert Level(4).policy(Rules.standard(4)) == Level(4).policy(Rules())


@pytest.mark.parametrize("number", [0, 11, -1])
def test_other_levels_are_refused(number):
    with pytest.raises(ValueError, match=f"number must be from 1 to 10, not {number}"):
        Level(number)


def test_a_variant_without_a_network_has_the_lower_levels_only():
    rules = Rules(2, board_side=5)
    Level(5).check(rules)
    with pytest.raises(ValueError, match="a value network is shipped"):
        Level(6).check(rules)


@pytest.mark.parametrize("game", ["ingenious", "loopit"])
def test_levels_play_legal_moves_and_the_same_again(game):
    batch = GameBatch(definitions()[game].presets["two"].rules, 20, 3)
    for number in (2, 6, 10):
        first = Level(number).act(View(batch))
        assert (batch.legal_mask()[np.arange(20), first] == 1).all()
        assert (Level(number).act(View(batch)) == first).all()


def test_the_highest_sum_with_noise_is_a_draw_by_a_softmax():
    """The frequencies of 4000 draws against the probabilities of a softmax."""
    values, temperature = np.array([0.5, 0.45, 0.3]), 0.1
    drawn = (values / temperature + noise(KEYS, KEYS % 7, np.array([[4, 9, 2665]] * 4000))).argmax(axis=1)
    expected = np.exp(values / temperature)
    expected /= expected.sum()
    found = np.bincount(drawn, minlength=3) / 4000
    assert np.abs(found - expected).max() < 4 * np.sqrt(0.25 / 4000)


def test_fractions_are_uniform():
    found = fractions(words(KEYS, np.zeros(4000, np.int64)))
    assert 0 <= found.min() < found.max() < 1
    assert np.abs(np.histogram(found, 10, (0, 1))[0] - 400).max() < 4 * np.sqrt(400)


@pytest.mark.parametrize("game", ["ingenious", "loopit"])
def test_what_is_compared_is_what_the_best_action_is_chosen_from(game):
    """`compared_actions` against the kernel for the best action, in the middle of games."""
    rules = definitions()[game].presets["two"].rules
    batch = GameBatch(rules, 30, 8)
    for _ in range(9):
        batch.play(batch.random_actions())
    actions, values = compared_actions(shipped_network(rules), View(batch).complete())
    best = actions[np.arange(30), np.where(actions < 0, -np.inf, values).argmax(axis=1)]
    assert (best == Value().act(View(batch))).all()


def test_a_low_temperature_chooses_the_best_and_a_high_one_anything():
    batch = GameBatch(Rules(), 200, 5)
    for _ in range(9):  # at first there are mirrored moves of the same value
        batch.play(batch.random_actions())
    best = Value().act(View(batch))
    assert (Value(1e-9).act(View(batch)) == best).mean() > 0.95
    assert (Value(0.02).act(View(batch)) == best).mean() < 0.9
    assert len(set(Value(100.0).act(View(batch)).tolist())) > 100


@pytest.mark.parametrize("temperature", [-0.1, float("inf"), float("nan")])
def test_other_temperatures_are_refused(temperature):
    with pytest.raises(ValueError, match="temperature must be a number from 0"):
        Value(temperature)
