"""The definition of Ingenious; registered on import."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env.compiled.actions import ActionSpace
from ingenious_env.engine.definition import GameDefinition, Guide, LocalPage, PageModel, register
from ingenious_env.games.ingenious import consistency, facts, kernels, notation, position, rewards
from ingenious_env.games.ingenious.game import Game
from ingenious_env.games.ingenious.geometry import Cell
from ingenious_env.games.ingenious.moves import IngeniousActions, Move, action_of, move_of, tile_of
from ingenious_env.games.ingenious.observation import Layout
from ingenious_env.games.ingenious.opponents.kernels import guide, standings
from ingenious_env.games.ingenious.opponents.utilities import SLOPES, UTILITIES
from ingenious_env.games.ingenious.opponents.value import MODEL
from ingenious_env.games.ingenious.ranking import rank
from ingenious_env.games.ingenious.reasons import reason
from ingenious_env.games.ingenious.render import scene, svg, text
from ingenious_env.games.ingenious.render.layout import headline
from ingenious_env.games.ingenious.rewards import make_reward
from ingenious_env.games.ingenious.rules import Rules
from ingenious_env.games.ingenious.state import LAYOUT, PHASES, GameState
from ingenious_env.games.ingenious.tables import describe
from ingenious_env.games.ingenious.tiles import Tile, tile_types
from ingenious_env.policies.greedy import Greedy
from ingenious_env.policies.value import Value
from ingenious_env.policies.view import Policy, Uniform
from ingenious_env.render.player import replay_page

POLICIES: dict[str, Policy] = {
    "uniform": Uniform(),
    "greedy": Greedy("points"),
    "lowest": Greedy("lowest"),
    "concave": Greedy("concave"),
    "value": Value(),
}


class Ingenious(GameDefinition[Rules, Game, Move, Tile]):
    """The game's `GameDefinition`, whose base class documents each method."""

    name = "ingenious"
    players = facts.PLAYERS
    presets = facts.PRESETS
    choices = facts.CHOICES
    example = facts.EXAMPLE
    solitaire_unit = "spaces"
    versus_id = "ingenious/Versus-v0"
    rules = Rules
    game = Game
    layout = LAYOUT
    compiled_rules = kernels
    guide = Guide(guide, {"concave": UTILITIES["concave"]} | UTILITIES, SLOPES)
    value_model = MODEL
    pages = PageModel(
        colours=scene.colours,
        look=scene.board_look,
        scene=scene.scene,
        headline=headline,
        revealed=scene.revealed,
        replay=replay_page,
        local=LocalPage(scene.local_facts, standings, (position.TEXTS, consistency.TEXTS)),
    )
    phases = PHASES
    rewards = rewards.NAMES
    solitaire_rewards = ("lowest", "score", "vector")
    policies = POLICIES
    row_version = 3

    most_moves = staticmethod(facts.most_moves)
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

    def places(self, rules: Rules, placement: int) -> tuple[Cell, ...]:
        geometry = rules.geometry
        pair = geometry.pairs[placement % geometry.num_pairs].tolist()
        first, second = (tuple(geometry.cells[cell].tolist()) for cell in pair)
        return first, second

    def open_racks(self, rules: Rules) -> bool:
        return rules.open_racks or rules.num_players == 1

    def settle(self, state: GameState) -> None:
        state.swaps[:], state.shown[:], state.drawn_since[:] = 0, 0, 0

    def actions(self, rules: Rules, *, staged: bool) -> ActionSpace:
        return IngeniousActions.of(rules, staged=staged)

    def observation(self, rules: Rules) -> Layout:
        return Layout(rules)

    def tiles(self, rules: Rules) -> dict[Tile, int]:
        return dict(zip(tile_types(rules.num_colours), rules.tile_counts, strict=True))

    def rank(self, scores: NDArray[np.int8]) -> NDArray[np.int64]:
        return rank(scores)

    def max_score(self, rules: Rules) -> int:
        return int(rules.last_space)

    def results(self, scores: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
        return {"lowest": scores.min(axis=(1, 2)).astype(np.int64)}

    def move(self, game: Game, action: int) -> Move:
        return move_of(game.rules, *self._in_hand(game), action)

    def action(self, game: Game, move: Move) -> int:
        return action_of(game.rules, *self._in_hand(game), move=move)

    def _in_hand(self, game: Game) -> tuple[IngeniousActions, list[tuple[int, int]], int]:
        actions = game.actions
        assert isinstance(actions, IngeniousActions)  # noqa: S101 - `actions` made them
        return actions, game.racks[game.to_play], int(game.state.held[0])


INGENIOUS = Ingenious()
register(INGENIOUS)
