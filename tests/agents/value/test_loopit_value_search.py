"""Search by Loopit's value network: simulations worked out by single moves, and what its candidates are."""

from __future__ import annotations

import numpy as np
import pytest
from ingenious_agents import make_agent
from ingenious_agents.value.search import ValueSearch
from loopit_helpers import VARIANTS, batch_at
from test_loopit_value import random_network

from ingenious_env import GameBatch, View
from ingenious_env.engine.state import CHOOSE, NO_ACTION, PLACE
from ingenious_env.games.loopit import Rules
from ingenious_env.policies.value import best_actions

WIDTH = 256


@pytest.fixture
def path(request, tmp_path):
    random_network(getattr(request, "param", Rules(2))).save(tmp_path / "agent.safetensors")
    return str(tmp_path / "agent.safetensors")


def played_on(network, games: GameBatch, seat: int, turn: int, turns: int) -> np.ndarray:
    """Values of games for a seat, when all seats play by the network, tile by tile."""
    worth, left = np.full(len(games), np.nan), np.full(len(games), turns)
    while np.isnan(worth).any():
        actions, values = best_actions(network, games, WIDTH)
        ranks, over = games.ranks, games.is_over
        for row in np.flatnonzero(np.isnan(worth)):
            if over[row]:
                first = ranks[row] == 1
                worth[row] = first[seat] / first.sum()
            elif games.to_play[row] == seat and games.state.turn[row] != turn and not games.state.laid[row]:
                left[row] -= 1
                if left[row] == 0:
                    worth[row] = values[row]
        games.play(actions)
    return worth


@pytest.mark.parametrize("turns", [0, 1, 3])
@pytest.mark.parametrize("path", [Rules(3, tiles_per_turn=1)], indirect=True)
def test_a_simulation_plays_on_by_the_network(turns, path):
    """With one tile per turn, so that a plan is a tile."""
    rules, runs = Rules(3, tiles_per_turn=1), 60
    agent = ValueSearch(path=path, candidates=2, horizon=turns, rollout_candidates=WIDTH)
    batch, checked = batch_at(rules, 3, 25, seed=2), 0
    for row in np.flatnonzero(batch.phase == PLACE):
        search = agent.search(batch, int(row))
        search.run(np.arange(2), runs)
        for place, action in enumerate(search.candidates):
            games = batch.take(np.full(runs, row))
            games.reshuffle_hidden(seed=5)
            seat, turn = int(batch.to_play[row]), int(batch.state.turn[row])
            games.play(np.full(runs, action, np.int32))
            worth = played_on(agent.network(rules), games, seat, turn, turns)
            total, squares, number = search.sums[place]
            assert number == runs
            variance = max(0.0, squares / runs - (total / runs) ** 2) + worth.var()
            assert total / runs == pytest.approx(worth.mean(), abs=4.5 * (variance / runs) ** 0.5 + 1e-6)
            checked += 1
    assert checked >= 4


def test_candidates_begin_the_best_plans(path):
    agent, batch = ValueSearch(path=path, candidates=5), batch_at(Rules(2), 6, 12)
    for row in np.flatnonzero(batch.phase == PLACE):
        found = agent.search(batch, int(row)).candidates
        best, _ = best_actions(agent.network(Rules(2)), batch.take(np.array([row])), 128)
        assert found[0] == best[0]
        assert len(set(found.tolist())) == len(found) <= 5


@pytest.mark.parametrize(
    ("name", "path"),
    [(name, VARIANTS[name]) for name in ("two", "three, fixed", "long racks")],
    indirect=["path"],
    ids=["two", "three, fixed", "long racks"],
)
def test_actions_are_legal_and_blind_to_what_is_hidden(name, path):
    agent = make_agent(f"value-search:rollouts=12,candidates=3,rollout_candidates=4,horizon=1,path={path}")
    for moves in (0, 9, 40):
        batch = batch_at(VARIANTS[name], 3, moves, seed=moves)
        actions, going = agent.act(View(batch)), ~batch.is_over
        assert batch.legal_mask()[going, actions[going]].all()
        assert (actions[~going] == NO_ACTION).all()
        other = batch.clone()
        other.reshuffle_hidden(seed=7)
        assert np.array_equal(agent.act(View(other)), actions)


def test_a_rack_that_fits_nowhere_is_thrown_back(path):
    batch = GameBatch(Rules(2), 256, 3)
    while not (batch.phase == CHOOSE).any():
        batch.play(batch.random_actions())
    stuck = batch.take(np.flatnonzero(batch.phase == CHOOSE)[:1])
    assert make_agent(f"value-search:path={path}").act(View(stuck)) == [batch.actions.choice("throw back")]


def test_more_candidates_than_its_kernels_hold_are_refused(path):
    with pytest.raises(ValueError, match="candidates must be from 1 to 256 in loopit, not 257"):
        make_agent(f"value-search:rollout_candidates=257,path={path}").act(View(GameBatch(Rules(2), 1)))
