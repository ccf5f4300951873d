"""A Gymnasium environment of one game."""

from __future__ import annotations

from typing import Any, SupportsIndex

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from ingenious_env.engine.checks import check_action, check_choice, check_index
from ingenious_env.engine.seeding import check_seed
from ingenious_env.envs.episodes import Episodes, Seeds, print_instead, warn_of_no_render_mode
from ingenious_env.envs.options import Specified
from ingenious_env.envs.spaces import Observation, pick
from ingenious_env.render import FRAMES_PER_SECOND, MODES
from ingenious_env.render.window import Window


class SingleEnv(Specified, gym.Env[Any, Any]):
    """A Gymnasium environment of one game.

    Args:
        episodes: a batch of one.
        render_mode: None, "ansi", "svg", "rgb_array", or "human", a window that follows the game.

    Raises:
        ImportError: a window is to open, and what it needs is not installed.
    """

    metadata = {"render_modes": [*MODES, "human"], "render_fps": FRAMES_PER_SECOND}  # noqa: RUF012 - Gymnasium's own name

    def __init__(self, episodes: Episodes, render_mode: str | None = None) -> None:
        check_choice("render_mode", render_mode, (None, *MODES, "human"))
        self._window: Window | None = None
        if render_mode == "human":
            self._window = Window(type(self).__name__.removesuffix("Env"), FRAMES_PER_SECOND)
        self.render_mode = render_mode
        self.episodes = episodes
        if render_mode is not None:
            episodes.keep_trails()
        self.action_space = episodes.action_space
        self.observation_space = episodes.observation_space
        self.reward_space = episodes.reward_space

    @property
    def game(self) -> Any:
        """The game being played, live: read it or clone it.

        Its actions are flat even where the environment's are staged.
        """
        batch = self.episodes.batch
        return batch.variant.definition.game.from_row(batch.variant, batch.state.memory[0], copy=False)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: the game is `Game(rules, seed)`; None deals the next one from the present game's stream.
            options: `{"index": i}` makes it `Game(rules, (seed, i))`, as in row i of a vector environment.
        """
        index = _check_reset_options(seed, options)
        number = None if seed is None else check_seed(seed)
        super().reset(seed=number)
        everyone = np.ones(1, np.bool_)
        seeds = None
        if number is not None:
            seeds = Seeds(everyone, np.array([number], np.uint64), np.array([index], np.uint64))
        self.episodes.begin(everyone, seeds)
        if self.render_mode == "human":
            self.render()
        return self._look()

    def step(self, action: SupportsIndex) -> tuple[Observation, Any, bool, bool, dict[str, Any]]:
        """Play an action, and advance to the learner's next decision or the end.

        Raises:
            IllegalActionError: it is illegal, and `illegal` is "raise"; nothing has changed.
            TypeError: it is not a whole number.
            gymnasium.error.ResetNeeded: the episode is over.
        """
        number = check_action(action)
        if self.episodes.ended[0]:
            msg = "the episode is over or has not begun: call reset()"
            raise gym.error.ResetNeeded(msg)
        reward = self.episodes.step(np.array([number]))[0]
        observation, info = self._look()
        if self.render_mode == "human":
            self.render()
        scalar = reward if self.episodes.reward.shape else float(reward)
        return observation, scalar, bool(self.episodes.ended[0]), False, info

    def action_masks(self) -> NDArray[np.int8]:
        """Int8 [A]: 1 where the action is legal; all 0 once the episode is over."""
        return np.asarray(self.episodes.masks()[0])

    def render(self) -> Any:
        """The position as text, as SVG or as pixels, uint8 [H, W, 3]; None for "human".

        For "human" it is shown in a window, or printed as text where there is no display.
        """
        if self.render_mode is None:
            warn_of_no_render_mode()
            return None
        if self.render_mode != "human":
            return self.episodes.draw(0, self.render_mode)
        if self._window is None:  # a copy opens its own window
            self._window = Window(type(self).__name__.removesuffix("Env"), FRAMES_PER_SECOND)
        frame = self.episodes.draw(0, "rgb_array")
        try:
            self._window.show(frame)
        except OSError as error:
            print_instead(str(self.episodes.draw(0, "ansi")), error)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()

    def __getstate__(self) -> dict[str, Any]:
        """Copy and pickle without the window."""
        return {**self.__dict__, "_window": None}

    def _look(self) -> tuple[Observation, dict[str, Any]]:
        masks = self.episodes.masks()
        notes = {
            name: values[0].item() if values.ndim == 1 else values[0]
            for name, (values, has) in self.episodes.notes().items()
            if has[0]
        }
        return pick(self.episodes.observe(masks), 0), {"action_mask": masks[0].copy(), **notes}


def _check_reset_options(seed: int | None, options: dict[str, Any] | None) -> int:
    unknown = (options or {}).keys() - {"index"}
    if unknown:
        msg = f"the only option of reset is index, not {', '.join(sorted(unknown))}"
        raise ValueError(msg)
    if not options:
        return 0
    if seed is None:
        msg = "an index needs a seed"
        raise ValueError(msg)
    return check_index("index", options["index"], 0)
