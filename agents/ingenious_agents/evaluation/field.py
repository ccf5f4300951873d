"""Published fields: for each preset of a game, agents whose ratings on the scale are fixed.

A field is a file of the package, made by `scripts/field.py` from duels of each agent with the next two below
it. Its ratings stay as they are when others are rated against it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import resources
from typing import Any

import numpy as np

from ingenious_agents.evaluation.duels import DuelPlan, Pair, copies_of, joined, plan_in, results_of
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.scale import ANCHOR, ANCHOR_RATING, Place, fit
from ingenious_agents.tables import Number, Table
from ingenious_env.engine.definition import AnyRules, definition_of, definitions

FORMAT = "ingenious field 1"
SEED = 2026
"""Of the deals of all fields, and of all agents that are rated against them."""
NEIGHBOURS = 2
"""Each agent of a field plays this many of the next weaker ones."""
SLOW, SLOW_SHARE = "value-search", 5
"""A kind of agent, and the divisor of its deals in solitaire, where it takes 0.2 seconds per move."""
FOLDER = resources.files("ingenious_agents") / "fields"


@dataclass(frozen=True)
class FieldAgent:
    """An agent of a field.

    Attributes:
        agent: its name.
        network: the digest of its weights, "" without any.
        rating: luck-adjusted.
        half_width: of the 95 % interval of that rating, given the anchor's.
        rating_plain: without subtraction of luck.
        half_width_plain: of its interval.
        seconds_per_move: mean.
    """

    agent: str
    network: str
    rating: float
    half_width: float
    rating_plain: float
    half_width_plain: float
    seconds_per_move: float


@dataclass(frozen=True)
class FieldDuel:
    """Results of two agents of a field: shares of the first one."""

    agent: str
    other: str
    games: int
    share: float
    share_luck_adjusted: float


@dataclass(frozen=True)
class Field:
    """The published agents of a variant, from the weakest to the strongest.

    Attributes:
        game: the name of the game.
        rules: the variant, as a text.
        agents: with their ratings.
        duels: by which they were rated.
        log: the SHA-256 of the log of these duels.
        made: the machine and the versions with which they were played.
    """

    game: str
    rules: str
    agents: tuple[FieldAgent, ...]
    duels: tuple[FieldDuel, ...]
    log: str
    made: dict[str, Any]

    @cached_property
    def text(self) -> str:
        """The field as JSON."""
        return json.dumps({"format": FORMAT, "seed": SEED, **asdict(self)}, indent=1) + "\n"

    @property
    def digest(self) -> str:
        """The SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def from_text(text: str) -> Field:
    """A field from its text."""
    values = json.loads(text)
    del values["format"], values["seed"]
    agents = tuple(FieldAgent(**each) for each in values.pop("agents"))
    duels = tuple(FieldDuel(**each) for each in values.pop("duels"))
    return Field(agents=agents, duels=duels, **values)


def file_of(game: str, preset: str) -> str:
    """The name of the file of a field."""
    return f"{game}-{preset}.json"


def field_of(rules: AnyRules) -> Field:
    """The published field of a variant; ValueError, with those that have one, if there is none."""
    known = []
    for game, definition in definitions().items():
        for preset, each in definition.presets.items():
            file = FOLDER / file_of(game, preset)
            if file.is_file():
                if each.rules == rules:
                    return from_text(file.read_text(encoding="utf-8"))
                known.append(f"{game} for {each.title}")
    text = definition_of(rules).rules_to_text(rules)
    msg = f"there is no published field of {text}; there are those of {', '.join(known)}"
    raise ValueError(msg)


def plan_of(rules: AnyRules, names: Sequence[str]) -> DuelPlan:
    """The duels by which agents are rated, given from the weakest to the strongest."""
    pairs: list[Pair] = [
        (one, other) for one in range(len(names)) for other in range(max(0, one - NEIGHBOURS), one)
    ]
    return DuelPlan.between(rules, names, pairs, SEED)


def deals_of(plan: DuelPlan, deals: int) -> dict[Pair, int]:
    """The number of deals of each duel: as given, or in solitaire fewer with slow agents."""
    if plan.rules.num_sheets > 1:
        return dict.fromkeys(plan.pairs, deals)
    names = plan.contestants
    slow = {pair for pair in plan.pairs if any(names[each].partition(":")[0] == SLOW for each in pair)}
    return {pair: max(1, deals // SLOW_SHARE) if pair in slow else deals for pair in plan.pairs}


def field_from(log: Log, deals: Mapping[Pair, int], digest: str, made: dict[str, Any]) -> Field:
    """The field whose duels a log has.

    Args:
        log: of a `plan_of`.
        deals: the number of each duel.
        digest: the SHA-256 of the log.
        made: the machine and the versions.

    Raises:
        ValueError: the anchor is not among the agents, or its games do not bound the rating of one.
    """
    plan = plan_in(log)
    names, copies = plan.contestants, copies_of(plan.rules)
    if ANCHOR not in names:
        msg = f"the field needs {ANCHOR}"
        raise ValueError(msg)
    given = np.where([name == ANCHOR for name in names], ANCHOR_RATING, np.nan)
    plain = [results_of(log, pair, deals[pair], adjusted=False) for pair in plan.pairs]
    less = [results_of(log, pair, deals[pair], adjusted=True) for pair in plan.pairs]
    places, places_plain = fit(joined(less), given), fit(joined(plain), given)
    definition = definition_of(plan.rules)
    agents = [
        FieldAgent(
            name,
            plan.networks[number * copies],
            *_rounded(places[number]),
            *_rounded(places_plain[number]),
            seconds_per_move(log, range(number * copies, (number + 1) * copies)),
        )
        for number, name in enumerate(names)
    ]
    duels = [
        FieldDuel(names[one], names[other], len(mine), _share(plainly.results), _share(mine.results))
        for (one, other), mine, plainly in zip(plan.pairs, less, plain, strict=True)
    ]
    text = definition.rules_to_text(plan.rules)
    ascending = tuple(sorted(agents, key=lambda each: each.rating))
    return Field(definition.name, text, ascending, tuple(duels), digest, made)


def _rounded(place: Place) -> tuple[float, float]:
    return round(place.rating, 1), round(place.half_width, 1)


def _share(results: Any) -> float:
    return round(float(results.mean()), 4)


def seconds_per_move(log: Log, members: Sequence[int]) -> float:
    """The mean time of a decision of some agents, given by number, in the games of a log."""
    seconds, decisions = 0.0, 0
    for game in log:
        for agent, of_agent, count in zip(game.seating, game.seconds, game.decisions, strict=True):
            if agent in members:
                seconds += of_agent
                decisions += count
    return float(f"{seconds / max(1, decisions):.3g}")


def table(field: Field) -> Table:
    """The agents, the strongest first."""
    rows, records = [], []
    has_luck = any(each.rating != each.rating_plain for each in field.agents)
    for each in reversed(field.agents):
        plain = str(Place(each.rating_plain, each.half_width_plain))
        rows.append(
            (
                each.agent,
                str(Place(each.rating, each.half_width)),
                *([plain] if has_luck else []),
                f"{each.seconds_per_move:.2g}",
            )
        )
        values: dict[str, Number] = asdict(each)
        records.append(values)
    return Table("field", ("agent", *rating_heads(has_luck=has_luck), "seconds per move"), rows, records)


def rating_heads(*, has_luck: bool) -> tuple[str, ...]:
    """The heads of the columns of ratings: the luck-adjusted one, if luck was measured, is the first."""
    return ("luck-adjusted rating", "rating") if has_luck else ("rating",)


def duel_table(field: Field) -> Table:
    """The duels by which the agents were rated."""
    rows = [
        (each.agent, each.other, f"{each.share:.1%}", f"{each.share_luck_adjusted:.1%}", str(each.games))
        for each in field.duels
    ]
    heads = ("agent", "against", "share", "luck-adjusted share", "games")
    return Table("duels", heads, rows, [dict(asdict(each)) for each in field.duels])
