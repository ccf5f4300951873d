"""Two or more agents against each other, every deal once in each rotation of the seats.

    ingenious match greedy value --deals 500
    ingenious match greedy:utility=concave greedy tree --deals 200 --seed 7
    ingenious match value tree --partnership
    ingenious match greedy planner --game loopit
    ingenious match greedy value:path=runs/small/agent.safetensors --side 4 --colours 3

Agents are named as in docs/reference/agents.md; each has a score sheet. Prints each agent's share of the
wins, ties shared, with its 95 % interval, every game counted as an independent trial. With --luck also that
share less the luck of the draw, with its interval over deals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ingenious_agents import MatchResult, make_agent, play_match
from ingenious_agents.commands.command_line import (
    Agents,
    Count,
    Seed,
    SizedVariant,
    checking,
    command,
    read,
)
from ingenious_agents.evaluation.match import check_luck, check_match
from ingenious_agents.evaluation.statistics import Share
from ingenious_agents.evaluation.tournament import labels_of
from ingenious_agents.tables import Format, Table, numbered, written

PROG = "ingenious match"


@dataclass(frozen=True)
class Choice(SizedVariant):
    """Options that determine the defaults of the others."""

    agents: Agents = ()
    """an agent for each score sheet"""

    def defaults(self) -> Mapping[str, Any]:
        """As many players as there are agents, unless two share a sheet."""
        return {"players": min(4, max(2, len(self.agents))), **super().defaults()}


@dataclass(frozen=True)
class Args(Choice):
    """Command-line options."""

    deals: Count = 500
    """deals, each of which is played once in each rotation of the seats"""
    seed: Seed = 0
    """seed of the deals"""
    luck: bool = False
    """measure the luck of the draw, too, in a variant with a shipped network"""
    format: Format = "markdown"
    """of the table"""

    def check(self) -> None:
        """ValueError if options contradict each other, or there are too few agents."""
        super().check()
        if len(self.agents) < 2:
            msg = f"two or more agents are needed, not {len(self.agents)}"
            raise ValueError(msg)
        if self.luck:
            check_luck(self.rules)


def table(names: Sequence[str], result: MatchResult) -> Table:
    """A row per agent: share of wins, 95 % interval, and the mean counters from the lowest up."""
    rows, records = [], []
    for number, name in enumerate(names):
        sheets = result.scores[:, number].reshape(len(result.scores), -1)
        counters = np.sort(sheets, axis=1).mean(axis=0).tolist()
        means = " ".join(f"{counter:.1f}" for counter in counters)
        share = Share(result.share(number), *result.interval(number), result.games)
        less = result.adjusted(number)
        rows.append((name, str(share), *([] if less is None else [str(less)]), means))
        wins = share.numbers("wins") | ({} if less is None else less.numbers("wins_luck_adjusted"))
        what = numbered("counter", counters) if len(counters) > 1 else {"score": counters[0]}
        records.append({"agent": name, **wins, "games": result.games, **what})
    scores = "counters, lowest first" if result.scores.ndim > 2 else "score"
    heads = (
        f"{result.games} games",
        "wins",
        *(() if result.luck is None else ("luck-adjusted wins",)),
        scores,
    )
    return Table("agents", heads, rows, records)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play and print."""
    args = read(Args, arguments, PROG, __doc__, Choice)
    with command(PROG):
        with checking():
            agents = [make_agent(name) for name in args.agents]
            check_match(args.rules, agents)
        result = play_match(
            args.rules, agents, args.deals, args.seed, names=args.agents, luck=args.luck, progress=True
        )
        print(written([table(labels_of(args.agents), result)], args.format))


if __name__ == "__main__":
    main()
