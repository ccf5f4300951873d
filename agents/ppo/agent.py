"""The PPO agent: a trained policy network, saved as plain arrays that load without executing anything."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from agents.ppo.network import GameNetwork
from ingenious_env import Rules, View
from ingenious_env.core.definition import AnyRules
from ingenious_env.core.files import arrays_of, digest, write_arrays
from ingenious_env.games.ingenious.notation import rules_to_text, text_to_rules

FORMAT = "ingenious-ppo 3"


@dataclass(frozen=True)
class PPOAgent:
    """Plays the most probable action of a network.

    Attributes:
        path: the file that holds it; ValueError if there is none, or something else in it.
    """

    path: str

    def __post_init__(self) -> None:
        """Read the file."""
        self.policy  # noqa: B018 - to fail here rather than at the first move

    @property
    def staged(self) -> bool:
        """Whether it plays staged actions."""
        return self.policy.staged

    @cached_property
    def policy(self) -> NetworkPolicy:
        """The network and the variant it plays."""
        return NetworkPolicy.load(self.path)

    def check(self, rules: AnyRules) -> None:
        """ValueError if the network is for another variant."""
        self.policy.check(rules)

    def fingerprint(self, rules: AnyRules) -> str:
        """A short hash of the network's file; ValueError as `check`."""
        self.check(rules)
        return digest(Path(self.path).read_bytes())

    def act(self, view: View) -> NDArray[np.int64]:
        """The most probable legal action of each game, int64 [B]; ValueError in another variant."""
        return self.policy.act(view)


class NetworkPolicy:
    """Plays by a network.

    Args:
        rules: the variant it was trained on, and the only one it plays.
        network: gives the logits of the actions.
        sample: sample actions, by PyTorch's random numbers, instead of playing the most probable one.

    Attributes:
        staged: whether it plays staged actions.
    """

    def __init__(self, rules: Rules, network: GameNetwork, *, sample: bool = False) -> None:
        self.rules, self.sample, self.staged = rules, sample, network.staged
        self.network = network.eval()

    def check(self, rules: AnyRules, *, staged: bool | None = None) -> None:
        """ValueError if it does not play a variant, or not by such actions."""
        if rules != self.rules or staged not in (None, self.staged):
            form = "staged" if self.staged else "flat"
            msg = f"this agent plays {form} actions of {rules_to_text(self.rules)}, nothing else"
            raise ValueError(msg)

    @torch.inference_mode()
    def act(self, view: View) -> NDArray[np.int64]:
        """A legal action of each game, int64 [B]; ValueError in another variant."""
        self.check(view.rules, staged=view.actions.staged)
        observations = torch.from_numpy(view.observe()).to(self.network.pairs.device)
        logits = self.network.forward_actor(observations.float()).cpu()
        logits = logits.masked_fill(torch.from_numpy(view.legal_mask() == 0), -torch.inf)
        if self.sample:
            noise = torch.empty_like(logits).exponential_().log()
            logits -= noise  # so that each action is the highest as often as the policy would have it
        return logits.argmax(dim=1).numpy()

    def save(self, path: str | Path) -> None:
        """Write the network's arrays and the variant; the file appears whole or not at all."""
        header = {
            "format": FORMAT,
            "rules": rules_to_text(self.rules),
            "hidden": self.network.latent_dim_vf,
            "staged": self.staged,
        }
        arrays = {name: tensor.cpu().numpy() for name, tensor in self.network.state_dict().items()}
        write_arrays(path, header, arrays)

    @classmethod
    def load(cls, path: str | Path) -> NetworkPolicy:
        """The agent in a file; ValueError says why if it holds none. No code in the file is ever executed."""
        with arrays_of(path, (FORMAT,), "PPO agent", "python -m scripts.train_ppo") as (header, arrays):
            rules = text_to_rules(header["rules"])
            network = GameNetwork(rules, int(header["hidden"]), staged=bool(header["staged"]))
            network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
            return cls(rules, network)
