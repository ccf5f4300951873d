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

from ingenious_agents.evaluation.log import log_bytes
from ingenious_agents.evaluation.losses import Values
from ingenious_agents.evaluation.positions import ENDINGS, PositionError, read_positions, set_of
from ingenious_agents.evaluation.solitaire import half_width
from ingenious_agents.tables import Table
from ingenious_env import Policy, View
from ingenious_env.engine.definition import AnyRules
from ingenious_env.policies.view import begin_games, flat_actions

DIGITS = 4


def endings_path(rules: AnyRules) -> Path | None:
    """The file of a variant's set; None if there is none."""
    try:
        return set_of(rules, (ENDINGS,))
    except ValueError:
        return None


@cache
def values_of(path: Path) -> Values:
    """The values of a set."""
    return Values(read_positions(path))


def chosen_in(agent: Policy, path: Path) -> list[int]:
    """The flat actions of an agent in the positions of a set."""
    view = View(values_of(path).games)
    begin_games(agent, view.keys.copy())
    return [int(action) for action in flat_actions(agent, view)]


def losses_of(path: Path, chosen: Sequence[int]) -> list[dict[str, Any]]:
    """The mean loss in each group of positions of a set, in the unit of the values.

    Raises:
        PositionError: there are more or fewer actions than positions, or one is not legal.
    """
    values = values_of(path)
    positions = values.positions
    if len(chosen) != len(positions):
        msg = f"{path.name} has {len(positions)} positions, not {len(chosen)}"
        raise PositionError(msg)
    losses = np.array([each.best for each in positions]) - values.of(chosen)[0]
    groups = np.array([each.group for each in positions])
    found = []
    for group in dict.fromkeys(groups.tolist()):
        mine = losses[groups == group]
        found.append(
            {
                "group": group,
                "loss": round(float(mine.mean()), DIGITS),
                "half_width": round(half_width(mine), DIGITS),
                "best": round(float((mine <= 0).mean()), DIGITS),
                "positions": len(mine),
            }
        )
    return found


def endings_of(path: Path, chosen: Sequence[int]) -> dict[str, Any]:
    """The part of a card on a set: its name and SHA-256, the actions chosen, and what they lose.

    Raises:
        PositionError: as for `losses_of`.
    """
    digest = hashlib.sha256(log_bytes(path)).hexdigest()
    return {"set": path.stem, "digest": digest, "losses": losses_of(path, chosen), "chosen": list(chosen)}


def endings_table(endings: Mapping[str, Any]) -> Table:
    """The losses on a card by group of positions."""
    rows = [
        (
            each["group"],
            f"{each['loss']:z.4f} ± {each['half_width']:.4f}",
            f"{each['best']:.0%}",
            str(each["positions"]),
        )
        for each in endings["losses"]
    ]
    records = [dict(each) for each in endings["losses"]]
    return Table("endings", (endings["set"], "loss per move", "best moves", "number"), rows, records)
