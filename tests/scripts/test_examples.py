"""The examples run to their ends; what they learn in minutes stands in the pages of `docs/howto/trainers`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from run_pages import EXAMPLES as TINY
from run_pages import PRINTED
from sampled import nightly_but

ROOT = Path(__file__).parents[2]
DEALT_BAGS = Path(__file__).with_name("dealt_bags.py")
OPTIMISERS = {"cma_utility", "optuna_value"}
NEEDS = {
    "agilerl_ppo": ("agilerl", "peft"),
    "cleanrl_ppo": ("torch",),
    "mctx_search": ("mctx", "torch"),
    "openspiel_ismcts": ("pyspiel",),
    "rllib_ppo": ("ray.rllib", "torch"),
    "sb3_maskable": ("sb3_contrib",),
    "tianshou_dqn": ("tianshou",),
    "torchrl_ppo": ("tensordict",),  # a folder of the tests has the name of torchrl
    "cma_utility": ("cma",),
    "optuna_value": ("optuna", "torch"),
}


@pytest.mark.parametrize("name", nightly_but(TINY.keys() - {"optuna_value"}, sorted(TINY)))
def test_an_example_runs(name, tmp_path):
    """And prints its result, for a trained network on bags that were not among those of its training."""
    for module in NEEDS[name]:
        pytest.importorskip(module)
    trains = name not in {"openspiel_ismcts", *OPTIMISERS}
    command = [str(DEALT_BAGS), name] if trains else ["-m", f"scripts.examples.{name}"]
    if name in OPTIMISERS:
        command += ["--folder", str(tmp_path)]
    run = [sys.executable, *command, *TINY[name].split()]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(PRINTED[name], done.stdout)
    if trains:
        training, rating, both = map(int, re.findall(r"(\d+) of (?:training|rating|both)", done.stdout))
        assert (training > 0, rating > 0, both) == (True, True, 0)
    if name == "openspiel_ismcts":
        conv = [float(each) for each in re.findall(r"NashConv ([\d.e-]+)", done.stdout)]
        assert conv[0] > 10 * conv[-1]


def test_an_example_says_what_the_page_says():
    """Steps, seconds, and the results before and after, in its header and in a row of the figures."""
    found = json.loads((ROOT / "docs/figures/trainers.json").read_text(encoding="utf-8"))["rows"]
    rows = [
        (name.strip("`"), steps, seconds, before.split()[0], after.split()[0].strip(","))
        for name, steps, seconds, _, before, after in found
    ]
    assert {name for name, *_ in rows} == set(TINY) - {"openspiel_ismcts"} - OPTIMISERS
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


def test_each_page_is_named_where_one_looks():
    """In the page that lists them."""
    folder = ROOT / "docs" / "howto" / "trainers"
    listed = re.findall(r"\]\((\w+\.md)\)", (folder / "index.md").read_text(encoding="utf-8"))
    assert {path.name for path in folder.glob("*.md")} - {"index.md"} == set(listed)
