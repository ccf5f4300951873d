"""The definition of Squares; registered on import."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_env import GameBatch, IllegalActionError, InconsistentStateError, register_game
from ingenious_env.compiled.placing import common_reason
from ingenious_env.games import (
    ActionSpace,
    BaseGame,
    Choice,
    Description,
    GameDefinition,
    GameState,
    ObservationLayout,
    PageModel,
    Preset,
    SeatReward,
    check_choice,
    outcome_by,
    rank_numbers,
)
from ingenious_env.policies import Uniform
from ingenious_env.render.player import replay_page

from . import kernels, scene
from .layout import CHOICES, LAYOUT, LETTERS, SIDE, SQUARES, TILES_OF_A_COLOUR, Rules, actions, describe

MAX_SCORE = 80


class Observation(ObservationLayout):
    """The sections of the vector, and planes on the board."""

    def __init__(self) -> None:
        super().__init__(
            {
                "board": ((4, SQUARES), 1),
                "rack": ((4,), 4),
                "scores": ((2,), MAX_SCORE),
                "waits": ((1,), 1),
                "held": ((1,), 4),
                "chooses": ((1,), 1),
            }
        )

    def planes(self, vectors: NDArray[Any]) -> NDArray[Any]:
        end = self.sections["board"].stop
        board = vectors[:, :end].reshape(-1, 4, SIDE, SIDE)
        rest = np.broadcast_to(
            vectors[:, end:, None, None], (len(vectors), vectors.shape[1] - end, SIDE, SIDE)
        )
        return np.concatenate([board, rest], axis=1)

    def plane_highs(self) -> NDArray[Any]:
        highs: NDArray[Any] = self.planes(self.highs[None])[0]
        return highs


class Game(BaseGame):
    """One game of Squares."""

    @property
    def scores(self) -> NDArray[np.int8]:
        """Int8 [2]."""
        scores: NDArray[np.int8] = self.state.scores[0, :, 0]
        return scores

    @property
    def racks(self) -> list[list[str]]:
        """The tiles of each player, by their letters."""
        return [[LETTERS[tile] for tile in rack if tile < len(LETTERS)] for rack in self.state.racks[0]]

    @property
    def num_undrawn(self) -> int:
        """The number of tiles in the bag."""
        return int(self.state.bag.shape[1] - self.state.drawn[0])


def points(before: NDArray[Any], after: NDArray[Any], _over: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The points of this step, [B, T]."""
    return (after[:, :, 0] - before[:, :, 0]).astype(np.float64)


def rank(scores: NDArray[Any]) -> NDArray[np.int64]:
    """Int64 [..., T]: 1 for the higher score, ties share."""
    return rank_numbers(scores[..., 0])


class Squares(GameDefinition[Rules, Game, str, str]):
    """The game's `GameDefinition`, where each method is explained."""

    name = "squares"
    players = range(2, 3)
    presets: Mapping[str, Preset] = MappingProxyType(
        {"small": Preset("small racks", Rules()), "large": Preset("large racks", Rules(4))}
    )
    choices: Mapping[str, Choice] = MappingProxyType(dict.fromkeys(CHOICES, Choice()))
    example = "r5"
    pages = PageModel(scene.colours, scene.look, scene.scene, scene.headline, scene.revealed, replay_page)
    versus_id = "squares/Versus-v0"
    rules = Rules
    game = Game
    layout = LAYOUT
    compiled_rules = kernels
    phases = ("place", "choose", "over")
    rewards = ("outcome", "score")
    policies: Mapping[str, Any] = MappingProxyType({"uniform": Uniform()})

    draw_text = staticmethod(scene.text)
    draw_svg = staticmethod(scene.svg)
    rank = staticmethod(rank)

    def describe(self, rules: Rules) -> Description:
        return describe(rules)

    def most_moves(self, rules: Rules) -> int:
        return 2 * SQUARES

    def actions(self, rules: Rules, *, staged: bool) -> ActionSpace:
        return actions(rules, staged=staged)

    def observation(self, rules: Rules) -> Observation:
        return Observation()

    def tiles(self, rules: Rules) -> dict[str, int]:
        return dict.fromkeys(LETTERS, TILES_OF_A_COLOUR)

    def places(self, rules: Rules, placement: int) -> tuple[tuple[int, int], ...]:
        return (divmod(placement, SIDE),)

    def reward(self, rules: Rules, name: str, *, collaborative: bool = False) -> SeatReward:
        check_choice("reward", name, self.rewards)
        if name == "score":
            return SeatReward(rules, name, points, high=5.0, collaborative=collaborative)
        return SeatReward(
            rules, name, outcome_by(rank), at_end=True, low=-1.0, zero_sum=True, collaborative=collaborative
        )

    # Moves: the letter of a tile and the number of a square, or a named choice.

    def move(self, game: Game, action: int) -> str:
        choice = game.actions.chosen(action)
        if choice is not None:
            return choice
        slot, square = game.actions.split_placement(action)
        if slot >= len(game.racks[game.to_play]):
            msg = f"slot {slot} is empty"
            raise IllegalActionError(msg)
        return f"{game.racks[game.to_play][slot]}{square}"

    def action(self, game: Game, move: str) -> int:
        if move in CHOICES:
            return game.actions.choice(move)
        rack = game.racks[game.to_play]
        if move[0] not in rack:
            msg = f"there is no tile {move[0]} on the rack"
            raise IllegalActionError(msg)
        return game.actions.join_placement(rack.index(move[0]), int(move[1:]))

    def tile_of(self, move: str) -> str | None:
        return None if move in CHOICES else move[0]

    def reason(self, game: GameBatch, action: int, code: int) -> str:
        return "the square is taken" if code == kernels.SQUARE_TAKEN else common_reason(game, action, code)

    # Texts.

    def check(self, state: GameState) -> None:
        if (state.placed != (state.board[:, :SQUARES] > 0).sum(axis=1)).any():
            msg = "the tiles on the board are not those placed"
            raise InconsistentStateError(msg)

    def rules_to_text(self, rules: Rules) -> str:
        return f"rack={rules.rack_size}"

    def text_to_rules(self, text: str) -> Rules:
        found = re.fullmatch(r"rack=([1-4])", text)
        if not found:
            msg = f"the rules are rack=1 to rack=4, not {text!r}"
            raise ValueError(msg)
        return Rules(int(found[1]))

    def move_to_text(self, move: str) -> str:
        return move

    def text_to_move(self, text: str) -> str:
        if not re.fullmatch(rf"[{LETTERS}]\d\d?|stop|again", text):
            msg = f"a move is a colour and a square, stop or again, not {text!r}"
            raise ValueError(msg)
        return text

    def state_to_text(self, state: GameState) -> str:
        return f"{self.rules_to_text(state.rules)} {state.memory[0].tobytes().hex()}\n"

    def text_to_state(self, text: str) -> GameState:
        rules, _, row = text.strip().partition(" ")
        memory = np.frombuffer(bytes.fromhex(row), np.uint64)[None].copy()
        return GameState(self.text_to_rules(rules), memory)


DEFINITION = Squares()
register_game(DEFINITION)
