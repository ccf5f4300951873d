"""Legality and play of any game of slots × placements and named choices: templates.

A game instantiates them with `inlined(bind(placing.play, module))` (see `kernel.py`), where the module has

    slot_illegality(game, slot)                            why the tile of a slot may not be placed anywhere
    placement_illegality(game, slot, placement, workspace) why the tile of a slot may not be placed there
    may_choose(game, choice)                               whether a named choice is available
    place(game, slot, placement)                           place a tile, and advance to the next decision
    choose(game, choice)                                   take a named choice, and advance

The first two return `LEGAL` or a code: one of those below, or one of the game's own from `FIRST_OWN_CODE`
on. In addition to the fields of `bag.py`, games have `placed`, `turn`, `phase` and `held`, and the numbers of
`actions.py` and `num_choices`. A game may write faster versions of `write_mask` and `random_action` itself.
"""

from __future__ import annotations

from typing import Any

from numba import uint64

from ingenious_env.compiled import compiled_rules as rules
from ingenious_env.compiled.actions import first_choice, first_placement, split_placement
from ingenious_env.compiled.kernel import inlined
from ingenious_env.compiled.phases import NO_ACTION, OVER, PLACE
from ingenious_env.compiled.rng import GOLDEN, POLICY_KEY, mix, scale

LEGAL = 0
GAME_OVER = 1
NO_SUCH_ACTION = 2
CHOICE_DUE = 3
NOT_OFFERED = 4
SLOT_DUE = 5
SLOT_PICKED = 6
SLOT_EMPTY = 7
SLOT_REPEATS = 8
FIRST_OWN_CODE = 16


def illegality(game: Any, staged: Any, action: Any, workspace: Any) -> Any:
    """The code of why an action is illegal, or `LEGAL`."""
    if game.phase == OVER:
        return LEGAL if action == NO_ACTION else GAME_OVER
    first, last = first_placement(game, staged), first_choice(game, staged)
    if action < 0 or action >= last + game.spec.num_choices:
        return NO_SUCH_ACTION
    if action >= last:
        if game.held:
            return SLOT_PICKED
        return LEGAL if rules.may_choose(game, action - last) else NOT_OFFERED
    if game.phase != PLACE:
        return CHOICE_DUE
    if staged and action < first:
        return SLOT_PICKED if game.held else rules.slot_illegality(game, action)
    if staged and not game.held:
        return SLOT_DUE
    slot, placement = split_placement(game, staged, action)
    return rules.placement_illegality(game, slot, placement, workspace)


def play(game: Any, staged: Any, action: Any) -> None:
    """Play a legal action."""
    last = first_choice(game, staged)
    if action >= last:
        rules.choose(game, action - last)
    elif action < first_placement(game, staged):
        game.held = action + 1
    else:
        slot, placement = split_placement(game, staged, action)
        game.held = 0
        rules.place(game, slot, placement)


def write_mask(game: Any, staged: Any, workspace: Any, mask: Any) -> None:
    """Write 1 for each legal action, 0 for all others, by testing each."""
    size = first_choice(game, staged) + game.spec.num_choices
    over = game.phase == OVER
    for action in range(size):
        mask[action] = int(not over and rules.illegality(game, staged, action, workspace) == LEGAL)


def random_action(game: Any, staged: Any, random: Any, workspace: Any) -> Any:
    """The legal action picked by a random word, uniformly; `NO_ACTION` in a finished game."""
    if game.phase == OVER:
        return NO_ACTION
    size = first_choice(game, staged) + game.spec.num_choices
    count = 0
    for action in range(size):
        count += int(rules.illegality(game, staged, action, workspace) == LEGAL)
    pick = scale(random, count)
    for action in range(size):
        if rules.illegality(game, staged, action, workspace) == LEGAL:
            if pick == 0:
                return action
            pick -= 1
    return NO_ACTION


@inlined
def word_for_decision(game: Any, word: Any) -> Any:
    """A random word for the decision at hand, always the same in the same position for the same word."""
    step = uint64(game.placed) * uint64(4) + uint64(game.turn) * uint64(1024)
    decision = step + uint64(2 if game.held else 0) + uint64(game.phase)
    return mix(word ^ mix(decision * GOLDEN ^ POLICY_KEY))


def common_reason(game: Any, action: int, code: int) -> str:
    """The text of a code that all games share; the game is a batch of one."""
    actions, held = game.actions, int(game.state.held[0])
    first, last = actions.first_placement, actions.first_choice
    choices = ", ".join(f"{last + k} ({name})" for k, name in enumerate(actions.choices))
    slot = action if action < first else held - 1 if actions.staged else action // actions.num_placements
    equals = f"slots {slot - 1} and {slot} hold equal tiles, and only the first of equals may be used"
    picked = f"slot {held - 1} is already picked; now say where its tile goes, {first} to {last - 1}"
    return {
        GAME_OVER: f"the game is over, and only {NO_ACTION} (no action) is allowed",
        NO_SUCH_ACTION: f"actions are 0 to {actions.size - 1}",
        CHOICE_DUE: f"no tile is to be placed now; the choices are {choices}",
        NOT_OFFERED: f"a tile must be placed now, the choice {actions.chosen(action)!r} is not available",
        SLOT_DUE: f"first pick a slot, 0 to {first - 1}",
        SLOT_PICKED: picked,
        SLOT_EMPTY: f"slot {slot} of the rack is empty",
        SLOT_REPEATS: equals,
    }[code]
