"""The pages: their Python runs, their commands and options exist, their links lead somewhere.

`run_pages.py` runs all blocks, each page's in a fresh environment with what the page installs.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest
from ingenious_agents.commands import command_line
from pages import ROOT, Block, blocks_of, pages, pages_that_run, text_of
from run_pages import LAST, REDUCED, Shell, checkout, environment, has_results, ordered, reduced

from ingenious_env.cli import COMMANDS
from ingenious_env.compiled import compiled_rules
from ingenious_env.engine.definition import GameDefinition, definitions

OURS = ("ingenious_env", "ingenious_agents", "scripts")
QUIET = {"numpy", "gymnasium"}
"""Libraries without warnings; in a block that uses no others, warnings are errors."""
PREPARED = {"docs/howto/trainers/minari.md": ["-m", "ingenious_env", "dataset", "--games", "4"]}
"""What the Python of a page needs of the commands above it."""
BASH = shutil.which("bash") or "bash"
GAME_PAGE, EXAMPLE = "docs/howto/add_a_game.md", ROOT / "scripts" / "examples" / "squares"
MISSING = 77  # status
RUNNER = """
import builtins, importlib, json, runpy, sys, warnings

def describe(place, *values):
    with open("described.jsonl", "a", encoding="utf-8") as file:
        found = [[str(getattr(each, "dtype", "")), list(getattr(each, "shape", each))] for each in values]
        file.write(json.dumps([place, found]) + "\\n")

builtins.describe = describe
blocks, libraries = json.loads(sys.argv[1])
for library in libraries:
    try:
        importlib.import_module(library)
    except ImportError as error:
        print(error)
        sys.exit(77)
for block, is_quiet in blocks:
    with warnings.catch_warnings():
        if is_quiet:
            warnings.simplefilter("error")
        sys.argv = [block]
        runpy.run_path(block, run_name="__main__")
    print("@@", flush=True)
"""


def libraries_of(block: Block) -> list[str]:
    """The modules of other projects that a block imports."""
    names: list[str] = []
    for node in ast.walk(ast.parse(block.text)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return [name for name in names if name.partition(".")[0] not in {*OURS, *sys.stdlib_module_names}]


def ran(page: str, folder: Path) -> list[str]:
    """Run the Python of a page, in a folder that looks like a checkout; what each block printed."""
    for name in OURS:
        (folder / name).symlink_to(ROOT / name)
    blocks = blocks_of(page, "python")
    paths = [folder / (block.file or f"block{number}.py") for number, block in enumerate(blocks)]
    for path, block in zip(paths, blocks, strict=True):
        path.write_text(with_descriptions(block), encoding="utf-8")
    libraries = sorted({library for block in blocks for library in libraries_of(block)})
    path = [str(ROOT), str(folder)]  # blocks import the files of others
    if page == GAME_PAGE:  # it makes a package, which is not installed here
        text = "".join(block.text for block in blocks_of(page, "bash"))
        made = re.sub(r"^(python3|pip|ingenious) .*\n", "", text, flags=re.MULTILINE)
        subprocess.run([BASH, "-euc", made], check=True, cwd=folder)
        path.append(str(folder / "my-game"))
    quiet = [{name.partition(".")[0] for name in libraries_of(block)} <= QUIET for block in blocks]
    run = [(str(path), is_quiet) for path, is_quiet in zip(paths, quiet, strict=True)]
    compiled = os.environ.get("NUMBA_CACHE_DIR", str(Path.home() / ".cache" / "ingenious_env"))
    empty = {"HOME": str(folder), "USERPROFILE": str(folder)}
    variables = os.environ | empty | {"PYTHONPATH": os.pathsep.join(path), "NUMBA_CACHE_DIR": compiled}
    python = [sys.executable, "-P"]  # without the folder itself: its packages are links
    options = {"cwd": folder, "env": variables, "capture_output": True, "text": True}
    if page in PREPARED:
        for library in libraries:
            pytest.importorskip(library)
        subprocess.run([*python, *PREPARED[page]], check=True, **options)
    done = subprocess.run([*python, "-c", RUNNER, json.dumps([run, libraries])], check=False, **options)
    if done.returncode == MISSING:
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("@@\n")[:-1]


ARRAY = re.compile(r"(?:(torch\.)?([a-z]+\d*),? )?\[(\d+(?:, \d+)*)\]")
"""In a comment: perhaps a dtype, and a shape."""


def arrays_in(comment: str) -> list[tuple[str, list[int]]]:
    """The dtypes and shapes that a comment names; a shape without a dtype has that of the one before."""
    found, dtype = [], ""
    for match in ARRAY.finditer(comment):
        dtype = match[2] if match[2] and match[2] != "and" else dtype
        found.append((dtype, [int(size) for size in match[3].split(",")]))
    return found


def described(block: Block) -> Iterator[tuple[ast.stmt, str, list[str]]]:
    """Statements that a comment with shapes describes: the comment, and expressions for what has them."""
    lines = block.text.splitlines()
    for statement in ast.parse(block.text).body:
        _, _, comment = lines[statement.end_lineno - 1].partition("  # ")
        own, _, other = comment.partition("; ")
        if not arrays_in(own):
            continue
        if isinstance(statement, ast.Assign):
            (target,) = statement.targets
            values = [ast.unparse(each) for each in getattr(target, "elts", [target])]
        else:
            values = [ast.unparse(statement).removesuffix(".dtype")]
        yield statement, own, values[: len(arrays_in(own))]
        name, _, rest = other.partition(" is ")
        if arrays_in(rest):
            yield statement, rest, [name]


def with_descriptions(block: Block) -> str:
    """The text of a block that also writes down the dtypes and shapes of what its comments describe."""
    lines = block.text.splitlines(keepends=True)
    for statement, comment, values in reversed(list(described(block))):
        lines.insert(statement.end_lineno, f"describe({comment!r}, {', '.join(values)})\n")
    return "".join(lines)


def check_descriptions(page: str, folder: Path) -> None:
    """Dtypes and shapes in comments are those of the run."""
    path = folder / "described.jsonl"
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    expected = [comment for block in blocks_of(page, "python") for _, comment, _ in described(block)]
    assert sorted(comment for comment, _ in found) == sorted(expected)
    for comment, arrays in found:
        said = arrays_in(comment)
        assert [shape for _, shape in said] == [shape for _, shape in arrays], comment
        dtypes = [dtype.removeprefix("torch.") for dtype, _ in arrays]
        assert all(one in ("", other) for (one, _), other in zip(said, dtypes, strict=True)), comment


def test_comments_with_shapes_are_found():
    """On four pages, in assignments and in expressions."""
    found = {
        page: [values for block in blocks_of(page, "python") for _, _, values in described(block)]
        for page in pages()
    }
    assert {page.rpartition("/")[2]: values for page, values in found.items() if values} == {
        "environment.md": [["mask", "obs"]],
        "cleanrl.md": [["observations"], ['infos["action_mask"]']],
        "index.md": [["actions", "log_probs", "values"], ["logits", "values"]],
        "torchrl.md": [
            ["data['action_mask']"],
            ["data['next', 'reward'].shape"],
            ["envs.rollout(20, random_legal, break_when_any_done=False)['action'].shape"],
        ],
    }


def check_pictures(_, folder):
    """A page, and a video for browsers."""
    ffmpeg = pytest.importorskip("imageio_ffmpeg").get_ffmpeg_exe()
    assert "<script" in (folder / "game.html").read_text(encoding="utf-8")
    (video,) = (folder / "runs" / "videos").glob("*.mp4")
    report = subprocess.run([ffmpeg, "-i", video], capture_output=True, text=True, check=False).stderr
    assert re.search(r"Video: h264 .*, yuv420p\(", report)


def check_loopit(printed, _):
    """The figures of the page are those that its last block prints."""
    page = text_of("ingenious_env/games/loopit/README.md")
    found = [line.split()[1:] for line in printed[-1].splitlines()]
    rows = [re.findall(r"\| ([\d.]+)( ?%?) ", line) for line in page.splitlines()]
    table = [["".join(cell).replace(" ", "") for cell in row] for row in rows if len(row) == 3]
    assert [list(column) for column in zip(*table, strict=True)] == found


def check_game(printed, _):
    """25 squares for two tiles, and two choices."""
    assert printed[0].splitlines() == ["(1024, 52) (1024, 2, 1)", "(109,) 50"]


CHECKS = {
    "docs/howto/pictures.md": check_pictures,
    "ingenious_env/games/loopit/README.md": check_loopit,
    GAME_PAGE: check_game,
}


@pytest.mark.parametrize("page", [page for page in pages() if blocks_of(page, "python")])
def test_the_python_of_a_page_runs(page, tmp_path):
    printed = ran(page, tmp_path)
    assert len(printed) == len(blocks_of(page, "python"))
    check_descriptions(page, tmp_path)
    CHECKS.get(page, lambda *_: None)(printed, tmp_path)


@pytest.mark.parametrize("page", pages_that_run())
def test_a_page_begins_with_the_environment_that_its_blocks_need(page):
    """And installs extras that there are; the README has commands that set it up themselves before."""
    first, *others = blocks_of(page, "bash", "python")
    if page == "README.md":
        assert all(".venv/bin/python -m" in block.text for block in (first, others[0]))
        assert others[1].text == ". .venv/bin/activate\n"
    else:
        made, installed = first.text.splitlines()[:2]
        assert made == "python3 -m venv .venv && . .venv/bin/activate"
        assert installed.startswith("pip install ")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    installs = [line for block in (first, *others) for line in re.findall(r"pip install .*", block.text)]
    for line in installs:
        named = re.findall(r"-e '\.\[([\w,]+)\]'", line)
        assert {name for each in named for name in each.split(",")} <= extras.keys()
        needs_torch = any(
            name in {"torch", "train", "torchrl", "optimise", "all"}
            for each in named
            for name in each.split(",")
        )
        assert ("-c .ci/constraints.txt" in line) == needs_torch or "-e" not in line


@pytest.mark.parametrize("page", pages_that_run())
def test_the_shell_reads_each_block(page):
    for block in blocks_of(page, "bash"):
        for text in (block.text, reduced(block)):
            command = ["bash", "-n"]
            subprocess.run(command, input=text, check=True, text=True, capture_output=True)


NOT_RUN = {
    "docs/howto/install.md": {"text", "powershell"},  # an index of PyTorch's own, and Windows
    "docs/howto/clusters.md": {"text"},  # several machines
    "docs/howto/friend.md": {"text"},
}
"""Kinds of blocks with commands that no machine can run alone, by page."""


def test_commands_are_in_blocks_that_run():
    found = {}
    for page in pages():
        for block in blocks_of(page):
            is_command = re.search(r"^(ingenious|python3?|pip|py|ray|ssh) ", block.text, re.MULTILINE)
            if is_command and block.language not in ("bash", "python"):
                found.setdefault(page, set()).add(block.language)
    assert found == NOT_RUN


def test_each_reduction_is_of_something():
    """And only of blocks of bash; a block that installs all extras runs after the others of its page."""
    blocks = [block for page in pages_that_run() for block in blocks_of(page, "bash")]
    for page, written, _ in REDUCED:
        assert any(
            re.fullmatch(page, block.page) and re.search(written, block.text, re.MULTILINE)
            for block in blocks
        ), written
    assert [block.language for block in ordered("README.md") if LAST in block.text] == ["bash"]
    assert LAST in ordered("README.md")[-1].text
    assert all(ordered(page)[0] == blocks_of(page, "bash", "python")[0] for page in pages_that_run())


OF_PAGES = {"$AGENTS": "value greedy", "fives": "ingenious"}
"""What pages make themselves, by what stands for it here: a list of agents, and a game."""
GIVEN = re.compile("|".join(map(re.escape, OF_PAGES)))


def commands() -> Iterator[tuple[str, str, list[str]]]:
    """The commands on all pages, in blocks or in sentences: place, module and arguments.

    The changelog only names them.
    """
    for page in [each for each in pages() if each != "CHANGELOG.md"]:
        text = re.sub(r"\\\n", " ", text_of(page))
        for number, line in enumerate(text.splitlines(), 1):
            for found in re.finditer(
                r"(?:python -m (scripts\.[\w.]+)|\bingenious ([a-z]+))((?: (?!#)[^\s`;|>)]+)*)", line
            ):
                if found[1] or found[2] in COMMANDS:
                    module = found[1] or COMMANDS[found[2]].module
                    yield (
                        f"{page}:{number}",
                        module,
                        shlex.split(GIVEN.sub(lambda match: OF_PAGES[match[0]], found[3])),
                    )


NOT_PARSED = {"scripts.NAME", "scripts.examples.NAME", "scripts.mutate_generic", COMMANDS["compile"].module}
"""Words for any script, and commands without options."""


class ParsedError(Exception):
    """The options have been read; nothing else happens."""


def test_each_command_is_one_that_its_script_takes(monkeypatch):
    """Those of examples, whose libraries may be missing, by the text of the example."""
    every = list(commands())
    assert len(every) > 40
    for place, name, arguments in every:
        words = [re.sub(r"^(\$\w+|[A-Z]|…|FILE|LOG)$", "1", word) for word in arguments]
        if name in NOT_PARSED:
            continue
        if name.startswith("scripts.examples."):
            source = (ROOT / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8")
            assert all(f'"{word}"' in source for word in words if word.startswith("--")), place
            continue
        module = importlib.import_module(f"{name}.__main__" if name == "scripts.benchmark" else name)
        real = command_line.read

        def read(*given, real=real, **options):
            real(*given, **options)
            raise ParsedError

        monkeypatch.setattr(module, "read", read)
        try:
            with pytest.raises(ParsedError):
                module.main(words)
        except SystemExit:
            pytest.fail(f"{place}: {name} refuses {arguments}")


def test_values_are_a_percentage_only_where_they_are_calibrated():
    """Those of `advise` are on the policy's own scale, which promises 0.65 and more to each seat at first."""
    advising = [block for page in pages() for block in blocks_of(page, "python") if "advise(" in block.text]
    assert advising
    assert [block.place for block in advising if "%}" in block.text and "calibrated(" not in block.text] == []


def test_calibrated_values_stand_beside_the_games_that_they_hold_for():
    """On each page with such figures, and in each card."""
    named = [page for page in pages() if re.search(r"\bcalibrated\b|## Calibration", text_of(page))]
    cards = {
        path.relative_to(ROOT).as_posix() for path in ROOT.glob("ingenious_env/games/**/weights/**/*.md")
    }
    assert len(cards) > 8
    assert {page for page in named if "/weights/" in page} == cards
    for page in named:
        text = " ".join(text_of(page).split())
        assert page == "CHANGELOG.md" or re.search(r"against itself|plays on", text), page


def test_the_runner_notices_a_failed_command_and_keeps_the_shell(tmp_path):
    """Also one that others follow; what a block sets, later ones have, as in a reader's shell."""
    (tmp_path / "checkout").mkdir()
    shell = Shell(tmp_path / "checkout", environment(tmp_path, tmp_path))
    try:
        assert shell.run("first", "AGENTS=greedy\necho one\n") == (True, "one")
        assert shell.run("second", "false\necho $AGENTS\n") == (False, "greedy")
        assert shell.run("third", "for each in 1 2; do test $each = 2; done\n") == (False, "")
        assert shell.run("fourth", "echo 'a failed run | tee' | cat\n") == (True, "a failed run | tee")
        assert shell.run("fifth", "false | cat\n") == (False, "")
        assert shell.run("sixth", "exit 0\n")[0] is False
    finally:
        shell.close()


def test_the_runner_compares_numbers_in_comments_with_what_was_printed():
    (block,) = [each for each in blocks_of("docs/benchmark/exact.md", "bash") if "# 9.612034" in each.text]
    assert has_results(block, "the exact value is 9.612034 spaces")
    assert not has_results(block, "the exact value is 9.6120340 spaces")
    example = Block("README.md", 1, "bash", "python -m scripts.examples.openspiel_ismcts\n")
    assert has_results(example, "IS-MCTS against greedy: 37.5% of 1 games")
    assert not has_results(example, "")


def test_the_runner_s_copy_is_a_checkout_of_all_files(tmp_path):
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a checkout")
    names = [
        subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],  # noqa: S607
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        for folder in (ROOT, checkout(tmp_path))
    ]
    assert sorted(name for name in names[0] if (ROOT / name).exists()) == sorted(names[1])


def test_the_runner_begins_in_an_empty_home_without_an_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    variables = environment(tmp_path, tmp_path)
    assert variables["HOME"] == str(tmp_path)
    assert not variables.keys() & {"VIRTUAL_ENV", "PYTHONPATH"}
    assert str(Path(sys.prefix) / "bin") not in variables["PATH"].split(os.pathsep)


def test_what_the_page_on_games_quotes_stands_in_the_example():
    files = [
        path.read_text(encoding="utf-8") for path in EXAMPLE.rglob("*.*") if path.suffix in (".py", ".js")
    ]
    quoted = blocks_of(GAME_PAGE, "py", "js")
    assert len(quoted) > 4
    assert [block.place for block in quoted if not any(block.text in text for text in files)] == []


def names_in_table(header: str) -> set[str]:
    """The names in the first column of a table of the page on games."""
    table = text_of(GAME_PAGE).partition(f"| {header} |")[2].partition("\n\n")[0]
    return {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])} - {""}


def test_the_page_on_games_names_all_that_a_game_supplies():
    declared = [name for name, each in vars(GameDefinition).items() if isinstance(each, FunctionType)]
    public = {name for name in (*declared, *GameDefinition.__annotations__) if name[0] != "_"} - {"policy"}
    needed = {
        name for name in public if not hasattr(GameDefinition, name)
    } | GameDefinition.__abstractmethods__
    assert names_in_table("Needed") == needed
    assert names_in_table("With a default") == public - needed
    functions = {name for name, each in vars(compiled_rules).items() if hasattr(each, "__module__")}
    stubs = {name for name in functions if vars(compiled_rules)[name].__module__ == compiled_rules.__name__}
    assert names_in_table("Function") == stubs - {"rules_workspace"}


def test_pages_that_install_pytorch_say_how_to_do_without_cuda():
    """Or a stranger on Linux downloads gigabytes."""
    extras = tomllib.loads(text_of("pyproject.toml"))["project"]["optional-dependencies"]

    def has_torch(extra: str) -> bool:
        inner = [re.match(r"ingenious-env\[(.+)\]", each) for each in extras[extra]]
        own = any(re.match(r"torch\b", each) for each in extras[extra])
        return own or any(has_torch(name) for found in inner if found for name in found[1].split(","))

    installed = re.compile(r"pip install .*'\.\[([\w,]+)\]'")
    heavy = [
        page
        for page in set(pages()) - {"docs/howto/install.md"}
        if any(has_torch(extra) for found in installed.findall(text_of(page)) for extra in found.split(","))
    ]
    assert len(heavy) > 20
    assert [page for page in heavy if "install.md#without-a-gpu-no-cuda" not in text_of(page)] == []


def test_the_opponents_by_name_are_those_of_each_game():
    text = (ROOT / "docs/reference/agents.md").read_text(encoding="utf-8")
    sentence = text.partition("or a short name: ")[2].partition(".\n")[0]
    said = re.sub(r"\(.*?\)", "", sentence).split(";")
    found = {part.split()[1].lower(): re.findall(r"`([^`]+)`", part) for part in said}
    assert found == {name: list(definitions()[name].policies) for name in ("ingenious", "loopit")}
