"""Command lines: every option of every script is explained, and wrong input is refused in one sentence."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path

import pytest
from commands import refused

from scripts.command_line import Count, Variant, read

ROOT = Path(__file__).parents[2]
SCRIPTS = (
    "benchmark",
    "benchmark_pages",
    "calibrate",
    "compare",
    "dataset",
    "draw",
    "match",
    "mutate",
    "mutate_generic",
    "play",
    "scaling",
    "screenshots",
    "solitaire",
    "tournament",
    "train_ppo",
    "train_value",
)
NEEDS = {  # of some scripts: a library, and the extra that has it
    "dataset": ("minari", "minari"),
    "mutate_generic": ("cosmic_ray", "nightly"),
    "scaling": ("torch", "torch"),
    "screenshots": ("PIL", "web,dev"),
    "train_ppo": ("sb3_contrib", "train"),
    "train_value": ("torch", "torch"),
}


def script_of(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name][0])
    return import_module(f"scripts.{name}")


def help_of(name: str, capsys) -> str:
    with pytest.raises(SystemExit) as stopped:
        script_of(name).main(["--help"])
    assert stopped.value.code == 0
    return " ".join(re.sub("[│╭╮╰╯─]", " ", capsys.readouterr().out).split())


def test_these_are_all_commands():
    texts = {path.stem: path.read_text() for path in (ROOT / "scripts").glob("*.py")}
    assert sorted(name for name, text in texts.items() if "read(Args" in text) == list(SCRIPTS)
    assert not [name for name, text in texts.items() if "argparse" in text]


@pytest.mark.parametrize("name", NEEDS)
def test_a_missing_library_is_named_with_its_extra(name):
    library, extra = NEEDS[name]
    without = f"import runpy, sys; sys.modules[{library!r}] = None; sys.argv = [{name!r}]"
    command = f"{without}; runpy.run_module('scripts.{name}', run_name='__main__')"
    ended = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    sentence = (
        rf"python -m scripts\.{name}: .*\b{library}\b.*; install the extra: pip install -e '\.\[{extra}\]'"
    )
    assert re.fullmatch(sentence, ended.stderr.rstrip("\n"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_option_is_explained(name, capsys):
    told = help_of(name, capsys)
    for field in fields(script_of(name).Args):
        if field.name in ("agents", "tree"):
            continue  # they have no option
        after = told.split(f"--{field.name.replace('_', '-')} ")
        assert len(after) > 1, field.name
        words = re.sub(r"^((\[[^\]]*\]+|\{[^}]*\}|[A-Z]+) )+", "", after[-1])
        explained = words.split(" (default")[0].split(" --")[0]
        assert len(explained.split()) >= 1, f"--{field.name}: {explained!r}"
        assert explained[0].isalnum(), f"--{field.name}: {explained!r}"


@pytest.mark.parametrize("name", SCRIPTS)
def test_unknown_options_are_refused(name, capsys):
    script = script_of(name)
    tree = [str(ROOT)] if name == "compare" else []
    assert "Unrecognized options: --nothing" in refused(capsys, script, *tree, "--nothing")


def test_the_status_of_wrong_input_is_2():
    command = [sys.executable, "-m", "scripts.match", "greedy", "uniform", "--deals", "none"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    wanted = "python -m scripts.match: --deals must be a whole number from 1 to 1000000000, not 'none'\n"
    assert done.stderr == wanted
    assert done.stdout == ""


def test_every_game_can_be_chosen():
    shipped = [
        path.name for path in (ROOT / "ingenious_env" / "games").iterdir() if (path / "rules.py").exists()
    ]
    assert len(shipped) == 2
    for game in shipped:
        assert read(Variant, ["--game", game], "none", None).game == game


@dataclass(frozen=True)
class Chosen(Variant):
    long: bool = False
    """much longer"""

    def defaults(self):
        return {**super().defaults(), "rounds": 9 if self.long else 3}


@dataclass(frozen=True)
class Given(Chosen):
    rounds: Count = 1
    """rounds"""


@pytest.mark.parametrize(
    ("words", "rounds", "players"),
    [
        ("", 3, 2),
        ("--long", 9, 2),
        ("--rounds 4 --long", 4, 2),
        ("--partnership", 3, 4),
        ("--partnership --players 4 --long", 9, 4),
    ],
)
def test_defaults_follow_from_other_options_unless_given(words, rounds, players):
    given = read(Given, words.split(), "none", None, Chosen)
    assert (given.rounds, given.players) == (rounds, players)
    assert given.long == ("--long" in words)


@pytest.mark.parametrize("words", [[], ["--help"]])
def test_a_pipe_that_is_closed_ends_a_script_without_a_message(words):
    command = [sys.executable, "-m", "scripts.draw", *words]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1
