"""The vector environments: the episodes of single environments, all modes of resetting, seeds, copies."""

import copy

import gymnasium as gym
import numpy as np
import pytest
from gym_helpers import QUICK, SEED, memory, pick_actions, plain, play_on, start_vector
from gymnasium.vector import AutoresetMode
from helpers import COPIES, PRESETS
from numpy.testing import assert_array_equal, assert_equal

from ingenious_env import Game, IllegalActionError, Rules
from ingenious_env.engine.observation import FORMS
from ingenious_env.envs.solitaire import SolitaireEnv
from ingenious_env.envs.vector import SolitaireVectorEnv, VersusVectorEnv
from ingenious_env.envs.versus import VersusEnv
from ingenious_env.policies.view import Uniform, View

MODES = {mode.value: mode for mode in AutoresetMode}
GAMES = {
    name: (SolitaireEnv, SolitaireVectorEnv) if rules.num_players == 1 else (VersusEnv, VersusVectorEnv)
    for name, rules in PRESETS.items()
}

all_modes = pytest.mark.parametrize("mode", MODES)
both_games = pytest.mark.parametrize(("name", "options"), QUICK.values(), ids=QUICK)
both_actions = pytest.mark.parametrize("actions", ["flat", "staged"])


# Against Gymnasium's own vector environment.


def about_the_reset(infos):
    """Without the masks of other games, which ours has as well."""
    return infos | {"action_mask": infos["action_mask"][infos["_action_mask"]]}


@all_modes
@both_games
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("more", [{}, {"mask_in_observation": True, "actions": "staged"}], ids=["", "more"])
def test_it_returns_what_many_single_environments_do(name, options, mode, form, more):
    options = options | more | {"observation": form}
    if "Versus" in name:
        options |= {"num_players": 3, "seat": "rotate", "opponent": ["greedy", "uniform"]}
    native = gym.make_vec(name, 4, autoreset_mode=mode, **options)
    many = gym.make_vec(
        name, 4, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode, "copy": True}, **options
    )
    assert isinstance(many.unwrapped, gym.vector.SyncVectorEnv)
    assert native.metadata["autoreset_mode"] is many.metadata["autoreset_mode"] is MODES[mode]
    assert native.single_observation_space == many.single_observation_space
    assert native.observation_space == many.observation_space
    assert native.action_space == many.action_space
    seeds = [3, 1, 4, 1]
    returned, expected = native.reset(seed=seeds), many.reset(seed=seeds)
    rng = np.random.default_rng(0)
    episodes = 0
    for _ in range(140 if more else 70):
        assert_equal(plain(returned), plain(expected))
        assert returned[0] in native.observation_space
        if len(returned) == 5 and mode == "Disabled" and returned[2].any():
            returned = native.reset(options={"reset_mask": returned[2]})
            expected = many.reset(options={"reset_mask": expected[2].copy()})
            assert_equal(returned[0], expected[0])
            assert_equal(about_the_reset(returned[1]), about_the_reset(expected[1]))
        actions = pick_actions(native.action_masks(), rng)
        returned, expected = native.step(actions), many.step(actions)
        assert returned[1].dtype == expected[1].dtype
        episodes += returned[2].sum()
    assert episodes > 8


@pytest.mark.parametrize("preset", GAMES)
@both_actions
def test_a_row_is_a_single_environment_with_its_index(preset, actions):
    single_class, vector_class = GAMES[preset]
    options = {"rules": PRESETS[preset], "actions": actions}
    envs = vector_class(4, autoreset_mode="SameStep", **options)
    rng = np.random.default_rng(0)
    observations, infos = envs.reset(seed=SEED)
    singles = [single_class(**options) for _ in range(4)]
    for row, env in enumerate(singles):
        observation, info = env.reset(seed=SEED, options={"index": row})
        assert_array_equal(observation, observations[row])
        assert env.game == envs.episodes.batch[row]
    episodes = 0
    while episodes < 8:
        chosen = pick_actions(infos["action_mask"], rng)
        observations, rewards, ended, truncated, infos = envs.step(chosen)
        assert not truncated.any()
        for row, env in enumerate(singles):
            observation, reward, over, _, info = env.step(chosen[row])
            assert (rewards[row], ended[row]) == (reward, over)
            if over:
                episodes += 1
                assert_array_equal(infos["final_obs"][row], observation)
                for key, value in info.items():
                    assert_array_equal(infos["final_info"][key][row], value)
                observation, info = env.reset()
            assert_array_equal(observations[row], observation)
            assert_array_equal(infos["action_mask"][row], info["action_mask"])
            assert np.array_equal(envs.episodes.batch.state.memory[row], env.game.state.memory[0])


@pytest.mark.parametrize("game", QUICK)
def test_the_number_of_games_changes_none_of_them(game):
    some, more = start_vector(3, game), start_vector(20, game)
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = pick_actions(more.action_masks(), rng)
        few, many = some.step(actions[:3]), more.step(actions)
        for mine, its in zip(few[:4], many[:4], strict=True):
            assert_array_equal(mine, its[:3])
    assert_array_equal(memory(some), memory(more)[:3])


# Beginning anew.


@pytest.mark.parametrize("game", QUICK)
def test_next_step_ignores_the_action_that_begins_an_episode(game):
    envs = start_vector(game=game)
    episodes = 0
    for _, _, ended, _, infos in play_on(envs, 60):
        if not ended.any() or ended.all():
            continue
        assert_array_equal(infos["_scores"], ended)
        assert not infos["action_mask"][ended].any()
        before = memory(envs)
        actions = np.where(ended, -99, infos["action_mask"].argmax(axis=1))
        _, rewards, now_ended, _, next_infos = envs.step(actions)
        assert not now_ended[ended].any()
        assert not rewards[ended].any()
        assert next_infos["action_mask"][ended].any(axis=1).all()
        assert (memory(envs) != before).any(axis=1).all()
        episodes += ended.sum()
    assert episodes


@pytest.mark.parametrize("game", QUICK)
def test_same_step_never_shows_a_game_that_is_over(game):
    envs = start_vector(game=game, autoreset_mode="SameStep")
    episodes = 0
    for _, _, ended, _, infos in play_on(envs, 60):
        assert infos["action_mask"].any(axis=1).all()
        assert ("final_obs" in infos) == ended.any()
        episodes += ended.sum()
        if ended.any():
            assert_array_equal(infos["_final_obs"], ended)
            assert_array_equal(infos["_final_info"], ended)
            assert [last is not None for last in infos["final_obs"]] == ended.tolist()
            assert not infos["final_info"]["action_mask"].any()
            assert (infos["final_info"]["scores"][~ended] == 0).all()
            assert "scores" not in infos
    assert episodes > 5


@pytest.mark.parametrize("game", QUICK)
def test_disabled_waits_for_a_reset(game):
    envs = start_vector(game=game, autoreset_mode=AutoresetMode.DISABLED)
    rng = np.random.default_rng(0)
    ended = np.zeros(5, bool)
    while not ended.any():
        _, _, ended, _, infos = envs.step(pick_actions(envs.action_masks(), rng))
    before = memory(envs)
    with pytest.raises(gym.error.ResetNeeded, match=str(np.flatnonzero(ended)[0])):
        envs.step(infos["action_mask"].argmax(axis=1))
    assert_array_equal(memory(envs), before)
    observations, infos = envs.reset(options={"reset_mask": ended})
    assert_array_equal((memory(envs) != before).any(axis=1), ended)
    assert observations in envs.observation_space
    assert infos["action_mask"].any(axis=1).all()
    envs.step(infos["action_mask"].argmax(axis=1))


@pytest.mark.parametrize("game", QUICK)
def test_infos_of_a_reset_are_about_its_games_only(game):
    """Not about games that are truncated, and not about actions before."""
    envs = start_vector(3, game, autoreset_mode="Disabled", max_episode_steps=2, illegal="random")
    envs.step([0, 0, 0])
    _, _, ended, truncated, infos = envs.step(np.full(3, -1))
    assert truncated.all()
    assert not ended.any()
    assert infos["_illegal_action"].all()
    chosen = np.array([True, False, False])
    _, infos = envs.reset(options={"reset_mask": chosen})
    names = {"action_mask"} | ({"seat"} if game == "versus" else set())
    assert infos.keys() == names | {f"_{name}" for name in names}
    for name in names:
        assert_array_equal(infos[f"_{name}"], chosen)
    assert_array_equal(infos["action_mask"].any(axis=1), chosen)
    _, infos = envs.reset(options={"reset_mask": ~chosen})
    assert_array_equal(infos["_action_mask"], ~chosen)
    assert_array_equal(infos["action_mask"], envs.action_masks())  # of all, for the next step
    envs.step(infos["action_mask"].argmax(axis=1))


def test_a_mask_and_seeds_together():
    envs = start_vector(4, "solitaire")
    before = memory(envs)
    chosen = np.array([False, True, True, False])
    envs.reset(seed=9, options={"reset_mask": chosen})
    rules = envs.episodes.rules
    assert envs.episodes.batch[1] == Game(rules, (9, 1))
    assert envs.episodes.batch[2] == Game(rules, (9, 2))
    assert_array_equal(memory(envs)[~chosen], before[~chosen])
    fresh = VersusVectorEnv(2, seat=1)
    before = memory(fresh)
    fresh.reset(seed=9, options={"reset_mask": np.array([True, False])})
    assert_array_equal((memory(fresh) == before).all(axis=1), [False, True])


# Seeds.


def test_seeds():
    envs = SolitaireVectorEnv(3)
    envs.reset(seed=7)
    rules = Rules.solitaire()
    games = [envs.episodes.batch[row] for row in range(3)]
    assert games == [Game(rules, (7, row)) for row in range(3)]
    assert envs.np_random_seed == 7
    envs.reset(seed=[5, None, 6])
    assert envs.episodes.batch[0] == Game(rules, 5)
    assert envs.episodes.batch[2] == Game(rules, 6)
    assert envs.episodes.batch[1] not in games
    before = memory(envs)
    envs.reset()
    assert (memory(envs) != before).any(axis=1).all()
    other = SolitaireVectorEnv(3)
    other.reset()
    assert (memory(envs) != memory(other)).any(axis=1).all()


def test_seats_over_the_rows():
    rotating = VersusVectorEnv(6, num_players=4, seat="rotate")
    assert rotating.reset(seed=1)[1]["seat"].tolist() == [0, 1, 2, 3, 0, 1]
    assert rotating.reset()[1]["seat"].tolist() == [1, 2, 3, 0, 1, 2]
    assert rotating.reset(seed=[1] * 6)[1]["seat"].tolist() == [0] * 6
    drawn = VersusVectorEnv(64, num_players=4)
    _, infos = drawn.reset(seed=1)
    assert_array_equal(infos["seat"], drawn.seats)
    assert set(drawn.seats) == {0, 1, 2, 3}
    assert VersusVectorEnv(4, seat=1).reset()[1]["seat"].tolist() == [1] * 4


# Opponents only see their own games, all in one view.


def test_views_hold_the_games_that_wait_for_the_opponent():
    class Checks(Uniform):
        sizes = ()

        def act(self, view):
            assert type(view) is View
            assert view.legal_mask().any(axis=1).all()
            self.sizes += (len(view),)
            return super().act(view)

    opponent = Checks()
    envs = start_vector(50, opponent=opponent, seat="random", num_players=3)
    assert (envs.episodes.batch.to_play == envs.seats).all()
    for _, _, ended, _, _ in play_on(envs, 40):
        batch = envs.episodes.batch
        assert ((batch.to_play == envs.seats) | ended).all()
    assert min(opponent.sizes) < 25
    assert 45 < max(opponent.sizes) <= 50


def test_an_opponents_illegal_action_is_said_by_name():
    class Cheat(Uniform):
        def act(self, view):
            actions = super().act(view)
            actions[-1] = view.actions.keep if len(view) < 5 else actions[-1]
            return actions

    envs = start_vector(5, opponent=Cheat(), seat=0)
    with pytest.raises(IllegalActionError, match=r"^opponent Cheat: action \d+ is illegal"):
        for _ in play_on(envs, 60):
            pass


# What is returned, copies, pictures.


@pytest.mark.parametrize("game", QUICK)
@pytest.mark.parametrize("form", FORMS)
def test_what_was_returned_is_the_callers(game, form):
    envs = start_vector(game=game, observation=form, mask_in_observation=True, autoreset_mode="SameStep")
    twin = copy.deepcopy(envs)
    kept = []
    for step, its in zip(play_on(envs, 30), play_on(twin, 30), strict=True):
        kept.append((step, copy.deepcopy(step)))
        assert_equal(plain(step), plain(its))
        for part in its[0].values():
            part[:] = 1
        its[4]["action_mask"][:] = 1
        its[2][:] = True
    for step, then in kept:
        assert_equal(plain(step), plain(then))


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_the_rewards_of_each_episode_add_up(mode):
    options = {"num_players": 4, "teams": True, "reward": "score", "autoreset_mode": mode}
    envs = start_vector(8, **options)
    totals, counted, began = np.zeros(8), 0, np.zeros(8, bool)
    for _, rewards, ended, _, infos in play_on(envs, 60):
        assert not rewards[began].any()
        totals += rewards
        if ended.any():
            final = infos["final_info"] if mode == "SameStep" else infos
            own = final["scores"][np.arange(8), final["seat"] % 2].sum(axis=1)
            assert_array_equal(totals[ended], own[ended])
            totals[ended] = 0
            counted += ended.sum()
        began = ended if mode == "NextStep" else began
    assert counted > 8


def test_what_is_kept_keeps_nothing_else():
    bare = start_vector(autoreset_mode="SameStep")
    masked = start_vector(mask_in_observation=True, autoreset_mode="SameStep")
    for mine, its in zip(play_on(bare, 30), play_on(masked, 30), strict=True):
        assert not np.shares_memory(its[0]["action_mask"], its[4]["action_mask"])
        for row in np.flatnonzero(mine[2]):
            assert mine[4]["final_obs"][row].base is None
            assert its[4]["final_obs"][row]["observation"].base is None


def test_rewards_with_a_number_for_each_colour():
    envs = start_vector(4, "solitaire", reward="vector", autoreset_mode="SameStep")
    totals, counted = np.zeros((4, 3)), 0
    for _, rewards, ended, _, infos in play_on(envs, 40):
        assert rewards.shape == (4, 3)
        assert rewards[0] in envs.reward_space
        totals += rewards
        if ended.any():
            assert_array_equal(totals[ended], infos["final_info"]["scores"][ended, 0])
            totals[ended] = 0
            counted += 1
    assert counted


@pytest.mark.parametrize("game", QUICK)
@pytest.mark.parametrize("copied", COPIES)
def test_copies_have_the_same_future(game, copied):
    envs = start_vector(game=game)
    for _ in play_on(envs, 10):
        pass
    twin = copied(envs)
    for mine, its in zip(play_on(envs, 40, 1), play_on(twin, 40, 1), strict=True):
        assert_equal(its, mine)
    next(play_on(envs, 1))
    assert (memory(envs) != memory(twin)).any()


def test_pictures():
    texts = start_vector(3, render_mode="ansi").render()
    assert len(texts) == 3
    assert all(text.startswith("Your turn") and "??" in text for text in texts)
    pictures = start_vector(2, "solitaire", render_mode="svg").render()
    assert all(picture.startswith("<svg") for picture in pictures)
    with pytest.warns(UserWarning, match="render_mode"):
        assert start_vector(2).render() is None
