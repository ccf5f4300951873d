"""Scripts run in this process, and what they say of wrong input; a training that is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
KILLED_ONCE_SAVED = """
import os, signal, sys
from scripts import {script}

save = {script}.save

def save_and_die(*arguments):
    save(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)

{script}.save = save_and_die
{script}.main(sys.argv[1:])
"""


def killed_once_saved(script: str, arguments: Sequence[str]) -> None:
    """Run a training in a process that is killed as soon as it has saved its first checkpoint."""
    command = [sys.executable, "-c", KILLED_ONCE_SAVED.format(script=script), *arguments]
    done = subprocess.run(command, cwd=ROOT, stderr=subprocess.DEVNULL, check=False)
    assert done.returncode == -signal.SIGKILL


def refused(capsys, script, *arguments: str) -> str:
    """A script's message on refused input: one sentence on standard error, with status 2."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as stopped:
        script.main(list(arguments))
    said = capsys.readouterr().err
    lines = [line for line in said.splitlines() if not line.startswith("ingenious_env: compiling")]
    assert stopped.value.code == 2, said
    assert len(lines) == 1, said
    assert lines[0].startswith(f"{script.PROG}: ")
    return lines[0]
