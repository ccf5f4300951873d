"""The published field of a preset: plays the duels of its agents, and writes their ratings into the package.

    python -m scripts.field two                        # Ingenious for two players
    python -m scripts.field three --game loopit --deals 300
    python -m scripts.field two --show                 # the field as it is

Each agent plays the next two below it. The log goes to `runs/field`; an interrupted command continues from
there. To be repeated when an agent of the field changes: all ratings that were measured against it are then
out of date.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from ingenious_agents.commands.command_line import (
    Count,
    GameName,
    check_used,
    checking,
    command,
    hint,
    read,
    writable,
)
from ingenious_agents.commands.logs import Workers, opened, workers_of
from ingenious_agents.evaluation.card import log_digest
from ingenious_agents.evaluation.field import (
    FOLDER,
    deals_of,
    duel_table,
    field_from,
    field_of,
    file_of,
    plan_of,
    table,
)
from ingenious_agents.evaluation.scheduler import Schedule, run
from ingenious_agents.provenance import machine
from ingenious_agents.tables import Format, written

from ingenious_env.engine.definition import definitions
from ingenious_env.engine.files import write_text

PROG = "python -m scripts.field"


def _mixtures(*shares: float) -> tuple[str, ...]:
    """Agents between `uniform` and `greedy`, by the share of random moves."""
    return ("uniform", *(f"greedy:epsilon={each}" for each in shares), "greedy")


FIELDS = {
    "ingenious": {
        "solitaire": (
            *_mixtures(0.9, 0.7, 0.4),
            "greedy:utility=concave",
            "tree:rollouts=30",
            "tree:rollouts=200",
            "value",
            "value-search",
        ),
        "two": (
            *_mixtures(0.75, 0.5, 0.2),
            "tree:rollouts=60",
            "tree:rollouts=200",
            "value:candidates=12",
            "value",
            "value-search",
        ),
        "three": (*_mixtures(0.75, 0.45, 0.2), "tree:rollouts=200", "value:candidates=8", "value"),
        "four": (*_mixtures(0.75, 0.45, 0.2), "tree:rollouts=200", "value"),
        "partnership": (
            *_mixtures(0.75, 0.5, 0.3, 0.15),
            "value:candidates=3",
            "value:candidates=8",
            "value:candidates=16",
            "value",
        ),
    },
    "loopit": {
        "two": (*_mixtures(0.75, 0.4), "flat-mc:rollouts=200", "planner:width=64", "value"),
        "three": (*_mixtures(0.75, 0.4), "flat-mc:rollouts=200", "planner:width=64", "value"),
        "four": (*_mixtures(0.75, 0.4), "flat-mc:rollouts=200", "planner:width=64", "value"),
    },
}
"""The agents of each preset, from the weakest to the strongest: neighbours win 10 to 90 % of their duels."""
DEALS = {
    "ingenious": {"solitaire": 1000, "two": 250, "partnership": 1000},
    "loopit": {"two": 200},
}
"""Deals of each duel of the published fields; 150 in the others, where agents take longer."""
Preset = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PRESET")]


@dataclass(frozen=True)
class Args(Workers):
    """Command-line options."""

    preset: Preset = ""
    """the preset, such as solitaire, two or partnership"""
    game: GameName = "ingenious"
    """its game"""
    deals: Annotated[Count | None, tyro.conf.arg(metavar="N"), hint("as in the published field")] = None
    """deals of each duel; a fifth in solitaire with slow agents"""
    show: bool = False
    """print the field as it is"""
    format: Format = "markdown"
    """of the table"""

    def check(self) -> None:
        """ValueError if there is no such preset."""
        known = FIELDS[self.game]
        if self.preset not in known:
            msg = f"preset must be one of {', '.join(known)}, not {self.preset!r}"
            raise ValueError(msg)
        if self.show:
            check_used(self, "--show", ("preset", "game", "show", "format", "processes"))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, write the field and print it."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        rules = definitions()[args.game].presets[args.preset].rules
        if not args.show:
            name = file_of(args.game, args.preset)
            with checking():
                plan = plan_of(rules, FIELDS[args.game][args.preset])
                path = writable(Path("runs/field") / name).with_suffix(".jsonl")
            with opened(path, plan, option="") as log, workers_of(args, plan) as (executor, workers):
                deals = deals_of(plan, args.deals or DEALS[args.game].get(args.preset, 150))
                run(Schedule(log, plan.deals_by_group(deals), None), executor, workers)
                log.save()
                with checking():
                    field = field_from(log, deals, log_digest(path), machine())
            write_text(Path(str(FOLDER)) / name, field.text)
        with checking():
            field = field_of(rules)
        print(written([table(field), duel_table(field)], args.format))


if __name__ == "__main__":
    main()
