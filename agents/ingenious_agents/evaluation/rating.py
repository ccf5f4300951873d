"""The rating of an agent against a published field, whose own ratings stay fixed.

The agent plays the anchor first, then the agents of the field that are nearest to its estimated rating, until
its interval is narrow enough. Each choice depends only on results before it, so an interruption changes
nothing, and all deals are those of the field: deals 0, 1, 2 and so on of its seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ingenious_agents.evaluation.duels import DuelPlan, copies_of, joined, plan_in, results_of
from ingenious_agents.evaluation.field import SEED, Field, FieldAgent, seconds_per_move
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.scale import ANCHOR, Duels, Place, place
from ingenious_agents.evaluation.statistics import Share, share_by_deals
from ingenious_env.engine.definition import AnyRules

HALF_WIDTH, MOST_DEALS = 30.0, 1000
"""When to stop by default: half a 95 % interval in points, and deals against one opponent."""
FIRST_DEALS = 20
"""Deals against an opponent before another one is considered; later steps play more at once."""
GROWTH = 4
"""A step adds a quarter of all deals so far."""
NEAREST = 2
"""Opponents that the agent plays at a time, those whose ratings are nearest to its own."""
ME = 0
"""The number of the rated agent among the contestants of its plan; the field follows in its order."""

Deals = dict[str, int]


@dataclass(frozen=True)
class Against:
    """Results against an agent of the field.

    Attributes:
        opponent: the agent of the field.
        deals: that were played.
        share: of the duels, as in `Duels`.
        luck_adjusted: the same, luck-adjusted; equal where luck was not measured.
    """

    opponent: FieldAgent
    deals: int
    share: Share
    luck_adjusted: Share


@dataclass(frozen=True)
class Rating:
    """A rating.

    Attributes:
        place: on the scale, by luck-adjusted results.
        plain: by the results as they are.
        against: the results by opponent, from the weakest to the strongest.
        games: the number of games of the agent.
        seconds: the mean time per decision.
    """

    place: Place
    plain: Place
    against: tuple[Against, ...]
    games: int
    seconds: float


def rating_plan(rules: AnyRules, agent: str, field: Field, *, luck: bool = False) -> DuelPlan:
    """The duels of an agent with each agent of a field.

    Raises:
        ValueError: an agent cannot play, or has other weights now than when the field was made.
    """
    plan = DuelPlan.between(rules, (agent, *names_of(field)), pairs_of(field), SEED, luck=luck)
    for number, each in enumerate(field.agents, ME + 1):
        if plan.networks[number * copies_of(rules)] != each.network:
            msg = f"{each.agent} has other weights than in the published field: its rating is not known"
            raise ValueError(msg)
    return plan


def names_of(field: Field) -> tuple[str, ...]:
    """The agents of a field."""
    return tuple(each.agent for each in field.agents)


def pairs_of(field: Field) -> list[tuple[int, int]]:
    """The duels of an agent with each agent of a field."""
    return [(ME, other) for other in range(1, len(field.agents) + 1)]


def rating_of(log: Log, field: Field, deals: Mapping[str, int]) -> Rating:
    """The rating by a log.

    Args:
        log: of a `rating_plan`.
        field: of the opponents.
        deals: the number played against each opponent, by name.
    """
    plan = plan_in(log)
    against, opponents = [], []
    luck_adjusted: list[Duels] = []
    plain: list[Duels] = []
    for number, opponent in enumerate(field.agents, ME + 1):
        count = deals.get(opponent.agent, 0)
        if not count:
            continue
        both = [results_of(log, (ME, number), count, adjusted=less) for less in (False, True)]
        shares = [share_by_deals(duels.results, duels.deals) for duels in both]
        against.append(Against(opponent, count, *shares))
        opponents.append(np.full(len(both[0]), opponent.rating))
        plain.append(both[0])
        luck_adjusted.append(both[1])
    ratings, sheets = np.concatenate(opponents), plan.rules.num_sheets
    adjusted, unadjusted = joined(luck_adjusted), joined(plain)
    return Rating(
        place(adjusted.results, ratings, adjusted.deals),
        place(unadjusted.results, ratings, unadjusted.deals),
        tuple(against),
        max(deals.values()) if sheets == 1 else sheets * sum(deals.values()),
        seconds_per_move(log, (ME,)),
    )


def next_step(
    others: Sequence[FieldAgent], deals: Mapping[str, int], found: Place | None, half_width: float, most: int
) -> tuple[str, int] | None:
    """The opponent to play next and the deals against it in all; None if the rating is narrow enough.

    Args:
        others: the possible opponents.
        deals: the number played against each of them, by name.
        found: the place by these deals; None before the first.
        half_width: wanted, in points.
        most: deals against one opponent.
    """
    if found is None:
        names = [each.agent for each in others]
        return (ANCHOR if ANCHOR in names else names[len(names) // 2]), min(FIRST_DEALS, most)
    nearest = sorted(others, key=lambda each: abs(each.rating - found.rating))[:NEAREST]
    waiting = [each.agent for each in nearest if deals.get(each.agent, 0) < min(FIRST_DEALS, most)]
    if not waiting:
        if found.half_width <= half_width:
            return None
        waiting = [each.agent for each in nearest if deals[each.agent] < most]
    if not waiting:
        return None
    name = min(waiting, key=lambda each: deals.get(each, 0))
    more = max(FIRST_DEALS, sum(deals.values()) // GROWTH)
    return name, min(deals.get(name, 0) + more, most)


def rate(
    log: Log,
    field: Field,
    half_width: float,
    most: int,
    play: Callable[[str, int, Place | None], None],
) -> Deals:
    """Play until the rating is narrow enough.

    Args:
        log: of a `rating_plan`; it may have games already.
        field: of the opponents.
        half_width: wanted, in points.
        most: deals against one opponent.
        play: completes the log: an opponent by name, the deals against it in all, and the rating so far.

    Returns:
        The number of deals against each opponent, by name.
    """
    plan = log.tournament
    itself = (plan.agents[ME], plan.networks[ME])
    others = [each for each in field.agents if (each.agent, each.network) != itself]
    deals: Deals = {}
    found: Place | None = None
    while (step := next_step(others, deals, found, half_width, most)) is not None:
        name, wanted = step
        play(name, wanted, found)
        deals[name] = wanted
        found = rating_of(log, field, deals).place
    return deals
