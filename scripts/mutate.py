"""Plants deliberate bugs in the code, one at a time, and checks that the tests detect each of them.

    python -m scripts.mutate                                 # all of them, which takes hours
    python -m scripts.mutate --skip 120                      # the rest of an interrupted run
    python -m scripts.mutate --only excess-not-lost          # one of those that --list names

The bugs are listed in `tests/mutations/`. For each, the working tree is copied to a temporary folder, the bug
is planted there, and tests are run until one fails: first those written for the file, then all in the
relevant folders (`tests/mutations/selection.py`).

Exits with 1 if a mutation survives that is not marked as equivalent, if one that is marked so is caught, or
if one is broken: it does not fit the code, or the result cannot be imported or compiled.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Annotated, NamedTuple

import tyro
from ingenious_agents.commands.command_line import Count, CountOrZero, Positive, command, hint, read
from tqdm import tqdm

PROG = "python -m scripts.mutate"
ROOT = Path(__file__).resolve().parent.parent

sys.path.insert(0, str(ROOT / "tests" / "mutations"))  # as tests/conftest.py does

from locate import LocateError, Mutation, plant  # noqa: E402
from mutations import MUTATIONS  # noqa: E402
from selection import all_tests, stages  # noqa: E402

GUARD = '''"""Logs the tests from inside: imports, the running test, failures."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
_log = (HERE.parent / "log").open("a", buffering=1)


def pytest_collection_finish(session):
    import ingenious_env

    if HERE not in Path(ingenious_env.__file__).parents:
        pytest.exit(f"{ingenious_env.__file__} is not in the copy", 3)
    if not session.testsfailed:
        print("collected", file=_log)


def pytest_runtest_logstart(nodeid):
    print("test", nodeid, file=_log)


def pytest_runtest_logreport(report):
    if report.failed:
        compiles = "numba.core.errors" not in str(report.longrepr)
        print("failed" if compiles else "uncompiled", report.nodeid, file=_log)
'''
GUARD_NAME = "mutation_guard"

CAUGHT, TIMED_OUT, SURVIVED, BROKEN = "caught", "timed out", "survived", "broken mutation"
EQUIVALENT, NOT_EQUIVALENT = "equivalent", "caught, though marked as equivalent"
BAD = (SURVIVED, BROKEN, NOT_EQUIVALENT)


class Result(NamedTuple):
    """The outcome of a mutation: the last test that ran, the output of pytest, and the seconds it took."""

    outcome: str
    test: str = ""
    output: str = ""
    seconds: float = 0.0


class Interrupted(Exception):  # noqa: N818 - not an error
    """Ctrl-C was pressed while tests ran."""


def copy_tree(source: Path, target: Path, files: Iterable[str]) -> None:
    """Copy files with their times."""
    for name in files:
        to = target / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / name, to)


def tree_files() -> list[str]:
    """The files of the working tree that Git tracks or does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


class Runner:
    """Runs the tests on mutated copies, below a temporary folder.

    A copy always lies in one of `processes` places, each of which keeps its compiled code for the next.

    Args:
        folder: the temporary folder.
        processes: number of mutations run concurrently.
        silence: seconds after which a running test counts as hanging.
        tests: names of the test files to run; None for all relevant ones.
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

    def run(self, mutation: Mutation) -> Result:
        """Run the tests with a mutation."""
        try:
            mutated = plant(mutation, self._snapshot)
        except LocateError as error:
            return Result(BROKEN, output=str(error))
        result = self.run_source(mutation.file, mutated, mutation.tests.split())
        if not mutation.equivalent or result.outcome == BROKEN:
            return result
        return result._replace(outcome=EQUIVALENT if result.outcome == SURVIVED else NOT_EQUIVALENT)

    def run_source(self, file: str, source: str, begin: Sequence[str] = ()) -> Result:
        """Run the tests with another source of one file, these first."""
        began = time.monotonic()
        place = self._places.get()
        try:
            result = self._run_in(place, stages(self._snapshot, file, self.tests, begin), {file: source})
        finally:
            self._places.put(place)
        return result._replace(seconds=time.monotonic() - began)

    def baseline(self, planned: Iterable[tuple[str, str]]) -> Result:
        """Run all tests of mutations, without a mutation.

        Args:
            planned: of each mutation its file, and the names of the tests that it begins with.
        """
        paths = [
            path
            for file, begin in set(planned)
            for stage in stages(self._snapshot, file, self.tests, begin.split())
            for path in stage
        ]
        place = self._places.get()
        try:
            return self._run_in(place, [sorted(set(paths))], {})
        finally:
            self._places.put(place)

    def _run_in(self, place: Path, groups: list[list[str]], changed: Mapping[str, str]) -> Result:
        """Run groups of tests one after the other, as long as they pass, with changed sources by file."""
        tree, log = place / "tree", place / "log"
        shutil.rmtree(tree, ignore_errors=True)
        copy_tree(self._snapshot, tree, self._files)
        (tree / f"{GUARD_NAME}.py").write_text(GUARD, encoding="utf-8")
        for file, source in changed.items():
            (tree / file).write_text(source, encoding="utf-8")
        for files in groups:
            log.write_text("", encoding="utf-8")
            with (place / "output").open("w+", encoding="utf-8") as stdout:
                code = self._watch(tree, log, files, stdout)
                stdout.seek(0)
                output = stdout.read()
            found = _judge(code, log.read_text(encoding="utf-8").splitlines(), output)
            if found is not None:
                return found
        return Result(SURVIVED)

    def _watch(self, tree: Path, log: Path, files: list[str], stdout: IO[str]) -> int | None:
        """The exit status of the tests; None if they hang."""
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(tree), str(tree / "agents")]),
            "NUMBA_CACHE_DIR": str(tree.parent / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
            # Bugs do not depend on speed, and this compiles in two thirds of the time.
            "NUMBA_OPT": "1",
            "NUMBA_SLP_VECTORIZE": "0",
        }
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", GUARD_NAME]
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "pytest", *options, *files],
            cwd=tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
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


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and, where there are groups of processes, those it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _judge(code: int | None, log: list[str], output: str) -> Result | None:
    """The outcome of a run by its exit status and the guard's log; None if all tests passed."""
    if code == 0:
        return None
    tests = [line.removeprefix("test ") for line in log if line.startswith("test ")]
    failed = [line.removeprefix("failed ") for line in log if line.startswith("failed ")]
    last, output = (failed or tests or ["the end of the tests"])[-1], "\n".join(output.splitlines()[-40:])
    if "collected" not in log or any(line.startswith("uncompiled ") for line in log):
        return Result(BROKEN, last, "importing hangs" if code is None else output)
    if code is None:
        return Result(TIMED_OUT, last, output)
    return Result(CAUGHT, last + ("" if failed else f" (crashed, {code})"), output)


def choose(mutations: Sequence[Mutation], names: Sequence[str] | None) -> list[Mutation]:
    """The mutations of these names, all by default; ValueError if there is none of a name."""
    known = {mutation.name: mutation for mutation in mutations}
    unknown = [name for name in names or () if name not in known]
    if unknown:
        msg = f"there is no mutation {', '.join(unknown)}; --list names them"
        raise ValueError(msg)
    return [known[name] for name in names] if names else list(mutations)


def passes(runner: Runner, planned: Iterable[tuple[str, str]]) -> bool:
    """Return whether the tests pass without a mutation, and else print why not (see `Runner.baseline`)."""
    plain = runner.baseline(planned)
    if plain.outcome != SURVIVED:
        tqdm.write(f"without a mutation, the tests fail: {plain.test}\n{plain.output}")
    return plain.outcome == SURVIVED


def run_all(
    mutations: Sequence[Mutation],
    processes: int,
    silence: float,
    tests: Sequence[str] | None,
    *,
    baseline: bool,
) -> int:
    """Run them and print the table; returns the exit status."""
    width = max(len(mutation.name) for mutation in mutations)
    counts: Counter[str] = Counter()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        runner = Runner(Path(folder), processes, silence, tests)
        with ThreadPoolExecutor(processes) as pool, tqdm(total=len(mutations), unit="mutation") as bar:
            try:
                if baseline:
                    bar.set_description("the tests without a mutation")
                    planned = [(mutation.file, mutation.tests) for mutation in mutations]
                    if not pool.submit(passes, runner, planned).result():
                        return 1
                    bar.set_description("")
                for mutation, result in zip(mutations, pool.map(runner.run, mutations), strict=True):
                    row = f"{mutation.name:<{width}}  {result.outcome:<9} {result.seconds:4.0f} s"
                    tqdm.write(f"{row}  {_short(result.test)}")
                    if result.outcome in BAD:
                        tqdm.write("    " + (result.output or mutation.breaks).replace("\n", "\n    "))
                    counts[result.outcome] += 1
                    bar.update()
            except BaseException:
                runner.stop.set()
                pool.shutdown(cancel_futures=True)
                raise
    found = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    print(f"{found}, in {(time.monotonic() - began) / 60:.0f} minutes")
    return int(any(counts[outcome] for outcome in BAD))


def _short(test: str) -> str:
    return re.sub(r"^tests/(.*/)?test_|\.py(?=::)", "", test)


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    processes: Count = 2
    """mutations run concurrently"""
    only: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME"), hint("all")] = ()
    """run only these"""
    skip: CountOrZero = 0
    """mutations to leave out, as an interrupted run has tried them: it tries them in order"""
    tests: Annotated[tuple[str, ...], tyro.conf.arg(metavar="TEST"), hint("all relevant ones")] = ()
    """run only these tests, such as perft golden"""
    list: bool = False
    """list the mutations and the rule that each breaks"""
    silence: Positive = 120.0
    """seconds until a test counts as hanging"""
    no_baseline: bool = False
    """do not check that the tests pass without a mutation"""

    def check(self) -> None:
        """ValueError if there are no such mutations or tests."""
        chosen = choose(MUTATIONS, self.only or None)
        if self.skip >= len(chosen):
            msg = f"--skip {self.skip} leaves none of {len(chosen)} mutations"
            raise ValueError(msg)
        known = all_tests(ROOT)
        if unknown := sorted(set(self.tests) - set(known)):
            msg = f"there are no tests {', '.join(unknown)}, but {', '.join(sorted(known))}"
            raise ValueError(msg)


@command(PROG)
def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run and print; returns the exit status."""
    args = read(Args, arguments, PROG, __doc__)
    mutations = choose(MUTATIONS, args.only or None)[args.skip :]
    if args.list:
        for mutation in mutations:
            print(describe(mutation))
        return 0
    return run_all(mutations, args.processes, args.silence, args.tests or None, baseline=not args.no_baseline)


def describe(mutation: Mutation) -> str:
    """A mutation in one line."""
    about = [
        f"{mutation.document} {mutation.paragraph}" if mutation.paragraph else "",
        f"field {mutation.field}" if mutation.field else "",
        f"section {mutation.section}" if mutation.section else "",
        f"equivalent: {mutation.equivalent}" if mutation.equivalent else "",
    ]
    notes = "".join(f"; {each}" for each in about if each)
    return f"{mutation.name}: {mutation.breaks}{notes} ({mutation.file}, {mutation.function})"


if __name__ == "__main__":
    sys.exit(main())
