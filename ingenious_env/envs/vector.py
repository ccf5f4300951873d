"""Gymnasium vector environments: many games in one batch, stepped by compiled code.

    >>> import gymnasium as gym
    >>> envs = gym.make_vec("ingenious_env:ingenious/Versus-v0", num_envs=64, opponent="greedy")
    >>> observations, infos = envs.reset(seed=7)
    >>> for _ in range(100):
    ...     actions = envs.action_space.sample(mask=tuple(infos["action_mask"]))
    ...     observations, rewards, terminated, truncated, infos = envs.step(actions)

Options, spaces, rewards and infos are those of `VersusEnv` and `SolitaireEnv` (see `versus.py` and `solitaire.py`),
batched: one row for each game. As in Gymnasium, an info `name` comes with `_name`, bool [B], the games that have it.
Further options:

| option | values, the default first | meaning |
| --- | --- | --- |
| `num_envs` | 1, 2, … | the number of games, B |
| `num_threads` | 1, 2, … | threads that share the games; also an option of `ingenious_env.sb3.make_vec_env`. The results do not depend on it |
| `max_episode_steps` | `None`, 1, 2, … | truncates episodes after this number of steps, as `gymnasium.make` does |
| `autoreset_mode` | `NEXT_STEP`, `SAME_STEP`, `DISABLED` | when a game that has ended is reset: an `AutoresetMode` or its value |

* `NEXT_STEP`: at its next step, which ignores the action and returns reward 0. Until then its mask is all 0, in infos
  and observations only if the game is over: those of a truncated episode have the mask of its last position. A policy
  that sets the logits of illegal actions to −inf has no finite logit for a row of zeros: use a large negative number.
* `SAME_STEP`: in the same step. The last observation and info are in `infos["final_obs"]` and `infos["final_info"]`.
* `DISABLED`: by `reset(options={"reset_mask": mask})`, which must come before the next step. Its infos are about these
  games only, but `action_mask` has the masks of all.

`reset(seed=s)` deals `Game(rules, (s, i))` to row i; a list of seeds deals `Game(rules, (seeds[i], 0))`. Later games
come from each row's own random stream. A row therefore sees the same games as a single environment that is reset with
the same seed and index, unless an opponent draws its own random numbers.

Observations, masks, rewards and infos are fresh arrays at each step, owned by the caller. Rewards are float64 [B], or
float32 [B, C] with the reward `"vector"`.
"""  # noqa: E501 - a table's row is one line

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ingenious_env.engine.checks import check_choice, check_index, check_integers
from ingenious_env.engine.pickling import OwnsArrays
from ingenious_env.engine.seeding import check_seed
from ingenious_env.envs.episodes import Episodes, Notes, Rows, Seeds, warn_of_no_render_mode
from ingenious_env.envs.gymnasium import SingleEnv
from ingenious_env.envs.options import AnyGame, Specified
from ingenious_env.envs.solitaire import SolitaireEpisodes
from ingenious_env.envs.spaces import Observation, pick
from ingenious_env.envs.versus import VersusEpisodes
from ingenious_env.render import MODES

Step = tuple[Observation, NDArray[np.floating[Any]], Rows, Rows, dict[str, Any]]


class GameVectorEnv(OwnsArrays, Specified, gym.vector.VectorEnv[Any, Any, NDArray[Any]]):
    """A Gymnasium vector environment.

    Args:
        episodes: the games.
        autoreset_mode: when a game that has ended begins anew.
        render_mode: None, "ansi", "svg" or "rgb_array".
        max_episode_steps: of an episode, which is then truncated; None for no limit.
    """

    metadata = {**SingleEnv.metadata, "render_modes": list(MODES), "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as in Gymnasium

    def __init__(
        self,
        episodes: Episodes,
        autoreset_mode: AutoresetMode | str,
        render_mode: str | None,
        max_episode_steps: int | None = None,
    ) -> None:
        if max_episode_steps is not None:
            max_episode_steps = check_index("max_episode_steps", max_episode_steps, 1)
        check_choice("render_mode", render_mode, (None, *MODES))
        self.autoreset_mode = _check_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.episodes = episodes
        if render_mode is not None:
            episodes.keep_trails()
        self.num_envs = len(episodes.batch)
        self.single_action_space = episodes.action_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.single_observation_space = episodes.observation_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.reward_space = episodes.reward_space
        self.max_episode_steps = max_episode_steps
        self._steps = np.zeros(self.num_envs, np.int64)  # of each episode
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start episodes in all games.

        Args:
            seed: s deals `Game(rules, (s, i))` to row i, a sequence `Game(rules, (seed[i], 0))`; None deals
                the next game from the row's own stream.
            options: `{"reset_mask": bool [B]}` starts them in these games only.
        """
        chosen = _check_reset_options(options, self.num_envs)
        if not chosen.all():
            self._check_whole()
        seeds = _find_seeds(seed, self.num_envs)
        super().reset(seed=None if seed is None or isinstance(seed, Sequence) else check_seed(seed))
        self._begun = True
        self._steps[chosen] = 0
        self.episodes.begin(chosen, seeds)
        return self._look(chosen)

    def step(self, actions: ArrayLike) -> Step:
        """Play an action in each game, and advance to the learners' next decisions.

        Raises:
            IllegalActionError: one is illegal, and `illegal` is "raise"; nothing has changed.
            TypeError, ValueError: the array is not integers [B].
            gymnasium.error.ResetNeeded: before the first reset; after an error of an opponent; with
                `DISABLED`, if an episode is over.
        """
        chosen = check_integers("actions", actions, self.num_envs).copy()
        self._check_begun()
        steps = np.where(self.episodes.ended, 0, self._steps + 1)
        rewards = self.episodes.step(chosen)
        self._steps = steps
        ended = self.episodes.ended.copy()
        truncated = np.zeros_like(ended)
        if self.max_episode_steps is not None:
            truncated = self._steps >= self.max_episode_steps  # also at an end, as in Gymnasium
        done = ended | truncated
        final: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and done.any():
            final = self._final(done)
            self.episodes.begin(done)
            self._steps[done] = 0
        observations, infos = self._look(np.ones(self.num_envs, np.bool_))
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            self.episodes.ended |= truncated
        if not self.episodes.reward.shape:
            rewards = rewards.astype(np.float64)
        return observations, rewards, ended, truncated, final | infos

    def action_masks(self) -> NDArray[np.int8]:
        """Int8 [B, A]: 1 where the action is legal; all 0 in an episode that is over or truncated."""
        return self.episodes.masks()

    def render(self) -> tuple[Any, ...] | None:
        """The positions as text, as SVG or as pixels, uint8 [H, W, 3]."""
        if self.render_mode is None:
            warn_of_no_render_mode()
            return None
        return tuple(self.episodes.draw(row, self.render_mode) for row in range(self.num_envs))

    def _check_begun(self) -> None:
        if not self._begun:
            msg = "no episode has begun: call reset()"
            raise gym.error.ResetNeeded(msg)
        self._check_whole()
        ended = self.episodes.ended
        if self.autoreset_mode is AutoresetMode.DISABLED and ended.any():
            msg = f"episodes are over: reset games {np.flatnonzero(ended).tolist()}"
            raise gym.error.ResetNeeded(msg)

    def _check_whole(self) -> None:
        if self.episodes.is_interrupted:
            msg = "an error of an opponent left games in the middle of a step: call reset() for all of them"
            raise gym.error.ResetNeeded(msg)

    def _look(self, rows: Rows) -> tuple[Observation, dict[str, Any]]:
        """Observations of all games, and infos about some."""
        masks = self.episodes.masks()
        observations = self.episodes.observe(masks)
        return observations, _infos(masks, self.episodes.notes(), rows)

    def _final(self, ended: Rows) -> dict[str, Any]:
        """The last observations and infos of episodes, which are over or to be truncated."""
        rows = np.flatnonzero(ended)
        masks = self.episodes.no_masks()
        truncated = ended & ~self.episodes.ended
        if truncated.any():
            masks[truncated] = self.episodes.masks()[truncated]
        last = self.episodes.observe(masks[rows], ended)
        observations = np.full(self.num_envs, None, dtype=object)
        for at, row in enumerate(rows):
            observations[row] = pick(last, at)
        return {
            "final_obs": observations,
            "_final_obs": ended.copy(),
            "final_info": _infos(masks, self.episodes.notes(), ended),
            "_final_info": ended.copy(),
        }


class SolitaireVectorEnv(GameVectorEnv):
    """Many solitaire games; the pages of this module and of `solitaire.py` explain the options.

    Raises:
        TypeError: there is no such option, or its value is of the wrong type.
        ValueError: an option has no such value, or options exclude each other.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: AnyGame = "ingenious",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        **options: Any,
    ) -> None:
        check_index("num_envs", num_envs, 1)
        episodes = SolitaireEpisodes(num_envs, game, **options)
        super().__init__(episodes, autoreset_mode, render_mode, max_episode_steps)


class VersusVectorEnv(GameVectorEnv):
    """Many games against opponents; the pages of this module and of `versus.py` explain the options.

    Raises:
        TypeError: there is no such option, or its value is of the wrong type.
        ValueError: an option has no such value, or options exclude each other.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: AnyGame = "ingenious",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        **options: Any,
    ) -> None:
        check_index("num_envs", num_envs, 1)
        episodes = VersusEpisodes(num_envs, game, **options)
        super().__init__(episodes, autoreset_mode, render_mode, max_episode_steps)

    @property
    def seats(self) -> NDArray[np.int64]:
        """Int64 [B]: the learner's seat in each game."""
        return self.episodes.seats.copy()


def _infos(masks: NDArray[np.int8], notes: Notes, rows: Rows) -> dict[str, Any]:
    """Infos about some of the games, in Gymnasium's form."""
    infos: dict[str, Any] = {"action_mask": masks, "_action_mask": rows.copy()}
    for name, (values, noted) in notes.items():
        has = noted & rows
        if has.all():
            infos[name] = values
        elif has.any():
            infos[name] = np.zeros(values.shape, values.dtype)
            infos[name][has] = values[has]
        else:
            continue
        infos[f"_{name}"] = has
    return infos


def _find_seeds(seed: int | Sequence[int | None] | None, count: int) -> Seeds | None:
    if seed is None:
        return None
    if not isinstance(seed, Sequence):
        numbers = np.full(count, check_seed(seed), np.uint64)
        return Seeds(np.ones(count, np.bool_), numbers, np.arange(count, dtype=np.uint64))
    if len(seed) != count:
        msg = f"seed must be one number, or one for each of {count} games, not {len(seed)}"
        raise ValueError(msg)
    given = np.array([each is not None for each in seed])
    numbers = np.array([0 if each is None else check_seed(each) for each in seed], np.uint64)
    return Seeds(given, numbers, np.zeros(count, np.uint64))


def _check_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        allowed = ", ".join(each.value for each in AutoresetMode)
        msg = f"autoreset_mode must be one of {allowed}, not {mode!r}"
        raise ValueError(msg) from None


def _check_reset_options(options: dict[str, Any] | None, count: int) -> Rows:
    unknown = (options or {}).keys() - {"reset_mask"}
    if unknown:
        msg = f"the only option of reset is reset_mask, not {', '.join(sorted(unknown))}"
        raise ValueError(msg)
    if not options:
        return np.ones(count, np.bool_)
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (count,):
        msg = f"reset_mask must be a bool array [{count}], not {mask!r}"
        raise ValueError(msg)
    return mask.copy()
