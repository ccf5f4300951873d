"""A script that completes the commands of `ingenious`, their options and their values in a shell.

    ingenious completion bash > ~/.local/share/bash-completion/completions/ingenious
    ingenious completion zsh > ~/.zfunc/_ingenious                # with ~/.zfunc in fpath

Prints the script.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from operator import or_
from typing import Annotated, Any, Literal

import tyro

from ingenious_agents.commands.command_line import CONFIG, REGISTRY, command, read
from ingenious_env.cli import COMMANDS

PROG = "ingenious completion"


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    shell: Annotated[Literal["bash", "zsh"], tyro.conf.Positional]
    """the shell"""

    def check(self) -> None:
        """Do nothing, as all choices are valid."""


@dataclass(frozen=True)
class NoArguments:
    """Arguments of a command that takes none."""


def script(shell: str) -> str:
    """The script for a shell, of the commands whose libraries are installed."""
    kinds: list[Any] = []
    for name, each in COMMANDS.items():
        with suppress(ImportError):
            module = import_module(each.module)
            kind = getattr(module, "Args", NoArguments)
            kinds.append(Annotated[kind, tyro.conf.subcommand(name, description=each.summary)])
    every: Any = reduce(or_, kinds)
    output = io.StringIO()
    with redirect_stdout(output), suppress(SystemExit):
        tyro.cli(
            every,
            prog="ingenious",
            args=["--tyro-print-completion", shell],
            config=CONFIG,
            registry=REGISTRY,
        )
    return output.getvalue()


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and print the script."""
    args = read(Args, arguments, PROG, __doc__)
    with command(PROG):
        sys.stdout.write(script(args.shell))


if __name__ == "__main__":
    main()
