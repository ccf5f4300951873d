"""The message that names the extra to install where a library is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

OURS = ("ingenious_agents", "ingenious_env", "scripts")  # modules that belong to no extra


@contextmanager
def needs(what: str, install: str, *, ends: bool = False) -> Iterator[None]:
    """Name the extra to install if the block imports a missing library.

    Args:
        what: needs it, as the beginning of the sentence.
        install: what `pip install` takes, as "ingenious-env[torch]", or several packages.
        ends: whether to exit with the sentence; by default it is the message of the error.

    Raises:
        ModuleNotFoundError: with the sentence.
        SystemExit: the same, for programs.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in OURS:
            raise
        packages = " ".join(f"'{each}'" if "[" in each else each for each in install.split())
        sentence = f"{what} needs {missing}, which is not installed: pip install {packages}"
        if ends:
            sys.exit(sentence)
        raise ModuleNotFoundError(sentence, name=error.name) from None
