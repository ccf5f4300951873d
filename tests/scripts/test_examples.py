"""The examples run to their ends; what they learn in minutes stands in the pages of `docs/trainers`."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDS = {
    "agilerl_ppo": ("agilerl", "peft"),
    "cleanrl_ppo": ("torch",),
    "mctx_search": ("mctx", "torch"),
    "openspiel_ismcts": ("pyspiel",),
    "rllib_ppo": ("ray.rllib", "torch"),
    "sb3_maskable": ("sb3_contrib",),
    "tianshou_dqn": ("tianshou",),
    "torchrl_ppo": ("torchrl",),
}
TINY = {
    "agilerl_ppo": "--steps 8192 --evolution 4096 --games 8",
    "cleanrl_ppo": "--updates 2 --num-envs 8 --num-steps 8 --minibatch 32 --epochs 2 --games 8",
    "mctx_search": "--steps 256 --num-games 8 --simulations 4 --update 64 --games 8",
    "openspiel_ismcts": "--games 1 --simulations 2 --iterations 10",
    "rllib_ppo": "--steps 512 --batch 256 --games 8",
    "sb3_maskable": "--steps 1024 --num-envs 16 --games 8",
    "tianshou_dqn": "--steps 128 --games 4",
    "torchrl_ppo": "--steps 512 --num-games 8 --games 4 --epochs 1",
}


def need(module):
    """Skip a test without its library, unless the environment says that it is there."""
    if os.environ.get("INGENIOUS_NEEDS_TRAINERS"):
        importlib.import_module(module)
    pytest.importorskip(module)


@pytest.mark.parametrize("name", sorted(TINY))
def test_an_example_runs(name):
    """And says what came of it."""
    for module in NEEDS[name]:
        need(module)
    command = [sys.executable, "-m", f"scripts.examples.{name}", *TINY[name].split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if name == "openspiel_ismcts":
        conv = [float(each) for each in re.findall(r"NashConv ([\d.e-]+)", done.stdout)]
        assert conv[0] > 10 * conv[-1]
        assert re.search(r"IS-MCTS against greedy: [\d.]+% of 1 games", done.stdout)
    else:
        figures = r"(wins against greedy|mean lowest counter in solitaire): [\d.]+%? before, [\d.]+%? after"
        assert re.search(figures, done.stdout)


def test_an_example_says_what_the_page_says():
    """Steps, seconds, and the results before and after, in its header and in a row of the table."""
    page = (ROOT / "docs/trainers/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| (\d+) \| [\d,]+ \| ([\d.]+)[^|]* \| ([\d.]+)", page, re.M)
    assert {name for name, *_ in rows} == set(TINY) - {"openspiel_ismcts"}
    for name, *figures in rows:
        header = (ROOT / f"scripts/examples/{name}.py").read_text(encoding="utf-8").split('"""')[1]
        steps, seconds, before, after = figures
        assert re.search(
            rf"^{steps} steps in {seconds} seconds: .*\b{before}\b.* before, {after}\b.* after", header, re.M
        )


def test_all_examples_are_tried():
    """None is left out of this list."""
    found = {path.stem for path in (ROOT / "scripts" / "examples").glob("*.py")} - {"__init__"}
    assert found == TINY.keys() == NEEDS.keys()


@pytest.mark.parametrize(
    "page",
    [
        "README",
        "agilerl",
        "cleanrl",
        "mctx",
        "minari",
        "openspiel",
        "rllib",
        "stable_baselines3",
        "tianshou",
        "torchrl",
    ],
)
def test_the_python_of_a_page_runs(page, tmp_path):
    needs = {
        "README": "torch",
        "agilerl": "agilerl",
        "mctx": "mctx",
        "minari": "minari",
        "rllib": "ray.rllib",
        "openspiel": "pyspiel",
        "stable_baselines3": "sb3_contrib",
        "torchrl": "torchrl",
    }
    need(needs.get(page, "gymnasium"))
    environment = os.environ | {"MINARI_DATASETS_PATH": str(tmp_path)}
    if page == "minari":
        command = [sys.executable, "-m", "scripts.dataset", "--games", "4"]
        subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True)
    text = (ROOT / "docs" / "trainers" / f"{page}.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    run = [sys.executable, "-c", block]
    subprocess.run(run, check=True, cwd=tmp_path, env=environment, capture_output=True)


def test_each_page_is_named_where_one_looks():
    """In the page that lists them, and in the README."""
    pages = {path.name for path in (ROOT / "docs" / "trainers").glob("*.md")} - {"README.md"}
    for text in ((ROOT / "docs" / "trainers" / "README.md"), (ROOT / "README.md")):
        assert all(name in text.read_text() for name in pages)
