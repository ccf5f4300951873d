"""The scale with a fixed point: closed forms, another algorithm, and simulated duels of known strength."""

from __future__ import annotations

from math import log10

import numpy as np
import pytest
from ingenious_agents.evaluation.losses import Mean
from ingenious_agents.evaluation.scale import ANCHOR_RATING, Duels, Place, expected, fit, place


def zermelo(wins: np.ndarray, anchor: int) -> np.ndarray:
    """Ratings from a table of wins, by Zermelo's iteration, which shares nothing with Newton's method."""
    games, strength = wins + wins.T, np.ones(len(wins))
    for _ in range(20_000):
        against = games / (strength[:, None] + strength)
        strength = wins.sum(axis=1) / against.sum(axis=1)
        strength /= strength[anchor]
    return ANCHOR_RATING + 400 * np.log10(strength)


def duels_of(wins: np.ndarray) -> Duels:
    pairs, results = [], []
    for one, other in np.ndindex(*wins.shape):
        pairs += [(one, other)] * int(wins[one, other])
        results += [1.0] * int(wins[one, other])
    return Duels(np.array(pairs), np.array(results), np.arange(len(results)))


def test_400_points_are_tenfold_odds():
    assert expected(np.array([400.0, 0.0, -400.0])) == pytest.approx([10 / 11, 1 / 2, 1 / 11])
    assert expected(np.array([800.0])) == pytest.approx([100 / 101])


def test_two_agents_have_the_logarithm_of_their_odds():
    results = np.array([1.0] * 30 + [0.5] * 4 + [0.0] * 6)
    found = place(results, np.full(40, 1200.0), np.arange(40))
    assert found.rating == pytest.approx(1200 + 400 * log10(32 / 8))


def test_several_agents_have_the_ratings_of_zermelos_algorithm():
    wins = np.array([[0, 7, 2, 0], [13, 0, 9, 3], [18, 11, 0, 8], [5, 17, 12, 0]])
    given = np.array([np.nan, ANCHOR_RATING, np.nan, np.nan])
    found = fit(duels_of(wins), given)
    assert [each.rating for each in found] == pytest.approx(zermelo(wins, 1))
    assert found[1].half_width == 0 < min(found[each].half_width for each in (0, 2, 3))


def test_results_may_be_given_from_either_side():
    wins = np.array([[0, 7, 2], [13, 0, 9], [18, 11, 0]])
    duels, given = duels_of(wins), np.array([np.nan, 1000.0, np.nan])
    turned = Duels(duels.agents[:, ::-1], 1 - duels.results, duels.deals)
    assert [each.rating for each in fit(turned, given)] == pytest.approx(
        [each.rating for each in fit(duels, given)]
    )


def test_a_place_is_that_of_a_fit_with_all_others_fixed():
    generator = np.random.default_rng(1)
    opponents, deals = np.repeat([900.0, 1100.0, 1300.0], 20), np.tile(np.arange(20), 3)
    results = generator.choice([0, 0.5, 1], 60)
    agents = np.stack([np.full(60, 0), np.repeat([1, 2, 3], 20)], axis=1)
    whole = fit(Duels(agents, results, deals), np.array([np.nan, 900.0, 1100.0, 1300.0]))[0]
    found = place(results, opponents, deals)
    assert found.rating == pytest.approx(whole.rating)
    assert found.half_width == pytest.approx(whole.half_width)


@pytest.mark.parametrize("strength", [1000.0, 1250.0])
def test_intervals_hold_the_truth_19_times_in_20(strength):
    """Two duels of a deal often end alike, and luck can have been subtracted: results from −0.3 to 1.3."""
    generator, held, errors = np.random.default_rng(3), 0, []
    opponents = np.repeat([1000.0, 1100.0, 1300.0], 60)
    deals = np.tile(np.repeat(np.arange(30), 2), 3)
    chances = 1 / (1 + 10 ** ((opponents - strength) / 400))
    for _ in range(600):
        alike = generator.random(90)[np.tile(np.repeat(np.arange(30), 2), 3) + np.repeat([0, 30, 60], 60)]
        own = np.where(generator.random(180) < 0.5, alike, generator.random(180))
        results = (own < chances) + generator.choice([-0.3, 0.3], 180)
        found = place(results, opponents, deals)
        held += abs(found.rating - strength) <= found.half_width
        errors.append(found.rating - strength)
    assert 0.92 < held / 600 < 0.975
    assert abs(np.mean(errors)) < 5  # the interval is ± 50


def test_equal_results_of_all_deals_leave_a_doubt():
    """Each deal won from one seat and lost from the other: the spread between deals is 0."""
    results, deals = np.tile([1.0, 0.0], 25), np.repeat(np.arange(25), 2)
    found = place(results, np.full(50, 1000.0), deals)
    independent = 1.96 * 400 / np.log(10) / np.sqrt(50 / 4)
    assert found.half_width == pytest.approx(independent / 2, rel=1e-3)


@pytest.mark.parametrize(("result", "rating"), [(1.0, 400 * log10(39.0)), (0.0, -400 * log10(39.0))])
def test_without_a_loss_or_a_win_the_place_is_open(result, rating):
    found = place(np.full(20, result), np.full(20, 1000.0), np.arange(20))
    assert found.rating == pytest.approx(1000 + rating)  # as if half a game had ended otherwise
    assert found.half_width == float("inf")
    assert str(found) == f"{found.rating:.0f} ± ∞"
    assert str(Place(1234.4, 31.6)) == "1234 ± 32"


@pytest.mark.parametrize("lost", [True, False])
def test_less_than_half_a_game_bounds_nothing(lost):
    """A third of a win, as against two copies with three players; and one of luck-adjusted results."""
    results = np.append(np.zeros(19), 1 / 3)
    found = place(results if lost else 1 - results, np.full(20, 1000.0), np.arange(20))
    assert found.half_width == float("inf")
    assert found.rating == pytest.approx(1000 + (-1 if lost else 1) * 400 * log10(39.0))
    assert place(np.append(np.zeros(19), 0.5), np.full(20, 1000.0), np.arange(20)).half_width < 2000


def test_a_field_must_bound_each_rating():
    wins = np.array([[0, 0, 0], [13, 0, 9], [18, 11, 0]])
    with pytest.raises(ValueError, match="do not bound a rating"):
        fit(duels_of(wins), np.array([np.nan, 1000.0, np.nan]))


def test_no_zero_has_a_sign():
    assert str(Place(-0.3, 12.0)) == "0 ± 12"
    assert str(Place(-0.3, np.inf)) == "0 ± ∞"
    assert str(Mean(-0.00001, 0.0)) == "0.0000 ± 0.0000"
