"""Placements compared one draw later: exact means over all tiles that can be drawn."""

from __future__ import annotations

import numpy as np
import pytest
from ingenious_agents import make_agent
from test_value import batch_of, random_network

from ingenious_env import Game, GameBatch, Rules, View
from ingenious_env.policies.value import best_actions, rank_actions

ALONE = Rules(1, board_side=4, num_colours=3)
DRAWS, NEXT, FEW = 3, 5, 4


@pytest.fixture
def agent(tmp_path, request):
    random_network(ALONE).save(tmp_path / "agent.safetensors")
    options = f"draws={DRAWS},next_candidates={NEXT},candidates={getattr(request, 'param', 0)}"
    return make_agent(f"value:path={tmp_path / 'agent.safetensors'},{options}")


def outcome(game: Game) -> float:
    return float(np.average(np.sort(game.scores[0])[:4], weights=[1, 0.2, 0.1][: game.rules.num_colours]))


def one_draw_later(network, game: Game, action: int) -> float:
    """The mean value of the best next placement over the tiles of the bag, each as the next one."""
    after = game.clone()
    after.play(action)
    if after.is_over:
        return outcome(after)
    total = 0.0
    for tile, number in game.bag.items():
        twin = game.clone()
        twin.next_draws([tile])
        twin.play(action)
        total += number * best_actions(network, batch_of(twin), NEXT)[1][0]
    return total / sum(game.bag.values())


@pytest.mark.parametrize(("agent", "wide"), [(0, 200), (FEW, FEW)], indirect=["agent"])
def test_the_best_of_the_highest_one_draw_later_is_played(agent, wide):
    network, compared, changed = agent.network(ALONE), 0, 0
    for seed in range(4):
        game = Game(ALONE, seed=seed)
        while not game.is_over:
            actions, values = rank_actions(network, batch_of(game), wide, wide)
            actions, values = actions[actions >= 0], values[actions >= 0]
            highest = actions[np.argsort(-values, kind="stable")][:DRAWS].tolist()
            later = {action: one_draw_later(network, game, action) for action in highest}
            played = int(agent.act(View.of(game))[0])
            assert later[played] == pytest.approx(max(later.values()), abs=1e-6)
            advice = agent.advise(View.of(game))
            found = dict(zip(advice.actions.tolist(), advice.values.tolist(), strict=True))
            assert [found[action] for action in later] == pytest.approx(list(later.values()), abs=1e-6)
            assert advice.values.tolist() == sorted(advice.values.tolist(), reverse=True)
            assert advice.actions[0] == played
            changed += played != highest[0]
            compared += 1
            game.play(played)
    assert compared > 30
    assert changed > 5


def test_batches_and_finished_games(agent):
    finished, begun = GameBatch(ALONE, 4, 3), GameBatch(ALONE, 8, 4)
    while not finished.is_over.all():
        finished.play(finished.random_actions())
    games = GameBatch.from_rows(ALONE, np.concatenate([finished.state.memory, begun.state.memory]))
    actions = agent.act(View(games))
    for row in range(12):
        assert agent.act(View(games.take(np.array([row]))))[0] == actions[row]
        assert (actions[row] < 0) == games.is_over[row]


@pytest.mark.parametrize("rules", [Rules(), Rules(1, rack_size=2)], ids=["two", "a rack of two"])
def test_other_tables_are_refused(rules, tmp_path):
    random_network(rules).save(tmp_path / "agent.safetensors")
    agent = make_agent(f"value:path={tmp_path / 'agent.safetensors'},draws=2")
    with pytest.raises(ValueError, match="draws compares placements in solitaire of Ingenious"):
        agent.act(View(GameBatch(rules, 1, 0)))
