"""The PettingZoo adapter: seats as agents that move one after the other. No rule of the game lives here."""

from __future__ import annotations

import copy
import sys
from typing import Any, SupportsIndex, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ingenious_env.engine import GameBatch
from ingenious_env.errors import IllegalActionError
from ingenious_env.game import Game
from ingenious_env.options import ACTIONS, ILLEGAL, RuleOptions, check_choice, reward_space, split_options
from ingenious_env.render import svg, text
from ingenious_env.rewards import Reward
from ingenious_env.rules import Rules
from ingenious_env.seeding import Seed, check_index
from ingenious_env.spaces import Encoder

RENDER_MODES = ("human", "ansi", "svg")
METADATA = {
    "name": "ingenious_v0",
    "render_modes": list(RENDER_MODES),
    "is_parallelizable": False,
    "render_fps": 1,
}


class Options(RuleOptions, total=False):
    """All options of the environment by name; `ingenious_v0` says what they mean."""

    rules: Rules | None
    observation: str
    actions: str
    reward: str
    collaborative: bool
    illegal: str
    render_mode: str | None


class IngeniousAEC(AECEnv[str, dict[str, Any], SupportsIndex | None]):
    """Ingenious for PettingZoo, without its wrappers; `ingenious_v0` documents the options and the spaces.

    Raises:
        TypeError: there is no such option, or its value is of the wrong type.
        ValueError: an option has no such value, or options exclude each other.
    """

    metadata = METADATA
    observation_spaces: dict[str, spaces.Space[Any]]
    action_spaces: dict[str, spaces.Space[Any]]
    rewards: dict[str, Any]
    _cumulative_rewards: dict[str, Any]

    def __init__(
        self,
        *,
        rules: Rules | None = None,
        observation: str = "vector",
        actions: str = "flat",
        reward: str = "outcome",
        collaborative: bool = False,
        illegal: str = "raise",
        render_mode: str | None = None,
        **rule_options: Unpack[RuleOptions],
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # PettingZoo's has no annotation
        check_choice("actions", actions, ACTIONS)
        check_choice("illegal", illegal, ILLEGAL)
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        rule_names = RuleOptions.__annotations__
        self.rules, _ = split_options({"rules": rules, **rule_options}, Options.__annotations__, rule_names)
        self.illegal = illegal
        self.render_mode = render_mode
        self._encoder = Encoder(self.rules, observation)
        self._reward = Reward(self.rules, reward, collaborative=collaborative)
        self._staged = actions == "staged"
        self._game = Game(self.rules)
        self._batch = self._share()
        self._no_mask: NDArray[np.int8] = np.zeros(self._batch.num_actions, np.int8)
        self._chosen, self._over = np.zeros(1, np.int64), np.zeros(1, np.bool_)  # what a step takes and tells
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.num_players)]
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(self._batch.num_actions) for agent in self.possible_agents
        }
        self.reward_spaces = {
            agent: reward_space(self.rules, self._reward, loses=illegal == "lose")
            for agent in self.possible_agents
        }
        self._begin()

    @property
    def game(self) -> Game:
        """The game being played: the same object from one reset to the next, so clone it to keep it.

        It speaks flat actions even where the environment's are staged.
        """
        return self._game

    # Spaces.

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation in the form that was asked for, and the action mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The actions, flat or staged (see `ActionSpace`)."""
        return self.action_spaces[agent]

    def reward_space(self, agent: str) -> spaces.Box:
        """What one step can bring an agent, as MO-PettingZoo environments say it."""
        return self.reward_spaces[agent]

    def _observation_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self._batch.num_actions,), np.int8)
        # a space has a random stream of its own, so agents cannot share one
        return spaces.Dict({"observation": copy.deepcopy(self._encoder.space), "action_mask": mask})

    # Playing.

    def reset(self, seed: Seed | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal a game.

        Args:
            seed: the game is `Game(rules, seed)`; None deals the next one out of the present game's stream,
                which an environment that was never seeded took from the operating system.
            options: none are known.
        """
        if seed is None:
            self._batch.deal()
        else:
            self._game.seed(seed)
        self._begin()

    def step(self, action: SupportsIndex | None) -> None:
        """Play an action for `agent_selection`, or None if the agent is done.

        Raises:
            IllegalActionError: it is illegal, and `illegal` is not "random"; nothing has changed.
            TypeError: it is no whole number.
            ValueError: it is not None, though the agent is done.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        scores = self._batch.state.scores
        before = scores if self._reward.at_end else scores.copy()  # what comes at the end is not a rise
        self._play(agent, action)
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

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent may know, and its action mask, as fresh arrays."""
        if agent == self._mover:
            vector = self._vector
        else:
            vector = self._batch.observe(viewers=[self.possible_agents.index(agent)])[0]
        return {"observation": self._encoder.single(vector), "action_mask": self._mask(agent)}

    def render(self) -> str | None:
        """The position with all racks: returned as text or SVG, or for "human" printed."""
        if self.render_mode is None:
            gymnasium.logger.warn(f"render() needs a render_mode, one of {', '.join(RENDER_MODES)}")
            return None
        if self.render_mode == "svg":
            return svg.render(self._game)
        if self.render_mode == "ansi":
            return text.render(self._game)
        sys.stdout.write(text.render(self._game, colour=sys.stdout.isatty()) + "\n\n")
        return None

    def close(self) -> None:
        """Nothing is open."""

    def _begin(self) -> None:
        # what the seat to move may do and know: written with each move, and copied for whoever asks
        self._masks, self._vectors = self._batch.legal_mask(), self._batch.observe()
        self._look_at_rows()
        self.agents = self.possible_agents[:]
        self.agent_selection = self._mover = self.possible_agents[self._game.to_play]
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.rewards = {agent: self._as_reward(0) for agent in self.agents}
        self._cumulative_rewards = {agent: self._as_reward(0) for agent in self.agents}
        self._notes: dict[str, dict[str, int]] = {}  # of those whose latest action was illegal
        self._inform()

    def _look_at_rows(self) -> None:
        self._mask_row: NDArray[np.int8] = self._masks[0]
        self._vector: NDArray[np.int8] = self._vectors[0]

    def _play(self, agent: str, action: SupportsIndex | None) -> None:
        """Play the action, or a random one for an illegal one."""
        number = check_index("action", action, -(2**63), 2**63 - 1)  # type: ignore[arg-type] # None is refused
        self._chosen[0] = number
        try:
            self._batch.play_into(self._over, self._chosen, self._masks, self._vectors)
            self._notes.pop(agent, None)
        except IllegalActionError:
            if self.illegal != "random":
                raise
            self._chosen[:] = self._batch.random_actions()
            self._batch.play_into(self._over, self._chosen, self._masks, self._vectors)
            self._notes[agent] = {"illegal_action": number, "played_action": int(self._chosen[0])}

    # What the agents are told.

    def _mask(self, agent: str) -> NDArray[np.int8]:
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            return self._mask_row.copy()
        return self._no_mask.copy()

    def _inform(self) -> None:
        self.infos = {agent: {"action_mask": self._no_mask.copy()} for agent in self.agents}
        if not self.terminations.get(self.agent_selection, True):
            self.infos[self.agent_selection]["action_mask"] = self._mask_row.copy()
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

    # Copies: objects that see the same memory must see the same memory again.

    def _share(self) -> GameBatch:
        return GameBatch.from_rows(self.rules, self._game.state.memory, staged=self._staged, copy=False)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the second looks at the same memory."""
        looks = ("_batch", "_no_mask", "_mask_row", "_vector")
        return {name: value for name, value in self.__dict__.items() if name not in looks}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Take it all up again."""
        self.__dict__.update(saved)
        self._batch = self._share()
        self._no_mask = np.zeros(self._batch.num_actions, np.int8)
        if "_masks" in saved:
            self._look_at_rows()
