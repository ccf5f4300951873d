"""What is handed out belongs to the caller: it stays as it was, and nothing reads what is written into it.

Each entry point is played four times: as it is; with all arrays kept to the end; to see that no two arrays of
an answer are the same memory; and with each array overwritten as soon as it was handed out. `LIVE` names the
few that are documented as views of the games.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from loopit_helpers import STANDARD, VARIANTS

import ingenious_env  # noqa: F401 - registers the environments
from ingenious_env import GameBatch, Rules, Session, View, ingenious_v0, loopit_v0
from ingenious_env.core.advice import advise
from ingenious_env.core.definition import definition_of, variant_of
from ingenious_env.core.observation import FORMS
from ingenious_env.envs.vector import SolitaireVectorEnv, VersusVectorEnv

SMALL = {"board_side": 4, "num_colours": 3, "rack_size": 3, "counter_top": 4}
RULES = {
    "ingenious": Rules(3, **SMALL),
    "loopit": VARIANTS["5 x 5, fixed"],
}
GAMES, FLAT_OR_STAGED = sorted(RULES), ["flat", "staged"]

LIVE = {"board", "scores", "to_play", "phase", "plays_left"}
"""Read-only views of a `GameBatch`; `final_scores` is its own array, which `play` writes."""

OWN = "PettingZoo's"
"""Attributes that PettingZoo has environments keep, and look up themselves, until the next step."""

Answer = dict[str, Any]
Entry = Iterator[Answer]
"""An entry point: what it hands out, call by call, while it plays."""

rng_of = np.random.default_rng


def arrays_in(thing: Any, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """All arrays in an answer, by their paths in it."""
    if isinstance(thing, np.ndarray) and thing.dtype != object:
        yield path, thing
    elif hasattr(thing, "detach"):  # a tensor shares its memory with the array
        yield path, thing.detach().numpy()
    elif isinstance(thing, dict):
        for name, part in thing.items():
            yield from arrays_in(part, f"{path}.{name}")
    elif isinstance(thing, (list, tuple, np.ndarray)):
        for number, part in enumerate(thing):
            yield from arrays_in(part, f"{path}[{number}]")


def check(entry: Any, *arguments: Any, scribble: bool = True) -> int:
    """Play an entry point in these ways; returns the number of arrays that were looked at."""
    plain = [(path, array.copy()) for answer in entry(*arguments) for path, array in arrays_in(answer)]
    kept = [(path, array) for answer in entry(*arguments) for path, array in arrays_in(answer)]
    assert len(plain) == len(kept)
    for (path, then), (_, now) in zip(plain, kept, strict=True):
        assert then.tobytes() == now.tobytes(), f"{path} has changed since it was handed out"
    for answer in entry(*arguments):
        found = [(path, array) for path, array in arrays_in(answer) if OWN not in path and array.size]
        for (path, array), (other_path, other) in combinations(found, 2):
            assert not np.may_share_memory(array, other), f"{path} and {other_path} are the same memory"
    if scribble:
        played = 0
        for answer in entry(*arguments):
            found = [(path, array, array.copy()) for path, array in arrays_in(answer)]
            for path, array, _ in found:
                if array.flags.writeable and OWN not in path:
                    array.fill(True if array.dtype == np.bool_ else 99)
            for path, _, copy in found:
                assert copy.tobytes() == plain[played][1].tobytes(), (
                    f"{path} depends on what the caller wrote"
                )
                played += 1
        assert played == len(plain)
    return len(kept)


def an_action(mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def actions_of(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A legal action in each row, 0 where there is none."""
    return np.array([an_action(mask, rng) if mask.any() else 0 for mask in masks])


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
    assert named == LIVE - ({"plays_left"} if name == "loopit" else set())
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


LEARNERS = {
    "ingenious": ("ingenious/Versus-v0", {"rules": RULES["ingenious"], "reward": "vector"}),
    "loopit": ("ingenious/Loopit-v0", {"rules": RULES["loopit"]}),
    "solitaire": (
        "ingenious/Solitaire-v0",
        {**SMALL, "reward": "vector"},
    ),
}


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
                1_000_000  # which is illegal, and told in the infos
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
    pytest.importorskip("torchrl")
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
            told = (session.turns, session.record, game.history, game.racks, game.bag, game.bag_order, game)
            kept.append((told, pickle.dumps(told[:-1]), game.to_text()))
            session.advance()
        session.take_back(5)
        for told, then, text in kept:
            assert pickle.dumps(told[:-1]) == then
            assert told[-1].to_text() == text


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
    from agents.registry import make_agent

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
