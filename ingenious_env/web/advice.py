"""Hints for pages: an agent's values of the actions of a position, as JSON."""

from __future__ import annotations

from threading import Event
from typing import Any

import numpy as np

from ingenious_env.policies.advice import Advice, advise
from ingenious_env.policies.judging import calibrated_values
from ingenious_env.policies.thinking import stoppable
from ingenious_env.policies.view import Policy, View

LISTED = 8


def advised(policy: Policy, game: Any, stop: Event, played: int | None = None) -> dict[str, Any]:
    """The advice of a policy for the seat to move.

    Args:
        policy: the adviser; it only receives what the seat may know.
        game: the position.
        stop: ends a search early.
        played: the flat action that was chosen in this position, if it is known.

    Returns:
        By name: `unit` (see `Advice`); `calibrated`, as of a `Judgement`; `list`, the best actions, each with
        its `move`, as text, its `value`, its standard `error` or null, and its `slot` and `places` if it lays
        a tile; `dots`, [slot, *place, rank] of each place where a tile may be, with the rank, from 0, of the
        best action there; with a `played` action also `played`, its entry with its `rank`, from 0, where
        `rank` and `value` are null if the policy has no value for it.
    """
    with stoppable(stop):
        view = View.of(game)
        advice = advise(policy, view, limit=game.actions.size)
        calibrated = calibrated_values(policy, view, advice.values)
    if calibrated is not None:
        advice = advice._replace(values=calibrated)
    found = {
        "unit": advice.unit,
        "calibrated": calibrated is not None,
        "list": [_entry(game, advice, number) for number in range(min(LISTED, len(advice.actions)))],
        "dots": _dots(game, advice),
    }
    return found if played is None else {**found, "played": _played(game, advice, played)}


def _entry(game: Any, advice: Advice, number: int) -> dict[str, Any]:
    error = None if advice.errors is None else float(advice.errors[number])
    return {
        **_move(game, int(advice.actions[number])),
        "value": float(advice.values[number]),
        "error": None if error is None or not np.isfinite(error) else error,
    }


def _played(game: Any, advice: Advice, action: int) -> dict[str, Any]:
    found = np.flatnonzero(advice.actions == action)
    if not len(found):
        return {**_move(game, action), "rank": None, "value": None, "error": None}
    rank = int(found[0])
    return {**_entry(game, advice, rank), "rank": rank}


def _move(game: Any, action: int) -> dict[str, Any]:
    """A flat action as text, with the slot and the places of its tile if it lays one."""
    found: dict[str, Any] = {"move": game.definition.move_to_text(game.move(action))}
    laid = _laid(game, action)
    if laid is not None:
        slot, places = laid
        found |= {"slot": slot, "places": [list(place) for place in places]}
    return found


def _laid(game: Any, action: int) -> tuple[int, tuple[tuple[int, int], ...]] | None:
    """The slot of a flat action's tile and the places that it covers; None if the action lays none."""
    placement = game.actions.placement_of(action)
    if placement is None:
        return None
    slot, _ = game.actions.split_placement(action)
    return slot, game.definition.places(game.rules, placement)


def _dots(game: Any, advice: Advice) -> list[list[int]]:
    """The rank of the best action of each slot and place; none if there is nothing to compare."""
    if advice.unit == "choice":
        return []
    best: dict[tuple[int, ...], int] = {}
    for rank, action in enumerate(advice.actions.tolist()):
        slot, places = _laid(game, action) or (0, ())
        for place in places:
            best.setdefault((slot, *place), rank)
    return [[*key, rank] for key, rank in best.items()]
