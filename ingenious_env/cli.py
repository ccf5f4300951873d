"""The command `ingenious`, with subcommands for people: play, tournaments, pictures, data."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

from ingenious_env import __version__
from ingenious_env.engine.extras import needs
from ingenious_env.engine.printing import PLAIN, printing


class Command(NamedTuple):
    """A subcommand.

    Attributes:
        module: whose `main` takes the arguments after the subcommand's name.
        extra: with the libraries of the module.
        summary: one line for `ingenious --help`.
    """

    module: str
    extra: str
    summary: str


def _agents(name: str, extra: str, summary: str) -> Command:
    """A command of the package of agents, which is imported only to run it."""
    return Command(f"ingenious_agents.commands.{name}", extra, summary)


COMMANDS = {
    "play": _agents("play", "web", "play both games in a browser, against people and agents"),
    "page": _agents("page", "page", "both games as a folder of files, to play without a server"),
    "match": _agents("match", "play", "agents against each other"),
    "tournament": _agents("tournament", "play", "ratings of several agents, with a log to resume from"),
    "solitaire": _agents("solitaire", "play", "solitaire: agents on the same bags"),
    "optimise": _agents(
        "optimise", "play", "the best play of bags whose order is known, with an upper bound"
    ),
    "rate": _agents("rate", "play", "the rating of an agent on a fixed scale, with a card of its games"),
    "verify": _agents("verify", "play", "check such a card by replaying its games"),
    "solve": _agents("solve", "play", "the exact value of a small solitaire, or of the end of a game"),
    "score": _agents("score", "play", "what agents lose per move in positions with known values"),
    "curves": _agents("curves", "play", "the learning curves of several training runs in one plot"),
    "draw": _agents("draw", "play", "a picture, an animation or a page of a game"),
    "calibrate": _agents("calibrate", "play", "map the values of a network to chances of winning"),
    "dataset": _agents("dataset", "minari", "a Minari dataset for offline reinforcement learning"),
    "compile": Command(
        "ingenious_env.compile_all", "", "compile now all code that is otherwise compiled on first use"
    ),
    "completion": _agents("completion", "play", "print a script that completes commands in a shell"),
}
"""The subcommands by name."""


def write_any_sign() -> None:
    """Make standard output and error write every character, in ASCII where their encoding lacks it.

    One that was closed from the beginning drops it.
    """
    for name, mode in {"stdin": "r", "stdout": "w", "stderr": "w"}.items():  # each gets its number again
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAIN)


def help_text() -> str:
    """The answer to `ingenious --help`."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:{width}}  {each.summary}" for name, each in COMMANDS.items()]
    return "\n".join([
        "usage: ingenious COMMAND [ARGUMENTS]",
        "",
        "Ingenious and Loopit: play, benchmark agents, draw games, make data.",
        "",
        *lines,
        "",
        "`ingenious COMMAND --help` explains a command; `ingenious --version` prints the version.",
        "",
    ])  # fmt: skip


def load_games() -> None:
    """Import the games that installed packages offer as entry points of the group `ingenious_env.games`."""
    for game in entry_points(group="ingenious_env.games"):
        try:
            game.load()
        except Exception as error:
            sys.stderr.write(f"ingenious: the game {game.name} ({game.value}) cannot be loaded: {error}\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the subcommand that the first argument names."""
    write_any_sign()
    name, *rest = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if name in ("-h", "--help", "help"):
        with printing("ingenious"):
            sys.stdout.write(help_text())
        sys.exit(0)
    if name == "--version":
        with printing("ingenious"):
            sys.stdout.write(f"ingenious-env {__version__}\n")
        sys.exit(0)
    if name not in COMMANDS:
        sys.stderr.write(f"ingenious: COMMAND must be one of {', '.join(COMMANDS)}, not {name!r}\n")
        sys.exit(2)
    here = str(Path.cwd())
    if arguments is None and "" not in sys.path and here not in sys.path:
        sys.path.append(here)  # for an agent of one's own, as mine.Snatcher; `python -m` has it anyway
    load_games()
    chosen = COMMANDS[name]
    with needs(f"ingenious {name}", f"ingenious-env[{chosen.extra}]", ends=True):
        module = import_module(chosen.module)
    module.main(rest)


if __name__ == "__main__":
    main()
