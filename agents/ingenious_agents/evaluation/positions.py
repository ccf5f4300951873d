"""Sets of positions whose moves have known values: what an agent loses per decision.

A set is a text of a line of JSON per position:

    {"format": "ingenious positions 1", "game": "ingenious", "rules": …, "seed": [7, 12], "actions": [131, …],
     "group": "4 placements left", "values": {"93": 17.25, "220": 17.0}, "errors": null}

The position is that of `Game(rules, seed)` after the actions. `values` has the expected result of every
action, in spaces of the lowest counter in solitaire and in shares of the win otherwise, and `errors` the
standard errors where it is estimated.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingenious_agents.evaluation.log import log_bytes
from ingenious_agents.evaluation.solitaire import half_width
from ingenious_agents.tables import Number, Table
from ingenious_env import GameBatch, IllegalActionError, Policy, View
from ingenious_env.engine.definition import definition_of, definitions
from ingenious_env.engine.files import write_text
from ingenious_env.engine.text import lines_of
from ingenious_env.policies.value import unit_of
from ingenious_env.policies.view import begin_games, check_plays, flat_actions

FORMAT = "ingenious positions 1"
KEYS = {"format", "game", "rules", "seed", "actions", "group", "values", "errors"}
FOLDER = Path(__file__).parent.parent / "positions"
DIGITS = 4
MAX_QUOTE = 200


class PositionError(ValueError):
    """A position that is none, or of which the value of a chosen action is not known."""


@dataclass(frozen=True)
class Position:
    """A position with the values of its actions.

    Attributes:
        rules: the variant.
        seed: of the game, and its index.
        actions: flat, from the deal to the position.
        group: of the set to which it belongs, as a text for tables.
        values: the expected result by action.
        errors: standard errors by action; empty if the values are exact.
    """

    rules: Any
    seed: tuple[int, int]
    actions: tuple[int, ...]
    group: str
    values: dict[int, float]
    errors: dict[int, float]

    def game(self) -> Any:
        """The position."""
        game = definition_of(self.rules).game(self.rules, self.seed)
        for action in self.actions:
            game.play(action)
        return game

    def loss(self, action: int) -> float:
        """The loss of an action; PositionError if its value is not known."""
        if action not in self.values:
            msg = f"the position of seed {list(self.seed)} has no value of action {action}"
            raise PositionError(msg)
        return max(self.values.values()) - self.values[action]


@dataclass(frozen=True)
class Score:
    """An agent's losses in the positions of a group.

    Attributes:
        agent: its name.
        group: of positions.
        losses: float64 [n], per position, in the unit of the values.
        unit: of them.
        seconds: the mean time per decision.
    """

    agent: str
    group: str
    losses: NDArray[np.float64]
    unit: str
    seconds: float

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % interval of the mean loss."""
        return half_width(self.losses)


def write_positions(path: Path, positions: Iterable[Position]) -> None:
    """Write a set."""
    lines = []
    for each in positions:
        definition = definition_of(each.rules)
        values = {
            "format": FORMAT,
            "game": definition.name,
            "rules": definition.rules_to_text(each.rules),
            "seed": list(each.seed),
            "actions": list(each.actions),
            "group": each.group,
            "values": {str(action): round(value, DIGITS) for action, value in each.values.items()},
            "errors": {str(action): round(value, DIGITS) for action, value in each.errors.items()} or None,
        }
        lines.append(json.dumps(values, separators=(",", ":")))
    write_text(path, "".join(f"{line}\n" for line in lines))


def read_positions(path: Path) -> list[Position]:
    """Read a set, which may be compressed.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no set of positions.
    """
    try:
        found = [_position(line) for line in lines_of(log_bytes(path).decode())]
    except OSError:
        raise
    except Exception as error:  # a damaged file may raise any
        msg = f"{path} is no set of positions: {str(error)[:MAX_QUOTE]}"
        raise ValueError(msg) from error
    if not found:
        msg = f"{path} has no positions"
        raise ValueError(msg)
    return found


def _position(line: str) -> Position:
    values = json.loads(line)
    if not isinstance(values, dict) or values.get("format") != FORMAT or values.keys() != KEYS:
        msg = f"a line must be an object of the format {FORMAT!r} with {', '.join(sorted(KEYS))}"
        raise ValueError(msg)
    rules = definitions()[values["game"]].text_to_rules(values["rules"])
    seed, index = values["seed"]
    position = Position(
        rules,
        (seed, index),
        tuple(values["actions"]),
        str(values["group"]),
        {int(action): float(value) for action, value in values["values"].items()},
        {int(action): float(value) for action, value in (values["errors"] or {}).items()},
    )
    numbers = [*position.values.values(), *position.errors.values()]
    if not position.values or not all(map(isfinite, numbers)):
        msg = f"values must be finite numbers, one or more: {line[:60]!r}"
        raise ValueError(msg)
    return position


def score(name: str, agent: Policy, positions: Sequence[Position]) -> list[Score]:
    """The losses of an agent in each group of positions.

    Args:
        name: of the agent.
        agent: plays the position's variants.
        positions: of one variant.

    Raises:
        ValueError: the agent does not play the variant.
        PositionError: the actions of a position are no game, or the value of a chosen action is not known.
    """
    found = []
    for group in dict.fromkeys(each.group for each in positions):
        mine = [each for each in positions if each.group == group]
        rules = mine[0].rules
        check_plays(agent, rules)
        try:
            rows = np.concatenate([each.game().state.memory for each in mine])
        except IllegalActionError as error:
            msg = f"the actions of a position are no game: {error}"
            raise PositionError(msg) from error
        view = View(GameBatch.from_rows(rules, rows))
        begin_games(agent, view.keys.copy())
        began = time.perf_counter()
        chosen = flat_actions(agent, view)
        seconds = (time.perf_counter() - began) / len(mine)
        losses = [each.loss(int(action)) for each, action in zip(mine, chosen, strict=True)]
        found.append(Score(name, group, np.array(losses), unit_of(rules), seconds))
    return found


def table(scores: Sequence[Score]) -> Table:
    """Mean losses with 95 % intervals."""
    rows: list[tuple[str, ...]] = []
    records: list[dict[str, Number]] = []
    for each in scores:
        mean, best = float(each.losses.mean()), float((each.losses <= 0).mean())
        rows.append(
            (
                each.agent,
                each.group,
                f"{mean:.4f} ± {each.half_width:.4f}",
                f"{best:.0%}",
                str(len(each.losses)),
                f"{each.seconds:.2g}",
            )
        )
        records.append(
            {
                "agent": each.agent,
                "group": each.group,
                "loss": mean,
                "half_width": each.half_width,
                "unit": each.unit,
                "best": best,
                "positions": len(each.losses),
                "seconds_per_move": each.seconds,
            }
        )
    unit = scores[0].unit if scores else ""
    heads = ("agent", "positions", f"loss per move ({unit})", "best moves", "number", "seconds per move")
    return Table("losses", heads, rows, records)
