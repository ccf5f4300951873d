"""Time this checkout and another one, turn about in one run: the speed of this one as a ratio.

    git worktree add ../before v0.1.0
    python -m scripts.compare ../before                       # all cases, some minutes
    python -m scripts.compare ../before --cases aec "two players, mask"

Each checkout is timed in processes of its own, and the two take turns case by case, so that a machine that is
slower for a while is slower for both. As two processes of the same code differ by a percent or two, several
pairs of them are timed; shown is the median of the pairs' ratios, with the lowest and the highest.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
Action = Callable[[], int]
"""Does a fixed piece of work; returns how many steps or games it was."""


# The cases, by names that every version of the package has; each imports what it needs.


def steps(rules: Any, num_games: int, *, mask: bool, observation: bool, num_threads: int = 1) -> Action:
    """Uniformly random play in a batch, with auto-reset."""
    from ingenious_env import GameBatch  # noqa: PLC0415 - of the checkout whose process this is

    batch = GameBatch(rules, num_games, 0, num_threads=num_threads)
    masks: Any = batch.legal_mask() if mask else None
    observations = batch.observe() if observation else None
    rounds = max(1, 4096 // num_games)

    def act() -> int:
        for _ in range(rounds):
            batch.play(batch.random_actions(), auto_reset=True, mask=masks, obs=observations)
        return rounds * num_games

    return act


def playouts(rules: Any) -> Action:
    """Whole random games."""
    from ingenious_env import GameBatch  # noqa: PLC0415 - as above

    batch = GameBatch(rules, 1, 0)
    return lambda: len(batch.random_playouts(1024, seed=1))


def clones() -> Action:
    """A copy of a game, and a random move on it."""
    from ingenious_env import Game  # noqa: PLC0415 - as above

    game = Game(seed=3)

    def act() -> int:
        for _ in range(256):
            twin = game.clone()
            twin.play(twin.random_action())
        return 256

    return act


def aec() -> Action:
    """PettingZoo's loop, one game."""
    from ingenious_env import ingenious_v0  # noqa: PLC0415 - as above

    env = ingenious_v0.env()

    def act() -> int:
        env.reset(seed=1)
        count = 0
        for agent in env.agent_iter():
            _, _, termination, truncation, info = env.last()
            over = termination or truncation
            env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
            count += 1
        return count

    return act


def vector(name: str, **options: Any) -> Action:
    """A vector environment of 1,024 games; the learner takes the first legal action."""
    import gymnasium  # noqa: PLC0415 - as above

    import ingenious_env  # noqa: F401, PLC0415 - registers the environments

    envs = gymnasium.make_vec(f"ingenious/{name}", num_envs=1024, **options)
    _, infos = envs.reset(seed=0)
    mask: list[Any] = [infos["action_mask"]]

    def act() -> int:
        _, _, _, _, infos = envs.step(mask[0].argmax(axis=1))
        mask[0] = infos["action_mask"]
        return 1024

    return act


def match(*names: str) -> Action:
    """Deals between two agents."""
    from agents import make_agent, play_match  # noqa: PLC0415 - as above
    from ingenious_env import Rules  # noqa: PLC0415 - as above

    agents = [make_agent(name) for name in names]
    return lambda: play_match(Rules(), agents, 256).games


def _preset(name: str) -> Any:
    from ingenious_env import Rules  # noqa: PLC0415 - as above

    presets = {"solitaire": Rules.solitaire, "partnership": Rules.partnership}
    numbers = {"two players": 2, "three players": 3, "four players": 4}
    return presets[name]() if name in presets else Rules.standard(numbers[name])


def _cases() -> dict[str, Callable[[], Action]]:
    def batch(name: str, num_games: int = 1024, **what: Any) -> Callable[[], Action]:
        return lambda: steps(_preset(name), num_games, **what)

    everything = {"mask": True, "observation": True}
    cases: dict[str, Callable[[], Action]] = {
        "two players, mask and observation": batch("two players", **everything),
        "two players, mask and observation, 8192 games": batch("two players", 8192, **everything),
        "two players, mask": batch("two players", mask=True, observation=False),
        "two players, bare": batch("two players", mask=False, observation=False),
        "two players, 2 threads": batch("two players", **everything, num_threads=2),
        "two players, 8192 games, 2 threads": batch("two players", 8192, **everything, num_threads=2),
        "one game": batch("two players", 1, **everything),
        "64 games": batch("two players", 64, **everything),
        "whole games": lambda: playouts(_preset("two players")),
        "clone and play": clones,
        "aec": aec,
        "Versus-v0": partial(vector, "Versus-v0", opponent="greedy"),
        "Solitaire-v0": partial(vector, "Solitaire-v0"),
        "greedy match": partial(match, "greedy:utility=concave", "greedy"),
        "value match": partial(match, "value", "greedy"),
    }
    for name in ("solitaire", "three players", "four players", "partnership"):
        cases[f"{name}, mask and observation"] = batch(name, **everything)
    return cases


CASES = _cases()


# The process of a checkout.


def rate(action: Action, seconds: float) -> float:
    """Steps or games a second."""
    count, began = 0, time.perf_counter()
    while (took := time.perf_counter() - began) < seconds:
        count += action()
    return count / took


def work() -> None:
    """Time the cases that are asked for on standard input, a line each."""
    ready: dict[str, Action] = {}
    for line in sys.stdin:
        name, seconds = json.loads(line)
        if name not in ready:
            ready[name] = CASES[name]()
            ready[name]()  # compiles
        print(json.dumps(rate(ready[name], seconds)), flush=True)


class Worker:
    """The process that times a checkout.

    Args:
        tree: its folder.
    """

    def __init__(self, tree: Path) -> None:
        command = [sys.executable, "-P", str(Path(__file__)), "--work", str(tree)]
        environment = {**os.environ, "PYTHONPATH": str(tree)}
        self._process = subprocess.Popen(  # noqa: S603 - this very file
            command, cwd=tree, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def rate(self, case: str, seconds: float) -> float:
        """Steps or games a second of a case; RuntimeError if the process has ended."""
        assert self._process.stdin is not None  # noqa: S101 - it was asked for
        assert self._process.stdout is not None  # noqa: S101 - as above
        print(json.dumps([case, seconds]), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            msg = f"the case {case!r} failed; its error is above"
            raise RuntimeError(msg)
        return float(json.loads(line))

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


def compare(
    other: Path, names: Sequence[str], pairs: int, turns: int, seconds: float
) -> dict[str, list[float]]:
    """The ratios of each case, one a pair of processes: the speed of this checkout over that of the other."""
    ratios: dict[str, list[float]] = {name: [] for name in names}
    for pair in range(pairs):
        workers = [Worker(ROOT), Worker(other)]
        try:
            for name in names:
                of_turns = []
                for turn in range(turns + 1):
                    first = (pair + turn) % 2
                    rates = {k: workers[k].rate(name, seconds) for k in (first, 1 - first)}
                    of_turns.append(rates[0] / rates[1])
                ratios[name].append(statistics.median(of_turns[1:]))  # the first one warms up
        finally:
            for worker in workers:
                worker.close()
    return ratios


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, time and print."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prog="python -m scripts.compare",
    )
    parser.add_argument("tree", type=Path, help="the other checkout")
    parser.add_argument("--cases", nargs="+", default=list(CASES), metavar="CASE", help="some of them (all)")
    parser.add_argument("--pairs", type=int, default=5, help="pairs of processes (5)")
    parser.add_argument("--turns", type=int, default=7, help="of a case in a pair (7)")
    parser.add_argument("--seconds", type=float, default=0.2, help="of a turn (0.2)")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.work:
        work()
        return
    if not (options.tree / "ingenious_env").is_dir():
        parser.error(f"{options.tree} is no checkout: it has no folder ingenious_env")
    unknown = [name for name in options.cases if name not in CASES]
    if unknown:
        parser.error(f"there is no case {', '.join(map(repr, unknown))}, but {', '.join(map(repr, CASES))}")
    if min(options.pairs, options.turns) < 1 or not options.seconds > 0:
        parser.error("--pairs and --turns must be at least 1, and --seconds more than 0")
    try:
        found = compare(options.tree.resolve(), options.cases, options.pairs, options.turns, options.seconds)
    except RuntimeError as error:
        sys.exit(f"python -m scripts.compare: {error}")
    print("| case | this over the other | lowest | highest |\n| --- | --- | --- | --- |")
    for name, ratios in found.items():
        print(f"| {name} | {statistics.median(ratios):.3f} | {min(ratios):.3f} | {max(ratios):.3f} |")


if __name__ == "__main__":
    main()
