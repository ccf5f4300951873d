"""The input of a policy: nothing hidden, and the same in any batch."""

from dataclasses import dataclass

import numpy as np
import pytest
from helpers import PRESETS, batch_at

from ingenious_env import GameBatch, IllegalActionError, Rules, View
from ingenious_env.engine.state import NO_ACTION
from ingenious_env.games.loopit import Rules as LoopitRules
from ingenious_env.policies.view import check_policy, flat_action, flat_actions


@pytest.mark.parametrize("name", PRESETS)
def test_a_completion_follows_from_the_seed_and_the_key_alone(name):
    batch = batch_at(PRESETS[name], 32, 15, seed=2)
    whole = View(batch).complete(seed=5)
    rows = np.array([30, 3, 17])
    assert View(batch.take(rows)).complete(seed=5) == whole.take(rows)
    assert View.of(batch[3]).complete(seed=5) == whole.take(rows[1:2])
    assert View(batch).complete(seed=6) != whole
    assert np.array_equal(whole.observe(), batch.observe())
    other = batch.clone()
    other.reshuffle_hidden(seed=1)
    assert np.array_equal(View(other).complete(seed=5).state.racks, whole.state.racks)
    assert batch == batch_at(PRESETS[name], 32, 15, seed=2)


def test_keys_stay_with_games_and_say_nothing_of_what_is_to_come():
    batch = GameBatch(Rules(3), 16, 4)
    view, keys = View(batch), View(batch).keys
    assert len(set(keys.tolist())) == 16
    actions = view.random_actions()
    batch.state.stream[:] += np.uint64(1)
    assert np.array_equal(view.random_actions(), actions)
    while not batch.is_over.all():
        batch.play(batch.random_actions())
        assert np.array_equal(view.keys, keys)
    assert (view.random_actions() == NO_ACTION).all()
    keys[:] = 0
    assert view.keys.all()


def test_a_view_of_some_games_is_of_copies():
    batch = batch_at(Rules(), 8, 9)
    some = View(batch).take(np.array([5, 1]))
    assert some.seats.tolist() == batch.to_play[[5, 1]].tolist()
    assert np.array_equal(some.observe(), batch.observe()[[5, 1]])
    assert np.array_equal(some.legal_mask(), batch.legal_mask()[[5, 1]])
    before = some.observe()
    batch.play(batch.random_actions())
    assert np.array_equal(some.observe(), before)


class LastChoice:
    """Takes the last named choice that is legal, else the first action."""

    staged = True

    def act(self, view):
        mask, first = view.legal_mask(), view.actions.first_choice
        last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
        return np.where(last >= first, last, mask.argmax(axis=1))


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(2, board_side=3, rack_size=3), LoopitRules(2), LoopitRules(3, rack_size=3)]
)
def test_named_choices_of_staged_policies_are_those_of_flat_ones(rules):
    batch, chosen = GameBatch(rules, 300, 2), set()
    for _ in range(60):
        flat = flat_actions(LastChoice(), View(batch))
        for row in np.flatnonzero(~batch.is_over):
            names = [
                name for name in batch.actions.choices if batch.legal_mask()[row, batch.actions.choice(name)]
            ]
            assert batch.actions.chosen(int(flat[row])) == (names[-1] if names else None)
            chosen |= set(names[-1:])
        batch.play(np.where(batch.is_over, NO_ACTION, batch.random_actions()))
    assert len(chosen) > 0


@dataclass
class Steps:
    """A staged policy that picks the last legal slot, and then returns its answer."""

    second: object
    staged: bool = True

    def act(self, view):
        if view._batch.state.held.any():
            return self.second
        slots = view.legal_mask()[:, : view.actions.first_placement]
        return slots.shape[1] - 1 - slots[:, ::-1].argmax(axis=1)


class Only(Steps):
    """A policy that returns its answer at once."""

    def act(self, view):
        return self.second


@pytest.mark.parametrize("rules", [Rules(), Rules(2, board_side=3, num_colours=2), LoopitRules()])
def test_a_staged_action_out_of_turn_is_illegal(rules):
    """Not the placement of a neighbouring slot: a slot or a choice after a slot, a placement before one."""
    view = View(GameBatch(rules, 1, 3))
    space = GameBatch(rules, 1, 3, staged=True).actions
    slots, placements = range(space.first_placement), range(space.first_placement, space.first_choice)
    for second in (-1, *slots, *range(space.first_choice, space.size + 2)):
        with pytest.raises(IllegalActionError, match=f"action {second} is illegal"):
            flat_actions(Steps([second]), view)
    for first in placements:
        with pytest.raises(IllegalActionError, match=f"action {first} is illegal"):
            flat_actions(Only([first]), view)


@pytest.mark.parametrize(("policy", "staged"), [(Steps, True), (Only, True), (Only, False)])
@pytest.mark.parametrize("bad", [[0.9], [True], [3, 4], 3, [[3]], ["3"], []])
def test_what_is_no_integer_for_each_game_is_refused(policy, staged, bad):
    """At the first choice of a staged policy, at its second, and at the only one of a flat policy."""
    answers, view = policy(bad, staged=staged), View(GameBatch(Rules(), 1, 3))
    for ask in (flat_actions, flat_action) if staged else (flat_action,):
        with pytest.raises(IllegalActionError, match=r"must choose an action for each game, integers \[1\]"):
            ask(answers, view)


def test_a_policy_without_a_name_is_called_by_its_class():
    """Not by its address; one with a repr of its own by that."""

    class Plain:
        def act(self, view):
            return np.zeros(0, int)

    class Named(Plain):
        def __repr__(self):
            return "Named(7)"

    view = View(GameBatch(Rules(), 1, 3))
    for policy, name in ((Plain(), "Plain"), (Named(), r"Named\(7\)")):
        with pytest.raises(IllegalActionError, match=f"^{name} must choose an action") as error:
            flat_action(policy, view)
        assert error.value.reason.startswith("must choose an action")
    with pytest.raises(TypeError, match=r"not object$"):
        check_policy(object(), ["uniform"])
