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
from ingenious_agents.commands.command_line import Count, SizedVariant, Variant, read

from ingenious_env import Rules
from ingenious_env.cli import COMMANDS, main
from ingenious_env.games.loopit import Rules as LoopitRules

ROOT = Path(__file__).parents[2]
SCRIPTS = (
    "benchmark",
    "benchmark.compare",
    "benchmark.pages",
    "benchmark.scaling",
    "benchmark.visits",
    "calibrate",
    "completion",
    "curves",
    "dataset",
    "differences",
    "disagreements",
    "draw",
    "endings",
    "equilibria",
    "field",
    "level_losses",
    "levels",
    "match",
    "mutate",
    "mutate_generic",
    "optimise",
    "oracles",
    "page",
    "play",
    "rate",
    "recipes",
    "score",
    "screenshots",
    "seats",
    "solitaire",
    "solve",
    "tournament",
    "train_ppo",
    "train_value",
    "verify",
)
NEEDS = {  # of some scripts: a library, and the extra that has it
    "benchmark.scaling": ("torch", "torch"),
    "dataset": ("minari", "minari"),
    "equilibria": ("pyspiel", "openspiel"),
    "mutate_generic": ("cosmic_ray", "nightly"),
    "page": ("ziglang", "page"),
    "screenshots": ("PIL", "web,dev"),
    "recipes": ("torch", "torch"),
    "train_ppo": ("sb3_contrib", "train"),
    "train_value": ("torch", "torch"),
}


def package_of(name):
    """Of a script or a command."""
    return "ingenious_agents.commands" if name in COMMANDS else "scripts"


def script_of(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name][0])
    return import_module(f"{package_of(name)}.{name}{'.__main__' if name == 'benchmark' else ''}")


def help_of(name: str, capsys) -> str:
    with pytest.raises(SystemExit) as stopped:
        script_of(name).main(["--help"])
    assert stopped.value.code == 0
    return " ".join(re.sub("[│╭╮╰╯─]", " ", capsys.readouterr().out).split())


def test_these_are_all_commands():
    folders = [ROOT / "scripts", ROOT / "scripts" / "benchmark", ROOT / "agents/ingenious_agents/commands"]
    texts = {path: path.read_text() for folder in folders for path in folder.glob("*.py")}
    found = {
        str(path.with_suffix("").relative_to(ROOT)) for path, text in texts.items() if "read(Args" in text
    }
    modules = {f"{package_of(name)}.{name}" for name in SCRIPTS if name != "benchmark"}
    wanted = {
        each.replace("ingenious_agents", "agents/ingenious_agents").replace(".", "/") for each in modules
    }
    assert found == wanted | {"scripts/benchmark/__main__"}
    assert {*COMMANDS} - {"compile"} <= {*SCRIPTS}
    assert not [name for name, text in texts.items() if "argparse" in text]


def test_a_page_lists_all_commands():
    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([\w.]+)` \|", page[: page.index("## Options")], re.MULTILINE)
    assert sorted(listed) == sorted({*SCRIPTS, *COMMANDS, "examples.NAME"})


@pytest.mark.parametrize("name", NEEDS)
def test_a_missing_library_is_named_with_its_extra(name):
    library, extra = NEEDS[name]
    without = f"import runpy, sys; sys.modules[{library!r}] = None; sys.argv = [{name!r}, {name!r}]"
    module = "ingenious_env" if name in COMMANDS else f"scripts.{name}"
    ended = subprocess.run(
        [sys.executable, "-c", f"{without}; runpy.run_module({module!r}, run_name='__main__')"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == (1 if name in COMMANDS else 2)
    sentence = (
        rf"(ingenious |python -m scripts\.){name}\b.*\b{library}\b.* install '?ingenious-env\[{extra}\]'?"
    )
    assert re.fullmatch(sentence, ended.stderr.rstrip("\n"))


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_names_its_extra(name):
    """Where no optional library is installed at all, `--help` included; the list of commands needs none."""
    script = f"""
import sys
for each in ("tyro", "tqdm", "tabulate", "filelock", "matplotlib", "minari", "starlette", "uvicorn"):
    sys.modules[each] = None
from ingenious_env.cli import main
main([{name!r}, "--help"])
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    extra = COMMANDS[name].extra
    if not extra:
        assert (ended.returncode, ended.stderr) == (0, "")
        return
    assert ended.returncode == 1
    pattern = rf"ingenious {name} needs \w+, which is not installed: pip install 'ingenious-env\[{extra}\]'\n"
    assert re.fullmatch(pattern, ended.stderr)


def test_without_a_command_there_is_help(capsys):
    for words in ([], ["--help"], ["-h"], ["help"]):
        with pytest.raises(SystemExit) as stopped:
            main(words)
        assert stopped.value.code == 0
        output = capsys.readouterr().out
        assert [name for name in COMMANDS if f"\n  {name} " not in output] == []
    with pytest.raises(SystemExit) as stopped:
        main(["turnament"])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith("ingenious: COMMAND must be one of play, page, match, ")


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_the_completion_knows_every_command_and_option(shell, capsys):
    main(["completion", shell])
    output = capsys.readouterr().out
    for name in COMMANDS:
        assert name in output
    for option in ("until-ci", "partnership", "allow-host"):
        assert option in output


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_option_is_explained(name, capsys):
    output = help_of(name, capsys)
    for field in fields(script_of(name).Args):
        if field.name in (
            "agents",
            "bags",
            "cards",
            "folders",
            "networks",
            "preset",
            "presets",
            "shell",
            "tree",
        ):
            continue  # they have no option
        after = output.split(f"--{field.name.replace('_', '-')} ")
        assert len(after) > 1, field.name
        words = re.sub(r"^((\[[^\]]*\]+|\{[^}]*\}|[A-Z]+) )+", "", after[-1])
        explained = words.split(" (default")[0].split(" --")[0]
        assert len(explained.split()) >= 1, f"--{field.name}: {explained!r}"
        assert explained[0].isalnum(), f"--{field.name}: {explained!r}"


@pytest.mark.parametrize("name", SCRIPTS)
def test_unknown_options_are_refused(name, capsys):
    script = script_of(name)
    needed = {"benchmark.compare": [str(ROOT)], "completion": ["bash"], "page": ["--out", "page"]}
    given = needed.get(name, [])
    assert "Unrecognized options: --nothing" in refused(capsys, script, *given, "--nothing")


def test_the_status_of_wrong_input_is_2():
    command = [sys.executable, "-m", "ingenious_env", "match", "greedy", "uniform", "--deals", "none"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    wanted = "ingenious match: --deals must be a whole number from 1 to 1000000000, not 'none'\n"
    assert done.stderr == wanted
    assert done.stdout == ""


def test_every_game_can_be_chosen():
    shipped = [
        path.name for path in (ROOT / "ingenious_env" / "games").iterdir() if (path / "rules.py").exists()
    ]
    assert len(shipped) == 2
    for game in shipped:
        assert read(Variant, ["--game", game], "none", None).game == game


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("", Rules(2)),
        ("--players 1 --side 3 --colours 2", Rules(1, board_side=3, num_colours=2)),
        ("--side 4 --rack 3 --counter-top 9", Rules(2, board_side=4, rack_size=3, counter_top=9)),
        ("--partnership --colours 4", Rules(4, teams=True, num_colours=4)),
        ("--game loopit", LoopitRules(2)),
    ],
)
def test_sizes_make_a_variant(words, rules):
    assert read(SizedVariant, words.split(), "none", None, SizedVariant).rules == rules


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
    command = [sys.executable, "-m", "ingenious_env", "draw", *words]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1


def test_a_class_in_the_current_folder_is_found(tmp_path):
    """By the installed command, too, which Python starts without that folder on its path."""
    (tmp_path / "own_agent.py").write_text(
        "class First:\n    def act(self, view):\n        return view.legal_mask().argmax(axis=1)\n"
    )
    command = ["match", "own_agent.First", "uniform", "--deals", "1"]
    answer = subprocess.run(
        [sys.executable, "-P", "-m", "ingenious_env", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "| own_agent.First |" in answer.stdout, answer.stderr
