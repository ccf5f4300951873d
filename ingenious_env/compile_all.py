"""All kernels of the environments and of the agents: compiled at once instead of on first use."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ingenious_env.compiled.compiling import MADE, listening
from ingenious_env.compiled.kernel import MAKERS, Kernel
from ingenious_env.compiled.threads import compile_shared
from ingenious_env.engine.definition import definitions
from ingenious_env.engine.printing import printing

PROG = "ingenious compile"


def all_kernels() -> list[Kernel]:
    """All kernels, including those otherwise made when a game first needs them."""
    for package in ("ingenious_env", "ingenious_agents"):
        for name in _kernel_modules(package):
            with suppress(ImportError):  # its extra is not installed
                import_module(name)
    for game in definitions().values():
        game.kernels  # noqa: B018 - made on access
        for make in MAKERS:
            make(game)
    return sorted(MADE, key=lambda kernel: (kernel.title, str(kernel.signature)))


def _kernel_modules(package: str) -> Iterator[str]:
    spec = find_spec(package)
    for folder in map(Path, (spec and spec.submodule_search_locations) or []):
        for path in sorted(folder.rglob("*.py")):
            if "kernels" in path.stem or path.parent.name == "kernels" or path.stem == "greedy":
                yield ".".join([package, *path.relative_to(folder).with_suffix("").parts])


def compile_all(progress: Callable[[str], None]) -> str:
    """Compile all kernels that are not cached on disk; returns a summary.

    Args:
        progress: called with a line before each kernel.
    """
    compiled: list[str] = []
    began, kernels = time.monotonic(), all_kernels()
    with listening(lambda title: compiled.append(title) if title else None, notices=False):
        for number, kernel in enumerate(kernels, 1):
            progress(f"{number} of {len(kernels)}: {kernel.title}")
            kernel.compiled  # noqa: B018 - made on access
            compile_shared(kernel)
    seconds = time.monotonic() - began
    return (
        f"{len(kernels)} kernels are ready; compiling took {seconds:.0f} seconds"
        if compiled
        else (f"{len(kernels)} kernels were compiled already")
    )


def main(arguments: Sequence[str]) -> None:
    """Compile all kernels, and show the progress: the command `ingenious compile`."""
    if arguments:
        is_help = arguments[0] in ("-h", "--help")
        usage = f"usage: {PROG}\n\nCompile all code now that is otherwise compiled on first use.\n"
        if is_help:
            with printing(PROG):
                sys.stdout.write(usage)
            sys.exit(0)
        sys.stderr.write(f"{PROG} takes no arguments, not {arguments[0]!r}\n")
        sys.exit(2)
    end = "\x1b[K\r" if sys.stderr.isatty() else "\n"

    def show(line: str) -> None:
        sys.stderr.write(line + end)
        sys.stderr.flush()

    try:
        summary = compile_all(show)
    except OSError as error:
        sys.exit(f"{PROG}: {error}")
    except KeyboardInterrupt:
        sys.exit(f"{PROG}: interrupted; what is compiled is kept")
    with printing(PROG):
        sys.stdout.write(f"{summary}\n")
