"""Advice of value networks: each action tried separately, and the network evaluated by slow code."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain

import numpy as np
import pytest
from helpers import VARIANTS, batch_at, hidden_tiles
from ingenious_agents import make_agent
from loopit_helpers import VARIANTS as LOOPIT_VARIANTS
from loopit_helpers import played
from loopit_plans import inputs_of as loopit_inputs_of
from loopit_plans import plans_of
from test_loopit_value import answer, value_by_hand
from test_loopit_value import random_network as loopit_network
from test_value import SMALL, answers, inputs_of, random_network

from ingenious_env import Game, GameBatch, Place
from ingenious_env.games.ingenious.state import SWAP
from ingenious_env.policies.advice import advise
from ingenious_env.policies.view import View

ALL = 10**6


def worth_by_hand(network, game: Game, action: int) -> float:
    """The network's value of the position after an action; for a game that ends, its result."""
    rules, seat, move, after = game.rules, game.to_play, game.move(action), game.clone()
    sheet, rack, unseen = rules.sheet_of(seat), Counter(game.racks[seat]), hidden_tiles(game, seat)
    if not isinstance(move, Place):
        kept = Counter() if move == "swap" else rack
        return float(answers(network, np.array([inputs_of(game, sheet, kept, unseen, 0)]))[0])
    after.play(action)
    if after.is_over:
        sheets = [sorted(counters) for counters in after.scores.tolist()]
        if rules.num_sheets == 1:
            return float(np.average(sheets[0][:4], weights=[1, 0.2, 0.1, 0.05][: rules.num_colours]))
        return (sheets[sheet] == max(sheets)) / sheets.count(max(sheets))
    rack[tuple(sorted(colour for _, colour in move))] -= 1
    owed = after.plays_left if after.state.turn == game.state.turn else 0
    return float(answers(network, np.array([inputs_of(after, sheet, +rack, unseen, owed)]))[0])


def last_position(rules, seed: int) -> Game:
    """The position before the last action of a game."""
    batch = before = GameBatch(rules, 1, seed)
    while not batch.is_over[0]:
        before = batch.clone()
        batch.play(batch.random_actions())
    return before[0]


@pytest.mark.parametrize("name", SMALL)
def test_every_action_is_worth_what_the_slow_way_says(name, tmp_path):
    rules = SMALL[name]
    network = random_network(rules)
    network.save(tmp_path / "agent.safetensors")
    agent, ends = make_agent(f"value:path={tmp_path / 'agent.safetensors'}"), 0
    games = [batch_at(rules, 1, moves, seed=moves)[0] for moves in (0, 5, 9, 13)]
    for game in [*games, *(last_position(rules, seed) for seed in range(3))]:
        if game.is_over:
            continue
        found = advise(agent, View.of(game), ALL)
        assert sorted(found.actions) == game.legal_actions().tolist()
        assert found.unit == ("spaces" if rules.num_sheets == 1 else "win")
        for k in {0, 1, len(found.actions) // 2, len(found.actions) - 1} & set(range(len(found.actions))):
            by_hand = worth_by_hand(network, game, int(found.actions[k]))
            assert found.values[k] == pytest.approx(by_hand, rel=1e-4, abs=1e-6)
            after = game.clone()
            after.play(int(found.actions[k]))
            ends += after.is_over
    assert ends


def test_to_swap_and_to_keep_are_worth_what_the_slow_way_says(tmp_path):
    rules = SMALL["two"]
    network = random_network(rules)
    network.save(tmp_path / "agent.safetensors")
    agent, batch, seen = (
        make_agent(f"value:path={tmp_path / 'agent.safetensors'}"),
        GameBatch(rules, 300, 4),
        [],
    )
    while not (batch.phase == SWAP).sum() > 3:
        batch.play(batch.random_actions())
    for row in np.flatnonzero(batch.phase == SWAP)[:4]:
        game = batch[int(row)]
        found = advise(agent, View.of(game))
        by_hand = {action: worth_by_hand(network, game, action) for action in game.legal_actions().tolist()}
        assert dict(zip(found.actions.tolist(), found.values, strict=True)) == pytest.approx(
            by_hand, rel=1e-4
        )
        assert found.actions[0] == agent.act(View.of(game))[0]
        seen.append(game.move(int(found.actions[0])))
    assert len(seen) == 4


@pytest.mark.parametrize("name", VARIANTS)
def test_the_best_is_what_it_plays_if_it_judges_everything(name, tmp_path):
    """Also on the first moves, whose symmetric placements are worth exactly the same."""
    rules = VARIANTS[name]
    random_network(rules).save(tmp_path / "agent.safetensors")
    agent = make_agent(f"value:path={tmp_path / 'agent.safetensors'},candidates=10000")
    for moves in (0, 1, 6, 14, 24):
        batch = batch_at(rules, 3, moves, seed=moves)
        for row in np.flatnonzero(~batch.is_over):
            view = View.of(batch[int(row)])
            found = advise(agent, view, ALL)
            assert found.actions[0] == agent.act(view)[0]
            assert sorted(found.actions) == batch[int(row)].legal_actions().tolist()
            assert (np.diff(found.values) <= 0).all()


def test_few_candidates_leave_advice_as_it_is(tmp_path):
    rules = SMALL["three"]
    random_network(rules).save(tmp_path / "agent.safetensors")
    few, many = (
        make_agent(f"value:path={tmp_path / 'agent.safetensors'},candidates={count}") for count in (1, 500)
    )
    batch, others = batch_at(rules, 8, 6), 0
    for row in np.flatnonzero(~batch.is_over):
        view = View.of(batch[int(row)])
        assert np.array_equal(few.advise(view, ALL).values, many.advise(view, ALL).values)
        others += few.act(view)[0] != few.advise(view).actions[0]
    assert others


@pytest.mark.parametrize("name", ["two", "three, fixed", "4 x 7, fixed", "long racks"])
def test_in_loopit_an_action_is_worth_its_best_plan(name, tmp_path):
    rules = LOOPIT_VARIANTS[name]
    network, seen, shared = loopit_network(rules), Counter(), 0
    network.save(tmp_path / "agent.safetensors")
    agent = make_agent(f"value:path={tmp_path / 'agent.safetensors'},candidates=3")
    positions = chain.from_iterable(played(rules, seed, greed=0.8) for seed in (6, 7))
    for number, (position, _) in enumerate(positions):
        if position.phase == "over" or (number % 9 and position.bag.total()):
            continue
        found = advise(agent, View.of(position), ALL)
        game = View.of(position).complete()[0]  # whether a plan ends the game may depend on what is hidden
        listed = dict(zip(found.actions.tolist(), found.values.tolist(), strict=True))
        if game.phase == "throw":
            best = throwing_back_by_hand(network, game)
        else:
            plans, best = [plan for plan, _ in plans_of(game, 3) if plan or game.laid], defaultdict(float)
            for plan in plans:
                first = plan[0] if plan else game.action("stop")
                best[first] = max(best[first], value_by_hand(network, game, plan))
            shared += len(plans) > len(best)
        assert listed == pytest.approx(dict(best), abs=1e-5)
        assert (np.diff(found.values) <= 0).all()
        assert found.unit == "win"
        assert found.actions[0] == agent.act(View.of(game))[0]
        seen[game.phase] += 1
        seen["stop"] += game.phase == "lay" and game.laid > 0
    assert seen["lay"] > 3
    assert shared
    assert seen["stop"]


def throwing_back_by_hand(network, game) -> dict[int, float]:
    """The value of throwing the rack back, the only advice where nothing fits."""
    return {game.action("throw back"): answer(network, loopit_inputs_of(game, 3, -1))}


def test_a_rack_that_fits_nowhere_is_thrown_back(tmp_path):
    rules = LOOPIT_VARIANTS["few patterns"]
    network, seen = loopit_network(rules), 0
    network.save(tmp_path / "agent.safetensors")
    agent = make_agent(f"value:path={tmp_path / 'agent.safetensors'},candidates=3")
    for seed in range(10):
        for game, _ in played(rules, seed):
            if game.phase == "throw":
                found = advise(agent, View.of(game))
                listed = dict(zip(found.actions.tolist(), found.values.tolist(), strict=True))
                assert listed == pytest.approx(throwing_back_by_hand(network, game), abs=1e-5)
                assert found.actions[0] == agent.act(View.of(game))[0]
                seen += 1
    assert seen >= 3


def test_whether_a_plan_ends_the_game_is_not_looked_up(tmp_path):
    """Tiles that are out of the game are hidden, too, and may be the last that fit."""
    rules = LOOPIT_VARIANTS["4 x 7, fixed"]
    network, differ = loopit_network(rules), 0
    network.save(tmp_path / "agent.safetensors")
    agent = make_agent(f"value:path={tmp_path / 'agent.safetensors'},candidates=3")
    for game, _ in chain.from_iterable(played(rules, seed, greed=0.8) for seed in range(8)):
        if game.phase == "over":
            continue
        other = game.clone()
        other.reshuffle_hidden(game.to_play, seed=1)
        mine, its = (advise(agent, View.of(each), ALL) for each in (game, other))
        assert np.array_equal(mine.actions, its.actions)
        assert np.array_equal(mine.values, its.values)
        differ += game != other
    assert differ
