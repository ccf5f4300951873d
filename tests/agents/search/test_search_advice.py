"""Advice of searches: the means of simulations with their errors, the survivor first, recomputed."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from helpers import PRESETS, batch_at
from ingenious_agents import make_agent
from ingenious_agents.search.flat_mc import MARGIN
from ingenious_agents.search.sequential_halving import Halving, Search
from test_search import last_placement

from ingenious_env import GameBatch, Rules
from ingenious_env.policies.advice import advise
from ingenious_env.policies.view import View

ALL = 10**6


@dataclass(frozen=True)
class Scripted(Halving):
    """Simulation n of candidate k has the result script[k][n]."""

    script: tuple[tuple[float, ...], ...] = ()

    def search(self, games, row):
        search = ScriptedSearch(games, row, np.array(self.script))
        searches.append(search)
        return search

    def unit(self, rules):
        return "utility"


class ScriptedSearch(Search):
    def __init__(self, games, row, script):
        self.script = script
        super().__init__(games, row)

    def find_candidates(self, games, row):
        return np.flatnonzero(games.legal_mask()[row])[: len(self.script)].astype(np.int32)

    def simulate(self, which, first, last, sums):
        for simulation in range(first, last):
            results = self.script[which, simulation]
            sums += np.stack([results, results**2, np.ones(len(which))], axis=1)


searches: list[ScriptedSearch] = []


def advised(script, **options):
    """The advice, and the candidates that it is on, by their numbers."""
    agent, view = Scripted(script=script, **options), View(GameBatch(Rules(), 1, 0))
    found = advise(agent, view, ALL)
    assert found.actions[0] == agent.act(view)[0]
    numbers = [searches[-1].candidates.tolist().index(action) for action in found.actions]
    return found, numbers


def test_values_and_errors_are_those_of_the_simulations():
    """Four candidates and 16 rollouts: two results of each in the first round, then four of the best two."""
    script = ((0.1, 0.3, *[9.0] * 4), (0.5, 0.9, 0.6, 0.8, 0.2, 0.9), (0.2, 0.6, *[9.0] * 4))
    script = (*script, (0.8, 0.9, 0.9, 0.7, 0.8, 0.9))
    found, numbers = advised(script, rollouts=16, candidates=4)
    assert numbers == [3, 1, 2, 0]
    tried = [script[3], script[1], script[2][:2], script[0][:2]]
    assert found.values == pytest.approx([np.mean(results) for results in tried])
    errors = [np.std(results, ddof=1) / len(results) ** 0.5 for results in tried]
    assert found.errors == pytest.approx(errors)
    assert found.unit == "utility"


def test_the_survivor_is_the_first_whatever_its_mean():
    """The second round is worse than the first was for both that got there."""
    script = ((0.5, 0.5, *[9.0] * 4), (0.6, 0.6, 0.1, 0.1, 0.1, 0.1), (0.9, 0.9, 0.0, 0.0, 0.0, 0.1))
    found, numbers = advised((*script, (0.4, 0.4, *[9.0] * 4)), rollouts=16, candidates=4)
    assert numbers == [2, 0, 3, 1]
    assert found.values == pytest.approx([1.9 / 6, 0.5, 0.4, 1.6 / 6])


def test_one_result_has_no_error():
    found, numbers = advised(((0.25,), (0.75,)), rollouts=2, candidates=2)
    assert numbers == [1, 0]
    assert found.values.tolist() == [0.75, 0.25]
    assert np.isnan(found.errors).all()


def test_the_only_candidate_is_tried_for_advice_alone():
    found, numbers = advised(((0.5, 0.25, 0.75, 0.5),), rollouts=4, candidates=1)
    assert numbers == [0]
    assert found.values.tolist() == [0.5]
    assert found.errors == pytest.approx([np.std([0.5, 0.25, 0.75, 0.5], ddof=1) / 2])
    assert not searches[-1].sums.any()  # of `act`, which has nothing to choose


def test_advice_is_cut_behind_the_best():
    script = tuple((float(k),) * 6 for k in range(4))
    agent, view = Scripted(script=script, rollouts=16, candidates=4), View(GameBatch(Rules(), 1, 0))
    cut, whole = advise(agent, view, 2), advise(agent, view)
    for one, other in zip(cut[:3], whole[:3], strict=True):
        assert np.array_equal(one, other[:2])


@pytest.mark.parametrize("text", ["flat-mc:rollouts=400,candidates=200", "tree:rollouts=400,candidates=200"])
def test_a_last_placement_is_worth_its_share_of_the_win(text):
    agent = make_agent(text)
    for before, legal, shares in itertools.islice(last_placement(), 6):
        found = advise(agent, View(before), ALL)
        by_action = dict(zip(legal.tolist(), shares, strict=True))
        assert sorted(found.actions) == sorted(legal)
        assert found.unit == "win"
        assert np.abs(found.values - [by_action[action] for action in found.actions.tolist()]).max() <= MARGIN
        assert (found.errors[~np.isnan(found.errors)] < 1e-6).all()


@pytest.mark.parametrize("kind", ["flat-mc", "tree"])
def test_alone_results_are_weighted_counters(kind):
    """Of a placement that ends the game, in shares of the last space."""
    rules = Rules(1, board_side=3, num_colours=3)
    agent = make_agent(f"{kind}:rollouts=400,candidates=200,fade=0.3")
    batch = before = GameBatch(rules, 1, 2)
    while not batch.is_over[0]:
        before = batch.clone()
        batch.play(batch.random_actions())
    found = advise(agent, View(before), ALL)
    assert found.unit == "utility"
    for action, value in zip(found.actions.tolist(), found.values, strict=True):
        after = before.clone()
        after.play([action])
        lowest, middle, highest = sorted(after.scores[0, 0].tolist())
        assert value == pytest.approx((lowest + 0.3 * middle + 0.09 * highest) / rules.last_space)


@pytest.mark.parametrize("text", ["flat-mc:rollouts=60", "tree:rollouts=60"])
@pytest.mark.parametrize("name", PRESETS)
def test_the_first_is_what_the_search_plays(text, name):
    agent, batch = make_agent(f"{text},candidates=5"), batch_at(PRESETS[name], 6, 12, seed=2)
    chosen = agent.act(View(batch))
    for row in np.flatnonzero(~batch.is_over):
        found = advise(agent, View(batch.take(np.array([row]))))
        assert found.actions[0] == chosen[row]
        assert (np.diff(found.values[1:]) <= 0).all()
        assert 2 <= len(found.actions) <= 5
        assert ((found.errors >= 0) & (found.errors < 1)).all()


def test_errors_shrink_with_the_root_of_the_number():
    view = View(batch_at(Rules(), 1, 8))
    few, many = (
        make_agent(f"flat-mc:rollouts={rollouts},candidates=2").advise(view) for rollouts in (200, 20_000)
    )
    assert many.errors == pytest.approx(few.errors / 10, rel=0.3)
    assert (np.abs(np.sort(few.actions) - np.sort(many.actions)) == 0).all()
