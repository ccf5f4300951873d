"""Loopit's value network: inputs and outputs worked out anew, the choice of turns, self-play, and files."""

from __future__ import annotations

import re
from collections import Counter
from math import comb

import numpy as np
import pytest
from ingenious_agents import make_agent, play_match
from ingenious_agents.evaluation.match import play_out
from ingenious_agents.value.self_play import SelfPlay, joined
from loopit_helpers import VARIANTS, batch_at, is_legal, played
from loopit_plans import batch_of, inputs_of, plans_of

from ingenious_env import GameBatch, View
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.games.loopit import LOOPIT, Game, Rules
from ingenious_env.games.loopit.opponents.value import MODEL, architecture
from ingenious_env.policies.value import Value, ValueNetwork, best_actions, shipped_network

LEVELS = (1, 6, 9, 12, 15, 18, 21, 24, 28, 32, 38, 45)
FIRST, SECOND = 64, 32
FACTS = ("command", "games", "time", "seed", "commit", "machine")
"""Of a model card."""
NAMES = ["two", "four", "three, fixed", "4 x 7, fixed", "long racks", "19 x 19"]


def random_network(rules: Rules, seed: int = 0) -> ValueNetwork:
    rng = np.random.default_rng(seed)
    return ValueNetwork(rules, rng.normal(0, 0.2, architecture(rules).num_weights).astype(np.float32))


def answer(network: ValueNetwork, inputs: np.ndarray) -> float:
    """The output of the network, layer by layer."""
    weights, size = network.weights.astype(np.float64), len(inputs)
    values = inputs.astype(np.float64)
    for outputs in (FIRST, SECOND, 1):
        layer, weights = np.split(weights, [(size + 1) * outputs])
        values = layer[:outputs] + values @ layer[outputs:].reshape(size, outputs)
        values, size = np.maximum(values, 0) if outputs > 1 else values, outputs
    assert not len(weights)
    return float(1 / (1 + np.exp(-values[0])))


# Inputs.


class End:
    """The end of a turn, before the draw, of the seat to move, as it sees it."""

    def __init__(self, game: Game, plan: list[int], *, thrown: bool = False) -> None:
        self.game, self.rules, self.seat = game, game.rules, game.to_play
        self.board, self.rack, self.scores = game.board, list(game.racks[self.seat]), list(game.scores)
        position = game.clone()
        for action in plan:
            lay = position.move(action)
            self.board |= {lay.square: lay.tile}
            self.rack.remove(lay.tile)
            position.play(action)
            self.scores = position.scores
        self.unseen = Counter(self.rules.tiles) - Counter(self.board.values()) - Counter(self.rack)
        self.unplaced = self.unseen + Counter(self.rack)
        if thrown:
            self.unseen, self.rack = self.unplaced, []

    def squares(self, ends: str) -> list[tuple[int, int]]:
        shape = self.rules.material.shape
        return [
            (row, column)
            for row in range(shape[0])
            for column in range(shape[1])
            if (row, column) not in self.board and is_legal(self.board, shape, ends, (row, column))
        ]

    def points(self, ends: str, value: int) -> int:
        """Of the best square, 127 at most."""
        steps = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
        best = 0
        for row, column in self.squares(ends):
            beside = [(row + steps[end][0], column + steps[end][1]) for end in ends]
            joined = sum(self.board[square][1] for square in beside if square in self.board)
            best = max(best, value * self.rules.material.factors[row][column] + joined)
        return min(best, 127)

    def inputs(self) -> list[float]:
        rules, game = self.rules, self.game
        others = [(self.seat + place) % rules.num_players for place in range(1, rules.num_players)]
        tiles, unseen = len(rules.tiles), self.unseen.total()
        found = [(self.scores[self.seat] - self.scores[other]) / 100 for other in others]
        found += [len(game.racks[other]) / rules.rack_size for other in others]
        last = rules.num_rounds * rules.num_players
        left = (last - game.turn - 1) / last if last else 0
        found += [len(self.rack) / rules.rack_size, len(game.bag_order) / tiles, unseen / tiles, left]
        points = {tile: self.points(*tile) for tile in self.unplaced}
        drawn = min(len(game.racks[others[0]]), unseen)
        found += [self.expected(points, place, drawn) / 20 for place in (1, 2, 3)]
        found += [
            sum(count for tile, count in self.unseen.items() if points[tile] >= level) / max(1, unseen)
            for level in LEVELS
        ]
        kept = sorted(self.rack, key=lambda tile: -points[tile])
        gap = [0.0] * (rules.rack_size - len(kept))
        found += [*(points[tile] / 20 for tile in kept), *gap, *(tile[1] / 8 for tile in kept), *gap]
        found += self.cells(unseen)
        for bits in rules.material.patterns:
            ends = "".join(end for k, end in enumerate("NESW") if bits >> k & 1)
            count = sum(count for tile, count in self.unseen.items() if tile[0] == ends)
            found += [count / 8, len(self.squares(ends)) / 20]
        values = sum(tile[1] * count for tile, count in self.unseen.items())
        return [*found, values / max(1, unseen) / 8]

    def expected(self, points: dict, place: int, drawn: int) -> float:
        """E of the place-th best of the tiles drawn: the sum over x of P(as many reach x)."""
        total = self.unseen.total()
        expected = 0.0
        for level in range(1, 128):
            good = sum(count for tile, count in self.unseen.items() if points[tile] >= level)
            ways = sum(comb(good, k) * comb(total - good, drawn - k) for k in range(place, drawn + 1))
            expected += ways / comb(total, drawn)
        return expected

    def cells(self, unseen: int) -> list[float]:
        fitting = Counter[tuple[int, int]]()
        for ends in {tile[0] for tile in self.unseen}:
            count = sum(count for tile, count in self.unseen.items() if tile[0] == ends)
            fitting.update(dict.fromkeys(self.squares(ends), count))
        sums = np.zeros((9, 4))
        for row, factors in enumerate(self.rules.material.factors):
            for column, factor in enumerate(factors):
                if (row, column) in self.board:
                    continue
                near = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
                fits = fitting[row, column]
                beside = not fits and any(fitting[square] for square in near)
                sums[factor - 1] += [1 / 20, (fits > 0) / 10, fits / max(1, unseen), beside / 10]
        return sums.ravel().tolist()


@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_those_of_the_end_of_the_turn(name):
    rng = np.random.default_rng(1)
    seen = Counter()
    for number, (game, _) in enumerate(played(VARIANTS[name], 4, greed=0.6)):
        if game.phase == "over" or number % 5:
            continue
        if game.phase == "throw":
            for node, thrown in ((-1, True), (-2, False)):
                assert inputs_of(game, 8, node) == pytest.approx(
                    End(game, [], thrown=thrown).inputs(), abs=1e-6
                )
            seen["throw"] += 1
            continue
        plans = plans_of(game, 8)
        node = int(rng.integers(len(plans)))
        expected = End(game, plans[node][0]).inputs()
        assert inputs_of(game, 8, node) == pytest.approx(expected, rel=1e-5, abs=1e-5)
        seen["lay"] += 1
    assert seen["lay"] >= 3
    assert architecture(VARIANTS[name]).num_inputs == len(inputs_of(game, 8, -2))


def test_a_rack_that_is_thrown_back_counts_as_not_seen():
    found = 0
    for seed in range(40):
        for game, _ in played(Rules(2), seed, greed=0.9):
            if game.phase == "throw":
                for node, thrown in ((-1, True), (-2, False)):
                    expected = End(game, [], thrown=thrown).inputs()
                    assert inputs_of(game, 8, node) == pytest.approx(expected, rel=1e-5, abs=1e-5)
                found += 1
    assert found >= 3


# Choosing.


def value_by_hand(network: ValueNetwork, game: Game, plan: list[int]) -> float:
    """The value of a plan; a plan that ends the game is worth the share of the win."""
    after, seat = game.clone(), game.to_play
    for action in plan:
        after.play(action)
    if not after.is_over and after.to_play == seat and after.laid:
        after.play(after.action("stop"))
    if after.is_over:
        ranks = after.ranks.tolist()
        return float(ranks[seat] == 1) / ranks.count(1)
    return answer(network, np.array(End(game, plan).inputs(), np.float32))


@pytest.mark.parametrize("name", ["two", "three, fixed", "4 x 7, fixed"])
def test_the_plan_of_highest_value_is_played(name):
    rules = VARIANTS[name]
    network, over = random_network(rules), 0
    for number, (game, _) in enumerate(played(rules, 6, greed=0.8)):
        if game.phase == "over" or (number % 6 and game.bag.total()):
            continue
        actions, values = best_actions(network, batch_of(game), 3)
        if game.phase == "throw":
            assert values[0] == pytest.approx(answer(network, inputs_of(game, 3, -1)), abs=1e-5)
            assert game.move(int(actions[0])) == "throw back"
            continue
        plans = [plan for plan, _ in plans_of(game, 3) if plan or game.laid]
        by_hand = [value_by_hand(network, game, plan) for plan in plans]
        assert values[0] == pytest.approx(max(by_hand), abs=1e-5)
        best = plans[int(np.argmax(by_hand))]
        first = best[0] if best else game.action("stop")
        assert actions[0] == first or by_hand.count(max(by_hand)) > 1
        over += max(by_hand) in {0.0, 0.5, 1.0}
    assert over


def test_games_end_where_nobody_can_lay_a_tile():
    """A network that valued keeping the rack for each of three seats went on for ever in this deal."""
    rules = MODEL.variants["three"]
    batch = GameBatch(rules, 1)
    batch.seed(0, 430)
    play_out(batch, [make_agent("value")] * 3)
    assert batch.is_over.all()


def test_nothing_but_to_throw_back_is_advised_where_nothing_fits():
    rules, found = Rules(2), 0
    for seed in range(40):
        for game, _ in played(rules, seed, greed=0.9):
            if game.phase == "throw":
                advice = make_agent("value").advise(View.of(game))
                assert advice.actions.tolist() == [game.action("throw back")]
                assert (
                    advice.values == best_actions(shipped_network(rules), batch_of(game), MODEL.candidates)[1]
                )
                found += 1
    assert found >= 3


@pytest.mark.parametrize("players", [2, 4])
def test_it_plays_by_what_it_may_know(players, tmp_path):
    rules = Rules(players)
    random_network(rules).save(tmp_path / "agent.safetensors")
    agent = make_agent(f"value:path={tmp_path / 'agent.safetensors'},candidates=4")
    for moves in (0, 20, 60):
        for staged in (False, True):
            batch = batch_at(rules, 6, moves, seed=moves, staged=staged)
            actions = agent.act(View(batch))
            going = ~batch.is_over
            assert batch.legal_mask()[going, actions[going]].all()
            assert (actions[~going] == NO_ACTION).all()
            other = batch.clone()
            other.reshuffle_hidden(seed=7)
            assert np.array_equal(agent.act(View(other)), actions)


# Self-play.


def test_the_excess_of_draws_is_0_on_average():
    rules = Rules(2)
    excess = SelfPlay(rules, candidates=3, epsilon=0.2).play(random_network(rules).weights, 5, 0, 400).excess
    errors = excess.std(axis=0) / np.sqrt(len(excess))
    assert (np.abs(excess.mean(axis=0)) < 4 * errors).all()
    assert (excess.std(axis=0) > 0.1).all()


@pytest.mark.parametrize("name", ["two", "four", "two, fixed", "4 x 7"])
def test_games_of_self_play_are_recorded_turn_by_turn(name):
    rules = VARIANTS[name]
    network = random_network(rules)
    played = SelfPlay(rules, candidates=3, epsilon=0.3).play(network.weights, 9, 0, 30)
    assert len(played.inputs) == played.counts.sum() > 100
    outputs = np.array([answer(network, inputs) for inputs in played.inputs])
    plain = ~played.explored
    assert 0.1 < 1 - plain.mean() < 0.4
    assert outputs[plain] == pytest.approx(played.values[plain], abs=1e-5)
    assert (outputs[~plain] <= played.values[~plain] + 1e-6).all()
    for row, begin in enumerate((np.cumsum(played.counts) - played.counts).tolist()):
        first = GameBatch(rules, 1)
        first.seed(9, row)
        game = first[0]
        if played.counts[row]:
            assert played.sheets[begin] == game.to_play == 0
            assert played.actions[begin] in game.legal_actions()
        ranks = np.array([sorted(-played.scores[row]).index(-score) for score in played.scores[row]])
        wins = (ranks == 0) / (ranks == 0).sum()
        truncated = np.flatnonzero(np.abs(played.results[row] - wins) > 1e-9)
        assert len(truncated) <= 1  # where exploring ended the game


def test_games_may_be_played_in_any_shares():
    rules = Rules(3)
    play, weights = SelfPlay(rules, candidates=3, epsilon=0.1), random_network(rules).weights
    shares = joined([play.play(weights, 3, 0, 4), play.play(weights, 3, 4, 6)])
    for one, other in zip(play.play(weights, 3, 0, 10), shares, strict=True):
        assert np.array_equal(one, other)


# Files, and what is shipped.


@pytest.mark.parametrize("name", ["two", "three", "four"])
def test_weights_are_shipped_for_each_number_of_players_and_a_card_for_each(name):
    rules = MODEL.variants[name]
    assert rules == VARIANTS[name]
    assert (MODEL.folder / f"{name}.safetensors").stat().st_size < 50_000
    card = (MODEL.folder / f"{name}.md").read_text()
    assert LOOPIT.rules_to_text(rules) in card
    assert all(re.search(rf"^\| {fact} +\|", card, re.MULTILINE) for fact in FACTS)
    batch = batch_at(rules, 3, 20)
    view = View(batch)
    actions = make_agent("value").act(view)
    assert batch.legal_mask()[np.arange(3), actions].all()
    assert np.array_equal(LOOPIT.policy("value").act(view), actions)


@pytest.mark.parametrize("name", ["two", "three", "four"])
def test_the_shipped_networks_are_worth_having(name):
    rules = MODEL.variants[name]
    others = [make_agent("greedy")] * (rules.num_players - 1)
    assert play_match(rules, [make_agent("value"), *others], 20, 5).share(0) > 1.6 / rules.num_players


def test_networks_are_written_and_read(tmp_path):
    for rules in (Rules(2), Rules(4, fixed_rounds=True), VARIANTS["5 x 5"]):
        network = random_network(rules)
        network.save(tmp_path / "agent.safetensors")
        loaded = ValueNetwork.load(tmp_path / "agent.safetensors")
        assert loaded.rules == rules
        assert np.array_equal(loaded.weights, network.weights)


def test_networks_of_another_variant_or_game_do_not_play(tmp_path):
    random_network(Rules(2)).save(tmp_path / "agent.safetensors")
    agent = make_agent(f"value:path={tmp_path / 'agent.safetensors'}")
    with pytest.raises(ValueError, match=r"this network plays players=2 rounds=free .*, nothing else"):
        agent.act(View(GameBatch(Rules(3), 1)))
    with pytest.raises(ValueError, match="not for players=2 rounds=fixed"):
        Value().check(Rules(2, fixed_rounds=True))
    with pytest.raises(ValueError, match=r"weights must be \d+ finite float32, not float32 \[7\]"):
        ValueNetwork(Rules(2), np.zeros(7, np.float32))


def test_no_more_plans_are_judged_than_kernels_have_room_for():
    agent = make_agent("value:candidates=257")
    with pytest.raises(ValueError, match="candidates must be from 1 to 256 in loopit, not 257"):
        agent.check(Rules(2))
    with pytest.raises(ValueError, match="candidates must be from 1 to 256 in loopit, not 257"):
        agent.act(View(GameBatch(Rules(2), 1, 0)))
    training = pytest.importorskip("ingenious_agents.value.training")
    with pytest.raises(ValueError, match="candidates must be from 1 to 256 in loopit, not 300"):
        training.Learner(Rules(2), training.Settings(candidates=300))
    make_agent("value:candidates=256").check(Rules(2))
