"""Kernels: compiled on first use, kept on disk, and none the worse for damage there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numba.core.config
import pytest
from numba.core.errors import TypingError

from ingenious_env.core.kernel import CPU, Kernel, bind, cache_folder, source_digest

TINY = '''
from ingenious_env.core.kernel import kernel

@kernel("int64(int64)")
def twice(x):
    """Twice a number."""
    return 2 * x

@kernel("int64(int64)")
def thrice(x):
    """Three times a number."""
    return 3 * x
'''
CALL_BOTH = "import tiny; print(tiny.twice(21), tiny.thrice(21))"
RIGHT = "42 63\n"


class Process(NamedTuple):
    """What a process wrote."""

    output: str
    errors: str

    @property
    def warnings(self) -> int:
        """How often it warned of the cache."""
        return self.errors.count("RuntimeWarning: compiled kernels in")

    @property
    def notices(self) -> int:
        """How often it said that it compiles."""
        return self.errors.count("ingenious_env: compiling")


@pytest.fixture(name="sources")
def _sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "tiny.py").write_text(TINY)
    return folder


@pytest.fixture(name="cache")
def _cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def run(sources: Path, cache: Path, code: str = CALL_BOTH) -> Process:
    """Run code in a fresh process that keeps its kernels in the cache."""
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join([str(sources), os.environ["PYTHONPATH"]]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return Process(done.stdout, done.stderr)


def files(folder: Path, ending: str = "") -> list[Path]:
    return sorted(path for path in folder.rglob(f"*{ending}") if path.is_file())


def times(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in files(folder)}


# The cache.


def test_the_second_start_compiles_nothing(sources, cache):
    assert run(sources, cache) == (RIGHT, "")
    before = times(cache)
    assert len(files(cache, ".nbi")) == len(files(cache, ".nbc")) == 2
    assert run(sources, cache) == (RIGHT, "")
    assert times(cache) == before
    assert files(sources) == [sources / "tiny.py"]


SOURCES = {
    "__init__": "",
    "kernels": "import re\nfrom watched import deep\nfrom watched.called import (\n    one,\n    two,\n)\n",
    "called": "import watched.further\n\none, two = 1, 2\n",
    "further": "three = 3\n",
    "deep": "from watched import kernels  # a circle\n",
    "unrelated": "four = 4\n",
}


def test_a_change_of_what_a_kernel_calls_is_another_folder(tmp_path, monkeypatch):
    """Whatever is imported, directly or not; a module beside it that is not imported does not count."""
    package = tmp_path / "watched"
    package.mkdir()
    for name, text in SOURCES.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)

    def digest() -> str:
        source_digest.cache_clear()
        return source_digest("watched.kernels")

    before = digest()
    assert source_digest("watched.further", "watched.kernels") == before
    for name in SOURCES:
        with (package / f"{name}.py").open("a") as file:
            file.write("\nadded = 1\n")
        after = digest()
        assert (after != before) == (name != "unrelated"), name
        before = after


def empty(content: bytes) -> bytes:
    return content[:0]


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def zeros(content: bytes) -> bytes:
    return bytes(len(content))


@pytest.fixture(scope="module", name="compiled")
def _compiled(tmp_path_factory) -> tuple[Path, Path]:
    """Sources, and a cache that holds their kernels."""
    sources, cache = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("cache")
    (sources / "tiny.py").write_text(TINY)
    assert run(sources, cache) == (RIGHT, "")
    return sources, cache


@pytest.mark.parametrize(
    ("kernels", "damage", "ending"),
    [
        ("", empty, ".nbi"),
        ("", cut, ".nbi"),
        ("", zeros, ".nbi"),
        ("", empty, ".nbc"),
        ("", cut, ".nbc"),
        ("", zeros, ".nbc"),
        ("twice", empty, ".nbi"),
        ("thrice", cut, ".nbc"),
    ],
)
def test_a_damaged_cache_is_compiled_anew_and_said_once(compiled, cache, kernels, damage, ending):
    """Both kernels' indices (nbi) or data (nbc), or those of one alone."""
    sources, good = compiled
    shutil.copytree(good, cache)
    damaged = [path for path in files(cache, ending) if kernels in path.name]
    assert len(damaged) == (1 if kernels else 2)
    for path in damaged:
        path.write_bytes(damage(path.read_bytes()))
    found = run(sources, cache)
    assert (found.output, found.warnings, found.errors.count("Warning")) == (RIGHT, 1, 1)
    assert run(sources, cache) == (RIGHT, "")  # which may have had to compile what was not kept
    before = times(cache)
    assert len(files(cache, ".nbc")) == 2
    assert run(sources, cache) == (RIGHT, "")
    assert times(cache) == before


def test_a_folder_that_cannot_be_made_is_done_without_and_said_once(sources, tmp_path):
    """Nor is anything kept beside the sources, where Numba misses changes of what a kernel calls."""
    (tmp_path / "file").write_text("no folder")
    found = run(sources, tmp_path / "file" / "cache")
    assert (found.output, found.warnings) == (RIGHT, 1)
    assert files(sources) == [sources / "tiny.py"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_done_without_and_said_once(sources, cache):
    cache.mkdir(mode=0o500)
    found = run(sources, cache)
    assert (found.output, found.warnings) == (RIGHT, 1)
    assert files(sources) == [sources / "tiny.py"]
    assert not files(cache)


def test_a_full_disk_is_done_without_and_said_once(sources, cache):
    pytest.importorskip("resource")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))"
    found = run(sources, cache, f"{limit}; {CALL_BOTH}")
    assert (found.output, found.warnings) == (RIGHT, 1)
    assert files(sources) == [sources / "tiny.py"]
    assert run(sources, cache) == (RIGHT, "")


def test_two_processes_at_once_do_not_disturb_each_other(sources, cache):
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: run(sources, cache), range(2)))
    assert found == [(RIGHT, "")] * 2


# The notice.


def test_the_notice_comes_once_however_many_kernels_are_compiled(sources, cache):
    at_once = f"import ingenious_env.core.kernel as kernel; kernel.ANNOUNCE_AFTER = 0; {CALL_BOTH}"
    found = run(sources, cache, at_once)
    assert (found.output, found.notices) == (RIGHT, 1)
    assert found.errors.count("\n") == 1


def test_no_notice_of_what_is_quick(sources, cache):
    later = f"import ingenious_env.core.kernel as kernel; kernel.ANNOUNCE_AFTER = 60; {CALL_BOTH}"
    assert run(sources, cache, later) == (RIGHT, "")
    assert run(sources, cache) == (RIGHT, "")


# Kernels and templates.


class Interpreter:
    """A target that compiles nothing, and counts."""

    def __init__(self):
        self.asked = []

    def compile(self, function, signature, folder):
        self.asked.append((function.__name__, signature, folder))
        return function


def test_a_kernel_is_compiled_when_it_is_first_called_and_not_again():
    target = Interpreter()

    def add(a, b):
        """The sum."""
        return a + b

    kernel = Kernel(add, "int64(int64, int64)", folder="sums", target=target)
    assert (kernel.name, kernel.__doc__, target.asked) == ("add", "The sum.", [])
    assert repr(kernel) == "Kernel(add: int64(int64, int64))"
    assert [kernel(1, 2), kernel(3, 4), kernel.compiled(5, 6)] == [3, 7, 11]
    assert target.asked == [("add", "int64(int64, int64)", "sums")]


def test_bind_puts_one_module_in_the_place_of_another():
    def template(x):
        """A template."""
        return rules.step(x)  # noqa: F821 - bound below

    games = []
    for size in (1, 10):
        rules_of_a_game = ModuleType("rules_of_a_game")
        rules_of_a_game.step = lambda x, size=size: x + size
        games.append(bind(template, rules_of_a_game))
    assert [game(5) for game in games] == [6, 15]
    assert games[0].__name__ == template.__name__
    assert games[0].__doc__ == "A template."
    assert games[0].__module__ == "rules_of_a_game"
    with pytest.raises(NameError, match="rules"):
        template(5)


def no_type(x):
    """Numba does not know the name."""
    return not_defined_anywhere(x)  # noqa: F821 - on purpose


def one_more(x):
    """The next number."""
    return x + 1


def test_what_does_not_compile_is_no_fault_of_the_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.core.config, "CACHE_DIR", str(tmp_path))
    with pytest.raises(TypingError, match="not_defined_anywhere"):
        Kernel(no_type, "int64(int64)")(1)


def test_settings_are_as_before_and_threads_may_compile_at_once(tmp_path, monkeypatch):
    config = numba.core.config
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    before = (config.CACHE_DIR, config.LOOP_VECTORIZE)
    kernels = [Kernel(one_more, "int64(int64)", folder=name) for name in "abab"]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda kernel: kernel(41), kernels)) == [42] * 4
    assert before == (config.CACHE_DIR, config.LOOP_VECTORIZE)
    (digest,) = tmp_path.iterdir()
    assert digest.name == f"kernels-{source_digest(__name__)}"
    assert {path.name for path in digest.iterdir()} == {"a", "b"}


def test_options_reach_the_compiler():
    assert CPU(parallel=False).compile(one_more, "float32(float32)", "options")(1.5) == 2.5


def test_the_folder_is_named_after_the_sources(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.core.config, "CACHE_DIR", str(tmp_path))
    name, other = "ingenious_env.core.row_kernels", "ingenious_env.games.ingenious.kernels"
    assert cache_folder([name], "ingenious") == tmp_path / f"kernels-{source_digest(name)}" / "ingenious"
    assert cache_folder([name]) != cache_folder([name], "ingenious")
    assert cache_folder([name]) != cache_folder([name, other]) == cache_folder([other, name])
    monkeypatch.setattr(numba.core.config, "CACHE_DIR", "")
    assert cache_folder([name]).parents[1] == Path.home() / ".cache" / "ingenious_env"
