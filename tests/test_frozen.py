"""Dataclasses cannot be changed, except those that have a state."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass

import ingenious_agents

import ingenious_env

WITH_STATE = {
    "ingenious_env.openspiel.resampling.Draw",
    "ingenious_env.torchrl.Actions",
    "ingenious_env.web.tables.Table",
    "ingenious_agents.ppo.opponent_pool.Member",
}


def dataclasses() -> Iterator[tuple[str, type]]:
    """Dataclasses of all modules whose libraries are there."""
    for package in (ingenious_env, ingenious_agents):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.", onerror=lambda _: None):
            if found.name.endswith("__main__"):
                continue
            try:
                module = importlib.import_module(found.name)
            except ImportError:
                continue
            for each in vars(module).values():
                if isinstance(each, type) and is_dataclass(each) and each.__module__ == found.name:
                    yield f"{found.name}.{each.__name__}", each


def test_dataclasses_are_frozen():
    found = dict(dataclasses())
    assert len(found) > 60
    changeable = {name for name, each in found.items() if not each.__dataclass_params__.frozen}
    assert changeable <= WITH_STATE
