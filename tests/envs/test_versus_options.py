"""The Gymnasium environment with opponents: seats, illegal actions, options, pictures, copies."""

import types

import gymnasium as gym
import numpy as np
import pytest
from gym_helpers import SEED, First, Spy, illegal_action, start_versus, steps_of
from helpers import COPIES, PRESETS
from numpy.testing import assert_array_equal, assert_equal

from ingenious_env import Game, GameBatch, IllegalActionError, Rules, ingenious_v0
from ingenious_env.envs.versus import VersusEnv, draw_seats
from ingenious_env.policies.greedy import Greedy

presets = pytest.mark.parametrize("rules", list(PRESETS.values())[1:], ids=list(PRESETS)[1:])
UNEXPECTED = "got an unexpected keyword argument"
both_actions = pytest.mark.parametrize("actions", ["flat", "staged"])


# Seats.


@presets
def test_a_fixed_seat(rules):
    for seat in range(rules.num_players):
        env = VersusEnv(rules=rules, seat=seat)
        assert {env.reset(seed=seed)[1]["seat"] for seed in range(5)} == {seat}
        assert env.game.turn == seat


def test_seats_in_rotation():
    env = VersusEnv(num_players=3, seat="rotate")
    assert env.reset()[1]["seat"] == 0
    assert [env.reset()[1]["seat"] for _ in range(4)] == [1, 2, 0, 1]
    assert env.reset(seed=1)[1]["seat"] == 0
    assert env.reset(seed=1, options={"index": 5})[1]["seat"] == 2
    assert env.reset()[1]["seat"] == 0


def test_random_seats_follow_from_the_seed():
    def seats(seed):
        env = start_versus(seed, num_players=3)
        return [env.seat, *(env.reset()[1]["seat"] for _ in range(11))]

    assert seats(1) == seats(1)
    assert len({tuple(seats(seed)) for seed in range(5)}) == 5
    assert set(seats(1)) == {0, 1, 2}


@pytest.mark.parametrize("players", [2, 3, 5])
def test_random_seats_are_fair(players):
    batch = GameBatch(Rules(players), 6000, SEED)
    counts = []
    for _ in range(2):
        before = batch.state.memory.copy()
        counts.append(np.bincount(draw_seats(batch.state.stream, players), minlength=players))
        assert_array_equal(batch.state.memory, before)
        batch.deal()
    assert np.abs(np.array(counts) - 6000 / players).max() < 5 * np.sqrt(6000 / players)


def test_the_seat_does_not_change_the_deal():
    games = [Game(Rules(), SEED)]
    for seat in (0, "random", "rotate"):
        env = VersusEnv(seat=seat, opponent=First())
        env.reset(seed=SEED)
        if env.seat == 0:
            games.append(env.game)
    assert len(games) > 2
    assert all(game == games[0] for game in games)


# Illegal actions.


@pytest.mark.parametrize("action", [None, 10**6, -1], ids=str)
def test_illegal_actions_raise_and_change_nothing(action):
    env = start_versus()
    before = env.game.clone()
    with pytest.raises(IllegalActionError):
        env.step(illegal_action(env) if action is None else action)
    assert env.game == before


def test_only_where_an_environment_gets_the_action_its_option_is_named():
    """In each interface for learners; not where an opponent or a game plays it."""
    hint = 'an environment with illegal="random" plays a random legal action instead'
    env, vector, pettingzoo = start_versus(), gym.make_vec("ingenious/Versus-v0", 2), ingenious_v0.raw_env()
    vector.reset(seed=1)
    pettingzoo.reset(seed=1)
    for step in (lambda: env.step(-1), lambda: vector.step(np.full(2, -1)), lambda: pettingzoo.step(-1)):
        with pytest.raises(IllegalActionError, match=rf"^action -1 is illegal.*; {hint}$"):
            step()
    bad = types.SimpleNamespace(act=lambda view: np.full(len(view), -1))
    for play in (
        lambda: gym.make("ingenious/Versus-v0", opponent=bad, seat=1, illegal="random").reset(seed=1),
        lambda: Game(seed=1).play(-1),
    ):
        with pytest.raises(IllegalActionError, match="action -1 is illegal") as raised:
            play()
        assert hint not in str(raised.value)


def test_illegal_actions_are_replaced():
    env, other = start_versus(illegal="random"), start_versus()
    chosen = env.game.random_action()
    action = illegal_action(env)
    _, _, _, _, info = env.step(action)
    other.step(chosen)
    assert env.game == other.game
    assert (info["illegal_action"], info["played_action"]) == (action, chosen)


@pytest.mark.parametrize("reward", ["outcome", "score", "vector"])
def test_illegal_actions_lose(reward):
    spy = Spy()
    env = start_versus(illegal="lose", reward=reward, opponent=spy)
    next(steps_of(env))
    before, asked = env.game.clone(), len(spy.views)
    _, loss, over, _, info = env.step(illegal_action(env))
    assert_array_equal(loss, np.full(env.reward_space.shape, -1))
    assert over
    assert env.game == before
    assert len(spy.views) == asked
    assert (info["won"], info["result"]) == (False, -1.0)
    assert not info["ranks"].any()
    assert_array_equal(info["scores"], before.scores)
    env.reset()
    for _ in steps_of(env):
        pass
    assert env.game.is_over


# Options.


def test_rules_by_their_parts():
    parts = {
        "num_players": 4,
        "teams": True,
        "board_side": 7,
        "num_colours": 5,
        "rack_size": 4,
        "counter_top": 9,
        "double_sheet": False,
        "open_racks": True,
    }
    assert start_versus(seat=0, **parts).game == Game(Rules(**parts), SEED)
    assert start_versus(seat=0, rules=Rules(**parts)).game == Game(Rules(**parts), SEED)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"num_players": 1}, ValueError, "Solitaire-v0"),
        ({"rules": Rules.solitaire()}, ValueError, "Solitaire-v0"),
        ({"rules": Rules(), "teams": False}, ValueError, "not both: teams"),
        ({"opponent": "perfect"}, ValueError, "uniform, greedy"),
        ({"opponent": None}, TypeError, "act"),
        ({"opponent": []}, ValueError, "1 for the other seats, not 0"),
        ({"opponent": ["greedy", "greedy"]}, ValueError, "not 2"),
        ({"opponent": ["perfect"]}, ValueError, "uniform, greedy"),
        ({"seat": 2}, ValueError, "0 to 1"),
        ({"seat": -1}, ValueError, "0 to 1"),
        ({"seat": "first"}, ValueError, "random, rotate, or from 0 to 1"),
        ({"seat": True}, TypeError, "seat"),
        ({"seat": 0.5}, TypeError, "seat"),
        ({"reward": "fame"}, ValueError, "outcome, margin"),
        ({"reward": "outcome", "collaborative": True}, ValueError, "compares the players"),
        ({"reward": "score", "collaborative": 1}, TypeError, "bool"),
        ({"illegal": "ignore"}, ValueError, "raise, random, lose"),
        (
            {"colours": 3},
            TypeError,
            rf"{UNEXPECTED} 'colours'; the options are .*num_colours",
        ),
        ({"num_players": 7}, ValueError, "1 to 6"),
    ],
    ids=str,
)
def test_bad_options(options, error, message):
    with pytest.raises(error, match=message):
        VersusEnv(**options)


# Pictures and copies.


def test_pictures_show_the_learners_rack_alone():
    env = start_versus(render_mode="ansi", seat=1)
    racks = env.render().splitlines()[-2:]
    assert "??" in racks[0]
    assert "??" not in racks[1]
    assert start_versus(render_mode="svg").render().startswith("<svg")


@both_actions
@pytest.mark.parametrize("copied", COPIES)
def test_copies_have_the_same_future(copied, actions):
    env = start_versus(actions=actions, num_players=3, seat="rotate", opponent=["greedy", Greedy("concave")])
    env.step(int(env.action_masks().argmax()))
    twin = copied(env)
    for _ in range(2):
        for mine, its in zip(steps_of(env, 1), steps_of(twin, 1), strict=True):
            assert_equal(its, mine)
        assert_equal(twin.reset(), env.reset())
        assert twin.game == env.game
    env.step(int(env.action_masks().argmax()))
    assert twin.game != env.game
