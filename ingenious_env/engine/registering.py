"""The checks of `register` on a definition: each fault is reported in one sentence.

Kernels are not compiled here, as this runs on import: an observation kernel is compared with its layout at
the first observation (see `GameBatch.observe`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from types import FunctionType, ModuleType
from typing import Any

import numba.core.config

from ingenious_env.compiled import compiled_guide, compiled_rules, placing

FIELDS = ("stream", "policy_key", "to_play", "phase", "held", "scores")
"""Fields of a row that the engine reads in every game."""
NEEDED = (
    "name", "players", "example", "versus_id", "rules", "game", "layout", "compiled_rules", "phases",
    "rewards", "policies",
)  # fmt: skip
"""Attributes of a definition that have no default."""
ALIKE = 0.8
"""From which likeness on a name is taken for a misspelt one."""
OF_BAGS = ("hand_out",)
"""Functions of games that draw tiles from a bag."""
OF_PLACING = ("slot_illegality", "placement_illegality", "may_choose", "place", "choose")
"""Functions of games that use the legality of `placing.py`."""
Function = Callable[..., Any]


def check_definition(definition: Any) -> None:
    """Raise TypeError with the first fault of a definition."""
    for fault in _faults(definition):
        name = getattr(definition, "name", type(definition).__name__)
        msg = f"{name} cannot be registered: {fault}"
        raise TypeError(msg)


def _supplies(definition: Any) -> Iterator[tuple[ModuleType, dict[str, Function]]]:
    """Modules of a game with the functions that they must supply by name, as the engine declares them.

    Nothing if NUMBA_DISABLE_JIT is set: declared and compiled functions look alike then, and the first kernel
    refuses that setting.
    """
    config: Any = numba.core.config  # its names are made at run time
    if config.DISABLE_JIT:
        return
    rules, declared = definition.compiled_rules, _declared_in(compiled_rules)
    illegality = getattr(getattr(rules, "illegality", None), "py_func", None)
    uses_placing = illegality is not None and illegality.__code__ is placing.illegality.__code__
    spared: tuple[str, ...] = () if uses_placing else OF_PLACING
    if "bag" not in definition.layout.fields:
        spared += OF_BAGS
    yield rules, {name: each for name, each in declared.items() if name not in spared}
    if definition.guide is not None:
        yield definition.guide.kernels, _declared_in(compiled_guide)


def _declared_in(module: ModuleType) -> dict[str, Function]:
    found = {each.__name__: each for each in vars(module).values() if isinstance(each, FunctionType)}
    found.pop("rules_workspace", None)  # stands for the `workspace` of the compiled rules
    return {name: each for name, each in found.items() if each.__module__ == module.__name__}


def _faults(definition: Any) -> Iterator[str]:
    for name in NEEDED:
        if not hasattr(definition, name):
            yield f"its definition has no {name!r}{_meant(name, dir(definition))}"
    for name in FIELDS:
        if name not in definition.layout.fields:
            yield f"its row has no field {name!r}{_meant(name, definition.layout.fields)}"
    for module, declared in _supplies(definition):
        for name, stub in declared.items():
            yield from _faults_of_function(module, name, stub)
    if len(definition.phases) != 3:
        yield f"its phases must be three names, not {definition.phases!r}"
    try:
        definition.text_to_move(definition.example)
    except ValueError as error:
        yield f"its example {definition.example!r} is not a move: {error}"
    yield from _faults_of_numbers(definition)


def _meant(name: str, known: Any) -> str:
    near = get_close_matches(name, [each for each in known if not hasattr(object, each)], 1, ALIKE)
    return f"; is it misspelt as {near[0]!r}?" if near else ""


def _faults_of_function(module: ModuleType, name: str, stub: Function) -> Iterator[str]:
    function = getattr(module, name, None)
    if function is None:
        own = [each for each, value in vars(module).items() if hasattr(value, "py_func")]
        yield f"{module.__name__} has no function {name!r}{_meant(name, own)}"
        return
    written = getattr(function, "py_func", None)
    if written is None or name.endswith("workspace"):
        return
    takes, wanted = (list(inspect.signature(each).parameters) for each in (written, stub))
    if len(takes) != len(wanted):
        where = f"{name!r} of {module.__name__}"
        yield f"{where} must take ({', '.join(wanted)}), not ({', '.join(takes)})"


def _faults_of_numbers(definition: Any) -> Iterator[str]:
    """Sizes declared twice, once for kernels, in the default variant."""
    rules = definition.rules()
    if rules.num_players not in definition.players:
        yield f"its players are {list(definition.players)}, and its default variant has {rules.num_players}"
    actions, description = definition.actions(rules, staged=False), definition.describe(rules)
    if set(actions.choices) != set(definition.choices):
        yield f"its actions have the choices {list(actions.choices)}, not {list(definition.choices)}"
    numbers = dict(zip(definition.layout.Spec._fields, description.spec.tolist(), strict=True))
    same = {"num_players": rules.num_players, **actions.numbers}
    for name, wanted in same.items():
        if numbers.get(name) != wanted:
            yield f"the number {name!r} of its layout must be {wanted}, not {numbers.get(name)}"
