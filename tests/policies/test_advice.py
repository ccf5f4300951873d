"""Advice: of any policy, on one unfinished flat game; greedy play and the shipped networks."""

from __future__ import annotations

import loopit_helpers
import numpy as np
import pytest
from gym_helpers import StagedUniform
from helpers import CUSTOM, PRESETS, batch_at

from ingenious_env import Game, GameBatch, Rules
from ingenious_env.compiled.phases import CHOOSE, NO_ACTION
from ingenious_env.games.ingenious.opponents.utilities import UTILITIES
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.advice import Advice, advise, best_first
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.value import Value
from ingenious_env.policies.view import Uniform, View, flat_actions

ALL = 10**6


def single_games(batch: GameBatch) -> list[GameBatch]:
    """The unfinished games, each as a batch of one."""
    return [batch.take(np.array([row])) for row in np.flatnonzero(~batch.is_over)]


def choosing(rules) -> GameBatch:
    """A game in which a named choice is due that lays no tile."""
    batch = GameBatch(rules, 512, 3)
    while not (batch.phase == CHOOSE).any():
        batch.play(batch.random_actions())
    return batch.take(np.flatnonzero(batch.phase == CHOOSE)[:1])


def tried_out(game: GameBatch) -> dict[int, np.ndarray]:
    """The scores of the seat that moves, after each legal action."""
    seat, after = int(game.to_play[0]), {}
    for action in np.flatnonzero(game.legal_mask()[0]).tolist():
        trial = game.clone()
        trial.play([action])
        after[action] = trial.scores[0, game.rules.sheet_of(seat)].astype(int)
    return after


@pytest.mark.parametrize("policy", [Uniform(), StagedUniform()])
@pytest.mark.parametrize("rules", [Rules(), LoopitRules(2)])
def test_a_policy_without_advice_gives_its_choice(policy, rules):
    for moves in (0, 3, 12):
        batch = GameBatch(rules, 1, moves)
        for _ in range(moves):
            batch.play(batch.random_actions())
        found = advise(policy, View(batch))
        assert found.actions.tolist() == flat_actions(policy, View(batch)).tolist()
        assert batch.legal_mask()[0, found.actions[0]] == 1
        assert found.actions.dtype == np.int32
        assert (found.values.tolist(), found.errors, found.unit) == ([0.0], None, "choice")


def test_the_method_of_a_policy_is_asked():
    class Adviser(Uniform):
        def advise(self, view, limit):
            assert view is asked
            return Advice(np.arange(limit, dtype=np.int32), -np.arange(limit, dtype=float), None, "utility")

    asked = View(GameBatch(Rules(), 1, 0))
    assert advise(Adviser(), asked, 3).values.tolist() == [0.0, -1.0, -2.0]
    assert len(advise(Adviser(), asked).actions) == 20


def over() -> View:
    batch = GameBatch(Rules(2, board_side=3), 1, 0)
    while not batch.is_over[0]:
        batch.play(batch.random_actions())
    return View(batch)


def picked() -> View:
    game = Game(seed=1, actions="staged")
    game.play(int(game.legal_actions()[0]))
    return View.of(game)


REFUSED = {
    "several games": (View(GameBatch(Rules(), 2, 0)), "not 2 games"),
    "staged": (View(GameBatch(Rules(), 1, 0, staged=True)), "not a staged view"),
    "a slot picked": (picked(), "not a game in which a slot has been picked"),
    "over": (over(), "not a game that is over"),
}


@pytest.mark.parametrize(("view", "complaint"), REFUSED.values(), ids=REFUSED)
def test_other_views_are_refused(view, complaint):
    for ask in (lambda: advise(Uniform(), view), lambda: Greedy().advise(view)):
        with pytest.raises(ValueError, match=f"^advice is on one unfinished game, .*, {complaint}$"):
            ask()


@pytest.mark.parametrize(("limit", "error"), [(0, ValueError), (-1, ValueError), (2.5, TypeError)])
def test_limits_that_are_none(limit, error):
    view = View(GameBatch(Rules(), 1, 0))
    for ask in (lambda: advise(Uniform(), view, limit), lambda: Greedy().advise(view, limit)):
        with pytest.raises(error, match="limit must be"):
            ask()


def test_pairs_are_sorted_and_an_action_counts_by_its_best():
    actions = np.array([5, 7, 5, 9, 7, 4, NO_ACTION, 8], np.int32)
    values = np.array([1.0, 2.0, 3.0, 2.0, 1.0, 3.0, 9.0, -4.0])
    found = best_first(actions, values, "utility", 10)
    assert found.actions.tolist() == [5, 4, 7, 9, 8]
    assert found.values.tolist() == [3.0, 3.0, 2.0, 2.0, -4.0]
    assert best_first(actions, values, "utility", 3).actions.tolist() == [5, 4, 7]


def check_gains(policy: Greedy, game: GameBatch, gains: dict[int, float]) -> None:
    """Advice lists these gains, and the greedy action is among the best."""
    found = advise(policy, View(game), ALL)
    assert dict(zip(found.actions.tolist(), found.values.tolist(), strict=True)) == pytest.approx(gains)
    assert len(found.actions) == len(gains)
    assert (np.diff(found.values) <= 0).all()
    assert found.errors is None
    assert found.unit == ("points" if policy.utility == "points" else "utility")
    assert gains[int(policy.act(View(game))[0])] == pytest.approx(max(gains.values()))
    few = advise(policy, View(game), 4)
    assert few.actions.tolist() == found.actions[:4].tolist()


@pytest.mark.parametrize("utility", UTILITIES)
@pytest.mark.parametrize("name", ["solitaire", "two", "partnership", "side6", "crowded"])
def test_greedy_adds_as_much_as_trying_out_shows(utility, name):
    rules = (PRESETS | CUSTOM)[name]
    values = UTILITIES[utility](rules)
    for moves in (0, 9, 25):
        for game in single_games(batch_at(rules, 2, moves, seed=moves)):
            before = game.scores[0, rules.sheet_of(int(game.to_play[0]))].astype(int)
            gains = {
                action: float((values[after] - values[before]).sum())
                for action, after in tried_out(game).items()
            }
            check_gains(Greedy(utility), game, gains)


@pytest.mark.parametrize("name", ["two", "four, fixed", "4 x 7, fixed", "long racks"])
def test_greedy_adds_points_in_loopit_and_nothing_by_stopping(name):
    rules, stops = loopit_helpers.VARIANTS[name], 0
    for moves in (0, 7, 25):
        for game in single_games(loopit_helpers.batch_at(rules, 3, moves, seed=moves)):
            before = int(game.scores[0, game.to_play[0]])
            gains = {action: float(after - before) for action, after in tried_out(game).items()}
            check_gains(Greedy(), game, gains)
            stops += game.actions.choice("stop") in gains
    assert stops


@pytest.mark.parametrize("rules", [Rules(), LoopitRules(2)])
def test_greedy_adds_nothing_by_what_lays_no_tile(rules):
    game = choosing(rules)
    legal = np.flatnonzero(game.legal_mask()[0])
    found = advise(Greedy(), View(game))
    assert sorted(found.actions) == legal.tolist()
    assert found.values.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("rules", [*PRESETS.values(), LoopitRules(2), LoopitRules(4)])
def test_the_shipped_networks_judge_legal_actions_by_what_their_seat_knows(rules):
    helpers, differ = (loopit_helpers if isinstance(rules, LoopitRules) else None), 0
    for moves in (0, 8, 20):
        batch = (helpers.batch_at if helpers else batch_at)(rules, 3, moves, seed=moves)
        for game in single_games(batch):
            found = advise(Value(), View(game), ALL)
            assert game.legal_mask()[0, found.actions].all()
            assert len(set(found.actions.tolist())) == len(found.actions) > 0
            assert (np.diff(found.values) <= 0).all()
            assert found.unit == ("win" if rules.num_sheets > 1 else "spaces")
            assert found.unit == "spaces" or ((found.values >= 0) & (found.values <= 1)).all()
            other = game[0]
            other.reshuffle_hidden(int(game.to_play[0]), seed=moves + 5)
            differ += other != game[0]
            again = advise(Value(), View.of(other), ALL)
            assert np.array_equal(again.actions, found.actions)
            assert np.array_equal(again.values, found.values)
            assert np.array_equal(advise(Value(), View(game), 2).actions, found.actions[:2])
    assert differ


def test_a_variant_without_a_network_gets_no_advice():
    with pytest.raises(ValueError, match="a value network is shipped for each of"):
        advise(Value(), View(GameBatch(Rules(5), 1, 0)))
