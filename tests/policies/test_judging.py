"""Judgements of moves: against advice and calibration taken by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ingenious_env import Game, IllegalActionError, Rules, Session
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.advice import Advice, advise
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.judging import judge
from ingenious_env.policies.value import Value
from ingenious_env.policies.view import Uniform, View


class Fixed:
    """Gives prepared advice."""

    def __init__(self, actions, values, unit="win", calibrate=None):
        self.advice = Advice(np.array(actions, np.int32), np.array(values, float), None, unit)
        if calibrate is not None:
            self.calibrated = lambda _view, values: np.array([calibrate(each) for each in values])

    def act(self, view):
        return self.advice.actions[:1]

    def advise(self, view, limit=20):
        return self.advice


@pytest.fixture(name="game")
def _game():
    game = Game(Rules(), 4)
    for _ in range(10):
        game.play(game.random_action())
    return game


def test_what_is_lost_is_the_difference_to_the_best(game):
    first, second, third, *_ = game.legal_actions().tolist()
    adviser = Fixed([second, first], [0.9, 0.3], calibrate=lambda value: value / 2)
    best, worse, unlisted = (judge(adviser, game, action) for action in (second, first, third))
    assert (best.seat, best.action, best.best) == (game.to_play, second, second)
    assert (best.value, best.loss) == (0.45, 0)
    assert (worse.best, worse.value, worse.loss) == (second, 0.45, pytest.approx(0.3))
    assert unlisted.loss == worse.loss
    assert worse.calibrated
    assert worse.unit == "win"


@pytest.mark.parametrize(
    ("loss", "mark"), [(0.05, ""), (0.06, "?!"), (0.1, "?!"), (0.11, "?"), (0.2, "?"), (0.21, "??"), (0, "")]
)
def test_marks_by_what_is_lost(game, loss, mark):
    first, second, *_ = game.legal_actions().tolist()
    plain, win = [first, second], [1.0, 1.0 - loss]
    if loss in (0.05, 0.1, 0.2):  # a limit itself marks less
        win = [loss, 0.0]
    assert judge(Fixed(plain, win, calibrate=float), game, second).mark == mark
    assert judge(Fixed(plain, win), game, second).mark == ""
    assert judge(Fixed(plain, win, "utility", float), game, second).mark == ""


@pytest.mark.parametrize(
    ("loss", "mark"), [(0.4, ""), (0.41, "?!"), (0.7, "?!"), (0.71, "?"), (1.0, "?"), (1.01, "??"), (0, "")]
)
def test_marks_in_solitaire(game, loss, mark):
    first, second, *_ = game.legal_actions().tolist()
    lost = [[first, second], [loss, 0.0], "spaces"]
    assert judge(Fixed(*lost, calibrate=float), game, second).mark == mark
    assert judge(Fixed(*lost), game, second).mark == ""


def test_solitaire_marks_as_many_moves_as_a_game_of_two():
    """Of `greedy`, which `value` plays against; of `value` itself nearly none."""
    two = shares_marked(Rules(), ["greedy", "value"], 40)
    alone = shares_marked(Rules.solitaire(), ["greedy"], 30)
    assert two["?!"] > two["?"] > two["??"] > 0.02
    for mark, share in two.items():
        assert alone[mark] == pytest.approx(share, abs=0.04)
    assert shares_marked(Rules.solitaire(), ["value"], 10) == dict.fromkeys(two, 0)


def shares_marked(rules, seats, games):
    """Of each mark, the share of the first player's moves that have it or a worse one."""
    marks, moves = [], 0
    for seed in range(games):
        session = Session(rules, seed, [Value() if seat == "value" else Greedy("points") for seat in seats])
        while not session.is_over:
            game = session.game
            action = session.advance().action
            if game.to_play == 0:
                marks.append(judge(Value(), game, action).mark)
                moves += 1
    worse = ["??", "?", "?!"]
    return {mark: sum(marks.count(each) for each in worse[: k + 1]) / moves for k, mark in enumerate(worse)}


def test_a_search_may_list_a_lower_mean_first(game):
    first, second, *_ = game.legal_actions().tolist()
    assert judge(Fixed([first, second], [0.4, 0.6]), game, second).loss == 0


GAMES = [Game(Rules(), 8), Game(Rules.solitaire(), 8), Loopit(LoopitRules(2), 8)]


@pytest.mark.parametrize("game", GAMES, ids=["two", "solitaire", "loopit"])
def test_by_the_shipped_networks(game):
    policy = Value()
    for _ in range(6):
        view = View.of(game)
        advice = advise(policy, view, 10**6)
        values = policy.calibrated(view, advice.values)
        for place in (0, len(values) // 2, len(values) - 1):
            found = judge(policy, game, int(advice.actions[place]))
            assert found.best == advice.actions[0]
            assert found.value == values[0]
            assert found.loss == max(0, values[0] - values[place])
            assert found.calibrated
        game.play(int(advice.actions[-1]))


def test_other_advisers_judge_in_their_own_units(game):
    action = int(game.legal_actions()[-1])
    assert judge(Greedy("concave"), game, action).unit == "utility"
    assert not judge(Greedy("concave"), game, action).calibrated
    assert judge(Uniform(), game, action).loss == 0


def test_what_is_illegal_is_refused_and_nothing_changes(game):
    before = game.clone()
    with pytest.raises(IllegalActionError):
        judge(Value(), game, game.actions.size)
    with pytest.raises(IllegalActionError):
        judge(Value(), game, int(np.flatnonzero(game.legal_mask() == 0)[0]))
    assert game == before


def test_what_is_hidden_changes_nothing(game):
    """The same judgement where the tiles of the others and the bag lie otherwise."""
    action = int(game.legal_actions()[3])
    found = judge(Value(), game, action)
    for seed in range(5):
        other = game.clone()
        other.reshuffle_hidden(seed=seed)
        assert judge(Value(), other, action) == found
