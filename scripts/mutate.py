"""Plants deliberate bugs in the code, one at a time, and checks that the tests notice each of them.

    python -m scripts.mutate                          # all of them, which takes a while
    python -m scripts.mutate --processes 2
    python -m scripts.mutate --only no-instant-win    # one of those that --list names

The bugs are listed in `tests/mutations.py`. For each, the working tree is copied to a temporary folder, the
bug is planted there, and the tests are run until one fails. Tests that argue from the rules go first and the
golden playthroughs last, as these pin down what may rightly change, too.

Exits with 1 if a mutation survives that is not marked as equivalent, if one that is marked so is caught, or
if one is broken: its text is not found exactly once, or the kernels or the tests cannot even be loaded.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from tqdm import tqdm

ROOT = Path(__file__).resolve().parent.parent

TELLING = (
    "geometry",
    "rules",
    "perft",
    "differential",
    "batch",
    "input",
    "notation",
    "observation",
    "hidden",
    "symmetry",
    "ranking",
    "rewards",
    "reference",
    "golden",
)
"""The tests in the order in which they are run; those that are not named here come after them."""

LEFT_OUT = ("mutations", "train", "sb3", "match", "packaging", "package", "readme", "render")
"""Tests that say nothing about the rules, or that fail in a copy with any mutation."""

FIRST = {
    "ingenious_env/kernels/actions.py": "batch input",
    "ingenious_env/kernels/batch.py": "batch",
    "ingenious_env/kernels/hidden.py": "hidden",
    "ingenious_env/kernels/intrinsics.py": "observation batch",
    "ingenious_env/kernels/policies.py": "agents",
    "ingenious_env/kernels/streams.py": "batch",
    "ingenious_env/kernels/views.py": "observation",
    "ingenious_env/consistency.py": "notation",
    "ingenious_env/rewards.py": "rewards",
    "ingenious_env/engine.py": "batch",
    "ingenious_env/notation.py": "notation",
    "ingenious_env/observation.py": "observation",
    "ingenious_env/policies.py": "pool agents",
    "ingenious_env/sb3.py": "sb3",
    "ingenious_env/spaces.py": "observation",
    "agents/pool.py": "pool",
    "scripts/train_ppo.py": "train_ppo",
}
"""The tests that go before all others for the mutations of a file, be they left out otherwise or not."""

GUARD = '''"""Watches the tests from inside: what is imported, what is compiled, which test is running."""

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent
_log = (HERE.parent / "log").open("a", buffering=1)
_failed = None


def pytest_collection_finish(session):
    import ingenious_env
    from ingenious_env.kernels.compiling import load

    if HERE not in Path(ingenious_env.__file__).parents:
        pytest.exit(f"{ingenious_env.__file__} is not in the copy", 3)
    if not session.testsfailed:
        print("collected", file=_log)
        load("ingenious_env.kernels.batch")
        load("ingenious_env.kernels.policies")
        print("ready", file=_log)


def pytest_runtest_logstart(nodeid):
    print("test", nodeid, file=_log)


def pytest_runtest_logreport(report):
    if report.failed:
        print("failed", report.nodeid, file=_log)
'''
GUARD_NAME = "mutation_guard"

CAUGHT, TIMED_OUT, SURVIVED, BROKEN = "caught", "timed out", "survived", "broken mutation"
EQUIVALENT, NOT_EQUIVALENT = "equivalent", "caught, though marked as equivalent"
BAD = (SURVIVED, BROKEN, NOT_EQUIVALENT)


class Result(NamedTuple):
    """What became of a mutation, the test that was running last, and for broken ones the reason."""

    outcome: str
    test: str = ""
    reason: str = ""


class Interrupted(Exception):  # noqa: N818 - not an error
    """Ctrl-C was pressed while tests ran."""


def copy_tree(source: Path, target: Path, files: Sequence[str]) -> None:
    """Copy the files with their times, by which Numba recognises sources that it has compiled."""
    for name in files:
        to = target / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / name, to)


def tree_files() -> list[str]:
    """The working tree: what Git tracks, and what it neither tracks nor ignores."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def all_tests(tree: Path) -> set[str]:
    """The names of the test files, without `test_`."""
    return {path.stem.removeprefix("test_") for path in (tree / "tests").glob("test_*.py")}


def test_files(tree: Path, mutated: str | None, only: Sequence[str] | None) -> list[str]:
    """The tests to run, in order; only those named, if any are."""
    names = all_tests(tree)
    first = FIRST.get(mutated or "", "").split()
    wanted = [*first, *TELLING, *sorted(names)]
    skipped = {name for name in names for left_out in LEFT_OUT if name.startswith(left_out)}
    chosen = names.intersection(only) if only else names - skipped | names.intersection(first)
    return [f"tests/test_{name}.py" for name in dict.fromkeys(wanted) if name in chosen]


class Runner:
    """Runs the tests on mutated copies, below a temporary folder.

    A copy always lies in one of `processes` places, so that the compiled kernels of one mutation serve the
    next if neither of them touches the kernels: Numba's cache goes by a source's path, size and time.

    Args:
        folder: the temporary folder.
        processes: mutations that are run side by side.
        silence: seconds after which a test that goes on counts as hanging.
        tests: the test files to run, without `test_`; None for all that may tell.
    """

    def __init__(self, folder: Path, processes: int, silence: float, tests: Sequence[str] | None) -> None:
        self.silence = silence
        self.tests = tests
        self.stop = threading.Event()
        self._snapshot = folder / "snapshot"
        self._files = tree_files()
        copy_tree(ROOT, self._snapshot, self._files)
        self._places: SimpleQueue[Path] = SimpleQueue()
        for number in range(processes):
            self._places.put(folder / f"place{number}")

    def run(self, mutation: Any | None) -> Result:
        """Run the tests with this mutation, or with none."""
        place = self._places.get()
        try:
            return self._run_in(place, mutation)
        finally:
            self._places.put(place)

    def _run_in(self, place: Path, mutation: Any | None) -> Result:
        tree, log = place / "tree", place / "log"
        shutil.rmtree(tree, ignore_errors=True)
        copy_tree(self._snapshot, tree, self._files)
        (tree / f"{GUARD_NAME}.py").write_text(GUARD, encoding="utf-8")
        log.write_text("", encoding="utf-8")
        if mutation is not None:
            source = tree / mutation.file
            text = source.read_text(encoding="utf-8")
            if text.count(mutation.old) != 1:
                return Result(
                    BROKEN, reason=f"the old text stands {text.count(mutation.old)} times in the file"
                )
            source.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
        files = test_files(tree, mutation.file if mutation else None, self.tests)
        with (place / "output").open("w+", encoding="utf-8") as output:
            code = self._watch(tree, log, files, output)
            output.seek(0)
            told = output.read()
        return _judge(code, log.read_text(encoding="utf-8").splitlines(), told, mutation)

    def _watch(self, tree: Path, log: Path, files: list[str], output: Any) -> int | None:
        """The exit status of the tests; None if they hang."""
        environment = os.environ | {
            "PYTHONPATH": str(tree),
            "NUMBA_CACHE_DIR": str(tree.parent / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
            # A bug is one however fast it is, and this compiles in little more than half the time.
            "NUMBA_OPT": "1",
            "NUMBA_LOOP_VECTORIZE": "0",
            "NUMBA_SLP_VECTORIZE": "0",
        }
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", GUARD_NAME]
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "pytest", *options, *files],
            cwd=tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            while (code := process.poll()) is None:
                if self.stop.wait(0.2):
                    raise Interrupted
                if time.time() - log.stat().st_mtime > self.silence:
                    return None
            return code
        finally:
            _end(process)


def _end(process: subprocess.Popen[Any]) -> None:
    """End a process and those it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _judge(code: int | None, log: list[str], told: str, mutation: Any | None) -> Result:
    """What the exit status and the guard's log say."""
    tests = [line.removeprefix("test ") for line in log if line.startswith("test ")]
    failed = [line.removeprefix("failed ") for line in log if line.startswith("failed ")]
    if "ready" not in log:
        reason = "loading hangs" if code is None else "\n".join(told.strip().splitlines()[-25:])
        return Result(BROKEN, reason=reason)
    may_survive = mutation is not None and mutation.equivalent
    if code == 0:
        return Result(EQUIVALENT if may_survive else SURVIVED)
    if may_survive:
        return Result(NOT_EQUIVALENT, (failed or tests or [""])[-1], "\n".join(told.splitlines()[-40:]))
    if code is None:
        return Result(TIMED_OUT, tests[-1] if tests else "")
    crash = "" if failed else f" (crashed, {code})"
    return Result(CAUGHT, (failed or tests or ["the end of the tests"])[-1] + crash, told[-4000:])


def choose(mutations: Sequence[Any], names: Sequence[str] | None) -> list[Any]:
    """The mutations of these names, all by default; ValueError if there is none of a name."""
    known = {mutation.name: mutation for mutation in mutations}
    unknown = [name for name in names or () if name not in known]
    if unknown:
        msg = f"there is no mutation {', '.join(unknown)}; --list names them"
        raise ValueError(msg)
    return [known[name] for name in names] if names else list(mutations)


def run_all(
    mutations: Sequence[Any],
    processes: int,
    silence: float,
    tests: Sequence[str] | None,
    *,
    baseline: bool,
) -> int:
    """Run them and print the table; returns the exit status."""
    width = max(len(mutation.name) for mutation in mutations)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        runner = Runner(Path(folder), processes, silence, tests)
        with ThreadPoolExecutor(processes) as pool, tqdm(total=len(mutations), unit="mutation") as bar:
            try:
                if baseline:
                    bar.set_description("the tests without a mutation")
                    plain = pool.submit(runner.run, None).result()
                    if plain.outcome != SURVIVED:
                        tqdm.write(f"without a mutation, the tests fail: {plain.test}\n{plain.reason}")
                        return 1
                    bar.set_description("")
                for mutation, result in zip(mutations, pool.map(runner.run, mutations), strict=True):
                    tqdm.write(
                        f"{mutation.name:<{width}}  {result.outcome:<15}  {_short(result.test)}", end="\n"
                    )
                    if result.outcome in BAD:
                        tqdm.write("    " + (result.reason or mutation.breaks).replace("\n", "\n    "))
                    counts[result.outcome] += 1
                    bar.update()
            except BaseException:
                runner.stop.set()
                pool.shutdown(cancel_futures=True)
                raise
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return int(any(counts[outcome] for outcome in BAD))


def _short(test: str) -> str:
    return re.sub(r"^tests/(test_)?|\.py(?=::)", "", test)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run and print; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog="python -m scripts.mutate",
    )
    parser.add_argument("--processes", type=int, default=2, help="mutations run side by side (2)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="run these alone")
    parser.add_argument(
        "--tests", nargs="+", metavar="TEST", help="run these tests alone, such as perft golden"
    )
    parser.add_argument("--list", action="store_true", help="name the mutations and what each breaks")
    parser.add_argument(
        "--silence", type=float, default=120, help="seconds until a test counts as hanging (120)"
    )
    parser.add_argument(
        "--no-baseline", action="store_true", help="trust that the tests pass without a mutation"
    )
    options = parser.parse_args(arguments)
    try:
        mutations = choose(runpy.run_path(str(ROOT / "tests" / "mutations.py"))["MUTATIONS"], options.only)
    except ValueError as error:
        parser.error(str(error))
    known = all_tests(ROOT)
    if unknown := sorted(set(options.tests or ()) - known):
        parser.error(f"there are no tests {', '.join(unknown)}, but {', '.join(sorted(known))}")
    if options.list:
        for mutation in mutations:
            note = f"  (equivalent: {mutation.equivalent})" if mutation.equivalent else ""
            print(f"{mutation.name}: {mutation.breaks}, {mutation.file}{note}")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # which clears up, as Ctrl-C does
    try:
        return run_all(
            mutations,
            options.processes,
            options.silence,
            options.tests,
            baseline=not options.no_baseline,
        )
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
