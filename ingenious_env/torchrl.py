"""Batches of games as environments of TorchRL; needs the `torchrl` extra.

    from ingenious_env import Rules
    from ingenious_env.torchrl import SelfPlayEnv, VectorEnv

    env = SelfPlayEnv(Rules.standard(2), num_games=256)            # one policy for all seats
    env = VectorEnv("ingenious/Versus-v0", 256, opponent="greedy")  # one learner against opponents
    env.rollout(100, break_when_any_done=False)

Entries of their TensorDicts, of batch size [B]:

| entry | shape | dtype | meaning |
| --- | --- | --- | --- |
| `observation` | [B, D] | int8 | the vector observation of the seat to move, or of the learner |
| `action_mask` | [B, A] | bool | true where an action is legal; all true in a game that is over |
| `to_play` | [B] | int64 | the seat to move; only in `SelfPlayEnv` |
| `action` | [B] | int64 | `rand_action` draws legal ones, by the mask |
| `reward` | [B, P] or [B, 1] | float32 | of all seats in the order of play, or of the learner |
| `done`, `terminated` | [B, 1] | bool | |

Games that are over are dealt anew by `reset` with `_reset`, as TorchRL's collectors and rollouts do. In a
step instead, their action is ignored: in `SelfPlayEnv` the game stays over, in `VectorEnv` the next one begins.

Random actions are legal in rollouts without a policy, including those with transforms. Collectors and batched
environments without a policy sample the specification, which has no mask: give them `random_legal` as policy.

Tensors share the memory of arrays that are allocated for each step, without copies.
"""  # noqa: E501 - a table's row is one line

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.checks import check_bool, check_index
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.extras import needs
from ingenious_env.engine.seeding import check_seed
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.envs.registration import check_is_vectorised
from ingenious_env.envs.vector import GameVectorEnv
from ingenious_env.errors import IllegalActionError
from ingenious_env.games.ingenious import Rules

with needs("ingenious_env.torchrl", "ingenious-env[torchrl]"):
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase

HINT = "TorchRL's collectors and batched environments draw without the mask: give them random_legal as policy"


class Actions(Categorical):
    """Actions, equal with and without a mask.

    A transformed environment draws by `rand_action` of the inner one if their specifications are equal, but
    TorchRL's `ActionMask` writes a mask into that of the outer one.
    """

    __hash__ = Categorical.__hash__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Actions):
            return False
        mine, theirs = self.clone(), other.clone()
        mine.mask = theirs.mask = None
        return bool(Categorical.__eq__(mine, theirs))


def random_legal(tensordict: TensorDictBase) -> TensorDictBase:
    """Write a uniformly random legal action, by the entry `action_mask`: a policy for collectors."""
    mask = tensordict["action_mask"]
    flat = mask.reshape(-1, mask.shape[-1]).to(torch.float32)
    drawn = torch.multinomial(flat, 1).reshape(mask.shape[:-1])
    return tensordict.set("action", drawn)


class TileEnv(EnvBase):
    """The entries that both environments have.

    Args:
        num_games: B.
        highs: of an observation, [D].
        num_actions: A.
        rewards: entries of a step's reward.
        others: entries of observations in addition to those of the table's first two rows.
        device: of the tensors; games stay on the CPU.
    """

    def __init__(
        self,
        num_games: int,
        highs: NDArray[Any],
        num_actions: int,
        *,
        rewards: int = 1,
        others: dict[str, Any] | None = None,
        device: torch.device | str | None = None,
    ) -> None:
        super().__init__(device=device, batch_size=torch.Size([num_games]))
        high = torch.from_numpy(np.broadcast_to(highs, (num_games, len(highs))).copy())
        self._mask: torch.Tensor | None = None  # of the last observation
        self.observation_spec = Composite(
            observation=Bounded(torch.zeros_like(high), high, dtype=high.dtype),
            action_mask=Binary(num_actions, torch.Size([num_games, num_actions]), dtype=torch.bool),
            **(others or {}),
            shape=self.batch_size,
        )
        self.action_spec = Actions(num_actions, self.batch_size, dtype=torch.int64)
        self.reward_spec = Unbounded(torch.Size([num_games, rewards]), dtype=torch.float32)
        if device is not None:
            self.to(device)

    @abstractmethod
    def _seen(self) -> dict[str, NDArray[Any]]:
        """The entries of an observation; masks are int8."""

    def _observed(self) -> dict[str, torch.Tensor]:
        seen = self._seen()
        masks = seen["action_mask"].view(np.bool_)
        masks[~masks.any(axis=1)] = True  # a distribution needs an action
        found = {name: torch.from_numpy(each) for name, each in seen.items()}
        found["action_mask"] = torch.from_numpy(masks)
        self._mask = found["action_mask"]
        return found

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """A random legal action for each game, by the mask given, or else by the last one."""
        if tensordict is None or tensordict.get("action_mask", None) is None:
            if self._mask is None:
                msg = "no game has begun: call reset()"
                raise RuntimeError(msg)
            drawn = random_legal(self._tensordict({"action_mask": self._mask}))["action"]
            tensordict = self._tensordict({}) if tensordict is None else tensordict
            return tensordict.set("action", drawn)
        return random_legal(tensordict)

    def _step(self, tensordict: TensorDictBase) -> TensorDict:
        actions = tensordict["action"].cpu().numpy()
        try:
            return self._tensordict(self._played(actions))
        except IllegalActionError as error:
            raise IllegalActionError(f"{error}. {HINT}") from None

    @abstractmethod
    def _played(self, actions: NDArray[np.int64]) -> dict[str, torch.Tensor]:
        """Play an action in each game: the entries after it, with done flags and rewards."""

    def _tensordict(self, entries: dict[str, torch.Tensor]) -> TensorDict:
        return TensorDict(entries, self.batch_size, device=self.device)

    def _chosen(self, tensordict: TensorDictBase | None) -> NDArray[np.bool_]:
        """Bool [B]: the games to be dealt anew."""
        asked = None if tensordict is None else tensordict.get("_reset", None)
        if asked is None:
            return np.ones(self.batch_size[0], np.bool_)
        return np.asarray(asked.reshape(-1).cpu().numpy())

    @staticmethod
    def _done(over: NDArray[np.bool_]) -> dict[str, torch.Tensor]:
        return {name: torch.from_numpy(over[:, None].copy()) for name in ("done", "terminated")}


class SelfPlayEnv(TileEnv):
    """Games whose seats all act through this environment, one after the other.

    Args:
        rules: the variant; two players of Ingenious by default.
        num_games: B.
        reward: its name, one that is a number for each seat.
        staged: whether actions are staged.
        seed: whole number from 0 to 2^64 − 1; game i is `Game(rules, (seed, i))`.
        num_threads: among which the games are shared.
        device: of the tensors; games stay on the CPU.

    Attributes:
        batch: the games.

    Raises:
        TypeError, ValueError: an option has no such value.
    """

    def __init__(
        self,
        rules: AnyRules | None = None,
        num_games: int = 64,
        *,
        reward: str = "outcome",
        staged: bool = False,
        seed: int | None = None,
        num_threads: int = 1,
        device: torch.device | str | None = None,
    ) -> None:
        rules = Rules() if rules is None else rules
        check_bool("staged", staged)
        self.batch = GameBatch(rules, num_games, seed, staged=staged, num_threads=num_threads)
        self._is_fresh = True  # the first reset keeps the games of the seed
        definition = self.batch.variant.definition
        self.reward_of = definition.reward(rules, reward)
        if self.reward_of.shape:
            msg = f"reward must be a number for each seat, which {reward!r} is not"
            raise ValueError(msg)
        players = rules.num_players
        super().__init__(
            num_games,
            self.batch.layout.highs,
            self.batch.num_actions,
            rewards=players,
            others={"to_play": Categorical(players, torch.Size([num_games]), dtype=torch.int64)},
            device=device,
        )

    def _seen(self) -> dict[str, NDArray[Any]]:
        return {
            "observation": self.batch.observe(),
            "action_mask": self.batch.legal_mask(),
            "to_play": self.batch.to_play.astype(np.int64),
        }

    def _reset(self, tensordict: TensorDictBase | None, **_: Any) -> TensorDict:
        if not self._is_fresh:
            self.batch.deal(self._chosen(tensordict))
        self._is_fresh = False
        return self._tensordict(self._observed() | self._done(self.batch.is_over))

    def _played(self, actions: NDArray[np.int64]) -> dict[str, torch.Tensor]:
        actions = np.where(self.batch.is_over, NO_ACTION, actions)
        before = self.batch.scores.copy()
        self.batch.play(actions)
        over = self.batch.is_over
        rewards = self.reward_of(before, self.batch.scores, over & (actions != NO_ACTION))
        return self._observed() | self._done(over) | {"reward": torch.from_numpy(rewards)}

    def _set_seed(self, seed: int | None) -> None:
        if seed is not None:
            self.batch.seed(check_seed(seed))
            self._is_fresh = True


class VectorEnv(TileEnv):
    """One of the Gymnasium ids: a learner against opponents, or solitaire.

    Args:
        env_id: `ingenious/Versus-v0`, `ingenious/Solitaire-v0` or `ingenious/Loopit-v0`.
        num_games: B.
        device: of the tensors; games stay on the CPU.
        options: of the environment (see `envs/versus.py` and `envs/solitaire.py`), with vector observations
            and a reward that is a number.

    Attributes:
        envs: the Gymnasium vector environment.

    Raises:
        TypeError, ValueError: an option has no such value.
    """

    def __init__(
        self,
        env_id: str = "ingenious/Versus-v0",
        num_games: int = 64,
        *,
        device: torch.device | str | None = None,
        **options: Any,
    ) -> None:
        check_index("num_games", num_games, 1)
        if options.get("max_episode_steps") is not None:
            msg = "max_episode_steps is not an option here: give StepCounter(max_steps) to TransformedEnv"
            raise TypeError(msg)
        check_is_vectorised(env_id, options)
        envs = gym.make_vec(env_id, num_games, autoreset_mode=AutoresetMode.NEXT_STEP, **options)
        assert isinstance(envs, GameVectorEnv)  # noqa: S101 - as checked
        self.envs = envs
        space = envs.single_observation_space
        if not isinstance(space, gym.spaces.Box) or len(space.shape) != 1 or envs.episodes.reward.shape:
            msg = "observations must be vectors, without the mask, and rewards numbers"
            raise ValueError(msg)
        self._infos: dict[str, Any] = {}
        self._seed: int | None = None
        actions = envs.single_action_space
        assert isinstance(actions, gym.spaces.Discrete)  # noqa: S101 - as in all of these environments
        super().__init__(num_games, space.high, int(actions.n), device=device)

    def _seen(self) -> dict[str, NDArray[Any]]:
        return self._entries

    def _reset(self, tensordict: TensorDictBase | None, **_: Any) -> TensorDict:
        options = {"reset_mask": self._chosen(tensordict)}
        observations, infos = self.envs.reset(seed=self._seed, options=options)
        self._seed = None
        self._entries = {"observation": observations, "action_mask": infos["action_mask"]}
        return self._tensordict(self._observed() | self._done(self.envs.episodes.ended))

    def _played(self, actions: NDArray[np.int64]) -> dict[str, torch.Tensor]:
        observations, rewards, over, _, infos = self.envs.step(actions)
        self._entries = {"observation": observations, "action_mask": infos["action_mask"]}
        reward = torch.from_numpy(rewards.astype(np.float32)[:, None])
        return self._observed() | self._done(over) | {"reward": reward}

    def _set_seed(self, seed: int | None) -> None:
        self._seed = None if seed is None else check_seed(seed)


__all__ = ["SelfPlayEnv", "TileEnv", "VectorEnv", "random_legal"]
