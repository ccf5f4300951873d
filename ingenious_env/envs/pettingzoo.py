"""A PettingZoo AEC environment of any game: seats as agents that move one after the other."""

from __future__ import annotations

import copy
import sys
from functools import cached_property
from typing import Any, SupportsIndex

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from ingenious_env.compiled.actions import NUMBERINGS
from ingenious_env.engine.batch import GameBatch
from ingenious_env.engine.checks import check_action, check_bool, check_choice
from ingenious_env.engine.definition import AnyRules
from ingenious_env.engine.pickling import own_arrays
from ingenious_env.engine.seeding import Seed
from ingenious_env.engine.trail import Trails
from ingenious_env.envs.episodes import print_instead, warn_of_no_render_mode
from ingenious_env.envs.options import ILLEGAL, LOSS, AnyGame, find_game, hinting, reward_space, split_options
from ingenious_env.envs.spaces import Encoder, Observation, with_mask
from ingenious_env.errors import IllegalActionError
from ingenious_env.render import FRAMES_PER_SECOND, MODES, draw
from ingenious_env.render.window import Window

RENDER_MODES = ("human", *MODES)
_ONE = np.ones(1, np.bool_)
"""The one row of a batch of one."""
AnyEnv = AECEnv[str, Any, SupportsIndex | None]
OPTIONS = (
    "rules",
    "observation",
    "actions",
    "reward",
    "collaborative",
    "mask_in_observation",
    "illegal",
    "render_mode",
)
"""Names of the options in addition to those of the rules."""


class GameAEC(AECEnv[str, Any, SupportsIndex | None]):
    """A game for PettingZoo, without its wrappers; `ingenious_v0` documents the options and the spaces.

    Args:
        game: a registered game, by name or as its definition.
        options: see `ingenious_v0`.

    Raises:
        TypeError: there is no such option, or its value is of the wrong type.
        ValueError: an option has no such value, or options exclude each other.
    """

    # Python 3.11 finds the attributes of an object fast up to 30 of them; one more made a step 4 % slower.

    observation_spaces: dict[str, spaces.Space[Any]]
    action_spaces: dict[str, spaces.Space[Any]]
    rewards: dict[str, Any]
    _cumulative_rewards: dict[str, Any]

    def __init__(
        self,
        *,
        game: AnyGame = "ingenious",
        rules: AnyRules | None = None,
        observation: str = "vector",
        actions: str = "flat",
        reward: str | None = None,
        collaborative: bool = False,
        mask_in_observation: bool = True,
        illegal: str = "raise",
        render_mode: str | None = None,
        **rule_options: Any,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # PettingZoo's has no annotation
        definition = find_game(game)
        check_choice("actions", actions, NUMBERINGS)
        check_choice("illegal", illegal, ILLEGAL)
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.metadata = {
            "name": f"{definition.name}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": FRAMES_PER_SECOND,
        }
        variant, _ = split_options(definition, {"rules": rules, **rule_options}, OPTIONS)
        self.illegal = illegal
        self.render_mode = render_mode
        self.mask_in_observation = check_bool("mask_in_observation", mask_in_observation)
        name = definition.rewards[0] if reward is None else reward
        collaborative = check_bool("collaborative", collaborative)
        self._reward = definition.reward(variant, name, collaborative=collaborative)
        self._staged = actions == "staged"
        self._game = definition.game(variant)
        self._batch = self._share()
        self._encoder = Encoder(self._batch.layout, observation)
        self._no_mask: NDArray[np.int8] = np.zeros(self._batch.num_actions, np.int8)
        self._chosen, self._over = np.zeros(1, np.int64), np.zeros(1, np.bool_)  # input and output of a step
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.num_players)]
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(self._batch.num_actions) for agent in self.possible_agents
        }
        self.reward_spaces = {
            agent: reward_space(self._reward, loses=illegal == "lose") for agent in self.possible_agents
        }
        if render_mode is not None:  # an attribute more, see above
            self._trails = Trails(self._batch.variant, 1)
            self._window: Window | None = None
        self._begin()

    @property
    def game(self) -> Any:
        """The game being played: the same object from one reset to the next, so clone it to store it.

        Its actions are flat even where the environment's are staged. It does not receive the moves, so that
        it has no history, and after the first move no record.
        """
        return self._game

    @property
    def rules(self) -> AnyRules:
        """The variant played."""
        rules: AnyRules = self._game.rules
        return rules

    # Spaces.

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation in the form that was asked for, and the action mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The actions, flat or staged (see `ActionSpace`)."""
        return self.action_spaces[agent]

    def reward_space(self, agent: str) -> spaces.Box:
        """The rewards of an agent for one step, as in MO-PettingZoo environments."""
        return self.reward_spaces[agent]

    @cached_property
    def state_space(self) -> spaces.Box:
        """The space of `state`."""
        highs = np.tile(self._batch.layout.highs, (self.rules.num_players, 1))
        return spaces.Box(np.zeros_like(highs), highs, dtype=highs.dtype.type)

    def _observation_space(self) -> spaces.Space[Any]:
        space = copy.deepcopy(self._encoder.space)  # it has its own random stream, so agents cannot share it
        if not self.mask_in_observation:
            return space
        return with_mask(spaces.Dict({"observation": space}), self._batch.num_actions)

    # Playing.

    def reset(self, seed: Seed | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game.

        Args:
            seed: the game is `Game(rules, seed)`; None deals the next one from the present game's stream,
                which an environment that was never seeded took from the operating system.
            options: `{"index": i}` with a seed makes it `Game(rules, (seed, i))`, as in other environments;
                unknown ones, which PettingZoo's own tests pass, are ignored.
        """
        index = (options or {}).get("index")
        if index is not None:
            if seed is None or isinstance(seed, tuple):
                msg = f"an index needs a seed that is a whole number, not {seed!r}"
                raise ValueError(msg)
            seed = (seed, index)
        if seed is None:
            self._batch.deal()
        else:
            self._game.seed(seed)
        self._begin()

    def step(self, action: SupportsIndex | None) -> None:
        """Play an action for `agent_selection`, or None if the agent is done.

        Raises:
            IllegalActionError: it is illegal, and `illegal` is not "random"; nothing has changed.
            TypeError: it is not a whole number.
            ValueError: it is not None, though the agent is done.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        scores = self._batch.state.scores
        before = scores if self._reward.at_end else scores.copy()  # a reward at the end is not an increase
        if self.render_mode is None:
            self._play(agent, action)
        else:
            movers, scores = self._batch.to_play.copy(), scores.copy()
            self._play(agent, action)
            self._trails.note(_ONE, self._batch.actions, self._chosen, movers, scores)
        if self._over[0] or not self._reward.at_end:  # or else all rewards are 0, and stay so
            self._pay(agent, before)
        self.agent_selection = self._mover = self.possible_agents[self._batch.state.to_play[0]]
        if self._over[0]:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self._inform()
        if self.render_mode == "human":
            self.render()

    def state(self) -> NDArray[Any]:
        """The vector observations of all seats, [P, D], a fresh array: for critics that see everything."""
        rows, seats = np.zeros(self.rules.num_players, np.int64), np.arange(self.rules.num_players)
        return self._batch.take(rows).observe(viewers=seats)

    def observe(self, agent: str) -> Observation:
        """The observation of an agent, with its action mask unless that was declined, as fresh arrays.

        That of an agent that waits shows by `to_play` and `bag` whether the turn of another has ended, or a
        decision about swapping, or about another tile, is open.
        """
        if agent == self._mover:
            vector = self._vector
        else:
            vector = self._batch.observe(viewers=[self.possible_agents.index(agent)])[0]
        encoded = self._encoder.single(vector)
        if not self.mask_in_observation:
            return encoded
        return {"observation": encoded, "action_mask": self.mask(agent)}  # type: ignore[dict-item] # may be nested

    def render(self) -> Any:
        """The position with all racks: as text, as SVG, as pixels, or for "human" in a window."""
        if self.render_mode is None:
            warn_of_no_render_mode(RENDER_MODES)
            return None
        trail = self._trails.of(0, self._batch.state.scores[0])
        if self.render_mode != "human":
            return draw(self._game, self.render_mode, None, trail)
        try:
            if self._window is None:
                self._window = Window(str(self.metadata["name"]), FRAMES_PER_SECOND)
            self._window.show(draw(self._game, "rgb_array", None, trail))
        except (ImportError, OSError) as error:
            text = self._game.definition.draw_text(self._game, viewer=None, colour=sys.stdout.isatty())
            print_instead(text, error)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self.render_mode == "human" and self._window is not None:
            self._window.close()

    def _begin(self) -> None:
        if self.render_mode is not None:
            self._trails.clear(_ONE)
        # mask and observation of the seat to move: written with each move, copied when asked for
        self._masks, self._vectors = self._batch.legal_mask(), self._batch.observe()
        self._look_at_rows()
        self.agents = self.possible_agents[:]
        self.agent_selection = self._mover = self.possible_agents[self._game.to_play]
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.rewards = {agent: self._as_reward(0) for agent in self.agents}
        self._cumulative_rewards = {agent: self._as_reward(0) for agent in self.agents}
        self._notes: dict[str, dict[str, int]] = {}  # of agents whose latest action was illegal
        self._inform()

    def _look_at_rows(self) -> None:
        self._mask_row: NDArray[np.int8] = self._masks[0]
        self._vector: NDArray[np.int8] = self._vectors[0]

    def _play(self, agent: str, action: SupportsIndex | None) -> None:
        """Play the action, or a random one for an illegal one."""
        number = check_action(action)  # type: ignore[arg-type] # None raises
        self._chosen[0] = number
        try:
            self._batch.play_into(self._over, self._chosen, self._masks, self._vectors)
            self._notes.pop(agent, None)
        except IllegalActionError as error:
            if self.illegal != "random":
                raise hinting(error) from None
            self._chosen[:] = self._batch.random_actions()
            self._batch.play_into(self._over, self._chosen, self._masks, self._vectors)
            self._notes[agent] = {"illegal_action": number, "played_action": int(self._chosen[0])}

    # Infos and rewards.

    def mask(self, agent: str) -> NDArray[np.int8]:
        """The mask of an agent, int8 [A], all 0 if it is not to move, as a fresh array."""
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            return self._mask_row.copy()
        return self._no_mask.copy()

    def _inform(self) -> None:
        self.infos = {agent: {"action_mask": self.mask(agent)} for agent in self.agents}
        for agent, note in self._notes.items():
            if agent in self.infos:
                self.infos[agent].update(note)

    def _as_reward(self, value: Any) -> Any:
        """A float, or for `vector` a fresh float32 [C]."""
        if not self._reward.shape:
            return float(value)
        return np.full(self._reward.shape, value, np.float32)

    def _pay(self, agent: str, before: NDArray[np.int8]) -> None:
        self._cumulative_rewards[agent] = self._as_reward(0)
        rewards = self._reward(before, self._batch.state.scores, self._over)[0]
        self.rewards = dict(zip(self.agents, map(self._as_reward, rewards), strict=True))
        self._accumulate_rewards()

    # PettingZoo's own helpers write plain numbers; its wrapper for illegal actions calls these two as well.

    def _clear_rewards(self) -> None:
        self.rewards = {agent: self._as_reward(0) for agent in self.rewards}

    def _accumulate_rewards(self) -> None:
        for agent, reward in self.rewards.items():
            self.rewards[agent] = self._as_reward(reward)
            self._cumulative_rewards[agent] = self._as_reward(self._cumulative_rewards[agent] + reward)

    def _deads_step_first(self) -> str:
        first = super()._deads_step_first()
        self._inform()
        return first

    # Copies: views of the same memory must share memory again.

    def _share(self) -> GameBatch:
        return GameBatch.from_rows(self.rules, self._game.state.memory, staged=self._staged, copy=False)

    def __getstate__(self) -> dict[str, Any]:
        """All attributes except additional views of the same memory."""
        views = ("_batch", "_no_mask", "_mask_row", "_vector", "_window")
        return {name: value for name, value in self.__dict__.items() if name not in views}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore the attributes and the views."""
        self.__dict__.update(own_arrays(saved))
        self._batch = self._share()
        self._no_mask = np.zeros(self._batch.num_actions, np.int8)
        if self.render_mode is not None:
            self._window = None
        if "_masks" in saved:
            self._look_at_rows()


def env(**options: Any) -> AnyEnv:
    """The environment in PettingZoo's usual wrappers; options as for `GameAEC`."""
    raw = GameAEC(**options)
    wrapped: AnyEnv = raw
    if raw.illegal == "lose":
        wrapped = LosingWrapper(wrapped, raw)
        return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))
    return StraightWrapper(AssertOutOfBoundsWrapper(wrapped))


class LosingWrapper(TerminateIllegalWrapper[str, Any, SupportsIndex | None]):
    """PettingZoo's `TerminateIllegalWrapper`, with the mask of infos for any form of observation.

    PettingZoo's expects a mask in each dict; observations of named arrays are dicts that may have none. It
    also marks a lost game as truncated, after which learners estimate further rewards; but it has ended.
    """

    def __init__(self, env: AnyEnv, innermost: GameAEC) -> None:
        super().__init__(env, illegal_reward=LOSS)
        self._innermost = innermost

    def step(self, action: SupportsIndex | None) -> None:
        """Play an action, or let `agent_selection` lose by an illegal one."""
        self._prev_obs = {"action_mask": self._innermost.mask(self.agent_selection)}
        super().step(action)
        if self._terminated:
            self._innermost.truncations = dict.fromkeys(self._innermost.truncations, False)


class StraightWrapper(OrderEnforcingWrapper[str, Any, SupportsIndex | None]):
    """PettingZoo's `OrderEnforcingWrapper`, but `last` asks the environment itself.

    PettingZoo's looks up six attributes, each through all wrappers, which took a fifth of a loop's time. Only
    for wrappers that change none of them.
    """

    def __init__(self, env: AnyEnv) -> None:
        super().__init__(env)
        self._innermost = env.unwrapped

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: FBT001, FBT002 - PettingZoo's signature
        """Observation, reward, termination, truncation and info of the agent to act."""
        if not self._has_reset:
            return super().last(observe)
        return self._innermost.last(observe)

    def __str__(self) -> str:
        """The environment's name."""
        return str(self.env)
