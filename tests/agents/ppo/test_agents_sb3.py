"""Models of Stable-Baselines3 as agents, and pools that hear of their training."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import batch_at

pytest.importorskip("stable_baselines3")

from sb3_contrib import MaskablePPO

from agents import play_match
from agents.ppo.opponent_pool import Pool
from agents.ppo.sb3 import ModelAgent, PoolCallback
from ingenious_env import Rules
from ingenious_env.core.greedy import Greedy
from ingenious_env.core.view import Uniform, View, flat_actions
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


def test_a_pool_hears_of_all_games_and_draws_anew():
    pool = Pool({"uniform": Uniform(), "greedy": Greedy(), "concave": Greedy("concave")}, active=1)
    env = make_vec_env("ingenious/Versus-v0", 4, seed=1, opponent=pool, **SMALL)
    callback = PoolCallback(pool)
    MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=1, seed=0).learn(
        2560, callback=callback
    )
    assert callback.rollouts == 10
    heard = {name: games for name, (_, games) in pool.results.items()}
    assert sum(games > 4 for games in heard.values()) >= 2  # they begin with 4 that nobody played
    assert len(pool.playing) <= 4
