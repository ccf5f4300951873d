"""Positions by the tiles on the board."""

from __future__ import annotations

from collections.abc import Sequence

from ingenious_env.engine.state import GameState
from ingenious_env.games.ingenious.moves import IngeniousActions, Move, action_of, tile_of
from ingenious_env.games.ingenious.rules import Rules
from ingenious_env.games.ingenious.state import derive
from ingenious_env.games.ingenious.tables import fresh_row
from ingenious_env.games.ingenious.tiles import tile_types
from ingenious_env.languages import Texts

TEXTS = Texts(
    {
        "two tiles": "two tiles lie on cell {cell}",
        "too few": "{number} tiles on the board are too few for seat {seat} to be to move",
    }
)
"""Why there is no such position; pages without a server fill these sentences in, too."""


def set_up(rules: Rules, placed: Sequence[Move], to_play: int) -> GameState:
    """A game with these tiles on the board, the first round being over if as many are there as players.

    Raises:
        ValueError: two tiles lie on one cell, one lies off the board, or so few cannot be there in this turn.
    """
    state = GameState(rules, fresh_row(rules)[None].copy())
    types, actions = tile_types(rules.num_colours), IngeniousActions.of(rules, staged=False)
    pairs = rules.geometry.pairs
    for move in placed:
        tile = tile_of(move)
        assert tile is not None  # noqa: S101 - placements have tiles
        _, turned, pair = actions.split(action_of(rules, actions, [tile], 0, move=move))
        taken = pairs[pair][state.board[0, pairs[pair]] > 0]
        if len(taken):
            raise ValueError(TEXTS["two tiles"].format(cell=tuple(rules.cells[taken[0]].tolist())))
        state.board[0, pairs[pair]] = tile[::-1] if turned else tile
        state.unplaced[0, types.index(tile)] -= 1
        if len(placed) < rules.num_players:
            state.touched[0] |= rules.geometry.touches[pair]
    turn = len(placed) - (len(placed) - to_play) % rules.num_players
    if turn < 0:
        raise ValueError(TEXTS["too few"].format(number=len(placed), seat=to_play))
    state.placed[0], state.turn[0], state.to_play[0] = len(placed), turn, to_play
    derive(state)
    return state
