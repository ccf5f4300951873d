"""The numbering of actions: flat and staged, both ways, and the same in kernels as in Python."""

import numpy as np
import pytest

from ingenious_env import GameBatch, Rules, View
from ingenious_env.compiled.actions import ActionSpace
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.errors import IllegalActionError
from ingenious_env.policies.greedy import Greedy

SLOTS, PLACEMENTS, CHOICES = 3, 10, ("keep", "swap")


def test_flat_actions_are_slots_times_placements_and_then_choices():
    space = ActionSpace(SLOTS, PLACEMENTS, CHOICES)
    assert (space.first_placement, space.first_choice, space.size) == (0, 30, 32)
    pairs = [(slot, placement) for slot in range(SLOTS) for placement in range(PLACEMENTS)]
    assert [space.split_placement(action) for action in range(30)] == pairs
    assert [space.join_placement(*pair) for pair in pairs] == list(range(30))
    assert [space.chosen(action) for action in range(29, 33)] == [None, *CHOICES, None]
    assert [space.choice(name) for name in CHOICES] == [30, 31]
    actions = np.arange(-1, 32)
    assert space.from_flat(actions, np.zeros(33, np.bool_)) is actions


@pytest.mark.parametrize("held", [False, True])
def test_flat_actions_as_staged_ones(held):
    """The slot of each placement, or with a slot in hand, where its tile goes; choices stay choices."""
    space = ActionSpace(SLOTS, PLACEMENTS, CHOICES, staged=True)
    assert (space.first_placement, space.first_choice, space.size) == (3, 13, 15)
    assert [space.choice(name) for name in CHOICES] == [13, 14]
    assert space.flat == ActionSpace(SLOTS, PLACEMENTS, CHOICES)
    actions = np.arange(-1, 32, dtype=np.int32)
    found = space.from_flat(actions, np.full(33, held))
    assert found.dtype == np.int32
    assert found[0] == NO_ACTION
    assert found[-2:].tolist() == [13, 14]
    for action, staged in zip(actions[1:-2].tolist(), found[1:-2].tolist(), strict=True):
        slot, placement = space.split_placement(action)
        assert staged == (SLOTS + placement if held else slot)


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_kernel_numbers_actions_as_python_does(players):
    """The greedy policy's: what it chooses in a flat game, and in the same game staged."""
    flat = GameBatch(Rules(players), 32, 3)
    kinds = set()
    while not flat.is_over.all():
        actions = Greedy().act(View(flat))
        staged = GameBatch.from_rows(flat.rules, flat.state.memory, staged=True)
        picks = Greedy().act(View(staged))
        assert np.array_equal(picks, View(staged).encode(actions))
        kinds |= {flat.actions.chosen(action) for action in actions[actions != NO_ACTION].tolist()}
        placing = np.flatnonzero((picks != NO_ACTION) & (picks < staged.actions.first_placement))
        held = staged.take(placing)
        held.play(picks[placing])
        held.play(Greedy().act(View(held)))
        flat.play(actions)
    assert kinds == ({None} if players == 1 else {None, "swap"})


def test_staged_actions_that_are_no_whole_move():
    space = ActionSpace(SLOTS, PLACEMENTS, CHOICES, staged=True)
    for held in range(SLOTS + 1):
        for action in range(space.first_choice):
            if action < SLOTS:
                with pytest.raises(
                    IllegalActionError, match=rf"^action {action} is not a whole move: it picks a slot$"
                ):
                    space.slot_and_placement(action, held)
            elif not held:
                with pytest.raises(IllegalActionError, match=r"not a whole move: no slot has been picked$"):
                    space.slot_and_placement(action, held)
            else:
                assert space.slot_and_placement(action, held) == (held - 1, action - SLOTS)


def test_the_next_action_of_a_placement():
    flat, staged = (ActionSpace(SLOTS, PLACEMENTS, CHOICES, staged=kind) for kind in (False, True))
    assert flat.placing(2, 7, 0) == 27
    assert staged.placing(2, 7, 0) == 2
    assert staged.placing(2, 7, 3) == SLOTS + 7
    assert flat.slot_and_placement(27, 0) == (2, 7)
    with pytest.raises(IllegalActionError, match=r"^slot 0 has been picked, not slot 2$"):
        staged.placing(2, 7, 1)
