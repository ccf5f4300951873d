"""The cases of `scripts/benchmark/compare.py`, and the process that times them in one checkout.

It imports nothing of its own checkout, as the process of the other one also runs this file.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

Action = Callable[[], int]
"""Does a fixed amount of work; returns its number of steps or games."""


# The cases, by names of every version of the package; each has its own imports.


def steps(rules: Any, num_games: int, *, mask: bool, observation: bool, num_threads: int = 1) -> Action:
    """Uniformly random play in a batch, with auto-reset."""
    from ingenious_env import GameBatch  # noqa: PLC0415 - from the checkout of this process

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
    try:
        from agents import make_agent, play_match  # type: ignore[attr-defined]  # noqa: PLC0415 - their old name
    except ImportError:
        from ingenious_agents import make_agent, play_match  # noqa: PLC0415 - as above
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


# The process.


def rate(action: Action, seconds: float) -> float:
    """Steps or games per second."""
    count, began = 0, time.perf_counter()
    while (took := time.perf_counter() - began) < seconds:
        count += action()
    return count / took


def work() -> None:
    """Time the cases requested on standard input, a line each."""
    ready: dict[str, Action] = {}
    for line in sys.stdin:
        name, seconds = json.loads(line)
        if name not in ready:
            ready[name] = CASES[name]()
            ready[name]()  # compiles
        print(json.dumps(rate(ready[name], seconds)), flush=True)


if __name__ == "__main__":
    work()
