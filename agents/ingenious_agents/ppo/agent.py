"""The PPO agent: a trained policy network, saved as plain arrays that load without executing code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ingenious_env import GameBatch, Rules, View
from ingenious_env.engine.checks import check_bool, check_index
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.extras import needs
from ingenious_env.engine.files import arrays_of, digest, write_arrays
from ingenious_env.games.ingenious.notation import rules_to_text, text_to_rules
from ingenious_env.policies.advice import Advice, best_first, completed

with needs("ingenious_agents.ppo.agent", "ingenious-env[torch]"):
    import torch

    from ingenious_env.networks import PlacementNetwork

FORMAT = "ingenious-ppo 4"
MAX_HIDDEN = 4096
"""The most units in the hidden layers."""


@dataclass(frozen=True)
class PPOAgent:
    """Plays the most probable action of a network.

    Attributes:
        path: the file that holds it; ValueError if it is missing or invalid.
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

    def advise(self, view: View, limit: int = 20) -> Advice:
        """The most probable moves (see `NetworkPolicy.advise`)."""
        return self.policy.advise(view, limit)


class NetworkPolicy:
    """Plays by a network.

    Args:
        rules: the variant it was trained on, and the only one it plays.
        network: gives the logits of the actions.
        sample: sample actions, by PyTorch's random numbers, instead of playing the most probable one.

    Attributes:
        staged: whether it plays staged actions.
    """

    def __init__(self, rules: Rules, network: PlacementNetwork, *, sample: bool = False) -> None:
        self.rules, self.sample, self.staged = rules, sample, network.staged
        self.network = network.eval()

    def check(self, rules: AnyRules, *, staged: bool | None = None) -> None:
        """ValueError if it does not play a variant, or not with this numbering of actions."""
        if rules != self.rules or staged not in (None, self.staged):
            form = "staged" if self.staged else "flat"
            msg = f"this agent plays {form} actions of {rules_to_text(self.rules)}, nothing else"
            raise ValueError(msg)

    @torch.inference_mode()
    def act(self, view: View) -> NDArray[np.int64]:
        """A legal action of each game, int64 [B]; ValueError in another variant."""
        self.check(view.rules, staged=view.actions.staged)
        logits = self._logits(view)
        if self.sample:
            noise = torch.empty_like(logits).exponential_().log()
            logits -= noise  # Gumbel noise: each action is the highest with its probability
        return logits.argmax(dim=1).numpy()

    @torch.inference_mode()
    def advise(self, view: View, limit: int = 20) -> Advice:
        """The probabilities of whole moves; over all legal ones they sum to 1.

        Staged, that of a placement is the product of both choices. The most probable slot may differ from
        that of the most probable move, so `act` may play another.

        Raises:
            TypeError, ValueError: as `check`, or there is no advice on the view (see `policies/advice.py`).
        """
        self.check(view.rules)
        game = completed(view, limit)
        chances = self._staged_chances(game) if self.staged else self._chances(View(game))[0]
        legal = np.flatnonzero(game.legal_mask()[0])
        return best_first(legal.astype(np.int32), chances[legal], "preference", limit)

    def _staged_chances(self, game: GameBatch) -> NDArray[np.float64]:
        """The probability of each flat action of one game, float64 [A]."""
        staged = GameBatch.from_rows(game.variant, game.state.memory, staged=True)
        space = staged.actions
        first = self._chances(View(staged))[0]
        slots = np.flatnonzero(staged.legal_mask()[0, : space.first_placement])
        chances = np.zeros(game.num_actions)
        chances[game.actions.first_choice :] = first[space.first_choice :]
        if len(slots):
            held = staged.take(np.zeros(len(slots), np.int64))
            held.play(slots)
            places = self._chances(View(held))[:, space.first_placement : space.first_choice]
            of_slots = chances[: game.actions.first_choice].reshape(space.num_slots, space.num_placements)
            of_slots[slots] = first[slots, None] * places
        return chances

    def _chances(self, view: View) -> NDArray[np.float64]:
        """Float64 [B, A]: the probabilities of the view's actions."""
        return self._logits(view).double().softmax(dim=1).numpy()

    def _logits(self, view: View) -> torch.Tensor:
        """Float32 [B, A] on the CPU, −inf for illegal actions."""
        observations = torch.from_numpy(view.observe()).to(self.network.pairs.device)
        logits: torch.Tensor = self.network(observations)[0].cpu()
        return logits.masked_fill(torch.from_numpy(view.legal_mask() == 0), -torch.inf)

    def save(self, path: str | Path) -> None:
        """Write the network's arrays and the variant, atomically."""
        header = {
            "format": FORMAT,
            "rules": rules_to_text(self.rules),
            "hidden": self.network.hidden,
            "staged": self.staged,
        }
        arrays = {name: tensor.cpu().numpy() for name, tensor in self.network.state_dict().items()}
        write_arrays(path, header, arrays)

    @classmethod
    def load(cls, path: str | Path) -> NetworkPolicy:
        """The agent in a file; ValueError if it holds none. No code in the file is executed."""
        with arrays_of(path, (FORMAT,), "PPO agent", "python -m scripts.train_ppo") as (header, arrays):
            rules = text_to_rules(header["rules"])
            hidden = check_index("hidden", header["hidden"], 1, MAX_HIDDEN)
            network = PlacementNetwork(rules, hidden, staged=check_bool("staged", header["staged"]))
            wrong = [name for name, array in arrays.items() if array.dtype != np.float32]
            if wrong:
                msg = f"{wrong[0]} must be float32, not {arrays[wrong[0]].dtype}"
                raise ValueError(msg)
            network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
            return cls(rules, network)
