"""Saved models of Stable-Baselines3 and sb3-contrib as agents, read without executing code in the file.

The file is a zip. Its entry `data` is JSON with pickles of what JSON cannot hold, each next to its parts as
plain values or text; only these are used, to choose among known classes. The weights are read by PyTorch's
loader of plain tensors.
"""

from __future__ import annotations

import ast
import io
import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ingenious_agents.ppo.sb3 import ModelAgent
from ingenious_env import Rules, View
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.extras import needs
from ingenious_env.engine.files import digest, fault_of

with needs("ingenious_agents.guests.sb3", "ingenious-env[train]"):
    import sb3_contrib  # noqa: F401 - the home of some classes below
    import torch

CLASSES = {
    "ActorCriticPolicy": "stable_baselines3.common.policies",
    "MaskableActorCriticPolicy": "sb3_contrib.common.maskable.policies",
    "DQNPolicy": "stable_baselines3.dqn.policies",
    "QRDQNPolicy": "sb3_contrib.qrdqn.policies",
    "PlacementPolicy": "ingenious_env.networks.sb3",
}
"""The modules of the known policies: those of vector observations, without memory."""
UNUSED = {
    "optimizer_class", "optimizer_kwargs", "ortho_init", "log_std_init", "normalize_images", "lr_schedule",
}  # fmt: skip
"""Options of policies that only matter in training, or for other spaces."""
FLATTEN = "<class 'stable_baselines3.common.torch_layers.FlattenExtractor'>"
ADVICE = "an agent of your own, such as mine.Agent, can load the model and play by it"


@dataclass(frozen=True)
class SB3Agent:
    """Plays the best legal action of a saved model: the most probable one, or that of the highest Q-value.

    Attributes:
        path: the file that `model.save` wrote; ValueError if it is missing or invalid, or if its policy is of
            a class of its own.
    """

    path: str

    def __post_init__(self) -> None:
        """Read the file."""
        self._agent  # noqa: B018 - to fail here rather than at the first move

    @cached_property
    def _agent(self) -> ModelAgent:
        return ModelAgent(SavedPolicy(self.path))

    def check(self, rules: AnyRules) -> None:
        """ValueError if the model is of another variant."""
        self._agent.check(rules)
        self._agent.model.check(rules)

    def fingerprint(self, rules: AnyRules) -> str:
        """A short hash of the file; ValueError as `check`."""
        self.check(rules)
        return digest(Path(self.path).read_bytes())

    def act(self, view: View) -> NDArray[np.int64]:
        """The best legal action of each game, int64 [B]; ValueError in another variant."""
        self._agent.model.check(view.rules)
        return self._agent.act(view)


class SavedPolicy:
    """The policy in a file, with the interface of a model of MaskablePPO.

    Args:
        path: of the file; ValueError if it holds no policy that can be read.

    Attributes:
        action_space, observation_space: as it was trained.
    """

    def __init__(self, path: str) -> None:
        if not Path(path).is_file():
            msg = f"there is no model {path}; save one by model.save of Stable-Baselines3"
            raise ValueError(msg)
        try:
            with zipfile.ZipFile(path) as file:
                data = json.loads(file.read("data"))
                weights = torch.load(
                    io.BytesIO(file.read("policy.pth")), map_location="cpu", weights_only=True
                )
            self.action_space = spaces.Discrete(int(data["action_space"]["n"]))
            shape = tuple(map(int, re.findall(r"\d+", str(data["observation_space"]["_shape"]))))
            self.observation_space = spaces.Box(-np.inf, np.inf, shape)
            name = _class_of(data["policy_class"])
            options = _options_of(name, data)
            self._rules: AnyRules | None = options.get("rules")
            kind = getattr(import_module(CLASSES[name]), name)
            self._policy: Any = kind(self.observation_space, self.action_space, _schedule, **options)
            self._policy.load_state_dict(weights)
            if any(each.isnan().any() for each in self._policy.state_dict().values()):
                msg = "some of its weights are not numbers (NaN)"
                raise ValueError(msg)
            self._policy.set_training_mode(False)
        except Exception as error:  # any error that a damaged file causes
            msg = f"{path} holds no model of Stable-Baselines3 that can be read: {fault_of(error)}"
            raise ValueError(msg) from error

    def check(self, rules: AnyRules) -> None:
        """ValueError if the policy names rules, and they are others."""
        if self._rules not in (None, rules):
            msg = f"this model plays {self._rules!r}, nothing else"
            raise ValueError(msg)

    @torch.inference_mode()
    def predict(
        self, observations: NDArray[Any], *, action_masks: NDArray[np.int8], deterministic: bool
    ) -> tuple[NDArray[np.int64], None]:
        """The best legal actions, int64 [B].

        Args:
            observations: [B, D].
            action_masks: int8 [B, A].
            deterministic: true; there is no other way here.
        """
        del deterministic
        seen, policy = torch.from_numpy(observations), self._policy
        if hasattr(policy, "q_net"):
            worths = policy.q_net(seen)
        elif hasattr(policy, "quantile_net"):
            worths = policy.quantile_net(seen).mean(dim=1)
        else:
            worths = policy.get_distribution(seen).distribution.logits
        return worths.masked_fill(torch.from_numpy(action_masks == 0), -torch.inf).argmax(dim=1).numpy(), None


def _class_of(saved: Mapping[str, str]) -> str:
    """The name of a known class of policies, from its module and the text of one of its functions."""
    named = re.match(r"<function (\w+)\.__init__ ", saved.get("__init__", ""))
    name = named[1] if named else "a class"
    if CLASSES.get(name) != saved["__module__"]:
        known = ", ".join(CLASSES)
        msg = (
            f"its policy is {name} of {saved['__module__']}, and only {known} are built from files; {ADVICE}"
        )
        raise ValueError(msg)
    return name


def _options_of(name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a policy besides its spaces."""
    options: dict[str, Any] = {"n_quantiles": data["n_quantiles"]} if name == "QRDQNPolicy" else {}
    for key, value in data["policy_kwargs"].items():
        if key in UNUSED or key.startswith(":") or (key, value) == ("features_extractor_class", FLATTEN):
            continue
        if key in ("net_arch", "hidden", "staged", "n_quantiles", "share_features_extractor"):
            options[key] = value
        elif key == "activation_fn":
            options[key] = _activation(value)
        elif key == "rules":
            options[key] = _rules(value)
        else:
            msg = f"its policy has the option {key}={value}, which cannot be built from the file; {ADVICE}"
            raise ValueError(msg)
    return options


def _activation(text: str) -> type[torch.nn.Module]:
    """One of PyTorch's activation functions, from its text."""
    named = re.fullmatch(r"<class 'torch\.nn\.modules\.activation\.(\w+)'>", text)
    if named is None or named[1] not in torch.nn.modules.activation.__all__:
        msg = f"its activation function is {text}, which is not one of PyTorch's; {ADVICE}"
        raise ValueError(msg)
    kind: type[torch.nn.Module] = getattr(torch.nn.modules.activation, named[1])
    return kind


def _rules(text: str) -> Rules:
    """The rules of Ingenious that a text shows."""
    call = ast.parse(text, mode="eval").body
    if isinstance(call, ast.Call):
        rules = Rules(**{str(each.arg): ast.literal_eval(each.value) for each in call.keywords})
        if repr(rules) == text:
            return rules
    msg = f"its rules are {text}"
    raise ValueError(msg)


def _schedule(_progress: float) -> float:
    """The learning rate, which nothing uses here."""
    return 0.0
