"""The PettingZoo environment: PettingZoo's own kit, the same games as `Game`, rewards, masks, options."""

import copy

import numpy as np
import pytest
from helpers import COPIES, PRESETS
from numpy.testing import assert_equal

from ingenious_env import Game, GameBatch, IllegalActionError, Rules, ingenious_v0, loopit_v0
from ingenious_env.engine.observation import FORMS
from ingenious_env.envs.spaces import Encoder
from ingenious_env.games.ingenious.moves import IngeniousActions
from ingenious_env.games.ingenious.observation import Layout

MANY = {name: rules for name, rules in PRESETS.items() if name != "solitaire"}
presets = pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
presets_of_many = pytest.mark.parametrize("rules", MANY.values(), ids=MANY)
both_actions = pytest.mark.parametrize("actions", ["flat", "staged"])
all_forms = pytest.mark.parametrize("form", FORMS)


def start(seed=0, make=ingenious_v0.env, **options):
    env = make(**options)
    env.reset(seed=seed)
    return env


def current_mask(env):
    return env.observe(env.agent_selection)["action_mask"]


def choose(env, rng):
    return int(rng.choice(np.flatnonzero(current_mask(env))))


def advance(env, steps, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        env.step(choose(env, rng))


def steps_of(env):
    """Play at random to the end; after each step, the counters before it."""
    rng = np.random.default_rng(0)
    while not all(env.terminations.values()):
        before = env.unwrapped.game.scores.copy()
        env.step(choose(env, rng))
        yield before


def row(env):
    return env.unwrapped.game.state.memory.copy()


def arrays_of(env, agent):
    """The arrays of an observation."""
    observed = env.observe(agent)
    inner = observed["observation"]
    return [observed["action_mask"], *(inner.values() if isinstance(inner, dict) else [inner])]


def everything(env):
    """All outputs of an environment, and the game's memory."""
    observations = {agent: env.observe(agent) for agent in env.possible_agents}
    public = (env.agents, env.agent_selection, env.infos, env.rewards, env._cumulative_rewards)
    return copy.deepcopy((observations, public, env.terminations, env.truncations, row(env)))


# The same games as everywhere.


@both_actions
@presets
def test_same_game_as_alone(rules, actions):
    env, game, rng = start(5, rules=rules, actions=actions), Game(rules, seed=5), np.random.default_rng(5)
    space, flat = (
        IngeniousActions.of(rules, staged=actions == "staged"),
        IngeniousActions.of(rules, staged=False),
    )
    while not game.is_over:
        assert_equal(row(env), game.state.memory)
        assert env.agent_selection == f"player_{game.to_play}"
        action, legal = choose(env, rng), game.legal_mask()
        if actions == "staged":
            by_slot = legal[: flat.keep].reshape(rules.rack_size, -1)
            assert_equal(
                current_mask(env), [*by_slot.max(axis=1), *np.zeros(flat.num_placements), *legal[-2:]]
            )
            slot = action
            if slot < rules.rack_size:
                env.step(slot)
                assert env.unwrapped.game.state.held == slot + 1
                assert env.agent_selection == f"player_{game.to_play}"
                assert_equal(current_mask(env), [*np.zeros(rules.rack_size), *by_slot[slot], 0, 0])
                action = choose(env, rng)
            env.step(action)
            placement = action - rules.rack_size
            choice = flat.keep + action - space.keep
            game.play(choice if action >= space.keep else slot * flat.num_placements + placement)
        else:
            assert_equal(current_mask(env), legal)
            env.step(np.int32(action))
            game.play(action)
    assert_equal(row(env), game.state.memory)
    assert all(env.terminations.values())


def test_resets():
    env = start(3)
    advance(env, 9)
    successor = GameBatch.from_rows(Rules(), row(env))
    successor.deal()
    env.reset()
    assert_equal(row(env), successor.state.memory)
    with pytest.raises(ValueError, match="seed must be from 0"):
        env.reset(seed=-1)
    assert_equal(row(env), successor.state.memory)
    env.reset(seed=3)
    assert env.unwrapped.game == Game(Rules(), seed=3)
    assert start(None).unwrapped.game != start(None).unwrapped.game


@both_actions
@presets
def test_episode_by_agent_iter(rules, actions):
    env, rng = start(1, rules=rules, actions=actions, reward="score"), np.random.default_rng(1)
    totals, ends = dict.fromkeys(env.agents, 0.0), []
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        assert not truncated
        totals[agent] += reward
        if terminated:
            ends.append(agent)
        env.step(None if terminated else choose(env, rng))
    assert ends == env.possible_agents
    assert env.agents == []
    assert not any(env.observe(agent)["action_mask"].any() for agent in ends)
    final = env.unwrapped.game.scores.sum(axis=1)
    assert_equal(list(totals.values()), [final[rules.sheet_of(seat)] for seat in range(rules.num_players)])


# Observations and masks.


@all_forms
@both_actions
@presets
def test_observations_and_masks(rules, actions, form):
    env = start(2, rules=rules, actions=actions, observation=form)
    encoder, game = Encoder(Layout(rules), form), env.unwrapped.game
    for step, _ in enumerate(steps_of(env)):
        if step % 7 and not game.is_over:
            continue
        for seat, agent in enumerate(env.agents):
            observed, public = env.observe(agent), env.infos[agent]["action_mask"]
            assert env.observation_space(agent).contains(observed)
            assert_equal(observed, {"observation": encoder.single(game.observe(seat)), "action_mask": public})
            assert public.dtype == np.int8
            assert public.any() == (seat == game.to_play and not game.is_over)


@all_forms
def test_arrays_are_owned_by_the_caller(form):
    env = start(observation=form)
    advance(env, 5)
    for agent in env.agents:
        spoilt, untouched = arrays_of(env, agent), arrays_of(env, agent)
        kept = copy.deepcopy(untouched)
        for array in [env.infos[agent]["action_mask"], *spoilt]:
            array[...] = 7
        assert_equal(untouched, kept)
        assert_equal(arrays_of(env, agent), kept)
        advance(env, 1)
        assert_equal(untouched, kept)


def test_spaces_are_kept_and_not_shared():
    env = ingenious_v0.env(reward="vector")
    forms = (lambda agent: env.observation_space(agent)["observation"], env.observation_space)
    for spaces in (*forms, env.action_space, env.reward_space):
        assert spaces("player_0") is spaces("player_0")
        assert spaces("player_0") is not spaces("player_1")
        assert spaces("player_0") == spaces("player_1")


# Rewards.


@presets_of_many
def test_outcome_sums_to_zero(rules):
    for seed in range(3):
        env = start(seed, rules=rules)
        for _ in steps_of(env):
            rewards = np.array(list(env.rewards.values()))
            assert rewards.any() == all(env.terminations.values())
            assert rewards.sum() == 0
        ranks = env.unwrapped.game.ranks[np.arange(rules.num_players) % rules.num_sheets]
        assert rewards[ranks.argmin()] > 0 > rewards[ranks.argmax()]
        assert (np.diff(rewards[ranks.argsort()]) <= 0).all()
        assert all(type(reward) is float for reward in env.rewards.values())


@both_actions
@presets
def test_score_and_vector_are_the_counters_rise(rules, actions):
    score, vector = (start(4, rules=rules, actions=actions, reward=name) for name in ("score", "vector"))
    sheets = np.arange(rules.num_players) % rules.num_sheets
    for before, _ in zip(steps_of(score), steps_of(vector), strict=True):
        rise = (score.unwrapped.game.scores - before)[sheets]
        assert_equal(list(score.rewards.values()), rise.sum(axis=1))
        assert_equal(list(vector.rewards.values()), rise)
        for env in (score, vector):
            for agent, reward in env.rewards.items():
                assert env.reward_space(agent).contains(np.asarray(reward, np.float32))


def test_vector_rewards_add_up_and_are_not_shared():
    env, rng = start(reward="vector"), np.random.default_rng(0)
    totals = {agent: np.zeros(6) for agent in env.agents}
    for agent in env.agent_iter():
        _, reward, terminated, _, _ = env.last()
        totals[agent] += reward
        reward += 99  # what last() gave out is the caller's, once the agent has acted
        env.step(None if terminated else choose(env, rng))
        for rewards in (env.rewards, env._cumulative_rewards):
            assert all(array.shape == (6,) and array.dtype == np.float32 for array in rewards.values())
        for other in env.agents:
            env.rewards[other] += 99
    assert_equal(list(totals.values()), env.unwrapped.game.scores)


def test_collaborative_rewards_are_the_sum_for_all():
    env = start(num_players=3, reward="score", collaborative=True)
    for before in steps_of(env):
        assert_equal(list(env.rewards.values()), [env.unwrapped.game.scores.sum() - before.sum()] * 3)
    assert env.reward_space("player_0").high == 18 * 6 * 3


def test_solitaire_lowest_sums_to_the_result():
    env = start(num_players=1, reward="lowest")
    total = sum(env.rewards["player_0"] for _ in steps_of(env))
    assert total == env.unwrapped.game.scores.min()


# Illegal actions.


def illegal_in(env):
    return int(np.flatnonzero(current_mask(env) == 0)[0])


def plain(note):
    return {name: value for name, value in note.items() if name != "action_mask"}


@both_actions
@pytest.mark.parametrize(
    ("make", "illegal"),
    [(ingenious_v0.env, "raise"), (ingenious_v0.raw_env, "raise"), (ingenious_v0.raw_env, "lose")],
)
def test_illegal_raises_and_changes_nothing(make, illegal, actions):
    env = start(make=make, actions=actions, illegal=illegal, reward="score")
    advance(env, 7)
    before = everything(env)
    with pytest.raises(IllegalActionError, match="illegal"):
        env.step(illegal_in(env))
    assert_equal(everything(env), before)
    advance(env, 1)


@pytest.mark.parametrize("reward", ["outcome", "vector"])
def test_illegal_loses(reward):
    env = start(num_players=3, illegal="lose", reward=reward)
    advance(env, 4)
    before, culprit = row(env), env.agent_selection
    env.step(illegal_in(env))
    assert_equal(row(env), before)
    assert all(env.terminations.values())
    assert env.truncations == dict.fromkeys(env.possible_agents, False)
    assert env.last()[2:4] == (True, False)
    for agent in env.agents:
        expected = np.full([6] if reward == "vector" else [], -1.0 if agent == culprit else 0.0)
        assert_equal(env.rewards[agent], expected)
        assert_equal(env._cumulative_rewards[agent], expected)
        assert not current_mask(env).any()
        assert not env.infos[agent]["action_mask"].any()
        assert env.reward_space(agent).contains(np.asarray(env.rewards[agent], np.float32))
    for _ in env.possible_agents:
        env.step(None)
    assert env.agents == []
    env.reset(seed=1)
    assert env.unwrapped.game == Game(Rules(3), seed=1)
    advance(env, 3)


@pytest.mark.parametrize("make", [ingenious_v0.env, ingenious_v0.raw_env])
def test_the_option_index_of_reset(make):
    """As in the other environments; unknown options are ignored, as PettingZoo's tests pass some."""
    env = start(make=make)
    env.reset(seed=5, options={"index": 3})
    assert env.unwrapped.game == Game(Rules(), (5, 3))
    env.reset(seed=5, options={"index": 0, "unknown": 1})
    assert env.unwrapped.game == Game(Rules(), 5)
    for seed, index, error in (
        (None, 3, ValueError),
        ((5, 1), 3, ValueError),
        (5, -1, ValueError),
        (5, 1.5, TypeError),
    ):
        with pytest.raises(error, match="index"):
            env.reset(seed=seed, options={"index": index})
        assert env.unwrapped.game == Game(Rules(), 5)


@pytest.mark.parametrize("module", [ingenious_v0, loopit_v0], ids=["ingenious", "loopit"])
@pytest.mark.parametrize("in_observation", [True, False])
@pytest.mark.parametrize("illegal", ["raise", "random", "lose"])
@all_forms
def test_illegal_actions_with_any_form_and_place_of_the_mask(module, form, illegal, in_observation):
    """After legal moves, with and without a look at observations."""
    options = {"observation": form, "mask_in_observation": in_observation, "illegal": illegal}
    env = start(make=module.env, **options)
    for looks in (False, True, False, True):
        if looks:
            env.last()
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    agent, before = env.agent_selection, row(env)
    wrong = int(env.infos[agent]["action_mask"].argmin())
    env.infos[agent]["action_mask"][:] = 1  # it is the caller's
    if illegal == "raise":
        with pytest.raises(IllegalActionError):
            env.step(wrong)
    else:
        env.step(wrong)
    assert (env.rewards[agent] == -1) == all(env.terminations.values()) == (illegal == "lose")
    assert np.array_equal(row(env), before) == (illegal != "random")


@both_actions
def test_illegal_is_replaced(actions):
    env = start(illegal="random", actions=actions)
    advance(env, 6)
    agent, wrong = env.agent_selection, illegal_in(env)
    beside = GameBatch.from_rows(Rules(), row(env), staged=actions == "staged")
    expected = beside.random_actions()
    beside.play(expected)
    env.step(wrong)
    assert_equal(row(env), beside.state.memory)
    while env.agent_selection != agent:
        assert plain(env.infos[env.agent_selection]) == {}
        advance(env, 1)
    assert plain(env.infos[agent]) == {"illegal_action": wrong, "played_action": int(expected[0])}
    advance(env, 1)
    assert plain(env.infos[agent]) == {}


@pytest.mark.parametrize("action", [-1, 2666, 10**9])
def test_out_of_range(action):
    raw, env = start(make=ingenious_v0.raw_env), start()
    with pytest.raises(IllegalActionError, match=f"action {action} is illegal: actions are 0 to 2665"):
        raw.step(action)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(action)
    assert raw.game == env.unwrapped.game == Game(Rules(), seed=0)


@pytest.mark.parametrize("illegal", ["raise", "lose", "random"])
@pytest.mark.parametrize(
    "action", [None, 1.0, "1", True, [1], np.array([1.0]), np.array([1, 1]), np.float32(1)]
)
def test_wrong_types(action, illegal):
    env = start(illegal=illegal)
    with pytest.raises(TypeError, match="action must be a whole number"):
        env.unwrapped.step(action)
    with pytest.raises((AssertionError, TypeError, ValueError)):
        env.step(action)
    assert env.unwrapped.game == Game(Rules(), seed=0)


def test_the_dead_take_none_alone():
    env = start(num_players=1)
    list(steps_of(env))
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    env.step(None)
    assert env.agents == []


# Copies.


@pytest.mark.parametrize("duplicate", COPIES)
@pytest.mark.parametrize("illegal", ["raise", "lose", "random"])
@both_actions
def test_copies_go_on_alike(duplicate, illegal, actions):
    env, rng = start(6, illegal=illegal, actions=actions, reward="vector"), np.random.default_rng(6)
    advance(env, 11)
    assert env.unwrapped.game.state.held.any() == (actions == "staged")
    before, twin = everything(env), duplicate(env)
    advance(twin, 3)
    assert_equal(everything(env), before)
    assert (row(twin) != row(env)).any()
    twin = duplicate(env)
    while env.agents:
        assert_equal(everything(twin), everything(env))
        action = None if env.terminations[env.agent_selection] else choose(env, rng)
        env.step(action)
        twin.step(action)
    env.reset()
    twin.reset()
    assert_equal(everything(twin), everything(env))


# Custom options.


@presets
@both_actions
def test_the_state_is_what_all_seats_know(rules, actions):
    env = start(3, rules=rules, actions=actions, observation="planes")
    vectors = ingenious_v0.env(rules=rules, actions=actions)
    for steps in (0, 1, 30):
        advance(env, steps)
        game, state = env.unwrapped.game, env.state()
        before = row(env)
        assert_equal(state, [game.observe(seat) for seat in range(rules.num_players)])
        assert state.dtype == np.int8
        assert env.state_space.contains(state)
        for seat, agent in enumerate(env.possible_agents):
            assert vectors.observation_space(agent)["observation"].contains(state[seat])
        state[:] = 99
        assert_equal(env.state(), [game.observe(seat) for seat in range(rules.num_players)])
        assert_equal(row(env), before)


def test_the_state_outlives_the_game():
    env = start(num_players=1)
    list(steps_of(env))
    assert_equal(env.state(), [env.unwrapped.game.observe(0)])


@all_forms
@both_actions
@presets
def test_observations_without_their_mask(rules, actions, form):
    options = {"rules": rules, "actions": actions, "observation": form, "illegal": "random"}
    with_mask, env = start(2, **options), start(2, mask_in_observation=False, **options)
    rng = np.random.default_rng(0)
    for _ in range(25):
        for agent in env.possible_agents:
            observed = env.observe(agent)
            assert_equal(observed, with_mask.observe(agent)["observation"])
            assert env.observation_space(agent).contains(observed)
            assert env.observation_space(agent) == with_mask.observation_space(agent)["observation"]
            assert_equal(env.infos[agent]["action_mask"], with_mask.infos[agent]["action_mask"])
        mask = env.infos[env.agent_selection]["action_mask"]
        assert_equal(mask, current_mask(with_mask))
        action = int(rng.choice(np.flatnonzero(mask)))
        env.step(action)
        with_mask.step(action)


@pytest.mark.parametrize("value", [1, None, "yes"])
def test_whether_the_mask_is_in_the_observation_is_a_bool(value):
    with pytest.raises(TypeError, match="mask_in_observation must be a bool"):
        ingenious_v0.env(mask_in_observation=value)


@pytest.mark.parametrize("make", [ingenious_v0.env, ingenious_v0.raw_env])
@pytest.mark.parametrize("illegal", ["raise", "random"])
def test_an_action_may_be_an_array_of_one(make, illegal):
    env, other = start(make=make, illegal=illegal), start(make=make, illegal=illegal)
    for _ in range(5):
        action = int(np.flatnonzero(current_mask(env))[-1])
        env.unwrapped.step(np.array([action]))
        other.step(action)
        assert_equal(everything(env), everything(other))
