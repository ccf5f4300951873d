"""Starts by weak play: against single games, in parts, and in self-play and claims of networks."""

from __future__ import annotations

import numpy as np
import pytest
from ingenious_agents.value.calibration import joined, played_claims
from ingenious_agents.value.self_play import SelfPlay
from ingenious_agents.value.weak_starts import BEGINNERS, ERRORS, MIXED, WeakStarts, start_weakly

from ingenious_env import GameBatch, Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.value import Value, best_actions, highest_value, model_of, shipped_network
from ingenious_env.policies.view import View

VARIANTS = {
    "solitaire": Rules.solitaire(),
    "two": Rules(),
    "partnership": Rules.partnership(),
    "loopit": LoopitRules(3),
}
variants = pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)


def most_placed(rules) -> int:
    """Tiles that can lie on the board at most: all of Loopit's; two cells each but those of start symbols."""
    if isinstance(rules, LoopitRules):
        return 81
    return (3 * rules.board_side * (rules.board_side - 1) + 1 - 6) // 2


def dealt(rules, count, seed, first=0) -> GameBatch:
    games = GameBatch(rules, count)
    games.seed(seed, first)
    return games


def started(rules, count, seed, first=0, share=0.6, beginner=None):
    games = dealt(rules, count, seed, first)
    network, starts = shipped_network(rules), WeakStarts(share, beginner)
    return games, start_weakly(games, network, model_of(rules).candidates, starts, (seed, first))


def start_of_one_game(rules, seed, number, share=0.6):
    """The same, by a single game and the documented order of random numbers."""
    game = definition_of(rules).game(rules, (seed, number))
    random = np.random.default_rng((seed, number, 1))
    weak, length = random.random() < share, random.integers(most_placed(rules))
    kinds = random.integers(4, size=rules.num_players)
    if random.random() >= MIXED:
        kinds[:] = kinds[0]
    uniform = definition_of(rules).policy("uniform")
    players = (uniform, Greedy("points", ERRORS), Greedy("points"), Value())
    while weak and not game.is_over:
        turn = int(game.state.turn[0])
        game.play(int(players[kinds[game.to_play]].act(View.of(game))[0]))
        if game.state.turn[0] != turn and game.state.placed[0] >= length:
            break
    return game, weak


@variants
def test_starts_are_those_of_single_games(rules):
    games, weak = started(rules, 12, 5)
    for number in range(12):
        game, chosen = start_of_one_game(rules, 5, number)
        assert chosen == weak[number]
        assert np.array_equal(games.state.memory[number], game.state.memory[0])
    assert 0 < weak.sum() < 12


@variants
def test_games_may_be_started_in_any_shares(rules):
    whole, weak = started(rules, 9, 6, 10)
    parts = [started(rules, count, 6, first) for first, count in ((10, 4), (14, 1), (15, 4))]
    assert np.array_equal(whole.state.memory, np.concatenate([games.state.memory for games, _ in parts]))
    assert np.array_equal(weak, np.concatenate([chosen for _, chosen in parts]))


@variants
def test_others_stay_as_they_were_dealt(rules):
    games, weak = started(rules, 40, 7)
    assert np.array_equal(games.state.memory[~weak], dealt(rules, 40, 7).state.memory[~weak])
    assert (games.state.placed[weak] > dealt(rules, 40, 7).state.placed[weak]).all()
    assert started(rules, 40, 7, share=0.0)[1].sum() == 0
    assert started(rules, 40, 7, share=1.0)[1].all()


@variants
def test_the_chosen_beginner_plays_all_first_turns(rules):
    """Uniform play is told from greedy play by the points that it leads to."""
    points = []
    for beginner in (BEGINNERS.index("uniform"), BEGINNERS.index("greedy")):
        games, _ = started(rules, 60, 8, share=1.0, beginner=beginner)
        scores = games.scores.reshape(len(games), -1).sum(axis=1)
        points.append(float(scores.sum() / games.state.placed.sum()))
    assert points[1] > 1.1 * points[0]


@pytest.mark.parametrize("name", ["solitaire", "two", "partnership"])
def test_self_play_goes_on_from_a_weak_start(name):
    rules = VARIANTS[name]
    network, at = shipped_network(rules), 0
    played = SelfPlay(rules, candidates=4, epsilon=0.0, weak_starts=0.7).play(network.weights, 9, 3, 12)
    for number, count in enumerate(played.counts.tolist()):
        games = dealt(rules, 1, 9, 3 + number)
        start_weakly(games, network, 4, WeakStarts(0.7), (9, 3 + number))
        for action in played.actions[at : at + count].tolist():
            games.play(np.array([action], np.int32))
        at += count
        while not games.is_over[0]:  # the last placement has no afterstate
            games.play(best_actions(network, games, 4)[0])
        assert np.array_equal(games.scores[0], played.scores[number])
    assert at == len(played.actions)


def test_turns_of_loopit_are_not_entered_in_their_middle():
    games, _ = started(VARIANTS["loopit"], 30, 2, share=1.0)
    assert (games.state.laid == 0).all()
    plain, weak = (
        SelfPlay(VARIANTS["loopit"], 4, 0.0, share).play(
            shipped_network(VARIANTS["loopit"]).weights, 2, 0, 10
        )
        for share in (0.0, 1.0)
    )
    assert (weak.counts < plain.counts).all()


@variants
def test_claims_hold_none_of_the_first_turns(rules):
    network, found = shipped_network(rules), []
    most, highest = most_placed(rules), highest_value(rules)
    for number in range(6):
        games, _ = started(rules, 1, 4, number, share=1.0, beginner=0)
        while not games.is_over[0]:
            actions, values = best_actions(network, View(games).complete(), model_of(rules).candidates)
            found.append((float(values[0]) / highest, min(1.0, int(games.state.placed[0]) / most)))
            games.play(actions)
    claims = joined(list(played_claims(network, 6, 4, WeakStarts(1.0, 0))))
    given = sorted(zip(claims.values.tolist(), claims.progress.tolist(), strict=True))
    np.testing.assert_allclose(given, sorted(found), atol=1e-12)
