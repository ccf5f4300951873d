"""Policies saved and loaded: each option of each comes back."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from ingenious_agents import agent_text, make_agent
from ingenious_agents.registry import AGENTS

from ingenious_env import GameBatch, Rules, View

PYTHON = f'"{Path(sys.executable).as_posix()}"'
RULES = {
    "two": Rules(2, board_side=3, num_colours=2, rack_size=2),
    "other rules": Rules(3, board_side=4, num_colours=3, rack_size=3, counter_top=5, open_racks=True),
    "teams": Rules(4, teams=True, board_side=4, num_colours=3, rack_size=2, double_sheet=False),
}


def given(name: str, default: object, network_path: str) -> object:
    """Another value of a parameter than its default."""
    others = {"utility": "lowest", "rollout": "concave", "path": network_path}
    others |= {"command": f"{PYTHON} -V", "bot": "spiel_bots.uniform"}
    if name in others:
        return others[name]
    return default + (1 if isinstance(default, int) else 0.25)


@pytest.fixture(scope="module")
def networks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("networks")
    from ingenious_env.policies.value import shipped_path

    paths = {"value": folder / "value.safetensors"}
    paths["value"].write_bytes(shipped_path(Rules()).read_bytes())
    try:
        from ingenious_agents.ppo.agent import NetworkPolicy

        from ingenious_env.networks import PlacementNetwork
    except ImportError:
        return paths
    paths["ppo"] = folder / "ppo.safetensors"
    NetworkPolicy(RULES["two"], PlacementNetwork(RULES["two"], 4)).save(paths["ppo"])
    return paths


@pytest.fixture
def needed(request, networks, tmp_path):
    """By kind, the parameters without a default."""
    kind = request.node.callspec.params["kind"]
    if kind in ("ppo", "torch", "sb3"):
        pytest.importorskip("torch")
    if kind == "torch":
        import torch

        module = torch.export.export(torch.nn.Linear(3, 4), (torch.zeros(2, 3),))
        torch.export.save(module, tmp_path / "module.pt2")
    if kind == "sb3":
        pytest.importorskip("sb3_contrib").MaskablePPO(
            "MlpPolicy", make_vec_env(), n_steps=8, batch_size=8
        ).save(tmp_path / "model.zip")
    if kind == "openspiel":
        pytest.importorskip("pyspiel")
    return {
        "ppo": {"path": str(networks.get("ppo"))},
        "torch": {"path": str(tmp_path / "module.pt2")},
        "sb3": {"path": str(tmp_path / "model.zip")},
        "openspiel": {"bot": "spiel_bots.Last"},
        "process": {"command": PYTHON},
    }.get(kind, {})


def make_vec_env():
    from ingenious_env.sb3 import make_vec_env

    return make_vec_env("ingenious/Versus-v0", 2, rules=RULES["two"])


@pytest.mark.parametrize("kind", AGENTS)
def test_the_name_of_an_agent_keeps_each_option(kind, networks, needed):
    """Each one separately, at another value than its default, and all together."""
    path = needed.get("path", str(networks["value"]))
    first = make_agent(f"{kind}:" + ",".join(f"{name}={value}" for name, value in needed.items()))
    options = {}
    for field in fields(first):
        value = given(field.name, getattr(first, field.name), path)
        made = type(first)(**needed | {field.name: value})
        options[field.name] = value
        again = make_agent(agent_text(made))
        assert again == made
        assert getattr(again, field.name) == value
        assert (again == first) == (value == getattr(first, field.name))
    assert kind == "uniform" or options
    made = type(first)(**needed | options)
    assert make_agent(agent_text(made)) == made


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("hidden", [4, 7])
@pytest.mark.parametrize("name", RULES)
def test_a_network_policy_is_loaded_as_it_was_saved(name, hidden, staged, tmp_path):
    pytest.importorskip("torch")
    from ingenious_agents.ppo.agent import NetworkPolicy, PPOAgent

    from ingenious_env.networks import PlacementNetwork

    rules = RULES[name]
    policy = NetworkPolicy(rules, PlacementNetwork(rules, hidden, staged=staged))
    policy.save(tmp_path / "agent")
    batch = GameBatch(rules, 5, 0, staged=staged)
    for again in (NetworkPolicy.load(tmp_path / "agent"), PPOAgent(str(tmp_path / "agent")).policy):
        assert (again.rules, again.network.hidden, again.staged) == (rules, hidden, staged)
        assert again.sample is False
        np.testing.assert_array_equal(again.act(View(batch)), policy.act(View(batch)))
        theirs = again.network.state_dict()
        assert all((theirs[key] == each).all() for key, each in policy.network.state_dict().items())


@pytest.mark.parametrize("option", ["none", "rules", "hidden", "staged", "optimizer_kwargs", "activation_fn"])
def test_a_policy_of_stable_baselines3_is_loaded_as_it_was_saved(option, tmp_path):
    """With each of its own options, and some of its base."""
    pytest.importorskip("sb3_contrib")
    import torch
    from gymnasium import spaces

    from ingenious_env.games.ingenious.moves import IngeniousActions
    from ingenious_env.networks.sb3 import PlacementPolicy

    options = {"rules": RULES["two"], "hidden": 5, "staged": False}
    options |= {
        "none": {},
        "rules": {"rules": RULES["other rules"]},
        "hidden": {"hidden": 9},
        "staged": {"staged": True},
        "optimizer_kwargs": {"optimizer_kwargs": {"eps": 1e-4, "weight_decay": 0.5}},
        "activation_fn": {"activation_fn": torch.nn.ELU},
    }[option]
    rules = options["rules"]
    size = GameBatch(rules, 1, 0).observation_size
    seen = spaces.Box(-128, 127, (size,), np.int8)
    actions = spaces.Discrete(IngeniousActions.of(rules, staged=options["staged"]).size)
    policy = PlacementPolicy(seen, actions, lambda _: 1e-3, **options)
    policy.save(str(tmp_path / "policy"))
    again = PlacementPolicy.load(str(tmp_path / "policy"))
    assert (again.network.rules, again.network.hidden, again.network.staged) == tuple(
        options[name] for name in ("rules", "hidden", "staged")
    )
    before, after = policy._get_constructor_parameters(), again._get_constructor_parameters()
    assert {"rules", "hidden", "staged", "optimizer_kwargs", "activation_fn"} <= set(before)
    del before["lr_schedule"], after["lr_schedule"]
    assert before == after
    assert all((again.state_dict()[key] == each).all() for key, each in policy.state_dict().items())
    group = again.optimizer.param_groups[0]
    assert all(group[key] == value for key, value in options.get("optimizer_kwargs", {}).items())
    batch = GameBatch(rules, 4, 1, staged=options["staged"])
    masks = batch.legal_mask()
    found = [
        each.predict(batch.observe(), action_masks=masks, deterministic=True)[0] for each in (policy, again)
    ]
    np.testing.assert_array_equal(*found)
