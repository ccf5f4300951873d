"""The browser game with agents of the catalogue, and games from files.

    ingenious play                                          # all agents with default parameters
    ingenious play tree:rollouts=2000 value value:path=runs/value/agent.safetensors
    ingenious play --open runs/mc.jsonl --replay 17         # game 17 of a tournament, move by move
    ingenious play --open game.txt                          # a record or a position
    ingenious play --language de                            # in German

Serves the game on this machine and opens a browser. Agents are named as in docs/reference/agents.md; hints
come from them, too, and moves are judged by `value` if it is among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from ingenious_agents import make_agent
from ingenious_agents.commands.command_line import Agents, Number, Port, checking, command, hint, read
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.replaying import numbered_game, replayed, seats_of
from ingenious_agents.registry import AGENTS, NEED_PARAMETERS, chooses_code
from ingenious_env import Policy, languages
from ingenious_env.engine.definition import AnyDefinition
from ingenious_env.engine.files import read_text
from ingenious_env.engine.records import read_game
from ingenious_env.web.tables import HUMAN

PROG = "ingenious play"
LEVEL = "level"
"""The kind that is offered as ten agents."""


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    agents: Agents = ()
    """agents that can be chosen; by default all that need no file, and the levels"""
    open: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), hint("a new game")] = None
    """a record, a position or the log of a tournament"""
    replay: Annotated[Number, hint("none")] = None
    """with the log of a tournament: game N of it, group by group, from 0"""
    host: str = "127.0.0.1"
    """address to listen at"""
    port: Port = 8417
    """port to listen at, 0 for any"""
    allow_host: Annotated[
        tuple[str, ...], tyro.conf.UseAppendAction, tyro.conf.arg(metavar="HOST:PORT"), hint("none")
    ] = ()
    """another address of the server, such as that of a forwarded port; may be repeated"""
    no_browser: bool = False
    """open no browser"""
    language: str = languages.ENGLISH
    """language of the page, such as de"""
    folder: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER"), hint("a folder of this user's")] = None
    """the folder of saved games"""

    def check(self) -> None:
        """ValueError if options contradict each other, or there is no such language."""
        languages.check(self.language)
        if self.replay is not None and self.open is None:
            msg = "--replay needs --open LOG"
            raise ValueError(msg)


def catalogue() -> list[str]:
    """The names of all agents that need no parameters, without the levels."""
    return [name for name in AGENTS if name not in NEED_PARAMETERS and name != LEVEL]


def maker(name: str) -> Any:
    """The factory of an agent for any game; the agent itself refuses games that it does not play."""

    def make(_game: AnyDefinition) -> Policy:
        return make_agent(name)

    return make


def game_of_log(path: Path, number: int) -> tuple[str, list[str]]:
    """The record of a game of a log, and the agents by seat; ValueError if its actions do not fit its result.

    Agents that the log cannot be trusted to name are replaced by a person.
    """
    log = Log.load(path)
    game = numbered_game(log, number)
    names = [log.tournament.agents[agent] for agent in seats_of(log.tournament, game)]
    seats = [HUMAN if chooses_code(name) else name for name in names]
    return replayed(log.tournament, game).record.to_text(), seats


def options_of(args: Args) -> tuple[dict[str, Any], list[str]]:
    """Options of the server, as the fields of its `Options`, and the names of the agents."""
    names, text = list(args.agents) or catalogue(), ""
    seats: list[str] = []
    if args.open is not None and args.replay is not None:
        text, seats = game_of_log(args.open, args.replay)
    elif args.open is not None:
        text = read_text(args.open)
        if text.lstrip().startswith("{"):
            msg = f"{args.open} looks like the log of a tournament: name one of its games by --replay"
            raise ValueError(msg)
    names = list(dict.fromkeys([*names, *(seat for seat in seats if seat != HUMAN)]))
    shown = {"text": text, "seats": tuple(seats)}
    return {
        "host": args.host,
        "port": args.port,
        "browser": not args.no_browser,
        "folder": args.folder,
        "allowed": args.allow_host,
        **shown,
    }, names


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and serve."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        with checking():
            from ingenious_env.web.server import Options, serve  # noqa: PLC0415 - needs the extra `web`
            from ingenious_env.web.tables import Agent, level_agents  # noqa: PLC0415 - the same

            fields, names = options_of(args)
            options = Options(**fields)
            for name in names:
                make_agent(name)  # raises at once if there is none
            if options.text:
                read_game(options.text)
        levels = [] if args.agents else level_agents()
        languages.choose(args.language)
        serve(options, [*(Agent(name, maker(name)) for name in names), *levels])


if __name__ == "__main__":
    main()
