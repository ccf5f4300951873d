"""Models of Stable-Baselines3 as agents, and pools that record their results."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import batch_at

pytest.importorskip("stable_baselines3")

from ingenious_agents import play_match
from ingenious_agents.ppo.opponent_pool import Pool
from ingenious_agents.ppo.sb3 import ModelAgent, PoolCallback
from sb3_contrib import MaskablePPO

from ingenious_env import GameBatch, Rules
from ingenious_env.engine.definition import variant_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.view import Uniform, View, flat_actions
from ingenious_env.sb3 import make_vec_env

SMALL = {"board_side": 4, "num_colours": 3}


@pytest.mark.parametrize("actions", ["flat", "staged"])
def test_a_model_plays_matches(actions):
    rules = Rules(**SMALL)
    env = make_vec_env("ingenious/Versus-v0", 2, rules=rules, actions=actions)
    agent = ModelAgent(MaskablePPO("MlpPolicy", env, n_steps=16, seed=0), staged=actions == "staged")
    batch = batch_at(rules, 20, 4)
    chosen = flat_actions(agent, View(batch))
    assert batch.legal_mask()[np.arange(20), chosen].all()
    assert play_match(rules, [agent, Uniform()], 3).games == 6


class Model:
    """The spaces of a model, and the first legal action of each game."""

    def __init__(self, env):
        self.action_space, self.observation_space = env.action_space, env.observation_space
        self.asked = []

    def predict(self, observations, *, action_masks, deterministic):
        self.asked.append((observations.shape, action_masks.shape, deterministic))
        return action_masks.argmax(axis=1), None


VARIANTS = {
    "ingenious": ("ingenious/Versus-v0", Rules(**SMALL)),
    "loopit": ("ingenious/Loopit-v0", LoopitRules(2)),
}


@pytest.mark.parametrize("actions", ["flat", "staged"])
@pytest.mark.parametrize("name", VARIANTS)
def test_a_model_s_own_actions_tell_how_it_was_trained(name, actions):
    """Its agent plays flat and staged games, and infers the numbering."""
    env_id, rules = VARIANTS[name]
    model = Model(make_vec_env(env_id, 2, rules=rules, actions=actions))
    batch = GameBatch(rules, 3, 1)
    expected = batch.legal_mask().argmax(axis=1)  # the first slot and its first place, in either numbering
    assert np.array_equal(ModelAgent(model).act(View(batch)), expected)
    size = model.action_space.n
    assert model.asked == [((3, batch.layout.size), (3, size), True)] * (1 if actions == "flat" else 2)
    if actions == "staged":
        staged = GameBatch(rules, 3, 1, staged=True)
        assert np.array_equal(ModelAgent(model).act(View(staged)), staged.legal_mask().argmax(axis=1))


@pytest.mark.parametrize("actions", ["flat", "staged"])
@pytest.mark.parametrize("name", VARIANTS)
def test_a_model_of_another_variant_is_refused(name, actions):
    (env_id, rules), (other_id, other) = (
        VARIANTS[name],
        VARIANTS[next(each for each in VARIANTS if each != name)],
    )
    agent = ModelAgent(Model(make_vec_env(other_id, 2, rules=other, actions=actions)))
    variant = variant_of(rules)
    flat, staged = variant.flat_actions.size, variant.staged_actions.size
    with pytest.raises(ValueError, match=f"{flat} flat ones and {staged} staged ones"):
        agent.act(View(GameBatch(rules, 3, 1)))
    model = Model(make_vec_env(env_id, 2, rules=rules, actions=actions, observation="planes"))
    with pytest.raises(ValueError, match=f"this variant has vectors of {GameBatch(rules, 1, 0).layout.size}"):
        ModelAgent(model).act(View(GameBatch(rules, 3, 1)))


def test_further_learning_draws_further_opponents():
    """With a callback of its own for each part, as on the page of past selves."""
    pool = Pool({str(number): Uniform() for number in range(8)}, active=1)
    env = make_vec_env("ingenious/Versus-v0", 4, seed=1, opponent=pool, **SMALL)
    model, drawn = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=0), []
    for _ in range(8):
        model.learn(64, callback=PoolCallback(pool), reset_num_timesteps=False)
        drawn += pool._drawn
    assert len(set(drawn)) > 3


def test_a_pool_hears_of_all_games_and_draws_anew():
    pool = Pool({"uniform": Uniform(), "greedy": Greedy(), "concave": Greedy("concave")}, active=1)
    env = make_vec_env("ingenious/Versus-v0", 4, seed=1, opponent=pool, **SMALL)
    callback = PoolCallback(pool)
    MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=1, seed=0).learn(
        2560, callback=callback
    )
    assert callback.rollouts == 10
    heard = {name: games for name, (_, games) in pool.results.items()}
    assert sum(games > 4 for games in heard.values()) >= 2  # they begin with 4 prior games
    assert len(pool.playing) <= 4
