"""The definition of Loopit; registered on import."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.core.actions import ActionSpace
from ingenious_env.core.batch import GameBatch
from ingenious_env.core.checks import check_choice
from ingenious_env.core.definition import GameDefinition, Guide, register
from ingenious_env.core.greedy import Greedy
from ingenious_env.core.ranking import rank_numbers
from ingenious_env.core.rewards import SeatReward
from ingenious_env.core.rows import Description
from ingenious_env.core.state import GameState
from ingenious_env.core.value import Value
from ingenious_env.core.view import Policy, Uniform
from ingenious_env.games.loopit import consistency, kernels, notation, rewards
from ingenious_env.games.loopit.game import Game
from ingenious_env.games.loopit.moves import Move, action_of, action_space, move_of
from ingenious_env.games.loopit.observation import Layout
from ingenious_env.games.loopit.opponents.kernels import guide
from ingenious_env.games.loopit.opponents.planner import Planner
from ingenious_env.games.loopit.opponents.utilities import SLOPES, UTILITIES
from ingenious_env.games.loopit.opponents.value import MODEL
from ingenious_env.games.loopit.reasons import reason
from ingenious_env.games.loopit.render import svg, text
from ingenious_env.games.loopit.rules import Rules
from ingenious_env.games.loopit.state import LAYOUT, PHASES
from ingenious_env.games.loopit.tables import describe

POLICIES: dict[str, Policy] = {
    "uniform": Uniform(),
    "greedy": Greedy(),
    "planner": Planner(),
    "value": Value(),
}


class Loopit(GameDefinition):
    """The game's `GameDefinition`, where each method is explained."""

    name = "loopit"
    versus_id = "ingenious/Loopit-v0"
    rules = Rules
    game = Game
    layout = LAYOUT
    compiled_rules = kernels
    guide = Guide(guide, UTILITIES, SLOPES)
    value_model = MODEL
    phases = PHASES
    rewards = rewards.NAMES
    policies = tuple(POLICIES)
    row_version = 1

    def describe(self, rules: Rules) -> Description:
        return describe(rules)

    def actions(self, rules: Rules, *, staged: bool) -> ActionSpace:
        return action_space(rules, staged=staged)

    def observation(self, rules: Rules) -> Layout:
        return Layout(rules)

    def reward(self, rules: Rules, name: str, *, collaborative: bool = False) -> SeatReward:
        return rewards.make_reward(rules, name, collaborative=collaborative)

    def rank(self, scores: NDArray[Any]) -> NDArray[np.int64]:
        return rank_numbers(scores)

    def move(self, game: Game, action: int) -> Move:
        return move_of(game.rules, game.actions, game.racks[game.to_play], int(game.state.held[0]), action)

    def action(self, game: Game, move: Move) -> int:
        rack, held = game.racks[game.to_play], int(game.state.held[0])
        return action_of(game.rules, game.actions, rack, held, move=move)

    def reason(self, game: GameBatch, action: int, code: int) -> str:
        return reason(game, action, code)

    def check(self, state: GameState) -> None:
        consistency.check(state)

    def rules_to_text(self, rules: Rules) -> str:
        return notation.rules_to_text(rules)

    def text_to_rules(self, text: str) -> Rules:
        return notation.text_to_rules(text)

    def move_to_text(self, move: Move) -> str:
        return notation.move_to_text(move)

    def text_to_move(self, text: str) -> Move:
        return notation.text_to_move(text)

    def state_to_text(self, state: GameState) -> str:
        return notation.state_to_text(state)

    def text_to_state(self, text: str) -> GameState:
        return notation.text_to_state(text)

    def draw_text(self, game: Game, *, viewer: int | None, colour: bool = False) -> str:
        return text.render(game, viewer=viewer, colour=colour)

    def draw_svg(self, game: Game, *, viewer: int | None) -> str:
        return svg.render(game, viewer=viewer)

    def policy(self, name: str) -> Policy:
        check_choice("policy", name, self.policies)
        return POLICIES[name]


LOOPIT = Loopit()
Game.definition = LOOPIT
register(LOOPIT)
