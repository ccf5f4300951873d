"""Importing is light, compiling happens once and says so, and what is documented is so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ingenious_env.kernels.compiling import load
from scripts.draw import draw

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
    heavy = ("torch", "stable_baselines3", "matplotlib", "pygame", "ingenious_env.kernels.batch")
    found = run(
        f"import ingenious_env, sys; print([name for name in {heavy} if name in sys.modules])",
        NUMBA_CACHE_DIR=str(tmp_path),
    )
    assert found.stdout == "[]\n"
    assert not list(tmp_path.iterdir())


def test_the_first_step_compiles_once_and_says_so(tmp_path):
    code = (
        "import ingenious_env as i; game = i.Game(seed=1); game.play(game.random_action()); print(game.turn)"
    )
    cold = run(code, NUMBA_CACHE_DIR=str(tmp_path))
    assert "compiling the engine, once for this machine" in cold.stderr
    cached = run(code, NUMBA_CACHE_DIR=str(tmp_path))
    assert cached.stderr == ""
    assert cold.stdout == cached.stdout == "1\n"


def test_a_cached_start_does_not_get_ready_to_compile(tmp_path):
    code = (
        "from unittest.mock import patch; from numba.core.base import BaseContext as C\n"
        "import ingenious_env as i\n"
        "with patch.object(C, 'refresh', autospec=True, side_effect=C.refresh) as ready:\n"
        "    i.Game(seed=1)\n"
        "print(ready.called)"
    )
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path)).stdout == "True\n"
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path)).stdout == "False\n"


def test_a_thread_that_needs_kernels_waits_until_another_has_loaded_them_whole(tmp_path, monkeypatch):
    (tmp_path / "slow_to_load.py").write_text("import time\ntime.sleep(0.3)\nkernel = 42\n")
    monkeypatch.syspath_prepend(tmp_path)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(load, "slow_to_load")
        while "slow_to_load" not in sys.modules:
            time.sleep(0.001)
        assert load("slow_to_load").kernel == other.result().kernel == 42


def test_the_readme_s_python_runs():
    blocks = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 3
    for block in blocks:
        subprocess.run([sys.executable, "-W", "error", "-c", block], check=True, cwd=ROOT)


def test_the_readme_s_picture_is_what_its_command_draws():
    (seed, moves) = re.search(
        r"scripts\.draw --seed (\d+) --moves (\d+) > \.assets/board\.svg", README
    ).groups()
    picture = draw("greedy:utility=concave", int(seed), int(moves))
    assert (ROOT / ".assets" / "board.svg").read_text() == picture + "\n"


def test_the_changelog_has_an_unreleased_head():
    assert "## Unreleased" in (ROOT / "CHANGELOG.md").read_text()
