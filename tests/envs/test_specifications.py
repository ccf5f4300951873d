"""Options that are objects survive Gymnasium's way to JSON and back."""

import os
import subprocess
import sys

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec
from helpers import VARIANTS
from loopit_helpers import FIVE

from ingenious_env import Rules
from ingenious_env.core.definition import definition_of
from ingenious_env.games.loopit import Rules as LoopitRules

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
