"""Kernels: compiled on first use, kept on disk, and none the worse for damage there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numba.core.config
import pytest
from numba.core.errors import TypingError

from ingenious_env import compile_all as everything
from ingenious_env.compile_all import all_kernels, compile_all
from ingenious_env.compiled.compiling import clock, compiling, listening
from ingenious_env.compiled.kernel import Kernel, bind
from ingenious_env.compiled.targets.cache import cache_folder, source_digest
from ingenious_env.compiled.targets.cpu import CPU
from ingenious_env.engine.definition import definitions

ROOT = Path(__file__).parents[2]
TINY = '''
from ingenious_env.compiled.kernel import kernel

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


NOTICE = re.compile(
    r"ingenious_env: compiling for the first time with this version: \w+ of \w+, number \d+"
    r"(, up to \d+ more follow)?; `ingenious compile` compiles all at once\.\n"
)


class Process(NamedTuple):
    """The output of a process, its notices of compilation separately."""

    output: str
    errors: str
    notices: int

    @property
    def warnings(self) -> int:
        """The number of warnings of the cache."""
        return self.errors.count("RuntimeWarning: compiled kernels in")


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
    return Process(done.stdout, NOTICE.sub("", done.stderr), len(NOTICE.findall(done.stderr)))


def is_warm(sources: Path, cache: Path) -> bool:
    """Return whether a process that calls both is right, silent and compiles nothing."""
    return run(sources, cache) == (RIGHT, "", 0)


def files(folder: Path, ending: str = "") -> list[Path]:
    return sorted(path for path in folder.rglob(f"*{ending}") if path.is_file())


def times(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in files(folder)}


# The cache.


def test_the_second_start_compiles_nothing(sources, cache):
    assert run(sources, cache) == (RIGHT, "", 1)
    before = times(cache)
    assert len(files(cache, ".nbi")) == len(files(cache, ".nbc")) == 2
    assert is_warm(sources, cache)
    assert times(cache) == before
    assert files(sources) == [sources / "tiny.py"]


SOURCES = {
    "__init__": "",
    "kernels": (
        "import re\nfrom watched import deep\nfrom watched.called import (\n    one,\n    two,\n)\n"
        "from .near import five\nfrom . import nearer\n"
    ),
    "near": "five = 5\n",
    "nearer": "six = 6\n",
    "called": "import watched.further\n\none, two = 1, 2\n",
    "further": "three = 3\n",
    "deep": "from watched import kernels  # a circle\n",
    "unrelated": "four = 4\n",
}


def test_a_change_of_what_a_kernel_calls_is_another_folder(tmp_path, monkeypatch):
    """All imports, direct or not; a module next to it that is not imported does not count."""
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
    assert run(sources, cache) == (RIGHT, "", 1)
    return sources, cache


@pytest.mark.parametrize(
    ("kernels", "damage", "ending"),
    [
        pytest.param("", empty, ".nbi", marks=pytest.mark.nightly),
        pytest.param("", cut, ".nbi", marks=pytest.mark.nightly),
        ("", zeros, ".nbi"),
        ("", empty, ".nbc"),
        pytest.param("", cut, ".nbc", marks=pytest.mark.nightly),
        pytest.param("", zeros, ".nbc", marks=pytest.mark.nightly),
        ("twice", empty, ".nbi"),
        ("thrice", cut, ".nbc"),
    ],
)
def test_a_damaged_cache_is_compiled_anew_and_said_once(compiled, cache, kernels, damage, ending):
    """Both kernels' indices (nbi) or data (nbc), or those of one only."""
    sources, good = compiled
    shutil.copytree(good, cache)
    damaged = [path for path in files(cache, ending) if kernels in path.name]
    assert len(damaged) == (1 if kernels else 2)
    for path in damaged:
        path.write_bytes(damage(path.read_bytes()))
    found = run(sources, cache)
    assert (found.output, found.warnings, found.errors.count("Warning")) == (RIGHT, 1, 1)
    assert run(sources, cache)[:2] == (RIGHT, "")  # which may have had to compile what was not kept
    before = times(cache)
    assert len(files(cache, ".nbc")) == 2
    assert is_warm(sources, cache)
    assert times(cache) == before


def test_a_folder_that_cannot_be_made_is_done_without_and_said_once(sources, tmp_path):
    """Nor is anything cached next to the sources, where Numba misses changes of called modules."""
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
    assert run(sources, cache)[:2] == (RIGHT, "")


def test_two_processes_at_once_do_not_disturb_each_other(sources, cache):
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: run(sources, cache), range(2)))
    assert [each[:2] for each in found] == [(RIGHT, "")] * 2


# The notice.


@pytest.mark.parametrize(("every", "notices"), [(1e9, 1), (0, 2)])
def test_a_first_compilation_is_announced_at_once_and_then_at_intervals(sources, cache, every, notices):
    """Both kernels are compiled; the first line comes whenever it is."""
    code = f"import ingenious_env.compiled.compiling as state; state.NOTICE_EVERY = {every}; {CALL_BOTH}"
    assert run(sources, cache, code) == (RIGHT, "", notices)
    assert run(sources, cache, code) == (RIGHT, "", 0)


SLOW = """
import time
from numba.core.caching import FunctionCache
load = FunctionCache.load_overload
def slow(*arguments):
    time.sleep(0.1)
    return load(*arguments)
FunctionCache.load_overload = slow
import ingenious_env.compiled.compiling as state
state.NOTICE_EVERY = 0
"""


def test_no_notice_of_a_warm_start_however_slow(compiled):
    """Reading takes longer here than any limit; nothing is compiled."""
    sources, cache = compiled
    assert run(sources, cache, f"{SLOW}\n{CALL_BOTH}") == (RIGHT, "", 0)


def test_listeners_are_told_of_the_kernel_and_of_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.core.config, "CACHE_DIR", str(tmp_path))
    heard = []
    for _ in range(2):
        with listening(lambda title: heard.append((title, compiling())), notices=False):
            assert Kernel(one_more, "int64(int64)", folder="listened")(1) == 2
    title = "one_more of listened"
    assert heard == [(title, title), ("", "")]
    assert compiling() == ""


class Slow:
    """A target that takes an hour, and by then has made another kernel, too."""

    def __init__(self, now):
        self.now = now

    def compile(self, function, signature, folder):
        self.now[0] += 1800
        if function is not one_more:
            assert Kernel(one_more, signature, folder=folder, target=self)(1) == 2
            self.now[0] += 1800
        return function


def test_the_clock_stands_still_while_kernels_are_made(monkeypatch):
    now = [50.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    before, slow = clock(), Kernel(abs, "int64(int64)", target=Slow(now))
    now[0] += 2
    assert (slow(-1), clock() - before, now[0]) == (1, 2, 50 + 2 + 3 * 1800)
    now[0] += 3
    assert (slow(-1), clock() - before) == (1, 5)


def test_threads_have_clocks_of_their_own(monkeypatch):
    """Only those of threads that compile a kernel or wait for it stand still."""
    now, reads = [50.0], threading.Semaphore(0)

    def read():
        if threading.current_thread() is not threading.main_thread():
            reads.release()
        return now[0]

    monkeypatch.setattr(time, "perf_counter", read)
    compiling_now, may_end = threading.Event(), threading.Event()

    class Held:
        def compile(self, function, *_):
            compiling_now.set()
            may_end.wait()
            return function

    slow = Kernel(abs, "int64(int64)", target=Held())

    def ask():
        began = clock()
        assert slow(-1) == 1
        return clock() - began

    with ThreadPoolExecutor() as threads:
        first = threads.submit(ask)
        compiling_now.wait()
        before = clock()
        now[0] += 5
        second = threads.submit(ask)
        for _ in range(4):  # of each thread before it asks for the kernel, and as its clock stops
            reads.acquire()
        now[0] += 5
        assert clock() - before == 10
        may_end.set()
        assert (first.result(), second.result()) == (0, 0)
        assert clock() - before == 10


@pytest.mark.parametrize("error", [TypingError, KeyboardInterrupt])
def test_the_clock_goes_on_after_a_kernel_that_could_not_be_made(monkeypatch, error):
    now = [50.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    class Broken:
        def compile(self, *_):
            now[0] += 1800
            raise error("no")

    before = clock()
    with pytest.raises(error, match="no"):
        Kernel(abs, "int64(int64)", target=Broken())(-1)
    now[0] += 1
    assert clock() - before == 1


def test_everything_is_compiled_at_once(monkeypatch):
    """All kernels there are, of both games, and what shares their rows out."""
    pytest.importorskip("torch", reason="the kernels of PPO")
    kernels = all_kernels()
    titles = [kernel.title for kernel in kernels]
    for game in ("ingenious", "loopit"):  # other tests may have registered more
        mine = {each for each in vars(definitions()[game].kernels).values() if isinstance(each, Kernel)}
        assert mine <= set(kernels)
        wanted = ("greedy_actions", "write_candidates", "grow_tree", "try_candidates")
        assert {f"{name} of {game}" for name in wanted} <= set(titles)
    found = {
        name
        for path in [*ROOT.glob("ingenious_env/**/*.py"), *ROOT.glob("agents/ingenious_agents/**/*.py")]
        for name in re.findall(r"@kernel\((?:[^@]|\n)*?\)\ndef (\w+)", path.read_text(encoding="utf-8"))
    }
    assert len(found) >= 9
    assert found <= {kernel.name for kernel in kernels}
    asked, shown, shared = [], [], []

    class Target:
        def compile(self, function, signature, folder):
            asked.append((function.__name__, signature, folder))
            return function

    fresh = [
        Kernel(kernel.function, kernel.signature, folder=kernel._folder, target=Target())
        for kernel in kernels
    ]
    monkeypatch.setattr(everything, "all_kernels", lambda: fresh)
    monkeypatch.setattr(everything, "compile_shared", shared.append)
    assert "were compiled already" in compile_all(shown.append)
    assert len(asked) == len(fresh) == len(shown)
    assert shared == fresh
    assert shown[0] == f"1 of {len(fresh)}: {titles[0]}"


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


def test_threads_that_call_a_kernel_first_compile_it_once():
    """Since Python 3.12 `cached_property` has no lock."""

    class Slow:
        compiled = 0

        def compile(self, function, _signature, _folder):
            self.compiled += 1
            time.sleep(0.1)
            return function

    kernel = Kernel(one_more, "int64(int64)", target=Slow())
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(kernel, range(4))) == [1, 2, 3, 4]
    assert kernel._target.compiled == 1


def test_options_reach_the_compiler():
    assert CPU(parallel=False).compile(one_more, "float32(float32)", "options")(1.5) == 2.5


def test_the_folder_is_named_after_the_sources(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.core.config, "CACHE_DIR", str(tmp_path))
    name, other = "ingenious_env.compiled.row_kernels", "ingenious_env.games.ingenious.kernels"
    assert cache_folder([name], "ingenious") == tmp_path / f"kernels-{source_digest(name)}" / "ingenious"
    assert cache_folder([name]) != cache_folder([name], "ingenious")
    assert cache_folder([name]) != cache_folder([name, other]) == cache_folder([other, name])
    monkeypatch.setattr(numba.core.config, "CACHE_DIR", "")
    assert cache_folder([name]).parents[1] == Path.home() / ".cache" / "ingenious_env"
