"""Search by a value network: legal, blind to what is hidden, and worth what playing on by it is worth."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import VARIANTS, batch_at
from ingenious_agents import make_agent
from ingenious_agents.value.kernels.trials import unmix
from ingenious_agents.value.search import BY_TABLE, ValueSearch
from sampled import nightly_but
from test_value import SMALL, check_choices, random_network

from ingenious_env import GameBatch, Rules
from ingenious_env.compiled.rng import mix
from ingenious_env.engine.state import PLACE
from ingenious_env.games.ingenious.state import SWAP
from ingenious_env.policies.value import best_actions
from ingenious_env.policies.view import View

FEW = "rollouts=24,candidates=3,rollout_candidates=4"


@pytest.fixture
def path(request, tmp_path):
    rules = getattr(request, "param", Rules())
    random_network(rules).save(tmp_path / "agent.safetensors")
    return str(tmp_path / "agent.safetensors")


@pytest.mark.parametrize(("name", "path"), VARIANTS.items(), indirect=["path"], ids=VARIANTS)
def test_actions_are_legal_and_blind_to_what_is_hidden(name, path):
    check_choices(make_agent(f"value-search:{FEW},path={path}"), VARIANTS[name])


def test_a_scrambled_word_is_found_again():
    """So that a page can make policies draw the word of a rollout."""
    words = np.random.default_rng(0).integers(0, 2**64, 1000, dtype=np.uint64)
    words = np.concatenate([words, np.array([0, 1, 2**63, 2**64 - 1], np.uint64)])
    with np.errstate(over="ignore"):
        assert (unmix.py_func(mix.py_func(words)) == words).all()


def test_another_seed_is_another_search(path):
    batch, text = batch_at(Rules(), 12, 6), f"value-search:{FEW},path={path}"
    assert not np.array_equal(
        make_agent(text).act(View(batch)), make_agent(f"{text},seed=1").act(View(batch))
    )


def test_candidates_are_what_the_network_values_most(path):
    agent, batch = ValueSearch(path=path, candidates=8), batch_at(Rules(), 6, 10)
    for row in np.flatnonzero(batch.phase == PLACE):
        found, left = (
            agent.search(batch, int(row)).candidates,
            best_actions(agent.network(batch.rules), batch.take(np.array([row])), 200),
        )
        assert found[0] == left[0][0]
        assert len(set(found)) == 8
        shorter = ValueSearch(path=path, candidates=3).search(batch, int(row)).candidates
        assert np.array_equal(found[:3], shorter)


def played_on(network, batch: GameBatch, sheet: int, horizon: int, rollout_candidates: int) -> np.ndarray:
    """Values of games for a sheet, when all seats play by the network, one decision at a time."""
    rules, worth = batch.rules, np.full(len(batch), np.nan)
    left = np.full(len(batch), horizon)
    while np.isnan(worth).any():
        actions, values = best_actions(network, batch, rollout_candidates)
        over = batch.is_over
        scores = np.sort(batch.scores, axis=2)
        for row in np.flatnonzero(np.isnan(worth)):
            if over[row] and rules.num_sheets == 1:
                weights = [1, 0.2, 0.1, 0.05][: rules.num_colours]
                worth[row] = np.average(scores[row, 0, :4], weights=weights)
            elif over[row]:
                sheets = scores[row].tolist()
                worth[row] = (sheets[sheet] == max(sheets)) / sheets.count(max(sheets))
            elif rules.sheet_of(int(batch.to_play[row])) == sheet:
                left[row] -= 1
                if left[row] == 0:
                    worth[row] = values[row]
        batch.play(actions.astype(np.int64))
    return worth


@pytest.mark.parametrize("rules", SMALL.values(), ids=SMALL)
@pytest.mark.parametrize("horizon", nightly_but([0, BY_TABLE], [0, 2, BY_TABLE]))
def test_a_simulation_plays_on_by_the_network(rules, horizon, tmp_path):
    random_network(rules).save(tmp_path / "agent.safetensors")
    agent = ValueSearch(
        path=str(tmp_path / "agent.safetensors"), candidates=2, horizon=horizon, rollout_candidates=500
    )
    batch, runs = batch_at(rules, 2, 4, seed=2), 80
    for row in np.flatnonzero(batch.phase == PLACE):
        search = agent.search(batch, int(row))
        search.run(np.arange(len(search.candidates)), runs)
        for k, action in enumerate(search.candidates):
            games = batch.take(np.full(runs, row))
            games.reshuffle_hidden(seed=5)
            # Of equally good placements each copy takes its own, as each simulation does.
            games.state.policy_key[:] = np.random.default_rng(6).integers(2**63, size=runs)
            games.play(np.full(runs, action, np.int64))
            sheet = rules.sheet_of(int(batch.to_play[row]))
            decisions = horizon if horizon != BY_TABLE else 8 if rules.num_sheets == 1 else 1
            worth = played_on(agent.network(rules), games, sheet, decisions, 500)
            total, squares, number = search.sums[k]
            assert number == runs
            variance = max(0.0, squares / runs - (total / runs) ** 2) + worth.var()
            assert total / runs == pytest.approx(worth.mean(), abs=4.5 * (variance / runs) ** 0.5 + 1e-6)


def test_a_choice_to_swap_has_two_candidates(path):
    batch = GameBatch(Rules(), 512, 3)
    while not (batch.phase == SWAP).any():
        batch.play(batch.random_actions())
    row = int(np.flatnonzero(batch.phase == SWAP)[0])
    search = ValueSearch(path=path).search(batch, row)
    assert sorted(search.candidates) == [batch.actions.keep, batch.actions.swap]


def test_parameters_that_make_no_sense(path):
    for wrong, complaint in (
        ("rollout_candidates=0", "rollout_candidates must be from 1 to"),
        ("rollout_candidates=10001", "rollout_candidates must be from 1 to 10000"),
        (f"horizon={2**63}", "horizon must be from -1 to 1000000"),
        ("horizon=-2", "horizon must be from -1 to"),
        ("rollouts=0", "rollouts must be from 1 to"),
    ):
        with pytest.raises(ValueError, match=complaint):
            make_agent(f"value-search:path={path},{wrong}")
    with pytest.raises(ValueError, match=r"plays .*, nothing else"):
        make_agent(f"value-search:path={path}").act(View(GameBatch(Rules.solitaire(), 1)))
