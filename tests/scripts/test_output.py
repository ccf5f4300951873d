"""Commands on terminals of any encoding, and their ends: wrong input, a system that fails, Ctrl-C, faults."""

from __future__ import annotations

import ast
import errno
import io
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import gymnasium as gym
import pytest
from ingenious_agents.commands import match, solitaire, tournament
from ingenious_agents.commands.logs import is_kept
from ingenious_agents.evaluation.log import Log
from ingenious_agents.evaluation.plots import draw_curve, draw_report, draw_study
from ingenious_agents.evaluation.report import report
from ingenious_agents.evaluation.solitaire import Study, figures_of
from ingenious_agents.evaluation.tournament import Tournament
from test_command_line import SCRIPTS, package_of, script_of

from ingenious_env import Game, Record, Rules, cli
from ingenious_env.engine.definition import definition_of
from ingenious_env.games.loopit import Game as Loopit
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.value import ValueNetwork
from scripts import train_value

ROOT = Path(__file__).parents[2]
ENCODINGS = ("ascii", "cp1252", "latin-1", "utf-8")
EXAMPLES = sorted(path.stem for path in (ROOT / "scripts/examples").glob("[a-z]*.py"))


@contextmanager
def terminal(monkeypatch, encoding: str):
    """Standard output and error in an encoding, as Python opens them; yields what is written, as text."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict") for _ in range(2)]
    written: list[str] = []
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", streams[0])
        patched.setattr(sys, "stderr", streams[1])
        yield written
        for stream in streams:
            stream.flush()
            written.append(stream.buffer.getvalue().decode(encoding))


# Encodings.


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_help_is_written(encoding, monkeypatch):
    """Of each script that can be run here, and of `ingenious` and its commands."""
    mains = []
    for name in SCRIPTS:
        try:
            mains.append((name, script_of(name).main, ["--help"]))
        except pytest.skip.Exception:
            continue
    mains += [("ingenious", cli.main, words) for words in ([], *([each, "--help"] for each in cli.COMMANDS))]
    assert len(mains) > 12
    for name, main, words in mains:
        with terminal(monkeypatch, encoding) as written, pytest.raises(SystemExit) as stopped:
            main(words)
        assert (stopped.value.code, written[1]) == (0, ""), name
        assert "usage:" in written[0], name


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_results_with_signs_of_mathematics_are_written(encoding, tmp_path, monkeypatch):
    """The reports of a tournament, of a study and of a match; in ASCII the signs that come nearest."""
    out = ["--processes", "1", "--out"]
    with terminal(monkeypatch, encoding) as written:
        tournament.main(["uniform", "greedy", "--deals", "2", *out, str(tmp_path / "∞.jsonl")])
        solitaire.main(["uniform", "greedy", "--deals", "3", *out, str(tmp_path / "s.jsonl")])
        match.main(["uniform", "greedy", "--deals", "2"])
    reported = written[0]
    assert ("∞" in reported) == (encoding == "utf-8")
    assert ("±" in reported) == (encoding != "ascii")
    if encoding != "utf-8":
        assert ", +inf]" in reported or "[-inf, " in reported
    assert len(list(tmp_path.glob("∞-*.svg"))) == 4


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_no_sign_is_too_much(encoding, monkeypatch):
    """All of them, surrogates included."""
    signs = "".join(map(chr, range(0x20, 0x3000))) + "\udcff\U0001f600"
    with terminal(monkeypatch, encoding) as written:
        cli.write_any_sign()
        print(signs, end="")
    assert written[0].isascii() or encoding != "ascii"
    assert "\\udcff" in written[0]
    if encoding == "ascii":
        assert "\\u0394" in written[0]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", ["Versus-v0", "Loopit-v0"])
def test_positions_are_printed_where_there_is_no_display(name, encoding, monkeypatch):
    pytest.importorskip("pygame")
    pytest.importorskip("pylunasvg")
    monkeypatch.setenv("SDL_VIDEODRIVER", "nothing of the kind")
    env = gym.make(f"ingenious_env:ingenious/{name}", render_mode="human")
    with terminal(monkeypatch, encoding) as written, pytest.warns(UserWarning, match="no window"):
        env.reset(seed=1)
    assert written[0].isascii() or encoding != "ascii"
    assert "\\" not in written[0]
    assert "tiles in the bag" in written[0]


@pytest.mark.parametrize(
    "settings", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}]
)
def test_processes_and_examples_have_it_too(settings):
    """As a process: one whose help has signs beyond ASCII, and what each example does first."""
    environment = os.environ | {"PYTHONUTF8": "0"} | settings
    for command in (
        ["-m", "ingenious_env", "match", "--help"],
        ["-c", "import scripts.examples; print('\\u2212\\u221e \\u03bb')"],
    ):
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.split() == [b"-inf", b"lambda"]
    assert "write_any_sign()" in (ROOT / "scripts/examples/__init__.py").read_text(encoding="utf-8")


def test_every_file_of_text_is_opened_with_its_encoding():
    """All calls of `open`, `read_text` and `write_text` in this repository but the tests."""
    calls, wrong = 0, []
    for path in (
        each for top in ("agents", "ingenious_env", "scripts", ".ci") for each in (ROOT / top).rglob("*.py")
    ):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name not in (
                "open",
                "fdopen",
                "read_text",
                "write_text",
                "NamedTemporaryFile",
                "TemporaryFile",
            ):
                continue
            owner = getattr(getattr(node.func, "value", None), "id", "")
            if owner in ("os", "Image", "webbrowser", "Log", "urllib") or (
                name in ("read_text", "write_text") and not owner and isinstance(node.func, ast.Name)
            ):
                continue  # no file of text, or a function of engine/files.py
            calls += 1
            modes = [each.value for each in node.args if isinstance(each, ast.Constant)]
            modes += [each.value.value for each in node.keywords if each.arg == "mode"]
            is_binary = any("b" in str(mode) for mode in modes) or name == "TemporaryFile"
            if not is_binary and not any(each.arg == "encoding" for each in node.keywords):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert calls > 15
    assert wrong == []


# Formats.

LINES = {"solve": {"answer"}, "tournament": {"line"}}
"""By command, what else it prints: a written table or a single value, and with `--replay` a game."""


def printed_by(script) -> set[str]:
    """The functions and expressions that a script prints on standard output, as source code."""
    found = set()
    for node in ast.walk(ast.parse(Path(script.__file__).read_text(encoding="utf-8"))):
        is_print = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
        if is_print and not any(each.arg == "file" for each in node.keywords):
            found.update(ast.unparse(each).partition("(")[0] for each in node.args)
    return found


def test_a_table_in_a_format_is_all_that_is_printed():
    """Else JSON, CSV and LaTeX cannot be read by programs; sentences are on standard error."""
    looked_at = []
    for name in SCRIPTS:
        try:
            script = script_of(name)
        except pytest.skip.Exception:
            continue
        if "format" in getattr(script.Args, "__dataclass_fields__", ()):
            assert printed_by(script) <= {"written", *LINES.get(name, ())}, name
            looked_at.append(name)
    assert {"match", "rate", "score", "solve", "solitaire", "tournament", "levels"} <= {*looked_at}


# Pictures.

NAMES = ("a\x00b\x1bc", "\ufffe\udc80 & <b> \"'@", "$x_^$ _1", "\x7f\x85\ud800")


@pytest.mark.parametrize("rules", [Rules.standard(4), LoopitRules(4)])
def test_pictures_are_xml_whatever_the_names(rules):
    game = (Game if isinstance(rules, Rules) else Loopit)(rules, seed=1)
    drawn = definition_of(rules).draw_svg(game, viewer=None, names=NAMES)
    root = ElementTree.fromstring(drawn.encode())
    texts = "".join(root.itertext())
    assert "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c" in texts
    assert "& <b> \"'@" in texts
    assert (
        "\N{REPLACEMENT CHARACTER}" in root.attrib["aria-label"]
        or NAMES[0][0] not in root.attrib["aria-label"]
    )
    Record(rules, (1, 0), ()).to_html(NAMES).encode()


def test_plots_are_xml_whatever_the_names(tmp_path):
    small = Rules(2, board_side=3, num_colours=2, rack_size=2)
    plan = Tournament(small, ("uniform", "uniform"))
    games = {(0, 1): plan.play((0, 1), range(2))}
    named = Tournament(small, NAMES[:2])
    drawn = draw_report(report(named, games), tmp_path / "report")
    named = Tournament(small, NAMES[2:])
    drawn += draw_report(report(named, games), tmp_path / "other")
    alone = Rules(1, board_side=3, num_colours=2, rack_size=2)
    study = Study(alone, ("uniform",) * 4)
    games = {(number,): study.play((number,), range(2)) for number in range(4)}
    drawn += draw_study(figures_of(Study(alone, NAMES), games), tmp_path / "study")
    draw_curve(tmp_path / "curve.svg", [(1, 1.0, *(0.5, 0.4, 0.6) * 4)], "wins", NAMES)
    drawn.append(tmp_path / "curve.svg")
    assert len(drawn) == 11
    for path in drawn:
        ElementTree.fromstring(path.read_bytes())


# Reports.

PLOTS = {tournament: "ratings", solitaire: "lowest"}
"""By command, the first of its plots."""


def logged(script, folder: Path) -> Path:
    """A log of two deals that a command has played."""
    path = folder / "log.jsonl"
    script.main(["uniform", "greedy", "--deals", "2", "--processes", "1", "--out", str(path)])
    return path


@pytest.mark.parametrize("script", PLOTS)
def test_a_report_is_printed_though_its_plots_cannot_be_written(script, tmp_path, capsys):
    """Which is a sentence, and status 1; the folder in the way of one stands for one without permission."""
    path = logged(script, tmp_path)
    report, _ = capsys.readouterr()
    assert report
    in_the_way = tmp_path / f"log-{PLOTS[script]}.svg"
    in_the_way.unlink()
    in_the_way.mkdir()
    with pytest.raises(SystemExit) as stopped:
        script.main(["--show", str(path)])
    printed = capsys.readouterr()
    assert (stopped.value.code, printed.out) == (1, report)
    assert printed.err.startswith(f"{script.PROG}: the plots cannot be written: ")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("script", PLOTS)
def test_a_report_without_the_library_of_plots_names_the_extra(script, tmp_path, capsys, monkeypatch):
    """At once, also with --show, and nothing is played."""
    path = logged(script, tmp_path)
    capsys.readouterr()
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    for arguments in (["--show", str(path)], ["uniform", "uniform", "--out", str(tmp_path / "new.jsonl")]):
        with pytest.raises(SystemExit) as stopped:
            script.main(arguments)
        assert stopped.value.code == 2
        printed = capsys.readouterr()
        assert "a plot needs matplotlib, which is not installed" in printed.err
        assert "pip install 'ingenious-env[play]'" in printed.err
        assert printed.out == ""
    assert not (tmp_path / "new.jsonl").exists()


@pytest.mark.skipif(os.name != "posix", reason="pipes end in another way")
@pytest.mark.parametrize("script", PLOTS)
def test_a_reader_that_has_gone_does_not_prevent_plots(script, tmp_path):
    path = logged(script, tmp_path)
    plot = tmp_path / f"log-{PLOTS[script]}.svg"
    plot.unlink()
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "ingenious_env", script.PROG.split()[-1], "--show", str(path)]
    with os.fdopen(writer, "wb") as pipe:
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, cwd=ROOT, text=True, check=False)
    assert plot.exists()
    assert (done.returncode, done.stderr.count("plots:"), "Error" in done.stderr) == (1, 1, False)


@pytest.mark.parametrize("script", PLOTS)
def test_a_log_from_a_pipe_has_no_plots(script, tmp_path, capsys):
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    content = logged(script, tmp_path).read_bytes()
    report, _ = capsys.readouterr()
    piped = tmp_path / "elsewhere" / "pipe"
    piped.parent.mkdir()
    os.mkfifo(piped)
    thread = threading.Thread(target=piped.write_bytes, args=(content,))
    thread.start()
    script.main(["--show", str(piped)])
    thread.join()
    assert capsys.readouterr() == (report, "")
    assert list(piped.parent.iterdir()) == [piped]


def test_what_a_process_has_open_has_no_place_for_plots(tmp_path):
    (tmp_path / "log").touch()
    assert is_kept(tmp_path / "log")
    assert not any(map(is_kept, map(Path, ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/nowhere"))))


# Ends.

AGENTS = "ingenious_agents.commands"
WORK = {
    "completion": ("script", ["bash"]),
    "benchmark": ("machine", ["--tables"]),
    "benchmark.pages": ("machine", []),
    "benchmark.visits": ("machine", ["--page", str(ROOT / "ingenious_env/web/static")]),
    "calibrate": ("played_claims", ["--path", "{network}", "--deals", "2"]),
    "benchmark.compare": ("compare", [str(ROOT)]),
    "curves": ("draw_curves", ["{curve}", "--out", "{folder}/curves.svg"]),
    "dataset": ("episodes", ["--folder", "{folder}", "--agent", "greedy"]),
    "differences": ("errors_of", []),
    "disagreements": ("make", ["two", "--count", "1", "--out", "{folder}/set.jsonl"]),
    "draw": ("picture", ["--agent", "greedy", "--moves", "1"]),
    "endings": ("positions", ["--count", "1", "--out", "{folder}/endings.jsonl"]),
    "equilibria": ("solved", ["--count", "1"]),
    "field": ("run", ["four", "--processes", "1"]),
    "level_losses": ("losses", ["two", "--out", "{folder}/rows.json"]),
    "levels": ("play_match", ["--game", "loopit", "--deals", "2", "--out", "{folder}/levels.json"]),
    "match": ("play_match", ["greedy", "greedy"]),
    "mutate": ("run_all", []),
    "mutate_generic": ("run", ["--sample", "1", "--paths", "ingenious_env/compiled/phases.py"]),
    "optimise": ("run", ["7", "--out", "{folder}/bags", "--processes", "1"]),
    "oracles": ("run", ["--processes", "1", "--out", "{folder}/oracles.jsonl"]),
    "page": ("write_page", ["--out", "{folder}/page"]),
    "play": ("ingenious_env.web.server.serve", ["greedy"]),
    "benchmark.scaling": ("measure", []),
    "rate": ("run", ["uniform", "--out", "{folder}/card.json", "--processes", "1"]),
    "recipes": ("row_of", ["two", "--out", "{folder}/recipes.json"]),
    "score": ("score", ["greedy"]),
    "screenshots": ("served", []),
    "seats": ("row_of", ["greedy", "--game", "loopit", "--out", "{folder}/seats.json"]),
    "solitaire": (f"{AGENTS}.logs.run", ["greedy", "--out", "{folder}/log", "--deals", "1"]),
    "solve": ("solve", ["--side", "3", "--colours", "2"]),
    "verify": ("verify", [str(ROOT / "agents/cards/plain.Plain-ingenious-two.json")]),
    "tournament": (
        f"{AGENTS}.logs.run",
        ["greedy", "greedy", "--out", "{folder}/log", "--deals", "1"],
    ),
    "train_ppo": ("train", ["--folder", "{folder}/ppo", "--num-envs", "2"]),
    "train_value": ("train", ["--folder", "{folder}/value"]),
}
"""By script, a function that works once the input is checked, and a command that gets there."""

DEEP = (
    ValueError("deep"),
    UnicodeEncodeError("charmap", "−", 0, 1, "character maps to <undefined>"),
    ModuleNotFoundError("deep"),
    RuntimeError("deep"),
)


@pytest.mark.parametrize("name", SCRIPTS)
def test_faults_of_the_program_are_not_told_as_wrong_input(name, tmp_path, monkeypatch, capsys):
    """They pass; a system that fails, Ctrl-C and a request to end are a sentence and a status each."""
    assert set(WORK) == set(SCRIPTS)
    script = script_of(name)
    function, words = WORK[name]
    network = tmp_path / "agent.safetensors"
    train_value.Learner(Rules(), train_value.Settings()).value_network().save(network)
    (tmp_path / "curve.csv").write_text("games,seconds,result,low,high\n", encoding="utf-8")
    words = [word.format(network=network, folder=tmp_path, curve=tmp_path) for word in words]
    owner, _, attribute = function.rpartition(".")
    place = import_module(owner) if owner else script
    signals = {kind: signal.getsignal(kind) for kind in (signal.SIGINT, signal.SIGTERM)}

    def ends(error):
        def fails(*_arguments, **_options):
            if error is signal.SIGTERM:
                signal.raise_signal(error)
            raise error

        monkeypatch.setattr(place, attribute, fails)
        with pytest.raises(BaseException) as ended:  # noqa: PT011 - looked at below
            script.main(words)
        assert signals == {kind: signal.getsignal(kind) for kind in signals}
        return ended.value

    for error in DEEP:
        assert ends(error) is error
    for error, status, reported in (
        (OSError(errno.ENOSPC, "No space left on device"), 1, "No space left on device"),
        (KeyboardInterrupt(), 1, "interrupted"),
        (signal.SIGTERM, 1, "interrupted"),
    ):
        capsys.readouterr()
        stopped = ends(error)
        assert isinstance(stopped, SystemExit)
        assert stopped.code == status
        line = capsys.readouterr().err.splitlines()[-1].rpartition("\r")[2]
        assert line.startswith(f"{script.PROG}: ")
        assert reported in line


NO_COMPILING = (
    "from ingenious_env import cli, compile_all; compile_all.compile_all = lambda _: 'done'; cli.main()"
)
PRINTING = {
    "--help": ["--help"],
    "--version": ["--version"],
    "match --help": ["match", "--help"],
    "compile --help": ["compile", "--help"],
    "compile": ["compile"],
    "completion": ["completion", "bash"],
    "match": ["match", "uniform", "uniform", "--deals", "1"],
}
"""Commands that print, by name."""


def printed_to(name: str, where: str = "", *, buffered: bool = True, **streams) -> tuple[int, list[str]]:
    """Run a command with its streams as a shell or a process sets them; its status, and what it says."""
    command = ["sh", "-c", f'exec "$0" "$@" {where}', sys.executable, "-c", NO_COMPILING, *PRINTING[name]]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    environment |= {} if buffered else {"PYTHONUNBUFFERED": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True, check=False, **streams
    )
    lines = [line.rpartition("\r")[2] for line in done.stderr.splitlines()]
    return done.returncode, [
        line for line in lines if re.search("^ingenious[ :]|Traceback|Error|ignored", line)
    ]


@pytest.mark.skipif(os.name != "posix", reason="it needs a shell")
@pytest.mark.parametrize(
    ("name", "where"),
    [*((name, ">&-") for name in PRINTING), ("match", ">&- 2>&-"), ("match", "<&- >&- 2>&-")],
)
def test_closed_streams_drop_what_is_printed(name, where):
    assert printed_to(name, where) == (0, [])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    ("name", "buffered"), [*((name, True) for name in PRINTING), ("--help", False), ("match --help", False)]
)
def test_output_that_a_full_disk_does_not_take_is_one_sentence(name, buffered):
    prog = "ingenious" if name[0] == "-" else f"ingenious {PRINTING[name][0]}"
    said = f"{prog}: [Errno 28] No space left on device"
    assert printed_to(name, ">/dev/full", buffered=buffered) == (1, [said])


@pytest.mark.skipif(os.name != "posix", reason="it needs a shell")
@pytest.mark.parametrize("name", ["--help", "match --help", "compile", "match"])
def test_a_closed_pipe_ends_a_command_without_a_sentence(name):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        assert printed_to(name, stdout=pipe) == (1, [])


FULL = """
import resource
from importlib import import_module
from ingenious_env import Rules
from ingenious_env.engine.definition import definition_of
from ingenious_env.compile_all import all_kernels
from ingenious_env.policies.value import shipped_network
folder = {folder!r}
shipped_network(Rules()).save(folder + "/agent.safetensors")
names = ("play_by_value of ingenious_self_play", "write_targets of self_play", "best_actions of ingenious")
rows = list(vars(definition_of(Rules()).kernels).values())
for kernel in all_kernels():  # which could not be kept on a full disk
    if kernel in rows or kernel.title in (*names, "greedy_actions of ingenious"):
        kernel.compiled
commands, packages = {commands!r}, {packages!r}
name_of = lambda script: script.__name__.rpartition(".")[2]
scripts = [import_module(package + "." + name) for name, package in packages.items()]
for script in scripts:
    limit = {limit}
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        script.main(commands[name_of(script)])
    except SystemExit as stopped:
        print(name_of(script), stopped.code, flush=True)
"""


def test_a_full_disk_is_one_sentence_and_spoils_nothing(tmp_path):
    """Of every command that writes what it has worked for; a limit of the size of files stands for it."""
    pytest.importorskip("resource")
    pytest.importorskip("torch")
    play = ["--deals", "30", "--processes", "1", "--out"]
    commands = {
        "tournament": ["uniform", "uniform", *play, f"{tmp_path}/t.jsonl"],
        "solitaire": ["uniform", *play, f"{tmp_path}/s.jsonl"],
        "train_value": ["--games", "20", "--batch", "20", "--deals", "1", "--folder", f"{tmp_path}/value"],
        "calibrate": ["--path", f"{tmp_path}/agent.safetensors", "--deals", "300"],
        "draw": ["--agent", "uniform", "--moves", "3", "--out", f"{tmp_path}/drawn.svg"],
    }
    packages = {name: package_of(name) for name in commands}
    code = FULL.format(folder=str(tmp_path), commands=commands, packages=packages, limit=2500)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [word for name in commands for word in (name, "1")], done.stderr
    assert "Traceback" not in done.stderr
    reported = [line.rpartition("\r")[2] for line in done.stderr.splitlines()]
    reported = [line for line in reported if line.startswith(("python -m scripts.", "ingenious "))]
    assert [re.split("[. ]", line.split(":")[0])[-1] for line in reported] == list(commands)
    assert all("File too large" in line for line in reported)
    assert all("the same command continues from there" in line for line in reported[:2])
    assert Log.load(tmp_path / "t.jsonl").deals((0, 1)) > 0
    assert Log.load(tmp_path / "s.jsonl", Study).deals((0,)) > 0
    ValueNetwork.load(tmp_path / "agent.safetensors")
    left = {path.name for path in tmp_path.rglob("*") if path.is_file() and ".lock" not in path.name}
    assert left <= {"agent.safetensors", "t.jsonl", "s.jsonl"}
