"""Returned arrays belong to the caller: they do not change, and writes to them have no effect.

Each entry point is played four times: as it is; with all arrays kept to the end; to see that no two arrays of
an answer are the same memory; and with each array overwritten as soon as it was handed out. `LIVE` names the
few that are documented as views of the games.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from loopit_helpers import VARIANTS

import ingenious_env  # noqa: F401 - registers the environments
from ingenious_env import Rules

SMALL = {"board_side": 4, "num_colours": 3, "rack_size": 3, "counter_top": 4}
RULES = {
    "ingenious": Rules(3, **SMALL),
    "loopit": VARIANTS["5 x 5, fixed"],
}
GAMES, FLAT_OR_STAGED = sorted(RULES), ["flat", "staged"]

LIVE = {"board", "scores", "to_play", "phase"}
"""Read-only views of a `GameBatch`; `final_scores` is its own array, which `play` writes."""

OWN = "PettingZoo's"
"""Attributes that PettingZoo has environments keep, and look up themselves, until the next step."""

Answer = dict[str, Any]
Entry = Iterator[Answer]
"""An entry point: what it hands out, call by call, while it plays."""

rng_of = np.random.default_rng


def arrays_in(thing: Any, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """All arrays in an answer, by their paths in it."""
    if isinstance(thing, np.ndarray) and thing.dtype != object:
        yield path, thing
    elif hasattr(thing, "detach"):  # a tensor shares its memory with the array
        yield path, thing.detach().numpy()
    elif isinstance(thing, dict):
        for name, part in thing.items():
            yield from arrays_in(part, f"{path}.{name}")
    elif isinstance(thing, (list, tuple, np.ndarray)):
        for number, part in enumerate(thing):
            yield from arrays_in(part, f"{path}[{number}]")


def check(entry: Any, *arguments: Any, scribble: bool = True) -> int:
    """Play an entry point in these ways; returns the number of arrays that were looked at."""
    plain = [(path, array.copy()) for answer in entry(*arguments) for path, array in arrays_in(answer)]
    kept = [(path, array) for answer in entry(*arguments) for path, array in arrays_in(answer)]
    assert len(plain) == len(kept)
    for (path, then), (_, now) in zip(plain, kept, strict=True):
        assert then.tobytes() == now.tobytes(), f"{path} has changed since it was handed out"
    for answer in entry(*arguments):
        found = [(path, array) for path, array in arrays_in(answer) if OWN not in path and array.size]
        for (path, array), (other_path, other) in combinations(found, 2):
            assert not np.may_share_memory(array, other), f"{path} and {other_path} are the same memory"
    if scribble:
        played = 0
        for answer in entry(*arguments):
            found = [(path, array, array.copy()) for path, array in arrays_in(answer)]
            for path, array, _ in found:
                if array.flags.writeable and OWN not in path:
                    array.fill(True if array.dtype == np.bool_ else 99)
            for path, _, copy in found:
                assert copy.tobytes() == plain[played][1].tobytes(), (
                    f"{path} depends on what the caller wrote"
                )
                played += 1
        assert played == len(plain)
    return len(kept)


def an_action(mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def actions_of(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A legal action in each row, 0 where there is none."""
    return np.array([an_action(mask, rng) if mask.any() else 0 for mask in masks])


LEARNERS = {
    "ingenious": ("ingenious/Versus-v0", {"rules": RULES["ingenious"], "reward": "vector"}),
    "loopit": ("ingenious/Loopit-v0", {"rules": RULES["loopit"]}),
    "solitaire": (
        "ingenious/Solitaire-v0",
        {**SMALL, "reward": "vector"},
    ),
}
