"""The level of a player, estimated from the judged moves of a finished game.

The measure is the mean loss of its moves: the share of the mover's chance of winning that a move gave up, in
positions that were not decided; in solitaire the loss in spaces. `level_losses.json` has its
distribution over games of each level against opponents of all levels (`python -m scripts.level_losses`); the
interval has all levels for which the measured loss lies within the middle 95 % of the games.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ingenious_env.engine.definition import AnyRules, definition_of
from ingenious_env.engine.files import read_text
from ingenious_env.policies.judging import Judgement
from ingenious_env.policies.value import unit_of

FILE = Path(__file__).with_name("level_losses.json")
DECIDED = 0.05
"""The share of the win below which, or below whose rest, a position is decided."""
MIN_MOVES = 5
"""The least number of moves in a mean loss."""


class Spread(NamedTuple):
    """The mean losses in games of one level.

    Attributes:
        median: of the games.
        low: the end of the middle 95 % of the games.
        high: the other end.
    """

    median: float
    low: float
    high: float


class Estimate(NamedTuple):
    """The estimated level of a player.

    Attributes:
        level: whose median game is nearest, from 1.
        low: the lowest level of the 95 % interval.
        high: the highest one.
    """

    level: int
    low: int
    high: int


def mean_loss(judged: Sequence[Judgement]) -> float | None:
    """The mean loss of a player's moves, which all have one unit; None if too few of them count."""
    losses = [
        each.loss / each.value if each.unit == "win" else each.loss
        for each in judged
        if each.unit != "win" or DECIDED <= each.value <= 1 - DECIDED
    ]
    return sum(losses) / len(losses) if len(losses) >= MIN_MOVES else None


def estimated(rules: AnyRules, judged: Sequence[Judgement]) -> Estimate | None:
    """The level of a player.

    Args:
        rules: of the game.
        judged: the player's moves, by the calibrated shipped network.

    Returns:
        None if too few moves count, they are not judged by calibrated values, or the variant was
        not measured.
    """
    spreads = spreads_of(rules)
    if spreads is None or not all(each.calibrated and each.unit == unit_of(rules) for each in judged):
        return None
    found = mean_loss(judged)
    if found is None:
        return None
    gaps = [abs(found - each.median) for each in spreads]
    level = gaps.index(min(gaps)) + 1
    usual = [number for number, each in enumerate(spreads, 1) if each.low <= found <= each.high]
    return Estimate(level, min([level, *usual]), max([level, *usual]))


def spreads_of(rules: AnyRules) -> list[Spread] | None:
    """The spread of each level in a variant, the lowest level first; None if it was not measured."""
    definition = definition_of(rules)
    preset = next((name for name, each in definition.presets.items() if each.rules == rules), None)
    return _measured().get((definition.name, preset))


@cache
def _measured() -> dict[tuple[str, str | None], list[Spread]]:
    found: dict[tuple[str, str | None], list[Spread]] = {}
    rows: list[dict[str, Any]] = json.loads(read_text(FILE))["rows"]
    for row in sorted(rows, key=lambda row: int(row["level"])):
        found.setdefault((row["game"], row["preset"]), []).append(
            Spread(row["median"], row["low"], row["high"])
        )
    return found
