"""Saved models of Stable-Baselines3: they play as the models do, and nothing in a file is executed."""

from __future__ import annotations

import base64
import json
import os
import pickle
import warnings
import zipfile
from contextlib import suppress
from copy import deepcopy

import numpy as np
import pytest
from helpers import batch_at

pytest.importorskip("stable_baselines3")
pytest.importorskip("sb3_contrib")

import torch
from ingenious_agents import agent_text, make_agent, play_match
from ingenious_agents.evaluation.tournament import Tournament
from sb3_contrib import QRDQN, TRPO, MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3 import A2C, DQN, PPO

from ingenious_env import Rules, View
from ingenious_env.engine.definition import variant_of
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.networks.sb3 import PlacementPolicy
from ingenious_env.policies.view import flat_actions
from ingenious_env.sb3 import make_vec_env

SMALL = Rules(2, board_side=4, num_colours=3, rack_size=3)
LOOPIT = LoopitRules(2)
REPLAY = {"buffer_size": 64}
NETWORK = {"policy_kwargs": {"net_arch": [32, 16], "activation_fn": torch.nn.ELU}}
MODELS = {
    "MaskablePPO": (MaskablePPO, "MlpPolicy", {}),
    "MaskablePPO, its own network": (MaskablePPO, "MlpPolicy", NETWORK),
    "MaskablePPO, two networks": (
        MaskablePPO,
        "MlpPolicy",
        {"policy_kwargs": {"net_arch": {"pi": [8], "vf": [4, 4]}, "optimizer_kwargs": {"eps": 1e-4}}},
    ),
    "placement": (MaskablePPO, PlacementPolicy, {"policy_kwargs": {"rules": SMALL, "hidden": 16}}),
    "PPO": (PPO, "MlpPolicy", NETWORK),
    "A2C": (A2C, "MlpPolicy", {}),
    "TRPO": (TRPO, "MlpPolicy", {}),
    "DQN": (DQN, "MlpPolicy", REPLAY | NETWORK),
    "QRDQN": (QRDQN, "MlpPolicy", REPLAY | {"policy_kwargs": {"n_quantiles": 7, "net_arch": [16]}}),
}


def made(name, actions="flat", rules=SMALL):
    kind, policy, options = MODELS[name]
    env_id = "ingenious/Loopit-v0" if rules is LOOPIT else "ingenious/Versus-v0"
    if name == "placement" and actions == "staged":
        options = {"policy_kwargs": {**options["policy_kwargs"], "staged": True}}
    env = make_vec_env(env_id, 2, rules=rules, actions=actions)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sizes of batches
        return kind(policy, env, seed=0, **options)


def worths_of(model, observations):
    """What the model thinks of each action, by its own parts, [B, A]."""
    seen, policy = torch.from_numpy(observations), model.policy
    with torch.no_grad():
        if isinstance(model, DQN):
            return policy.q_net(seen).numpy()
        if isinstance(model, QRDQN):
            return policy.quantile_net(seen).mean(dim=1).numpy()
        return policy.get_distribution(seen).distribution.logits.numpy()


@pytest.mark.parametrize("name", MODELS)
def test_it_plays_as_the_model_does(name, tmp_path):
    model = made(name)
    model.save(tmp_path / "model.zip")
    agent = make_agent(f"sb3:path={tmp_path / 'model.zip'}")
    view = View(batch_at(SMALL, 20, 5))
    expected = np.where(view.legal_mask() == 1, worths_of(model, view.observe()), -np.inf).argmax(axis=1)
    assert len(set(expected.tolist())) > 1
    for each in (agent, deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert np.array_equal(each.act(view), expected)
    if isinstance(model, MaskablePPO):
        said, _ = model.predict(view.observe(), action_masks=view.legal_mask(), deterministic=True)
        assert np.array_equal(said, expected)


@pytest.mark.parametrize("rules", [SMALL, LOOPIT], ids=["ingenious", "loopit"])
@pytest.mark.parametrize("name", ["MaskablePPO", "placement"])
def test_staged_models(name, rules, tmp_path):
    if name == "placement" and rules is LOOPIT:
        pytest.skip("a network of Ingenious")
    made(name, "staged", rules).save(tmp_path / "model")
    agent = make_agent(f"sb3:path={tmp_path / 'model.zip'}")
    agent.check(rules)
    view = View(batch_at(SMALL, 20, 5)) if rules is SMALL else None
    if view:
        assert view.legal_mask()[np.arange(20), flat_actions(agent, view)].all()
    assert play_match(rules, [agent, make_agent("uniform")], 2, seed=1).games == 4


def test_names_and_fingerprints(tmp_path):
    path = tmp_path / "a,b.zip"
    made("DQN").save(path)
    name = f"sb3:path={path}"
    assert agent_text(make_agent(name)) == name
    assert make_agent(name) == make_agent(name)
    tournament = Tournament.of(SMALL, (name, "uniform"))
    assert len(tournament.networks[0]) == 16
    made("PPO").save(path)
    with pytest.raises(ValueError, match="are others now"):
        tournament.check_networks()


@pytest.mark.parametrize("name", ["PPO", "placement"])
def test_other_variants_are_refused(name, tmp_path):
    made(name).save(tmp_path / "model")
    agent = make_agent(f"sb3:path={tmp_path / 'model.zip'}")
    for rules in (Rules(), LOOPIT):
        size = variant_of(rules).flat_actions.size
        with pytest.raises(ValueError, match=f"and this variant {size} flat ones"):
            play_match(rules, [agent, make_agent("uniform")], 1)
    other = Rules(2, board_side=4, num_colours=3, rack_size=3, counter_top=12)
    if name == "placement":
        with pytest.raises(ValueError, match=r"this model plays Rules\(num_players=2.*, nothing else"):
            agent.check(other)


# Files.


class OwnPolicy(MaskableActorCriticPolicy):
    """A class that no file can build."""


class Bomb:
    """Leaves a trace when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.makedirs, (str(self.path), 0o777, True)


def changed(path, change):
    """Rewrite the JSON of a saved model."""
    with zipfile.ZipFile(path) as file:
        entries = {name: file.read(name) for name in file.namelist()}
    data = json.loads(entries["data"])
    change(data)
    with zipfile.ZipFile(path, "w") as file:
        for name, content in (entries | {"data": json.dumps(data)}).items():
            file.writestr(name, content)


def test_nothing_is_unpickled(tmp_path):
    """A pickle that is executed leaves a file; such ones stand in place of all others."""
    path, trace = tmp_path / "model.zip", tmp_path / "trace"
    made("placement").save(path)
    pickled = pickle.dumps(Bomb(trace))

    def arm(data):
        armed = [value for value in data.values() if isinstance(value, dict) and ":serialized:" in value]
        assert len(armed) > 5
        for value in armed:
            value[":serialized:"] = base64.b64encode(pickled).decode()

    changed(path, arm)
    make_agent(f"sb3:path={path}")
    assert not trace.exists()
    with suppress(Exception):  # the trap works: the library itself falls into it
        MaskablePPO.load(path)
    assert trace.exists()


def test_weights_with_a_pickle_are_refused(tmp_path):
    path, trace = tmp_path / "model.zip", tmp_path / "trace"
    made("PPO").save(path)
    with zipfile.ZipFile(path) as file:
        data = file.read("data")
    torch.save(Bomb(trace), tmp_path / "weights")
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("data", data)
        file.writestr("policy.pth", (tmp_path / "weights").read_bytes())
    with pytest.raises(ValueError, match="holds no model of Stable-Baselines3 that can be read"):
        make_agent(f"sb3:path={path}")
    assert not trace.exists()


def test_classes_of_its_own_are_refused(tmp_path):
    path = tmp_path / "model.zip"
    env = make_vec_env("ingenious/Versus-v0", 2, rules=SMALL)
    MaskablePPO(OwnPolicy, env, n_steps=16, batch_size=32).save(path)
    with pytest.raises(ValueError, match=r"its policy is a class of .*, such as mine\.Agent"):
        make_agent(f"sb3:path={path}")


def set_kwargs(**options):
    return lambda data: data.update(policy_kwargs=options)


REFUSED = {
    "no JSON": (lambda data: data.clear(), "'action_space' is missing"),
    "activation": (
        set_kwargs(activation_fn="<class 'mine.Snake'>"),
        "is <class 'mine.Snake'>, which is not one of",
    ),
    "extractor": (
        set_kwargs(features_extractor_class="<class 'mine.Deep'>"),
        "has the option features_extractor_class",
    ),
    "rules": (set_kwargs(rules="__import__('os')"), "unexpected keyword|its rules are"),
    "layers": (set_kwargs(net_arch=[5]), "size mismatch"),
    "more layers": (set_kwargs(net_arch=[64, 64, 64]), "Missing key"),
    "actions": (lambda data: data["action_space"].update(n="3"), "size mismatch"),
    "class": (
        lambda data: data["policy_class"].update(__module__="os"),
        "its policy is ActorCriticPolicy of os",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_models_that_cannot_be_built(case, tmp_path):
    path = tmp_path / "model.zip"
    change, complaint = REFUSED[case]
    made("PPO" if case != "layers" else "A2C").save(path)
    changed(path, change)
    with pytest.raises(ValueError, match=complaint) as error:
        make_agent(f"sb3:path={path}")
    assert len(str(error.value)) < 700


@pytest.mark.parametrize("name", ["MaskablePPO", "placement", "DQN"])
def test_weights_that_are_not_numbers_are_refused(name, tmp_path):
    """As of a training that diverged."""
    model = made(name)
    with torch.no_grad():
        next(model.policy.parameters()).flatten()[0] = torch.nan
    model.save(tmp_path / "model.zip")
    with pytest.raises(
        ValueError, match=r"model\.zip holds no model .*: some of its weights are not numbers"
    ):
        make_agent(f"sb3:path={tmp_path / 'model.zip'}")


def test_another_zip_is_no_model(tmp_path):
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("a", "b")
    complaint = r"can be read: There is no item named 'data' in the archive$"
    with pytest.raises(ValueError, match=complaint):
        make_agent(f"sb3:path={tmp_path / 'other.zip'}")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("sb3", "sb3 needs the parameters path"),
        ("sb3:path=/nowhere.zip", "there is no model /nowhere.zip"),
        (f"sb3:path={__file__}", "holds no model of Stable-Baselines3 that can be read"),
    ],
)
def test_models_that_are_not(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        make_agent(text)
