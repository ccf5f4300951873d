"""`ingenious_v0`: PettingZoo's own kit, options, wrappers, pictures, the registry, the documentation."""

import doctest
import importlib
import re
import sys
import warnings
from types import SimpleNamespace

import pettingzoo
import pytest
from helpers import PRESETS
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from ingenious_env import Rules, ingenious_v0
from ingenious_env.engine.observation import FORMS
from ingenious_env.envs import pettingzoo as aec
from ingenious_env.envs.pettingzoo import GameAEC, LosingWrapper
from ingenious_env.envs.registration import register_environments
from ingenious_env.envs.spaces import Encoder
from ingenious_env.games.ingenious.moves import IngeniousActions
from ingenious_env.games.ingenious.observation import Layout
from ingenious_env.games.ingenious.render import text

presets = pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
UNEXPECTED = "got an unexpected keyword argument"
both_actions = pytest.mark.parametrize("actions", ["flat", "staged"])


# PettingZoo's kit.


def kit(test):
    """Warnings of PettingZoo's tests in every environment with a mask of an unknown name."""
    for message in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        r"Action mask numpy array is all zeros \(no legal actions\)",
    ):
        test = pytest.mark.filterwarnings(f"ignore:{message}")(test)
    return test


@kit
@both_actions
@presets
def test_api(rules, actions):
    for form in FORMS:
        api_test(ingenious_v0.env(rules=rules, actions=actions, observation=form, reward="score"), 300)
        api_test(ingenious_v0.raw_env(rules=rules, actions=actions, observation=form), 30)


@kit
@pytest.mark.parametrize("illegal", ["lose", "random"])
def test_api_whatever_becomes_of_illegal_actions(illegal):
    api_test(ingenious_v0.env(illegal=illegal), 300)


@both_actions
@presets
def test_seeds(rules, actions):
    seed_test(lambda: ingenious_v0.env(rules=rules, actions=actions, reward="score"), 100)


@presets
def test_render_kit(rules, monkeypatch):
    pytest.importorskip("pygame")
    monkeypatch.setattr(aec, "FRAMES_PER_SECOND", 1000)
    checks = {"ansi": lambda text: "counters" in text, "svg": lambda text: text.startswith("<svg")}
    render_test(lambda **options: ingenious_v0.env(rules=rules, **options), custom_tests=checks)


@both_actions
def test_benchmark(actions, monkeypatch):
    clock = iter(range(10**6))
    module = importlib.import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(
        module, "time", SimpleNamespace(time=lambda: next(clock) / 30)
    )  # 150 cycles in its 5 s
    performance_benchmark(ingenious_v0.env(actions=actions))


# Options, wrappers, pictures, the registry.


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"observation": "pixels"}, ValueError, "observation must be one of vector, planes, dict"),
        ({"actions": "tall"}, ValueError, "actions must be one of flat, staged"),
        ({"reward": "gold"}, ValueError, "reward must be one of outcome, margin"),
        ({"illegal": "ignore"}, ValueError, "illegal must be one of raise, random, lose"),
        ({"render_mode": "film"}, ValueError, "render_mode must be one of None, human, ansi, svg"),
        ({"collaborative": True}, ValueError, "cannot be 'outcome'"),
        (
            {"num_player": 3},
            TypeError,
            "got an unexpected keyword argument 'num_player'; the options are num_players, teams",
        ),
        ({"teams": True}, ValueError, "teams needs an even number"),
        ({"rules": 2}, TypeError, "rules must be a Rules of the game ingenious, its text, .* or None, not 2"),
        ({"rules": "two"}, ValueError, "the line 'rules' needs the values .* not 'two'"),
        ({"rules": Rules(), "num_players": 2}, ValueError, "either rules or .* num_players"),
    ],
)
def test_wrong_options(options, error, message):
    for make in (ingenious_v0.env, ingenious_v0.raw_env):
        with pytest.raises(error, match=message):
            make(**options)


def test_options_make_the_rules():
    options = {"num_players": 4, "teams": True, "board_side": 7, "num_colours": 5, "rack_size": 4}
    options |= {"counter_top": 20, "double_sheet": False, "open_racks": True}
    env = ingenious_v0.env(**options)
    assert env.unwrapped.game.rules == Rules(**options)
    assert ingenious_v0.env(rules=Rules(**options)).unwrapped.game.rules == Rules(**options)
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]


def test_wrappers_and_metadata():
    env = ingenious_v0.env(illegal="lose")
    assert str(env) == env.metadata["name"] == "ingenious_v0"
    assert env.metadata["is_parallelizable"] is False
    for wrapper in (OrderEnforcingWrapper, AssertOutOfBoundsWrapper, LosingWrapper):
        assert type(env) is wrapper
        env = env.env
    assert type(env) is type(ingenious_v0.env().env.env) is type(ingenious_v0.raw_env()) is GameAEC


def test_pictures():
    """More on them in test_pictures.py."""
    env = ingenious_v0.env(num_players=3, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == text.render(env.unwrapped.game)
    env = ingenious_v0.env()
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="needs a render_mode, one of human, ansi, svg, rgb_array"):
        assert env.render() is None


def test_registry(monkeypatch):
    if hasattr(pettingzoo, "make"):
        env = pettingzoo.make("aec", "ingenious/ingenious-v0", num_players=3)
        assert env.unwrapped.game.rules == Rules(3)
    with warnings.catch_warnings(record=True, action="always") as raised:
        register_environments()
        monkeypatch.setitem(sys.modules, "pettingzoo.env_registry.registration", None)
        register_environments()  # as on a PettingZoo without a registry
    assert raised == []


def test_the_documentation():
    result = doctest.testmod(ingenious_v0)
    assert result.attempted
    assert not result.failed
    table = re.findall(r"^\| [a-z ]+ \|[^|]*\| (\d+ \| .*) \|$", ingenious_v0.__doc__, re.MULTILINE)
    for line, rules in zip(table, PRESETS.values(), strict=True):
        sizes = [str(IngeniousActions.of(rules, staged=staged).size) for staged in (False, True)]
        shapes = [
            ", ".join(map(str, Encoder(Layout(rules), form).space.shape)) for form in ("vector", "planes")
        ]
        assert line == " | ".join(sizes + shapes)
