"""Make small random changes to the Python code, and check that tests detect them; needs the `nightly` extra.

    python -m scripts.mutate_generic --sample 200             # some hours on two cores
    python -m scripts.mutate_generic --sample 200 --skip 120  # the rest of an interrupted one
    python -m scripts.mutate_generic --paths ingenious_env/envs --sample 20 --seed 3

Cosmic Ray finds the changes: another comparison or operator, a number off by one, a negated condition,
`break` for `continue`, a decorator or a loop left out, and more. Of all changes to the files, a random sample
is tried, each in a copy of the working tree with the relevant tests. Changes to annotations and docstrings,
which have no effect, are left out. Survivors are printed as diffs. Those without an observable effect may be
listed in `tests/mutations/equivalent.txt`, by the line that each adds and the reason; they are left out, too.
"""

from __future__ import annotations

import ast
import difflib
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import tyro
from ingenious_agents.commands.command_line import (
    Count,
    CountOrZero,
    Positive,
    Seed,
    command,
    needs_extra,
    read,
)
from tqdm import tqdm

from scripts.mutate import BROKEN, ROOT, SURVIVED, Result, Runner, passes

with needs_extra("python -m scripts.mutate_generic", "nightly"):
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

PROG = "python -m scripts.mutate_generic"
PATHS = (
    "ingenious_env/envs",
    "ingenious_env/games/ingenious/*.py",
    "ingenious_env/compiled/{actions,threads}.py",
    "ingenious_env/engine/{batch,checks,game,observation,ranking,records,rewards,seeding,text}.py",
    "ingenious_env/policies/{greedy,view}.py",
    "agents/ingenious_agents/evaluation/{match,ratings,report,scheduler,solitaire,tournament}.py",
    "ingenious_env/sb3.py",
)
"""Environments, the game's own Python, the rest of the engine that is not compiled, and evaluation."""
EQUIVALENT = ROOT / "tests" / "mutations" / "equivalent.txt"
WANTED = 0.9


class Change(NamedTuple):
    """One small change.

    Attributes:
        file: relative to the repository.
        operator: Cosmic Ray's name for the kind of change.
        occurrence: the number of the place in the file, of those that the operator can change.
    """

    file: str
    operator: str
    occurrence: int


def files_of(patterns: Sequence[str]) -> list[str]:
    """The Python files that patterns name, relative to the repository; a folder names all in it."""
    found = []
    for pattern in patterns:
        for each in _alternatives(pattern):
            paths = (ROOT / each).rglob("*.py") if (ROOT / each).is_dir() else ROOT.glob(each)
            found += [path.relative_to(ROOT).as_posix() for path in paths]
    if not found:
        msg = f"no file is named by {', '.join(patterns)}"
        raise ValueError(msg)
    return sorted(set(found))


def _alternatives(pattern: str) -> list[str]:
    """The patterns of one with `{a,b}`."""
    before, brace, rest = pattern.partition("{")
    if not brace:
        return [pattern]
    inside, _, after = rest.partition("}")
    return [f"{before}{name}{after}" for name in inside.split(",")]


def changes_of(file: str) -> Iterator[Change]:
    """All changes to a file, including those without effect."""
    tree = get_ast((ROOT / file).read_text(encoding="utf-8"))
    for name in operator_names():
        kind = get_operator(name)
        if kind.arguments():
            continue  # it needs a configuration
        operator = kind()
        places = (place for node in ast_nodes(tree) for place in operator.mutation_positions(node))
        for occurrence, _ in enumerate(places):
            yield Change(file, name, occurrence)


def changed_source(change: Change) -> str | None:
    """The file with the change; None if it has no effect, or the result is invalid Python."""
    source = (ROOT / change.file).read_text(encoding="utf-8")
    changed: str | None = mutate_code(source, get_operator(change.operator)(), change.occurrence)
    if changed is None or _meaning(changed) in (None, _meaning(source)):
        return None
    return changed


class _Stripper(ast.NodeTransformer):
    """Drops annotations and docstrings, which are not evaluated."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)


def _meaning(source: str) -> str | None:
    """The part of a source that is evaluated; None if it is not Python."""
    try:
        return ast.dump(_Stripper().visit(ast.parse(source)))
    except SyntaxError:
        return None


def diff(change: Change, changed: str) -> str:
    """The change as a diff without context."""
    source = (ROOT / change.file).read_text(encoding="utf-8")
    lines = difflib.unified_diff(
        source.splitlines(), changed.splitlines(), change.file, change.file, lineterm="", n=0
    )
    return "\n".join(list(lines)[2:])


def equivalents() -> set[tuple[str, str]]:
    """The changes that no test can detect: the file, and the line that the change adds."""
    known: set[tuple[str, str]] = set()
    if EQUIVALENT.exists():
        for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                file, rest = line.split(" | ", 1)
                added, _ = rest.rsplit(" | ", 1)
                known.add((file, added.strip()))
    return known


def _added(change: Change, changed: str) -> str:
    """The lines that a change adds, as one."""
    lines = diff(change, changed).splitlines()
    return " ".join(line[1:].strip() for line in lines if line.startswith("+"))


def sample(files: Sequence[str], size: int, seed: int) -> list[tuple[Change, str]]:
    """A random sample of changes with an effect, with the changed sources."""
    known = equivalents()
    everything = [change for file in files for change in changes_of(file)]
    random.Random(seed).shuffle(everything)  # noqa: S311 - not for security
    chosen: list[tuple[Change, str]] = []
    for change in everything:
        if len(chosen) == size:
            break
        changed = changed_source(change)
        if changed is not None and (change.file, _added(change, changed)) not in known:
            chosen.append((change, changed))
    return chosen


def run(chosen: Sequence[tuple[Change, str]], processes: int, silence: float) -> float:
    """Try the changes; returns the share that was caught, 0 if the tests fail without a change."""
    counts = Counter[str]()
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        runner = Runner(Path(folder), processes, silence, None)

        def attempt(each: tuple[Change, str]) -> Result:
            change, changed = each
            return runner.run_source(change.file, changed)

        with ThreadPoolExecutor(processes) as pool, tqdm(total=len(chosen), unit="change") as bar:
            try:
                bar.set_description("the tests without a change")
                if not pool.submit(passes, runner, [(change.file, "") for change, _ in chosen]).result():
                    return 0.0
                bar.set_description("")
                for (change, changed), result in zip(chosen, pool.map(attempt, chosen), strict=True):
                    outcome = "caught" if result.outcome == BROKEN else result.outcome
                    counts[outcome] += 1
                    if outcome == SURVIVED:
                        tqdm.write(f"{change.file}, survived: {change.operator}\n{diff(change, changed)}\n")
                    bar.set_postfix(counts, refresh=False)  # what an interrupted run found
                    bar.update()
            except BaseException:
                runner.stop.set()
                pool.shutdown(cancel_futures=True)
                raise
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return 1 - counts[SURVIVED] / len(chosen)


@dataclass(frozen=True)
class Args:
    """Command-line options."""

    sample: Count = 200
    """changes to try"""
    seed: Seed = 0
    """seed of the sample"""
    skip: CountOrZero = 0
    """changes to leave out, as an interrupted run has tried them: it tries them in order"""
    paths: Annotated[tuple[str, ...], tyro.conf.arg(metavar="PATH")] = PATHS
    """files, folders or patterns to change"""
    processes: Count = 2
    """changes tried concurrently"""
    silence: Positive = 120.0
    """seconds until a test counts as hanging"""
    list: bool = False
    """print the changes, and try none"""

    def check(self) -> None:
        """ValueError if there are no such files, or no changes are left to try."""
        files_of(self.paths)
        if self.skip >= self.sample:
            msg = f"--skip {self.skip} leaves none of {self.sample} changes"
            raise ValueError(msg)


@command(PROG)
def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run and print; returns the exit status."""
    args = read(Args, arguments, PROG, __doc__)
    chosen = sample(files_of(args.paths), args.sample, args.seed)[args.skip :]
    if args.list:
        for change, changed in chosen:
            print(f"{change.file}: {change.operator}\n{diff(change, changed)}\n")
        return 0
    share = run(chosen, args.processes, args.silence)
    print(f"{share:.1%} caught; at least {WANTED:.0%} must be")
    return int(share < WANTED)


if __name__ == "__main__":
    sys.exit(main())
