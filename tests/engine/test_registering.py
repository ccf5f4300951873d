"""A definition that lacks something is refused when it is registered, in one sentence."""

from types import ModuleType

import pytest

from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.rows import RowLayout
from ingenious_env.engine.choices import Choice
from ingenious_env.engine.definition import definitions, register
from scripts.examples.squares import definition, kernels
from scripts.examples.squares.layout import FIELDS, LAYOUT, NUMBERS, TABLES


def changed(**attributes):
    """The example's definition with other attributes."""
    return type("Changed", (definition.Squares,), attributes)()


def module_with(**functions):
    """The example's compiled rules with other functions; None takes one away."""
    module = ModuleType("rules_of_a_test")
    found = {**vars(kernels), **functions, "__name__": module.__name__}
    vars(module).update({name: each for name, each in found.items() if each is not None})
    return module


def layout_of(fields=FIELDS):
    return RowLayout("squares", numbers=NUMBERS, fields=fields, tables=TABLES)


@inlined
def short(game, mask):
    """Takes too little."""
    mask[0] = 1


def three_slots(_self, _rules, *, staged):
    return definition.ActionSpace(3, 16, definition.CHOICES, staged)


class Nameless(definition.Squares):
    """One without an attribute that all need."""

    def __getattribute__(self, name):
        if name == "versus_id":
            raise AttributeError
        return super().__getattribute__(name)


WITHOUT_HELD = tuple(field for field in FIELDS if field.name != "held")
MISSPELT = tuple(field._replace(name="to_plya") if field.name == "to_play" else field for field in FIELDS)

FAULTS = {
    "attribute": (Nameless, "its definition has no 'versus_id'"),
    "field": (lambda: changed(layout=layout_of(WITHOUT_HELD)), "its row has no field 'held'"),
    "misspelt field": (
        lambda: changed(layout=layout_of(MISSPELT)),
        "its row has no field 'to_play'; is it misspelt as 'to_plya'?",
    ),
    "function": (
        lambda: changed(compiled_rules=module_with(reshuffle=None)),
        "rules_of_a_test has no function 'reshuffle'",
    ),
    "misspelt function": (
        lambda: changed(compiled_rules=module_with(write_mask=None, write_maks=kernels.write_mask)),
        "rules_of_a_test has no function 'write_mask'; is it misspelt as 'write_maks'?",
    ),
    "function of placing": (
        lambda: changed(compiled_rules=module_with(may_choose=None)),
        "rules_of_a_test has no function 'may_choose'",
    ),
    "arguments": (
        lambda: changed(compiled_rules=module_with(write_mask=short)),
        "'write_mask' of rules_of_a_test must take (game, staged, workspace, mask), not (game, mask)",
    ),
    "hand_out": (
        lambda: changed(compiled_rules=module_with(hand_out=None)),
        "rules_of_a_test has no function 'hand_out'",
    ),
    "phases": (
        lambda: changed(phases=("place", "over")),
        "its phases must be three names, not ('place', 'over')",
    ),
    "example": (lambda: changed(example="x"), "its example 'x' is not a move: a move is a colour"),
    "players": (
        lambda: changed(players=range(3, 5)),
        "its players are [3, 4], and its default variant has 2",
    ),
    "choices": (
        lambda: changed(choices={"stop": Choice()}),
        "its actions have the choices ['stop', 'again'], not ['stop']",
    ),
    "numbers": (
        lambda: changed(actions=three_slots),
        "the number 'rack_size' of its layout must be 3, not 2",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_in_a_sentence(fault):
    make, sentence = FAULTS[fault]
    with pytest.raises(TypeError) as caught:
        register(make())
    assert str(caught.value).startswith(f"squares cannot be registered: {sentence}")
    assert definitions()["squares"] is definition.DEFINITION
    assert LAYOUT.functions["play"] is kernels.play


def test_two_games_of_one_name_are_refused():
    other = type("OtherRules", (definition.Rules,), {})
    with pytest.raises(
        TypeError,
        match=r"squares cannot be registered: scripts.examples.squares.layout has a game of that name",
    ):
        register(changed(rules=other))
    register(definition.DEFINITION)  # once more is no fault
