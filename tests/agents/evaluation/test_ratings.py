"""Ratings against made-up agents of known strengths, the likelihood written out slowly, and each other."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from ingenious_agents.evaluation.ratings import (
    MAX_UNSEEN,
    PRIOR_GAMES,
    SCALE,
    finishing_orders,
    rate,
    strengths,
)
from ingenious_agents.evaluation.statistics import t95
from sampled import nightly_but

STRENGTHS = np.array([1.0, 0.3, -0.2, -1.1])


def simulate(generator, games, contestants):
    """Games between agents of `STRENGTHS`: the highest strength plus Gumbel noise is first."""
    seats = np.array([generator.permutation(len(STRENGTHS))[:contestants] for _ in range(games)])
    luck = STRENGTHS[seats] + generator.gumbel(size=seats.shape)
    return seats, (-luck).argsort(axis=1).argsort(axis=1) + 1


def slow_posterior(logs, seats, ranks):
    """Plackett's and Luce's log-likelihood with the prior's drawn games, in plain loops; no ties."""
    total = 0.0
    for agents, places in zip(seats.tolist(), ranks.tolist(), strict=True):
        running = [agent for _, agent in sorted(zip(places, agents, strict=True))]
        while len(running) > 1:
            total += logs[running[0]] - np.log(sum(np.exp(logs[agent]) for agent in running))
            running.pop(0)
    for log in logs:
        total += PRIOR_GAMES * (0.5 * log - np.log(1 + np.exp(log)))
    return total


@pytest.mark.parametrize("contestants", [2, 3, 4])
def test_known_strengths_are_found(contestants):
    seats, ranks = simulate(np.random.default_rng(1), 3000, contestants)
    found = rate(seats, ranks, np.arange(len(seats)), len(STRENGTHS), resamples=200)
    expected = SCALE * (STRENGTHS - STRENGTHS.mean())
    assert np.abs(found.ratings - expected).max() < 25
    assert (found.low < found.ratings).all()
    assert (found.ratings < found.high).all()
    assert (found.high - found.low < 45).all()
    assert found.ratings.mean() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("contestants", [2, 3, 4])
def test_no_other_strengths_are_likelier(contestants):
    generator = np.random.default_rng(2)
    seats, ranks = simulate(generator, 60, contestants)
    orders, _, shares = finishing_orders(seats, ranks)
    found = strengths(orders, shares, len(STRENGTHS))
    # the likelihood does not change with the mean but for the prior, which wants it where it is
    offsets = np.linspace(-1, 1, 201)
    found += offsets[np.argmax([slow_posterior(found + offset, seats, ranks) for offset in offsets])]
    best = slow_posterior(found, seats, ranks)
    for _ in range(50):
        step = generator.normal(size=len(found))
        step *= 0.1 / np.abs(step - step.mean()).max()
        assert slow_posterior(found + step, seats, ranks) < best


def test_two_agents_as_by_hand():
    """600 wins to 400: the rating solves 600 − 1000 s(2d) + ½ − s(d) = 0, s being the logistic function."""
    seats = np.tile([0, 1], (1000, 1))
    ranks = np.array([[1, 2]] * 600 + [[2, 1]] * 400)
    ratings = rate(seats, ranks, np.arange(1000), 2, resamples=10).ratings

    def logistic(x):
        return 1 / (1 + np.exp(-x))

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        is_below = 600 - 1000 * logistic(2 * middle) + PRIOR_GAMES * (0.5 - logistic(middle)) > 0
        low, high = (middle, high) if is_below else (low, middle)
    assert ratings == pytest.approx([SCALE * low, -SCALE * low])


def test_who_always_wins_has_a_finite_rating():
    ratings = rate(np.tile([0, 1], (100, 1)), np.tile([1, 2], (100, 1)), np.arange(100), 2, resamples=10)
    assert 200 < ratings.ratings[0] < 2000


def test_a_tie_is_half_a_win_for_each():
    tied = finishing_orders(np.array([[0, 1], [0, 1]]), np.array([[1, 1], [1, 1]]))
    won = finishing_orders(np.array([[0, 1], [0, 1]]), np.array([[1, 2], [2, 1]]))
    assert strengths(*tied[::2], 2) == pytest.approx(strengths(*won[::2], 2))


def test_ties_of_three_come_in_every_order():
    orders, games, shares = finishing_orders(np.array([[2, 0, 1, 3]]), np.array([[2, 1, 2, 2]]))
    assert sorted(orders.tolist()) == sorted([0, *rest] for rest in itertools.permutations([1, 2, 3]))
    assert games.tolist() == [0] * 6
    assert shares == pytest.approx([1 / 6] * 6)


def test_names_do_not_matter():
    seats, ranks = simulate(np.random.default_rng(3), 200, 3)
    deals = np.arange(200) // 2
    names = np.array([2, 0, 3, 1])
    before = rate(seats, ranks, deals, 4, resamples=50)
    after = rate(names[seats], ranks, deals, 4, resamples=50)
    for one, other in zip(before.__dict__.values(), after.__dict__.values(), strict=True):
        assert other[names] == pytest.approx(one)


def test_the_intervals_hold_what_they_promise():
    """95 % of them hold the truth; of 4 × 60 that are simulated, at least 90 % must."""
    generator = np.random.default_rng(4)
    expected, held = SCALE * (STRENGTHS - STRENGTHS.mean()), []
    for _ in range(60):
        seats, ranks = simulate(generator, 300, 3)
        found = rate(seats, ranks, np.arange(300), 4, resamples=100)
        held.append((found.low <= expected) & (expected <= found.high))
    assert 0.9 <= np.mean(held) < 1


def test_the_intervals_of_few_deals_hold_what_they_promise():
    """Unwidened ones of five deals hold four truths of five."""
    num_deals, generator, held = 5, np.random.default_rng(8), []
    truth = np.array([1.0, 0.0, -1.0])
    pairs = [[one, other] for one, other in itertools.permutations(range(3), 2)] * num_deals
    seats, deals = np.array(pairs), np.repeat(np.arange(num_deals), 6)
    for _ in range(100):
        luck = truth[seats] + generator.gumbel(size=seats.shape)
        found = rate(seats, (-luck).argsort(axis=1).argsort(axis=1) + 1, deals, 3, resamples=120)
        held.append((found.low <= SCALE * truth) & (SCALE * truth <= found.high))
    assert 0.9 < np.mean(held) < 0.98


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (30, 2.042)]
)
def test_quantiles_of_students_t(freedom, quantile):
    """From tables."""
    assert t95(freedom) == pytest.approx(quantile, rel=0.04 if freedom == 2 else 0.01)


def test_who_never_wins_has_an_open_interval():
    """Against three equals, and against another who never wins, it may be any distance down; they may not."""
    equals, seats, ranks = np.array([0, 1, 2]), [], []
    for one, other in itertools.permutations(equals, 2):
        seats += [[one, other]] * 20
        ranks += [[1, 2]] * 20
    for loser in (3, 4):
        for one in equals:
            seats += [[one, loser]] * 20
            ranks += [[1, 2]] * 20
    seats += [[3, 4], [3, 4]]
    ranks += [[1, 2], [2, 1]]
    found = rate(np.array(seats), np.array(ranks), np.arange(len(seats)), 5, resamples=50)
    assert np.isinf(found.low).tolist() == [False] * 3 + [True] * 2
    assert np.isfinite(found.high).all()
    assert (found.high[3:] > found.ratings[3:]).all()
    turned = rate(np.array(seats), 3 - np.array(ranks), np.arange(len(seats)), 5, resamples=50)
    assert np.isinf(turned.high).tolist() == [False] * 3 + [True] * 2
    assert np.isfinite(turned.low).all()


def test_the_open_interval_of_two_by_hand():
    """100 wins to none: it ends where the winner would expect to lose two or three of them."""
    ratings = rate(np.tile([0, 1], (100, 1)), np.tile([1, 2], (100, 1)), np.arange(100), 2, resamples=10)
    assert ratings.high[0] == np.inf
    assert ratings.low[1] == -np.inf
    assert ratings.low[0] == pytest.approx(-ratings.high[1], abs=5)
    apart = (ratings.low[0] - ratings.high[1]) / SCALE
    assert 100 / (1 + np.exp(apart)) == pytest.approx(2.5, rel=0.5)  # a few wins of a hundred


def test_the_wins_that_may_have_been_missed_are_the_quantile_of_jeffreys_prior():
    """Half the square of a normal number has the density of half a win: 97.5 % of it lies below 2.5."""
    drawn = np.random.default_rng(5).normal(size=4_000_000) ** 2 / 2
    assert np.quantile(drawn, 0.975) == pytest.approx(MAX_UNSEEN, abs=0.02)


def test_one_deal_gives_no_interval():
    found = rate(np.array([[0, 1], [1, 0]]), np.array([[1, 2], [1, 2]]), np.zeros(2, int), 2, resamples=10)
    assert (found.low == -np.inf).all()
    assert (found.high == np.inf).all()


@pytest.mark.parametrize("chance", nightly_but([0.003], [0.003, 0.01, 0.03]))
def test_the_intervals_of_who_hardly_ever_wins_hold(chance):
    generator = np.random.default_rng(6)
    truth, held = SCALE * np.log(chance / (1 - chance)) / 2, []
    for _ in range(150):
        ranks = np.where((generator.random(120) < chance)[:, None], [1, 2], [2, 1])
        found = rate(np.tile([0, 1], (120, 1)), ranks, np.arange(120), 2, resamples=60)
        held.append(found.low[0] <= truth <= found.high[0])
    assert np.mean(held) >= 0.9


def test_games_of_one_deal_count_as_one():
    """Each deal's result copied three times: as many games, but no more certain than before."""
    seats, ranks = simulate(np.random.default_rng(5), 300, 2)
    once = rate(seats, ranks, np.arange(300), 4, resamples=300)
    copied = [np.repeat(part, 3, axis=0) for part in (seats, ranks, np.arange(300))]
    thrice = rate(*copied, 4, resamples=300)
    widths = (once.high - once.low) / (thrice.high - thrice.low)
    assert widths == pytest.approx(np.ones(4), abs=0.15)
