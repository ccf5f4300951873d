"""Noughts and crosses: a game without tiles, written against `GameDefinition` only.

Its rules and kernels are this one module. A row of three wins; the game ends with it or with a full board.
"""

import sys
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ingenious_env import register_game
from ingenious_env.compiled import placing
from ingenious_env.compiled.bag import start_afresh
from ingenious_env.compiled.kernel import bind, inlined
from ingenious_env.compiled.phases import OVER
from ingenious_env.compiled.placing import FIRST_OWN_CODE, LEGAL, common_reason, word_for_decision
from ingenious_env.games import (
    ActionSpace,
    BaseGame,
    Field,
    GameDefinition,
    GameState,
    ObservationLayout,
    RowLayout,
    SeatReward,
    Table,
    outcome_by,
    rank_numbers,
)
from ingenious_env.policies import Uniform

__all__ = ["word_for_decision"]

NUMBERS = ("row_words", "num_players", "rack_size", "num_placements", "placements_reciprocal", "num_choices")
FIELDS = (
    Field("stream", "u8"),
    Field("policy_key", "u8"),
    *(Field(name, "u1") for name in ("placed", "turn", "to_play", "phase", "held")),
    Field("scores", "i1", ("num_players",)),
    Field("board", "u1", (9,), "0 for an empty square, or 1 + the seat"),
)
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LAYOUT = RowLayout(
    "noughts",
    numbers=NUMBERS,
    fields=FIELDS,
    tables=(Table("fresh_row", "u8", ("row_words",)), Table("lines", "i2", (8, 3))),
)
TAKEN = FIRST_OWN_CODE

_this = sys.modules[__name__]
games_of = LAYOUT.games_of
illegality = inlined(bind(placing.illegality, _this))
play = inlined(bind(placing.play, _this))
write_mask = inlined(bind(placing.write_mask, _this))
random_action = inlined(bind(placing.random_action, _this))


@inlined
def workspace():
    return 0


@inlined
def deal(game):
    start_afresh(game)


@inlined
def slot_illegality(game, slot):
    return LEGAL


@inlined
def placement_illegality(game, slot, placement, workspace):
    return TAKEN if game.board[placement] else LEGAL


@inlined
def may_choose(game, choice):
    return False


@inlined
def place(game, slot, placement):
    own = 1 + game.to_play
    game.board[placement] = own
    game.placed += 1
    for k in range(8):
        line = game.lines[k]
        if game.board[line[0]] == own and game.board[line[1]] == own and game.board[line[2]] == own:
            game.scores[game.to_play] = 1
            game.phase = OVER
    if game.placed == 9:
        game.phase = OVER
    if game.phase != OVER:
        game.to_play = 1 - game.to_play
        game.turn += 1


@inlined
def choose(game, choice):
    """There is nothing to choose."""


@inlined
def write_observation(game, viewer, out):
    for square in range(9):
        out[square] = int(game.board[square] == 1 + viewer)
        out[9 + square] = int(game.board[square] == 2 - viewer)


@inlined
def reshuffle(game, viewer, stream, workspace):
    return True


@dataclass(frozen=True)
class Rules:
    num_players: int = 2
    num_sheets = 2

    def sheet_of(self, player):
        return player


class Game(BaseGame):
    @property
    def scores(self):
        return self.state.scores[0]


class Observation(ObservationLayout):
    def __init__(self):
        super().__init__({"own": ((3, 3), 1), "other": ((3, 3), 1)})

    def planes(self, vectors):
        return vectors.reshape(-1, 2, 3, 3).copy()

    def plane_highs(self):
        return np.ones((2, 3, 3), np.int8)


class Noughts(GameDefinition):
    name = "noughts"
    players = range(2, 3)
    example = "4"
    versus_id = "noughts/Versus-v0"
    rules = Rules
    game = Game
    layout = LAYOUT
    compiled_rules = _this
    phases = ("place", "choose", "over")
    rewards = ("outcome",)
    policies = MappingProxyType({"uniform": Uniform()})

    def describe(self, rules):
        numbers = {**self.actions(rules, staged=False).numbers, "num_players": 2}
        dtype = LAYOUT.dtype(numbers)
        fresh = np.zeros(dtype.itemsize // 8, np.uint64)
        return LAYOUT.describe(
            numbers | {"row_words": len(fresh)}, {"fresh_row": fresh, "lines": np.array(LINES)}
        )

    def most_moves(self, rules):
        return 9

    def actions(self, rules, *, staged):
        return ActionSpace(1, 9, (), staged)

    def observation(self, rules):
        return Observation()

    def rank(self, scores):
        return rank_numbers(scores)

    def reward(self, rules, name, *, collaborative=False):
        outcome = outcome_by(rank_numbers)
        return SeatReward(
            rules, name, outcome, at_end=True, low=-1.0, zero_sum=True, collaborative=collaborative
        )

    def move(self, game, action):
        return int(action)

    def action(self, game, move):
        return move

    def reason(self, game, action, code):
        return "the square is taken" if code == TAKEN else common_reason(game, action, code)

    def check(self, state):
        assert (state.placed == (state.board[:] > 0).sum(axis=1)).all()

    def rules_to_text(self, rules):
        return "three"

    def text_to_rules(self, text):
        return Rules()

    def move_to_text(self, move):
        return str(move)

    def text_to_move(self, text):
        return int(text)

    def state_to_text(self, state):
        return state.memory[0].tobytes().hex()

    def text_to_state(self, text):
        return GameState(Rules(), np.frombuffer(bytes.fromhex(text), np.uint64)[None].copy())

    def places(self, rules, placement):
        return (divmod(placement, 3),)

    def draw_text(self, game, *, viewer, colour=False):
        squares = "".join(".xo"[square] for square in game.state.board[0])
        return "\n".join(squares[row : row + 3] for row in (0, 3, 6))

    def draw_svg(self, game, *, viewer, trail=None, names=None, theme="dark"):
        board = self.draw_text(game, viewer=viewer)
        return f"<svg xmlns='http://www.w3.org/2000/svg'><text>{board}</text></svg>"


DEFINITION = Noughts()
register_game(DEFINITION)
