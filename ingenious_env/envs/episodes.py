"""`Episodes`: a batch of games that go from one decision of a learner to the next.

The Gymnasium environments have a batch of one (`gymnasium.py`), the vector environments larger ones
(`vector.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ingenious_env.compiled.actions import NUMBERINGS, ActionSpace
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.checks import check_bool, check_choice
from ingenious_env.engine.definition import AnyRules, Reward
from ingenious_env.engine.pickling import OwnsArrays
from ingenious_env.engine.printing import print_any
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.engine.trail import Trail, Trails
from ingenious_env.envs.options import ILLEGAL, LOSS, hinting, reward_space
from ingenious_env.envs.spaces import Encoder, Observation, add_mask, with_mask
from ingenious_env.errors import IllegalActionError
from ingenious_env.render import MODES, draw

Rows = NDArray[np.bool_]
"""Some of the games, bool [B]."""
Notes = dict[str, tuple[NDArray[Any], Rows]]
"""Entries of infos: by name a value for each game, [B, …], and the games that it is about."""


class Seeds(NamedTuple):
    """Seeds of some of the games.

    Attributes:
        rows: bool [B], the games that have one.
        numbers: uint64 [B], the seeds.
        indices: uint64 [B], the games' indices under them.
    """

    rows: Rows
    numbers: NDArray[np.uint64]
    indices: NDArray[np.uint64]


class Episodes(OwnsArrays):
    """B games, each with a learner's seat, each at a decision of the learner or over.

    Args:
        rules: the variant.
        num_games: B.
        reward: of a step, at the learner's seat.
        observation, actions, mask_in_observation, illegal, num_threads: see the environments' pages.

    Attributes:
        batch: the games.
        seats: int64 [B], the learner's seat in each.
        ended: bool [B], the episodes that are over, or have not begun.
        is_interrupted: whether an opponent's error left games in the middle of a step.
    """

    def __init__(
        self,
        rules: AnyRules,
        num_games: int,
        reward: Reward,
        *,
        observation: str = "vector",
        actions: str = "flat",
        mask_in_observation: bool = False,
        illegal: str = "raise",
        num_threads: int = 1,
    ) -> None:
        check_choice("actions", actions, NUMBERINGS)
        check_choice("illegal", illegal, ILLEGAL)
        check_bool("mask_in_observation", mask_in_observation)
        self.rules = rules
        self.reward = reward
        self.illegal = illegal
        self.mask_in_observation = mask_in_observation
        self.batch = GameBatch(rules, num_games, staged=actions == "staged", num_threads=num_threads)
        self.definition = self.batch.variant.definition
        self._encoder = Encoder(self.batch.layout, observation)
        self.seats = np.zeros(num_games, np.int64)
        self.ended = np.ones(num_games, np.bool_)
        self.is_interrupted = False
        self._everyone = np.ones(num_games, np.bool_)
        self._numbers = np.arange(num_games) - 1
        self._counted = np.zeros_like(self.batch.state.scores)
        self._wrong = np.zeros(num_games, np.bool_)
        self._asked = self._played = np.full(num_games, NO_ACTION)
        self._copies = np.empty_like(self.batch.state.memory)
        self._trails: Trails | None = None

    # Spaces.

    @property
    def action_space(self) -> spaces.Discrete:
        """All actions, legal or not."""
        return spaces.Discrete(self.batch.num_actions)

    @property
    def observation_space(self) -> spaces.Space[Any]:
        """The observation of one game, with its mask if that was asked for."""
        space = self._encoder.space
        return with_mask(space, self.batch.num_actions) if self.mask_in_observation else space

    @property
    def reward_space(self) -> spaces.Box:
        """The possible rewards of one step."""
        return reward_space(self.reward, loses=self.illegal == "lose")

    # Playing.

    def begin(self, chosen: Rows, seeds: Seeds | None = None) -> None:
        """Start the next episode of the chosen games.

        Args:
            chosen: bool [B]; each is dealt from the game's own stream, unless it has a seed.
            seeds: of games, chosen or not.
        """
        self._deal(chosen, seeds)
        self._advance(chosen)
        if chosen.all():
            self.is_interrupted = False

    def step(self, actions: NDArray[np.int64]) -> NDArray[np.float32]:
        """Play an action of the learner, int64 [B], in each game, and advance to its next decision.

        Games that have ended ignore it and begin their next episode.

        Returns:
            float32 [B, *reward shape], the rewards at the learner's seat since its last decision.
        """
        playing = ~self.ended
        moving = playing
        if self.illegal != "raise":
            actions, moving = self._handle_illegal(actions, playing)
        try:
            self._play(actions, moving)
        except IllegalActionError as error:
            raise hinting(error) from None
        lost = playing & ~moving
        self.ended = lost.copy()
        if not playing.all():
            self._deal(~playing)
        self._advance(~playing)
        self.ended |= self.batch.is_over
        scores = self.batch.scores.copy()
        scores[~playing] = 0  # so that the first step includes earlier scores, and rewards sum to the return
        rewards = self.reward(self._counted, scores, self.ended)[np.arange(len(scores)), self.seats]
        rewards[lost] = LOSS
        self._counted = scores
        return np.asarray(rewards)

    def _deal(self, chosen: Rows, seeds: Seeds | None = None) -> None:
        unseeded = chosen
        if seeds is not None:
            seeded, unseeded = chosen & seeds.rows, chosen & ~seeds.rows
            self.batch.seed_rows(seeded, seeds.numbers, seeds.indices)
            self._numbers[seeded] = seeds.indices[seeded]
        self.batch.deal(unseeded)
        if self._trails is not None:
            self._trails.clear(chosen)
        self._numbers[unseeded] += 1
        self.ended[chosen] = self._wrong[chosen] = False
        self._counted[chosen] = 0
        self._assign_seats(chosen)

    def _assign_seats(self, rows: Rows) -> None:
        """Assign the learner's seat in games just dealt."""

    def _advance(self, dealt: Rows) -> None:
        """Advance to the learner's decision, in games just dealt and all others."""

    def _handle_illegal(self, actions: NDArray[np.int64], playing: Rows) -> tuple[NDArray[np.int64], Rows]:
        """Find illegal actions; returns the actions to play, and the games that continue."""
        inside = (actions >= 0) & (actions < self.batch.num_actions)
        mask = self.batch.legal_mask()
        legal = inside & (mask[np.arange(len(mask)), np.where(inside, actions, 0)] == 1)
        self._asked, self._wrong = actions, playing & ~legal
        if self.illegal == "lose":
            return actions, playing & legal
        self._played = np.where(self._wrong, self.batch.random_actions(), actions)
        return self._played, playing

    def _play(self, actions: NDArray[np.int64], rows: Rows) -> None:
        before = self._before(rows)
        if (rows | self.batch.is_over).all():
            self.batch.play(np.where(rows, actions, NO_ACTION))
        elif rows.any():
            games = self.games(rows)
            games.play(actions[rows])
            self.put_back(rows, games)
        if before is not None:
            self._note(rows, self.batch.actions, actions[rows], *before)

    def _before(self, rows: Rows) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """The seats to move and the scores in some games, if trails are kept."""
        if self._trails is None:
            return None
        return self.batch.to_play[rows].copy(), self.batch.scores[rows].copy()

    def _note(
        self,
        rows: Rows,
        space: ActionSpace,
        actions: NDArray[Any],
        movers: NDArray[Any],
        scores: NDArray[Any],
    ) -> None:
        """Note moves that were played in some games, where trails are kept."""
        if self._trails is not None:
            self._trails.note(rows, space, actions, movers, scores)

    def games(self, rows: Rows) -> GameBatch:
        """Some of the games: a copy of them, until the next call, or the batch itself for all of them."""
        return self.batch if rows.all() else self.batch.take(np.flatnonzero(rows), self._copies)

    def put_back(self, rows: Rows, games: GameBatch) -> None:
        """Write the changed `games(rows)` back to the batch."""
        if games is not self.batch:
            self.batch.state.memory[rows] = games.state.memory

    # Observations, masks and infos.

    def masks(self) -> NDArray[np.int8]:
        """Int8 [B, A]: 1 where an action of the learner is legal; all 0 in an episode that has ended."""
        masks = self.batch.legal_mask()
        masks[self.ended] = 0
        return masks

    def no_masks(self) -> NDArray[np.int8]:
        """Int8 [B, A], all 0: the masks of finished episodes."""
        return np.zeros((len(self.batch), self.batch.num_actions), np.int8)

    def observe(self, masks: NDArray[np.int8], rows: Rows | None = None) -> Observation:
        """Observations of the learner's seats, in all games or in some, to which the masks belong."""
        if rows is None:
            vectors = self.batch.observe(viewers=self.seats)
        else:
            vectors = self.games(rows).observe(viewers=self.seats[rows])
        encoded = vectors if self._encoder.form == "vector" else self._encoder(vectors)  # they are fresh
        return add_mask(encoded, masks.copy()) if self.mask_in_observation else encoded

    def notes(self) -> Notes:
        """The entries of infos besides masks, as fresh arrays."""
        notes: Notes = {}
        if self._wrong.any():
            notes["illegal_action"] = (self._asked.copy(), self._wrong)
            if self.illegal == "random":
                notes["played_action"] = (self._played.copy(), self._wrong)
        if self.ended.any():
            notes |= {name: (values, self.ended) for name, values in self.results().items()}
        return notes

    def results(self) -> dict[str, NDArray[Any]]:
        """Results of the episodes that have ended, by name [B, …]."""
        return {"scores": self.batch.scores.copy()}

    def keep_trails(self) -> None:
        """From the next deals on, keep the trails that pictures show."""
        self._trails = Trails(self.batch.variant, len(self.batch))

    def draw(self, row: int, render_mode: str) -> Any:
        """The position of one game in a render mode, with the racks that the learner may see."""
        trail = Trail() if self._trails is None else self._trails.of(row, self.batch.scores[row])
        return draw(self.batch[row], render_mode, int(self.seats[row]), trail)


def print_instead(text: str, error: Exception) -> None:
    """Print a position that no window can show, and warn of the reason."""
    gym.logger.warn(f"no window, so text: {error}")
    print_any(text + "\n")


def warn_of_no_render_mode(modes: tuple[str, ...] = MODES) -> None:
    """Warn that `render` was called without a render mode."""
    gym.logger.warn(f"render() needs a render_mode, one of {', '.join(modes)}")
