"""Why an action is illegal: the message is right by the reference, for every action of many positions."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from differential import pair_numbers
from helpers import CUSTOM, mixed_actions, reference_of
from reference import ReferenceGame

from ingenious_env import Game, GameBatch, IllegalActionError, Rules
from ingenious_env.engine.state import NO_ACTION

WAY_OUT = ". The action mask shows what is legal"
CELL = r"\((-?\d+), (-?\d+)\)"


class Position:
    """One position of the reference, with the effect of each action, from the table of numbers.

    Flat, a slot has 2K placements; staged, slots come first and then 2K placements of the tile in hand.
    """

    def __init__(
        self, rules: Rules, reference: ReferenceGame, *, staged: bool, held: int | None = None
    ) -> None:
        self.reference = reference
        self.staged, self.held = staged, held
        self.pairs = {number: pair for pair, number in pair_numbers(rules).items()}
        self.order = {tuple(cell): number for number, cell in enumerate(rules.cells.tolist())}
        self.slots, self.ways = rules.rack_size, 2 * len(self.pairs)
        self.first = self.slots if staged else 0
        self.keep = self.first + self.ways * (1 if staged else self.slots)
        self.swap = self.keep + 1
        self.rack = [] if reference.phase == "over" else reference.racks[reference.to_play]
        self.allowed = reference.allowed_pairs()
        self.empty = reference.empty_cells()

    def faults(self, action: int) -> set[str]:
        """All that is wrong with an action: more than one thing may be."""
        phase = self.reference.phase
        if phase == "over":
            return set() if action == NO_ACTION else {"over"}
        if not 0 <= action <= self.swap:
            return {"no action"}
        if phase == "swap":
            return set() if action >= self.keep else {"choice due"}
        if action >= self.keep:
            return {"placement due"} | ({"slot picked"} if self.held is not None else set())
        if self.staged and action < self.slots:
            return {"slot picked"} if self.held is not None else self._slot_faults(action)
        if self.staged and self.held is None:
            return {"slot due"}
        slot, placement = (self.held, action - self.first) if self.staged else divmod(action, self.ways)
        turned, pair = divmod(placement, self.ways // 2)
        return self._slot_faults(slot) | self._placement_faults(slot, turned, self.pairs[pair])

    def _slot_faults(self, slot: int) -> set[str]:
        if slot >= len(self.rack):
            return {"slot empty"}
        return {"slot repeats"} if self.rack[slot] in self.rack[:slot] else set()

    def _placement_faults(self, slot: int, turned: int, pair: frozenset) -> set[str]:
        faults = set()
        if turned and slot < len(self.rack) and self.rack[slot][0] == self.rack[slot][1]:
            faults.add("turned double")
        if not pair <= self.empty:
            faults.add("cell taken")
        elif pair not in self.allowed:
            faults.add("first round")
        return faults

    def check(self, action: int, message: str) -> str:
        """Verify a message; returns the fault that it names."""
        start = f"action {action} is illegal: "
        assert message.startswith(start)
        assert message.endswith(WAY_OUT)
        reason = message[len(start) : -len(WAY_OUT)]
        ((name, found),) = [
            (name, found) for name, pattern in PATTERNS.items() if (found := re.fullmatch(pattern, reason))
        ]
        getattr(self, f"check_{name.replace(' ', '_')}", lambda *_: None)(action, found)
        return name

    def placement(self, action: int) -> tuple[int, frozenset]:
        slot, placement = (self.held, action - self.first) if self.staged else divmod(action, self.ways)
        return slot, self.pairs[placement % (self.ways // 2)]

    def check_no_action(self, _action, found):
        assert int(found[1]) == self.swap

    def check_choice_due(self, _action, found):
        assert (int(found[1]), int(found[2])) == (self.keep, self.swap)

    def check_slot_due(self, _action, found):
        assert int(found[1]) == self.slots - 1

    def check_slot_picked(self, _action, found):
        assert [int(found[k]) for k in (1, 2, 3)] == [self.held, self.slots, self.keep - 1]

    def check_slot_empty(self, action, found):
        slot = action if self.staged else self.placement(action)[0]
        assert int(found[1]) == slot >= len(self.rack)

    def check_slot_repeats(self, action, found):
        one, other = int(found[1]), int(found[2])
        assert other == (action if self.staged else self.placement(action)[0])
        assert self.rack[one] == self.rack[other]

    def check_cell_taken(self, action, found):
        taken, *pair = [(int(found[k]), int(found[k + 1])) for k in (1, 3, 5)]
        assert taken in self.reference.board
        assert taken in pair
        assert frozenset(pair) == self.placement(action)[1]
        assert self.order[pair[0]] < self.order[pair[1]]

    def check_first_round(self, action, found):
        pair = [(int(found[k]), int(found[k + 1])) for k in (1, 3)]
        assert frozenset(pair) == self.placement(action)[1]
        touched = {(int(q), int(r)) for q, r in re.findall(CELL, found[5])}
        assert touched == self.reference.touched
        assert (found[5] == "none") == (not touched)


PATTERNS = {
    "over": r"the game is over, and only -1 \(no action\) is allowed",
    "no action": r"actions are 0 to (\d+)",
    "choice due": r"this is the choice between (\d+) \(keep\) and (\d+) \(swap\)",
    "placement due": "a tile must be placed now, there is no choice to swap",
    "slot due": r"first pick a slot, 0 to (\d+)",
    "slot picked": r"slot (\d+) is already picked; now say where its tile goes, (\d+) to (\d+)",
    "slot empty": r"slot (\d+) of the rack is empty",
    "slot repeats": r"slots (\d+) and (\d+) hold equal tiles, and only the first of equals may be used",
    "turned double": "a double has one orientation on a pair, the first",
    "cell taken": rf"cell {CELL} of the pair {CELL} and {CELL} is taken",
    "first round": (
        "in the first round a tile must touch a start symbol, and none that an earlier tile touches; "
        rf"the pair {CELL} and {CELL} does not \(touched so far: (.*)\)"
    ),
}


def look_at_all(game: Game, position: Position) -> Counter[str]:
    """Try every action, legal or not; how often each fault was named."""
    named: Counter[str] = Counter()
    before = game.clone()
    mask = game.legal_mask()
    assert len(mask) == position.swap + 1
    for action in [-2, *range(len(mask)), len(mask), 2**40]:
        faults = position.faults(action)
        is_legal = 0 <= action < len(mask) and mask[action] == 1
        assert is_legal == (not faults)
        if not faults:
            twin = game.clone()
            twin.play(action)
            assert twin != game
            named["legal"] += 1
            continue
        with pytest.raises(IllegalActionError) as error:
            game.play(action)
        name = position.check(action, str(error.value))
        assert name in faults
        named[name] += 1
    assert game == before
    return named


def play_and_look(rules: Rules, seed: int, *, every: int) -> Counter[str]:
    """Look at positions of a game played half greedily, flat and staged, with each slot in hand."""
    game = Game(rules, seed)
    reference, rng = reference_of(game), np.random.default_rng(seed)
    named: Counter[str] = Counter()
    step = 0
    while True:
        if step < rules.num_players + 1 or step % every == 0 or game.phase != "place":
            named += look_at_all(game, Position(rules, reference, staged=False))
            memory = game.state.memory[0]
            staged = Game.from_row(rules, memory, staged=True)
            named += look_at_all(staged, Position(rules, reference, staged=True))
            slots = staged.legal_actions() if game.phase == "place" else []
            for slot in slots[step % max(1, len(slots)) :][:1]:
                picked = Game.from_row(rules, memory, staged=True)
                picked.play(slot)
                named += look_at_all(picked, Position(rules, reference, staged=True, held=int(slot)))
        if game.is_over:
            return named
        action = int(mixed_actions(GameBatch.from_rows(rules, game.state.memory), rng, 0.5)[0])
        move = game.move(action)
        game.play(action)
        new_deck = game.bag_order if move == "swap" else None
        reference.make(move if isinstance(move, str) else frozenset(move), new_deck)
        step += 1


SMALL = {name: rules for name, rules in CUSTOM.items() if rules.board_side <= 5}


@pytest.mark.parametrize("name", SMALL)
def test_every_reason_is_so(name):
    rules = SMALL[name]
    every = {3: 1, 4: 3, 5: 9}[rules.board_side]
    named: Counter[str] = Counter()
    for seed in range(3):
        named += play_and_look(rules, seed, every=every)
    expected = {"legal", "over", "no action", "placement due", "slot due", "slot picked", "cell taken"}
    expected |= {"first round", "turned double"} if rules.num_players < 6 or rules.board_side > 3 else set()
    assert expected <= set(named)


def test_all_reasons_occur():
    """Empty slots come with bonus plays, choices with swaps: here both are common."""
    rules = Rules(2, board_side=5, num_colours=3, rack_size=3, counter_top=4)
    named: Counter[str] = Counter()
    for seed in range(4):
        named += play_and_look(rules, seed, every=8)
    assert set(named) == {"legal", *PATTERNS}


@pytest.mark.parametrize("rules", [CUSTOM["crowded"], Rules(6, board_side=3)], ids=["crowded", "six"])
def test_where_the_first_round_s_rule_is_waived_no_reason_names_it(rules):
    """Of six players on side 3, some find no pair next to untouched symbols only: any open pair is legal."""
    waived = 0
    for seed in range(10):
        game = Game(rules, seed)
        reference = reference_of(game)
        while reference.turn < 6 and not game.is_over:
            symbols = [reference.symbols_touched(pair) for pair in reference.open_pairs()]
            if not any(touched and not touched & reference.touched for touched in symbols):
                waived += 1
                named = look_at_all(game, Position(rules, reference, staged=False))
                assert named["first round"] == 0
                assert named["legal"] > 0
            move = game.move(int(game.legal_actions()[0]))
            game.play(game.action(move))
            reference.make(frozenset(move) if not isinstance(move, str) else move)
    assert waived > 5


def test_a_batch_names_the_game_too():
    batch = GameBatch(Rules(), 3, 0)
    actions = batch.random_actions()
    actions[1] = batch.actions.swap
    message = (
        "action 2665 is illegal in game 1: a tile must be placed now, there is no choice to swap" + WAY_OUT
    )
    with pytest.raises(IllegalActionError, match=f"^{re.escape(message)}$"):
        batch.play(actions)
