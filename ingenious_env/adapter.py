"""What the Gymnasium environments share.

`Episodes` is a batch of games that go from one decision of a learner to the next; `SingleEnv` is the
environment of a batch of one. The vector environments have larger ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsIndex, TypedDict

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ingenious_env.engine import NO_ACTION, GameBatch
from ingenious_env.game import Game
from ingenious_env.memory import Recycler
from ingenious_env.options import ACTIONS, ILLEGAL, LOSS, check_choice, reward_space
from ingenious_env.render import svg, text
from ingenious_env.rewards import Reward
from ingenious_env.rules import Rules
from ingenious_env.seeding import check_index, check_seed
from ingenious_env.spaces import Encoder, Observation

RENDER_MODES = ("ansi", "svg")
Rows = NDArray[np.bool_]
"""Some of the games, bool [B]."""
Notes = dict[str, tuple[NDArray[Any], Rows]]
"""What infos hold: by name a value for each game, [B, …], and the games that it is said of."""


class Options(TypedDict, total=False):
    """The options that all environments take; the pages of `solitaire.py` and `versus.py` explain them."""

    rules: Rules | None
    observation: str
    actions: str
    reward: str
    mask_in_observation: bool
    illegal: str


class Episodes:
    """B games, each with a learner's seat, that stand at a decision of the learner or are over.

    Args:
        rules: the variant.
        num_games: B.
        reward: what a step brings, at the learner's seat.
        observation, actions, mask_in_observation, illegal: see the environments' pages.

    Attributes:
        batch: the games.
        seats: int64 [B], the learner's seat in each.
        ended: bool [B], the episodes that are over, or have not begun.
    """

    def __init__(
        self,
        rules: Rules,
        num_games: int,
        reward: Reward,
        *,
        observation: str = "vector",
        actions: str = "flat",
        mask_in_observation: bool = False,
        illegal: str = "raise",
    ) -> None:
        check_choice("actions", actions, ACTIONS)
        check_choice("illegal", illegal, ILLEGAL)
        if not isinstance(mask_in_observation, bool):
            msg = f"mask_in_observation must be a bool, not {mask_in_observation!r}"
            raise TypeError(msg)
        self.rules = rules
        self.reward = reward
        self.illegal = illegal
        self.mask_in_observation = mask_in_observation
        self._encoder = Encoder(rules, observation)
        self.batch = GameBatch(rules, num_games, staged=actions == "staged")
        self.seats = np.zeros(num_games, np.int64)
        self.ended = np.ones(num_games, np.bool_)
        self._everyone = np.ones(num_games, np.bool_)
        self._numbers = np.arange(num_games) - 1
        self._counted = np.zeros((num_games, rules.num_sheets, rules.num_colours), np.int8)
        self._wrong = np.zeros(num_games, np.bool_)
        self._asked = self._played = np.full(num_games, NO_ACTION)
        self._mask_memory = Recycler((num_games, self.batch.num_actions))
        self._vector_memory = Recycler((num_games, self.batch.observation_size))
        self._copies = np.empty_like(self.batch.state.memory)

    # Spaces.

    @property
    def action_space(self) -> spaces.Discrete:
        """All actions, legal or not."""
        return spaces.Discrete(self.batch.num_actions)

    @property
    def observation_space(self) -> spaces.Space[Any]:
        """The observation of one game, with its mask if that was asked for."""
        space = self._encoder.space
        if not self.mask_in_observation:
            return space
        parts = dict(space.spaces) if isinstance(space, spaces.Dict) else {"observation": space}
        return spaces.Dict({**parts, "action_mask": spaces.Box(0, 1, (self.batch.num_actions,), np.int8)})

    @property
    def reward_space(self) -> spaces.Box:
        """What one step can bring."""
        return reward_space(self.rules, self.reward, loses=self.illegal == "lose")

    # Playing.

    def begin(self, chosen: Rows, seeds: Mapping[int, tuple[int, int]] | None = None) -> None:
        """Start the next episode of the chosen games.

        Args:
            chosen: bool [B]; each is dealt out of the game's own stream, unless it has a seed.
            seeds: by row, a seed and a game's index under it.
        """
        self._deal(chosen, seeds)
        self._go_on(chosen)

    def step(self, actions: NDArray[np.int64]) -> NDArray[np.float32]:
        """Play an action of the learner, int64 [B], in each game, and go on to its next decision.

        Games that have ended ignore it and begin their next episode.

        Returns:
            float32 [B, *reward shape], what happened at the learner's seat since its last decision.
        """
        playing = ~self.ended
        moving = playing
        if self.illegal != "raise":
            actions, moving = self._heed(actions, playing)
        self._play(actions, moving)
        lost = playing & ~moving
        self.ended = lost.copy()
        if not playing.all():
            self._deal(~playing)
        self._go_on(~playing)
        self.ended |= self.batch.is_over
        scores = self.batch.scores.copy()
        scores[~playing] = 0  # so that the first step counts what came before it, and the episode adds up
        rewards = self.reward(self._counted, scores, self.ended)[np.arange(len(scores)), self.seats]
        rewards[lost] = LOSS
        self._counted = scores
        return np.asarray(rewards)

    def _deal(self, chosen: Rows, seeds: Mapping[int, tuple[int, int]] | None = None) -> None:
        unseeded = chosen.copy()
        dealer = GameBatch(self.rules) if seeds else self.batch
        for row, (seed, index) in (seeds or {}).items():
            dealer.seed(seed, index)
            self.batch.state.memory[row] = dealer.state.memory[0]
            self._numbers[row] = index
            unseeded[row] = False
        self.batch.deal(unseeded)
        self._numbers[unseeded] += 1
        self.ended[chosen] = self._wrong[chosen] = False
        self._counted[chosen] = 0
        self._sit(chosen)

    def _sit(self, rows: Rows) -> None:
        """Give the learner its seat in games just dealt."""

    def _go_on(self, dealt: Rows) -> None:
        """Play on to the learner's decision, in games just dealt and all others."""

    def _heed(self, actions: NDArray[np.int64], playing: Rows) -> tuple[NDArray[np.int64], Rows]:
        """Look for illegal actions; what is to be played instead, and which games it leaves in play."""
        inside = (actions >= 0) & (actions < self.batch.num_actions)
        mask = self.batch.legal_mask(self._mask_memory.take())
        legal = inside & (mask[np.arange(len(mask)), np.where(inside, actions, 0)] == 1)
        self._asked, self._wrong = actions, playing & ~legal
        if self.illegal == "lose":
            return actions, playing & legal
        self._played = np.where(self._wrong, self.batch.random_actions(), actions)
        return self._played, playing

    def _play(self, actions: NDArray[np.int64], rows: Rows) -> None:
        if (rows | self.batch.is_over).all():
            self.batch.play(np.where(rows, actions, NO_ACTION))
        elif rows.any():
            games = self.games(rows)
            games.play(actions[rows])
            self.put_back(rows, games)

    def games(self, rows: Rows) -> GameBatch:
        """Some of the games: a copy of them, until the next call, or the batch itself for all of them."""
        return self.batch if rows.all() else self.batch.take(np.flatnonzero(rows), self._copies)

    def put_back(self, rows: Rows, games: GameBatch) -> None:
        """Take over what became of `games(rows)`."""
        if games is not self.batch:
            self.batch.state.memory[rows] = games.state.memory

    # What the learner is told.

    def masks(self) -> NDArray[np.int8]:
        """Int8 [B, A]: 1 where the learner may; all 0 in an episode that has ended."""
        masks = self.batch.legal_mask(self._mask_memory.take())
        masks[self.ended] = 0
        return masks

    def no_masks(self) -> NDArray[np.int8]:
        """Int8 [B, A], all 0: what the learner may do at an end."""
        masks = self._mask_memory.take()
        masks[:] = 0
        return masks

    def observe(self, masks: NDArray[np.int8], rows: Rows | None = None) -> Observation:
        """What the learner's seat may know, with as many games in front as there are masks."""
        if rows is None:
            vectors = self.batch.observe(self._vector_memory.take(), viewers=self.seats)
        else:
            vectors = self.games(rows).observe(viewers=self.seats[rows])
        encoded = vectors if self._encoder.form == "vector" else self._encoder(vectors)  # they are fresh
        if not self.mask_in_observation:
            return encoded
        parts = encoded if isinstance(encoded, dict) else {"observation": encoded}
        return {**parts, "action_mask": masks.copy()}

    def notes(self) -> Notes:
        """What the infos hold besides masks, as fresh arrays."""
        notes: Notes = {}
        if self._wrong.any():
            notes["illegal_action"] = (self._asked, self._wrong)
            if self.illegal == "random":
                notes["played_action"] = (self._played, self._wrong)
        if self.ended.any():
            notes |= {name: (values, self.ended) for name, values in self.results().items()}
        return notes

    def results(self) -> dict[str, NDArray[Any]]:
        """How the episodes that have ended did, by name [B, …]."""
        return {"scores": self.batch.scores.copy()}

    def draw(self, row: int, render_mode: str) -> str:
        """The position of one game, with the racks that the learner may see."""
        game, viewer = self.batch[row], int(self.seats[row])
        return svg.render(game, viewer=viewer) if render_mode == "svg" else text.render(game, viewer=viewer)


def pick(observation: Observation, row: int) -> Observation:
    """One game's part of an observation of many, copied out."""
    if isinstance(observation, dict):
        return {name: part[row].copy() for name, part in observation.items()}
    return np.array(observation[row])


def warn_of_no_render_mode() -> None:
    """What `render` does where nothing was asked for."""
    gym.logger.warn(f"render() needs a render_mode, one of {', '.join(RENDER_MODES)}")


class SingleEnv(gym.Env[Any, Any]):
    """A Gymnasium environment of one game.

    Args:
        episodes: a batch of one.
        render_mode: None, "ansi" or "svg".
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - Gymnasium's own name

    def __init__(self, episodes: Episodes, render_mode: str | None = None) -> None:
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.render_mode = render_mode
        self.episodes = episodes
        self.action_space = episodes.action_space
        self.observation_space = episodes.observation_space
        self.reward_space = episodes.reward_space

    @property
    def game(self) -> Game:
        """The game being played, live: look at it or clone it.

        It speaks flat actions even where the environment's are staged.
        """
        return Game.from_row(self.episodes.rules, self.episodes.batch.state.memory[0], copy=False)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: the game is `Game(rules, seed)`; None deals the next one out of the present game's stream.
            options: `{"index": i}` makes it `Game(rules, (seed, i))`, as in row i of a vector environment.
        """
        index = _check_reset_options(seed, options)
        number = None if seed is None else check_seed(seed)
        super().reset(seed=number)
        self.episodes.begin(np.ones(1, np.bool_), None if number is None else {0: (number, index)})
        return self._look()

    def step(self, action: SupportsIndex) -> tuple[Observation, Any, bool, bool, dict[str, Any]]:
        """Play an action, and go on to the learner's next decision or the end.

        Raises:
            IllegalActionError: it is illegal, and `illegal` is "raise"; nothing has changed.
            TypeError: it is no whole number.
            gymnasium.error.ResetNeeded: the episode is over.
        """
        number = check_index("action", action, -(2**63), 2**63 - 1)
        if self.episodes.ended[0]:
            msg = "the episode is over or has not begun: call reset()"
            raise gym.error.ResetNeeded(msg)
        reward = self.episodes.step(np.array([number]))[0]
        observation, info = self._look()
        scalar = reward if self.episodes.reward.shape else float(reward)
        return observation, scalar, bool(self.episodes.ended[0]), False, info

    def action_masks(self) -> NDArray[np.int8]:
        """Int8 [A]: 1 where the action is legal; all 0 once the episode is over."""
        return np.asarray(self.episodes.masks()[0])

    def render(self) -> str | None:
        """The position as text or SVG."""
        if self.render_mode is None:
            warn_of_no_render_mode()
            return None
        return self.episodes.draw(0, self.render_mode)

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
