"""Sets of positions whose actions have known values, by which agents are compared (see `losses.py`).

A set is a text of a line of JSON per position, each complete without the others, all of one variant:

    {"format": "ingenious positions 1", "game": "ingenious", "rules": …, "seed": [7, 12], "actions": [131, …],
     "group": "4 placements left", "values": {"93": 17.25, "220": 17.0}, "rollouts": null}

The position is that of `Game(rules, seed)` after the actions. `values` has the expected results of actions
for the seat to move: shares of the win, or in solitaire spaces of the lowest counter. They are exact and of
all legal actions, or they are estimates for some actions, made by rollouts (see `rollouts.py`):

    {"policy": "value:candidates=12", "network": "5e0c…", "number": 64, "best": 0.5312,
     "errors": {"93": 0.0442, "220": 0.0431}}

`errors` are the standard errors of the values, and `best` is the value of the best action (see
`value_of_best`). With these numbers any other action can be rolled out in the same way (see `estimated`).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from math import isfinite, sqrt
from pathlib import Path
from typing import Any

from ingenious_agents.evaluation.log import COMPRESSED, log_bytes
from ingenious_agents.evaluation.rollouts import FOLDS, deals_of, roll_out, value_of_best
from ingenious_agents.registry import chooses_code
from ingenious_env import GameBatch, Policy
from ingenious_env.engine.checks import check_action
from ingenious_env.engine.definition import AnyRules, definition_of, definitions
from ingenious_env.engine.files import written_whole
from ingenious_env.engine.seeding import split_seed
from ingenious_env.engine.text import lines_of

FORMAT = "ingenious positions 1"
KEYS = {"format", "game", "rules", "seed", "actions", "group", "values", "rollouts"}
FOLDER = Path(__file__).parent.parent / "positions"
ENDINGS, DISAGREEMENTS = "endings", "disagreements"
SUFFIXES = {ENDINGS: ".jsonl", DISAGREEMENTS: ".jsonl.gz"}
"""By kind of a set: solved endings, and positions in which strong agents differ."""
DIGITS = 4
MAX_QUOTE = 200
MAX_ROLLOUTS = 100_000


class PositionError(ValueError):
    """An invalid position, or one in which the value of a chosen action is not known."""


@dataclass(frozen=True)
class Rollouts:
    """How the values of a position's actions were estimated.

    Attributes:
        policy: the name of the agent that plays all seats.
        network: the digest of its weights, "" without any.
        number: of rollouts of each action.
        best: the value of the best action (see `value_of_best`).
        errors: standard errors by action.
    """

    policy: str
    network: str
    number: int
    best: float = 0.0
    errors: Mapping[int, float] = field(default_factory=dict)

    @property
    def kind(self) -> tuple[str, str, int]:
        """What all rollouts of a set have in common: policy, network, number."""
        return self.policy, self.network, self.number


@dataclass(frozen=True)
class Position:
    """A position with the values of its actions.

    Attributes:
        rules: the variant.
        seed: of the game, and its index.
        actions: flat, from the deal to the position.
        group: of the set to which it belongs, as a text for tables.
        values: the expected result by action.
        rollouts: how these were estimated; None if they are exact, and of all legal actions.
    """

    rules: Any
    seed: tuple[int, int]
    actions: tuple[int, ...]
    group: str
    values: Mapping[int, float]
    rollouts: Rollouts | None = None

    def game(self) -> Any:
        """The position."""
        game = definition_of(self.rules).game(self.rules, self.seed)
        for action in self.actions:
            game.play(action)
        return game

    @property
    def best(self) -> float:
        """The value of the best action, from which losses are counted."""
        return max(self.values.values()) if self.rollouts is None else self.rollouts.best

    def deals(self, number: int) -> GameBatch:
        """The deals of its rollouts (see `deals_of`)."""
        return deals_of(self.rules, self.game().state.memory, (*self.seed, len(self.actions)), number)


def path_of(game: str, preset: str, kind: str) -> Path:
    """The file of the package's set of this kind for a preset."""
    return FOLDER / f"{game}-{preset}-{kind}{SUFFIXES[kind]}"


def set_of(rules: AnyRules, kinds: Sequence[str] = (DISAGREEMENTS, ENDINGS)) -> Path:
    """The set of the package for a variant, of the first of these kinds that it has.

    Raises:
        ValueError: there is none; the message names the variants that have one.
    """
    known = []
    for game, definition in definitions().items():
        for preset, each in definition.presets.items():
            paths = [path_of(game, preset, kind) for kind in kinds]
            there = [path for path in paths if path.is_file()]
            if there and each.rules == rules:
                return there[0]
            if there:
                known.append(f"{game} for {each.title}")
    text = definition_of(rules).rules_to_text(rules)
    msg = f"there is no set of {' or '.join(kinds)} of {text}; there are those of {', '.join(known)}"
    raise ValueError(msg)


def estimated(
    positions: Sequence[Position], actions: Sequence[Sequence[int]], policy: Policy, rollouts: Rollouts
) -> list[Position]:
    """These positions with values of these actions.

    Args:
        positions: without values.
        actions: of each position, flat.
        policy: of the rollouts.
        rollouts: its name, the digest of its weights, and the number of rollouts, at least `FOLDS`.
    """
    deals = [each.deals(rollouts.number) for each in positions]
    jobs = [(number, action) for number, mine in enumerate(actions) for action in mine]
    results = roll_out(policy, [deals[number] for number, _ in jobs], [action for _, action in jobs])
    found, first = [], 0
    for position, mine in zip(positions, actions, strict=True):
        rows = results[first : first + len(mine)]
        first += len(mine)
        errors = rows.std(axis=1, ddof=1) / sqrt(rollouts.number)
        found.append(
            replace(
                position,
                values={action: _rounded(row.mean()) for action, row in zip(mine, rows, strict=True)},
                rollouts=replace(
                    rollouts,
                    best=_rounded(value_of_best(rows)),
                    errors={action: _rounded(error) for action, error in zip(mine, errors, strict=True)},
                ),
            )
        )
    return found


def _rounded(value: float) -> float:
    return round(float(value), DIGITS)


def write_positions(path: Path, positions: Iterable[Position]) -> None:
    """Write a set, compressed if the name ends in .gz."""
    lines = []
    for each in positions:
        definition = definition_of(each.rules)
        values = {
            "format": FORMAT,
            "game": definition.name,
            "rules": definition.rules_to_text(each.rules),
            "seed": each.seed,
            "actions": each.actions,
            "group": each.group,
            "values": {action: _rounded(value) for action, value in each.values.items()},
            "rollouts": each.rollouts and asdict(each.rollouts),
        }
        lines.append(json.dumps(values, separators=(",", ":")))
    content = "".join(f"{line}\n" for line in lines).encode()
    with written_whole(path) as partial:
        partial.write_bytes(gzip.compress(content, mtime=0) if path.suffix == COMPRESSED else content)


def read_positions(path: Path) -> list[Position]:
    """Read a set, which may be compressed.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is not a set of positions.
    """
    try:
        found = [_position(line) for line in lines_of(log_bytes(path).decode())]
    except OSError:
        raise
    except Exception as error:  # a damaged file may raise any
        msg = f"{path} is not a set of positions: {str(error)[:MAX_QUOTE]}"
        raise ValueError(msg) from error
    if not found:
        msg = f"{path} has no positions"
        raise ValueError(msg)
    kinds = {(each.rules, each.rollouts and each.rollouts.kind) for each in found}
    if len(kinds) > 1:
        msg = f"{path} is not a set of positions: they are of {len(kinds)} variants or kinds of rollouts"
        raise ValueError(msg)
    return found


def _position(line: str) -> Position:
    values = json.loads(line)
    if not isinstance(values, dict) or values.get("format") != FORMAT or values.keys() != KEYS:
        msg = f"a line must be an object of the format {FORMAT!r} with {', '.join(sorted(KEYS))}"
        raise ValueError(msg)
    rules = definitions()[values["game"]].text_to_rules(values["rules"])
    rollouts = values["rollouts"]
    position = Position(
        rules,
        split_seed(tuple(values["seed"])),
        tuple(map(check_action, values["actions"])),
        str(values["group"]),
        _numbers(values["values"]),
        None if rollouts is None else _rollouts(rollouts),
    )
    if not position.values:
        msg = f"a position must have the value of an action or more: {line[:60]!r}"
        raise ValueError(msg)
    return position


def _rollouts(values: Any) -> Rollouts:
    names = {each.name for each in fields(Rollouts)}
    if not isinstance(values, dict) or values.keys() != names:
        msg = f"rollouts must be null or an object with {', '.join(sorted(names))}"
        raise ValueError(msg)
    if type(values["number"]) is not int or not FOLDS <= values["number"] <= MAX_ROLLOUTS:
        msg = f"the number of rollouts must be from {FOLDS} to {MAX_ROLLOUTS}, not {values['number']!r}"
        raise ValueError(msg)
    if not isinstance(values["policy"], str) or chooses_code(values["policy"]):
        msg = f"the policy of rollouts must be an agent of the package, not {values['policy']!r}"
        raise ValueError(msg)
    (best,) = _numbers({0: values["best"]}).values()
    return Rollouts(
        values["policy"], str(values["network"]), values["number"], best, _numbers(values["errors"])
    )


def _numbers(values: Mapping[Any, Any]) -> dict[int, float]:
    """Finite numbers by action; ValueError otherwise."""
    found = {int(action): float(value) for action, value in values.items()}
    if not all(map(isfinite, found.values())):
        msg = f"values must be finite numbers, not {values!r}"
        raise ValueError(msg)
    return found
