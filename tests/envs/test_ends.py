"""Ends of episodes in all environments: what each reward has paid, shared ranks included, and what is drawn.

Rewards are worked out here from the final scores only. Pictures are those of the learner, whoever moved last.
"""

from __future__ import annotations

from itertools import product

import gymnasium as gym
import numpy as np
import pytest
from final_rewards import seat_reward, sheet_reward
from loopit_helpers import VARIANTS

import ingenious_env  # noqa: F401 - registers the environments
from ingenious_env import Rules, ingenious_v0, loopit_v0
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.trail import Trail
from ingenious_env.envs.vector import SolitaireVectorEnv, VersusVectorEnv
from ingenious_env.envs.versus import VersusEnv
from ingenious_env.games.ingenious.render.scene import scene as ingenious_scene
from ingenious_env.games.loopit.render.scene import scene as loopit_scene

TINY = {"board_side": 3, "num_colours": 2, "rack_size": 2, "counter_top": 1}
"""With few spaces, so that ranks are often shared."""

TABLES = {
    "two": Rules(2, **TINY | {"counter_top": 2}),
    "three": Rules(3, **TINY),
    "four": Rules(4, **TINY),
    "teams": Rules(4, teams=True, **TINY),
    "loopit two": VARIANTS["corner"],
    "loopit three": VARIANTS["5 x 5, fixed"],
}
ALONE = Rules(1, board_side=3, num_colours=2, counter_top=2)
STEPS = ("score", "lowest", "vector")
CASES = [
    *product([name for name in TABLES if "loopit" not in name], ("outcome", "margin", *STEPS)),
    *product([name for name in TABLES if "loopit" in name], ("outcome", "margin", "score")),
]


def is_shared(scores):
    """Return whether two sheets end alike."""
    keys = [tuple(np.sort(each, axis=None)) for each in scores]
    return len(set(keys)) < len(keys)


def random_actions(masks, rng):
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


@pytest.mark.parametrize(("table", "reward"), CASES)
def test_agents_environments_pay(table, reward):
    rules, rng, shared = TABLES[table], np.random.default_rng(1), 0
    module = loopit_v0 if "loopit" in table else ingenious_v0
    for collaborative in {False, reward in STEPS}:
        env = module.env(rules=rules, reward=reward, collaborative=collaborative)
        for seed in range(40 if table == "two" else 12):
            env.reset(seed=seed)
            paid = dict.fromkeys(env.possible_agents, 0.0)
            while env.agents:
                observation, gain, over, _, _ = env.last()
                agent = env.agent_selection
                paid[agent] = paid[agent] + gain
                env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            scores = env.unwrapped.game.state.scores[0]
            shared += is_shared(scores)
            for seat, agent in enumerate(env.possible_agents):
                expected = seat_reward(rules, reward, scores, seat, collaborative=collaborative)
                np.testing.assert_allclose(paid[agent], expected, atol=1e-5)
    assert shared > 0 or "loopit" in table


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize(("table", "reward"), CASES)
def test_vector_environments_pay(table, reward, mode):
    """The rewards of a game over its steps, and the results in its info."""
    rules, rng, num = TABLES[table], np.random.default_rng(2), 12
    collaborative = reward in STEPS and mode != "SameStep"
    envs = VersusVectorEnv(
        num,
        game=definition_of(rules).name,
        rules=rules,
        reward=reward,
        collaborative=collaborative,
        autoreset_mode=mode,
        opponent="uniform",
    )
    _, infos = envs.reset(seed=4)
    seats, paid, ended = envs.seats, np.zeros((num, *envs.reward_space.shape)), 0
    shared = 0
    for _ in range(40):
        before = envs.episodes.ended.copy()
        _, gains, over, _, infos = envs.step(random_actions(infos["action_mask"], rng))
        assert not gains[before].any()  # a step that deals the next game pays nothing
        paid += gains
        last_infos = infos.get("final_info", infos)
        for row in np.flatnonzero(over):
            assert last_infos["_scores"][row]
            scores, seat, sheet = (
                last_infos["scores"][row],
                int(last_infos["seat"][row]),
                rules.sheet_of(seats[row]),
            )
            assert seat == seats[row]
            shared += is_shared(scores)
            expected = seat_reward(rules, reward, scores, seat, collaborative=collaborative)
            np.testing.assert_allclose(paid[row], expected, atol=1e-5)
            assert last_infos["result"][row] == pytest.approx(sheet_reward(rules, "outcome", scores, sheet))
            best = [sorted(np.ravel(each).tolist()) for each in scores]
            assert last_infos["ranks"][row].tolist() == [
                1 + sum(other > each for other in best) for each in best
            ]
            assert last_infos["won"][row] == (best[sheet] == max(best) and best.count(max(best)) == 1)
            paid[row] = 0
            ended += 1
        if mode == "Disabled" and over.any():
            _, infos = envs.reset(options={"reset_mask": over})
        seats = envs.seats
    assert ended >= num
    assert shared > 0 or "loopit" in table


@pytest.mark.parametrize("reward", ["lowest", "score", "vector"])
def test_solitaire_pays(reward):
    envs, rng = (
        SolitaireVectorEnv(8, rules=ALONE, reward=reward, autoreset_mode="SameStep"),
        np.random.default_rng(3),
    )
    _, infos = envs.reset(seed=1)
    paid, ended = np.zeros((8, *envs.reward_space.shape)), 0
    for _ in range(30):
        _, gains, over, _, infos = envs.step(random_actions(infos["action_mask"], rng))
        paid += gains
        for row in np.flatnonzero(over):
            final = infos["final_info"]
            np.testing.assert_allclose(paid[row], seat_reward(ALONE, reward, final["scores"][row], 0))
            assert final["lowest"][row] == final["scores"][row].min()
            paid[row], ended = 0, ended + 1
    assert ended > 8


@pytest.mark.parametrize(("table", "reward"), [case for case in CASES if case[1] != "vector"])
def test_libraries_pay(table, reward):
    """TorchRL has rewards of all seats, Stable-Baselines3 and OpenSpiel the return of an episode."""
    rules = TABLES[table]
    torch = pytest.importorskip("torch")
    pytest.importorskip("tensordict")  # `torchrl` would be found: the folder of its tests
    from ingenious_env.torchrl import SelfPlayEnv

    envs, rng = SelfPlayEnv(rules, 8, reward=reward, seed=1), np.random.default_rng(4)
    data, paid = envs.reset(), np.zeros((8, rules.num_players))
    while not data["done"].all():
        actions = random_actions(data["action_mask"].numpy(), rng)
        data = envs.step(data.set("action", torch.from_numpy(actions)))["next"]
        paid += data["reward"].numpy()
    for row, scores in enumerate(envs.batch.scores):
        expected = [seat_reward(rules, reward, scores, seat) for seat in range(rules.num_players)]
        np.testing.assert_allclose(paid[row], expected, atol=1e-5)


@pytest.mark.parametrize(("table", "reward"), [case for case in CASES if case[1] != "vector"])
def test_stable_baselines_tells_of_episodes(table, reward):
    pytest.importorskip("stable_baselines3")
    from ingenious_env.sb3 import make_vec_env

    rules, rng, ended = TABLES[table], np.random.default_rng(5), 0
    env_id = "ingenious/Loopit-v0" if "loopit" in table else "ingenious/Versus-v0"
    envs = make_vec_env(env_id, 6, seed=2, rules=rules, reward=reward, seat=1)
    envs.reset()
    for _ in range(24):
        masks = np.array(envs.env_method("action_masks"))
        _, _, done, infos = envs.step(random_actions(masks, rng))
        for row in np.flatnonzero(done):
            expected = seat_reward(rules, reward, infos[row]["scores"], 1)
            assert infos[row]["episode"]["r"] == pytest.approx(expected, abs=1e-4)
            ended += 1
    assert ended >= 6


# Pictures.


def text_of(game, viewer):
    """A viewer's picture, drawn without an environment."""
    return game.definition.draw_text(game, viewer=viewer)


DRAWN = {
    "three": Rules(3, board_side=3, num_colours=3, rack_size=3, counter_top=9),
    "teams": Rules(4, teams=True, board_side=3, num_colours=3, rack_size=3, counter_top=9),
    "loopit": VARIANTS["5 x 5, fixed"],
}


@pytest.mark.parametrize("actions", ["flat", "staged"])
@pytest.mark.parametrize("table", DRAWN)
def test_an_end_is_drawn_for_the_learner(table, actions):
    """Also of a game that another seat has ended, in each mode."""
    rules, others = DRAWN[table], 0
    for seed in range(8):
        found = {}
        for mode in ("ansi", "svg"):
            env = VersusEnv(
                game=definition_of(rules).name, rules=rules, actions=actions, render_mode=mode, seat="rotate"
            )
            _, info = env.reset(seed=seed, options={"index": seed})
            over = False
            while not over:
                _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            found[mode] = env.render()
        seat, game = env.seat, env.game
        assert seat == seed % rules.num_players
        others += game.to_play != seat
        trail = env.episodes._trails.of(0, game.state.scores[0])
        for viewer in range(rules.num_players):
            same = viewer == seat
            if not same and not game.racks[viewer] and not game.racks[seat]:
                continue
            assert (found["ansi"] == text_of(game, viewer)) == same
            assert (found["svg"] == game.definition.draw_svg(game, viewer=viewer, trail=trail)) == same
    assert others > 1


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("table", DRAWN)
def test_vector_environments_draw_for_their_learners(table, mode):
    rules, rng, ends = DRAWN[table], np.random.default_rng(6), 0
    envs = VersusVectorEnv(
        4,
        game=definition_of(rules).name,
        rules=rules,
        autoreset_mode=mode,
        render_mode="ansi",
        seat="random",
    )
    _, infos = envs.reset(seed=3)
    for _ in range(14):
        _, _, over, _, infos = envs.step(random_actions(infos["action_mask"], rng))
        batch, seats = envs.episodes.batch, envs.seats
        for row, picture in enumerate(envs.render()):
            assert picture == text_of(batch[row], int(seats[row]))
            ends += int(batch.is_over[row] and batch.to_play[row] != seats[row])
        if mode == "Disabled" and over.any():
            _, infos = envs.reset(options={"reset_mask": over})
    assert ends > 0 or mode == "SameStep"


@pytest.mark.parametrize("table", DRAWN)
def test_agents_environments_draw_all_racks_to_the_end(table):
    rules = DRAWN[table]
    module = loopit_v0 if table == "loopit" else ingenious_v0
    env = module.env(rules=rules, render_mode="ansi")
    env.reset(seed=2)
    while env.agents:
        observation, _, over, _, _ = env.last()
        env.step(None if over else int(np.flatnonzero(observation["action_mask"])[-1]))
        assert env.render() == text_of(env.unwrapped.game, None)
        assert "??" not in env.render()


def test_pixels_of_an_end_are_those_of_its_picture():
    pytest.importorskip("pylunasvg")
    from ingenious_env.render.pixels import to_array

    frames = {}
    for mode in ("svg", "rgb_array"):
        env = gym.make(
            "ingenious/Versus-v0", rules=DRAWN["three"], render_mode=mode, seat=1, disable_env_checker=True
        )
        _, info = env.reset(seed=5)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        frames[mode] = env.render()
    assert np.array_equal(frames["rgb_array"], to_array(frames["svg"]))


@pytest.mark.parametrize("table", DRAWN)
def test_nobody_is_to_move_in_a_picture_of_an_end(table):
    """Whichever seat moved last: no mark, no note, no card in another colour, no legal moves."""
    rules = DRAWN[table]
    game = definition_of(rules).game(rules, 3)
    while not game.is_over:
        game.play(game.random_action())
    draw, scene = game.definition.draw_svg, loopit_scene if table == "loopit" else ingenious_scene
    for seat in range(rules.num_players):
        twin = game.clone()
        twin.state.to_play[0] = seat
        for viewer in (None, *range(rules.num_players)):
            assert text_of(twin, viewer) == text_of(game, viewer)
            assert draw(twin, viewer=viewer, trail=Trail()) == draw(game, viewer=viewer, trail=Trail())
            if viewer is not None:
                assert scene(twin, viewer) == scene(game, viewer)
    assert ">" not in text_of(game, None)
