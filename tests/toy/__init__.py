"""Squares: a game of a few pages, written against `GameDefinition` only, to test this interface."""

from __future__ import annotations

import re

import numpy as np

from ingenious_env.compiled.actions import ActionSpace
from ingenious_env.compiled.phases import OVER
from ingenious_env.compiled.placing import common_reason
from ingenious_env.engine.checks import check_choice
from ingenious_env.engine.choices import Choice
from ingenious_env.engine.definition import GameDefinition, PageModel, register
from ingenious_env.engine.facts import Preset
from ingenious_env.engine.game import BaseGame
from ingenious_env.engine.observation import ObservationLayout
from ingenious_env.engine.ranking import outcome_of_ranks, rank_numbers
from ingenious_env.engine.state import GameState
from ingenious_env.errors import IllegalActionError, InconsistentStateError
from ingenious_env.policies.view import Uniform
from toy import kernels
from toy.layout import CHOICES, LAYOUT, LETTERS, Rules, describe


class Squares(ObservationLayout):
    """The vector, and planes on the board."""

    def __init__(self):
        super().__init__(
            {
                "board": ((4, 16), 1),
                "rack": ((4,), 4),
                "scores": ((2,), 80),
                "waits": ((1,), 1),
                "held": ((1,), 4),
                "chooses": ((1,), 1),
            }
        )

    def planes(self, vectors):
        board = vectors[:, :64].reshape(-1, 4, 4, 4)
        rest = np.broadcast_to(vectors[:, 64:, None, None], (len(vectors), self.size - 64, 4, 4))
        return np.concatenate([board, rest], axis=1)

    def plane_highs(self):
        return self.planes(self.highs[None])[0]


class Score:
    """Rewards: the increase of the own score, or at the end first place."""

    def __init__(self, name):
        self.name, self.shape, self.at_end = name, (), name == "outcome"
        self.low, self.high = (-1.0, 1.0) if self.at_end else (0.0, 5.0)
        self.zero_sum = self.at_end

    def __call__(self, before, after, over):
        if self.at_end:
            return np.where(over[:, None], outcome_of_ranks(DEFINITION.rank(after)), 0).astype(np.float32)
        return (after[:, :, 0].astype(np.float32) - before[:, :, 0]).astype(np.float32)


class Game(BaseGame):
    """One game of Squares."""

    @property
    def scores(self):
        return self.state.scores[0, :, 0]

    @property
    def racks(self):
        return [[LETTERS[tile] for tile in rack if tile < 4] for rack in self.state.racks[0]]


def scene(game, seat):
    """The board and the rack of a seat."""
    return {"board": game.state.board[0, :16].tolist(), "rack": game.racks[seat]}


def headline(game, viewer, names):
    """The player to move."""
    return "The game is over." if game.is_over else f"{names[game.to_play]} is to move."


PRESETS = {"small": Preset("small racks", Rules()), "large": Preset("large racks", Rules(4))}
POLICIES = {"uniform": Uniform()}


class Definition(GameDefinition):
    """The game."""

    name = "squares"
    players = range(2, 3)
    presets = PRESETS
    choices = dict.fromkeys(CHOICES, Choice())
    example = "r5"
    pages = PageModel(
        colours=lambda _theme: {},
        look=lambda rules: {"rack": rules.rack_size},
        scene=scene,
        headline=headline,
        revealed=lambda game: game.racks,
        replay=lambda record, _names: f"<p>{record.rules}</p>",
    )
    versus_id = "squares/Versus-v0"
    rules = Rules
    game = Game
    layout = LAYOUT
    compiled_rules = kernels
    phases = ("place", "choose", "over")
    rewards = ("outcome", "score")
    policies = POLICIES

    def describe(self, rules):
        return describe(rules)

    def most_moves(self, rules):
        return 2 * 16

    def actions(self, rules, *, staged):
        return ActionSpace(rules.rack_size, 16, CHOICES, staged)

    def observation(self, rules):
        return Squares()

    def tiles(self, rules):
        return dict.fromkeys(LETTERS, 6)

    def rank(self, scores):
        return rank_numbers(scores[..., 0])

    def reward(self, rules, name, *, collaborative=False):
        check_choice("reward", name, self.rewards)
        if collaborative:
            msg = "Squares is played against each other"
            raise ValueError(msg)
        return Score(name)

    def move(self, game, action):
        choice = game.actions.chosen(action)
        if choice is not None:
            return choice
        slot, square = game.actions.split_placement(action)
        if slot >= len(game.racks[game.to_play]):
            msg = f"slot {slot} is empty"
            raise IllegalActionError(msg)
        return f"{game.racks[game.to_play][slot]}{square}"

    def action(self, game, move):
        if move in CHOICES:
            return game.actions.choice(move)
        rack = game.racks[game.to_play]
        if move[0] not in rack:
            msg = f"there is no tile {move[0]} on the rack"
            raise IllegalActionError(msg)
        return game.actions.join_placement(rack.index(move[0]), int(move[1:]))

    def reason(self, game, action, code):
        return "the square is taken" if code == kernels.SQUARE_TAKEN else common_reason(game, action, code)

    def check(self, state):
        if (state.placed != (state.board[:, :16] > 0).sum(axis=1)).any():
            msg = "the tiles on the board are not those placed"
            raise InconsistentStateError(msg)

    def rules_to_text(self, rules):
        return f"rack={rules.rack_size}"

    def text_to_rules(self, text):
        return Rules(int(text.removeprefix("rack=")))

    def move_to_text(self, move):
        return move

    def text_to_move(self, text):
        if not re.fullmatch(rf"[{LETTERS}]\d\d?|stop|again", text):
            msg = f"a move is a colour and a square, stop or again, not {text!r}"
            raise ValueError(msg)
        return text

    def state_to_text(self, state):
        return f"{self.rules_to_text(state.rules)} {state.memory[0].tobytes().hex()}\n"

    def text_to_state(self, text):
        rules, _, row = text.strip().partition(" ")
        return GameState(self.text_to_rules(rules), np.frombuffer(bytes.fromhex(row), np.uint64)[None].copy())

    def places(self, rules, placement):
        return (divmod(placement, 4),)

    def draw_text(self, game, *, viewer, colour=False):
        squares = "".join(".rgby"[square] for square in game.state.board[0, :16])
        rows = [squares[at : at + 4] for at in range(0, 16, 4)]
        seen = [rack if viewer in (None, seat) else "?" * len(rack) for seat, rack in enumerate(game.racks)]
        return "\n".join([*rows, *("".join(rack) for rack in seen), str(game.scores.tolist())])

    def draw_svg(self, game, *, viewer, trail=None, names=None, theme="dark"):
        lines = self.draw_text(game, viewer=viewer).split("\n")
        texts = "".join(f'<text y="{16 * k}">{line}</text>' for k, line in enumerate(lines, 1))
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 120">{texts}</svg>'


DEFINITION = Definition()
register(DEFINITION)

__all__ = ["DEFINITION", "OVER", "Game", "Rules"]
