"""PettingZoo's checkers of the parallel API, and that of Stable-Baselines3, on both games."""

import gymnasium as gym
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test, state_test
from pettingzoo.test import test_save_obs as save_obs_kit  # under its own name, pytest would collect it
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel

from ingenious_env import ingenious_v0, loopit_v0

VARIANTS = {
    "two": (ingenious_v0, {}),
    "three, staged": (ingenious_v0, {"num_players": 3, "actions": "staged"}),
    "partnership": (ingenious_v0, {"num_players": 4, "teams": True}),
    "loopit": (loopit_v0, {}),
    "loopit, three": (loopit_v0, {"num_players": 3, "actions": "staged"}),
}
variants = pytest.mark.parametrize(("module", "options"), VARIANTS.values(), ids=VARIANTS)


def parallel(module, options):
    """The parallel form of an environment, with illegal actions allowed, as the kits ignore masks."""
    return turn_based_aec_to_parallel(module.env(illegal="random", **options))


@variants
def test_parallel_api(module, options):
    parallel_api_test(parallel(module, options), num_cycles=200)


@variants
def test_parallel_seeds(module, options):
    parallel_seed_test(lambda: parallel(module, options), 100)


@variants
def test_states(module, options):
    env = module.env(illegal="random", **options)
    env.reset(seed=1)
    state_test(env, parallel(module, options))


def test_the_other_conversion_is_refused():
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(ingenious_v0.env())


def test_observations_are_no_images(capsys):
    """The kit reports that vectors cannot be saved as images."""
    save_obs_kit(ingenious_v0.env())
    assert "did not save the observations" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ingenious/Versus-v0", {}),
        ("ingenious/Versus-v0", {"num_players": 4, "opponent": "value", "actions": "staged"}),
        ("ingenious/Solitaire-v0", {"mask_in_observation": True}),
        ("ingenious/Loopit-v0", {}),
    ],
)
def test_stable_baselines(name, options):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(gym.make(name, illegal="random", **options))
