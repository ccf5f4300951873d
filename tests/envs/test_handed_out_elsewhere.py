"""Arrays returned by adapters, sessions and agents do not change (see `tests/handed_out.py`)."""

from __future__ import annotations

import pickle
from itertools import product

import numpy as np
import pytest
from handed_out import (
    FLAT_OR_STAGED,
    GAMES,
    LEARNERS,
    RULES,
    Answer,
    Entry,
    actions_of,
    check,
    rng_of,
)
from loopit_helpers import STANDARD

import ingenious_env  # noqa: F401 - registers the environments
from ingenious_env import GameBatch, Rules, Session, View
from ingenious_env.engine.definition import definition_of, variant_of
from ingenious_env.policies.advice import advise

# Libraries.


def sb3_entry(name: str, actions: str, in_observation: bool) -> Entry:
    from ingenious_env.sb3 import make_vec_env

    env_id, options = LEARNERS[name]
    options = {key: value for key, value in options.items() if key != "reward"}
    envs, rng = (
        make_vec_env(env_id, 5, seed=3, actions=actions, mask_in_observation=in_observation, **options),
        rng_of(7),
    )
    answer: Answer = {"seen": envs.reset()}
    for _ in range(26):
        masks = np.array(envs.env_method("action_masks"))
        chosen = actions_of(masks, rng)
        yield answer | {"masks": envs.env_method("action_masks")}
        yield {"masks, asked for again": envs.env_method("action_masks")}
        envs.step_async(chosen)
        step = envs.step_wait()
        chosen[:] = -1  # the actions are the caller's, too
        answer = dict(zip(("seen", "rewards", "done", "infos"), step, strict=True))


@pytest.mark.parametrize("actions", FLAT_OR_STAGED)
@pytest.mark.parametrize("name", LEARNERS)
def test_stable_baselines(name, actions):
    pytest.importorskip("stable_baselines3")
    for in_observation in (False, True):
        assert check(sb3_entry, name, actions, in_observation) > 100


def torchrl_entry(name: str, staged: bool, kind: str) -> Entry:
    import torch

    from ingenious_env.torchrl import SelfPlayEnv, VectorEnv

    if kind == "self-play":
        envs = SelfPlayEnv(RULES.get(name), 5, staged=staged, seed=3)
    else:
        env_id, options = LEARNERS[name]
        options = {key: value for key, value in options.items() if key != "reward"}
        envs = VectorEnv(env_id, 5, actions="staged" if staged else "flat", **options)
        envs.set_seed(3)
    rng, data = rng_of(8), envs.reset()
    for _ in range(26):
        masks = data["action_mask"].numpy().copy()
        yield dict(data.items())
        data = envs.step(data.clone().set("action", torch.from_numpy(actions_of(masks, rng))))["next"]
        over = data["done"].clone()
        if over.any():
            yield dict(data.items())
            data = envs.reset(data.clone().set("_reset", over))


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize(
    ("name", "kind"), [("ingenious", "self-play"), ("loopit", "self-play"), *product(LEARNERS, ["learner"])]
)
def test_torchrl(name, kind, staged):
    pytest.importorskip("tensordict")  # `torchrl` would be found: the folder of its tests
    assert check(torchrl_entry, name, staged, kind, scribble=False) > 100


def openspiel_entry(text: str) -> Entry:
    import pyspiel

    import ingenious_env.openspiel  # noqa: F401 - registers the games

    game, rng = pyspiel.load_game(text), rng_of(9)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            types, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(types, p=np.array(chances) / sum(chances))))
            continue
        legal = np.array(state.legal_actions())
        action = int(rng.choice(legal))
        yield {
            "legal": legal,
            "mask": np.array(state.legal_actions_mask()),
            "seen": [np.asarray(state.observation_tensor(seat)) for seat in range(game.num_players())],
            "game": state.engine_game().state.memory,
            "returns": np.array(state.returns()),
            "clone": state.clone().engine_game().state.memory,
        }
        state.apply_action(action)
    yield {"returns": np.array(state.returns()), "rewards": np.array(state.rewards())}


@pytest.mark.parametrize(
    "text",
    [
        "python_ingenious(num_players=3,board_side=4,num_colours=3,rack_size=3,counter_top=4)",
        "python_loopit(num_players=3,rack_size=2)",
    ],
)
def test_openspiel(text):
    pytest.importorskip("pyspiel")
    assert check(openspiel_entry, text) > 60


# Sessions, records and advice.


def session_entry(name: str) -> Entry:
    rules = RULES[name]
    session = Session(rules, 4, [definition_of(rules).policy("greedy")] * rules.num_players)
    while not session.is_over:
        session.advance()
        made = len(session.turns)
        yield {
            "game": session.game.state.memory,
            "earlier": session.at(made // 2).state.memory,
            "turns": np.array([turn.action for turn in session.turns]),
            "replayed": session.record.replay(made // 3).state.memory,
        }
    session.take_back(3)
    yield {"game": session.game.state.memory, "earlier": session.at(0).state.memory}


@pytest.mark.parametrize("name", GAMES)
def test_sessions(name):
    assert check(session_entry, name) > 30


def test_what_a_session_told_stays_as_it_was():
    """Lists and tuples as well as arrays."""
    for name in GAMES:
        rules = RULES[name]
        session = Session(rules, 4, [definition_of(rules).policy("uniform")] * rules.num_players)
        kept = []
        for _ in range(9):
            game = session.game
            values = (session.turns, session.record, game.history, game.racks, game.bag, game.bag_order, game)
            kept.append((values, pickle.dumps(values[:-1]), game.to_text()))
            session.advance()
        session.take_back(5)
        for values, then, text in kept:
            assert pickle.dumps(values[:-1]) == then
            assert values[-1].to_text() == text


AGENTS = {
    "ingenious": [
        "uniform",
        "greedy",
        "greedy:utility=concave",
        "value",
        "flat-mc:rollouts=8",
        "tree:rollouts=8",
    ],
    "loopit": ["uniform", "greedy", "planner", "value", "flat-mc:rollouts=8", "tree:rollouts=8"],
}


def agent_entry(name: str, text: str) -> Entry:
    from ingenious_agents.registry import make_agent

    rules = Rules() if name == "ingenious" else STANDARD["two"]
    agent, batch = make_agent(text), GameBatch(rules, 2, 3)
    assert variant_of(rules).rules == rules
    for _ in range(3):
        view = View(batch.clone())
        actions = agent.act(view)
        chosen = np.array(actions)
        advice = advise(agent, View(batch.take(np.array([0]))), 5)
        yield {"actions": actions, "advice": advice}
        batch.play(chosen)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in AGENTS for text in AGENTS[name]])
def test_agents(name, text):
    assert check(agent_entry, name, text) >= 9
