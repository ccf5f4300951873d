"""The value of knowing hidden tiles: duels of oracles with `value`, with two players.

    python -m scripts.oracles                                # Ingenious
    python -m scripts.oracles --game loopit --deals 200

An oracle plays by the same network as `value`, and knows the tiles that are drawn next, the rack of the
other, both, or nothing that its seat does not know (`ingenious_agents/value/oracle.py`). It looks ahead to
its next turn, or further. The log has a line per game; started again, the script continues where its log
ends, and reports. In solitaire oracles play in studies: `ingenious solitaire value oracle:tiles=1`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from ingenious_agents.commands.command_line import (
    Count,
    Counts,
    GameName,
    Seed,
    checking,
    command,
    read,
    writable,
)
from ingenious_agents.commands.logs import Workers, opened, workers_of
from ingenious_agents.evaluation.duels import DuelPlan, results_of
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.scheduler import Schedule, run
from ingenious_agents.evaluation.solitaire import half_width
from ingenious_agents.evaluation.statistics import share_by_deals
from ingenious_agents.evaluation.tournament import GameResult
from ingenious_agents.registry import AGENTS
from ingenious_agents.tables import Format, Table, written
from ingenious_agents.value.oracle import MAX_TILES
from numpy.typing import NDArray

from ingenious_env.engine.definition import definitions

PROG = "python -m scripts.oracles"
KNOWN = {
    "nothing": "",
    "the next tile": ",tiles=1",
    "the next two tiles": ",tiles=2",
    "the other rack": ",racks=1",
    "the other rack and the bag": f",tiles={MAX_TILES},racks=1",
}
"""By what an oracle knows, its parameters."""


@dataclass(frozen=True)
class Args(Workers):
    """Command-line options."""

    game: GameName = "ingenious"
    """the game"""
    deals: Count = 100
    """deals of each duel, each played from both seats"""
    horizon: Counts = (1, 4)
    """turns to which oracles look ahead"""
    worlds: Count = 8
    """deals of the unknown tiles per move"""
    seed: Seed = 38
    """of the deals"""
    out: Path = Path("runs/oracles.jsonl")
    """the log"""
    format: Format = "markdown"
    """of the table"""

    def check(self) -> None:
        """Do nothing, as no options contradict each other."""


@dataclass(frozen=True)
class OracleDuels(DuelPlan):
    """Duels of oracles with an agent; `seconds` of a game is its CPU time, half of it for each sheet."""

    KINDS: ClassVar[Mapping[str, str]] = {**AGENTS, "oracle": "ingenious_agents.value.oracle:Oracle"}

    def play(
        self, group: Sequence[int], deals: range, agents: Mapping[int, Any] | None = None
    ) -> list[GameResult]:
        """All games of a group on some deals."""
        began = time.process_time()
        games = super().play(group, deals, agents)
        each = round((time.process_time() - began) / len(games) / len(group), 6)
        return [replace(game, seconds=[each] * len(group)) for game in games]


def ladder(args: Args) -> OracleDuels:
    """The plan: each oracle against `value`, which is the first contestant."""
    oracles = [
        f"oracle:horizon={horizon},worlds={args.worlds}{known}"
        for horizon in args.horizon
        for known in KNOWN.values()
    ]
    pairs = [(number, 0) for number in range(1, len(oracles) + 1)]
    return OracleDuels.between(
        definitions()[args.game].presets["two"].rules, ["value", *oracles], pairs, args.seed
    )


def table(log: Log, args: Args) -> Table:
    """A row for each oracle."""
    heads = (
        "horizon",
        "known",
        "wins against value",
        "more than with nothing",
        "games",
        "CPU seconds per game",
    )
    rows, records, blind = [], [], np.zeros(0)
    rungs = [(horizon, known) for horizon in args.horizon for known in KNOWN]
    for number, (horizon, known) in enumerate(rungs, 1):
        duels = results_of(log, (number, 0), args.deals, adjusted=False)  # luck is not 0 for an oracle
        share, of_deal = share_by_deals(duels.results, duels.deals), by_deal(duels.results, duels.deals)
        if known == "nothing":
            blind = of_deal
        more = of_deal - blind
        gain, error = float(more.mean()), half_width(more)
        seconds = float(np.mean([sum(game.seconds) for game in log.games[0, number]]))
        told = "" if known == "nothing" else f"{gain:+.1%} ± {error:.1%}"
        rows.append((str(horizon), known, str(share), told, str(share.games), f"{seconds:.2g}"))
        records.append(
            {
                "horizon": horizon,
                "known": known,
                **share.numbers("wins"),
                "gain": gain,
                "gain_half_width": error,
                "games": share.games,
                "cpu_seconds_per_game": seconds,
            }
        )
    return Table("oracles", heads, rows, records)


def by_deal(results: NDArray[np.float64], deals: NDArray[np.int64]) -> NDArray[np.float64]:
    """The mean result of each deal."""
    return np.asarray(np.bincount(deals, results) / np.bincount(deals))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play and print the table."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            plan, path = ladder(args), writable(args.out)
        with opened(path, plan) as log, workers_of(args, plan) as (executor, workers):
            run(Schedule(log, args.deals, None), executor, workers)
        print(written([table(log, args)], args.format))


if __name__ == "__main__":
    main()
