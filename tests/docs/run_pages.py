"""Run each block of bash and Python of each page, in order, as a reader would.

    python tests/docs/run_pages.py                      # all pages
    python tests/docs/run_pages.py docs/howto/page.md   # some
    python tests/docs/run_pages.py --list               # what would run, and what is reduced how
    python tests/docs/run_pages.py --whole docs/tutorials/rate.md   # as written, with what blocks print

Each page gets a copy of the checkout, an empty home, and one shell, in which all its blocks run. The page
itself says what is installed. Unless --whole is given, blocks that would take hours run with smaller numbers
(`REDUCED`); nothing else is changed. Exits with 1 if a block fails. Needs Python without packages, and an
index to install from.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # as a script

from pages import ROOT, Block, blocks_of, pages_that_run

EXAMPLES = {
    "agilerl_ppo": "--steps 8192 --evolution 4096 --games 8",
    "cleanrl_ppo": "--updates 2 --num-envs 8 --num-steps 8 --minibatch 32 --epochs 2 --games 8",
    "mctx_search": "--steps 5120 --num-games 128 --simulations 4 --update 64 --games 8",
    "openspiel_ismcts": "--games 1 --simulations 2 --iterations 10",
    "rllib_ppo": "--steps 512 --batch 256 --games 8",
    "sb3_maskable": "--steps 1024 --num-envs 16 --games 8",
    "tianshou_dqn": "--steps 128 --games 4",
    "torchrl_ppo": "--steps 512 --num-games 8 --games 4 --epochs 1",
    "cma_utility": "--generations 2 --population 4 --bags 4 --fresh 20",
    "optuna_value": "--trials 2 --games 400 --bags 10 --fresh 20",
}
"""Each example by options that make it short."""
FIGURES = r"(wins against greedy|mean lowest counter in solitaire): [\d.]+%? before, [\d.]+%? after"
PRINTED = dict.fromkeys(EXAMPLES, FIGURES) | {
    "openspiel_ismcts": r"IS-MCTS against greedy: [\d.]+% of 1 games"
}
"""The final output of each example."""

RESULT = re.compile(r" # (\d+\.\d+)\b")
"""A comment behind a command: a number that it prints."""

SERVED = (r".*", r"^ingenious play((?: --\S+ \S+)*)$", r"until_it_serves ingenious play\1")
"""The server of the browser game, which would never end; as in `REDUCED`."""

REDUCED = (
    # page, what is written, and what runs instead
    SERVED,
    (r"README\.md", r"-m pytest -q -n auto --dist loadfile$", "-m pytest -q tests/engine/test_ranks.py"),
    (r".*", r"(scripts\.level_losses)$", r"\1 --games=10"),  # fewer may all be decided too early
    (r".*", r"(scripts\.levels) --deals \d+", r"\1 --deals=8"),  # fewer may not bound a rating
    (r".*", r"--deals \d+", "--deals 2"),
    (r".*", r"(ingenious optimise .*)--seconds \d+", r"\1--seconds 1"),
    (r".*", r"value-search\b(?!:)", "value-search:rollouts=8"),
    (r"(?!README).*", r"--games \d+", "--games 400"),
    (r"(?!README).*", r"(scripts\.train_value)", r"\1 --games 400 --evaluations 2 --deals 5"),
    (r".*", r"--imitate \d+", "--imitate 1"),  # of the rounds below
    (r".*", r"(scripts\.train_ppo)", r"\1 --rounds 2 --steps 2048 --num-envs 32 --deals 5"),
    (r".*", r"(ingenious calibrate)", r"\1 --deals 128"),  # fewer may not determine a curve
    (r".*", r"(ingenious dataset)", r"\1 --games 8"),
    (r".*", r"(scripts\.benchmark\.scaling)", r"\1 --repetitions 1 --batches 2"),
    (r".*", r"(scripts\.benchmark)$", r"\1 --repetitions 2 --seconds 0.01"),
    (r".*", r"(scripts\.disagreements \w+(?: --game \w+)?) --count \d+", r"\1 --count 2"),
    (r".*", r"(scripts\.field \w+)( --game \w+)?", r"\1\2 --show"),
    (r".*", r"(ingenious rate [^-\n]*)$", r"\1 --half-width 200"),
    (r".*", r"--half-width \d+", "--half-width 200"),
    (r".*", r"(scripts\.equilibria)", r"\1 --count 1 --iterations 10"),
    (r".*", r"(scripts\.seats .*)", r"\1 --games 20"),
    (r".*", r"(scripts\.recipes)$", r"\1 two --game ingenious --seeds 1 --deals 2"),
    (r".*", r"(scripts\.mutate)", r"\1 --only excess-not-lost"),
    (r".*", r"(differential\.py) --games \d+", r"\1 --games 20"),
    (r".*", r"(ingenious tournament value tree:rollouts=200) --ray", r"\1 --deals 4 --ray"),
    (r".*", r"^python (-m scripts\.examples\.)", r"taskset -c 0 python \1"),  # one core: may hang
    (r".*", r"(scripts\.examples\.(cma_utility|optuna_value)).*", r"\1"),
    *((r".*", rf"(scripts\.examples\.{name})", rf"\1 {options}") for name, options in EXAMPLES.items()),
)
"""Blocks with smaller numbers."""

LAST = "'.[all]'"
"""A block that installs everything runs after the other blocks of its page, but for the first."""

MOST_SECONDS = 3600  # of a block

SHELL = r"""
until_it_serves() { # start a server, ask it for its page, and end it
    "$@" > served.txt 2>&1 &
    local server=$!
    for _ in $(seq 600); do grep -q "http://" served.txt && break; sleep 0.2; done
    cat served.txt
    python - <<'PYTHON'
import re, urllib.request
address = re.search(r"http://\S+", open("served.txt", encoding="utf-8").read())[0]
page = urllib.request.urlopen(address, timeout=60).read()
assert b"<title>" in page, page[:200]
PYTHON
    local answered=$?
    kill -TERM "$server"
    wait "$server" || true # the signal is its status
    return $answered
}
set -E -o pipefail
trap 'failed=1' ERR
"""
KEPT = ("PATH", "LANG", "TZ", "SSL_CERT_FILE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


def reduced(block: Block, *, whole: bool = False) -> str:
    """The text that runs: the block's, with smaller numbers unless it is to run `whole`."""
    text = block.text
    if block.language == "bash":
        for page, written, instead in (SERVED,) if whole else REDUCED:
            if re.fullmatch(page, block.page):
                text = re.sub(written, instead, text, flags=re.MULTILINE)
    return text


def ordered(page: str) -> list[Block]:
    """The blocks of a page in the order in which they run."""
    first, *others = blocks_of(page, "bash", "python")
    return [first, *sorted(others, key=lambda block: LAST in block.text)]


def checkout(folder: Path) -> Path:
    """A copy of what a clone of this working tree would have."""
    copy = folder / "checkout"
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    for command in (
        ["git", "init", "-q"],
        ["git", "add", "--all"],
    ):  # `scripts.mutate` asks git for the files
        subprocess.run(command, cwd=copy, check=True)
    return copy


def environment(home: Path, shared: Path) -> dict[str, str]:
    """Variables of a reader's shell: an empty home, and no environment active.

    Downloads and compiled code are kept from page to page.
    """
    own = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("PIP_")}
    active = Path(sys.prefix) / "bin"
    own["PATH"] = os.pathsep.join(
        each for each in os.environ["PATH"].split(os.pathsep) if Path(each).resolve() != active.resolve()
    )
    configured = Path.home() / ".config" / "pip" / "pip.conf"
    if configured.is_file():
        own.setdefault("PIP_CONFIG_FILE", str(configured))
    own.setdefault("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))
    return own | {
        "HOME": str(home),
        "NUMBA_CACHE_DIR": str(shared / "compiled"),
        "BROWSER": "true",
        "MPLBACKEND": "agg",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


class Shell:
    """A shell that runs one block behind the other, like a reader's."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        command = ["bash", "--noprofile", "--norc"]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.folder = folder
        self.send(SHELL)

    def send(self, text: str) -> None:
        """Send lines to its input."""
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def run(self, name: str, script: str) -> tuple[bool, str]:
        """Run a file in this shell: whether all its commands succeeded, and what they printed."""
        path = self.folder.parent / name
        path.write_text(script, encoding="utf-8")
        mark = f"@@ {name} ends "
        self.send(f"failed=0; . {path} < /dev/null; echo; echo '{mark}'$failed\n")
        printed, end = "", time.monotonic() + MOST_SECONDS
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while mark not in printed:
                if not selector.select(max(0.0, end - time.monotonic())):
                    return False, f"{printed}\n(no end after {MOST_SECONDS} seconds)"
                more = os.read(self.process.stdout.fileno(), 65536)
                if not more:
                    return False, f"{printed}\n(the shell ended)"
                printed += more.decode(errors="replace")
        printed, _, status = printed.partition(mark)
        return status.strip() == "0", printed.strip()

    def close(self) -> None:
        """End it and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def as_script(block: Block, folder: Path, *, whole: bool) -> str:
    """The shell input of a block; blocks of Python are written to files."""
    if block.language == "bash":
        return reduced(block, whole=whole)
    if block.file:
        (folder / block.file).write_text(block.text, encoding="utf-8")
        return f"python {block.file}\n"
    (folder.parent / "block.py").write_text(block.text, encoding="utf-8")
    return 'PYTHONPATH="$PWD" python ../block.py\n'


def has_results(block: Block, printed: str) -> bool:
    """Whether a block printed the numbers in its comments, and the results of the examples that it ran."""
    examples = re.findall(r"scripts\.examples\.(\w+)", block.text)
    numbers = RESULT.findall(block.text) if block.language == "bash" else []
    return all(re.search(PRINTED[name], printed) for name in examples) and all(
        re.search(rf"\b{re.escape(number)}\b", printed) for number in numbers
    )


def run_page(page: str, temporary: Path, *, whole: bool) -> list[Block]:
    """Run the blocks of a page, and return those that failed."""
    began = time.monotonic()
    for name in ("checkout", "home"):
        shutil.rmtree(temporary / name, ignore_errors=True)
    folder = checkout(temporary)
    (temporary / "home").mkdir()
    shell = Shell(folder, environment(temporary / "home", temporary))
    failed = []
    try:
        for number, block in enumerate(ordered(page)):
            started = time.monotonic()
            succeeded, printed = shell.run(f"block{number}", as_script(block, folder, whole=whole))
            succeeded = succeeded and has_results(block, printed)
            print(
                f"{'passed' if succeeded else 'FAILED'} {block.place} {time.monotonic() - started:.0f} s",
                flush=True,
            )
            if whole or not succeeded:
                print(reduced(block, whole=whole), printed[-6000:], sep="\n", flush=True)
            if not succeeded:
                failed.append(block)
                if shell.process.poll() is not None:
                    failed += ordered(page)[number + 1 :]
                    break
    finally:
        shell.close()
    print(f"{page}: {(time.monotonic() - began) / 60:.1f} minutes", flush=True)
    return failed


def main() -> None:
    """Run the pages, and exit with 1 if a block failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="all by default")
    parser.add_argument("--list", action="store_true", help="print what would run")
    parser.add_argument("--whole", action="store_true", help="run and show the blocks as written")
    args = parser.parse_args()
    chosen = args.pages or pages_that_run()
    if args.list:
        for block in (block for page in chosen for block in ordered(page)):
            print(f"## {block.place}, {block.language}\n{reduced(block, whole=args.whole)}")
        return
    failed, count = [], sum(len(ordered(page)) for page in chosen)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        for page in chosen:
            failed += run_page(page, Path(temporary), whole=args.whole)
    print(f"{count - len(failed)} of {count} blocks of {len(chosen)} pages passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
