"""The Gymnasium environment for one player: the same game, rewards, illegal actions, options, copies."""

import gymnasium as gym
import numpy as np
import pytest
from gym_helpers import FOR_ONE, SEED, choose, illegal_action, steps_of
from helpers import COPIES
from numpy.testing import assert_array_equal, assert_equal

from ingenious_env import Game, GameBatch, IllegalActionError, Rules
from ingenious_env.engine.observation import FORMS
from ingenious_env.envs.solitaire import SolitaireEnv
from ingenious_env.envs.spaces import Encoder
from ingenious_env.games.ingenious.moves import IngeniousActions
from ingenious_env.games.ingenious.observation import Layout

RULES = Rules.solitaire()

variants = pytest.mark.parametrize("rules", FOR_ONE.values(), ids=FOR_ONE)
all_forms = pytest.mark.parametrize("form", FORMS)
UNEXPECTED = "got an unexpected keyword argument"
both_actions = pytest.mark.parametrize("actions", ["flat", "staged"])


def start(**options):
    env = SolitaireEnv(**options)
    env.reset(seed=SEED)
    return env


# The same game as `Game`.


@variants
def test_it_is_the_game_of_the_seed(rules):
    env, game = SolitaireEnv(rules=rules), Game(rules, SEED)
    rng = np.random.default_rng(0)
    observation, info = env.reset(seed=SEED)
    over = False
    while not over:
        assert env.game == game
        assert_array_equal(observation, game.observe())
        assert_array_equal(info["action_mask"], game.legal_mask())
        action = choose(env, rng)
        game.play(action)
        observation, _, over, truncated, info = env.step(action)
        assert over == game.is_over
        assert not truncated
    assert env.game == game
    assert_array_equal(observation, game.observe())
    assert not info["action_mask"].any()
    assert_array_equal(info["scores"], game.scores)
    assert info["lowest"] == game.scores.min()


def test_an_index_under_the_seed():
    env = SolitaireEnv()
    env.reset(seed=SEED, options={"index": 3})
    assert env.game == Game(RULES, (SEED, 3))


def test_further_episodes_come_out_of_the_games_own_stream():
    env, batch = start(), GameBatch(RULES, 1, SEED)
    deals = []
    for _ in range(3):
        deals.append(env.game.state.memory.tobytes())
        for _ in steps_of(env):
            pass
        batch.state.memory[:] = env.game.state.memory
        batch.deal()
        env.reset()
        assert env.game == batch[0]
    assert len(set(deals)) == 3


def test_without_a_seed_each_environment_is_its_own():
    first, second = SolitaireEnv(), SolitaireEnv()
    first.reset()
    second.reset()
    assert first.game != second.game


@both_actions
@all_forms
@pytest.mark.parametrize("with_mask", [False, True])
def test_forms_and_masks(form, actions, with_mask):
    env = SolitaireEnv(observation=form, actions=actions, mask_in_observation=with_mask, rack_size=3)
    encoder = Encoder(Layout(Rules(1, rack_size=3)), form)
    observation, info = env.reset(seed=SEED)
    for _ in range(30):
        if with_mask:
            assert_array_equal(observation["action_mask"], info["action_mask"])
            inner = {name: part for name, part in observation.items() if name != "action_mask"}
            inner = inner if form == "dict" else inner["observation"]
        else:
            inner = observation
        assert_equal(inner, encoder.single(env.game.observe()))
        assert observation in env.observation_space
        assert_array_equal(env.action_masks(), info["action_mask"])
        observation, _, _, _, info = env.step(int(info["action_mask"].argmax()))


def test_the_mask_in_a_dict_is_no_nested_dict():
    parts = SolitaireEnv(observation="dict", mask_in_observation=True).observation_space.spaces
    assert {"board", "racks", "action_mask"} < set(parts)
    assert not any(isinstance(part, gym.spaces.Dict) for part in parts.values())


def test_staged_and_flat_are_the_same_game():
    flat, staged = start(rack_size=4), start(rack_size=4, actions="staged")
    ways = IngeniousActions.of(flat.game.rules, staged=False).num_placements
    rng = np.random.default_rng(0)
    over = False
    while not over:
        action = choose(flat, rng)
        _, reward, over, _, _ = flat.step(action)
        _, nothing, early, _, _ = staged.step(action // ways)
        assert (nothing, early) == (0, False)
        _, staged_reward, staged_over, _, info = staged.step(4 + action % ways)
        assert (staged_reward, staged_over) == (reward, over)
        assert staged.game == flat.game
    assert info["lowest"] == flat.game.scores.min()


# Rewards.


@both_actions
@variants
def test_the_default_reward_sums_to_the_result(rules, actions):
    env = start(rules=rules, actions=actions)
    steps = list(steps_of(env))
    rewards = [reward for _, reward, *_ in steps]
    assert all(type(reward) is float for reward in rewards)
    assert all(np.asarray(reward, np.float32) in env.reward_space for reward in rewards)
    assert sum(rewards) == env.game.scores.min() == steps[-1][4]["lowest"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lowest", lambda before, after: after.min() - before.min()),
        ("score", lambda before, after: (after - before).sum()),
        ("vector", lambda before, after: (after - before)[0]),
    ],
)
def test_the_reward_of_each_step(name, value):
    env = start(reward=name)
    before, some = env.game.scores.copy(), 0.0
    for _, reward, *_ in steps_of(env):
        after = env.game.scores.copy()
        assert_array_equal(reward, value(before, after))
        assert np.asarray(reward, np.float32) in env.reward_space
        before, some = after, some + np.sum(reward)
    assert some > 0


def test_a_second_episode_adds_up_too():
    env = start(reward="vector")
    for _ in range(2):
        total = sum(reward for _, reward, *_ in steps_of(env))
        assert_array_equal(total, env.game.scores[0])
        env.reset()


# Illegal actions.


@pytest.mark.parametrize("action", [None, 10**6, -1, -7], ids=str)
def test_illegal_actions_raise_and_change_nothing(action):
    env = start()
    next(steps_of(env))
    before = env.game.clone()
    with pytest.raises(IllegalActionError):
        env.step(illegal_action(env) if action is None else action)
    assert env.game == before
    next(steps_of(env))


@pytest.mark.parametrize("action", [None, 10**6, -1], ids=str)
def test_illegal_actions_are_replaced(action):
    env = start(illegal="random")
    action = illegal_action(env) if action is None else action
    expected = env.game.clone()
    chosen = expected.random_action()
    expected.play(chosen)
    _, _, over, _, info = env.step(action)
    assert env.game == expected
    assert not over
    assert (info["illegal_action"], info["played_action"]) == (action, chosen)
    info = next(steps_of(env))[4]
    assert "illegal_action" not in info
    assert "played_action" not in info


@pytest.mark.parametrize("action", [None, 10**6, -1], ids=str)
@pytest.mark.parametrize("reward", ["lowest", "vector"])
def test_illegal_actions_lose(action, reward):
    env = start(illegal="lose", reward=reward)
    next(steps_of(env))
    before = env.game.clone()
    action = illegal_action(env) if action is None else action
    observation, loss, over, truncated, info = env.step(action)
    assert_array_equal(loss, np.full(env.reward_space.shape, -1))
    assert np.asarray(loss, np.float32) in env.reward_space
    assert (over, truncated) == (True, False)
    assert env.game == before
    assert_array_equal(observation, before.observe())
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    assert info["illegal_action"] == action
    assert info["lowest"] == before.scores.min()
    with pytest.raises(gym.error.ResetNeeded):
        env.step(0)
    _, info = env.reset()
    assert "illegal_action" not in info
    assert info["action_mask"].any()


@pytest.mark.parametrize("illegal", ["raise", "random", "lose"])
@pytest.mark.parametrize("action", [1.5, True, "0", None, np.array([1, 2])], ids=str)
def test_what_is_no_whole_number_is_never_an_action(illegal, action):
    env = start(illegal=illegal)
    before = env.game.clone()
    with pytest.raises(TypeError):
        env.step(action)
    assert env.game == before


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, np.array])
def test_all_kinds_of_whole_numbers_are_actions(kind):
    env = start()
    env.step(kind(env.action_masks()[:200].argmax()))
    assert env.game.turn == 1


def test_an_episode_has_a_beginning_and_an_end():
    env = SolitaireEnv()
    with pytest.raises(gym.error.ResetNeeded):
        env.step(0)
    env.reset(seed=SEED)
    for _ in steps_of(env):
        pass
    with pytest.raises(gym.error.ResetNeeded):
        env.step(0)


# Options.


def test_rules_by_their_parts():
    parts = {
        "rack_size": 2,
        "board_side": 5,
        "num_colours": 4,
        "counter_top": 9,
        "double_sheet": False,
    }
    rules = Rules(1, **parts)
    assert start(**parts).game == Game(rules, SEED)
    assert start(rules=rules).game == Game(rules, SEED)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"observation": "pixels"}, ValueError, "vector, planes, dict"),
        ({"actions": "spoken"}, ValueError, "flat, staged"),
        ({"reward": "outcome"}, ValueError, "lowest, score, vector"),
        ({"illegal": "ignore"}, ValueError, "raise, random, lose"),
        ({"render_mode": "film"}, ValueError, "None, ansi, svg, rgb_array, human"),
        ({"mask_in_observation": 1}, TypeError, "bool"),
        (
            {"num_players": 2},
            TypeError,
            rf"{UNEXPECTED} 'num_players'; the options are .*rack_size",
        ),
        ({"seat": 0}, TypeError, f"{UNEXPECTED} 'seat'"),
        ({"rules": Rules.standard(2)}, ValueError, "Versus-v0"),
        (
            {"rules": 1},
            TypeError,
            "a Rules of the game ingenious, its text, its fields by name or None, not 1",
        ),
        ({"rules": "solitaire"}, ValueError, "the line 'rules' needs the values .* not 'solitaire'"),
        ({"rules": RULES, "rack_size": 2}, ValueError, "not both: rack_size"),
        ({"rack_size": 7}, ValueError, "from 1 to 6"),
        ({"board_side": 2.0}, TypeError, "board_side"),
    ],
)
def test_bad_options(options, error, message):
    with pytest.raises(error, match=message):
        SolitaireEnv(**options)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"seed": -1}, ValueError),
        ({"seed": 2**64}, ValueError),
        ({"options": {"index": 1}}, ValueError),
        ({"seed": 1, "options": {"index": -1}}, ValueError),
        ({"seed": 1, "options": {"index": 0.5}}, TypeError),
        ({"options": {"depth": 1}}, ValueError),
    ],
)
def test_bad_resets(arguments, error):
    with pytest.raises(error):
        SolitaireEnv().reset(**arguments)


# Pictures and copies.


def test_pictures():
    text = start(render_mode="ansi").render()
    assert text.startswith("Your turn: play a tile")
    assert "??" not in text
    assert start(render_mode="svg").render().startswith("<svg")
    with pytest.warns(UserWarning, match="render_mode"):
        assert start().render() is None


@both_actions
@pytest.mark.parametrize("copied", COPIES)
def test_copies_have_the_same_future(copied, actions):
    env = start(actions=actions, observation="dict")
    env.step(int(env.action_masks().argmax()))
    twin = copied(env)
    for mine, its in zip(steps_of(env, 1), steps_of(twin, 1), strict=True):
        assert_equal(its, mine)
    assert_equal(twin.reset(), env.reset())
    env.step(int(env.action_masks().argmax()))
    assert twin.game != env.game


def test_the_game_is_the_one_being_played():
    env = start()
    game = env.game
    next(steps_of(env))
    assert game == env.game
    assert game.turn == 1
    game.play(game.random_action())
    assert env.game.turn == 2


def test_what_was_returned_is_the_callers():
    env = start(mask_in_observation=True)
    observation, info = env.reset(seed=SEED)
    observation["action_mask"][:] = 0
    observation["observation"][:] = 0
    assert info["action_mask"].any()
    info["action_mask"][:] = 1
    again, its = env.reset(seed=SEED)
    assert again["observation"].any()
    assert_array_equal(its["action_mask"], env.game.legal_mask())
