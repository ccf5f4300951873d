"""Rollouts: what is dealt anew, values against enumeration by slow code, the value of the best action."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from ingenious_agents import make_agent
from ingenious_agents.evaluation.positions import ENDINGS, path_of, read_positions
from ingenious_agents.evaluation.rollouts import FOLDS, deals_of, roll_out, value_of_best

from ingenious_env import Game, IllegalActionError, Rules, View
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules

NUMBER = 4096


class Last:
    """Plays the highest legal action that is not a swap."""

    def act(self, view):
        mask = view.legal_mask()
        mask[:, view.actions.choice("swap")] = 0
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


def last_of(game):
    return max(set(game.legal_actions().tolist()) - {game.actions.choice("swap")})


def position(rules, seed, cells):
    """The first position of a game of `Last` with as few empty cells."""
    game = Game(rules, seed)
    while (game.board == 0).sum() > cells or game.phase != "place":
        game.play(last_of(game))
    return game


def orders(tiles, length):
    """Every order in which so many of these tiles can be drawn, with its probability."""
    if length == 0:
        yield (), 1.0
        return
    total = sum(tiles.values())
    for tile in [each for each, count in tiles.items() if count]:
        for rest, share in orders(tiles - Counter([tile]), length - 1):
            yield (tile, *rest), share * tiles[tile] / total


def worlds(game):
    """Every game that the seat to move could be in, as far as the tiles matter, with its probability."""
    state, me, size = game.state, game.to_play, game.rules.rack_size
    drawn = int(state.drawn[0])
    others = [seat for seat in range(game.rules.num_players) if seat != me]
    hidden = Counter(state.racks[0, others].ravel().tolist()) + Counter(state.bag[0, drawn:].tolist())
    dealt = len(others) * size
    draws = min((game.board == 0).sum() // 2, sum(hidden.values()) - dealt)
    for order, probability in orders(hidden, dealt + int(draws)):
        world = game.clone()
        for number, seat in enumerate(others):
            world.state.racks[0, seat] = sorted(order[number * size : (number + 1) * size])
        world.state.bag[0, drawn:] = [*order[dealt:], *(hidden - Counter(order)).elements()]
        yield world, probability


def share_of(game, sheet):
    """The share of the win, by the counters in ascending order or by the scores."""
    scores = [sorted(each) if isinstance(each, list) else each for each in np.asarray(game.scores).tolist()]
    return (scores[sheet] == max(scores)) / scores.count(max(scores))


def enumerated(game, action):
    """The value of an action, one game after the other."""
    value, total = 0.0, 0.0
    for world, probability in worlds(game):
        world.play(action)
        while not world.is_over:
            world.play(last_of(world))
        value += probability * share_of(world, game.rules.sheet_of(game.to_play))
        total += probability
    assert total == pytest.approx(1)
    return value


@pytest.mark.parametrize(("players", "seed"), [(2, 0), (2, 6), (2, 8), (3, 1), (3, 8)])
def test_values_are_those_of_enumeration(players, seed):
    rules = Rules(players, board_side=3, num_colours=2, rack_size=2)
    game = position(rules, seed, cells=7)
    actions = game.legal_actions()[:: len(game.legal_actions()) // 3].tolist()
    expected = np.array([enumerated(game, action) for action in actions])
    deals = deals_of(rules, game.state.memory, (seed,), NUMBER)
    results = roll_out(Last(), [deals] * len(actions), actions)
    errors = results.std(axis=1) / NUMBER**0.5
    assert results.shape == (len(actions), NUMBER)
    assert (np.abs(results.mean(axis=1) - expected) <= 4 * errors + 1e-9).all()
    assert 0 < errors.max() < np.ptp(expected) / 8, "these values are too similar to prove anything"


def test_values_in_solitaire_are_the_exact_ones():
    """With two placements left, where the policy plays the last one as well as possible."""

    class Perfect:
        def act(self, view):
            chosen = []
            for row in range(len(view)):
                game = view.take(np.array([row]))._batch[0]
                lowest = {}
                for action in game.legal_actions().tolist():
                    after = game.clone()
                    after.play(action)
                    lowest[action] = after.scores.min()
                chosen.append(max(lowest, key=lowest.__getitem__))
            return np.array(chosen)

    positions = [
        each for each in read_positions(path_of("ingenious", "solitaire", ENDINGS)) if each.group[0] == "2"
    ]
    spread = [each for each in positions if len(set(each.values.values())) > 1 and len(each.values) < 8]
    for each in spread[:3]:
        actions = [max(each.values, key=each.values.get), min(each.values, key=each.values.get)]
        results = roll_out(Perfect(), [each.deals(256)] * 2, actions)
        errors = np.maximum(results.std(axis=1), 0.1) / 256**0.5
        assert (np.abs(results.mean(axis=1) - [each.values[action] for action in actions]) < 4 * errors).all()


@pytest.mark.parametrize(
    ("game", "moves"), [(Game(Rules.partnership(), 3), 62), (Loopit(LoopitRules(3), 5), 60)]
)
def test_results_are_those_of_each_deal_played_alone(game, moves):
    policy = make_agent("greedy")
    for _ in range(moves):
        game.play(int(policy.act(View.of(game))[0]))
    sheet = game.rules.sheet_of(game.to_play)
    actions = game.legal_actions()[[0, -1]].tolist()
    deals = deals_of(game.rules, game.state.memory, (3, 4), FOLDS)
    results = roll_out(policy, [deals] * 2, actions)
    assert 0 < results.sum() < results.size
    for action, mine in zip(actions, results, strict=True):
        for number in range(FOLDS):
            one = deals[number]
            one.play(action)
            while not one.is_over:
                one.play(int(policy.act(View.of(one))[0]))
            assert mine[number] == share_of(one, sheet)


@pytest.mark.parametrize("rules", [Rules(), LoopitRules(2)])
def test_deals_keep_what_the_seat_to_move_knows(rules):
    game = (Game if isinstance(rules, Rules) else Loopit)(rules, 9)
    for _ in range(7):
        game.play(int(game.legal_actions()[0]))
    deals = deals_of(rules, game.state.memory, (9, 0), 40)
    seen = View(deals).observe()
    assert (seen == View.of(game).observe()).all()
    other = 1 - game.to_play
    assert len({tuple(rack) for rack in deals.state.racks[:, other].tolist()}) > 20
    assert (deals_of(rules, game.state.memory, (9, 0), 12).state.memory == deals.state.memory[:12]).all()
    assert (deals_of(rules, game.state.memory, (9, 1), 12).state.memory != deals.state.memory[:12]).any()


def test_actions_that_end_the_game():
    rules = Rules(2, board_side=3, num_colours=2, rack_size=2)
    game = position(rules, 0, cells=5)
    while True:
        before = game.clone()
        game.play(last_of(game))
        if game.is_over:
            break
    deals = deals_of(rules, before.state.memory, (0,), FOLDS)
    results = roll_out(Last(), [deals], [last_of(before)])
    assert (results == share_of(game, before.to_play)).all()
    with pytest.raises(IllegalActionError):
        roll_out(Last(), [deals], [before.actions.choice("swap")])


# The value of the best action.


def test_the_value_of_the_best_action_by_hand():
    """One rollout per part: each part has the result of the action that leads without it."""
    results = np.array([[1, 1, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, 1, 0]], float)
    # Without one of the first three, the actions are level, and the first one counts; it always leads else.
    assert value_of_best(results) == 3 / 8
    results[1] = [0, 0, 0, 1, 1, 1, 1, 0]
    # The second leads 4 to 3, or level without one of its own: then the first counts, with 0 in this part.
    assert value_of_best(results) == 0
    assert value_of_best(results[:1]) == 3 / 8


def test_the_value_of_the_best_action_is_not_too_high_on_average():
    """Unlike the highest mean: among equal actions, and where one is better than the others."""
    random = np.random.default_rng(3)
    for means in ([0.5] * 4, [0.5, 0.4, 0.4]):
        tried = [
            (random.random((len(means), 40)) < np.array(means)[:, None]).astype(float) for _ in range(4000)
        ]
        found = np.array([value_of_best(each) for each in tried])
        highest = np.array([each.mean(axis=1).max() for each in tried])
        error = found.std() / len(tried) ** 0.5
        picked = np.array([(each[:, 5:].mean(axis=1)).argmax() for each in tried])  # by seven of eight parts
        expected = np.array(means)[picked].mean()
        assert found.mean() == pytest.approx(expected, abs=4 * error)
        assert highest.mean() > max(means) + 4 * error
