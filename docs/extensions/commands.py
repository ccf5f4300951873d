"""The reference of commands, from their parsers."""

from __future__ import annotations

import io
import os
import re
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

from ingenious_env.cli import COMMANDS

WIDTH = "100"


def helps(_: Any, __: str) -> str:
    """The help of each command."""
    return "\n\n".join(f"## `ingenious {name}`\n\n```text\n{help_of(name)}\n```" for name in COMMANDS)


def help_of(name: str) -> str:
    """The output of `ingenious NAME --help`, without colours."""
    module = import_module(COMMANDS[name].module)
    shown = io.StringIO()
    columns = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = WIDTH
    try:
        with redirect_stdout(shown):
            module.main(["--help"])
    except SystemExit:
        pass
    finally:
        os.environ.pop("COLUMNS") if columns is None else os.environ.update(COLUMNS=columns)
    return re.sub(r"\x1b\[[\d;]*m", "", shown.getvalue()).strip()
