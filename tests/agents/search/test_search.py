"""Agents that search: legal, repeatable, blind to what is hidden, and better than what they search with."""

from __future__ import annotations

import itertools
from threading import Event

import numpy as np
import pytest
from helpers import PRESETS, VARIANTS, batch_at
from ingenious_agents import make_agent, play_match
from ingenious_agents.search.flat_mc import MARGIN, FlatMC
from ingenious_agents.search.ismcts import TreeSearch
from ingenious_agents.search.kernels.tree import CHANCES, CHILD, MOVE, SHEET, SIBLING, VISITS
from ingenious_agents.search.sequential_halving import LOOK_EVERY

from ingenious_env import GameBatch, Rules
from ingenious_env.engine.state import NO_ACTION, OVER, PLACE
from ingenious_env.games.ingenious.opponents.utilities import SLOPES, UTILITIES
from ingenious_env.games.ingenious.state import SWAP
from ingenious_env.policies.thinking import stoppable
from ingenious_env.policies.view import View

SEARCHES = [
    "flat-mc:rollouts=40,candidates=4",
    "tree:rollouts=40,candidates=4",
    "tree:rollouts=40,candidates=4,widen=3.0,widen_solitaire=2.0,widen_others=2.0",
]
search_agents = pytest.mark.parametrize("text", SEARCHES)


@search_agents
@pytest.mark.parametrize("name", VARIANTS)
def test_actions_are_legal(text, name):
    agent = make_agent(text)
    for moves in (0, 5, 15, 60):
        batch = batch_at(VARIANTS[name], 4, moves, seed=moves)
        actions = agent.act(View(batch))
        over = batch.phase == OVER
        assert (actions[over] == NO_ACTION).all()
        assert batch.legal_mask()[np.flatnonzero(~over), actions[~over]].all()


@search_agents
def test_no_choice_changes_with_what_is_hidden(text):
    agent = make_agent(text)
    for rules, moves in itertools.product((Rules(), Rules.partnership()), (3, 14, 25)):
        batch = batch_at(rules, 6, moves, seed=moves)
        chosen = agent.act(View(batch))
        for seed in range(3):
            other = batch.clone()
            other.reshuffle_hidden(seed=seed)
            assert np.array_equal(agent.act(View(other)), chosen)


@search_agents
def test_a_game_s_action_is_the_same_in_any_batch(text):
    agent, batch = make_agent(text), batch_at(Rules(), 5, 9)
    chosen = agent.act(View(batch))
    rows = np.array([3, 0, 4])
    assert np.array_equal(agent.act(View(batch.take(rows))), chosen[rows])
    assert np.array_equal(agent.act(View(batch)), chosen)


@search_agents
def test_staged_choices_are_the_flat_ones(text):
    agent, batch = make_agent(text), batch_at(Rules(), 6, 12)
    flat = agent.act(View(batch))
    staged = GameBatch.from_rows(batch.rules, batch.state.memory, staged=True)
    slots = agent.act(View(staged))
    placing = batch.phase == PLACE
    assert np.array_equal(slots[placing], flat[placing] // batch.actions.num_placements)
    assert staged.legal_mask()[np.arange(6), slots].all()
    staged.play(slots)
    places = agent.act(View(staged))
    assert staged.legal_mask()[np.arange(6), places].all()


@pytest.mark.parametrize("text", SEARCHES)
def test_another_seed_is_another_search(text):
    batch = batch_at(Rules(), 12, 6)
    assert not np.array_equal(
        make_agent(text).act(View(batch)), make_agent(f"{text},seed=1").act(View(batch))
    )


def test_candidates_are_the_best_placements():
    """Against trying out every legal placement; doubles lie in one way, equal tiles in one slot."""
    for name, rules in PRESETS.items():
        values = UTILITIES["points"](rules)
        batch = batch_at(rules, 4, 11, seed=len(name))
        for row in np.flatnonzero(batch.phase == PLACE):
            legal = np.flatnonzero(batch.legal_mask()[row])
            after = batch.take(np.full(len(legal), row))
            after.play(legal)
            sheet = rules.sheet_of(int(batch.to_play[row]))
            gains = dict(zip(legal, values[after.scores[:, sheet].astype(int)].sum(axis=1), strict=True))
            search = FlatMC(candidates=15, rollout="points").search(batch, int(row))
            found = [gains[action] for action in search.candidates]
            assert len(set(search.candidates)) == min(15, len(legal))
            assert found == sorted(gains.values(), reverse=True)[: len(found)]


@pytest.mark.parametrize("name", ["two", "three", "four", "partnership"])
def test_a_simulation_that_ends_early_is_judged_by_the_counters(name):
    """With a horizon of one turn, by those after the candidate itself: the odds of two sheets are
    exp(slope · difference)."""
    rules = PRESETS[name]
    batch = batch_at(rules, 8, 20, seed=5)
    values, slope = UTILITIES["concave"](rules), SLOPES[rules.num_sheets - 2]
    for row in np.flatnonzero(batch.phase == PLACE):
        search = TreeSearch(horizon=1, candidates=3).search(batch, int(row))
        search.run(np.arange(3), 2)
        after = batch.take(np.full(3, row))
        after.play(search.candidates)
        passed = after.to_play != batch.to_play[row]  # no bonus play, no swap
        value = values[after.scores.astype(int)].sum(axis=-1)
        odds = np.exp(slope * (value - value[:, [rules.sheet_of(int(batch.to_play[row]))]]))
        assert search.means[passed] == pytest.approx((1 / odds.sum(axis=1))[passed], rel=1e-9)
        assert passed.any()


@pytest.mark.parametrize("name", ["two", "four"])
@pytest.mark.parametrize("utility", sorted(UTILITIES))
def test_early_ends_are_judged_by_any_utility(name, utility):
    """Whose values may differ by more than the exponential function bears."""
    batch = batch_at(PRESETS[name], 4, 20, seed=5)
    for row in np.flatnonzero(batch.phase == PLACE):
        search = TreeSearch(horizon=1, rollout=utility).search(batch, int(row))
        search.run(np.arange(len(search.candidates)), 2)
        assert ((search.means >= -1) & (search.means <= 2)).all()


def test_a_choice_to_swap_has_two_candidates():
    batch = GameBatch(Rules(), 512, 3)
    while not (batch.phase == SWAP).any():
        batch.play(batch.random_actions())
    row = int(np.flatnonzero(batch.phase == SWAP)[0])
    search = FlatMC().search(batch, row)
    assert sorted(search.candidates) == [batch.actions.keep, batch.actions.swap]


def last_placement():
    """Positions in which any placement ends the game, and the share of the win of each."""
    rules = Rules(2, board_side=3, num_colours=3, rack_size=2)
    for seed in itertools.count():
        batch = GameBatch(rules, 1, seed)
        before = batch.clone()
        while not batch.is_over[0]:
            before = batch.clone()
            batch.play(batch.random_actions())
        legal = np.flatnonzero(before.legal_mask()[0])
        after = before.take(np.zeros(len(legal), np.int64))
        after.play(legal)
        seat = int(before.to_play[0])
        first = after.ranks == 1
        shares = (first / np.maximum(1, first.sum(axis=1, keepdims=True)))[:, seat]
        if before.phase[0] == PLACE and after.is_over.all() and len(set(shares)) > 1:
            yield before, legal, shares


@pytest.mark.parametrize("text", SEARCHES)
def test_a_last_placement_that_wins_is_found(text):
    agent = make_agent(text.replace("candidates=4", "candidates=200"))
    for before, legal, shares in itertools.islice(last_placement(), 10):
        chosen = agent.act(View(before))[0]
        assert shares[legal == chosen] == shares.max()


def test_results_are_of_the_game_played_out():
    """A placement that ends the game has one result: the share of the win, and a little for the margin."""
    for before, legal, shares in itertools.islice(last_placement(), 10):
        search = FlatMC(candidates=200).search(before, 0)
        search.run(np.arange(len(search.candidates)), 3)
        assert np.array_equal(search.sums[:, 2], np.full(len(search.candidates), 3))
        for candidate, mean in zip(search.candidates, search.means, strict=True):
            assert abs(mean - shares[legal == candidate][0]) <= MARGIN


@pytest.mark.parametrize("kind", [FlatMC, TreeSearch])
def test_alone_each_counter_counts_less_than_the_next_lower_one(kind):
    rules = Rules(1, board_side=3, num_colours=3)
    for seed in range(5):
        batch = GameBatch(rules, 1, seed)
        while not batch.is_over[0]:
            before = batch.clone()
            batch.play(batch.random_actions())
        search = kind(candidates=200, fade=0.3).search(before, 0)
        search.run(np.arange(len(search.candidates)), 2)
        for candidate, mean in zip(search.candidates, search.means, strict=True):
            after = before.clone()
            after.play([candidate])
            lowest, middle, highest = sorted(after.scores[0, 0].tolist())
            assert mean == pytest.approx((lowest + 0.3 * middle + 0.09 * highest) / rules.last_space)


@pytest.mark.parametrize("text", SEARCHES)
def test_search_beats_what_it_searches_with(text):
    rules = Rules(2, board_side=5)
    agent = make_agent(text.replace("rollouts=40", "rollouts=200"))
    result = play_match(rules, [agent, make_agent("greedy:utility=concave")], 20, seed=1)
    assert result.interval(0)[0] > 0.5


def test_search_lifts_the_lowest_counter_alone():
    lowest = {}
    for text in ("flat-mc:rollouts=100", "greedy:utility=concave"):
        batch, agent = GameBatch(Rules(1, board_side=4), 12, 1), make_agent(text)
        while not batch.is_over.all():
            batch.play(agent.act(View(batch)))
        lowest[text] = batch.scores.min(axis=2).mean()
    assert lowest["flat-mc:rollouts=100"] > lowest["greedy:utility=concave"] + 0.3


def tree_of(rules, moves, agent, simulations):
    batch = batch_at(rules, 1, moves, seed=3)
    search = agent.search(batch, 0)
    search.run(np.arange(len(search.candidates)), simulations)
    return search


def test_a_tree_that_does_not_widen_is_flat():
    """Every move but the first is then the greedy one; equals are drawn for by other words."""
    tree, flat = (
        TreeSearch(horizon=0, widen=0.0, widen_solitaire=0.0, fade=0.1, candidates=5, seed=4),
        FlatMC(candidates=5, seed=4),
    )
    for rules in (Rules(), Rules.solitaire()):
        means = [tree_of(rules, 6, agent, 400).means for agent in (tree, flat)]
        assert np.abs(means[0] - means[1]).max() < 0.12


@pytest.mark.parametrize("rules", [Rules(), Rules.standard(3), Rules.partnership(), Rules.solitaire()])
def test_a_tree_adds_up(rules):
    """Visits of a node are those of its children and, but for candidates, the one that made it."""
    agent = TreeSearch(rollouts=800, candidates=6, widen=2.0, widen_solitaire=2.0, widen_others=1.0)
    search = tree_of(rules, 7, agent, 60)
    tree = search.tree
    nodes, used = tree.nodes, int(tree.used[0])
    assert 60 < used <= 60 * 6 + 7
    assert nodes[1:7, VISITS].tolist() == [60] * 6
    children = {node: [] for node in range(used)}
    for node in range(1, used):
        child = int(nodes[node, CHILD])
        while child:
            children[node].append(child)
            child = int(nodes[child, SIBLING])
    assert sorted(itertools.chain.from_iterable(children.values())) == list(range(7, used))
    for node in range(7, used):
        below = sum(int(nodes[child, VISITS]) for child in children[node])
        assert nodes[node, VISITS] - below >= 1  # its own first visit, and games that ended there
        assert nodes[node, CHANCES] >= nodes[node, VISITS]
        assert len({int(nodes[child, MOVE]) for child in children[node]}) == len(children[node])
    assert tree.totals[1:7] == pytest.approx(search.sums[:, 0])
    assert set(nodes[1:used, SHEET]) <= set(range(rules.num_sheets))
    assert any(len(below) > 2 for below in children.values())


def test_time_is_kept(monkeypatch):
    """The clock ticks once a look: the rounds share the looks."""
    ticks = itertools.count()
    monkeypatch.setattr(
        "ingenious_agents.search.sequential_halving.time.perf_counter", lambda: float(next(ticks))
    )
    batch = batch_at(Rules(), 1, 8)
    assert batch.legal_mask()[0, make_agent("flat-mc:seconds=20,candidates=4").act(View(batch))[0]]
    assert 20 <= next(ticks) <= 24


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("flat-mc:rollouts=0", "rollouts must be from 1 to"),
        (f"flat-mc:rollouts={10**30}", "rollouts must be from 1 to 1000000000, not 1000"),
        ("flat-mc:candidates=10001", "candidates must be from 1 to 10000, not 10001"),
        ("flat-mc:fade=1e300", "fade must be from 0 to 1000"),
        ("tree:power=2", "power must be from 0 to 1, not 2"),
        ("flat-mc:rollouts=many", "flat-mc: rollouts must be a whole number, not 'many'"),
        ("flat-mc:candidates=-1", "candidates must be from 1 to"),
        ("flat-mc:seconds=-1", "seconds must be from 0 to"),
        ("flat-mc:seconds=inf", "seconds must be from 0 to"),
        ("flat-mc:rollout=best", "rollout must be one of concave, lowest, points"),
        ("flat-mc:seed=-1", "seed must be from 0"),
        ("tree:widen=-1", "widen must be from 0 to .*, not -1"),
        ("tree:explore=nan", "explore must be from 0 to"),
        ("tree:rollouts=0", "rollouts must be from 1 to"),
        ("tree:horizon=-1", "horizon must be from 0 to"),
        ("flat-mc:depth=3", "flat-mc takes the parameters: rollouts=…, seconds=…"),
    ],
)
def test_searches_that_are_not(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        make_agent(text)


# Being stopped.

STOPPABLE = {
    "flat-mc": "flat-mc:rollouts=100000",
    "tree": "tree:rollouts=100000",
    "value-search": "value-search:rollouts=100000",
    "by the clock": "flat-mc:seconds=1000",
}


@pytest.mark.parametrize("name", STOPPABLE.values(), ids=STOPPABLE)
def test_a_stopped_search_decides_by_what_it_has_found(name):
    """After one look of the first round, whose best candidate it plays."""
    batch, agent, flag = batch_at(Rules(), 1, 8), make_agent(name), Event()
    flag.set()
    with stoppable(flag):
        chosen = agent.act(View(batch))[0]
        search = agent.search(View(batch).complete(agent.seed), 0)
        everyone = np.arange(len(search.candidates))
        if agent.seconds:
            search.run_until(everyone, np.inf)
            assert (search.sums[:, 2] == 1).all()
        else:
            search.run(everyone, 1000)
            assert (search.sums[:, 2] == LOOK_EVERY).all()
    assert chosen == search.candidates[np.argmax(search.means)]


@pytest.mark.parametrize("kind", ["flat-mc:rollouts=50", "tree:rollouts=50", "value-search:rollouts=50"])
def test_looking_whether_it_is_stopped_changes_nothing(kind, monkeypatch):
    batch, agent, sums = batch_at(Rules(), 1, 8), make_agent(kind), []
    for every in (1, 7, 10**6):
        monkeypatch.setattr("ingenious_agents.search.sequential_halving.LOOK_EVERY", every)
        search = agent.search(View(batch).complete(agent.seed), 0)
        search.run(np.arange(len(search.candidates)), 30)
        search.run(np.arange(2), 11)
        sums.append(search.sums)
    assert np.array_equal(sums[0], sums[1])
    assert np.array_equal(sums[0], sums[2])
    assert (sums[0][:2, 2] == 41).all()
