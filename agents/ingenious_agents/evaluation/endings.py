"""What an agent loses per move in the endings of a preset whose values the package has, for its card.

A card keeps the actions that were chosen, so that the losses can be computed again without the agent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.positions import FOLDER, Position, PositionError, read_positions
from ingenious_agents.evaluation.solitaire import half_width
from ingenious_agents.tables import Table
from ingenious_env import GameBatch, Policy, Rules, View
from ingenious_env.engine.definition import AnyRules
from ingenious_env.policies.view import begin_games, flat_actions

SETS: dict[AnyRules, str] = {Rules.solitaire(): "solitaire-endings", Rules.standard(2): "two-endings"}
"""The names of sets by the variant."""
DIGITS = 4


def set_of(rules: AnyRules) -> str | None:
    """The name of a variant's set; None if there is none."""
    return SETS.get(rules)


def path_of(name: str) -> Path:
    """The file of a set."""
    return FOLDER / f"{name}.jsonl"


@cache
def positions_of(name: str) -> tuple[Position, ...]:
    """The positions of a set."""
    return tuple(read_positions(path_of(name)))


@cache
def _rows(name: str) -> NDArray[np.uint64]:
    """The games of a set, a row each."""
    return np.concatenate([each.game().state.memory for each in positions_of(name)])


def chosen_in(agent: Policy, name: str) -> list[int]:
    """The flat actions of an agent in the positions of a set."""
    view = View(GameBatch.from_rows(positions_of(name)[0].rules, _rows(name)))
    begin_games(agent, view.keys.copy())
    return [int(action) for action in flat_actions(agent, view)]


def losses_of(name: str, chosen: Sequence[int]) -> list[dict[str, Any]]:
    """The mean loss in each group of positions of a set, in the unit of the values.

    Raises:
        PositionError: there are more or fewer actions than positions, or one is not legal.
    """
    positions = positions_of(name)
    if len(chosen) != len(positions):
        msg = f"{name} has {len(positions)} positions, not {len(chosen)}"
        raise PositionError(msg)
    losses: dict[str, list[float]] = {}
    for position, action in zip(positions, chosen, strict=True):
        losses.setdefault(position.group, []).append(position.loss(action))
    return [
        {
            "group": group,
            "loss": round(float(np.mean(mine)), DIGITS),
            "half_width": round(half_width(np.array(mine)), DIGITS),
            "best": round(float(np.mean(np.array(mine) <= 0)), DIGITS),
            "positions": len(mine),
        }
        for group, mine in losses.items()
    ]


def endings_of(name: str, chosen: Sequence[int]) -> dict[str, Any]:
    """The part of a card on a set: its name and SHA-256, the actions chosen, and what they lose.

    Raises:
        PositionError: as for `losses_of`.
    """
    digest = hashlib.sha256(path_of(name).read_bytes()).hexdigest()
    return {"set": name, "digest": digest, "losses": losses_of(name, chosen), "chosen": list(chosen)}


def endings_table(endings: Mapping[str, Any]) -> Table:
    """The losses on a card by group of positions."""
    rows = [
        (
            each["group"],
            f"{each['loss']:.4f} ± {each['half_width']:.4f}",
            f"{each['best']:.0%}",
            str(each["positions"]),
        )
        for each in endings["losses"]
    ]
    records = [dict(each) for each in endings["losses"]]
    return Table("endings", (endings["set"], "loss per move", "best moves", "number"), rows, records)
