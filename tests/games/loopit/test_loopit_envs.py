"""Loopit in PettingZoo, Gymnasium and Stable-Baselines3: their kits, and the same games as `Game`."""

from __future__ import annotations

import doctest
import re
from importlib.util import find_spec

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest
from gym_helpers import Spy, pick_actions
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from loopit_helpers import OWN, STANDARD, VARIANTS, as_staged
from numpy.testing import assert_array_equal, assert_equal
from pettingzoo.test import api_test, seed_test

from ingenious_env import GameBatch, IllegalActionError, loopit_v0
from ingenious_env.engine.observation import FORMS
from ingenious_env.envs.spaces import Encoder
from ingenious_env.games.loopit import LOOPIT, Game, Rules
from ingenious_env.games.loopit.observation import Layout
from ingenious_env.games.loopit.render import text

ID = "ingenious_env:ingenious/Loopit-v0"
QUICK = {"three, fixed": STANDARD["three, fixed"]} | {
    name: OWN[name] for name in ("5 x 5", "4 x 7", "few patterns")
}
quick = pytest.mark.parametrize("rules", QUICK.values(), ids=QUICK)
both_actions = pytest.mark.parametrize("actions", ["flat", "staged"])


def kit(test):
    """Warnings of PettingZoo's tests in every environment with a mask of an unknown name."""
    for message in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        r"Action mask numpy array is all zeros \(no legal actions\)",
    ):
        test = pytest.mark.filterwarnings(f"ignore:{message}")(test)
    return test


def start(seed=0, make=loopit_v0.env, **options):
    env = make(**options)
    env.reset(seed=seed)
    return env


def choose(env, rng):
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(rng.choice(np.flatnonzero(mask)))


# PettingZoo.


@kit
@both_actions
@pytest.mark.parametrize("form", FORMS)
def test_api(form, actions):
    for rules in (Rules(), QUICK["4 x 7"]):
        api_test(loopit_v0.env(rules=rules, actions=actions, observation=form, reward="score"), 60)
    api_test(loopit_v0.raw_env(num_players=3, fixed_rounds=True, actions=actions, observation=form), 30)


@kit
@pytest.mark.parametrize("illegal", ["lose", "random"])
def test_api_whatever_becomes_of_illegal_actions(illegal):
    api_test(loopit_v0.env(illegal=illegal), 60)


@both_actions
def test_seeds(actions):
    seed_test(lambda: loopit_v0.env(num_players=3, actions=actions, reward="score"), 60)


@both_actions
@quick
def test_the_same_game_as_alone(rules, actions):
    env, game, rng = start(5, rules=rules, actions=actions), Game(rules, seed=5), np.random.default_rng(5)
    while not game.is_over:
        assert env.agent_selection == f"player_{game.to_play}"
        assert env.unwrapped.game == game
        action = int(rng.choice(game.legal_actions()))
        for step in as_staged(game.actions, action) if actions == "staged" else [action]:
            assert env.observe(env.agent_selection)["action_mask"][step] == 1
            env.step(step)
        game.play(action)
    assert env.unwrapped.game == game
    assert all(env.terminations.values())


@pytest.mark.parametrize("form", FORMS)
@quick
def test_observations_and_masks(rules, form):
    env, rng = start(2, rules=rules, observation=form), np.random.default_rng(0)
    encoder, game = Encoder(Layout(rules), form), env.unwrapped.game
    while True:
        for seat, agent in enumerate(env.possible_agents):
            observed = env.observe(agent)
            assert env.observation_space(agent).contains(observed)
            moves = seat == game.to_play and not game.is_over
            mask = game.legal_mask() if moves else np.zeros(game.actions.size, np.int8)
            assert_equal(observed, {"observation": encoder.single(game.observe(seat)), "action_mask": mask})
        if game.is_over:
            return
        env.step(choose(env, rng))


@pytest.mark.parametrize("name", ["two", "three, fixed", "4 x 7"])
@pytest.mark.parametrize("reward", ["outcome", "margin", "score"])
def test_rewards(reward, name):
    """From the scores before and after each step, by hand."""
    env, rng = start(1, rules=VARIANTS[name], reward=reward), np.random.default_rng(1)
    game, players = env.unwrapped.game, VARIANTS[name].num_players
    while not game.is_over:
        before = game.scores
        env.step(choose(env, rng))
        after = game.scores
        for seat, agent in enumerate(env.possible_agents):
            others = [score for other, score in enumerate(after) if other != seat]
            if reward == "score":
                expected = after[seat] - before[seat]
            elif not game.is_over:
                expected = 0
            elif reward == "margin":
                expected = (after[seat] - max(others)) / 100
            else:
                lower, higher = (sum(sign * (after[seat] - each) > 0 for each in others) for sign in (1, -1))
                expected = (lower - higher) / (players - 1)
            assert env.rewards[agent] == pytest.approx(expected)
            low, high = env.unwrapped.reward_space(agent).low, env.unwrapped.reward_space(agent).high
            assert low <= env.rewards[agent] <= high


def test_collaborative_rewards_are_the_sum_for_all():
    env, rng = start(num_players=3, reward="score", collaborative=True), np.random.default_rng(2)
    game = env.unwrapped.game
    for _ in range(20):
        before = sum(game.scores)
        env.step(choose(env, rng))
        assert list(env.rewards.values()) == [sum(game.scores) - before] * 3
    with pytest.raises(ValueError, match="cannot be 'margin'"):
        loopit_v0.env(reward="margin", collaborative=True)


def test_illegal_actions():
    env = start(illegal="raise")
    before = env.unwrapped.game.clone()
    with pytest.raises(IllegalActionError, match="a rack can only be thrown back or kept"):
        env.unwrapped.step(847)
    assert env.unwrapped.game == before
    env = start(illegal="random")
    env.step(847)
    assert env.unwrapped.game.state.placed[0] == 2
    env = start(illegal="lose")
    env.step(847)
    assert all(env.terminations.values())


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"observation": "pixels"}, ValueError, "observation must be one of vector, planes, dict"),
        ({"actions": "tall"}, ValueError, "actions must be one of flat, staged"),
        ({"reward": "lowest"}, ValueError, "reward must be one of outcome, margin, score"),
        ({"num_players": 5}, ValueError, "num_players must be from 2 to 4"),
        ({"material": 3}, TypeError, "material must be a Material"),
        (
            {"teams": True},
            TypeError,
            "got an unexpected keyword argument 'teams'; the options are num_players, fixed_rounds, material",
        ),
        ({"rules": 2}, TypeError, "rules must be a Rules of the game loopit, its text, .* or None, not 2"),
        ({"rules": "two"}, ValueError, "the line 'rules' needs the values .* not 'two'"),
        ({"rules": Rules(), "num_players": 2}, ValueError, "either rules or .* num_players"),
    ],
)
def test_wrong_options(options, error, message):
    for make in (loopit_v0.env, loopit_v0.raw_env):
        with pytest.raises(error, match=message):
            make(**options)


def test_options_make_the_rules():
    options = {"num_players": 4, "fixed_rounds": True, "material": OWN["long racks"].material}
    options |= {"rack_size": 4, "tiles_per_turn": 2}
    env = loopit_v0.env(**options)
    assert env.unwrapped.game.rules == Rules(**options)
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    assert str(env) == env.metadata["name"] == "loopit_v0"


def test_pictures():
    env = start(num_players=3, render_mode="ansi")
    env.step(env.unwrapped.game.legal_actions()[0])
    assert env.render() == text.render(env.unwrapped.game)


def test_the_registry_of_pettingzoo():
    if not hasattr(pettingzoo, "make"):
        pytest.skip("this PettingZoo has no registry")
    env = pettingzoo.make("aec", "ingenious/loopit-v0", num_players=3)
    assert env.unwrapped.game.rules == Rules(3)


def test_the_example_in_the_page_and_its_numbers():
    result = doctest.testmod(loopit_v0)
    assert result.attempted == 5
    assert not result.failed
    page = " ".join(loopit_v0.__doc__.split())
    flat, staged = (GameBatch(Rules(), staged=each).num_actions for each in (False, True))
    sizes = [Layout(Rules(players)) for players in (2, 3, 4)]
    assert f"there are {flat} flat and {staged} staged actions" in page
    numbers = "{}, {} or {}".format(*(each.size for each in sizes))
    assert f"a vector has {numbers} entries with two, three or four players" in page
    assert "[{} | {} | {}, 13, 13]".format(*(each.planes_shape[0] for each in sizes)) in page


# Gymnasium, against opponents.


@both_actions
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("illegal", ["random", "lose"])
def test_gymnasium_has_nothing_to_object(form, actions, illegal):
    for rules in (Rules(), QUICK["5 x 5"]):
        options = {"rules": rules, "observation": form, "actions": actions, "illegal": illegal}
        check_env(gym.make(ID, **options).unwrapped, skip_render_check=find_spec("pygame") is None)


@both_actions
@quick
def test_the_actions_replayed_are_the_same_game(rules, actions):
    """The learner's and the opponents', from the deal on."""
    spy = Spy()
    env = gym.make(ID, rules=rules, opponent=spy, actions=actions).unwrapped
    rng, replay = np.random.default_rng(0), GameBatch(rules, 1, 4)

    def follow(*mine):
        for action in (*mine, *spy.log):
            replay.play([action])
        spy.log.clear()
        assert_array_equal(env.game.state.memory, replay.state.memory)

    observation, info = env.reset(seed=4)
    follow()
    over = False
    while not over:
        assert env.game.to_play == env.seat == info["seat"]
        assert_array_equal(observation, env.game.observe(env.seat))
        action = int(rng.choice(replay[0].legal_actions()))
        for step in as_staged(replay.actions, action) if actions == "staged" else [action]:
            assert info["action_mask"][step] == 1
            observation, _, over, truncated, info = env.step(step)
            assert not truncated
        follow(action)
    assert replay.is_over[0]
    assert_array_equal(info["scores"], replay.scores[0])
    assert_array_equal(info["ranks"], replay.ranks[0])


@pytest.mark.parametrize("reward", ["outcome", "margin", "score"])
def test_each_reward_is_what_happened_until_the_next_turn(reward):
    rng, ends = np.random.default_rng(0), set()
    for seed in range(6):
        env = gym.make(
            ID, num_players=3, reward=reward, material=QUICK["5 x 5"].material, rack_size=3
        ).unwrapped
        _, info = env.reset(seed=seed)
        over, total = False, 0.0
        before = env.game.scores[env.seat]
        while not over:
            _, gain, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
            total += gain
            after = env.game.scores[env.seat]
            if reward == "score":
                assert gain == after - before
                before = after
            else:
                assert over or gain == 0
        mine, others = after, [each for seat, each in enumerate(env.game.scores) if seat != env.seat]
        place = (sum(mine > each for each in others) - sum(mine < each for each in others)) / 2
        expected = {"outcome": place, "margin": (mine - max(others)) / 100, "score": mine}[reward]
        assert total == pytest.approx(expected)
        assert info["result"] == pytest.approx(place)
        assert info["won"] == (mine > max(others))
        ends.add(place)
    assert len(ends) > 1


def test_the_page_names_all_opponents():
    table = loopit_v0.__doc__.partition("| opponent | play |")[2].partition("##")[0]
    assert tuple(re.findall(r'^\| `"(\w+)"` \|', table, re.MULTILINE)) == tuple(LOOPIT.policies)


@pytest.mark.parametrize("opponent", ["uniform", "greedy", "planner", "value"])
def test_opponents_by_name(opponent):
    results = []
    for seed in range(6):
        env = gym.make(ID, opponent=opponent, reward="margin").unwrapped
        _, info = env.reset(seed=seed)
        rng, over = np.random.default_rng(seed), False
        while not over:
            _, _, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        results.append(info["result"])
    assert opponent == "uniform" or results == [-1.0] * 6
    with pytest.raises(ValueError, match="opponent must be one of uniform, greedy, planner, value, not"):
        gym.make(ID, opponent="lowest")


# Many games at once.


@both_actions
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_vector_environment_is_many_single_ones(mode, actions):
    options = {"rules": QUICK["4 x 7"], "actions": actions, "opponent": "greedy", "seat": "rotate"}
    options["reward"] = "score"
    envs = gym.make_vec(ID, 3, autoreset_mode=mode, **options)
    many, batch_infos = envs.reset(seed=9)
    singles = [gym.make(ID, **options).unwrapped for _ in range(3)]
    rng, ended = np.random.default_rng(0), 0
    batch = envs.unwrapped.episodes.batch
    for row, single in enumerate(singles):
        single.reset(seed=9)
        if row == 0:  # a single environment has index 0
            assert_array_equal(single.game.state.memory[0], batch.state.memory[row])
            assert_array_equal(single.game.observe(single.seat), many[row])
    single, over = singles[0], False
    for _ in range(60):
        actions_ = pick_actions(batch_infos["action_mask"], rng)
        if over and mode is AutoresetMode.DISABLED:
            break
        if over and mode is AutoresetMode.NEXT_STEP:
            mine, gain, over = single.reset()[0], 0.0, False
        else:
            mine, gain, over, _, _ = single.step(int(actions_[0]))
        last = mine
        if over and mode is AutoresetMode.SAME_STEP:
            mine = single.reset()[0]
        if mode is AutoresetMode.DISABLED and envs.unwrapped.episodes.ended[1:].any():
            break
        many, gains, done, _, batch_infos = envs.step(actions_)
        assert_array_equal(many[0], mine)
        assert gains[0] == gain
        assert done[0] == over
        if done[0] and mode is AutoresetMode.SAME_STEP:
            assert_array_equal(batch_infos["final_obs"][0], last)
        ended += int(over)
        over = over and mode is not AutoresetMode.SAME_STEP
    assert ended > 1 or mode is AutoresetMode.DISABLED


def test_the_number_of_games_changes_none_of_them():
    one, many = (gym.make_vec(ID, count, rules=QUICK["5 x 5"], opponent="greedy") for count in (2, 5))
    (_, batch_infos), (_, _) = one.reset(seed=3), many.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(40):
        masks = many.unwrapped.action_masks()
        assert_array_equal(masks[:2], batch_infos["action_mask"])
        actions = pick_actions(masks, rng)
        few, gains, done, _, batch_infos = one.step(actions[:2])
        observations, rewards, over, _, _ = many.step(actions)
        assert_array_equal(observations[:2], few)
        assert_array_equal(rewards[:2], gains)
        assert_array_equal(over[:2], done)


def test_stable_baselines_learns():
    pytest.importorskip("stable_baselines3")
    contrib = pytest.importorskip("sb3_contrib")
    from ingenious_env.sb3 import make_vec_env

    env = make_vec_env("ingenious/Loopit-v0", 4, seed=1, opponent="greedy", reward="margin", actions="staged")
    small = {"n_steps": 8, "batch_size": 16, "n_epochs": 1, "device": "cpu"}
    model = contrib.MaskablePPO("MlpPolicy", env, **small).learn(64)
    assert model.num_timesteps == 64
    observations = env.reset()
    actions, _ = model.predict(observations, action_masks=np.stack(env.env_method("action_masks")))
    env.step(actions)
