"""Advice of agents by name: of both games, by what a seat knows, and as they play."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from helpers import batch_at
from ingenious_agents import make_agent
from loopit_helpers import VARIANTS, played, position
from loopit_helpers import batch_at as loopit_batch_at
from loopit_plans import plans_of

from ingenious_env import GameBatch, Rules
from ingenious_env.compiled.phases import CHOOSE
from ingenious_env.games.loopit import Lay
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.games.loopit.opponents.planner import Planner
from ingenious_env.policies.advice import advise
from ingenious_env.policies.view import View, flat_actions

ALL = 10**6
AGENTS = {
    "greedy": ("points", "points", "points"),
    "greedy:utility=concave": ("utility", "utility", None),
    "flat-mc:rollouts=30": ("win", "utility", "win"),
    "tree:rollouts=30": ("win", "utility", "win"),
    "value": ("win", "spaces", "win"),
    "value-search:rollouts=12,candidates=3,horizon=1": ("win", "spaces", "win"),
    "planner:width=8": (None, None, "points"),
    "uniform": ("choice", "choice", "choice"),
}
"""The unit of each agent's advice in Ingenious, in solitaire and in Loopit; None where it does not play."""
GAMES = (Rules(), Rules.solitaire(), LoopitRules(3))
EACH = [
    pytest.param(text, rules, unit, id=f"{text} {number}")
    for text, units in AGENTS.items()
    for number, (rules, unit) in enumerate(zip(GAMES, units, strict=True))
    if unit
]


@pytest.mark.parametrize(("text", "rules", "unit"), EACH)
def test_advice_knows_what_the_seat_knows(text, rules, unit):
    agent, differ = make_agent(text), 0
    for moves in (0, 7, 18):
        batch = (batch_at if isinstance(rules, Rules) else loopit_batch_at)(rules, 1, moves, seed=3)
        game = batch[0]
        found = advise(agent, View(batch), ALL)
        assert batch[0] == game
        assert found.unit == unit
        assert found.actions.dtype == np.int32
        assert found.values.dtype == np.float64
        assert game.legal_mask()[found.actions].all()
        assert len(set(found.actions.tolist())) == len(found.actions) == len(found.values)
        assert (found.errors is None) == (text.split(":")[0] not in {"flat-mc", "tree", "value-search"})
        game.reshuffle_hidden(game.to_play, seed=moves)
        differ += game != batch[0]
        again = advise(agent, View.of(game), ALL)
        for one, other in zip(found[:3], again[:3], strict=True):
            assert one is other is None or np.array_equal(one, other, equal_nan=True)
    assert differ


@pytest.mark.parametrize(("text", "rules", "unit"), EACH)
def test_the_first_is_as_good_as_what_is_played(text, rules, unit):
    judges_few = text == "value" and isinstance(rules, Rules)
    agent = make_agent("value:candidates=5000" if judges_few else text)
    batch = (batch_at if isinstance(rules, Rules) else loopit_batch_at)(rules, 4, 13, seed=1)
    for row in np.flatnonzero(~batch.is_over):
        view = View(batch.take(np.array([row])))
        found = advise(agent, view, ALL)
        worth = dict(zip(found.actions.tolist(), found.values.tolist(), strict=True))
        assert worth[int(agent.act(view)[0])] == found.values[0]
        if "greedy" not in text:  # which draws for equals
            assert agent.act(view)[0] == found.actions[0]


def test_an_agent_of_another_game_gives_none():
    with pytest.raises(ValueError, match="nothing else"):
        advise(make_agent("planner"), View(GameBatch(Rules(), 1, 0)))


# The planner.


@pytest.mark.parametrize("name", ["two", "4 x 7, fixed", "long racks"])
def test_without_replies_a_plan_is_worth_its_points(name):
    planner, stops = Planner(width=6, reply=0.0), 0
    for number, (game, _) in enumerate(played(VARIANTS[name], 7, greed=0.7)):
        if number % 3 or game.phase != "lay":
            continue
        best = defaultdict(int)
        for plan, points in plans_of(game, 6):
            if plan or game.laid:
                first = plan[0] if plan else game.action("stop")
                best[first] = max(best[first], points)
        found = advise(planner, View.of(game), ALL)
        assert dict(zip(found.actions.tolist(), found.values.tolist(), strict=True)) == best
        assert (np.diff(found.values) <= 0).all()
        stops += game.action("stop") in best
    assert stops or name == "4 x 7, fixed"


def test_points_are_weighed_against_what_they_open_by_hand():
    """The 1 scores 2 on either side. The 5 then scores 6 on the right of the first tile, which is 5 and the 1
    that it joins, or on the square that multiplies by nine 46."""
    factors = "11111 11111 11119 11111 11111"
    game = position({(2, 2): "EW1"}, ["EW1", "NW5"], factors=factors, rack=1, a_turn=1)
    left, right = (game.action(Lay(("EW", 1), (2, column))) for column in (1, 3))
    for reply in (0.5, 1.0, -1.0):
        found = advise(Planner(reply=reply), View.of(game))
        worth = dict(zip(found.actions.tolist(), found.values.tolist(), strict=True))
        assert worth == pytest.approx({left: 2 - 6 * reply, right: 2 - 46 * reply})
        assert found.actions[0] == (left if reply > 0 else right)


def test_the_planner_throws_back_what_fits_nowhere():
    batch = GameBatch(LoopitRules(2), 256, 3)
    while not (batch.phase == CHOOSE).any():
        batch.play(batch.random_actions())
    view = View(batch.take(np.flatnonzero(batch.phase == CHOOSE)[:1]))
    found = advise(Planner(), view)
    assert found.actions.tolist() == [batch.actions.choice("throw back")]
    assert found.values.tolist() == [0.0]


# Policy networks.


RULES = Rules(2, board_side=4, rack_size=3)


def a_policy(staged: bool, **options):
    torch = pytest.importorskip("torch")
    from ingenious_agents.ppo.agent import NetworkPolicy

    from ingenious_env.networks import PlacementNetwork

    torch.manual_seed(5)
    network = PlacementNetwork(RULES, 16, staged=staged)
    with torch.no_grad():
        for weights in network.parameters():
            weights.mul_(3)  # so that it prefers some slots, and some places
    return NetworkPolicy(RULES, network, **options)


@pytest.mark.parametrize("staged", [False, True])
def test_preferences_are_how_often_a_policy_chooses(staged):
    policy, games = a_policy(staged, sample=True), 4000
    for moves in (0, 6):
        game = batch_at(RULES, 1, moves, seed=2)
        found = advise(policy, View(game), ALL)
        assert found.unit == "preference"
        assert found.values.sum() == pytest.approx(1, abs=1e-9)
        assert (np.diff(found.values) <= 0).all()
        assert sorted(found.actions) == np.flatnonzero(game.legal_mask()[0]).tolist()
        chosen = flat_actions(policy, View(game.take(np.zeros(games, np.int64))))
        counts = np.bincount(chosen, minlength=game.num_actions)[found.actions]
        error = np.sqrt(games * found.values * (1 - found.values))
        assert (np.abs(counts - games * found.values) < 5 * error + 1).all()
        assert len(advise(policy, View(game), 3).actions) == 3
        assert advise(policy, View(game), 3).values.sum() < 0.9


@pytest.mark.parametrize("staged", [False, True])
def test_a_choice_to_swap_is_a_preference_of_two(staged):
    policy, batch = a_policy(staged, sample=True), GameBatch(RULES, 512, 3)
    while not (batch.phase == CHOOSE).any():
        batch.play(batch.random_actions())
    game = batch.take(np.flatnonzero(batch.phase == CHOOSE)[:1])
    found = advise(policy, View(game))
    assert sorted(found.actions) == [batch.actions.keep, batch.actions.swap]
    assert found.values.sum() == pytest.approx(1)
    chosen = flat_actions(policy, View(game.take(np.zeros(2000, np.int64))))
    assert (chosen == found.actions[0]).mean() == pytest.approx(found.values[0], abs=0.06)


def test_the_agent_advises_as_its_network(tmp_path):
    policy = a_policy(staged=True)
    policy.save(tmp_path / "agent.safetensors")
    view = View(batch_at(RULES, 1, 5))
    found = advise(make_agent(f"ppo:path={tmp_path / 'agent.safetensors'}"), view)
    assert np.array_equal(found.actions, policy.advise(view).actions)
    assert len(found.actions) == 20
    with pytest.raises(ValueError, match=r"this agent plays staged actions of players=2 .*, nothing else"):
        policy.advise(View(GameBatch(Rules(3), 1, 0)))
