"""A tournament: every pair of agents, or every three or four of a table, in all rotations of the seats.

    ingenious tournament uniform greedy greedy:utility=concave --deals 500
    ingenious tournament greedy flat-mc:rollouts=200 --until-ci 0.02 --processes 2 --out runs/mc.jsonl
    ingenious tournament --players 4 uniform greedy greedy:utility=lowest greedy:utility=concave
    ingenious tournament value planner --game loopit --ray      # on a Ray cluster
    ingenious tournament --show runs/mc.jsonl                   # the report and the plots again
    ingenious tournament --show runs/mc.jsonl --replay 17       # game 17 of it, move by move

Each deal is played once in every rotation of the seats. The log has a line per game; started again with the
same agents and seed, a tournament continues where its log ends, after an interruption (Ctrl-C) or with more
deals. Neither that nor where it is played changes a result, unless an agent has a time limit.

With --luck the table also has luck-adjusted shares of the wins, whose intervals --until-ci then uses. It is
worthwhile if a game takes seconds.

With --until-ci W a group is done as soon as the 95 % interval of each pair is no wider than ±W,
checked every 20 deals; at the latest after --deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ingenious_agents.commands.command_line import (
    Agents,
    HalfWidth,
    Number,
    Variant,
    check_ignored,
    check_used,
    checking,
    command,
    hint,
    read,
)
from ingenious_agents.commands.logs import LogOptions, play_on, print_report
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.match import check_luck
from ingenious_agents.evaluation.plots import draw_report
from ingenious_agents.evaluation.replaying import numbered_game, replayed, seats_of
from ingenious_agents.evaluation.report import check_played, report, tables
from ingenious_agents.evaluation.tournament import GameResult, Tournament
from ingenious_env.engine.definition import definition_of
from ingenious_env.policies import has_draw_luck, luck_by_move

PROG = "ingenious tournament"


@dataclass(frozen=True)
class Args(LogOptions, Variant):
    """Command-line options."""

    agents: Agents = ()
    """two or more agents, named as in docs/reference/agents.md"""
    out: Path = Path("runs/tournament.jsonl")
    """the log"""
    until_ci: Annotated[HalfWidth, tyro.conf.arg(metavar="W"), hint("play all deals")] = None
    """stop a group once its intervals are within ±W"""
    luck: bool = False
    """measure the luck of the draw, too: narrower intervals for 10 to 40 milliseconds per game"""
    replay: Annotated[Number, hint("the report")] = None
    """with --show: game N of the log, group by group, from 0"""

    def check(self) -> None:
        """ValueError if options contradict each other."""
        super().check()
        if self.show is not None:
            check_used(self, "--show", ("show", "replay", "format", "plots", "processes"))
            if self.replay is not None:
                check_ignored(self, "--replay", ("format", "plots"))
        elif self.replay is not None:
            msg = "--replay needs --show LOG"
            raise ValueError(msg)
        if self.luck:
            check_luck(self.rules)


def replay(tournament: Tournament, game: GameResult) -> Iterator[str]:
    """A replayed game, a line per move, and the position at its end; InputError if its result differs."""
    with checking():
        session, seats = replayed(tournament, game), seats_of(tournament, game)
    definition = definition_of(tournament.rules)
    for number, turn in enumerate(session.turns):
        name, move = tournament.labels[seats[turn.seat]], definition.move_to_text(turn.move)
        yield f"{session.at(number).turn:3} seat {turn.seat + 1} {name}: {move}"
    yield session.game.to_text()
    if has_draw_luck(tournament.rules):
        with checking():
            luck = luck_by_move(session.record).sum(axis=0)
        each = (
            f"{tournament.labels[agent]} {mine:+z.2f}" for agent, mine in zip(game.seating, luck, strict=True)
        )
        yield f"luck of the draw, in shares of the win: {', '.join(each)}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, play, and report."""
    args = read(Args, arguments, PROG, __doc__, Variant)
    with command(PROG):
        if args.show is None:
            with checking():
                tournament = Tournament.of(args.rules, args.agents, args.seed, luck=args.luck)
            log = play_on(args, tournament, args.until_ci)
        else:
            with checking():
                log = Log.load(args.show)
        if args.replay is not None:
            with checking():
                game = numbered_game(log, args.replay)
            for line in replay(log.tournament, game):
                print(line)
            return
        with checking():
            check_played(log.tournament, log.games)
        figures = report(log.tournament, log.games)
        print_report(tables(figures), args.format, log, lambda stem: draw_report(figures, stem, args.plots))


if __name__ == "__main__":
    main()
