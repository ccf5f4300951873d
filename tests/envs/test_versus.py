"""The Gymnasium environment with opponents: the learner's turns, its rewards, who plays against it."""

import copy
import json
from collections import Counter

import gymnasium as gym
import numpy as np
import pytest
from gym_helpers import FOR_MANY, SEED, First, Says, Spy, StagedUniform, choose, start_versus, steps_of
from helpers import CUSTOM, PRESETS
from numpy.testing import assert_array_equal, assert_equal

from ingenious_env import Game, GameBatch, IllegalActionError, Rules
from ingenious_env.engine.observation import FORMS
from ingenious_env.envs.spaces import Encoder
from ingenious_env.envs.vector import VersusVectorEnv
from ingenious_env.envs.versus import VersusEnv
from ingenious_env.games.ingenious.definition import POLICIES
from ingenious_env.games.ingenious.moves import IngeniousActions
from ingenious_env.games.ingenious.observation import Layout
from ingenious_env.games.ingenious.state import SWAP
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.view import Uniform, View

presets = pytest.mark.parametrize("rules", list(PRESETS.values())[1:], ids=list(PRESETS)[1:])
variants = pytest.mark.parametrize("rules", FOR_MANY.values(), ids=FOR_MANY)
both_actions = pytest.mark.parametrize("actions", ["flat", "staged"])


def own_scores(env):
    return env.game.scores[env.seat % env.game.rules.num_sheets].astype(int)


def as_staged(rules, action):
    """The staged actions that make a flat one."""
    flat, staged = IngeniousActions.of(rules, staged=False), IngeniousActions.of(rules, staged=True)
    if action >= flat.keep:
        return [staged.keep + action - flat.keep]
    return [action // flat.num_placements, rules.rack_size + action % flat.num_placements]


# The same game as `Game`.


@variants
@both_actions
def test_the_actions_replayed_are_the_same_game(rules, actions):
    spy = Spy()
    env = VersusEnv(rules=rules, opponent=spy, actions=actions)
    rng = np.random.default_rng(0)
    env.reset(seed=SEED)
    replay = GameBatch(rules, 1, SEED, staged=actions == "staged")

    def follow(*steps):
        for theirs in spy.log:  # flat, regardless of the learner's
            steps = (*steps, *(as_staged(rules, theirs) if actions == "staged" else [theirs]))
        spy.log.clear()
        for step in steps:
            replay.play([step])

    follow()
    over = False
    while not over:
        action = choose(env, rng)
        _, _, over, _, info = env.step(action)
        follow(action)
        assert_array_equal(replay.state.memory[0], env.game.state.memory[0])
    assert replay.is_over[0]
    assert_array_equal(info["scores"], replay.scores[0])
    assert_array_equal(info["ranks"], replay[0].ranks)


@variants
@pytest.mark.parametrize("seat", ["random", 1])
def test_the_learner_is_asked_at_its_turn_alone(rules, seat):
    env = VersusEnv(rules=rules, seat=seat)
    observation, info = env.reset(seed=SEED)
    rng = np.random.default_rng(0)
    over, turns = False, set()
    while not over:
        game = env.game
        assert game.to_play == env.seat == info["seat"]
        turns.add(game.turn)
        assert_array_equal(observation, game.observe(env.seat))
        assert_array_equal(info["action_mask"], game.legal_mask())
        assert info["action_mask"].any()
        observation, _, over, truncated, info = env.step(choose(env, rng))
        assert not truncated
    assert env.game.is_over
    assert turns == set(range(env.seat, max(turns) + 1, rules.num_players))
    assert_array_equal(observation, env.game.observe(env.seat))
    assert not info["action_mask"].any()


def test_bonus_plays_and_swaps_are_the_learners_own_steps():
    rules = Rules(2, board_side=5, num_colours=3, rack_size=4, counter_top=5)
    seen = Counter()
    for seed in range(10):
        spy = Spy()
        env = start_versus(seed, rules=rules, opponent=spy)
        rng = np.random.default_rng(seed)
        over = False
        while not over:
            phase, turn, asked = env.game.phase, env.game.turn, len(spy.views)
            _, _, over, _, _ = env.step(choose(env, rng))
            if phase == "swap":
                seen["choices"] += 1
            if not over and env.game.turn == turn:
                assert len(spy.views) == asked
                seen[f"then {env.game.phase}"] += 1
    assert seen["choices"] > 3
    assert seen["then place"] > 3
    assert seen["then swap"] > 3


@presets
@pytest.mark.parametrize("opponent", [First(), Uniform(), StagedUniform()], ids=["first", "flat", "staged"])
def test_staged_and_flat_are_the_same_game(rules, opponent):
    flat = start_versus(rules=rules, opponent=opponent)
    staged = start_versus(rules=rules, opponent=opponent, actions="staged")
    rng = np.random.default_rng(0)
    over = False
    while not over:
        action = choose(flat, rng)
        _, reward, over, _, _ = flat.step(action)
        for each in as_staged(rules, action):
            step = staged.step(each)
        assert step[1:3] == (reward, over)
        assert staged.game == flat.game


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("with_mask", [False, True])
def test_forms_and_masks(form, with_mask):
    env = VersusEnv(observation=form, mask_in_observation=with_mask)
    encoder = Encoder(Layout(Rules()), form)
    observation, info = env.reset(seed=SEED)
    over = False
    while not over:
        if with_mask:
            assert_array_equal(observation["action_mask"], info["action_mask"])
            inner = {name: part for name, part in observation.items() if name != "action_mask"}
            inner = inner if form == "dict" else inner["observation"]
        else:
            inner = observation
        assert_equal(inner, encoder.single(env.game.observe(env.seat)))
        assert observation in env.observation_space
        observation, _, over, _, info = env.step(int(info["action_mask"].argmax()))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("with_mask", [False, True])
def test_what_was_returned_is_owned_by_the_caller(form, with_mask):
    env, twin = (VersusEnv(observation=form, mask_in_observation=with_mask) for _ in range(2))
    returned = [(*env.reset(seed=SEED), env.action_masks())]
    twin.reset(seed=SEED)
    kept = copy.deepcopy(returned)
    for _ in range(8):
        observation, info, masks = returned[-1]
        action = int(masks.argmax())
        parts = observation.values() if isinstance(observation, dict) else [observation]
        arrays = [*parts, info["action_mask"], masks]
        for number, array in enumerate(arrays):
            assert not any(np.shares_memory(array, other) for other in arrays[:number])
        observation, _, _, _, info = env.step(action)
        assert_equal(twin.step(action)[0], observation)
        returned.append((observation, info, env.action_masks()))
        kept.append(copy.deepcopy(returned[-1]))
        for array in arrays:
            array[...] = 1
        returned[-2] = kept[-2]  # that one has been written to
        assert_equal(returned, kept)


def test_a_choice_to_swap_is_in_the_observation_of_its_owner_alone():
    spy = Spy()
    env = start_versus(opponent=spy, num_players=3, rack_size=3)
    part = Layout(env.game.rules).sections["may_swap"]
    choices = 0
    for seed in range(10):
        env.reset(seed=seed)
        for observation, *_ in steps_of(env, seed):
            mine = env.game.state.phase[0] == SWAP
            assert observation[part.start] == mine
            choices += mine
    assert choices


def test_no_episode_begins_at_its_end():
    env = VersusEnv(rules=CUSTOM["crowded"], seat=4)
    dealt_anew = 0
    for seed in range(30):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].any()
        assert env.game.to_play == 4
        dealt_anew += env.game.state.policy_key[0] != Game(env.game.rules, seed).state.policy_key[0]
    assert dealt_anew > 0


def test_a_board_without_a_turn_for_the_learner():
    """A player with a tile of both colours wins with it at once, between two start symbols."""
    rules = Rules(6, board_side=3, num_colours=2, rack_size=6, counter_top=1)
    env = VersusEnv(rules=rules, seat=5, opponent="lowest")
    with pytest.raises(RuntimeError, match="before the learner's first turn"):
        env.reset(seed=SEED)


# Rewards.


@variants
def test_the_outcome_follows_from_the_ranks(rules):
    found = Counter()
    for seed in range(24):
        env = start_versus(seed, rules=rules)
        *steps, last = steps_of(env, seed)
        assert not any(reward for _, reward, *_ in steps)
        _, reward, _, _, info = last
        own = info["ranks"][env.seat % rules.num_sheets]
        better, worse = (info["ranks"] < own).sum(), (info["ranks"] > own).sum()
        assert reward == np.float32((worse - better) / (rules.num_sheets - 1))
        assert reward == np.float32(info["result"])
        assert info["won"] is bool(own == 1 and better + worse == rules.num_sheets - 1)
        assert_array_equal(info["ranks"], env.game.ranks)
        assert_array_equal(info["scores"], env.game.scores)
        assert np.asarray(reward, np.float32) in env.reward_space
        found[info["won"]] += 1
    assert set(found) == {True, False}


@variants
@both_actions
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lowest", np.min),
        ("score", np.sum),
        ("vector", np.array),
    ],
)
def test_each_reward_is_what_happened_until_the_next_turn(rules, actions, name, value):
    env = VersusEnv(rules=rules, reward=name, actions=actions, seat=rules.num_players - 1)
    some = 0.0
    for seed in range(6):
        env.reset(seed=seed)
        before, over = 0, False
        while not over:
            _, reward, over, _, _ = env.step(Greedy("concave").act(View(env.episodes.batch))[0])
            after = value(own_scores(env))
            assert_array_equal(reward, after - before)
            assert np.asarray(reward, np.float32) in env.reward_space
            before, some = after, some + np.sum(reward)
    assert some > 0 or rules == CUSTOM["crowded"]  # where games are short


def test_the_margin():
    env = start_versus(reward="margin", num_players=3)
    *steps, (_, reward, *_) = steps_of(env)
    lows = env.game.scores.min(axis=1).astype(float)
    others = np.delete(lows, env.seat)
    assert reward == pytest.approx((lows[env.seat] - others.mean()) / 18)
    assert not any(reward for _, reward, *_ in steps)


@presets
def test_collaborative_rewards_add_up_over_all_sheets(rules):
    env = start_versus(rules=rules, reward="score", collaborative=True)
    assert sum(reward for _, reward, *_ in steps_of(env)) == env.game.scores.sum()


# Opponents.


@presets
def test_opponents_see_views_of_their_own_games(rules):
    spy = Spy()
    env = start_versus(rules=rules, opponent=spy)
    for _ in steps_of(env):
        pass
    assert spy.views
    assert all(type(view) is View for view in spy.views)
    assert all(len(view) == 1 for view in spy.views)


def test_opponents_sit_in_turn_order_after_the_learner():
    asked = []

    class Tagged(Uniform):
        def __init__(self, place):
            self.place = place

        def act(self, view):
            asked.append((self.place, int(view.complete().to_play[0]), env.seat))
            return super().act(view)

    env = VersusEnv(num_players=4, opponent=[Tagged(place) for place in range(3)])
    for seed in range(8):
        env.reset(seed=seed)
        for _ in steps_of(env):
            pass
    assert all(seat == (learner + 1 + place) % 4 for place, seat, learner in asked)
    assert set(asked) == {
        (place, (learner + 1 + place) % 4, learner) for place in range(3) for learner in range(4)
    }


def test_a_partner_is_one_of_the_opponents():
    names, objects = ["greedy", "uniform", "greedy"], [Greedy(), Uniform(), Greedy()]
    games = []
    for opponent in (names, tuple(objects)):
        env = start_versus(rules=Rules.partnership(), opponent=opponent, seat=0)
        for _ in steps_of(env):
            pass
        games.append(env.game)
    assert games[0] == games[1]


@pytest.mark.parametrize("name", POLICIES)
def test_policies_by_name(name):
    by_name, by_object = start_versus(opponent=name, seat=1), start_versus(opponent=POLICIES[name], seat=1)
    expected = Game(seed=SEED)
    expected.play(int(POLICIES[name].act(View.of(expected))[0]))
    assert by_name.game == by_object.game == expected


@presets
@both_actions
def test_the_shipped_network_plays_every_preset(rules, actions):
    env = start_versus(rules=rules, opponent="value", actions=actions)
    *_, (_, _, over, _, info) = steps_of(env)
    assert over
    assert not info["won"]  # against a random player


def test_where_no_network_is_shipped_the_environment_is_not_made():
    with pytest.raises(ValueError, match=r"a value network is shipped for each of .*, not for players=5"):
        VersusEnv(num_players=5, opponent="value")


def test_uniform_is_the_default():
    assert start_versus(seat=1).game == start_versus(seat=1, opponent="uniform").game


def test_greedy_beats_uniform():
    results = Counter()
    for seed in range(20):
        env = start_versus(seed, opponent="greedy")
        *_, (*_, info) = steps_of(env, seed)
        results[info["won"]] += 1
    assert results[False] >= 19


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (np.array([2665]), IllegalActionError),
        (np.array([-1]), IllegalActionError),
        (np.array([10**6]), IllegalActionError),
        (np.array([0.0]), TypeError),
        (np.array([0, 0]), ValueError),
        (None, TypeError),
    ],
    ids=str,
)
@pytest.mark.parametrize("illegal", ["raise", "random", "lose"])
def test_what_an_opponent_does_wrong_is_said_by_name(answer, error, illegal):
    env = VersusEnv(opponent=Says(answer), seat=1, illegal=illegal)
    with pytest.raises(error, match=r"^opponent Says: ") as raised:
        env.reset(seed=SEED)
    assert raised.type is error
    with pytest.raises(gym.error.ResetNeeded):
        env.step(0)


@pytest.mark.parametrize("read", [json.loads, bytes.decode])
def test_errors_with_arguments_of_their_own_are_said_by_name(read):
    class Reads(Uniform):
        def act(self, _view):
            read(b"\xff" if read is bytes.decode else "no")

    with pytest.raises(ValueError, match=r"^opponent Reads: ") as raised:
        start_versus(opponent=Reads(), seat=1)
    assert raised.type is ValueError
    assert str(raised.value) == f"opponent Reads: {raised.value.__cause__}"


class Fails(Uniform):
    """Plays at random, but for one call."""

    def __init__(self, call) -> None:
        object.__setattr__(self, "left", call)

    def act(self, view):
        object.__setattr__(self, "left", self.left - 1)
        if self.left == 0:
            msg = "no answer"
            raise ValueError(msg)
        return super().act(view)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("call", [1, 6])
def test_after_an_error_of_an_opponent_all_games_begin_anew(mode, call):
    """They do not begin by themselves, as if nothing had happened, nor one by one."""
    envs = VersusVectorEnv(3, opponent=Fails(call), seat=1, autoreset_mode=mode)
    with pytest.raises(ValueError, match="no answer"):  # noqa: PT012 - at one of these steps
        envs.reset(seed=SEED)
        for _ in range(call):
            envs.step(envs.action_masks().argmax(axis=1))
    actions = np.zeros(3, np.int64)
    for _ in range(2):
        with pytest.raises(gym.error.ResetNeeded, match="error of an opponent"):
            envs.step(actions)
        with pytest.raises(gym.error.ResetNeeded, match="error of an opponent"):
            envs.reset(options={"reset_mask": np.array([True, False, True])})
    envs.reset(seed=SEED)
    *_, ended, _, _ = envs.step(envs.action_masks().argmax(axis=1))
    assert not ended.any()


class Remembers(Uniform):
    """A policy with memory: it is notified of each game before it acts in it."""

    def __init__(self):
        self.begun = []
        self.acted = set()

    def begin(self, keys):
        assert keys.dtype == np.uint64
        self.begun += keys.tolist()

    def act(self, view):
        assert set(view.keys.tolist()) <= set(self.begun)
        self.acted |= set(view.keys.tolist())
        return super().act(view)


@pytest.mark.parametrize("players", [2, 4])
def test_policies_with_memory_hear_of_each_game_once(players):
    policy = Remembers()
    env = VersusEnv(num_players=players, opponent=policy)  # at all other seats
    keys = []
    for seed in (1, 2, None, None):
        env.reset(seed=seed)
        keys.append(int(env.game.state.policy_key[0]))
        for _ in steps_of(env):
            pass
    assert policy.begun == keys
    assert policy.acted == set(keys)
    assert len(set(keys)) == 4


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_policies_with_memory_hear_of_each_game_of_a_batch_once(mode):
    one, other = Remembers(), Remembers()
    envs = VersusVectorEnv(
        6, num_players=3, board_side=4, num_colours=3, opponent=[one, other], autoreset_mode=mode
    )
    envs.reset(seed=SEED)
    keys = set(envs.episodes.batch.state.policy_key.tolist())
    for _ in range(80):
        envs.step(envs.action_masks().argmax(axis=1))
        keys |= set(envs.episodes.batch.state.policy_key.tolist())
    assert len(keys) > 12
    for policy in (one, other):
        assert sorted(policy.begun) == sorted(keys)
        assert policy.acted <= keys
