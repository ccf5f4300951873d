"""Importing is light, compilation happens once with a notice, and the documentation is correct."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from ingenious_agents.commands import draw

import ingenious_env
from ingenious_env import __version__

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )


def test_import_is_light_and_compiles_nothing(tmp_path):
    # Numba looks for the version of SciPy, if it is installed, and imports no more of it.
    heavy = ("torch", "stable_baselines3", "matplotlib", "pygame", "scipy.linalg", "pandas", "pyspiel")
    found = run(
        f"import ingenious_env, sys; print([name for name in {heavy} if name in sys.modules])",
        NUMBA_CACHE_DIR=str(tmp_path),
    )
    assert (found.stdout, found.stderr) == ("[]\n", "")
    assert not list(tmp_path.iterdir())


def test_the_first_step_compiles_once_and_says_so(tmp_path):
    code = (
        "import ingenious_env as i; game = i.Game(seed=1); game.play(game.random_action()); print(game.turn)"
    )
    cold = run(code, NUMBA_CACHE_DIR=str(tmp_path))
    notice = (
        r"ingenious_env: compiling for the first time with this version: \w+ of ingenious, number \d+, "
        r"up to \d+ more follow; `ingenious compile` compiles all at once\."
    )
    assert cold.stderr
    assert all(re.fullmatch(notice, line) for line in cold.stderr.splitlines())
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert kept
    cached = run(code, NUMBA_CACHE_DIR=str(tmp_path))
    assert cached.stderr == ""
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == kept
    assert cold.stdout == cached.stdout == "1\n"


def test_the_version_is_that_of_the_distribution():
    assert __version__ == version("ingenious-env")


def test_what_the_package_offers():
    assert set(ingenious_env.__all__) >= {
        "Game", "GameBatch", "IllegalActionError", "InconsistentStateError", "Place", "Policy", "Rules",
        "View", "__version__", "ingenious_v0",
    }  # fmt: skip
    assert all(hasattr(ingenious_env, name) for name in ingenious_env.__all__)


def test_the_readme_s_animation_is_what_its_command_draws(tmp_path):
    """Except for differences of colours by another rasterizer or palette."""
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("pylunasvg")
    (arguments,) = re.findall(r"ingenious draw (.*) --out \.assets/game\.gif", README)
    draw.main([*arguments.split(), "--out", str(tmp_path / "game.gif")])
    paths = (ROOT / ".assets" / "game.gif", tmp_path / "game.gif")
    with image.open(paths[0]) as shown, image.open(paths[1]) as drawn:
        assert shown.n_frames == drawn.n_frames > 30
        for number in range(0, shown.n_frames, 6):
            shown.seek(number)
            drawn.seek(number)
            pixels = [np.asarray(each.convert("RGB")).astype(int) for each in (shown, drawn)]
            assert np.abs(pixels[0] - pixels[1]).mean() < 2
    assert paths[0].stat().st_size < 500_000


def listed_by_git(*options):
    """A line for each file of the repository."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is not a checkout")
    command = [git, "ls-files", *options]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def test_the_source_distribution_has_all_that_is_in_the_repository():
    """Except files that only git reads; its tests read pages, pictures and the files of `.ci`."""
    listed = listed_by_git()
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    included = {name.removeprefix("/") for name in build["targets"]["sdist"]["include"]}
    found = {line.partition("/")[0] for line in listed}
    in_any = {"pyproject.toml", ".gitignore"}
    assert found - in_any - {".gitattributes"} == included


def test_text_has_the_same_line_ends_on_any_system_and_data_stay_as_they_are():
    """A checkout on Windows would otherwise fail the digests of cards."""
    for line in listed_by_git("--eol"):
        found, _, name = line.partition("\t")
        content, _, *attributes = found.split()
        wanted = ["attr/-text"] if content == "i/-text" else ["attr/text=auto", "eol=lf"]
        assert attributes == wanted, name
        assert content in ("i/lf", "i/-text", "i/none"), name


def test_the_changelog_has_an_unreleased_head():
    assert "\n## [Unreleased]\n" in (ROOT / "CHANGELOG.md").read_text()
