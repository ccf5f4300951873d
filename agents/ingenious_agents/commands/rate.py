"""The rating of an agent on a fixed scale, on which `greedy` has 1000 points.

    ingenious rate greedy:utility=concave
    ingenious rate mine.Snatcher --players 3 --half-width 40 --processes 2
    ingenious rate process:command="node my_agent.js" --format latex
    ingenious rate --show runs/rating/*.json      # a table of all

The agent plays `greedy`, then those agents of the published field whose ratings are nearest to its own, until
the 95 % interval is narrow enough. 400 points are ten times the odds of a win. Only the agent is rated: the
field's ratings are fixed, so that of nobody else changes.

For one and two players, the agent also plays the solved endings of `ingenious score`. Its losses are on the
card.

The result is a card and, next to it, the log of all games, by which `ingenious verify CARD` checks the card.
An interrupted command continues from the log.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from ingenious_agents.commands.command_line import (
    Agents,
    Count,
    InputError,
    Positive,
    Variant,
    check_used,
    checking,
    command,
    hint,
    read,
    writable,
)
from ingenious_agents.commands.logs import Workers, opened, workers_of
from ingenious_agents.evaluation.card import (
    against_table,
    card_of,
    log_digest,
    read_card,
    table,
    write_card,
)
from ingenious_agents.evaluation.duels import DuelPlan
from ingenious_agents.evaluation.endings import chosen_in, endings_of, endings_path, endings_table
from ingenious_agents.evaluation.field import Field, field_of
from ingenious_agents.evaluation.log import Log, read_line
from ingenious_agents.evaluation.match import check_luck, naming
from ingenious_agents.evaluation.positions import PositionError
from ingenious_agents.evaluation.rating import HALF_WIDTH, ME, MOST_DEALS, names_of, rate, rating_plan
from ingenious_agents.evaluation.scale import Place
from ingenious_agents.evaluation.scheduler import Schedule, run
from ingenious_agents.provenance import command_of
from ingenious_agents.registry import make_agent
from ingenious_agents.tables import Format, written
from ingenious_env.engine.definition import definition_of
from ingenious_env.engine.files import digest

PROG = "ingenious rate"
FOLDER = Path("runs/rating")
LEFT_OUT = ("agents", "out", "show", "format", "processes", "ray")
"""Arguments that the command on a card leaves out: they do not change the result."""


@dataclass(frozen=True)
class Args(Workers, Variant):
    """Command-line options."""

    agents: Agents = ()
    """the agent, named as in docs/reference/agents.md"""
    half_width: Positive = HALF_WIDTH
    """half-width of the 95 % interval at which to stop, in points"""
    deals: Count = MOST_DEALS
    """deals against one opponent, at most"""
    luck: bool = False
    """subtract the luck of the draw at tables for two and more, too: for 10 to 40 milliseconds per game"""
    out: Annotated[Path | None, tyro.conf.arg(metavar="CARD"), hint("runs/rating/AGENT-GAME-PRESET.json")] = (
        None
    )
    """the card; the log next to it ends in .jsonl"""
    show: Annotated[tuple[Path, ...], tyro.conf.arg(metavar="CARD"), hint("play")] = ()
    """print cards instead of playing"""
    format: Format = "markdown"
    """of the tables; csv has the first only"""

    def check(self) -> None:
        """ValueError if options contradict each other."""
        super().check()
        if self.show:
            check_used(self, "--show", ("show", "format", "processes"))
        elif len(self.agents) != 1:
            msg = f"one agent is rated at a time, not {len(self.agents)}"
            raise ValueError(msg)
        if self.out is not None and self.out.suffix != ".json":
            msg = f"out must end in .json, not {self.out.name!r}"
            raise ValueError(msg)
        if self.luck:
            check_luck(self.rules)


def default_card(args: Args) -> Path:
    """The card's path, by the agent and the preset; with a digest of a name that is not all there."""
    definition = definition_of(args.rules)
    preset = next(name for name, each in definition.presets.items() if each.rules == args.rules)
    name = re.sub(r"[^\w.=-]+", "-", args.agents[0])[:80].strip("-.")
    if name != args.agents[0]:
        name += f"-{digest(args.agents[0].encode())}"
    return FOLDER / f"{name}-{definition.name}-{preset}.json"


def command_text(args: Args) -> str:
    """The command that repeats a rating, without the options that do not change it."""
    return command_of(shlex.join([*PROG.split(), *args.agents]), args, LEFT_OUT)


def check_own(card: Path, plan: DuelPlan) -> None:
    """ValueError if a file is the card of another agent, or its log has games that are not of the plan."""
    path, agent = card.with_suffix(".jsonl"), plan.agents[ME]
    if card.exists() and (other := read_card(card)["agent"]) != agent:
        msg = f"{card} is the card of {other}, not of {agent}; give another --out, or remove it"
        raise ValueError(msg)
    others = Log.read(path, plan).others if path.exists() else []
    if others:
        names = " and ".join(read_line(others[0]).labels)
        msg = f"{path} is not the log of {agent}: it has games of {names}; give another --out, or remove it"
        raise ValueError(msg)


def play(args: Args, plan: DuelPlan, field: Field, card: Path) -> None:
    """Play until the rating is narrow enough, and write the card."""
    path = card.with_suffix(".jsonl")
    with opened(path, plan) as log:
        with workers_of(args, plan) as (executor, workers):
            was_asked = False  # to stop, once the deals in hand are played

            def more(opponent: str, deals: int, so_far: Place | None) -> None:
                nonlocal was_asked
                number = names_of(field).index(opponent) + 1
                schedule = Schedule(log, dict.fromkeys(plan.groups_of((ME, number)), deals), None)
                title = f"{'' if so_far is None else f'{so_far}, '}against {opponent}"
                if not schedule.is_done:
                    if was_asked:
                        raise KeyboardInterrupt
                    was_asked = run(schedule, executor, workers, title=title)

            deals = rate(log, field, args.half_width, args.deals, more)
        log.save()  # its digest is on the card
        values = card_of(log, field, deals, log_digest(path))
        values["endings"] = endings(args)
        write_card(card, values, command_text(args))  # while no other process can change the log
    half_width = values["rating"]["half_width"]
    if half_width is None:
        print("no bound on one side: the agent wins or loses all duels with its neighbours", file=sys.stderr)
    elif half_width > args.half_width:
        message = (
            f"the interval is still wider than ±{args.half_width:g} after {args.deals} deals per opponent"
        )
        print(message, file=sys.stderr)


def endings(args: Args) -> dict[str, Any] | None:
    """What the agent chooses and loses in the endings of the preset; None if there are none."""
    path = endings_path(args.rules)
    if path is None:
        return None
    try:
        with naming(args.agents[0]):
            return endings_of(path, chosen_in(make_agent(args.agents[0]), path))
    except PositionError as error:
        raise InputError(str(error)) from error


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, write the card and print it."""
    args = read(Args, arguments, PROG, __doc__, Variant)
    with command(PROG):
        cards = args.show
        if not cards:
            with checking():
                field = field_of(args.rules)
                plan = rating_plan(args.rules, args.agents[0], field, luck=args.luck)
                card = writable(args.out or default_card(args))
                check_own(card, plan)
            play(args, plan, field, card)
            print("card:", card, file=sys.stderr)
            cards = (card,)
        with checking():
            values = [read_card(each) for each in cards]
        alone = [against_table(values[0])] if len(values) == 1 else []
        if len(values) == 1 and values[0]["endings"] is not None:
            alone.append(endings_table(values[0]["endings"]))
        print(written([table(values), *alone], args.format))


if __name__ == "__main__":
    main()
