"""The definition of Loopit; registered on import."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.actions import ActionSpace
from ingenious_env.engine.definition import GameDefinition, Guide, LocalPage, PageModel, register
from ingenious_env.engine.ranking import rank_numbers
from ingenious_env.games.loopit import consistency, facts, kernels, notation, position, rewards, tree
from ingenious_env.games.loopit.game import Game
from ingenious_env.games.loopit.material import Square, Tile
from ingenious_env.games.loopit.moves import Move, action_of, action_space, move_of, tile_of
from ingenious_env.games.loopit.observation import Layout
from ingenious_env.games.loopit.opponents.kernels import guide, standings
from ingenious_env.games.loopit.opponents.planner import Planner
from ingenious_env.games.loopit.opponents.utilities import SLOPES, UTILITIES
from ingenious_env.games.loopit.opponents.value import MODEL
from ingenious_env.games.loopit.reasons import reason
from ingenious_env.games.loopit.render import scene, svg, text
from ingenious_env.games.loopit.render.layout import headline
from ingenious_env.games.loopit.rewards import make_reward
from ingenious_env.games.loopit.rules import Rules
from ingenious_env.games.loopit.state import LAYOUT, PHASES
from ingenious_env.games.loopit.tables import describe
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.value import Value
from ingenious_env.policies.view import Policy, Uniform
from ingenious_env.render.player import replay_page

POLICIES: dict[str, Policy] = {
    "uniform": Uniform(),
    "greedy": Greedy(),
    "planner": Planner(),
    "value": Value(),
}


class Loopit(GameDefinition[Rules, Game, Move, Tile]):
    """The game's `GameDefinition`, whose base class documents each method."""

    name = "loopit"
    players = facts.PLAYERS
    presets = facts.PRESETS
    choices = facts.CHOICES
    example = facts.EXAMPLE
    versus_id = "ingenious/Loopit-v0"
    rules = Rules
    game = Game
    layout = LAYOUT
    compiled_rules = kernels
    guide = Guide(guide, UTILITIES, SLOPES)
    value_model = MODEL
    pages = PageModel(
        colours=scene.colours,
        look=scene.board_look,
        scene=scene.scene,
        headline=headline,
        revealed=scene.revealed,
        replay=replay_page,
        local=LocalPage(
            scene.local_facts,
            standings,
            (position.TEXTS, consistency.TEXTS),
            {"find_phases": standings.find_phases},
        ),
    )
    phases = PHASES
    rewards = rewards.NAMES
    policies = POLICIES
    row_version = 1

    most_moves = staticmethod(facts.most_moves)
    deal = staticmethod(facts.deal)
    barred = staticmethod(tree.barred)
    no_start = staticmethod(tree.no_start)
    settle = staticmethod(tree.settle)
    find_phases = staticmethod(tree.find_phases)
    describe = staticmethod(describe)
    reward = staticmethod(make_reward)
    tile_of = staticmethod(tile_of)
    set_up = staticmethod(position.set_up)
    reason = staticmethod(reason)
    check = staticmethod(consistency.check)
    rules_to_text = staticmethod(notation.rules_to_text)
    text_to_rules = staticmethod(notation.text_to_rules)
    move_to_text = staticmethod(notation.move_to_text)
    text_to_move = staticmethod(notation.text_to_move)
    tile_to_text = staticmethod(notation.tile_to_text)
    state_to_text = staticmethod(notation.state_to_text)
    text_to_state = staticmethod(notation.text_to_state)
    draw_text = staticmethod(text.render)
    draw_svg = staticmethod(svg.render)

    def places(self, rules: Rules, placement: int) -> tuple[Square, ...]:
        return (rules.material.square(placement),)

    def actions(self, rules: Rules, *, staged: bool) -> ActionSpace:
        return action_space(rules, staged=staged)

    def observation(self, rules: Rules) -> Layout:
        return Layout(rules)

    def tiles(self, rules: Rules) -> dict[Tile, int]:
        return dict(zip(rules.material.types, rules.material.counts, strict=True))

    def rank(self, scores: NDArray[Any]) -> NDArray[np.int64]:
        return rank_numbers(scores)

    def move(self, game: Game, action: int) -> Move:
        return move_of(game.rules, game.actions, game.racks[game.to_play], int(game.state.held[0]), action)

    def action(self, game: Game, move: Move) -> int:
        rack, held = game.racks[game.to_play], int(game.state.held[0])
        return action_of(game.rules, game.actions, rack, held, move=move)


LOOPIT = Loopit()
register(LOOPIT)
