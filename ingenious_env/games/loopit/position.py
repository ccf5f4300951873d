"""Positions by the tiles on the board."""

from __future__ import annotations

from collections.abc import Sequence

from ingenious_env.engine.state import GameState
from ingenious_env.games.loopit.moves import Move, action_of, action_space, tile_of
from ingenious_env.games.loopit.rules import Rules
from ingenious_env.games.loopit.state import derive
from ingenious_env.games.loopit.tables import fresh_row
from ingenious_env.languages import Texts

TEXTS = Texts({"two tiles": "two tiles lie on square {square}"})
"""Why there is no such position; pages without a server fill this sentence in, too."""


def set_up(rules: Rules, placed: Sequence[Move], to_play: int) -> GameState:
    """A game with these tiles on the board, in the earliest turn of the seat to move that allows so many.

    Raises:
        ValueError: two tiles lie on one square, or one lies off the board.
    """
    state = GameState(rules, fresh_row(rules)[None].copy())
    types, actions = rules.material.types, action_space(rules, staged=False)
    for move in placed:
        tile = tile_of(move)
        assert tile is not None  # noqa: S101 - placements have tiles
        _, cell = actions.split_placement(action_of(rules, actions, [tile], 0, move=move))
        if state.board[0, cell]:
            raise ValueError(TEXTS["two tiles"].format(square=rules.material.square(cell)))
        state.board[0, cell] = 1 + types.index(tile)
        state.unplaced[0, types.index(tile)] -= 1
    fewest = -(-max(0, len(placed) - 1) // rules.tiles_per_turn)
    turn = fewest + (to_play - fewest) % rules.num_players
    state.placed[0], state.turn[0], state.to_play[0] = len(placed), turn, to_play
    derive(state)
    return state
