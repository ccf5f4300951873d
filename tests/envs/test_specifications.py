"""Options that are objects survive Gymnasium's way to JSON and back."""

import inspect
import os
import subprocess
import sys
from copy import copy
from dataclasses import asdict
from functools import partial
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AutoresetMode
from helpers import VARIANTS
from loopit_helpers import FIVE

import ingenious_env.games.loopit
from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.envs.options import Options, known_options
from ingenious_env.envs.solitaire import SolitaireEnv
from ingenious_env.envs.vector import SolitaireVectorEnv, VersusVectorEnv
from ingenious_env.envs.versus import VersusEnv, VersusOptions
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.view import Uniform

STANDARD = Path(ingenious_env.games.loopit.__file__).with_name("standard.toml")

RULES = [*VARIANTS.values(), LoopitRules(3, fixed_rounds=True), LoopitRules(2, material=FIVE, rack_size=3)]


@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_rules_come_back(rules):
    definition = definition_of(rules)
    name = definition.versus_id if rules.num_players > 1 else "ingenious/Solitaire-v0"
    text = definition.rules_to_text(rules)
    for given in (rules, text) if "material=custom" not in text else (rules,):
        env = gym.make(f"ingenious_env:{name}", rules=given)
        again = gym.make(EnvSpec.from_json(env.spec.to_json()))
        assert again.unwrapped.game.rules == env.unwrapped.game.rules == rules


def test_other_things_are_no_rules():
    with pytest.raises(TypeError, match="rules must be a Rules of the game ingenious, its text"):
        gym.make("ingenious_env:ingenious/Versus-v0", rules=7)
    with pytest.raises(TypeError, match="nonsense"):
        gym.make("ingenious_env:ingenious/Versus-v0", rules={"nonsense": 1})
    with pytest.raises(ValueError, match="not both"):
        gym.make("ingenious_env:ingenious/Versus-v0", rules=Rules(3), rack_size=3)


SAMPLES = {
    "game": ["ingenious", definition_of(Rules())],
    "rules": [None, Rules(3), {"num_players": 3}, {"num_players": np.int64(3)}],
    "num_players": [3, np.int8(3)],
    "teams": [True, np.True_],
    "board_side": [5, np.int64(5)],
    "num_colours": [4, np.uint8(4)],
    "rack_size": [3, np.int64(3)],
    "counter_top": [9, np.int64(9)],
    "double_sheet": [True, np.True_],
    "open_racks": [True, np.True_],
    "observation": ["dict", np.str_("planes")],
    "actions": ["staged", np.str_("staged")],
    "reward": ["score", np.str_("vector")],
    "mask_in_observation": [True, np.True_],
    "illegal": ["lose", np.str_("random")],
    "num_threads": [2, np.int64(2)],
    "opponent": ["greedy", np.str_("greedy"), ["greedy"], ("lowest",), [np.str_("greedy")]],
    "seat": ["rotate", 1, np.int64(1), np.str_("random")],
    "collaborative": [False, np.False_],
    "render_mode": [None, "ansi", np.str_("svg")],
    "autoreset_mode": [*AutoresetMode, *(each.value for each in AutoresetMode)],
    "max_episode_steps": [4, np.int64(4)],
}
LOOPIT_SAMPLES = {
    "game": ["loopit", definition_of(LoopitRules())],
    "rules": [LoopitRules(3), {"material": FIVE, "rack_size": 3}, {"material": STANDARD}],
    "fixed_rounds": [True, np.True_],
    "material": [FIVE, asdict(FIVE), STANDARD, str(STANDARD)],
    "tiles_per_turn": [2, np.int64(2)],
    "reward": ["margin", np.str_("score")],
    "opponent": ["greedy", ["greedy"], ("planner",)],
}
WITH = {"teams": {"num_players": 4}, "collaborative": {"reward": "score"}, "material": {"rack_size": 3}}
KINDS = {
    "ingenious/Versus-v0": (VersusOptions, VersusEnv, VersusVectorEnv, Rules),
    "ingenious/Solitaire-v0": (Options, SolitaireEnv, SolitaireVectorEnv, Rules),
    "ingenious/Loopit-v0": (VersusOptions, VersusEnv, VersusVectorEnv, LoopitRules),
}
FIXED = {"ingenious/Solitaire-v0": {"num_players", "teams", "open_racks"}}
"""Options of the rules that one player does not have, or which change nothing for one."""


def options_of(name, *, vector):
    """The names of all options of an environment, from their signatures and typed dictionaries."""
    options, single, many, rules = KINDS[name]
    found = {*known_options(options), *inspect.signature(rules).parameters}
    parameters = inspect.signature(many if vector else single).parameters.values()
    found |= {each.name for each in parameters if each.kind is not each.VAR_KEYWORD}
    return found - FIXED.get(name, set()) - {"num_envs"}


@pytest.mark.parametrize("vector", [False, True])
@pytest.mark.parametrize("name", KINDS)
def test_each_option_comes_back(name, vector):
    """Each value of each option that is not an object of the user's own; the environments are the same."""
    samples = SAMPLES | (LOOPIT_SAMPLES if "Loopit" in name else {})
    make = partial(gym.make_vec, num_envs=2) if vector else gym.make
    for option in sorted(options_of(name, vector=vector)):
        for value in samples[option]:
            given = {option: value, **WITH.get(option, {})}
            if "Solitaire" in name and option == "rules":
                given = {"rules": Rules.solitaire()}
            env = make(f"ingenious_env:{name}", **given)
            text = env.spec.to_json()
            again = (gym.make_vec if vector else gym.make)(EnvSpec.from_json(text))
            assert again.spec.to_json() == text, given
            first, second = env.unwrapped, again.unwrapped
            assert first.episodes.rules == second.episodes.rules
            assert first.observation_space == second.observation_space
            assert first.action_space == second.action_space
            assert first.reward_space == second.reward_space
            assert first.render_mode == second.render_mode
            assert first.episodes.illegal == second.episodes.illegal
            assert first.episodes.batch.num_threads == second.episodes.batch.num_threads
            assert getattr(first, "autoreset_mode", None) is getattr(second, "autoreset_mode", None)
            assert getattr(first, "max_episode_steps", None) == getattr(second, "max_episode_steps", None)
            for each in ("_opponents", "_seat"):
                found = [getattr(one.episodes, each, None) for one in (first, second)]
                assert found[0] == found[1] or repr(found[0]) == repr(found[1])


class FirstLegal:
    """A policy of the user's own."""

    def act(self, view):
        return view.legal_mask().argmax(axis=1)


@pytest.mark.parametrize("vector", [False, True])
@pytest.mark.parametrize(
    "opponent", [FirstLegal(), Uniform(), Greedy("points"), [FirstLegal()], [Greedy("points")]]
)
def test_policies_are_given_again(opponent, vector):
    """An object is refused on the way out or on the way back; `make` takes it as an option."""
    make = partial(gym.make_vec, num_envs=2) if vector else gym.make
    env = make("ingenious_env:ingenious/Versus-v0", opponent=opponent, seat=0)
    if "FirstLegal" in repr(opponent):
        with pytest.raises(TypeError, match="Object of type FirstLegal is not JSON serializable"):
            env.spec.to_json()
    else:
        with pytest.raises(
            TypeError, match=r"opponent must be one of uniform, .*give it to make again, as opponent="
        ):
            (gym.make_vec if vector else gym.make)(EnvSpec.from_json(env.spec.to_json()))
    spec = copy(env.spec)
    spec.kwargs = {name: value for name, value in spec.kwargs.items() if name != "opponent"}
    spec = EnvSpec.from_json(spec.to_json())
    assert (gym.make_vec if vector else gym.make)(spec, opponent=opponent).unwrapped.episodes._seat == 0


def test_without_compiling_there_is_a_sentence():
    code = "from ingenious_env import Game; Game(seed=1).legal_actions()"
    answer = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.stderr.splitlines()[-1].startswith("RuntimeError: NUMBA_DISABLE_JIT is set")
