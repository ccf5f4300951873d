"""The boundaries of the rules of Ingenious: for each paragraph of RULES.md, the moves that lie there."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from helpers import VARIANTS
from reference import ReferenceGame, place_points

from ingenious_env import Rules

Tile = tuple[int, int]


class Step(NamedTuple):
    """A move of the reference: the position before and after it."""

    rules: Rules
    before: ReferenceGame
    move: frozenset | str
    after: ReferenceGame

    @property
    def seat(self) -> int:
        return self.before.to_play

    @property
    def sheet(self) -> list[int]:
        return self.before.scores[self.before.sheet_of(self.seat)]

    @property
    def new_sheet(self) -> list[int]:
        return self.after.scores[self.before.sheet_of(self.seat)]

    @property
    def points(self) -> dict[int, int]:
        return {} if isinstance(self.move, str) else place_points(self.before.board, self.move)

    @property
    def left(self) -> list[Tile]:
        """The rack after a placement, before drawing."""
        rack = list(self.before.racks[self.seat])
        if not isinstance(self.move, str):
            rack.remove(tuple(sorted(colour for _, colour in self.move)))
        return rack

    @property
    def is_last(self) -> bool:
        """Whether a placement was the last of its turn, in an unfinished game."""
        return not isinstance(self.move, str) and not self.goes_on and self.after.phase != "over"

    @property
    def goes_on(self) -> bool:
        return self.after.phase == "place" and self.after.turn == self.before.turn

    @property
    def earned(self) -> int:
        return self.after.bonus_earned - self.before.bonus_earned

    @property
    def lacks_lowest(self) -> bool:
        lowest = {k + 1 for k, counter in enumerate(self.new_sheet) if counter == min(self.new_sheet)}
        return bool(self.left) and not lowest & {colour for tile in self.left for colour in tile}

    @property
    def room(self) -> int:
        """Pairs of cells that are open after the move."""
        return len(self.after.open_pairs())

    @property
    def won(self) -> bool:
        return all(counter == self.rules.last_space for counter in self.new_sheet)

    def gains(self, low: int, high: int, excess: int) -> bool:
        """Return whether a counter from low to high gains enough to reach its stop, and a given excess."""
        top, last = self.rules.counter_top, self.rules.last_space
        return any(
            low <= (old := self.sheet[colour - 1]) <= high
            and gain > 0
            and old + gain - (top if old < top else last) == excess
            for colour, gain in self.points.items()
        )


def _first(step: Step) -> bool:
    return step.before.turn < step.rules.num_players


def _allowed(step: Step) -> bool:
    """Return whether a pair touches a symbol that may be touched, in a first round."""
    return any(
        (symbols := step.before.symbols_touched(pair)) and not symbols & step.before.touched
        for pair in step.before.open_pairs()
    )


Test = Callable[[Step], bool]
Who = Callable[[Rules], bool]


def everyone(_rules: Rules) -> bool:
    return True


def several(rules: Rules) -> bool:
    return rules.num_players > 1


def many_tiles(rules: Rules) -> bool:
    return rules.num_players > 1 and rules.rack_size > 1


def doubled(rules: Rules) -> bool:
    return rules.double_sheet


def single(rules: Rules) -> bool:
    return not rules.double_sheet


MET: dict[str, tuple[Who, Test]] = {
    "3.2 a first tile where a symbol may be touched": (everyone, lambda s: _first(s) and _allowed(s)),
    "3.2 a first tile where none may": (everyone, lambda s: _first(s) and not _allowed(s)),
    "3.2 the last seat's first tile": (
        everyone,
        lambda s: _first(s) and s.before.turn == s.rules.num_players - 1,
    ),
    "3.2 a final space reached in the first round": (
        several,
        lambda s: _first(s) and s.after.phase != "over" and s.gains(0, 99, 0) and not s.earned,
    ),
    "3.4 the bag is empty": (everyone, lambda s: s.is_last and not s.before.deck),
    "3.4 the bag holds just what is drawn": (
        everyone,
        lambda s: s.is_last and len(s.before.deck) == s.rules.rack_size - len(s.left),
    ),
    "3.4 the bag holds one tile too few": (
        many_tiles,
        lambda s: s.is_last and len(s.before.deck) == s.rules.rack_size - len(s.left) - 1,
    ),
    "4.2 a double scores": (
        everyone,
        lambda s: len(s.points) == 1 and s.new_sheet != s.sheet,
    ),
    "4.3 a counter reaches its last space exactly": (single, lambda s: s.gains(0, 99, 0)),
    "4.3 the excess is lost": (single, lambda s: s.gains(0, s.rules.counter_top - 1, 1)),
    "4.3 a counter on the last space gains": (
        single,
        lambda s: any(s.sheet[c - 1] == s.rules.last_space and gain for c, gain in s.points.items()),
    ),
    "4.4 a counter reaches the middle exactly": (doubled, lambda s: s.gains(0, s.rules.counter_top - 1, 0)),
    "4.4 a counter stops in the middle": (doubled, lambda s: s.gains(0, s.rules.counter_top - 1, 1)),
    "4.4 a counter goes on from the middle": (
        doubled,
        lambda s: any(
            s.sheet[c - 1] == s.rules.counter_top < s.new_sheet[c - 1] < s.rules.last_space for c in s.points
        ),
    ),
    "4.4 a counter reaches the end exactly": (
        doubled,
        lambda s: s.gains(s.rules.counter_top, s.rules.last_space - 1, 0),
    ),
    "4.4 the excess over the end is lost": (
        doubled,
        lambda s: s.gains(s.rules.counter_top, s.rules.last_space - 1, 1),
    ),
    "4.4 a double past the middle": (
        doubled,
        lambda s: len(s.points) == 1 and s.gains(0, s.rules.counter_top - 1, 2),
    ),
    "4.5 partners share": (
        lambda rules: rules.teams,
        lambda s: s.seat >= 2 and s.new_sheet != s.sheet,
    ),
    "5.1 one bonus play": (several, lambda s: s.earned == 1),
    "5.1 two bonus plays": (several, lambda s: s.earned == 2),
    "5.1 a bonus play at the end of a double sheet": (
        lambda rules: doubled(rules) and several(rules),
        lambda s: s.earned and s.new_sheet.count(s.rules.last_space) > s.sheet.count(s.rules.last_space),
    ),
    "5.2 a bonus play is owed and drawn for later": (
        many_tiles,
        lambda s: s.goes_on and bool(s.before.deck) and len(s.left) < s.rules.rack_size,
    ),
    "5.3 a bonus play with no pair left": (several, lambda s: s.earned and s.room == 0 and bool(s.left)),
    "5.3 a bonus play with one pair left": (
        many_tiles,
        lambda s: s.earned and s.room == 1 and bool(s.left) and not s.won,
    ),
    "5.3 a bonus play with an empty rack": (
        several,
        lambda s: s.earned and not s.left and s.room > 0 and not s.won,
    ),
    "5.3 an empty rack with more owed": (
        many_tiles,
        lambda s: s.before.plays_left > 1 and not s.left and s.room > 0 and not s.won,
    ),
    "5.4 a final space in solitaire": (
        lambda rules: not several(rules),
        lambda s: s.after.phase != "over" and s.gains(0, 99, 0),
    ),
    "6.1 no tile shows a lowest colour": (many_tiles, lambda s: s.after.phase == "swap"),
    "6.1 a tile shows a tied lowest colour": (
        lambda rules: many_tiles(rules) and rules.num_colours > 2,
        lambda s: s.is_last
        and not s.lacks_lowest
        and s.new_sheet.count(min(s.new_sheet)) > 1
        and len(s.before.deck) >= s.rules.rack_size
        and bool(s.left),
    ),
    "6.3 the bag holds just a rack": (
        many_tiles,
        lambda s: s.is_last and s.lacks_lowest and len(s.before.deck) == s.rules.rack_size,
    ),
    "6.3 the bag holds one tile fewer": (
        many_tiles,
        lambda s: s.is_last and s.lacks_lowest and len(s.before.deck) == s.rules.rack_size - 1,
    ),
    "6.3 an empty rack": (
        several,
        lambda s: s.is_last and not s.left and len(s.before.deck) >= s.rules.rack_size,
    ),
    "6.3 never in solitaire": (
        lambda rules: rules.num_players == 1 and rules.rack_size > 1,
        lambda s: s.is_last and s.lacks_lowest and len(s.before.deck) >= s.rules.rack_size,
    ),
    "6.2 a swap of all there is": (
        many_tiles,
        lambda s: s.move == "swap" and len(s.before.deck) == s.rules.rack_size,
    ),
    "6.2 a swap, and the rack is kept": (many_tiles, lambda s: s.move == "keep"),
    "7.1 all counters on the last space, bonus plays outstanding": (
        several,
        lambda s: s.won and s.room > 0 and s.before.plays_left > 1,
    ),
    "7.1 the last counter's own bonus play": (
        several,
        lambda s: s.won and s.room > 0 and s.earned > 0 and s.before.plays_left == 1,
    ),
    "7.1 and no pair left": (everyone, lambda s: s.won and s.room == 0),
    "7.1 in the first round": (several, lambda s: s.won and s.room > 0 and _first(s)),
    "7.1 all but one": (
        everyone,
        lambda s: s.new_sheet != s.sheet
        and s.new_sheet.count(s.rules.last_space) == s.rules.num_colours - 1
        and s.after.phase != "over",
    ),
    "7.2 no pair left": (everyone, lambda s: not isinstance(s.move, str) and s.room == 0),
    "7.2 one pair left": (everyone, lambda s: not isinstance(s.move, str) and s.room == 1),
    "7.2 cells left, none of them neighbours": (
        everyone,
        lambda s: s.room == 0 and len(s.after.empty_cells()) > 0 and not isinstance(s.move, str),
    ),
    "7.3 a shared rank": (
        lambda rules: rules.num_sheets > 1,
        lambda s: s.after.phase == "over" and len(set(s.after.ranks)) < len(s.after.ranks),
    ),
    "7.3 no shared rank": (
        lambda rules: rules.num_sheets > 1,
        lambda s: s.after.phase == "over" and len(set(s.after.ranks)) == len(s.after.ranks),
    ),
    "8.3 all symbols touched": (
        lambda rules: rules.num_players > 1,
        lambda s: _first(s) and len(s.before.touched) == 6,
    ),
}  # fmt: skip
"""By paragraph: the variants that it is about, and the moves at its boundary."""

ELSEWHERE = {
    "1.1", "1.2", "1.3", "1.4",  # material: test_rules, test_geometry
    "2.1", "2.2",  # the deal: every game of the differential
    "3.1", "3.3",  # every move
    "4.1",  # every move
    "7.4",  # test_solitaire
    "8.1", "8.2",  # test_geometry, test_perft
}  # fmt: skip
"""Paragraphs without their own boundary, and the tests for them."""

BOUNDARY_RULES = {
    name: VARIANTS[name]
    for name in ("solitaire", "two", "three", "four", "partnership", "side3", "side6", "six in teams")
}
