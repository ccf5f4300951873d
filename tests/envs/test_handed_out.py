"""Arrays returned by the engine and the environments do not change (see `tests/handed_out.py`)."""

from __future__ import annotations

import pickle
from itertools import product

import gymnasium as gym
import numpy as np
import pytest
from handed_out import (
    FLAT_OR_STAGED,
    GAMES,
    LEARNERS,
    LIVE,
    OWN,
    RULES,
    Answer,
    Entry,
    actions_of,
    an_action,
    check,
    rng_of,
)

import ingenious_env  # noqa: F401 - registers the environments
from ingenious_env import GameBatch, View, ingenious_v0, loopit_v0
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.observation import FORMS
from ingenious_env.envs.vector import SolitaireVectorEnv, VersusVectorEnv

# The engine.


def game_entry(name: str, actions: str) -> Entry:
    rng, rules = rng_of(1), RULES[name]
    game = definition_of(rules).game(rules, 3, actions=actions)
    while True:
        answer = {
            "mask": game.legal_mask(),
            "legal": game.legal_actions(),
            "seen": [game.observe(seat) for seat in range(rules.num_players)],
            "board": game.board if name == "ingenious" else [],
            "scores": game.scores,
            "ranks": game.ranks,
            "trail": game.trail.last,
        }
        action = -1 if game.is_over else an_action(answer["mask"], rng)
        yield answer
        if action < 0:
            return
        game.play(action)


def batch_entry(name: str, actions: str) -> Entry:
    rng = rng_of(2)
    batch = GameBatch(RULES[name], 6, 4, staged=actions == "staged")
    done = np.zeros(6, np.bool_)
    for step in range(40):
        answer = {
            "mask": batch.legal_mask(),
            "seen": batch.observe(),
            "seen by all": batch.observe(viewers=np.arange(6) % 3),
            "random": batch.random_actions(),
            "random by key": batch.random_actions(by_key=True),
            "over": batch.is_over,
            "ranks": batch.ranks,
            "done": done,
            "taken": batch.take(np.array([4, 1])).state.memory,
            "all taken": batch.take(np.arange(6)).state.memory,
            "clone": batch.clone().state.memory,
            "one": batch[2].state.memory,
            "pickled": pickle.loads(pickle.dumps(batch)).state.memory,
        }
        for copy in (batch.clone(), pickle.loads(pickle.dumps(batch))):
            assert np.array_equal(copy.final_scores, batch.final_scores)
            answer |= {f"ends of copy {len(answer)}": copy.final_scores}
        if step % 20 == 0:
            answer["playouts"] = batch.random_playouts(2, seed=step)
        chosen = actions_of(answer["mask"], rng)
        yield answer
        done = batch.play(chosen, auto_reset=True)


def view_entry(name: str, actions: str) -> Entry:
    rng = rng_of(3)
    batch = GameBatch(RULES[name], 4, 5, staged=actions == "staged")
    for _ in range(25):
        view = View(batch)
        answer = {
            "seats": view.seats,
            "keys": view.keys,
            "seen": view.observe(),
            "named": view.named(),
            "mask": view.legal_mask(),
            "random": view.random_actions(),
            "complete": view.complete(2).state.memory,
            "taken": view.take(np.array([3, 0]))._batch.state.memory,
            "all taken": view.take(np.arange(4))._batch.state.memory,
            "encoded": view.encode(view.random_actions() * 0),
        }
        chosen = actions_of(answer["mask"], rng)
        yield answer
        batch.play(chosen, auto_reset=True)


def layout_entry(name: str) -> Entry:
    """Each form of an observation is fresh memory, whichever vector it was made of."""
    batch = GameBatch(RULES[name], 3, 6)
    layout = batch.layout
    for _ in range(6):
        vectors = batch.observe()
        yield {form: layout.encode(vectors, form) for form in FORMS} | {"split": layout.split(vectors)}
        yield {"vectors": vectors}
        batch.play(batch.random_actions())


@pytest.mark.parametrize("actions", FLAT_OR_STAGED)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("entry", [game_entry, batch_entry, view_entry])
def test_the_engine(entry, name, actions):
    assert check(entry, name, actions) > 80


@pytest.mark.parametrize("name", GAMES)
def test_forms_of_observations(name):
    assert check(layout_entry, name) > 50


@pytest.mark.parametrize("name", GAMES)
def test_live_views_are_read_only(name):
    batch = GameBatch(RULES[name], 2, 1)
    named = {
        each
        for each, value in vars(GameBatch).items()
        if isinstance(value, property)
        and hasattr(batch, each)
        and isinstance(getattr(batch, each), np.ndarray)
        and np.shares_memory(getattr(batch, each), batch.state.memory)
    }
    assert named == LIVE
    for each in named:
        with pytest.raises(ValueError, match="read-only"):
            getattr(batch, each)[:] = 1


# Environments.


def agents_entry(name: str, actions: str, form: str, reward: str) -> Entry:
    module, rng = (ingenious_v0, loopit_v0)[name == "loopit"], rng_of(4)
    env = module.env(rules=RULES[name], actions=actions, observation=form, reward=reward)
    for seed in (1, None):
        env.reset(seed=seed)
        for _ in range(14 if seed else 60):
            agent = env.agent_selection
            last = env.last()
            action = an_action(last[0]["action_mask"], rng) if not last[2] else None
            yield {
                "seen last": last[0],
                "seen": [env.observe(each) for each in env.possible_agents],
                f"{OWN} last": last[1:],
                f"{OWN} infos": env.infos,
                f"{OWN} rewards": env.rewards,
                "state": env.unwrapped.state(),
            }
            env.step(action)
            if not env.agents:
                break
            assert agent in env.possible_agents


@pytest.mark.parametrize(
    ("name", "actions", "form", "reward"),
    [
        *product(["ingenious"], FLAT_OR_STAGED, FORMS, ["vector"]),
        *product(["loopit"], FLAT_OR_STAGED, FORMS, ["score"]),
    ],
)
def test_agents_environments(name, actions, form, reward):
    assert check(agents_entry, name, actions, form, reward) > 300


def single_entry(name: str, actions: str, form: str, in_observation: bool) -> Entry:
    env_id, options = LEARNERS[name]
    env, rng = (
        gym.make(
            env_id,
            actions=actions,
            observation=form,
            mask_in_observation=in_observation,
            render_mode="ansi",
            disable_env_checker=True,
            **options,
        ).unwrapped,
        rng_of(5),
    )
    for episode in range(2):
        answer, over = dict(zip(("seen", "info"), env.reset(seed=None if episode else 3), strict=True)), False
        while not over:
            action = an_action(answer["info"]["action_mask"], rng)
            yield answer | {"masks": env.action_masks()}
            step = env.step(action)
            answer = dict(zip(("seen", "reward", "over", "truncated", "info"), step, strict=True))
            over = answer["over"]
        yield answer


def vector_entry(name: str, actions: str, form: str, in_observation: bool, mode: str) -> Entry:
    _, options = LEARNERS[name]
    maker = SolitaireVectorEnv if name == "solitaire" else VersusVectorEnv
    envs, rng = (
        maker(
            5,
            game="loopit" if name == "loopit" else "ingenious",
            autoreset_mode=mode,
            actions=actions,
            observation=form,
            mask_in_observation=in_observation,
            illegal="random" if in_observation else "raise",
            **options,
        ),
        rng_of(6),
    )
    answer: Answer = dict(zip(("seen", "infos"), envs.reset(seed=3), strict=True))
    over = np.zeros(5, np.bool_)
    for _ in range(26):
        chosen = actions_of(answer["infos"]["action_mask"], rng)
        infos = answer["infos"]
        if "illegal_action" in infos:
            assert (infos["illegal_action"][infos["_illegal_action"]] == 1_000_000).all()
        if in_observation:
            chosen[rng.random(5) < rng.choice([0.3, 1.0])] = (
                1_000_000  # which is illegal, and reported in the infos
            )
        over = answer.get("over", over).copy()
        yield answer | {"masks": envs.action_masks()} | ({} if name == "solitaire" else {"seats": envs.seats})
        if mode == "Disabled" and over.any():
            pair = envs.reset(options={"reset_mask": over})
            answer, over = dict(zip(("seen", "infos"), pair, strict=True)), over & False
        else:
            step = envs.step(chosen)
            chosen[:] = -1  # the actions are the caller's, too
            answer = dict(zip(("seen", "reward", "over", "truncated", "infos"), step, strict=True))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("actions", FLAT_OR_STAGED)
@pytest.mark.parametrize("name", LEARNERS)
def test_a_learners_environment(name, actions, form):
    for in_observation in (False, True):
        assert check(single_entry, name, actions, form, in_observation) > 20


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", LEARNERS)
def test_vector_environments(name, form, mode):
    for actions, in_observation in product(FLAT_OR_STAGED, (False, True)):
        assert check(vector_entry, name, actions, form, in_observation, mode) > 100


def test_episodes_end_in_these_tests():
    """Otherwise nothing of an end would have been looked at."""
    for name in LEARNERS:
        answers = list(vector_entry(name, "flat", "vector", False, "SameStep"))
        assert any("final_info" in answer["infos"] for answer in answers)
