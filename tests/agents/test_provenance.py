"""Provenance of figures: the commit is that of this code, not of whatever repository lies around it."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest
from ingenious_agents import provenance

GIT = shutil.which("git")
AUTHOR = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")


@pytest.mark.skipif(GIT is None, reason="git is not installed")
def test_the_commit_is_that_of_a_repository_that_has_the_code(tmp_path):
    """Not that of a project which has an environment with the package in its folder."""

    def git(*words):
        command = [GIT, *AUTHOR, *words]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    file = tmp_path / ".venv" / "ingenious_agents" / "provenance.py"
    file.parent.mkdir(parents=True)
    shutil.copy(Path(provenance.__file__), file)
    spec = importlib.util.spec_from_file_location("installed", file)
    installed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(installed)
    assert installed.machine()["commit"] is None
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "--message", "A project.")
    assert installed.machine()["commit"] is None
    git("add", str(file))
    git("commit", "--quiet", "--message", "Its copy of the code.")
    assert installed.machine()["commit"] == git("rev-parse", "HEAD").strip()
