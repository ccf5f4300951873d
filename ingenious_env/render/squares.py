"""Parts of scenes that games on a rectangular board have in common (see `static/square_game.js`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ingenious_env.engine.batch import GameBatch


def legal_moves(game: Any) -> dict[str, list[Any]]:
    """The moves of the seat to move.

    Returns:
        By name: `legal`, [slot, row, column, points] of each placement, and `choices`, the named ones.
    """
    actions = game.legal_actions()
    first = game.actions.first_choice
    return {
        "legal": _placements(game, actions[actions < first]),
        "choices": [str(game.actions.chosen(int(action))) for action in actions[actions >= first]],
    }


def _placements(game: Any, actions: Any) -> list[list[int]]:
    """Slot, row, column and points of placements: the change of the sheet's scores, summed."""
    if not len(actions):
        return []
    sheet = game.rules.sheet_of(game.to_play)
    batch = GameBatch.from_rows(game.rules, np.repeat(game.state.memory, len(actions), axis=0))
    before = batch.scores[:, sheet].copy()
    batch.play(actions)
    points = (batch.scores[:, sheet] - before).reshape(len(actions), -1).sum(axis=1)
    found = []
    for action, gain in zip(actions, points, strict=True):
        slot, placement = game.actions.split_placement(int(action))
        ((row, column),) = game.definition.places(game.rules, placement)
        found.append([int(slot), int(row), int(column), int(gain)])
    return found
