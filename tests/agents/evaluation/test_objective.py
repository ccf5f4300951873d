"""The solitaire objective: the games of a study, batches, and input that is refused."""

from __future__ import annotations

import numpy as np
import pytest
from ingenious_agents import evaluate, make_agent
from ingenious_agents.evaluation import objective
from ingenious_agents.evaluation.statistics import luck_adjusted

from ingenious_env import Game, GameBatch, Rules, View
from ingenious_env.policies import DrawLuck

SMALL = Rules(1, board_side=4)


def one_by_one(agent, rules, indices, seed):
    found = []
    for bag in indices:
        game = Game(rules, seed=(seed, bag))
        while not game.is_over:
            game.play(int(agent.act(View.of(game))[0]))
        found.append(min(game.scores[0]))
    return found


@pytest.mark.parametrize("bags", [7, range(3, 9)])
def test_results_are_those_of_the_games(bags):
    agent = make_agent("greedy:utility=concave")
    indices = range(bags) if isinstance(bags, int) else bags
    found = evaluate(agent, bags, seed=4, adjusted=False, rules=SMALL)
    assert found.lowest.tolist() == found.results.tolist() == one_by_one(agent, SMALL, indices, 4)
    assert found.mean == np.mean(found.lowest)
    assert found.half_width == pytest.approx(
        1.96 * np.std(found.lowest, ddof=1) / len(indices) ** 0.5, rel=1e-3
    )


def test_luck_is_subtracted_as_in_studies():
    agent, bags = make_agent("greedy"), range(10, 70)
    found = evaluate(agent, bags, seed=4)
    batch = GameBatch(Rules.solitaire(), 60, 0)
    batch.seed(4, 10)
    luck = DrawLuck(batch)
    while not batch.is_over.all():
        actions = np.full(60, -1)
        rows = np.flatnonzero(~batch.is_over)
        actions[rows] = agent.act(View(batch.take(rows)))
        luck.play(actions)
    lowest = batch.scores[:, 0].min(axis=1)
    assert (found.lowest == lowest).all()
    assert found.results == pytest.approx(luck_adjusted(lowest, luck.total[:, 0], np.arange(10, 70)))
    assert found.half_width < evaluate(agent, bags, seed=4, adjusted=False).half_width


def test_the_size_of_batches_changes_nothing(monkeypatch):
    agent = make_agent("greedy:epsilon=0.5")
    whole = evaluate(agent, 30, adjusted=False)
    monkeypatch.setattr(objective, "BATCH", 7)
    assert (evaluate(agent, 30, adjusted=False).results == whole.results).all()


def test_other_variants_have_no_luck_to_subtract():
    found = evaluate(make_agent("greedy"), 25, rules=SMALL)
    assert (found.results == found.lowest).all()


@pytest.mark.parametrize("kind", [np.int64, np.uint8])
def test_a_number_of_bags_is_of_any_kind(kind):
    found = [evaluate(make_agent("greedy"), bags, rules=SMALL).results for bags in (kind(7), 7, range(7))]
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


@pytest.mark.parametrize("bags", [2.5, True, [0, 1], "3"])
def test_bags_that_are_no_number(bags):
    with pytest.raises(TypeError, match="bags that are no range must be a whole number, not"):
        evaluate(make_agent("greedy"), bags)


@pytest.mark.parametrize("bags", [0, -1])
def test_numbers_of_bags_that_are_not(bags):
    with pytest.raises(ValueError, match="bags that are no range must be from 1 to"):
        evaluate(make_agent("greedy"), bags)


@pytest.mark.parametrize("bags", [range(0), range(5, 2), range(0, 9, 2), range(-3, 3)])
def test_bags_that_are_not(bags):
    with pytest.raises(ValueError, match="bags must be a number of at least 1, or a range with step 1"):
        evaluate(make_agent("greedy"), bags)


def test_it_is_solitaire():
    with pytest.raises(ValueError, match="solitaire is for one player, not for 2"):
        evaluate(make_agent("greedy"), 5, rules=Rules())
    with pytest.raises(ValueError, match="planner"):
        evaluate(make_agent("planner"), 5)
